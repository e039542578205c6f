"""What is wrong with looks beside their spec."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import NOTHING, Message, say
from rulespec.language.model import spec as m
from rulespec.language.model.names import suggest
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS
from rulespec.text.output.sheets import pictures
from rulespec.text.output.sheets.colours import APART, distance
from rulespec.text.output.sheets.drawing import SheetError, Template, document, drawn
from rulespec.text.output.sheets.faces import Words, different, faces
from rulespec.text.output.sheets.icons import icons
from rulespec.text.output.sheets.looks import KeyPath, Looks

MOST_ON_TRACK = 40
"""A value with more numbers beyond its lowest is no track."""

MOST_PIPS = 6
"""The highest number that a die shows."""


def check(looks: Looks, spec: m.Spec) -> Iterator[Finding]:
    """Names that a spec does not have, pictures and templates that cannot be used, and what cannot be drawn so."""
    for look in (_members, _icons, _pictures, _zones, _values, _seats, _card):
        yield from look(looks, spec)


def _unknown(looks: Looks, message: Message, path: KeyPath, known: Iterable[str]) -> Finding:
    return finding("look-unknown-name", message, looks.source, looks.keys[path], suggest(path[-1], known))


def _unfit(looks: Looks, message: Message, path: KeyPath, hint: Message = NOTHING) -> Finding:
    return finding("look-unfit", message, looks.source, looks.contents[path], hint)


def _members(looks: Looks, spec: m.Spec) -> Iterator[Finding]:
    for path in looks.keys:
        if path[0] == "members" and len(path) == 2 and path[1] not in spec.enums:
            yield _unknown(looks, say("The spec has no enum `{name}`.", name=path[1]), path, spec.enums)
        if path[0] == "members" and len(path) == 3 and path[1] in spec.enums:
            known = spec.enums[path[1]].members
            if path[2] not in known:
                message = say("The enum `{enum}` has no member `{name}`.", enum=path[1], name=path[2])
                yield _unknown(looks, message, path, known)


def _icons(looks: Looks, spec: m.Spec) -> Iterator[Finding]:
    for name, span in _of_members(looks, "icon"):
        if (icon := looks.icons[name]) not in icons():
            message = say("There is no icon `{name}`.", name=icon)
            yield finding("look-unknown-name", message, looks.source, span, suggest(icon, icons()))


def _pictures(looks: Looks, spec: m.Spec) -> Iterator[Finding]:
    for name, span in _of_members(looks, "picture"):
        file = looks.members[name].file
        if file is not None and (why := pictures.unusable(file)):
            hint = say("Put a PNG, a JPEG or an SVG of at most 4 MB there.")
            yield finding("look-picture-unusable", why, looks.source, span, hint)


def _of_members(looks: Looks, key: str) -> Iterator[tuple[str, Span]]:
    """The members that have a key, and where it stands. A name that the spec does not have may have dots."""
    for path, span in looks.contents.items():
        if path[0] == "members" and path[3:] == (key,):
            yield f"{path[1]}.{path[2]}", span


def grid_of(spec: m.Spec, zone: m.Zone) -> str:
    """The enum of the squares that a zone lies on, "" if it lies on none."""
    per = [type_.name for type_ in zone.per if type_.kind == "enum"]
    return per[0] if len(per) == 1 and spec.enums[per[0]].places else ""


def _zones(looks: Looks, spec: m.Spec) -> Iterator[Finding]:
    lying: dict[str, str] = {}
    for name, look in looks.zones.items():
        path = ("zones", name)
        if name not in spec.zones:
            yield _unknown(looks, say("The spec has no zone `{name}`.", name=name), path, spec.zones)
            continue
        zone, place = spec.zones[name], look.get("place", "")
        grid = grid_of(spec, zone)
        if place in ("hand", "front") and zone.owned_by is None:
            message = say("The zone `{zone}` has no owner, so it cannot lie in a hand or before a player.", zone=name)
            yield _unfit(looks, message, (*path, "place"), say("Write `market` or `piles`."))
        elif place == "board" and not grid:
            message = say("The zone `{zone}` is not for the squares of a grid, so it cannot lie on a board.", zone=name)
            yield _unfit(looks, message, (*path, "place"), say("Write `market` or `piles`."))
        elif place == "board" and lying.setdefault(grid, name) != name:
            other = lying[grid]
            message = say("The zones `{zone}` and `{other}` cannot both lie on one board.", zone=name, other=other)
            yield _unfit(looks, message, (*path, "place"), say("Give one of them another place."))


def _values(looks: Looks, spec: m.Spec) -> Iterator[Finding]:
    for name, draw in looks.values.items():
        if name not in spec.values:
            yield _unknown(looks, say("The spec has no value `{name}`.", name=name), ("values", name), spec.values)
        elif why := _undrawable(spec, spec.values[name], draw):
            yield _unfit(looks, why, ("values", name, "draw"), say("Write `number`."))


def _undrawable(spec: m.Spec, value: m.StoredValue, draw: str) -> Message | None:
    """Why a value cannot be drawn in a way; None if it can."""
    enums = [spec.enums[index.type.name] for index in value.per if index.type.kind == "enum"]
    width = value.type.high - value.type.low
    if draw == "board" and not (len(value.per) == 1 and enums and enums[0].places):
        return say(
            "The value `{value}` is not for the squares of a grid, so it cannot be on a board.", value=value.name
        )
    if draw == "tiles" and not enums:
        return say("The value `{value}` is for no enum, so it has no tiles.", value=value.name)
    others = [index for index in value.per if index.type.kind == "enum"]
    if draw == "table" and (len(value.per), len(others)) != (2, 1):
        return say(
            "The value `{value}` is not for each player and member of an enum, so it is no table.", value=value.name
        )
    if draw == "dice" and not 1 <= value.type.low <= value.type.high <= MOST_PIPS:
        return say("The value `{value}` is not from 1 to 6, so it is drawn by no dice.", value=value.name)
    if draw in ("track", "tower", "tokens") and value.type.kind != "int":
        return say("The value `{value}` is no number, so it cannot be drawn as `{draw}`.", value=value.name, draw=draw)
    if draw in ("track", "tower") and width > MOST_ON_TRACK:
        most, numbers = MOST_ON_TRACK + 1, width + 1
        return say(
            "A track has at most {most} numbers; `{value}` has {numbers}.", most=most, value=value.name, numbers=numbers
        )
    return None


def _seats(looks: Looks, spec: m.Spec) -> Iterator[Finding]:
    for (first, one), (second, other) in combinations(enumerate(looks.seats), 2):
        if distance(one, other) < APART:
            message = say("The colours of player {one} and player {other} look alike.", one=first + 1, other=second + 1)
            span, hint = looks.contents["seats", str(second)], say("Choose colours that differ in lightness, too.")
            yield finding("look-colours-alike", message, looks.source, span, hint)


def _card(looks: Looks, spec: m.Spec) -> Iterator[Finding]:
    if looks.card is not None and (why := _wrong(looks, spec, looks.card.name)):
        hint = say("It is SVG for one card, in Jinja.")
        yield finding("look-template-wrong", why, looks.source, looks.contents["card",], hint)


def _wrong(looks: Looks, spec: m.Spec, name: str) -> Message | None:
    """Why the template of cards cannot be used; None if it can."""
    if not looks.template:
        return say("The template `{name}` is empty or cannot be read.", name=name)
    cards = different(faces(spec, Words(spec, None, LANGUAGE_OF_SPECS, looks)))
    try:
        svgs = drawn(cards, spec.title, LANGUAGE_OF_SPECS, Template(looks.template))
    except SheetError as error:
        return error.message
    unsafe = (pictures.unsafe(document(svg).encode()) for svg in svgs)
    why = next(filter(None, unsafe), None)
    return say("The template `{name}` draws what cannot be used: {reason}.", name=name, reason=why) if why else None
