"""Zones: where cards lie, a single one or one per player or enum member, and who sees the cards."""

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
    """The indices of a zone: none, or a single one."""
    return () if node is None else (one_for_each(reader, node),)


def one_for_each(reader: Reader, node: Node) -> Type:
    """`player` or an enum. Raises Broken after a finding, and for a broken enum."""
    found = reader.names.domain(text(node))
    if found is None and not reader.names.is_domain(text(node)) and not reader.names.incomplete:
        hint = suggest(text(node), ["player", *reader.names.enums])
        reader.report("unknown-type", f"`{text(node)}` must be `player` or an enum", node, hint)
    if found is None:
        raise Broken
    return found


def sealed(reader: Reader, key: Scalar, node: Node) -> Zone:
    """The sealed zone, once all names are known."""
    inner, index = mapping(node), reader.names.zones[key.text]
    if index is None:
        raise Broken
    condition, seen_by, otherwise = _seen(reader, inner.get("seen_by"))
    for who in dict.fromkeys((seen_by, otherwise)):
        if who.text == "owner" and index != (PLAYER,):
            hint = "Add `per: player`, or write `everybody` or `nobody`."
            reader.report("no-owner", f"`{key.text}` is not `per: player`, so it has no owner", who, hint)
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
