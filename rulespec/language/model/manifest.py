"""The card manifest: fields, rows that stand for many cards, totals."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import prod
from typing import NamedTuple

from rulespec.base.diagnostics import Related, related
from rulespec.base.messages import counted, say
from rulespec.base.source import Source
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar
from rulespec.language.model import per_member
from rulespec.language.model.declarations import Deck, ManifestRow, Table, field_of
from rulespec.language.model.enums import source_named
from rulespec.language.model.infer.advice import listed
from rulespec.language.model.names import suggest
from rulespec.language.model.nodes import Broken, entries, items, mapping, scalar, text, whole
from rulespec.language.model.reader import Reader
from rulespec.language.model.types import BOOL, CARD, MOST_MEMBERS, NONE, Type, describe, enum, set_of
from rulespec.language.model.written import written_value, written_values

MOST_CARDS = 10_000
"""Cards of a game, at most. Every state holds a list of all cards, and card numbers must fit 16 bits."""
ROWS_SHOWN = 4
"""Rows of the manifest that a finding about a total shows."""
MOST_COPIES = 999
_RESERVED = ("copies", "status", "source")
_SET = re.compile(r"set of ([A-Za-z_][A-Za-z0-9_]*)(\??)")
_PIECE = re.compile(r"\{([^{}]*)\}")

NO_CARDS = Deck({}, (), (), (), {}, "", None, "", {})


Copies = Callable[[tuple[int, ...]], int]


class Declared(NamedTuple):
    """What rows refer to: the sources of the game, and the tables of attributes."""

    sources: Mapping[str, str]
    tables: Mapping[str, Table]


class Cards(NamedTuple):
    """The cards of a manifest; `complete` if every row could be read, so that counting them makes sense."""

    cards: tuple[tuple[int, ...], ...]
    rows: tuple[ManifestRow, ...]
    complete: bool


def fields(reader: Reader, node: MapNode) -> dict[str, Type | None]:
    """The declared fields of a card."""
    found: dict[str, Type | None] = {}
    for key, value in entries(node.get("fields")):
        if key.text in _RESERVED:
            message = say("`{key}` is already a key of the rows of the manifest.", key=key.text)
            reader.report("name-taken", message, key, say("Choose another name."))
            found[key.text] = None
        elif isinstance(value, MapNode):
            field = reader.attempt(per_member.declared, reader, key, value)
            reader.names.per_member[key.text] = field
            found |= dict.fromkeys(field.columns, field.type) if field is not None else {key.text: None}
        else:
            found[key.text] = reader.attempt(_field, reader, value)
    return found


def _field(reader: Reader, node: Node) -> Type | None:
    if match := _SET.fullmatch(text(node)):
        found = _set(reader, match[1], scalar(node))
        return found.maybe() if found and match[2] else found
    return per_member.single_type(reader, scalar(node))


def _set(reader: Reader, name: str, node: Scalar) -> Type | None:
    members = reader.names.enums.get(name)
    if name not in reader.names.enums:
        hint = suggest(name, reader.names.enums)
        reader.report("unknown-type", say("There is no enum `{name}`.", name=name), node, hint)
    elif members and len(members) > MOST_MEMBERS:
        message = say(
            "`{name}` has {number} members; a set takes at most {most_members}.",
            name=name,
            number=len(members),
            most_members=MOST_MEMBERS,
        )
        reader.report("too-wide", message, node, say("Split the enum into two."))
    else:
        return set_of(name) if members else None
    reader.names.broken = True
    return None


def cards(reader: Reader, written: Sequence[Node], declared: Declared) -> Cards:
    """All cards of a manifest, row by row, in the order of the file."""
    before = len(reader.findings)
    found: list[tuple[int, ...]] = []
    rows: list[ManifestRow] = []
    complete = all(type_ is not None for type_ in reader.names.fields.values())
    for row in written:
        entry = reader.attempt(_row, reader, mapping(row), declared, found) if isinstance(row, MapNode) else None
        if entry is not None:
            rows.append(entry)
        if len(reader.findings) > before and reader.findings[-1].name == "too-many-cards":
            break  # the rows that follow would only repeat it
    complete &= len(reader.findings) == before and len(rows) == len(written)
    reader.names.broken |= not complete
    return Cards(tuple(found), tuple(rows), complete)


def _row(reader: Reader, row: MapNode, declared: Declared, found: list[tuple[int, ...]]) -> ManifestRow:
    sources, tables = declared
    known = [*reader.names.field_names, *_RESERVED]
    for key, _ in entries(row):
        if key.text not in known:
            hint = suggest(key.text, known) or listed(say("A row has {names}."), known)
            reader.report("unknown-field", say("Cards have no field `{name}`.", name=key.text), key, hint)
    for item in items(row.get("source")):
        source_named(reader, item, sources)
    status = text(row.get("status")) if row.get("status") else "printed"
    first = len(found)
    columns = [column for name in reader.names.field_names for column in _values(reader, name, row)]
    copies, reads = _copies(reader, row.get("copies"), tables)
    _add(reader, row, columns, copies, found)
    named = tuple(text(item) for item in items(row.get("source")))
    return ManifestRow(range(first, len(found)), status, named, row.span, reads)


def _add(
    reader: Reader, row: MapNode, columns: list[list[range]], copies: Copies, found: list[tuple[int, ...]]
) -> None:
    """Adds every combination of a row, with its copies. It counts first: a range may stand for a billion cards."""
    # To cut a range costs nothing, and one value more than allowed is enough to be refused.
    values = [[value for span in column for value in span[: MOST_CARDS + 1]] for column in columns]
    few = prod(map(len, values)) <= MOST_CARDS
    if not few or len(found) + sum(map(copies, product(*values))) > MOST_CARDS:
        hint = say("Make a range or the number of copies smaller.")
        reader.refuse(
            "too-many-cards",
            say("With this row the manifest has more than {most_cards:,} cards.", most_cards=MOST_CARDS),
            row,
            hint,
        )
    found += [card for card in product(*values) for _ in range(copies(card))]


def _copies(reader: Reader, node: Node | None, tables: Mapping[str, Table]) -> tuple[Copies, str]:
    """The number of copies of a card, and the table it is read from: that of an attribute such as `name.copies`."""
    if node is None or not isinstance(scalar(node).value, str):
        number = whole(node) if node is not None else 1
        if not 1 <= number <= MOST_COPIES:  # the schema reports it
            raise Broken
        return lambda card: number, ""
    name, dot, attribute = text(node).partition(".")
    if not dot:
        raise Broken
    type_ = reader.names.fields.get(name) if known_field(reader, name, node) else None
    table = tables.get(f"{type_.name}.{attribute}") if type_ is not None else None
    if table is None or type_ is None or not _counts(reader, node, name, type_, table):
        if table is None and type_ is not None:
            known = [key.rpartition(".")[2] for key in tables if key.startswith(f"{type_.name}.")]
            hint = suggest(attribute, known) or say("Write a number, or an attribute of the members of an enum.")
            reader.report(
                "unknown-field",
                say("A {name} has no attribute `{attribute}`.", name=name, attribute=attribute),
                node,
                hint,
            )
        raise Broken
    column = list(reader.names.fields).index(name)
    # A broken field has no member, which has been reported.
    return lambda card: table.rows[card[column],] if card[column] != NONE else 1, table.name


def _counts(reader: Reader, node: Node, name: str, type_: Type, table: Table) -> bool:
    """Whether an attribute is a number of copies for every card."""
    if table.type.kind != "int" or table.type.low < 0:
        reader.report(
            "type-mismatch", say("A number of copies is needed, not {type}.", type=describe(table.type)), node
        )
    elif table.type.optional or type_.optional:
        hint = say("Give it to every member; 0 is allowed.")
        reader.report("may-be-absent", say("Not every {name} has this attribute.", name=name), node, hint)
    else:
        return True
    return False


def _values(reader: Reader, name: str, row: MapNode) -> list[list[range]]:
    """The values of one declared field in a row: of its only column, or of that of each member."""
    field = reader.names.per_member.get(name)
    if field is not None:
        return per_member.values(reader, field, row)
    return [_column(reader, name, reader.names.fields.get(name), row)]


def _column(reader: Reader, name: str, type_: Type | None, row: MapNode) -> list[range]:
    """The values of one field in a row, as ranges; a single absent value if the row has none."""
    absent = [range(NONE, NONE + 1)]
    node = row.get(name)
    if node is None and type_ is not None and not type_.optional:
        hint = say("Add `{name}:`, or make the field optional: `{name}: {type}?`.", name=name, type=type_)
        reader.report("field-missing", say("This card has no `{name}`.", name=name), row, hint)
    if node is None or type_ is None:
        return absent
    if isinstance(node, MapNode):
        per_member.single(reader, name, node)
        return absent
    if type_.kind == "set":
        found = 0
        for item in items(node):
            for member in written_values(reader, enum(type_.name), item):
                if found >> member & 1:
                    reader.report(
                        "listed-twice",
                        say("`{item}` is already in this set.", item=text(item)),
                        item,
                        say("Delete one of the two."),
                    )
                found |= 1 << member
        return [range(found, found + 1)]
    return [values for item in items(node) if (values := written_values(reader, type_, item))] or absent


def copies(node: MapNode, columns: Sequence[str], known: Cards) -> tuple[int, ...]:
    """The numbers of cards with the same face, in the order of faces."""
    face = {text(item) for item in items(node.get("face"))} or {field_of(name) for name in columns}
    shown = [at for at, name in enumerate(columns) if field_of(name) in face]
    # A counter keeps the order in which faces first appear, by which `Deck.faces` numbers them.
    return tuple(Counter(tuple(card[at] for at in shown) for card in known.cards).values())


# read once all names are known


def deck(reader: Reader, node: MapNode, known: Cards, rule: str) -> Deck:
    """The sealed `cards:` section."""
    types = reader.names.fields
    whole_types = {name: type_ for name, type_ in types.items() if type_ is not None}
    face = tuple(name for item in items(node.get("face")) for name in _shown(reader, item)) or tuple(whole_types)
    totals = _totals(reader, node, known)
    start = _start(reader, scalar(node.get("start")))
    out = node.get("leave_out")
    leave_out = reader.fixed(mapping(out).get("if"), {"card": CARD}, BOOL, free=("card",)) if out is not None else None
    faces = tuple(name for name in dict.fromkeys(face) if name in whole_types)
    names = _names(reader, node, faces)
    per = {name: field for name, field in reader.names.per_member.items() if field is not None}
    return Deck(whole_types, known.cards, known.rows, faces, names, start, leave_out, rule, totals, per)


def _shown(reader: Reader, item: Node) -> tuple[str, ...]:
    """The columns of a field of the face."""
    if text(item) in reader.names.per_member:
        field = reader.names.per_member[text(item)]
        return field.columns if field is not None else ()
    return (text(item),) if known_field(reader, text(item), item) else ()


def _names(reader: Reader, node: MapNode, face: tuple[str, ...]) -> dict[int, str]:
    """The names of cards by the first field of their face; every `{field}` in a name must be on the face."""
    found: dict[int, str] = {}
    shown = [field_of(name) for name in face]
    for key, template in entries(node.get("names")):
        type_ = reader.names.fields.get(face[0]) if face else None
        value = written_value(reader, type_.required(), key.text, key) if type_ is not None else None
        for match in _PIECE.finditer(text(template)):
            if match[1] not in shown:
                place = scalar(template).value_span(*match.span(1))
                message = say("`{match}` is not on the face of a card.", match=match[1])
                reader.report("unknown-field", message, place, suggest(match[1], shown))
        if value is not None:
            found[value] = text(template)
    return found


def known_field(reader: Reader, name: str, node: Node) -> bool:
    field = reader.names.per_member.get(name)
    if field is not None:
        message = say("`{name}` has a value for each `{enum}`, so one of them is needed.", name=name, enum=field.enum)
        reader.report("wrong-index", message, node, say("Write `{better}`.", better=field.columns[0]))
        return False
    field = reader.names.per_member.get(field_of(name))
    if field is not None and name not in field.columns:
        place = scalar(node).value_span(len(field.name) + 1, len(name) - 1)
        written_value(reader, enum(field.enum), name[len(field.name) + 1 : -1], place)
    elif name not in reader.names.fields and reader.names.fields.get(field_of(name), CARD) is not None:
        known = reader.names.field_names
        hint = suggest(name, [*known, *reader.names.fields]) or listed(say("A card has {names}."), known)
        reader.report("unknown-field", say("Cards have no field `{name}`.", name=name), node, hint)
    return reader.names.fields.get(name) is not None


def _start(reader: Reader, node: Scalar) -> str:
    index = reader.names.zones.get(node.text, ())
    if index:
        message = say("`{node}` is several zones, but all cards start in a single one.", node=node.text)
        reader.report(
            "wrong-index", message, node, say("Start the cards in a single zone, and deal them in the setup.")
        )
    elif node.text not in reader.names.zones and not reader.names.incomplete:
        hint = suggest(node.text, reader.names.zones) or say("Declare it under `zones:`.")
        reader.report("unknown-name", say("There is no zone `{node}`.", node=node.text), node, hint)
    elif (holds := reader.names.holds.get(node.text)) is not None and holds.type.low < (reader.names.cards or 0):
        message = say(
            "`{node}` holds {low} cards, but all {cards} start there.",
            node=node.text,
            low=holds.type.low,
            cards=reader.names.cards,
        )
        reader.report("out-of-range", message, node, say("Leave `holds` out of the zone in which the cards start."))
    return node.text


def _totals(reader: Reader, node: MapNode, known: Cards) -> dict[str, dict[int, int]]:
    """The totals as they are written, compared with the manifest."""
    found: dict[str, dict[int, int]] = {}
    for key, rows in entries(node.get("totals")):
        type_ = reader.names.fields.get(key.text)
        if not known_field(reader, key.text, key) or type_ is None:
            continue
        column = list(reader.names.fields).index(key.text)
        cards = Counter(card[column] for card in known.cards)
        found[key.text] = {}
        for member, total in entries(rows):
            value = written_value(reader, type_.required(), member.text, member)
            if value is not None:
                found[key.text][value] = whole(total)
                if known.complete and cards[value] != whole(total):
                    shown = islice(_rows_with(reader.source, known, column, value), ROWS_SHOWN)
                    _wrong_total(reader, f"{key.text} {member.text}", cards[value], scalar(total), shown)
    return found


def _rows_with(source: Source, known: Cards, column: int, value: int) -> Iterator[Related]:
    """The rows of the manifest that have cards with a value, with the number of these."""
    for row in known.rows:
        number = sum(known.cards[at][column] == value for at in row.cards)
        if number:
            message = counted("This row has {number} card of them.", "This row has {number} cards of them.", number)
            yield related(message, source, row.span)


def _wrong_total(reader: Reader, what: str, number: int, total: Scalar, rows: Iterable[Related]) -> None:
    message = counted(
        "The manifest has {number} card with {what}; the total is {total}.",
        "The manifest has {number} cards with {what}; the total is {total}.",
        number,
        what=what,
        total=total.text,
    )
    reader.report("wrong-total", message, total, say("Change the manifest or the total."), related=rows)
