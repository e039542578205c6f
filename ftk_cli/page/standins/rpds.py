"""The persistent collections of rpds as jsonschema and referencing use them, made of dict, frozenset and tuple.

rpds itself is compiled from Rust, which does not exist for Python in a browser.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T", bound=Hashable)
V = TypeVar("V")


class HashTrieMap(Mapping[K, V]):
    """A mapping of which every change makes a new one."""

    def __init__(self, items: Mapping[K, V] | Iterable[tuple[K, V]] = (), **named: V) -> None:
        self._items: dict[Any, V] = {**dict(items), **named}

    @classmethod
    def convert(cls, items: Any) -> HashTrieMap[Any, Any]:
        """The same mapping, made only if it is of another kind."""
        return items if isinstance(items, cls) else cls(items)

    def __getitem__(self, key: K) -> V:
        return self._items[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return f"HashTrieMap({self._items!r})"

    def insert(self, key: K, value: V) -> HashTrieMap[K, V]:
        return HashTrieMap({**self._items, key: value})

    def remove(self, key: K) -> HashTrieMap[K, V]:
        """Raises KeyError for a key that is not in it."""
        left = dict(self._items)
        del left[key]
        return HashTrieMap(left)

    def update(self, *others: Mapping[K, V] | Iterable[tuple[K, V]], **named: V) -> HashTrieMap[K, V]:
        items = dict(self._items)
        for other in others:
            items.update(other)
        return HashTrieMap({**items, **named})


class HashTrieSet(frozenset[T]):
    """A set of which every change makes a new one."""

    def insert(self, element: T) -> HashTrieSet[T]:
        return HashTrieSet((*self, element))

    def update(self, *others: Iterable[T]) -> HashTrieSet[T]:
        return HashTrieSet((*self, *(one for other in others for one in other)))


class List(Generic[T]):
    """A list to whose front elements are added."""

    def __init__(self, *elements: Any) -> None:
        self._elements: tuple[T, ...] = tuple(elements[0] if len(elements) == 1 else elements)

    def __iter__(self) -> Iterator[T]:
        return iter(self._elements)

    def __len__(self) -> int:
        return len(self._elements)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, List) and self._elements == other._elements

    def __hash__(self) -> int:
        return hash(self._elements)

    def __repr__(self) -> str:
        return f"List({list(self._elements)!r})"

    def push_front(self, element: T) -> List[T]:
        return List((element, *self._elements))
