"""The operators and functions of expressions, one row each.

Everything that knows an operator derives it from its row: type inference (`infer/operators.py`, `infer/calls.py`),
constant folding (`constants.py`), the checks (`rulespec.proofs.checks`), the interpreter's closures
(`engine/interpreter/evaluate.py`), the generated source (`engine/backend/tree/expressions.py`) and the notation in
messages (`proofs/checks/unparse.py`). To add a function, add a row to `OPERATORS`. Folds over a domain are in
`folds.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from rulespec.base.messages import NOTHING, Message, say
from rulespec.language.model.types import BOOL, LIMIT, NONE, PLAYER, Type, describe, integer, join

Types = tuple[Type, ...]


class Demand(Enum):
    """What an operator demands of its arguments; `infer/operators.py` has one method for each."""

    KINDS = "each argument has its kind in `takes` and is never absent"
    JUNCTION = "two truth values; the first one holds, or does not, where the second one is evaluated"
    EQUAL = "two arguments of one type, which may be absent"
    ORDERED = "two numbers, or two members of one enum, never absent"
    FALLBACK = "a first argument that may be absent, and one to take its place"
    MEMBER = "a set and a member of its enum"
    ORDINAL = "a member of an enum, never absent; the result depends on the number of members"


class Emit(Enum):
    """What the source text of an operator is made of and gives."""

    VALUE = "a number made of numbers"
    COMPARISON = "a truth value made of numbers"
    LOGIC = "a truth value made of truth values; the second argument is evaluated only if the first does not decide"
    DEFAULT = "a number made of numbers; the second argument is evaluated only if the first is NONE"


class Notation(Enum):
    """How an operator is written in a spec."""

    CALL = "name(a, b)"
    PREFIX = "sign a"
    INFIX = "a sign b"


OR, AND, COMPARE, DEFAULT, SUM, PRODUCT, POSTFIX = range(7)
"""Precedences, weakest first, in the order of the rules of grammar.lark. The operand of a prefix binds like COMPARE."""


@dataclass(frozen=True)
class Misuse:
    """Why arguments of the right kinds do not fit: the finding, and the argument it is about (None for all of them)."""

    name: str
    message: Message
    hint: Message = NOTHING
    argument: int | None = None


@dataclass(frozen=True, kw_only=True)
class Operator:
    """One operator or function over stored values.

    `takes` names the kind of each argument; `open_ended` functions take more, and are applied from left to right.
    `type` gives the type of the result from the types of the arguments and the player counts. `misuse` says why types
    of the right kinds do not fit. Both need the player counts only if `by_players`.
    `apply` computes the stored value. `source` is the same as Python text over `{0}`, `{1}`, …, in the part of Python
    that `engine/backend/llvm/compiler.py` compiles; an argument that it mentions twice is evaluated once. `passes` are
    the arguments whose value, NONE included, may be the result. `guards` is set for operators that evaluate their
    second argument only if the first one is true (`and`) or false. `opposite` and `mirrored` name the comparison that
    holds when this one does not, and the one with its sides swapped.
    """

    name: str
    takes: tuple[str, ...]
    type: Callable[[Types, range], Type | None]
    apply: Callable[..., int]
    source: str
    notation: Notation = Notation.CALL
    sign: str = ""
    binding: int = POSTFIX
    demand: Demand = Demand.KINDS
    misuse: Callable[[Types, range], Misuse | None] = lambda types, players: None
    by_players: bool = False
    open_ended: bool = False
    emit: Emit = Emit.VALUE
    passes: tuple[int, ...] = ()
    guards: bool | None = None
    opposite: str = ""
    mirrored: str = ""

    @property
    def compares(self) -> bool:
        return self.emit is Emit.COMPARISON

    @property
    def is_test(self) -> bool:
        """Whether the source text is true or false instead of a number."""
        return self.emit in (Emit.COMPARISON, Emit.LOGIC)

    def outcome(self, a: Type, b: Type) -> bool | None:
        """The only outcome of this comparison between numbers of two intervals; None if both outcomes are possible."""
        if self.demand is Demand.EQUAL:
            if a.high < b.low or b.high < a.low:
                return self.name == "!="
            same = a.low == a.high == b.low == b.high and not a.optional and not b.optional
            return self.name == "==" if same else None
        # Comparisons by order are monotonic: all pairs lie between these two.
        outcomes = {bool(self.apply(a.low, b.high)), bool(self.apply(a.high, b.low))}
        return outcomes.pop() if len(outcomes) == 1 else None

    def decided(self, first: int) -> bool:
        """Whether the first argument alone decides, so that the second is not evaluated."""
        return self.guards is not None and bool(first) != self.guards

    def repeated(self, argument: int) -> bool:
        """Whether the source text mentions an argument more than once."""
        return self.source.count(f"{{{argument}}}") > 1


# --- types of results ------------------------------------------------------------------------------------------------


def _truth(types: Types, players: range) -> Type:
    return BOOL


def _remainder(types: Types, players: range) -> Type:
    divisor = types[1]
    return integer(0, divisor.high - 1) if divisor.low > 0 else integer(divisor.low + 1, 0)


def _negated(types: Types, players: range) -> Type:
    return integer(-types[0].high, -types[0].low)


def _absolute(types: Types, players: range) -> Type:
    low, high = types[0].low, types[0].high
    ends = (abs(low), abs(high))
    return integer(0 if low <= 0 <= high else min(ends), max(ends))


def _picked(pick: Callable[[int, int], int]) -> Callable[[Types, range], Type]:
    def type_(types: Types, players: range) -> Type:
        a, b = types
        return integer(pick(a.low, b.low), pick(a.high, b.high))

    return type_


def _clamped(types: Types, players: range) -> Type:
    number, low, high = types
    return integer(min(max(number.low, low.low), high.low), min(max(number.high, low.high), high.high))


def _fallback(types: Types, players: range) -> Type | None:
    return join(types[0].required(), types[1])


# --- arguments that do not fit ---------------------------------------------------------------------------------------


def _zero_divisor(types: Types, players: range) -> Misuse | None:
    if not types[1].low <= 0 <= types[1].high:
        return None
    hint = say("Divide by a number that is always at least 1.")
    return Misuse("division-by-zero", say("The divisor can be 0."), hint, 1)


def _no_seat(types: Types, players: range) -> Misuse | None:
    if types[0].low >= 1 and types[0].high <= players[0]:
        return None
    message = say(
        "This is {types}, but with {players} players the seats are 1 to {players}.",
        types=describe(types[0]),
        players=players[0],
    )
    return Misuse("out-of-range", message, argument=0)


def _crossed_bounds(types: Types, players: range) -> Misuse | None:
    if types[1].high <= types[2].low:
        return None
    return Misuse("out-of-range", say("The lower bound of `clamp` can be above its upper bound."))


# --- the table -------------------------------------------------------------------------------------------------------


def _arithmetic(sign: str, binding: int, apply: Callable[[int, int], int], **more: object) -> Operator:
    # The interval of an operator that takes its extremes where both arguments take theirs
    def type_(types: Types, players: range) -> Type:
        a, b = types
        ends = [apply(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
        return integer(min(ends), max(ends))

    row = {"type": type_, "apply": apply, "source": f"({{0}} {sign} {{1}})", "sign": sign, **more}
    return Operator(name=sign, takes=("int", "int"), notation=Notation.INFIX, binding=binding, **row)  # type: ignore[arg-type]


def _comparison(sign: str, demand: Demand, apply: Callable[[int, int], bool], opposite: str, mirrored: str) -> Operator:
    return Operator(
        name=sign,
        takes=("any", "any"),
        type=_truth,
        apply=lambda a, b: int(apply(a, b)),
        source=f"({{0}} {sign} {{1}})",
        notation=Notation.INFIX,
        sign=sign,
        binding=COMPARE,
        demand=demand,
        emit=Emit.COMPARISON,
        opposite=opposite,
        mirrored=mirrored,
    )


_ROWS = (
    _arithmetic("+", SUM, operator.add),
    _arithmetic("-", SUM, operator.sub),
    _arithmetic("*", PRODUCT, operator.mul),
    # Where a condition excludes a divisor of 0, checks may still try it.
    _arithmetic("//", PRODUCT, lambda a, b: a // b if b else 0, misuse=_zero_divisor),
    _arithmetic("%", PRODUCT, lambda a, b: a % b if b else 0, type=_remainder, misuse=_zero_divisor),
    _comparison("==", Demand.EQUAL, operator.eq, "!=", "=="),
    _comparison("!=", Demand.EQUAL, operator.ne, "==", "!="),
    _comparison("<", Demand.ORDERED, operator.lt, ">=", ">"),
    _comparison("<=", Demand.ORDERED, operator.le, ">", ">="),
    _comparison(">", Demand.ORDERED, operator.gt, "<=", "<"),
    _comparison(">=", Demand.ORDERED, operator.ge, "<", "<="),
    Operator(
        name="and",
        takes=("bool", "bool"),
        type=_truth,
        apply=lambda a, b: int(a and b),
        source="({0} and {1})",
        notation=Notation.INFIX,
        sign="and",
        binding=AND,
        demand=Demand.JUNCTION,
        emit=Emit.LOGIC,
        guards=True,
    ),
    Operator(
        name="or",
        takes=("bool", "bool"),
        type=_truth,
        apply=lambda a, b: int(a or b),
        source="({0} or {1})",
        notation=Notation.INFIX,
        sign="or",
        binding=OR,
        demand=Demand.JUNCTION,
        emit=Emit.LOGIC,
        guards=False,
    ),
    Operator(
        name="not",
        takes=("bool",),
        type=_truth,
        apply=lambda a: int(not a),
        source="(not {0})",
        notation=Notation.PREFIX,
        sign="not ",
        emit=Emit.LOGIC,
    ),
    Operator(
        name="neg",
        takes=("int",),
        type=_negated,
        apply=operator.neg,
        source="(-{0})",
        notation=Notation.PREFIX,
        sign="-",
    ),
    Operator(
        name="??",
        takes=("any", "any"),
        type=_fallback,
        apply=lambda a, b: b if a == NONE else a,
        source=f"({{1}} if {{0}} == {NONE} else {{0}})",
        notation=Notation.INFIX,
        sign="??",
        binding=DEFAULT,
        demand=Demand.FALLBACK,
        emit=Emit.DEFAULT,
        passes=(1,),
    ),
    Operator(name="abs", takes=("int",), type=_absolute, apply=abs, source="abs({0})"),
    Operator(
        name="min",
        takes=("int", "int"),
        open_ended=True,
        type=_picked(min),
        apply=min,
        source="({0} if {0} < {1} else {1})",
        passes=(0, 1),
    ),
    Operator(
        name="max",
        takes=("int", "int"),
        open_ended=True,
        type=_picked(max),
        apply=max,
        source="({0} if {0} > {1} else {1})",
        passes=(0, 1),
    ),
    Operator(
        name="clamp",
        takes=("int", "int", "int"),
        type=_clamped,
        misuse=_crossed_bounds,
        apply=lambda number, low, high: min(max(number, low), high),
        source="min(max({0}, {1}), {2})",
        passes=(0, 1, 2),
    ),
    Operator(
        name="has",
        takes=("set", "any"),
        type=_truth,
        demand=Demand.MEMBER,
        # NONE has its highest bit alone, and a set has at most 31 members, so an absent set contains none of them.
        apply=lambda members, member: members >> member & 1,
        source="({0} >> {1} & 1)",
    ),
    Operator(
        name="ordinal",
        takes=("enum",),
        # Narrowed in `infer/operators.py`, where the number of members is known.
        type=lambda types, players: integer(1, LIMIT),
        demand=Demand.ORDINAL,
        apply=lambda member: member + 1,
        source="({0} + 1)",
    ),
    Operator(
        name="seat",
        takes=("int",),
        type=lambda types, players: PLAYER,
        misuse=_no_seat,
        by_players=True,
        apply=lambda number: number - 1,
        source="({0} - 1)",
    ),
    Operator(
        name="seat_of",
        takes=("player",),
        type=lambda types, players: integer(1, players[-1]),
        by_players=True,
        apply=lambda player: player + 1,
        source="({0} + 1)",
    ),
)

OPERATORS: dict[str, Operator] = {row.name: row for row in _ROWS}
"""Every operator and function by its name in `typed.Op` and `ir.Operation`. It is read at each use and copied nowhere,
so a row that is added takes effect everywhere at once."""
