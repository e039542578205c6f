"""Compiled code on disk, keyed by the compiler and by a spec with its setting, or by a source."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from rulespec.base.store import Store, digest_of_code, key_of
from rulespec.engine.backend.forms.machine_source import Source
from rulespec.language.model.constants import Setting

T = TypeVar("T")

CODE = Store("code", most_entries=400)
"""An entry takes 20 to 150 kB, so the folder stays below 60 MB, and holds all settings of the shipped games at once."""

COMPILED: list[str] = []
"""The keys of what this process compiled because the cache did not have it."""


def folder() -> Path:
    """The folder of compiled code. Raises FileNotFoundError for a user without a home directory."""
    return CODE.folder()


def compiler_digest() -> str:
    """A digest of Python's version and of the modules of this package that determine what is compiled."""
    return digest_of_code("engine", "language/model", "language/expr")


def key(setting: Setting, *details: str) -> str:
    """The key of code that is compiled for a setting: a digest of the spec, the player count, the rulings and the
    compiler; `details` distinguish several codes of one setting."""
    chosen = [f"{ruling}={option}" for ruling, option in sorted(setting.chosen.items())]
    return key_of([compiler_digest(), setting.spec.digest, str(setting.players), *chosen, *details])


def key_of_source(source: Source, *details: str) -> str:
    """The key of code that is compiled of a source, by whichever spec it is."""
    return key_of([compiler_digest(), *details, *source.parts()])


def cached(key: str, compiled: Callable[[], bytes], load: Callable[[bytes], T]) -> T:
    """What `load` makes of the cached code of this key, or of what `compiled` returns, which is cached then.

    Code that `load` cannot use is compiled again.
    """

    def noted() -> bytes:
        COMPILED.append(key)
        return compiled()

    return CODE.cached(key, noted, load)


def read(key: str) -> bytes | None:
    """The cached code of a key; None if there is none that is intact and safe to execute."""
    return CODE.read(key)
