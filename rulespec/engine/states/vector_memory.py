"""Memory for many games: arrays that callers read, and what they pass."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from ctypes import addressof, c_char
from math import prod
from pathlib import Path
from struct import calcsize
from typing import Any

WHOLE_NUMBERS = frozenset("bBhHiIlLqQnN")
"""The formats of whole numbers in a buffer."""

SIGNED = frozenset("qln") if calcsize("l") == 8 else frozenset("q")
"""Those that are signed and have 64 bits."""


NO_LIMIT = 2**62


class Rows:
    """Zeros in memory, a row for each game: `view` is what callers read and may keep. `format_` is one of `struct`."""

    def __init__(self, format_: Any, n: int, *width: int) -> None:
        self.row_size = row_size(format_, *width)
        self._content = bytearray(n * self.row_size)  # kept, whatever becomes of the view
        self.address = addressof(c_char.from_buffer(self._content))
        self.view: Any = memoryview(self._content).cast(format_, (n, *width))


def row_size(format_: str, *width: int) -> int:
    """The bytes of a row of numbers."""
    return calcsize(format_) * prod(width)


def whole_numbers(actions: Any, n: int) -> array[int]:
    """The n whole numbers in a buffer or a sequence. Raises ValueError for anything else, and says what it is."""
    try:
        view = memoryview(actions)
    except TypeError:
        return _of_sequence(actions, n)
    if view.format not in WHOLE_NUMBERS:
        raise ValueError(f"actions are whole numbers, such as int64, not numbers of the format `{view.format}`")
    if view.shape != (n,):
        raise ValueError(f"a vector of {n} games needs {n} actions in one row, not the shape {view.shape}")
    return array("q", view.tobytes()) if view.format in SIGNED else _of_sequence(view.tolist(), n)


def _of_sequence(actions: Iterable[int], n: int) -> array[int]:
    try:
        listed = list(actions)
    except TypeError:
        what = type(actions).__name__
        raise ValueError(f"actions are {n} whole numbers in a buffer or a sequence, not {what}") from None
    if len(listed) != n:
        raise ValueError(f"a vector of {n} games needs {n} actions, not {len(listed)}")
    try:
        return array("q", listed)
    except (TypeError, OverflowError):
        slot = next(slot for slot, action in enumerate(listed) if not _fits(action))
        raise ValueError(f"the action of game {slot} is {listed[slot]!r:.40}, no whole number of 64 bits") from None


def _fits(action: Any) -> bool:
    try:
        return bool(array("q", [action]))
    except (TypeError, OverflowError):
        return False


def require_memory(n: int, row: int) -> None:
    """Raises MemoryError if n games of so many bytes each do not fit the memory that is free."""
    if n * row > (free := _free_memory()):
        fit = f"about {free // row:,} games fit"
        raise MemoryError(f"{n:,} games need {_in_words(n * row)} of memory, and {_in_words(free)} are free: {fit}")


def _in_words(size: int) -> str:
    return f"{size / 2**30:,.1f} GB" if size >= 2**29 else f"{size / 2**20:,.1f} MB"


def _free_memory() -> int:
    """The bytes that this process may still take, as far as Linux says: of the machine, and of its group of processes
    where that is less."""
    return max(0, min(_of_machine(), _of_group()))


def _of_machine() -> int:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable"))
    except (OSError, ValueError, StopIteration):
        return NO_LIMIT


def _of_group() -> int:
    try:
        most, used = (int(_group(one)) for one in ("max", "current"))
        files = dict(line.split() for line in _group("stat").splitlines())
    except (OSError, ValueError):  # "max" is no number: there is no limit
        return NO_LIMIT
    # Linux gives back what it keeps of files.
    return most - used + int(files.get("active_file", 0)) + int(files.get("inactive_file", 0))


def _group(name: str) -> str:
    return Path(f"/sys/fs/cgroup/memory.{name}").read_text(encoding="ascii")
