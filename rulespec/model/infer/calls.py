"""Functions, and folds over a domain."""

from __future__ import annotations

from collections.abc import Callable

from rulespec.expr import tree
from rulespec.model.infer.base import Base
from rulespec.model.names import suggest
from rulespec.model.typed import Cards, Domain, Fold, Members, Op, Range, Seat, TExpr, TopCard, ZoneSize
from rulespec.model.types import BOOL, CARD, PLAYER, Type, describe, enum, integer

FOLDS = ("sum", "count", "any", "all", "min", "max", "first")
CALLS = {
    "size": 1,
    "left_of": 1,
    "right_of": 1,
    "seat": 1,
    "seat_of": 1,
    "abs": 1,
    "clamp": 3,
    "min": 2,
    "max": 2,
    "top": 1,
    "has": 2,
}
"""How many arguments each function takes; `min` and `max` take more, too."""


class Calls(Base):
    def call(self, node: tree.Call, expected: Type | None) -> TExpr | None:
        if not self._well_called(node):
            return None
        if node.function in ("size", "top"):
            return self._of_zone(node)
        if node.function in ("left_of", "right_of", "seat_of"):
            return self._of_player(node)
        if node.function == "has":
            return self._has(node)
        numbers = [self.number(argument) for argument in node.arguments]
        known = tuple(number for number in numbers if number is not None)
        return _NUMERIC[node.function](self, node, known) if len(known) == len(numbers) else None

    def _well_called(self, node: tree.Call) -> bool:
        arity, given = CALLS.get(node.function), len(node.arguments)
        open_ended = node.function in ("min", "max")
        if arity is None and node.function in FOLDS:
            self._form(node)
        elif arity is None:
            hint = suggest(node.function, [*CALLS, *FOLDS])
            self.fail("unknown-function", f"there is no function `{node.function}`", node, hint)
        elif given < arity or (given > arity and not open_ended):
            wanted = f"{'at least ' * open_ended}{arity} argument{'s' * (arity != 1)}"
            self.fail("wrong-arguments", f"`{node.function}` takes {wanted}, not {given}", node)
        else:
            return True
        return False

    def _form(self, node: tree.Call | tree.Fold) -> None:
        over = node.function in ("count", "first", "any", "all")
        form = f"{node.function}(x in … if …)" if over else f"{node.function}(… for x in …)"
        self.fail("wrong-arguments", f"`{node.function}` goes over something: write `{form}`", node)

    def _of_zone(self, node: tree.Call) -> TExpr | None:
        zone = self.zone(node.arguments[0])
        if zone is None or node.function == "top":
            return TopCard(CARD.maybe(), zone) if zone else None
        return ZoneSize(integer(0, self.names.cards), zone) if self.names.cards is not None else None

    def _of_player(self, node: tree.Call) -> TExpr | None:
        player = self.of_kind("player", node.arguments[0])
        if player is None or self.names.players is None:
            return None
        if node.function == "seat_of":
            return Op(integer(1, self.names.most_players), "seat_of", (player,))
        return Seat(PLAYER, player, 1 if node.function == "left_of" else -1)

    def _has(self, node: tree.Call) -> TExpr | None:
        """Whether a member is in a set; nothing is in a set that is not there."""
        found = self.typed(node.arguments[0])
        if found is None:
            return None
        if found.type.kind != "set":
            self.fail("type-mismatch", f"this is {describe(found.type)}; only a set has members", node.arguments[0])
            return None
        member = self.fits(node.arguments[1], enum(found.type.name))
        return Op(BOOL, "has", (found, member)) if member is not None else None

    def seat(self, node: tree.Call, numbers: tuple[TExpr, ...]) -> TExpr | None:
        """The player in a seat; there must be such a seat at every player count."""
        if self.names.players is None:
            return None
        type_, fewest = numbers[0].type, self.names.players[0]
        if type_.low < 1 or type_.high > fewest:
            message = f"a seat is a number from 1 to {fewest}, the seats there are at every player count"
            self.fail("out-of-range", message, node.arguments[0])
            return None
        return Op(PLAYER, "seat", numbers)

    def clamp(self, node: tree.Call, numbers: tuple[TExpr, ...]) -> TExpr | None:
        number, low, high = (n.type for n in numbers)
        if low.high > high.low:
            self.fail("out-of-range", "the lower bound can lie above the upper one", node)
            return None
        least = min(max(number.low, low.low), high.low)
        return Op(integer(least, min(max(number.high, low.high), high.high)), "clamp", numbers)

    def abs(self, node: tree.Call, numbers: tuple[TExpr, ...]) -> TExpr:
        type_ = numbers[0].type
        ends = (abs(type_.low), abs(type_.high))
        return Op(integer(0 if type_.low <= 0 <= type_.high else min(ends), max(ends)), "abs", numbers)

    def least_or_most(self, node: tree.Call, numbers: tuple[TExpr, ...]) -> TExpr:
        pick = min if node.function == "min" else max
        found = numbers[0]
        for number in numbers[1:]:  # operators have two sides at most, so that every backend stays simple
            type_ = integer(pick(found.type.low, number.type.low), pick(found.type.high, number.type.high))
            found = Op(type_, node.function, (found, number))
        return found

    # folds

    def fold(self, node: tree.Fold, expected: Type | None) -> TExpr | None:
        if node.function not in FOLDS:
            hint = suggest(node.function, FOLDS)
            self.fail("unknown-function", f"`{node.function}` cannot go over something", node, hint)
            return None
        domain = self.domain(node.domain)
        inner = self._inside(node, domain)
        condition = inner.of_kind("bool", node.condition) if node.condition else None
        body = inner.typed(node.body, expected) if node.body else None
        if domain is None or (node.condition and condition is None) or (node.body and body is None):
            return None
        type_ = self._fold_type(node, domain, condition, body)
        return Fold(type_, node.function, node.variable.name, domain, condition, body) if type_ else None

    def _inside(self, node: tree.Fold, domain: Domain | None) -> Calls:
        name, type_ = node.variable.name, domain.type if domain else None
        taken = "a variable" if name in self.locals else self.names.meaning(name)
        if taken and not (isinstance(node.domain, tree.Name) and node.domain.name == name and name not in self.locals):
            self.fail("name-taken", f"`{name}` is already {taken}", node.variable, "Choose another name.")
            type_ = None
        return type(self)(self.names, {**self.locals, name: type_}, self.report)

    def _fold_type(self, node: tree.Fold, domain: Domain, condition: TExpr | None, body: TExpr | None) -> Type | None:
        if isinstance(domain, Cards) and self.names.cards is None:
            return None
        if node.function in ("any", "all"):
            fine = body is None or node.body is None or self.required(body, "bool", node.body) is not None
            return BOOL if fine else None
        if (body is None) != (node.function in ("count", "first")):
            self._form(node)
            return None
        if body is None or node.body is None:
            return domain.type.maybe() if node.function == "first" else integer(0, self.names.most(domain))
        if body.type.kind not in ("int", "enum") or (node.function == "sum" and body.type.kind != "int"):
            message = f"this is {describe(body.type)}, which `{node.function}` cannot take"
            self.fail("type-mismatch", message, node.body)
            return None
        if node.function == "sum":
            most = self.names.most(domain)
            return integer(min(0, most * body.type.low), max(0, most * body.type.high))
        return body.type if condition is None and _never_empty(domain) else body.type.maybe()


def _never_empty(domain: Domain) -> bool:
    if isinstance(domain, Range):
        return domain.low.type.high <= domain.high.type.low
    return isinstance(domain, Members)


_NUMERIC: dict[str, Callable[[Calls, tree.Call, tuple[TExpr, ...]], TExpr | None]] = {
    "seat": Calls.seat,
    "clamp": Calls.clamp,
    "abs": Calls.abs,
    "min": Calls.least_or_most,
    "max": Calls.least_or_most,
}
