"""`transfer`: tokens from one place of a stock to another, written out as steps that set the values of the places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

from rulespec.base.diagnostics import Span
from rulespec.base.messages import NOTHING, Message, say
from rulespec.language.document.nodes import Mapping, Node
from rulespec.language.model.folds import FOLDS, Folded
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.names import Names
from rulespec.language.model.narrowing import Facts
from rulespec.language.model.nodes import Broken, mapping, text
from rulespec.language.model.operators import OPERATORS
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, constructor
from rulespec.language.model.reader import FAILED, NO_VALUE, Reader
from rulespec.language.model.step import Body, Step
from rulespec.language.model.steps import fields
from rulespec.language.model.steps.do import Do
from rulespec.language.model.steps.each import Each
from rulespec.language.model.steps.let import Let
from rulespec.language.model.steps.reading import Common, Refusal, StepReader
from rulespec.language.model.steps.set_ import Set
from rulespec.language.model.typed import Const, Domain, Fold, Local, Op, TExpr, Value
from rulespec.language.model.types import Type, describe, integer

Places = tuple[Value, Value]
"""Where tokens come from, and where they go."""

Kinds: TypeAlias = "tuple[str, Domain | None]"
"""The name of a kind and the kinds that move; an empty name without `each`."""

_ENDS = fields.mapping(fields.key("from", "expression"), fields.key("to", "expression"))


@dataclass(frozen=True, kw_only=True, eq=False)
class Transfer(Step, key="transfer", once=True, followed=True):
    """Moves tokens from one place of a stock to another: `amount` of one kind, or of each kind `variable` of `domain`.

    Those that are lacking are paid in `jokers`, the tokens of another stock, from one place to another. `short` says
    what happens if there are still too few: `as_many` as there are move, an `error` stops the game, or the option with
    the step is `illegal`; it is empty if there always are enough."""

    amount: TExpr = fields.number("tokens", 0)
    of: ClassVar = fields.key("of", "expression", optional=True)
    source: Value = fields.custom("from", "expression")
    target: Value = fields.custom("to", "expression")
    variable: str = fields.variable("each", "variable", optional=True)
    domain: Domain | None = None
    jokers: tuple[Value, Value] | None = fields.custom("jokers", _ENDS, optional=True)
    short: str = fields.words("short", "as_many illegal error", optional=True)
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("transfer", "amount source target sort?"),
        constructor("transfer_each", "variable domain amount source target", "quantity: all"),
        constructor("jokers", "source target"),
        constructor("too_few_move"),
    )

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, common: Common) -> Transfer:
        inner, read = mapping(node.get("transfer")), steps.reader
        step = _read(steps, inner, scope, common)
        _check_ways(read, inner, step)
        low, most = step.amount.type.low, step.source.type.high
        if low > most:
            message = say(
                "This is at least {low}, but there are never more than {most} such tokens.", low=low, most=most
            )
            read.report("out-of-range", message, inner.get("tokens") or inner)
        if step.jokers is None and _enough(step.amount, step.source, read.facts):
            step = replace(step, short="")
        elif not step.short:
            question = say("`{place}` may hold too few tokens. What happens then?", place=step.source.name)
            hint = say(
                "Add `short:` with `as_many` (those that are there move), `illegal` (the option is not allowed) or "
                "`error` (the game stops), or a condition that there are enough."
            )
            read.report("too-few-tokens", question, node.key("transfer") or node, hint)
        if step.short == "illegal":
            steps.refusals.append(_refusal(step, inner.get("short") or node, read.names))
        return step

    def changes(self) -> tuple[Value, ...]:
        """The places that change: where tokens come from, then where they go, for the jokers too."""
        return tuple(place for pair in self.tokens() for place in pair)

    def tokens(self) -> tuple[Places, ...]:
        return ((self.source, self.target), *((self.jokers,) if self.jokers is not None else ()))

    def binds(self) -> Iterator[tuple[str, Type]]:
        if self.domain is not None:
            yield self.variable, self.domain.type

    def written_out(self) -> Body:
        """Its amounts and places are read before they change."""
        moved = tuple(_moved(self))
        if self.domain is None:
            return moved
        return (Each(variable=self.variable, domain=self.domain, start=None, but=None, body=moved, span=self.span),)

    def certain(self) -> TExpr | None:
        return self.amount if not self.variable and self.short != "as_many" else None

    def propositions(self, scene: Scene) -> Iterator[Proposition]:
        say = scene.say
        ends = (say.place(self.source), say.place(self.target))
        kind = self.source.arguments[-1:] if scene.spec.values[self.source.name].kind is not None else ()
        act = Phrase("transfer", (say(self.amount), *ends, *map(say, kind)))
        if self.domain is not None:
            each = (say.variable(self.variable, self.domain.type), say.domain(self.domain))
            act = Phrase("transfer_each", (*each, say(self.amount), *ends))
        yield scene.fact(self.span, act)
        if self.jokers is not None:
            yield scene.fact(self.span, Phrase("jokers", tuple(map(say.place, self.jokers))))
        if self.short == "as_many":
            yield scene.fact(self.span, Phrase("too_few_move"))


def _read(steps: StepReader, node: Mapping, scope: Locals, common: Common) -> Transfer:
    """The step as it is written. All of its parts are read before one that failed stops it."""
    read, short, jokers = steps.reader, node.get("short"), node.get("jokers")
    variable, domain, bound = steps.binding(node.get("each"), scope) if node.get("each") else ("", None, scope)
    ends = _ends(read, node, scope)
    kind = _kind(read, node, ends[0], (variable, domain), scope) if NO_VALUE not in ends[:1] else FAILED
    amount = read.number(node.get("tokens"), bound, 0)
    instead = _ends(read, mapping(jokers), scope) if jokers is not None else None
    if FAILED in (amount, kind) or NO_VALUE in (*ends, *(instead or ())) or (variable and domain is None):
        raise Broken
    source, target = (replace(end, arguments=(*end.arguments, *((kind,) if kind else ()))) for end in ends)
    return Transfer(
        amount=amount,
        source=source,
        target=target,
        variable=variable,
        domain=domain,
        jokers=instead,
        short=text(short) if short is not None else "",
        **common,
    )


def _ends(read: Reader, node: Mapping, scope: Locals) -> Places:
    return read.place(node.get("from"), scope), read.place(node.get("to"), scope)


def _stock(names: Names, place: Value) -> str:
    shape = names.values.get(place.name)
    return shape.stock if shape is not None else ""


def _kind(read: Reader, node: Mapping, place: Value, each: Kinds, scope: Locals) -> TExpr | None:
    """The kind of the tokens: None if there is only one, FAILED after a finding."""
    stock, of = _stock(read.names, place), node.get("of")
    wanted, (variable, _) = read.names.stocks[stock], each
    if (fault := _without_kind(node, stock, wanted, each)) is not None:
        read.report(*fault)
        return FAILED
    if wanted is None:
        return None
    return read.expr(of, scope, wanted) if of is not None else Local(wanted, variable)


Fault = tuple[str, Message, Node, Message]
"""The name, the message, the place and the hint of a finding."""


def _without_kind(node: Mapping, stock: str, wanted: Type | None, each: Kinds) -> Fault | None:
    """Why a step does not say which tokens move."""
    of, (variable, domain) = node.get("of"), each
    said = of or node.get("each")
    if wanted is None:
        message = say("All tokens of `{stock}` are of one kind.", stock=stock)
        return ("wrong-index", message, said, say("Delete it.")) if said is not None else None
    if said is None:
        hint = say("Add `of:` with one of `{kind}`, or `each: {{k: {kind}}}`.", kind=str(wanted))
        return "wrong-index", say("`{stock}` has several kinds of tokens.", stock=stock), node.get("from") or node, hint
    if of is not None and variable:
        message = say("`of` and `each` both say which tokens move.")
        return "wrong-index", message, node.key("each") or of, say("Delete one of them.")
    if domain is not None and not wanted.accepts(domain.type):
        message = say("This is {type}, but the kinds of `{stock}` are needed: {wanted}.")
        message = say(message, type=describe(domain.type), stock=stock, wanted=describe(wanted))
        return "type-mismatch", message, said, NOTHING
    return None


def _check_ways(read: Reader, node: Mapping, step: Transfer) -> None:
    """Reports places between which tokens cannot move."""
    _check_way(read, node, (step.source, step.target))
    if step.jokers is None:
        return
    inner = mapping(node.get("jokers"))
    stocks = [_stock(read.names, one) for one in step.changes()]
    if read.names.stocks[stocks[2]] is not None or stocks[2] in stocks[:2]:
        message = say("Jokers must be a stock of their own with one kind of tokens.")
        hint = say("Declare a stock without `of:` for them.")
        read.report("type-mismatch", message, inner.get("from") or node, hint)
    _check_way(read, inner, step.jokers)


def _check_way(read: Reader, node: Mapping, ends: Places) -> None:
    source, target = (_stock(read.names, end) for end in ends)
    place = node.get("to") or node
    if source != target:
        message = say("`{to}` holds tokens of `{target}`, not of `{source}`.")
        message = say(message, to=ends[1].name, target=target, source=source)
        read.report("type-mismatch", message, place, say("Name another place of `{source}`.", source=source))
    elif ends[0] == ends[1]:
        message = say("`from` and `to` name the same place.")
        read.report("moves-nowhere", message, place, say("Name another place, or delete the step."))


# too few tokens


def _enough(amount: TExpr, source: Value, facts: Facts) -> bool:
    """Whether a place always holds an amount here."""
    if amount == source or (isinstance(amount, Op) and amount.operator == "min" and source in amount.arguments):
        return True
    return amount.type.high <= facts.get(source, source.type).low


def _refusal(step: Transfer, node: Node, names: Names) -> Refusal:
    """What must hold so that a transfer is possible."""
    lacking = _op("max", _op("-", step.amount, step.source), Const(integer(0, 0), 0))
    holds = _op(">=", step.source, step.amount)
    short = _op("-", step.amount, step.source)
    if step.domain is not None:
        short = _fold("sum", step, lacking, names)
        holds = _fold("all", step, holds, names)
    if step.jokers is not None:
        missing = short if step.domain is not None else lacking
        short, holds = _op("-", missing, step.jokers[0]), _op("<=", missing, step.jokers[0])
    reads = (step.amount, *(part for place in step.changes() for part in place.arguments))
    return Refusal(step, node, holds, {short: integer(min(short.type.low, 0), 0)}, reads)


def check(steps: StepReader) -> None:
    """Reports transfers that make something illegal which is no option, or whose option cannot test them."""
    for refusal in steps.refusals:
        message = say("Only an option can be illegal, by what holds before its steps.")
        hint = say(
            "Write this step directly under `do:` of an option, before steps that change what it depends on. "
            "After them, ask for enough tokens with `if:` of the option, and write `short: error`."
        )
        steps.reader.report("too-few-tokens", message, refusal.node, hint)


# written out


def _moved(step: Transfer) -> Iterator[Step]:
    kept = _Kept(step.span)
    source, target = kept.place(step.source), kept.place(step.target)
    due = kept.expr(step.amount)
    if step.jokers is None:
        own = kept.expr(_op("min", due, source)) if step.short == "as_many" else due
        yield kept.around((*_both(step, source, target, own),))
        return
    jokers = [kept.place(one) for one in step.jokers]
    own = kept.expr(_op("min", due, source))
    rest = _op("-", due, own)
    rest = kept.expr(_op("min", rest, jokers[0]) if step.short == "as_many" else rest)
    yield kept.around((*_both(step, source, target, own, certain=True), *_both(step, jokers[0], jokers[1], rest)))


def _both(step: Transfer, source: Value, target: Value, amount: TExpr, certain: bool = False) -> Iterator[Step]:
    """Sets both places. The total does not change, so what the first one can give the second can take."""
    limited = step.short == "error" and not certain
    less, more = _op("-", source, amount), _op("+", target, amount)
    less = less if limited else replace(less, type=source.type)
    yield Set(target=source, value=less, limited=limited, span=step.span)
    yield Set(target=target, value=replace(more, type=target.type), span=step.span)


class _Kept:
    """Names for what expressions are before a transfer: no spec can write them."""

    def __init__(self, span: Span) -> None:
        self.span = span
        self._known: list[tuple[str, TExpr]] = []

    def expr(self, value: TExpr) -> TExpr:
        """A name for what an expression is now, or the expression if it does not change."""
        if isinstance(value, Const | Local):
            return value
        self._known.append((f"#{len(self._known)}", value))
        return Local(value.type, self._known[-1][0])

    def place(self, value: Value) -> Value:
        return replace(value, arguments=tuple(map(self.expr, value.arguments)))

    def around(self, body: Body) -> Step:
        """Steps with the names."""
        for name, value in reversed(self._known):
            body = (Let(variable=name, value=value, body=body, span=self.span),)
        return body[0] if len(body) == 1 else Do(body=body, span=self.span)


def _op(name: str, *arguments: TExpr) -> TExpr:
    type_ = OPERATORS[name].type(tuple(one.type for one in arguments), range(0))
    assert type_ is not None
    return Op(type_, name, arguments)


def _fold(name: str, step: Transfer, body: TExpr, names: Names) -> TExpr:
    """A fold over the kinds of tokens that move."""
    assert step.domain is not None
    type_ = FOLDS[name].type(Folded(step.domain.type, names.most(step.domain), body.type, False))
    return Fold(type_, name, step.variable, step.domain, None, body)
