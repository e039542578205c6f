"""What is made again and again of the same keys, kept."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

KEYS_KEPT = 4096
"""Keys of which a memo keeps what was made."""
ROOM = 100
"""Cards of a zone that one of them may have: of more, fewer are kept."""


def most_zones(cards: int) -> int:
    """The contents of zones that are kept, of so many cards."""
    return KEYS_KEPT // (1 + cards // ROOM)


class Memo(dict[K, V], Generic[K, V]):
    """What `make` makes of a key, by key. What it made must not be changed. A full memo begins anew."""

    def __init__(self, make: Callable[[K], V], most: int = KEYS_KEPT) -> None:
        super().__init__()
        self._make, self._most = make, most

    def __missing__(self, key: K) -> V:
        if len(self) >= self._most:
            self.clear()
        self[key] = made = self._make(key)
        return made
