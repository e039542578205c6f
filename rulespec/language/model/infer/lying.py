"""Where cards lie: whether one is in a zone, and in which of the zones of a declaration."""

from __future__ import annotations

from rulespec.base.messages import NOTHING, say
from rulespec.language.expr import tree
from rulespec.language.model.infer.base import Base
from rulespec.language.model.names import suggest
from rulespec.language.model.typed import (
    IN_ZONE,
    PLACE,
    Cards,
    Const,
    Domain,
    Fold,
    Local,
    Members,
    Op,
    Range,
    TExpr,
    ZoneRef,
)
from rulespec.language.model.types import BOOL, CARD, Type, integer


class Lying(Base):
    def is_zone(self, node: tree.Expr) -> bool:
        """Whether an expression begins with the name of a zone."""
        base = node.base if isinstance(node, tree.Index) else node
        return isinstance(base, tree.Name) and base.name not in self.locals and base.name in self.names.zones

    def in_zone(self, place: tree.Expr, card: tree.Expr) -> TExpr | None:
        """Whether a zone has a card: whether any card in it is that one."""
        zone, wanted = self.zone(place), self.fits(card, CARD.maybe())
        return lies_in(wanted, zone) if zone is not None and wanted is not None else None

    def where_lies(self, node: tree.Call) -> TExpr | None:
        """The index of the zone of a declaration in which a card lies; absent if it is in none of them."""
        first, place = node.arguments
        if not self.is_zone(place) or not isinstance(place, tree.Name):
            hint = suggest(place.name, self.names.zones) if isinstance(place, tree.Name) else NOTHING
            hint = say("Write the card first, then the zone.") if self.is_zone(first) else hint
            self.fail("type-mismatch", say("Here, the name of a zone is needed, without an index."), place, hint)
            return None
        card, per = self.fits(first, CARD.maybe()), self.names.zones[place.name]
        if card is None or per is None or place.name in self.names.contested:
            return None
        if len(per) != 1:
            hint = say("Ask for a single zone: `has({zone}, …)`.", zone=place.name)
            if per:
                hint = say("Go through them: `first(i in … if any(j in … if has({zone}[i, j], …)))`.", zone=place.name)
            message = say(
                "`where` needs a zone with one index; `{zone}` has {number}.", zone=place.name, number=len(per)
            )
            self.fail("wrong-index", message, place, hint)
            return None
        (type_,) = per
        found = lies_in(card, ZoneRef(place.name, (Local(type_, PLACE),)))
        return Fold(type_.maybe(), "first", PLACE, _all_of(type_), found, None)


def lies_in(card: TExpr, zone: ZoneRef) -> TExpr:
    """Whether a card lies in a zone."""
    return Fold(BOOL, "any", IN_ZONE, Cards(CARD, zone), Op(BOOL, "==", (Local(CARD, IN_ZONE), card)), None)


def _all_of(type_: Type) -> Domain:
    """All values of an index."""
    if type_.kind != "int":
        return Members(type_)
    low, high = (Const(integer(end, end), end) for end in (type_.low, type_.high))
    return Range(type_, low, high)
