"""Types of expressions: resolves every name, proves every number to stay inside its interval."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rulespec.expr import tree
from rulespec.model.names import Names, suggest
from rulespec.model.typed import (
    CardField,
    Cards,
    Const,
    Domain,
    Fold,
    If,
    Local,
    Members,
    Op,
    Players,
    Range,
    Ruling,
    Seat,
    Table,
    TExpr,
    TopCard,
    Value,
    ZoneRef,
    ZoneSize,
)
from rulespec.model.types import ABSENT, BOOL, CARD, LIMIT, NONE, PLAYER, Type, describe, enum, integer, join

Locals = Mapping[str, Type | None]
Reporter = Callable[[str, str, int, int, str], None]
FOLDS = ("sum", "count", "any", "all", "min", "max", "first")
CALLS = {"size": 1, "left_of": 1, "right_of": 1, "seat": 1, "seat_of": 1, "abs": 1, "clamp": 3, "min": 2, "max": 2, "top": 1}
_ORDERED = ("<", "<=", ">", ">=")


@dataclass
class Inference:
    """Types one expression. Findings go to `report(name, message, start, end, hint)`; a part that failed is None,
    and whatever contains it is silently None too, so that one mistake is reported once."""

    names: Names
    locals: Locals
    report: Reporter

    def typed(self, node: tree.Expr, expected: Type | None = None) -> TExpr | None:
        """The typed form of `node`; `expected` only helps to tell equal names of different enums apart."""
        method = getattr(self, "_" + type(node).__name__.lower())
        result: TExpr | None = method(node, expected)
        if result is not None and result.type.kind == "int" and max(abs(result.type.low), abs(result.type.high)) > LIMIT:
            return self._fail("too-large", f"this can grow beyond {LIMIT:,}", node)
        return result

    def domain(self, node: tree.DomainExpr) -> Domain | None:
        """What a variable ranges over: `low..high`, `player`, an enum or a zone."""
        if isinstance(node, tree.RangeExpr):
            low, high = self._number(node.low), self._number(node.high)
            if low is None or high is None:
                return None
            return Range(integer(low.type.low, max(low.type.low, high.type.high)), low, high)
        if isinstance(node, tree.Name) and node.name not in self.locals and (named := self.names.domain(node.name)):
            return Members(named)
        zone = self.zone(node, "`player`, an enum, a zone or a range such as `1..3`")
        return Cards(CARD, zone) if zone else None

    def zone(self, node: tree.Expr, wanted: str = "a zone") -> ZoneRef | None:
        """A zone, with its index where it has one."""
        base, arguments = (node.base, node.arguments) if isinstance(node, tree.Index) else (node, ())
        if not isinstance(base, tree.Name) or base.name in self.locals or base.name not in self.names.zones:
            known = [*self.names.zones, *self.names.enums, "player"]
            hint = suggest(base.name, known) if isinstance(base, tree.Name) else ""
            self._fail("unknown-name", f"{wanted} is needed here", node, hint)
            return None
        declared = self.names.zones[base.name]
        if declared is None:
            return None
        per, _ = declared
        indexed = self._arguments(node, base.name, arguments, (per,) if per else ())
        return ZoneRef(base.name, indexed[0] if per else None) if indexed is not None else None

    # names

    def _constant(self, node: tree.Number) -> TExpr:
        return Const(integer(node.value, node.value), node.value)

    def _number(self, node: tree.Expr, expected: Type | None = None) -> TExpr | None:
        if isinstance(node, tree.Number):
            return self._constant(node)
        found = self.typed(node)
        return self._required(found, "int", node)

    def _name(self, node: tree.Name, expected: Type | None) -> TExpr | None:
        name = node.name
        if name in self.locals:
            type_ = self.locals[name]
            return Local(type_, name) if type_ else None
        if name in ("true", "false", "none"):
            return Const(ABSENT, NONE) if name == "none" else Const(BOOL, int(name == "true"))
        if name == "players":
            return Players(integer(self.names.players.start, self.names.players[-1]))
        if name in self.names.values:
            return self._value(node, name, ())
        if name in self.names.answers:
            return Ruling(enum(f"ruling:{name}"), name) if self.names.answers[name] else None
        if name in self.names.zones:
            zone = self.zone(node)
            return TopCard(CARD.maybe(), zone) if zone else None
        return self._member(node, expected)

    def _member(self, node: tree.Name, expected: Type | None) -> TExpr | None:
        found = self.names.members_named(node.name)
        if expected is not None and expected.kind == "enum":
            fitting = [(t, i) for t, i in found if t.name == expected.name]
            if not fitting and found:
                return self._mismatch(node, f"`{node.name}` is not one of {self._list(expected)}", node.name, expected)
            found = fitting
        if len(found) == 1:
            return Const(*found[0])
        if found:
            owners = " and ".join(f"`{t.name.removeprefix('ruling:')}`" for t, _ in found)
            return self._fail("unclear-name", f"`{node.name}` is a member of {owners}; which is meant does not show here", node)
        if self.names.broken or any(v is None for v in (*self.names.enums.values(), *self.names.answers.values())):
            return None
        known = list(self.names.members_of(expected)) if expected and expected.kind == "enum" else self.names.everything(self.locals)
        what = f"`{node.name}` is not one of {self._list(expected)}" if expected and expected.kind == "enum" else f"nothing here is called `{node.name}`"
        return self._fail("unknown-name", what, node, suggest(node.name, known))

    def _list(self, type_: Type) -> str:
        members = self.names.members_of(type_)
        return ", ".join(f"`{m}`" for m in members[:8]) + (", …" if len(members) > 8 else "")

    def _mismatch(self, node: tree.Node, message: str, name: str, expected: Type) -> None:
        return self._fail("unknown-name", message, node, suggest(name, list(self.names.members_of(expected))))

    def _value(self, node: tree.Node, name: str, arguments: tuple[tree.Expr, ...]) -> TExpr | None:
        declared = self.names.values[name]
        if declared is None:
            return None
        per, result = declared
        typed = self._arguments(node, name, arguments, per)
        type_ = result()
        return Value(type_, name, typed) if typed is not None and type_ is not None else None

    def _arguments(
        self, node: tree.Node, name: str, given: tuple[tree.Expr, ...], wanted: tuple[Type, ...]
    ) -> tuple[TExpr, ...] | None:
        if len(given) != len(wanted):
            shape = f"{name}[{', '.join(t.name or t.kind for t in wanted)}]" if wanted else name
            self._fail("wrong-index", f"`{name}` is written `{shape}`", node)
            return None
        typed = [self._fits(argument, type_) for argument, type_ in zip(given, wanted, strict=True)]
        return None if any(t is None for t in typed) else tuple(t for t in typed if t is not None)

    def _fits(self, node: tree.Expr, wanted: Type) -> TExpr | None:
        found = self.typed(node, wanted)
        return self.fit(found, wanted, node.start, node.end) if found is not None else None

    def fit(self, found: TExpr, wanted: Type, start: int, end: int) -> TExpr | None:
        """`found` if all its values are among `wanted`; otherwise a finding that says why not."""
        if wanted.accepts(found.type):
            return found
        if not found.type.comparable(wanted) and found.type.kind != "none":
            self.report("type-mismatch", f"this is {describe(found.type)}, but {describe(wanted)} is needed", start, end, "")
        elif found.type.optional and not wanted.optional:
            self.report("may-be-absent", "this may be absent", start, end, "Say what counts then: `… ?? 0`.")
        else:
            message = f"this can be anything {_interval(found.type)}, but must stay {_interval(wanted)}"
            self.report("out-of-range", message, start, end, f"Keep it inside: clamp(…, {wanted.low}, {wanted.high}).")
        return None

    # operators

    def _unary(self, node: tree.Unary, expected: Type | None) -> TExpr | None:
        if node.operator == "not":
            operand = self._required(self.typed(node.operand), "bool", node.operand)
            return Op(BOOL, "not", (operand,)) if operand else None
        operand = self._number(node.operand)
        if operand is None:
            return None
        if isinstance(operand, Const):
            return Const(integer(-operand.value, -operand.value), -operand.value)
        return Op(integer(-operand.type.high, -operand.type.low), "neg", (operand,))

    def _binary(self, node: tree.Binary, expected: Type | None) -> TExpr | None:
        if node.operator in ("and", "or"):
            left, right = (self._required(self.typed(side), "bool", side) for side in (node.left, node.right))
            return Op(BOOL, node.operator, (left, right)) if left and right else None
        if node.operator in ("==", "!=", *_ORDERED):
            return self._comparison(node)
        if node.operator == "??":
            return self._fallback(node, expected)
        left, right = self._number(node.left), self._number(node.right)
        if left is None or right is None:
            return None
        if node.operator in ("//", "%") and right.type.low <= 0 <= right.type.high:
            return self._fail("division-by-zero", "this divisor can be 0", node.right, "Divide by something that is always at least 1.")
        return Op(_arithmetic(node.operator, left.type, right.type), node.operator, (left, right))

    def _comparison(self, node: tree.Binary) -> TExpr | None:
        left, right = self._pair(node.left, node.right)
        if left is None or right is None:
            return None
        equality = node.operator in ("==", "!=")
        if not (equality and "none" in (left.type.kind, right.type.kind)) and not left.type.comparable(right.type):
            message = f"{describe(left.type)} is compared with {describe(right.type)}"
            return self._fail("type-mismatch", message, node)
        if equality:
            return Op(BOOL, node.operator, (left, right))
        for side, typed in ((node.left, left), (node.right, right)):
            if typed.type.kind not in ("int", "enum"):
                return self._fail("type-mismatch", f"{describe(typed.type)} has no order", side)
            if typed.type.optional:
                return self._fail("may-be-absent", "this may be absent, and nothing is neither more nor less", side, "Say what counts then: `… ?? 0`.")
        return Op(BOOL, node.operator, (left, right))

    def _pair(self, a: tree.Expr, b: tree.Expr) -> tuple[TExpr | None, TExpr | None]:
        """Both sides, the one that is a bare member name read in the light of the other."""
        if isinstance(a, tree.Name) and self._may_be_member(a.name):
            right = self.typed(b)
            return (self.typed(a, right.type) if right is not None else None), right
        left = self.typed(a)
        return left, (self.typed(b, left.type.required()) if left is not None else None)

    def _may_be_member(self, name: str) -> bool:
        known = (self.locals, self.names.values, self.names.answers, self.names.zones, ("players", "true", "false", "none"))
        return not any(name in group for group in known)

    def _fallback(self, node: tree.Binary, expected: Type | None) -> TExpr | None:
        left, right = self._pair(node.left, node.right)
        if left is None or right is None:
            return None
        if not left.type.optional:
            return self._fail("never-absent", "this is never absent, so `??` has no effect", node.left, "Leave the `??` part out.")
        joined = join(left.type.required(), right.type)
        if joined is None:
            return self._fail("type-mismatch", f"{describe(left.type)} falls back to {describe(right.type)}", node)
        return Op(joined, "??", (left, right))

    def _conditional(self, node: tree.Conditional, expected: Type | None) -> TExpr | None:
        condition = self._required(self.typed(node.condition), "bool", node.condition)
        then, otherwise = self.typed(node.then, expected), self.typed(node.otherwise, expected)
        if condition is None or then is None or otherwise is None:
            return None
        joined = join(then.type, otherwise.type)
        if joined is None:
            return self._fail("type-mismatch", f"one side is {describe(then.type)}, the other {describe(otherwise.type)}", node)
        return If(joined, condition, then, otherwise)

    def _required(self, found: TExpr | None, kind: str, node: tree.Expr) -> TExpr | None:
        if found is None:
            return None
        if found.type.kind != kind:
            wanted = {"int": "a number", "bool": "true or false", "player": "a player"}[kind]
            return self._fail("type-mismatch", f"this is {describe(found.type)}, but {wanted} is needed", node)
        if found.type.optional:
            return self._fail("may-be-absent", "this may be absent", node, "Say what counts then: `… ?? 0`.")
        return found

    # indices, fields, calls, folds

    def _index(self, node: tree.Index, expected: Type | None) -> TExpr | None:
        if not isinstance(node.base, tree.Name):
            return self._fail("wrong-index", "only a value, a table or a zone takes an index", node.base)
        name = node.base.name
        if name in self.names.values and name not in self.locals:
            return self._value(node, name, node.arguments)
        if name in self.names.tables and name not in self.locals:
            return self._table(node, name)
        if name in self.names.zones and name not in self.locals:
            zone = self.zone(node)
            return TopCard(CARD.maybe(), zone) if zone else None
        if name in self.names.answers or name in self.locals or self._member(node.base, None):
            return self._fail("wrong-index", f"`{name}` takes no index", node)
        return None

    def _table(self, node: tree.Index, name: str) -> TExpr | None:
        declared = self.names.tables[name]
        if declared is None:
            return None
        by, result = declared
        typed = self._arguments(node, name, node.arguments, (by,))
        return Table(result, name, typed[0]) if typed is not None else None

    def _attribute(self, node: tree.Attribute, expected: Type | None) -> TExpr | None:
        card = self.typed(node.base)
        if card is None:
            return None
        if card.type.kind != "card":
            return self._fail("type-mismatch", f"this is {describe(card.type)}; only a card has fields", node.base)
        if node.name not in self.names.fields:
            message = f"cards have no field `{node.name}`"
            return self._fail("unknown-field", message, node, suggest(node.name, list(self.names.fields)))
        type_ = self.names.fields[node.name]
        if type_ is None:
            return None
        return CardField(type_.maybe() if card.type.optional else type_, card, node.name)

    def _call(self, node: tree.Call, expected: Type | None) -> TExpr | None:
        arity = CALLS.get(node.function)
        if arity is None:
            hint = suggest(node.function, [*CALLS, *FOLDS])
            return self._fail("unknown-function", f"there is no function `{node.function}`", node, hint)
        enough = len(node.arguments) >= arity if node.function in ("min", "max") else len(node.arguments) == arity
        if not enough:
            return self._fail("wrong-arguments", f"`{node.function}` takes {arity} argument{'s' * (arity != 1)}", node)
        if node.function in ("size", "top"):
            zone = self.zone(node.arguments[0])
            if zone is None:
                return None
            return ZoneSize(integer(0, self.names.cards), zone) if node.function == "size" else TopCard(CARD.maybe(), zone)
        if node.function in ("left_of", "right_of", "seat_of"):
            return self._seat(node)
        return self._numeric(node)

    def _seat(self, node: tree.Call) -> TExpr | None:
        player = self._required(self.typed(node.arguments[0]), "player", node.arguments[0])
        if player is None:
            return None
        if node.function == "seat_of":
            return Op(integer(1, self.names.players[-1]), "seat_of", (player,))
        return Seat(PLAYER, player, 1 if node.function == "left_of" else -1)

    def _numeric(self, node: tree.Call) -> TExpr | None:
        typed = [self._number(argument) for argument in node.arguments]
        numbers = tuple(t for t in typed if t is not None)
        if len(numbers) < len(typed):
            return None
        lows, highs = [n.type.low for n in numbers], [n.type.high for n in numbers]
        if node.function == "seat":
            return self._literal_seat(node, numbers[0])
        if node.function == "clamp":
            if highs[1] > lows[2]:
                return self._fail("out-of-range", "the lower bound can lie above the upper one", node)
            return Op(integer(min(max(lows[0], lows[1]), lows[2]), max(min(highs[0], highs[2]), highs[1])), "clamp", numbers)
        if node.function == "abs":
            inside = lows[0] <= 0 <= highs[0]
            ends = (abs(lows[0]), abs(highs[0]))
            return Op(integer(0 if inside else min(ends), max(ends)), "abs", numbers)
        pick = min if node.function == "min" else max
        return Op(integer(pick(lows), pick(highs)), node.function, numbers)

    def _literal_seat(self, node: tree.Call, number: TExpr) -> TExpr | None:
        if number.type.low < 1 or number.type.high > self.names.players.start:
            message = f"a seat is a number from 1 to {self.names.players.start}, the seats there are at every player count"
            return self._fail("out-of-range", message, node)
        return Op(PLAYER, "seat", (number,))

    def _fold(self, node: tree.Fold, expected: Type | None) -> TExpr | None:
        if node.function not in FOLDS:
            return self._fail("unknown-function", f"`{node.function}` cannot go over a domain", node, suggest(node.function, list(FOLDS)))
        domain = self.domain(node.domain)
        inner = Inference(self.names, {**self.locals, node.variable: domain.type if domain else None}, self.report)
        condition = inner.typed(node.condition) if node.condition else None
        condition = inner._required(condition, "bool", node.condition) if node.condition else None
        body = inner.typed(node.body, expected) if node.body else None
        if domain is None or (node.condition and condition is None) or (node.body and body is None):
            return None
        type_ = self._fold_type(node, domain, condition, body)
        return Fold(type_, node.function, node.variable, domain, condition, body) if type_ else None

    def _fold_type(self, node: tree.Fold, domain: Domain, condition: TExpr | None, body: TExpr | None) -> Type | None:
        most = self._most(domain)
        if node.function == "count" or (node.function in ("any", "all") and body is None):
            if body is not None:
                return self._fail("wrong-arguments", f"write `count({node.variable} in … if …)`", node)
            return integer(0, most) if node.function == "count" else BOOL
        if node.function in ("any", "all"):
            assert body is not None and node.body is not None
            return BOOL if self._required(body, "bool", node.body) else None
        if node.function == "first":
            return domain.type.maybe() if body is None else self._fail("wrong-arguments", f"write `first({node.variable} in … if …)`", node)
        if body is None or node.body is None:
            return self._fail("wrong-arguments", f"write `{node.function}(what for {node.variable} in …)`", node)
        if body.type.kind not in ("int", "enum") or (node.function == "sum" and body.type.kind != "int"):
            return self._fail("type-mismatch", f"this is {describe(body.type)}, which `{node.function}` cannot take", node.body)
        if node.function == "sum":
            return integer(min(0, most * body.type.low), max(0, most * body.type.high))
        full = isinstance(domain, Members) and condition is None and not body.type.optional
        return body.type if full else body.type.maybe()

    def _most(self, domain: Domain) -> int:
        if isinstance(domain, Cards):
            return self.names.cards
        if domain.type.kind == "player":
            return self.names.players[-1]
        return len(self.names.members_of(domain.type)) if domain.type.kind == "enum" else domain.type.high - domain.type.low + 1

    def _fail(self, name: str, message: str, node: tree.Node, hint: str = "") -> None:
        self.report(name, message, node.start, node.end, hint)


def _interval(type_: Type) -> str:
    return f"from {type_.low} to {type_.high}" if type_.kind == "int" else describe(type_)


def _arithmetic(operator: str, a: Type, b: Type) -> Type:
    if operator == "%":
        return integer(0, b.high - 1) if b.low > 0 else integer(b.low + 1, 0)
    apply: dict[str, Callable[[int, int], int]] = {
        "+": lambda x, y: x + y,
        "-": lambda x, y: x - y,
        "*": lambda x, y: x * y,
        "//": lambda x, y: x // y,
    }
    ends = [apply[operator](x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return integer(min(ends), max(ends))
