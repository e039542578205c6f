"""Compiled code on disk, keyed by the compiler and by a spec with its setting, or by a source."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from rulespec.base import store
from rulespec.language.model.constants import Setting

if TYPE_CHECKING:
    from rulespec.engine.backend.forms.machine_source import Source

T = TypeVar("T")

_COMPILER = ("engine", "language/model", "language/expr")
"""The folders of this package that determine what is compiled."""

GAMES, TALLIES = ("games",), ("games", "tally")
"""The details of playouts in machine code, without a tally and with one."""

COMPILED: list[str] = []
"""The keys of what this process compiled because the cache did not have it."""


def key(setting: Setting, *details: str) -> str:
    """The key of code that is compiled for a setting: a digest of the spec, the player count, the rulings and the
    compiler; `details` distinguish several codes of one setting."""
    chosen = [f"{ruling}={option}" for ruling, option in sorted(setting.chosen.items())]
    return store.key(setting.spec.digest, str(setting.players), *chosen, *details, code=_COMPILER)


def has_native(setting: Setting, *details: str) -> bool:
    """Whether machine code of a setting was cached. Only llvmlite, which takes long to load, knows whether it was for
    this kind of processor."""
    return store.get("native", key(setting, *details)) is not None


def key_of_source(source: Source, *details: str) -> str:
    """The key of code that is compiled of a source, by whichever spec it is."""
    return store.key(*details, *source.parts(), code=_COMPILER)


def cached(key: str, compiled: Callable[[], bytes], load: Callable[[bytes], T]) -> T:
    """What `load` makes of the cached code of this key, or of what `compiled` returns, which is cached then.

    Code that `load` cannot use is compiled again.
    """
    code: bytes | None = store.get("code", key)
    if code is not None:
        with suppress(Exception):  # bytes of another kind can make a loader raise anything
            return load(code)
    COMPILED.append(key)
    code = compiled()
    store.put("code", key, code)
    return load(code)
