"""What is made again and again of the same keys, kept."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MOST_KEPT = 4096
"""Keys of which a memo keeps what was made."""


class Memo(dict[K, V], Generic[K, V]):
    """What `make` makes of a key, by key. What it made must not be changed. A full memo begins anew."""

    def __init__(self, make: Callable[[K], V]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: K) -> V:
        if len(self) >= MOST_KEPT:
            self.clear()
        self[key] = made = self._make(key)
        return made
