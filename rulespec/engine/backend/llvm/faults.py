"""Faults of checked machine code (see checked.py), in words, and of the linker. They do not import the compiler."""

from __future__ import annotations

from collections.abc import Sequence

DIVISOR, SHIFT, OVERFLOW, NARROW = "/", "<<", "+", "16"
"""What is wrong besides an index, for which it is the name of the array or table."""

_WORDS = {
    DIVISOR: "a number is divided by {0}",
    SHIFT: "a number is shifted by {0} bits, of at most {1}",
    OVERFLOW: "the result of an operation on {0} and {1} has more than 64 bits",
    NARROW: "{0} does not fit into {1} bits",
}


class MachineFault(RuntimeError):
    """Checked machine code used an index outside of an array, or a number that is too large for its place."""


class LinkError(Exception):
    """The linker has failed; the text says why, by the last line that it wrote, and what to do."""

    def __init__(self, line: str) -> None:
        again = "pip install --force-reinstall ziglang"
        super().__init__(f"The linker of the package ziglang has failed: {line}. Install the package again: {again}")


def code_of(what: str) -> int:
    """What is wrong as a number: up to seven letters."""
    return int.from_bytes(what.encode("ascii")[:7], "little")


def in_words(fault: Sequence[int]) -> str:
    """A fault of checked machine code in words."""
    code, number, limit = fault
    what = code.to_bytes(8, "little").rstrip(b"\0").decode("ascii")
    words = _WORDS.get(what, f"index {{0}} of the array `{what}`, which has {{1}} elements")
    return words.format(number, limit)
