"""Fields of cards, and attributes of members, with a value for each member of an enum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec.base.messages import all_of, quoted, say
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar
from rulespec.language.model.declarations import PerMember, Table, column_of
from rulespec.language.model.names import suggest
from rulespec.language.model.nodes import entries, items, named, scalar
from rulespec.language.model.reader import Reader
from rulespec.language.model.types import CARD, MOST_MEMBERS, NONE, Type, describe, enum
from rulespec.language.model.written import written_value, written_values

MOST_VALUES = 128
"""Values of a card in all fields with one for each member, at most: every card holds them all."""

Columns = list[list[range]]
"""The values that each field of a row can have, as ranges."""


def single_type(reader: Reader, node: Scalar) -> Type | None:
    """The type of a single value on a card; None after a finding."""
    type_ = reader.type(node)
    if type_ is not None and type_.kind == "player":
        reader.report("type-mismatch", say("A field of a card cannot hold {type}.", type=describe(type_)), node)
        return None
    return type_


def declared(reader: Reader, key: Scalar, node: MapNode) -> PerMember | None:
    """A field of cards with a value for each member of an enum; None after a finding."""
    type_, by = single_type(reader, scalar(node.get("type"))), _enum(reader, named(node.get("per")))
    if type_ is None or not by:
        reader.names.broken = True
        return None
    columns = tuple(column_of(key.text, member) for member in reader.names.members_of(enum(by)))
    others = sum(len(one.columns) for one in reader.names.per_member.values() if one is not None)
    if others + len(columns) > MOST_VALUES:
        message = say(
            "With `{name}`, cards have {number} values for members; at most {most} are allowed.",
            name=key.text,
            number=others + len(columns),
            most=MOST_VALUES,
        )
        reader.report("too-wide", message, key, say("Use a smaller enum, or fewer such fields."))
    return PerMember(key.text, by, type_, columns, key.span)


def _enum(reader: Reader, node: Scalar) -> str:
    """The name of the enum; empty if it cannot be used."""
    name, members = node.text, reader.names.members_of(enum(node.text))
    if name not in reader.names.enums:
        hint = suggest(name, reader.names.enums) or say("Name an enum, or declare this one under `enums:`.")
        reader.report("unknown-type", say("There is no enum `{name}`.", name=name), node, hint)
    elif len(members) > MOST_MEMBERS:
        message = say(
            "`{name}` has {number} members; a field has values for {most} at most.",
            name=name,
            number=len(members),
            most=MOST_MEMBERS,
        )
        reader.report("too-wide", message, node, say("Use a smaller enum."))
    else:
        return name if members else ""
    return ""


def values(reader: Reader, field: PerMember, row: MapNode) -> Columns:
    """The values of a field in a row of the manifest, for each member."""
    node = row.get(field.name)
    absent = range(NONE, NONE + 1)
    if not isinstance(node, MapNode):
        if node is not None:
            needs_mapping(reader, field.name, field.enum, node)
        elif not field.type.optional:
            hint = say("Add it: `{better}`.", better=_example(reader, field.name, field.enum, "…"))
            reader.report("field-missing", say("This card has no `{name}`.", name=field.name), row, hint)
        return [[absent] for _ in field.columns]
    found: dict[int, list[range]] = {}
    for key, value in entries(node):
        member = written_value(reader, enum(field.enum), key.text, key)
        if member is not None:
            found[member] = [one for item in items(value) if (one := written_values(reader, field.type, item))]
    unwritten = field.unwritten
    if unwritten is None:
        columns = [name for at, name in enumerate(field.columns) if at not in found]
        if columns:
            message = say("This card has no {fields}.", fields=all_of(quoted(columns)))
            hint = say("Add a value, or make the type optional: `{type}?`.", type=field.type)
            reader.report("field-missing", message, node, hint)
    default = [absent if unwritten is None else range(unwritten, unwritten + 1)]
    return [found.get(at) or default for at in range(len(field.columns))]


def needs_mapping(reader: Reader, name: str, by: str, node: Node) -> None:
    """Reports a single value where there is one for each member of an enum."""
    message = say("`{name}` has a value for each `{enum}`, so a mapping is needed.", name=name, enum=by)
    better = _example(reader, name, by, node.text if isinstance(node, Scalar) else "…")
    reader.report("wrong-value", message, node, say("Write `{better}`.", better=better))


def _example(reader: Reader, name: str, by: str, value: str) -> str:
    return f"{name}: {{{reader.names.members_of(enum(by))[0]}: {value}}}"


def single(reader: Reader, name: str, node: MapNode) -> None:
    """Reports a mapping of members for a field with a single value."""
    message = say("`{name}` is a single value, not one for each member of an enum.", name=name)
    hint = say("Write one value, or declare the field with `per` and `type`.")
    reader.report("wrong-value", message, node, hint)


def tables(fields: Iterable[PerMember], cards: tuple[tuple[int, ...], ...], columns: list[str]) -> Iterator[Table]:
    """The values of each field by card and member, for expressions with a computed member."""
    for field in fields:
        first, members = columns.index(field.columns[0]), range(len(field.columns))
        rows: dict[tuple[int, ...], int] = {
            (number, at): card[first + at] for number, card in enumerate(cards) for at in members
        }
        by = (CARD, enum(field.enum))
        yield Table(field.table, by, rows, field.type, frozenset(), field.span, computed=True)
