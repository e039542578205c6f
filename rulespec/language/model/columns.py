"""The values of cards for members of an enum: read from the column of a member, or from a table by card and member."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import reduce
from typing import Any, TypeVar

from rulespec.language.model.declarations import Deck, PerMember, field_of
from rulespec.language.model.typed import CardField, Const, Fold, If, Op, Part, Table, TExpr, walk
from rulespec.language.model.types import BOOL, enum

N = TypeVar("N", bound=Part)


def of_table(name: str, deck: Deck) -> PerMember | None:
    """The field whose values a table has."""
    return deck.per_member.get(name.removeprefix("card.")) if name.startswith("card.") else None


def as_entry(node: CardField, deck: Deck) -> CardField | Table:
    """A column of one member as an entry of the table; any other field as it is."""
    field = deck.per_member.get(field_of(node.field))
    if field is None:
        return node
    return Table(node.type, field.table, (node.card, Const(enum(field.enum), field.columns.index(node.field))))


def as_columns(node: N, deck: Deck) -> N:
    """The node with a choice between columns for every entry outside of folds, so that it names all that it reads."""
    if not deck.per_member or not any(isinstance(part, Table) and of_table(part.name, deck) for part in walk(node)):  # type: ignore[arg-type]
        return node
    found: N = _as_columns(node, deck)
    return found


def _as_columns(node: Any, deck: Deck) -> Any:
    if isinstance(node, tuple):
        return tuple(_as_columns(item, deck) for item in node)
    if not isinstance(node, Part) or isinstance(node, Fold):
        return node
    changed = replace(node, **{item.name: _as_columns(getattr(node, item.name), deck) for item in fields(node)})
    field = of_table(changed.name, deck) if isinstance(changed, Table) else None
    return _choice(changed, field) if field is not None and isinstance(changed, Table) else changed


def _choice(node: Table, field: PerMember) -> TExpr:
    card, member = node.indices
    values: list[TExpr] = [CardField(node.type, card, column) for column in field.columns]
    if isinstance(member, Const):
        return values[member.value]
    tests = [Op(BOOL, "==", (member, Const(enum(field.enum), at))) for at in range(len(values))]
    pairs = reversed([*zip(tests, values, strict=True)][:-1])
    return reduce(lambda rest, pair: If(node.type, pair[0], pair[1], rest), pairs, values[-1])
