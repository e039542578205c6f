"""Zones: where cards lie, one for everybody or one for each, and who sees them."""

from __future__ import annotations

from rulespec.document import Mapping as MapNode
from rulespec.document import Node, Scalar
from rulespec.model.names import suggest
from rulespec.model.nodes import Broken, mapping, scalar, text
from rulespec.model.reader import Reader
from rulespec.model.spec import Zone
from rulespec.model.typed import TExpr
from rulespec.model.types import BOOL, PLAYER, Type


def per(reader: Reader, node: Node | None) -> tuple[Type, ...]:
    """What there is one zone for: nothing, or one set."""
    return () if node is None else (one_for_each(reader, node),)


def one_for_each(reader: Reader, node: Node) -> Type:
    """`player` or an enum. Raises Broken after a finding, or where the enum is broken itself."""
    found = reader.names.domain(text(node))
    if found is None and not reader.names.is_domain(text(node)) and not reader.names.incomplete:
        hint = suggest(text(node), ["player", *reader.names.enums])
        reader.say("unknown-type", f"`{text(node)}` is neither `player` nor an enum", node, hint)
    if found is None:
        raise Broken
    return found


def sealed(reader: Reader, key: Scalar, node: Node) -> Zone:
    """The whole zone, once all names are known."""
    inner, index = mapping(node), reader.names.zones[key.text]
    if index is None:
        raise Broken
    condition, seen_by, otherwise = _seen(reader, inner.get("seen_by"))
    for who in dict.fromkeys((seen_by, otherwise)):
        if who.text == "owner" and index != (PLAYER,):
            hint = "Add `per: player`, or say everybody or nobody."
            reader.say("no-owner", f"`{key.text}` does not belong to one player, so nobody is its owner", who, hint)
    return Zone(
        key.text,
        text(inner.get("title")) if inner.get("title") else key.text,
        index[0] if index else None,
        inner.get("order") is not None,
        condition,
        seen_by.text,
        otherwise.text,
        key.span,
    )


def _seen(reader: Reader, node: Node | None) -> tuple[TExpr | None, Scalar, Scalar]:
    if isinstance(node, MapNode):
        return reader.fixed(node.get("if"), {}, BOOL), scalar(node.get("then")), scalar(node.get("else"))
    return None, scalar(node), scalar(node)
