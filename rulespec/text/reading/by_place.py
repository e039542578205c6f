"""Things that have places in a text, found by place."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Generic, Protocol, TypeVar


class Placed(Protocol):
    """Something at `text[start:end]`."""

    @property
    def start(self) -> int:
        """The offset of the first character."""

    @property
    def end(self) -> int:
        """The offset after the last character."""


_T = TypeVar("_T", bound=Placed)


class ByPlace(Generic[_T]):
    """Things in the order of their starts. A search takes a time that does not grow with the text."""

    def __init__(self, every: Iterable[_T]) -> None:
        self.every = tuple(sorted(every, key=lambda one: one.start))

    def starting(self, start: int, end: int) -> tuple[_T, ...]:
        """Those that start in `text[start:end]`."""
        return self.every[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def inside(self, start: int, end: int) -> tuple[_T, ...]:
        """Those that start and end in `text[start:end]`."""
        return tuple(one for one in self.starting(start, end) if one.end <= end)

    def over(self, start: int, end: int) -> Iterator[_T]:
        """Those that share a character with `text[start:end]`."""
        # Nothing that starts earlier is long enough to reach `start`.
        return (one for one in self.starting(start - self._longest, end) if start < one.end)

    @cached_property
    def _starts(self) -> list[int]:
        return [one.start for one in self.every]

    @cached_property
    def _longest(self) -> int:
        return max((one.end - one.start for one in self.every), default=0)
