"""Values that count repeated positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod
from typing import NamedTuple

from rulespec.base.messages import say
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Scalar
from rulespec.language.model.names import Names, ValueShape, suggest
from rulespec.language.model.nodes import declared, items, whole
from rulespec.language.model.reader import FAILED, Reader
from rulespec.language.model.typed import Const, Fold, Local, Members, Range, Repeated, TExpr, Value
from rulespec.language.model.types import LIMIT, Type, describe, integer


class Digit(NamedTuple):
    """A cell of a value, by the numbers of both, and what its content is multiplied with."""

    value: int
    cell: int
    weight: int


def packed(values: Iterable[tuple[int, int]]) -> list[list[Digit]]:
    """The digits of each number for all cells of some values, of which each has a number of cells and of contents. What
    has more contents than a number has a number of its own."""
    numbers: list[list[Digit]] = []
    weight = LIMIT + 1
    for value, (cells, contents) in enumerate(values):
        for cell in range(cells):
            if weight * contents > LIMIT + 1:
                numbers.append([])
                weight = 1
            numbers[-1].append(Digit(value, cell, weight))
            weight *= contents
    return numbers


MOST_NUMBERS = 20_000
"""Numbers that a value remembers, at most. A state copies all of them whenever it is cloned."""

_KINDS = ("int", "bool", "player", "enum")
"""The kinds of values that a position may consist of."""


def belonging(node: MapNode) -> Iterator[Scalar]:
    """The names of the values that belong to a position, as they are written."""
    return map(declared, items(node.get("repeats")))


def definition(reader: Reader, name: str, node: MapNode) -> TExpr:
    """How often the present position is among those that are remembered; FAILED after a finding."""
    written, most = [*belonging(node)], whole(node.get("most"))
    shapes = [_shape(reader, one) for one in written]
    known = [(one.text, shape, shape.type) for one, shape in zip(written, shapes, strict=True) if shape and shape.type]
    if len(known) < len(written):
        return FAILED
    numbers = packed((_cells(reader.names, shape), contents(reader.names.extent(t), t)) for _, shape, t in known)
    if len(numbers) * most > MOST_NUMBERS:
        message = say(
            "{most:,} such positions take {needed:,} numbers to remember, more than {limit:,}.",
            most=most,
            needed=len(numbers) * most,
            limit=MOST_NUMBERS,
        )
        hint = say("Lower `most:`, and `forget` positions that cannot occur again, or name fewer values.")
        reader.report("too-many-cells", message, node.get("most") or node, hint)
        return FAILED
    return Repeated(integer(0, most), name, most, tuple(_read(*one) for one in known))


def contents(extent: int, type_: Type) -> int:
    """The number of contents of a type with this many values."""
    return (2 if type_.kind == "bool" else extent) + type_.optional


def _cells(names: Names, shape: ValueShape) -> int:
    return prod(names.extent(index.type) for index in shape.index)


def _shape(reader: Reader, written: Scalar) -> ValueShape | None:
    """The shape of a value that belongs to a position; None for a broken one, and after a finding."""
    known = reader.names.values
    if written.text not in known and not reader.names.incomplete:
        hint = suggest(written.text, known) or say("Declare it under `values:`.")
        reader.report("unknown-name", say("There is no value `{name}`.", name=written.text), written, hint)
    shape = known.get(written.text)
    if shape is None or shape.type is None:
        return None
    if any(index.type.kind == "card" for index in shape.index):
        message = say("`{name}` has a place for each card, which no position can hold.", name=written.text)
        hint = say("Name a derived value, such as a sum over the cards of a zone.")
        reader.report("wrong-index", message, written, hint)
        return None
    if shape.type.kind not in _KINDS:
        message = say("`{name}` is {type}, which no position can hold.", name=written.text, type=describe(shape.type))
        reader.report("type-mismatch", message, written, say("Name a derived value, such as a field of the card."))
        return None
    return shape


def _read(name: str, shape: ValueShape, type_: Type) -> TExpr:
    """An expression that reads all cells of a value."""
    variables = [(f"#index{number}", index.type) for number, index in enumerate(shape.index)]
    cell: TExpr = Value(type_, name, tuple(Local(index, variable) for variable, index in variables))
    for variable, index in reversed(variables):
        cell = Fold(type_.maybe(), "max", variable, _domain(index), None, cell)
    return cell


def _domain(index: Type) -> Members | Range:
    if index.kind != "int":
        return Members(index)
    return Range(index, *(Const(integer(end, end), end) for end in (index.low, index.high)))
