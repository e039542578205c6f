"""Stocks: kinds of tokens, and the places between which they move. A place is a stored value that only moves change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod

from rulespec.base.messages import say
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar
from rulespec.language.model import values
from rulespec.language.model.declarations import Index, StoredValue
from rulespec.language.model.names import ValueShape
from rulespec.language.model.nodes import Broken, entries, mapping, scalar
from rulespec.language.model.reader import FAILED, Reader
from rulespec.language.model.typed import TExpr
from rulespec.language.model.types import CARD, Type, integer
from rulespec.language.model.zones import indices

MOST_TOKENS = 9_999
"""Tokens of one kind that can be in a place when the game begins, at most."""


@dataclass(frozen=True)
class Place:
    """A place of a stock as it is written: its indices, `per`, and the kind of token, if there are several."""

    stock: Scalar
    key: Scalar
    node: MapNode
    per: tuple[tuple[Scalar, Node], ...]
    kind: tuple[tuple[Scalar, Node], ...]

    @property
    def named(self) -> tuple[tuple[Scalar, Node], ...]:
        """The indices of its value, with their names: the kind comes last."""
        return (*self.per, *self.kind)


def places(reader: Reader, section: Iterable[tuple[Scalar, Node]]) -> Iterator[Place]:
    """The places of all stocks, without those whose shape the schema reports."""
    for stock, node in section:
        yield from reader.attempt(lambda: list(_of_stock(stock, mapping(node)))) or ()  # noqa: B023  # called at once


def _of_stock(stock: Scalar, node: MapNode) -> Iterator[Place]:
    kinds = tuple(indices(node.get("of")))
    if len(kinds) > 1:
        raise Broken
    for key, place in entries(node.get("places")):
        inner = mapping(place)
        yield Place(stock, key, inner, tuple(indices(inner.get("per"))), kinds)


def declare(reader: Reader, found: list[Place]) -> dict[str, TExpr]:
    """Makes the places known as values, with the most tokens of a kind that there are as their upper bound. Returns
    what each holds when the game begins."""
    starts: dict[str, TExpr] = {}
    for name in dict.fromkeys(place.stock.text for place in found):
        own = [place for place in found if place.stock.text == name]
        read = [(place, reader.attempt(_started, reader, place)) for place in own]
        known = [(place, *one) for place, one in read if one is not None]
        if len(known) == len(own):
            most = sum(
                start.type.high * prod(reader.names.extent(one.type) for one in index[: len(place.per)])
                for place, index, start in known
            )
            reader.names.stocks[name] = known[0][1][-1].type if own[0].kind else None
            for place, index, start in known:
                reader.names.values[place.key.text] = ValueShape(index, integer(0, most), False, stock=name)
                starts[place.key.text] = start
    return starts


def _started(reader: Reader, place: Place) -> tuple[tuple[Index, ...], TExpr]:
    """The indices of a place, and what it holds when the game begins."""
    index = tuple(Index(name.text, values.index_type(reader, per)) for name, per in place.named)
    if any(one.type == CARD for one in index):
        message = say("Tokens cannot lie in one place for each card.")
        reader.refuse("wrong-index", message, place.node.get("per") or place.key, say("Use a value: `per: card`."))
    values.few_cells(reader, index, place.node.get("per") or place.key)
    scope: dict[str, Type | None] = {}
    for (name, per), one in zip(place.named, index, strict=True):
        if name is not per and reader.local(name, scope, scalar(per).text):
            scope[name.text] = one.type
    start = reader.fixed(place.node.get("start"), scope, integer(0, MOST_TOKENS), tuple(scope))
    if start is FAILED:
        raise Broken
    return index, start


def sealed(reader: Reader, place: Place, start: TExpr) -> StoredValue:
    """The sealed value of a place. Tokens lie openly: all players see them."""
    key, title = place.key.text, place.node.get("title")
    known = reader.names.values[key]
    if known is None or known.type is None:
        raise Broken
    called = scalar(title).text if title is not None else key.replace("_", " ")
    kind = reader.names.stocks[known.stock]
    return StoredValue(key, called, known.index, known.type, start, None, place.key.span, stock=known.stock, kind=kind)
