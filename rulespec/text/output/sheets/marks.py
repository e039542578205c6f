"""How members look that no look says: colours by their names, signs of ranks and numbers, icons, else other colours
that stay apart. `marks.yaml` has the colours and the signs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from rulespec.language.model.spec import Deck, Enum, Spec
from rulespec.language.model.types import NONE, Type
from rulespec.text.output.sheets.colours import APART, distance
from rulespec.text.output.sheets.icons import icons
from rulespec.text.output.sheets.looks import PLAIN, Look, Looks

TICK = "✓"
"""What stands for a field that is true."""


def look_of(spec: Spec, looks: Looks | None, type_: Type, value: int) -> Look:
    """How a member looks; plain for all other contents. What a look leaves out stays as derived: the colour, or what is
    drawn on it."""
    enum = spec.enums.get(type_.name)
    if type_.kind != "enum" or value == NONE or enum is None:
        return PLAIN
    usual = (derived(enum) or (PLAIN,) * len(enum.members))[value]
    given = looks.members.get(f"{enum.name}.{enum.members[value]}") if looks is not None else None
    if given is None:
        return usual
    if not (given.symbol or given.path or given.file):
        given = replace(given, symbol=usual.symbol, path=usual.path, initials=usual.initials)
    return replace(given, colour=given.colour or usual.colour)


def suit(spec: Spec, card: Sequence[int], look: Callable[[Type, int], Look]) -> Look:
    """How a card looks: the first colour and the first drawing among the looks of its fields, those in its name first,
    and of these the one with the fewest members."""
    deck, named = spec.deck, named_fields(spec.deck, card)
    enums = [name for name, type_ in deck.fields.items() if type_.kind == "enum" and "[" not in name]
    enums.sort(key=lambda name: len(spec.enums[deck.fields[name].name].members) if name in named else 1 << 31)
    found = [look(deck.fields[name], card[deck.column(name)]) for name in enums]
    drawn = [one for one in found if one.symbol or one.path or one.file]
    sign = next(iter((*drawn, *(one for one in found if one.initials))), PLAIN)
    return replace(sign, colour=next((one.colour for one in found if one.colour), ""))


def named_fields(deck: Deck, card: Sequence[int]) -> Sequence[str]:
    """The fields in the name of a card."""
    named = deck.names.get(card[deck.column(deck.face[0])], "") if deck.face else ""
    return re.findall(r"{(\w+)}", named) or deck.face


@cache
def derived(enum: Enum) -> tuple[Look, ...]:
    """The looks of all members; none for the squares of a grid, and for more members than there are colours."""
    if enum.places or len(enum.members) > len(palette()):
        return ()
    signs = [_sign(member) for member in enum.members]
    if sum(map(bool, signs)) * 2 > len(signs):
        return tuple(
            Look(symbol=sign) if sign else _drawn(enum, one) for one, sign in zip(enum.members, signs, strict=True)
        )
    colours = apart([_data()["colours"].get(member, "") for member in enum.members])
    return tuple(replace(_drawn(enum, one), colour=colour) for one, colour in zip(enum.members, colours, strict=True))


def palette() -> Sequence[str]:
    """Colours that stay apart."""
    colours: list[str] = _data()["palette"]
    return colours


def apart(given: Iterable[str]) -> Iterator[str]:
    """Colours with others in the places of "", which differ from those given as long as there are any."""
    given = [*given]
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


def _drawn(enum: Enum, member: str) -> Look:
    """The icon of a member, if at least half of its enum have one, else its initials."""
    named = sum(one in icons() for one in enum.members)
    if member in icons() and 2 * named >= len(enum.members):
        return Look(path=icons()[member])
    return Look(initials=_initials(enum)[enum.members.index(member)])


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
