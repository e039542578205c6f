"""Attributes of the members of an enum: a table by member, or by member and member of another enum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from rulespec.base.messages import all_of, quoted, say
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar
from rulespec.language.model import boards
from rulespec.language.model.declarations import Table
from rulespec.language.model.enums import listed
from rulespec.language.model.names import suggest
from rulespec.language.model.nodes import entries, scalar
from rulespec.language.model.per_member import needs_mapping
from rulespec.language.model.reader import Reader
from rulespec.language.model.tables import MOST_ROWS, plain
from rulespec.language.model.typed import Const
from rulespec.language.model.types import BOOL, NONE, Type, describe, enum, integer, join
from rulespec.language.model.written import written_value

_OF_EFFECT = frozenset({"effect", "title", "note", "origin"})
"""Keys of a member of an enum with effects that are no attributes: those of the rule that its effect is."""

Cells = dict[tuple[int, ...], Const]
"""The entries of a table that are written, by their indices."""


def attributes(reader: Reader, key: Scalar, node: Node) -> Iterator[Table]:
    """A table for each attribute that members have. Where only some have one, it may be absent."""
    yield from boards.attributes(reader, key, node)
    named, names = listed(node), reader.names.members_of(enum(key.text))
    found: dict[str, tuple[Scalar, dict[int, Node]]] = {}
    for member, values in entries(named) if isinstance(named, MapNode) else ():
        effects = isinstance(node, MapNode) and node.get("members") is not None and node.get("effect") is not None
        for name, value in ((key, value) for key, value in entries(values) if not (effects and key.text in _OF_EFFECT)):
            _, nodes = found.setdefault(name.text, (name, {}))
            if member.text in names:
                nodes[names.index(member.text)] = value
    for first, nodes in found.values():
        read = _by_two if any(isinstance(value, MapNode) for value in nodes.values()) else _by_one
        if (table := reader.attempt(read, reader, key, first, nodes)) is not None:
            yield table


def _by_one(reader: Reader, key: Scalar, first: Scalar, nodes: Mapping[int, Node]) -> Table | None:
    """An attribute with a single value for each member."""
    own = enum(key.text)
    cells: Cells = {}
    for at, value in nodes.items():
        if (cell := reader.attempt(plain, reader, scalar(value))) is not None:
            cells[at,] = cell
    return _table(reader, key, first, (own,), cells)


def _table(reader: Reader, key: Scalar, first: Scalar, by: tuple[Type, ...], cells: Cells) -> Table | None:
    type_ = _joined(reader, first, cells.values())
    if type_ is None:
        return None
    every = [*product(*(range(reader.names.extent(index)) for index in by))]
    rows = dict.fromkeys(every, NONE) | {at: cell.value for at, cell in cells.items()}
    whole = type_ if len(cells) == len(every) else type_.maybe()
    return Table(f"{key.text}.{first.text}", by, rows, whole, frozenset(), first.span)


def _joined(reader: Reader, first: Scalar, cells: Iterable[Const]) -> Type | None:
    """The type of all values of an attribute."""
    joined: Type | None = None
    for cell in cells:
        wider = join(joined, cell.type) if joined is not None else cell.type
        if wider is None and joined is not None:
            message = say(
                "The attribute `{name}` is {first} and {other}.",
                name=first.text,
                first=describe(joined),
                other=describe(cell.type),
            )
            reader.report("type-mismatch", message, first, say("Give it values of one type."))
            return None
        joined = wider
    return joined


# by the members of another enum


def _by_two(reader: Reader, key: Scalar, first: Scalar, nodes: Mapping[int, Node]) -> Table | None:
    """An attribute with a value for each member of another enum."""
    by = _enum(reader, first, [one for node in nodes.values() if isinstance(node, MapNode) for one, _ in entries(node)])
    if by is None or not _small(reader, key, first, by):
        reader.names.broken = True
        return None
    cells: Cells = {}
    for at, node in nodes.items():
        if isinstance(node, MapNode):
            cells |= {(at, other): cell for other, cell in _written(reader, by, node)}
        else:
            needs_mapping(reader, first.text, by, node)
    # What members have that are not written: 0 among numbers, false among truth values, else nothing
    kinds = {cell.type.kind for cell in cells.values()}
    zero = {"bool": Const(BOOL, 0), "int": Const(integer(0, 0), 0)}.get(min(kinds)) if len(kinds) == 1 else None
    if zero is not None:
        own = [at for at, node in nodes.items() if isinstance(node, MapNode)]
        cells = dict.fromkeys(product(own, range(reader.names.extent(enum(by)))), zero) | cells
    return _table(reader, key, first, (enum(key.text), enum(by)), cells)


def _written(reader: Reader, by: str, node: MapNode) -> Iterator[tuple[int, Const]]:
    for key, value in entries(node):
        member = written_value(reader, enum(by), key.text, key)
        cell = reader.attempt(plain, reader, scalar(value))
        if member is not None and cell is not None:
            yield member, cell


def _enum(reader: Reader, first: Scalar, keys: list[Scalar]) -> str | None:
    """The enum that most keys are members of; None after a finding."""
    owners = [type_.name for key in keys for type_, _ in reader.names.members_named(key.text) if ":" not in type_.name]
    most = max(map(owners.count, owners), default=0)
    best = [*dict.fromkeys(owner for owner in owners if owners.count(owner) == most)]
    if len(best) == 1:
        return best[0]
    if best:
        message = say(
            "`{name}` is unclear: its keys are members of {owners}.", name=first.text, owners=all_of(quoted(best))
        )
        hint = say("Write a member that only one of them has; 0 is allowed.")
        reader.report("unclear-name", message, first, hint)
    elif not reader.names.incomplete:
        place = keys[0] if keys else first
        hint = suggest(place.text, [name for members in reader.names.enums.values() for name in members or ()])
        hint = hint or say("Write `{better}`.", better=f"{first.text}: {{coin: 3, potion: 1}}")
        reader.report("wrong-value", say("`{name}` is no member of an enum.", name=place.text), place, hint)
    return None


def _small(reader: Reader, key: Scalar, first: Scalar, by: str) -> bool:
    if reader.names.extent(enum(key.text)) * reader.names.extent(enum(by)) <= MOST_ROWS:
        return True
    message = say("This table has more entries than the {most_rows:,} that are allowed.", most_rows=MOST_ROWS)
    reader.report("too-wide", message, first)
    return False
