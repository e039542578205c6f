"""Readers of `seen_by`: a group of players, one that depends on the setting, or a condition on the viewer."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.base.messages import say
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar
from rulespec.language.model.declarations import owner_among
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.nodes import scalar, text
from rulespec.language.model.reader import Reader
from rulespec.language.model.sight import GROUPS, PUBLIC, Sight, Viewers
from rulespec.language.model.typed import Const, TExpr
from rulespec.language.model.types import BOOL, PLAYER, Type

Named = Sequence[tuple[Scalar, Node]]
"""The names of indices, each with its type as it is written."""


def sight(reader: Reader, node: Node | None, key: Scalar, index: Sequence[Type], named: Named) -> Sight:
    """Who sees a declared zone or value, which has these indices."""
    if isinstance(node, MapNode) and node.get("viewer") is not None:
        scope: dict[str, Type | None] = {}
        for (name, written), type_ in zip(named, index, strict=True):
            # An index that is only a type, such as `0..9`, has no name.
            if name.text.isidentifier() and reader.local(name, scope, text(written)):
                scope[name.text] = type_
        only = by_condition(reader, node, scope)
        return Sight(only, only)
    ways = [scalar(node.get(way)) for way in ("then", "else")] if isinstance(node, MapNode) else [scalar(node)] * 2
    # Without a condition both ways are one node, which is reported once.
    for who in dict.fromkeys(ways):
        if who.text in ("owner", "others") and owner_among(index) is None:
            message = (
                say("`{key}` has several indices `player`, so it has no owner.")
                if PLAYER in index
                else say("`{key}` is not `per: player`, so it has no owner.")
            )
            hint = say("Add one index `player` under `per`, or write `everybody` or `nobody`.")
            reader.report("no-owner", say(message, key=key.text), who, hint)
    # Any other word is reported by the schema.
    viewers, otherwise = (Viewers(GROUPS[way.text]) if way.text in GROUPS else PUBLIC for way in ways)
    condition = reader.fixed(node.get("if"), {}, BOOL) if isinstance(node, MapNode) else None
    return Sight(viewers, otherwise, condition)


def of_draw(reader: Reader, node: Node | None, scope: Locals) -> tuple[str, TExpr | None]:
    """Who sees what is drawn, as the name of the viewer and a condition; no condition if everybody does."""
    if isinstance(node, MapNode):
        only = by_condition(reader, node, scope)
        return only.viewer, only.where
    nobody = node is not None and scalar(node).text == "nobody"
    return "", Const(BOOL, 0) if nobody else None


def by_condition(reader: Reader, node: MapNode, scope: Locals) -> Viewers:
    """Those for whom a condition holds, each in turn under the name of the viewer."""
    name = scalar(node.get("viewer"))
    free = reader.local(name, scope)
    where = reader.expr(node.get("where"), {**scope, name.text: PLAYER if free else None}, BOOL)
    return Viewers("where", name.text, where)
