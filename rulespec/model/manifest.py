"""The card manifest: fields, rows that stand for many cards, totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import product

from rulespec.document import Mapping as MapNode
from rulespec.document import Node, Scalar
from rulespec.model.names import suggest
from rulespec.model.reader import Broken, Reader, entries, items, mapping, text
from rulespec.model.spec import Deck, Entry
from rulespec.model.types import BOOL, CARD, NONE, Type

MOST_CARDS = 10_000
_RESERVED = ("copies", "status", "source")

NO_CARDS = Deck({}, (), (), (), "", None, "", {})


def fields(reader: Reader, node: MapNode) -> dict[str, Type | None]:
    """The declared fields of a card."""
    found: dict[str, Type | None] = {}
    for key, value in entries(node.get("fields")):
        if key.text in _RESERVED:
            reader.say("name-taken", f"`{key.text}` already says something about a row of the manifest", key, "Choose another name.")
        found[key.text] = reader.type(value)
    return found


def count(node: Node | None) -> int:
    """How many cards the manifest stands for, at most; good enough to bound the size of a zone before it is read."""
    total = 0
    for row in items(node):
        if isinstance(row, MapNode):
            width = 1
            for key, value in row.entries:
                width *= _width(key.text, value)
            total += min(width, MOST_CARDS)
    return min(total, MOST_CARDS)


def _width(key: str, value: Node) -> int:
    if key == "copies":
        return max(1, value.value) if isinstance(value, Scalar) and isinstance(value.value, int) else 1
    if key in _RESERVED:
        return 1
    if not isinstance(value, Scalar):
        return len(items(value))
    low, dots, high = value.text.partition("..")
    if dots and low.lstrip("-").isdigit() and high.lstrip("-").isdigit():
        return max(1, min(MOST_CARDS, int(high) - int(low) + 1))
    return 26 if dots else 1


def deck(reader: Reader, node: MapNode, types: Mapping[str, Type], known_sources: Mapping[str, str], rule: str) -> Deck:
    """Reads the whole `cards` section."""
    cards: list[tuple[int, ...]] = []
    rows: list[Entry] = []
    for row in items(node.get("manifest")):
        try:
            _row(reader, mapping(row), types, known_sources, cards, rows)
        except Broken:
            reader.names.broken = True
    face = tuple(text(item) for item in items(node.get("face"))) or tuple(types)
    for item in items(node.get("face")):
        if text(item) not in types:
            reader.say("unknown-field", f"cards have no field `{text(item)}`", item, suggest(text(item), list(types)))
    totals = _totals(reader, node, types, cards)
    start = node.get("start")
    if start is not None and (text(start) not in reader.names.zones or _per(reader, text(start))):
        hint = suggest(text(start), list(reader.names.zones)) or "Declare it under `zones:`, without `per`."
        reader.say("unknown-name", f"`{text(start)}` is no zone of the whole table", start, hint)
    out = node.get("leave_out")
    leave_out = reader.fixed(mapping(out).get("if"), {"card": CARD}, BOOL, free=("card",)) if out is not None else None
    return Deck(dict(types), tuple(cards), tuple(rows), tuple(f for f in face if f in types), text(start), leave_out, rule, totals)


def _per(reader: Reader, zone: str) -> bool:
    declared = reader.names.zones[zone]
    return declared is not None and declared[0] is not None


def _row(
    reader: Reader, row: MapNode, types: Mapping[str, Type], sources: Mapping[str, str], cards: list[tuple[int, ...]], rows: list[Entry]
) -> None:
    columns = [_choices(reader, name, type_, row) for name, type_ in types.items()]
    for key, _ in row.entries:
        if key.text not in types and key.text not in _RESERVED:
            reader.say("unknown-field", f"cards have no field `{key.text}`", key, suggest(key.text, [*types, *_RESERVED]))
    copies = _copies(reader, row)
    width = copies
    for column in columns:
        width *= len(column)
    if len(cards) + width > MOST_CARDS:
        reader.say("too-many-cards", f"the manifest grows beyond {MOST_CARDS:,} cards here", row, "Look for a range or a number of copies that is too large.")
        raise Broken
    named = tuple(text(s) for s in items(row.get("source")))
    for item in items(row.get("source")):
        if text(item) not in sources:
            reader.say("unknown-source", f"`{text(item)}` is not among the sources of this game", item, suggest(text(item), list(sources)) or "Add it under `game: sources:`.")
    first = len(cards)
    cards += [tuple(card) for card in product(*columns) for _ in range(copies)]
    rows.append(Entry(range(first, len(cards)), text(row.get("status")) if row.get("status") else "printed", named, row.span))


def _copies(reader: Reader, row: MapNode) -> int:
    node = row.get("copies")
    if node is None:
        return 1
    if not isinstance(node, Scalar) or not isinstance(node.value, int) or node.value < 1:
        raise Broken
    return min(node.value, MOST_CARDS + 1)


def _choices(reader: Reader, name: str, type_: Type, row: MapNode) -> list[int]:
    node = row.get(name)
    if node is None:
        if not type_.optional:
            reader.say("field-missing", f"this card has no `{name}`", row, f"Give it one, or make the field optional: `{name}: {type_}?`.")
        return [NONE]
    return [value for item in items(node) for value in _values(reader, type_, item)] or [NONE]


def _values(reader: Reader, type_: Type, node: Node) -> list[int]:
    """The values one scalar stands for: itself, or a range such as `A..D`."""
    low, dots, high = text(node).partition("..")
    first = member_value(reader, type_, low, node)
    last = member_value(reader, type_, high, node) if dots else first
    if first is None or last is None:
        return []
    if first > last:
        reader.say("empty-range", f"nothing lies in {text(node)}", node, "Write the lower end first.")
    return list(range(first, min(last, first + MOST_CARDS) + 1))


def member_value(reader: Reader, type_: Type, written: str, node: Node) -> int | None:
    """A number, a truth value or an enum member as its stored value; None after a finding."""
    if type_.kind == "int" and written.lstrip("-").isdigit() and len(written) < 12:
        value = int(written)
        if type_.low <= value <= type_.high:
            return value
        reader.say("out-of-range", f"{value} is not from {type_.low} to {type_.high}", node)
        return None
    names = ("false", "true") if type_.kind == "bool" else reader.names.members_of(type_)
    if written in names:
        return names.index(written)
    expected = f"a number from {type_.low} to {type_.high}" if type_.kind == "int" else f"one of {', '.join(names)}"
    reader.say("wrong-value", f"`{written}` is not {expected}", node, suggest(written, list(names)))
    return None


def _totals(reader: Reader, node: MapNode, types: Mapping[str, Type], cards: list[tuple[int, ...]]) -> dict[str, dict[int, int]]:
    """Compares the totals with the manifest."""
    found: dict[str, dict[int, int]] = {}
    for key, rows in entries(node.get("totals")):
        if key.text not in types:
            reader.say("unknown-field", f"cards have no field `{key.text}`", key, suggest(key.text, list(types)))
            continue
        column = list(types).index(key.text)
        counted = Counter(card[column] for card in cards)
        found[key.text] = {}
        for member, total in entries(rows):
            value = member_value(reader, types[key.text].required(), member.text, member)
            if value is None or not isinstance(total, Scalar) or not isinstance(total.value, int):
                continue
            found[key.text][value] = total.value
            if counted[value] != total.value and not reader.names.broken:
                message = f"the manifest has {counted[value]} cards with {key.text} {member.text}, the total says {total.value}"
                reader.say("wrong-total", message, total, "Change the manifest or the total.")
    return found
