"""Compiled patterns and matches, with the methods of those of re and regex."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Any, Generic, TypeVar

from .translation import Translation

T = TypeVar("T")
_REFERENCE = re.compile(r"\\(?:(\d+)|g<(\w+)>|(.))", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}


class _Text:
    """A text as JavaScript holds it, with its offsets: JavaScript counts a character beyond U+FFFF twice."""

    def __init__(self, text: str) -> None:
        self.length = len(text)
        self.held = import_module("js").Object(text)
        self._wide = [at for at, sign in enumerate(text) if sign > "\uffff"] if not text.isascii() else []
        self._wide_there = [at + before for before, at in enumerate(self._wide)]

    def there(self, at: int) -> int:
        """An offset of Python in JavaScript."""
        return at + bisect_left(self._wide, at) if self._wide else at

    def here(self, at: int) -> int:
        """An offset of JavaScript in Python."""
        return at - bisect_left(self._wide_there, at) if self._wide else at


_text = lru_cache(maxsize=32)(_Text)


class Pattern(Generic[T]):
    """A compiled pattern. Its regular expressions are made when they are first used."""

    def __init__(self, pattern: str, flags: int, translation: Translation) -> None:
        self.pattern, self.flags = pattern, flags
        self._made = translation
        self.groups, self.groupindex = translation.count, translation.groups

    def __reduce__(self) -> tuple[Any, ...]:
        from . import compile

        return compile, (self.pattern, self.flags)

    def __repr__(self) -> str:
        return f"regex.Regex({self.pattern!r}, flags={self.flags})"

    @cached_property
    def _searched(self) -> Any:
        return self._expression(self._made.source, "g")

    @cached_property
    def _matched(self) -> Any:
        return self._expression(self._made.source, "y")

    @cached_property
    def _whole(self) -> Any:
        return self._expression(f"(?:{self._made.source})$", "y")

    def _expression(self, source: str, how: str) -> Any:
        # Only patterns with groups need to know where these are.
        return import_module("js").RegExp.new(source, self._made.flags + how + ("d" if self._made.captures else ""))

    def _run(self, expression: Any, text: str, pos: int, endpos: int | None) -> Match[T] | None:
        # JavaScript has no end to stop at. A start is not cut off, since what is before it can be looked behind at.
        whole = text if endpos is None or endpos >= len(text) else text[: max(endpos, 0)]
        there = _text(whole)
        if pos > there.length:
            return None
        # JavaScript begins there only with the flag g (there or later) or y (there), and writes where the match ended.
        expression.lastIndex = there.there(max(pos, 0))
        found = expression.exec(there.held)
        end = there.here(expression.lastIndex)
        return Match(self, text, self._spans(found, end, there)) if found else None  # null and undefined are false

    def _spans(self, found: Any, end: int, there: _Text) -> list[tuple[int, int]]:
        """Where the match and its groups are, (-1, -1) for a group without a part in it."""
        spans = [(end - len(found[0]), end)]
        if not self._made.captures:
            return spans
        spans += [(-1, -1)] * self._made.count
        named = found.indices.groups
        for name, number in self._made.captures.items():
            place = getattr(named, name)
            if place:
                spans[number] = (there.here(place[0]), there.here(place[1]))
        return spans

    def search(self, text: str, pos: int = 0, endpos: int | None = None) -> Match[T] | None:
        return self._run(self._searched, text, pos, endpos)

    def match(self, text: str, pos: int = 0, endpos: int | None = None) -> Match[T] | None:
        return self._run(self._matched, text, pos, endpos)

    def fullmatch(self, text: str, pos: int = 0, endpos: int | None = None) -> Match[T] | None:
        return self._run(self._whole, text, pos, endpos)

    def finditer(
        self, text: str, pos: int = 0, endpos: int | None = None, overlapped: bool = False
    ) -> Iterator[Match[T]]:
        at = pos
        while (found := self.search(text, at, endpos)) is not None:
            yield found
            start, end = found.span()
            # After an empty match one further, or it would be found for ever.
            at = start + 1 if overlapped or end == start else end

    def findall(self, text: str, pos: int = 0, endpos: int | None = None) -> list[Any]:
        every = self.finditer(text, pos, endpos)
        if self.groups > 1:
            return [found.groups("") for found in every]
        return [found.groups("")[0] if self.groups else found[0] for found in every]

    def split(self, text: str, maxsplit: int = 0) -> list[Any]:
        parts: list[Any] = []
        at = 0
        for number, found in enumerate(self.finditer(text)):
            if maxsplit and number == maxsplit:
                break
            parts += [text[at : found.start()], *found.groups()]
            at = found.end()
        return [*parts, text[at:]]

    def sub(self, new: str | Callable[[Match[T]], str], text: str, count: int = 0) -> str:
        return self.subn(new, text, count)[0]

    def subn(self, new: str | Callable[[Match[T]], str], text: str, count: int = 0) -> tuple[str, int]:
        parts: list[str] = []
        at = number = 0
        for found in self.finditer(text):
            if count and number == count:
                break
            parts += [text[at : found.start()], found.expand(new) if isinstance(new, str) else new(found)]
            at, number = found.end(), number + 1
        return "".join((*parts, text[at:])), number


class Match(Generic[T]):
    """What a pattern found in a text."""

    def __init__(self, pattern: Pattern[T], text: str, spans: list[tuple[int, int]]) -> None:
        self.re, self.string, self._spans = pattern, text, spans

    def __getitem__(self, group: int | str) -> Any:
        start, end = self.span(group)
        return None if start < 0 else self.string[start:end]

    def __repr__(self) -> str:
        return f"<regex.Match object; span={self.span()}, match={self[0]!r}>"

    def span(self, group: int | str = 0) -> tuple[int, int]:
        return self._spans[self.re.groupindex[group] if isinstance(group, str) else group]

    def start(self, group: int | str = 0) -> int:
        return self.span(group)[0]

    def end(self, group: int | str = 0) -> int:
        return self.span(group)[1]

    def group(self, *groups: int | str) -> Any:
        return tuple(self[group] for group in groups) if len(groups) > 1 else self[(groups or (0,))[0]]

    def groups(self, default: Any = None) -> tuple[Any, ...]:
        every = (self[number] for number in range(1, len(self._spans)))
        return tuple(default if one is None else one for one in every)

    def groupdict(self, default: Any = None) -> dict[str, Any]:
        return {name: default if self[name] is None else self[name] for name in self.re.groupindex}

    @property
    def lastindex(self) -> int | None:
        """The number of the group that was closed last: the one that ends last, and of those the outermost."""
        there = [(end, -number) for number, (start, end) in enumerate(self._spans) if number and start >= 0]
        return -max(there)[1] if there else None

    @property
    def lastgroup(self) -> str | None:
        return next((name for name, number in self.re.groupindex.items() if number == self.lastindex), None)

    def expand(self, template: str) -> str:
        return _REFERENCE.sub(self._reference, template)

    def _reference(self, found: re.Match[str]) -> str:
        number, name, sign = found.groups()
        if sign is not None:
            return _ESCAPES.get(sign, found[0])
        return self[int(number or name) if (number or name).isdigit() else name] or ""
