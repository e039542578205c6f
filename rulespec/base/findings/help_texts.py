"""The help of a command as sentences that catalogs translate: paragraphs, and the lines of blocks that click leaves as
they are. Commands in these stay as they are."""

from __future__ import annotations

import re
from collections.abc import Callable

_BLOCK = "\b\n"
"""How a block begins whose lines click leaves as they are."""
_COMMAND = re.compile(r"(\s+\S.*?\s{2,})(\S.*)")
"""A line with a command and, after two spaces, what it does."""


def reworded(text: str, word: Callable[[str], str]) -> str:
    """A help text with `word` applied to each of its sentences and paragraphs."""
    return "\n\n".join(_paragraph(part, word) for part in re.split(r"\n\s*\n", text.strip("\n")))


def phrases(text: str) -> list[str]:
    """What catalogs have of a help text."""
    found: list[str] = []

    def keep(phrase: str) -> str:
        found.append(phrase)
        return phrase

    reworded(text, keep)
    return found


def _paragraph(text: str, word: Callable[[str], str]) -> str:
    lines = text.removeprefix(_BLOCK).split("\n")
    if any(line.startswith(" ") for line in lines):
        return _BLOCK + "\n".join(_line(line, word) for line in lines)
    return word(" ".join(lines))  # also of a block: in another language its lines have another length


def _line(line: str, word: Callable[[str], str]) -> str:
    if not line.startswith(" "):
        return word(line)
    command = _COMMAND.fullmatch(line)
    return f"{command[1]}{word(command[2])}" if command else line
