"""What differs between the versions of XLIFF for a reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple
from xml.etree.ElementTree import Element

from rulespec.base.messages import Message, say


class Problem(NamedTuple):
    """Why a unit cannot be imported: the name of the finding, its message and its hint."""

    name: str
    message: Message
    hint: Message


INLINE_CODE = Problem(
    "exchange-inline-code",
    say("The text has an inline code, which Markdown cannot represent."),
    say("Write Markdown instead, such as ** for bold."),
)


@dataclass(frozen=True)
class Version:
    """The elements of one version: functions of `<file>`, of the root and `<file>`, and of a unit.

    `text` is None for an untranslated unit. `status` is that of a translated one, "" if it has one of MARKS.
    """

    namespace: str
    unit: str
    game: Callable[[Element], str]
    language: Callable[[Element, Element], str]
    id: Callable[[Element], str]
    problem: Callable[[Element], Problem | None]
    source: Callable[[Element], str]
    text: Callable[[Element], str | None]
    status: Callable[[Element], str]
    hint: Message
    """Which attributes say which game and language a file is for."""


def character(code: str) -> str | None:
    """The character with a hexadecimal number; None if there is none."""
    # Digits alone: `int` also takes signs, blanks and underscores.
    number = int(code, 16) if 0 < len(code) <= 8 and set(code) <= set("0123456789abcdefABCDEF") else -1
    return chr(number) if 0 <= number < 0xD800 or 0xDFFF < number < 0x110000 else None
