"""Zones: where cards lie, a single one or one for each content of its indices."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from rulespec.base.diagnostics import Span
from rulespec.base.messages import say
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar
from rulespec.language.model import sights
from rulespec.language.model.declarations import Zone
from rulespec.language.model.names import suggest
from rulespec.language.model.nodes import Broken, entries, items, mapping, scalar, text
from rulespec.language.model.reader import FAILED, Reader, is_range
from rulespec.language.model.typed import TExpr
from rulespec.language.model.types import LIMIT, Type, integer

MOST_ZONES = 1_000
"""Zones of one declaration, at most. Every state has a list of cards for each, and compiled code room for all cards."""


def per(reader: Reader, node: Node | None) -> tuple[Type, ...]:
    """The indices of a zone."""
    found = tuple(one_for_each(reader, item) for _, item in indices(node))
    if prod(map(reader.names.extent, found)) > MOST_ZONES:
        message = say("There would be more than {most_zones:,} such zones.", most_zones=MOST_ZONES)
        reader.refuse("too-many-cells", message, node or Span(0, 0), say("Use fewer indices, or smaller ones."))
    return found


def holds(reader: Reader, node: Node) -> TExpr | None:
    """The most cards that each such zone can hold, constant in a setting; None if it does not say so."""
    written = mapping(node).get("holds")
    found = reader.fixed(written, {}, integer(1, LIMIT)) if written is not None else None
    return None if found is FAILED else found


def indices(node: Node | None) -> Iterator[tuple[Scalar, Node]]:
    """The name and the type of every index, as written: each is its own name, unless a mapping names it."""
    if isinstance(node, MapNode):
        yield from entries(node)
    else:
        yield from ((scalar(item), item) for item in items(node))


def one_for_each(reader: Reader, node: Node) -> Type:
    """`player`, an enum or a range. Raises Broken after a finding, and for a broken enum."""
    written = text(node)
    if is_range(written):
        found = reader.type(node)
        if found is None:
            raise Broken
        return found
    found = reader.names.domain(written)
    if found is None and not reader.names.is_domain(written) and not reader.names.incomplete:
        hint = suggest(written, ["player", *reader.names.enums]) or say("Write a range like `0..9`, with both ends.")
        reader.report(
            "unknown-type", say("`{written}` must be `player`, an enum or a range.", written=written), node, hint
        )
    if found is None:
        raise Broken
    return found


def sealed(reader: Reader, key: Scalar, node: Node) -> Zone:
    """The sealed zone, once all names are known."""
    inner, index = mapping(node), reader.names.zones[key.text]
    if index is None:
        raise Broken
    named = list(indices(inner.get("per")))
    return Zone(
        key.text,
        text(inner.get("title")) if inner.get("title") else key.text,
        index,
        tuple(name.text for name, _ in named),
        inner.get("order") is not None,
        sights.sight(reader, inner.get("seen_by"), key, index, named),
        key.span,
        reader.names.holds.get(key.text),
    )
