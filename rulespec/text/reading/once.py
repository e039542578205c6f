"""Computes a derived value once for each object that keeps derived values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

_T = TypeVar("_T")


class Holder(Protocol):
    """An object with a cache for what other modules derive from it."""

    @property
    def derived(self) -> dict[object, Any]:
        """The derived values, each under a key of the module that derived it."""


def once(holder: Holder, key: object, derive: Callable[[], _T]) -> _T:
    """The value that `derive` returns for the first caller; the holder keeps it under the key.

    Each module has keys of its own, so that two of them may choose the same one.
    """
    own = derive.__module__, key
    if own not in holder.derived:
        holder.derived[own] = derive()
    found: _T = holder.derived[own]
    return found
