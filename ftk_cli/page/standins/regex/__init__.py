"""The library regex as rulespec uses it, made of the regular expressions of JavaScript.

regex itself is compiled from C, which does not exist for Python in a browser. `translation` says what differs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from re import escape
from typing import Any

from .patterns import Match, Pattern
from .translation import DOTALL, IGNORECASE, MULTILINE, translated
from .translation import UnsupportedPattern as error

__all__ = ["DOTALL", "IGNORECASE", "MULTILINE", "I", "M", "Match", "Pattern", "S", "compile", "error", "escape"]

I, M, S = IGNORECASE, MULTILINE, DOTALL  # noqa: E741  # its names in re and regex


@cache
def _compiled(pattern: str, flags: int) -> Pattern[str]:
    return Pattern(pattern, flags, translated(pattern, flags))


def compile(pattern: str | Pattern[str], flags: int = 0) -> Pattern[str]:
    """Raises `error` for what has no translation."""
    return pattern if isinstance(pattern, Pattern) else _compiled(pattern, int(flags))


def search(pattern: str, text: str, flags: int = 0, pos: int = 0) -> Match[str] | None:
    return compile(pattern, flags).search(text, pos)


def match(pattern: str, text: str, flags: int = 0, pos: int = 0) -> Match[str] | None:
    return compile(pattern, flags).match(text, pos)


def fullmatch(pattern: str, text: str, flags: int = 0, pos: int = 0) -> Match[str] | None:
    return compile(pattern, flags).fullmatch(text, pos)


def finditer(pattern: str, text: str, flags: int = 0) -> Iterator[Match[str]]:
    return compile(pattern, flags).finditer(text)


def findall(pattern: str, text: str, flags: int = 0) -> list[Any]:
    return compile(pattern, flags).findall(text)


def split(pattern: str, text: str, flags: int = 0) -> list[Any]:
    return compile(pattern, flags).split(text)


def sub(pattern: str, new: str | Callable[[Match[str]], str], text: str, count: int = 0, flags: int = 0) -> str:
    return compile(pattern, flags).sub(new, text, count)


def purge() -> None:
    """Forgets the compiled patterns."""
    _compiled.cache_clear()
    re.purge()
