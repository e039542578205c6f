"""The marks of members that no look has: colours that stay apart, and icons, signs or initials."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import yaml

from rulespec.text.output.sheets.colours import distance, ink
from rulespec.text.output.sheets.icons import icons
from rulespec.text.output.sheets.look_checks import APART

if TYPE_CHECKING:
    from rulespec.language.model.spec import Enum

Mark = dict[str, str]
"""The `colour` of a member with the `ink` of words on it, and its `symbol`, its `path` or its `initials`: initials
stand for its word only where that has no room."""


@cache
def derived(enum: Enum) -> tuple[Mark, ...]:
    """The marks of all members; none for the squares of a grid, and for more members than there are colours."""
    if enum.places or len(enum.members) > len(palette()):
        return ()
    signs = [_sign(member) for member in enum.members]
    if sum(map(bool, signs)) * 2 > len(signs):
        return tuple(
            {"symbol": sign} if sign else _drawn(enum, member) for member, sign in zip(enum.members, signs, strict=True)
        )
    colours = apart([_data()["colours"].get(member, "") for member in enum.members])
    return tuple(coloured(colour) | _drawn(enum, member) for member, colour in zip(enum.members, colours, strict=True))


def coloured(colour: str) -> Mark:
    """A colour with the ink of words on it."""
    return {"colour": colour, "ink": ink(colour)}


def palette() -> Sequence[str]:
    """Colours that stay apart."""
    colours: list[str] = _data()["palette"]
    return colours


def apart(given: Sequence[str]) -> Iterator[str]:
    """Colours with others in the places of "", which differ from those given as long as there are any."""
    known = [*filter(None, given)]
    free = [one for one in palette() if all(distance(one, other) >= APART for other in known)]
    rest = iter([*free, *(one for one in palette() if one not in free)] * (len(given) // len(palette()) + 1))
    return (one or next(rest) for one in given)


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(files(__package__).joinpath("marks.yaml").read_text(encoding="utf-8"))
    return data


def _sign(member: str) -> str:
    """The sign of a rank, a number or a letter, "" for other words."""
    sign: str = _data()["signs"].get(member, "")
    return sign or (member if len(member) == 1 else "")


def _drawn(enum: Enum, member: str) -> Mark:
    """The icon of a member, if at least half of its enum have one, else its initials."""
    named = sum(one in icons() for one in enum.members)
    if member in icons() and 2 * named >= len(enum.members):
        return {"path": icons()[member]}
    return {"initials": _initials(enum)[enum.members.index(member)]}


@cache
def _initials(enum: Enum) -> tuple[str, ...]:
    """A letter or two of each member, which differ as far as they can."""
    found: list[str] = []
    for member in enum.members:
        options = [*_abbreviations(member)]
        found.append(next((one for one in options if one not in found), options[0]))
    return tuple(found)


def _abbreviations(member: str) -> Iterator[str]:
    first, *others = member.replace("_", " ").split() or [member]
    yield first[0].upper()
    yield from (first[0].upper() + word[0].upper() for word in others)
    yield from (first[0].upper() + letter for letter in first[1:] + "".join(others))
