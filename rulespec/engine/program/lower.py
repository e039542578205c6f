"""Lowers the core steps of a sealed spec. Procedures are inlined where they run. For steps that move,
show or shuffle cards see cards.py, for blocks blocks.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from rulespec.engine.program import ir
from rulespec.engine.program.operations import ABSENT, ONE, ZERO, Scope, choice, operation
from rulespec.engine.program.options import OptionLowering
from rulespec.engine.program.sets import elements
from rulespec.engine.program.trials import trial
from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.constants import Setting
from rulespec.language.model.step import row_of


@dataclass
class Loop:
    """A loop around the step that is being lowered: its rule, and the jumps that leave it."""

    rule: str
    repeats: bool
    exits: list[ir.Jump | ir.Choose] = field(default_factory=list)

    def land(self, place: int) -> None:
        """Sets the target of everything that leaves the loop."""
        for exit_ in self.exits:
            if isinstance(exit_, ir.Choose):
                exit_.none = place
            else:
                exit_.target = place


LowerStep = Callable[["Lowering", Any, Scope], None]
Emitted = TypeVar("Emitted", bound=ir.Instruction)


class Lowering(OptionLowering):
    """A program under construction. `steps` holds a function for every kind of step, which emits its instructions."""

    def __init__(self, setting: Setting, steps: Mapping[type[m.Step], LowerStep]) -> None:
        self._trying = False
        super().__init__(setting)  # which allocates registers
        self.steps = steps
        self.code: list[ir.Instruction] = []
        self.entries: dict[str, int] = {}
        self.assumed: dict[str, tuple[ir.Expr, ...]] = {}
        self.named: dict[str, tuple[tuple[int, ir.Expr], ...]] = {}
        self._names: list[tuple[int, ir.Expr]] = []
        self.ranking: ir.Ranking | None = None
        self._loops: list[Loop] = []
        self._ends: list[ir.Jump] = []
        self.failures: list[ir.Jump] = []

    def emit(self, instruction: Emitted) -> Emitted:
        if self._trying and not isinstance(instruction, ir.Let | ir.Branch | ir.Jump):
            return instruction  # it only reports what happens
        if instruction.rule < 0:
            instruction.rule = self.rule
        self.code.append(instruction)
        return instruction

    @property
    def here(self) -> int:
        return len(self.code)

    def let(self, slot: int, expression: ir.Expr) -> None:
        self.emit(ir.Let(base=slot, index=ZERO, expression=expression))

    def branch(self, condition: ir.Expr) -> ir.Branch | None:
        """Emits a branch whose target `land` sets; None if the condition is always true."""
        if isinstance(condition, ir.Const) and condition.value:
            return None
        return self.emit(ir.Branch(condition=condition))

    def land(self, *jumps: ir.Branch | ir.Jump | None) -> None:
        """Sets the target of open branches and jumps to this place."""
        for jump in jumps:
            if jump is not None:
                jump.target = self.here

    @contextmanager
    def under(self, rule: str, scope: Scope) -> Iterator[None]:
        """Attributes what is emitted inside to this rule; to the surrounding rule if it is empty."""
        before = self.rule
        if rule:
            self.rule = self.rules.index(rule)
            # A procedure may be inlined in several places: a position starts at the first.
            if rule not in self.entries and not self._trying:
                self.entries[rule], self.named[rule] = self.here, tuple(self._names)
                self.assumed[rule] = tuple(self.expr(node, scope) for node, _ in self.spec.rules[rule].assumes)
            self.emit(ir.Mark())
        yield
        self.rule = before

    def allocate(self, size: int = 1, start: int = 0) -> int:
        # What is tried leaves no trace in the state.
        return self.temporary() if self._trying and size == 1 else super().allocate(size, start)

    def tried(self, option: m.Option, scope: Scope) -> ir.Expr | None:
        if option.after is None:
            return None
        state = self.code, self._loops, self._ends, self.failures, self._trying
        outside = Loop("", repeats=True)
        self.code, self._loops, self._ends, self.failures, self._trying = [], [outside], [], [], True
        self.body(option.body, scope)
        # What ends the play, or a loop around the choice, ends what is tried.
        self.land(*self._ends, *self.failures)
        outside.land(self.here)
        condition, steps = self.expr(option.after, scope), self.code
        self.code, self._loops, self._ends, self.failures, self._trying = state
        return trial(steps, condition)

    # core steps

    def body(self, steps: m.Body, scope: Scope) -> None:
        for step in steps:
            self.step(step, scope)

    def step(self, step: m.Step, scope: Scope) -> None:
        if not self.setting.present(step.only_if):
            return
        if isinstance(step, m.Rank):
            # All that ends the game goes on here: it ends with its ranking.
            self.land(*self._ends)
        with self.under(step.rule, scope):
            if step.core is not None:
                self.body(step.core, scope)
            elif (lower := row_of(self.steps, step)) is not None:
                lower(self, step, scope)

    def _do_step(self, step: m.Do, scope: Scope) -> None:
        self.body(step.body, scope)

    def _if_step(self, step: m.If, scope: Scope) -> None:
        condition = self.expr(step.condition, scope)
        if isinstance(condition, ir.Const):
            self.body(step.then if condition.value else step.otherwise, scope)
            return
        unless = self.branch(condition)
        self.body(step.then, scope)
        if not step.otherwise:
            self.land(unless)
            return
        past = self.emit(ir.Jump())
        self.land(unless)
        self.body(step.otherwise, scope)
        self.land(past)

    def _repeat_step(self, step: m.Repeat, scope: Scope) -> None:
        rounds, most = (self.allocate(), self.allocate()) if step.at_most is not None else (-1, -1)
        if step.at_most is not None:
            self.let(rounds, ZERO)
            self.let(most, self.expr(step.at_most, scope))
        top, bound, stops = self.here, None, []
        self._loops.append(Loop(step.rule, repeats=True))
        if step.while_ is not None:
            stops.append(self.branch(self.expr(step.while_, scope)))
        if step.at_most is not None:
            bound = self.branch(operation("<", ir.Register(rounds), ir.Register(most)))
            self.let(rounds, operation("+", ir.Register(rounds), ONE))
        self.body(step.body, scope)
        if step.until is not None:
            # A branch jumps if its condition fails, and the loop ends when `until` holds.
            again = self.branch(operation("not", self.expr(step.until, scope)))
            stops.append(again)
        self.emit(ir.Jump(target=top))
        loop = self._loops.pop()
        if step.at_most is not None:
            self.land(bound)
            self._bound(step, most, scope)
        self.land(*stops)
        loop.land(self.here)

    def _bound(self, step: m.Repeat, most: int, scope: Scope) -> None:
        """What happens if another round would begin after the last one."""
        if step.then is not None:
            self.body(step.then, scope)
            return
        self.stop(most)

    def stop(self, number: int, name: str = "") -> None:
        """Ends the game without a ranking: at the bound of a loop, or of the zone or value with this name."""
        thing = list(self.spec.with_bounds).index(name) if name else -1
        self.emit(ir.Note(report=ir.Bound(number, thing)))
        self.failures.append(self.emit(ir.Jump()))

    def _leaves(self, exit_: ir.Jump | ir.Choose, rule: str = "") -> None:
        """Makes a jump leave the loop of a rule, or the innermost repeat."""
        loops = (loop for loop in reversed(self._loops) if (loop.rule == rule if rule else loop.repeats))
        next(loops, self._loops[0]).exits.append(exit_)

    def _leave_step(self, step: m.Leave, scope: Scope) -> None:
        self._leaves(self.emit(ir.Jump()), step.loop)

    def _end_step(self, step: m.End, scope: Scope) -> None:
        self._ends.append(self.emit(ir.Jump()))

    def each(self, step: m.Each, scope: Scope, ranks: int | None = None) -> None:
        """A loop. `ranks` is the first register with the places of its elements, if they come in another order."""
        but = None
        if step.but is not None:
            # Stored once: the body may change who it is.
            but = ir.Register(self.allocate())
            self.let(but.slot, self.expr(step.but, scope))
        self._loops.append(Loop(step.rule, repeats=False))
        if isinstance(step.domain, t.Chosen):
            for held, element in elements(step.domain.picked.name, scope):
                missing = self.branch(held)
                self._round(step, element, but, scope)
                self.land(missing)
        else:
            with self.loop(step.domain, scope, step.start, ranks) as element:
                self._round(step, element, but, scope)
        self._loops.pop().land(self.here)

    def _round(self, step: m.Each, element: ir.Expr, but: ir.Expr | None, scope: Scope) -> None:
        """One round of a loop."""
        skip = self.branch(operation("!=", element, but)) if but is not None else None
        self.body(step.body, {**scope, step.variable: element})
        self.land(skip)

    @contextmanager
    def loop(
        self, domain: t.Domain, scope: Scope, start: t.TExpr | None = None, ranks: int | None = None
    ) -> Iterator[ir.Expr]:
        """A loop over a domain; what is emitted inside is its body.

        Cards are visited from the last to the first, so that the body may move the card away. Players begin with
        `start`, or come in the order of their `ranks`.
        """
        count, element = ir.Register(self.allocate()), ir.Register(self.allocate())
        if isinstance(domain, t.Members):
            start = start or domain.start
        lowered = self.domain(t.Members(domain.type) if isinstance(domain, t.Members) else domain, scope)
        assert not isinstance(lowered, ir.Ring)
        if isinstance(lowered, ir.Cards):
            self.let(count.slot, operation("-", ir.Size(lowered.zone), ONE))
            top, stop = self.here, self.branch(operation(">=", count, ZERO))
            self.let(element.slot, ir.Card(lowered.zone, count))
            # The body may have moved more cards than its own, so that the zone is shorter now than the counter says.
            gone = self.branch(operation("!=", element, ABSENT))
            yield element
            self.land(gone)
            self.let(count.slot, operation("-", count, ONE))
        else:
            first, last, value = self._counted(lowered, count, scope, start if ranks is None else None)
            value = self._ranked(lowered, count, ranks) if ranks is not None else value
            value = self.item(domain, count, scope) if isinstance(domain, t.Listed) else value
            self.let(count.slot, first)
            top, stop = self.here, self.branch(operation("<=", count, last))
            self.let(element.slot, value)
            yield element
            self.let(count.slot, operation("+", count, ONE))
        self.emit(ir.Jump(target=top))
        self.land(stop)

    def _counted(
        self, domain: ir.Items | ir.Span, count: ir.Register, scope: Scope, start: t.TExpr | None
    ) -> tuple[ir.Expr, ir.Expr, ir.Expr]:
        """The first and the last value of the counter, and the element as an expression of the counter."""
        if isinstance(domain, ir.Span):
            # Stored once: the body may change what the bound reads.
            last = ir.Register(self.allocate())
            self.let(last.slot, domain.high)
            return domain.low, last, count
        last_index = ir.Const(len(domain.values) - 1)
        if start is not None:
            begin = ir.Register(self.allocate())
            self.let(begin.slot, self.position(domain.values, self.expr(start, scope), self.setting.extent(start.type)))
            count_on = operation("%", operation("+", begin, count), ir.Const(len(domain.values)))
            return ZERO, last_index, self.at(domain.values, count_on)
        return ZERO, last_index, self.at(domain.values, count)

    def _ranked(self, domain: ir.Items | ir.Span, count: ir.Register, ranks: int) -> ir.Expr:
        """The element whose rank is one more than the counter."""
        assert isinstance(domain, ir.Items)
        slot, size = self.temporary(), len(domain.values)
        here = operation("==", ir.Element(ranks, ir.Register(slot), size), operation("+", count, ONE))
        return self.at(domain.values, ir.Fold("first", slot, ir.Items(tuple(range(size))), here, None))

    def at(self, values: tuple[int, ...], position: ir.Expr) -> ir.Expr:
        """The value at a position of a list."""
        return position if values == tuple(range(len(values))) else ir.Lookup(values, position)

    def _random_step(self, step: m.Random, scope: Scope) -> None:
        slot = self.allocate()
        domain = self.domain(step.domain, scope)
        assert not isinstance(domain, ir.Cards)
        viewers = self._viewers(step.viewer, step.seen_where, scope) if step.seen_where is not None else -1
        self.emit(ir.Draw(slot=slot, domain=domain, name=step.variable, type=step.domain.type, viewers=viewers))
        self.body(step.body, {**scope, step.variable: ir.Register(slot)})

    def _viewers(self, viewer: str, where: t.TExpr, scope: Scope) -> int:
        """A register with a bit for each player for whom a condition holds now."""
        bits: ir.Expr = ZERO
        for player in range(self.players):
            holds = self.expr(where, {**scope, viewer: ir.Const(player)})
            bits = operation("+", bits, choice(holds, ir.Const(1 << player), ZERO))
        slot = self.allocate()
        self.let(slot, bits)
        return slot

    def _let_step(self, step: m.Let, scope: Scope) -> None:
        expression = self.expr(step.value, scope)
        if isinstance(expression, ir.Const):
            self.body(step.body, {**scope, step.variable: expression})
            return
        kept = self.stored(expression)
        self._names.append((kept.slot, expression))
        self.body(step.body, {**scope, step.variable: kept})
        self._names.pop()

    def _kept(self, value: t.TExpr, scope: Scope) -> ir.Expr:
        """What an expression is now: a constant, or a register that is set here."""
        expression = self.expr(value, scope)
        return expression if isinstance(expression, ir.Const) else self.stored(expression)

    def stored(self, expression: ir.Expr) -> ir.Register:
        """A register that is set here."""
        slot = self.allocate()
        self.let(slot, expression)
        return ir.Register(slot)

    def _set_step(self, step: m.Set, scope: Scope) -> None:
        declared = self.spec.values[step.target.name]
        base, index = self.address(declared, [self.expr(a, scope) for a in step.target.arguments])
        size, expression = self.setting.cells(declared), self.expr(step.value, scope)
        if step.limited:
            # The game stops if the number is outside of the type of a value
            kept = self.stored(expression)
            low, high = (ir.Const(bound) for bound in (declared.type.low, declared.type.high))
            outside = operation("or", operation("<", kept, low), operation(">", kept, high))
            fits = self.branch(outside)
            self.stop(kept.slot, declared.name)
            self.land(fits)
            expression = kept
        self.emit(ir.Let(base=base, index=index, size=size, expression=expression, value=declared.name))

    def _run_step(self, step: m.Run, scope: Scope) -> None:
        procedure = self.spec.procedures[step.procedure]
        inner: dict[str, ir.Expr] = {name: self._kept(argument, scope) for name, argument in step.arguments}
        with self.under(procedure.rule, inner):
            self.body(procedure.body, inner)

    def _choose_step(self, step: m.Choose, scope: Scope) -> None:
        present = [o for o in step.options if self.setting.present(o.only_if)]
        chooser = self.choose(self.expr(step.by, scope), [(o, scope, None) for o in present])
        chooser.noticed = step.seen_by != "nobody"
        if step.none == "leave":
            self._leaves(chooser)

    def choose(self, by: ir.Expr, options: list[tuple[m.Option, Scope, ir.Expr | None]]) -> ir.Choose:
        """A choice and the bodies of its options. The third part of each option is an additional condition."""
        offers = [self.offer(option, scope, extra) for option, scope, extra in options]
        chooser = self.emit(ir.Choose(by=by, options=[one for offer in offers for one in offer.options]))
        past = []
        for (option, _, _), offer in zip(options, offers, strict=True):
            # What comes between the options of an offer and its steps: the sizes of its sets are stored
            begun = []
            for offered, lengths in zip(offer.options, offer.lengths, strict=True):
                offered.target = self.here
                if lengths:
                    self.sized(lengths)
                    begun.append(self.emit(ir.Jump()))
            self.land(*begun)
            with self.under(option.rule, offer.scope):
                self.body(option.body, offer.scope)
            past.append(self.emit(ir.Jump()))
        self.land(*past)
        chooser.none = self.here
        return chooser

    def sized(self, lengths: Iterable[tuple[int, int]]) -> None:
        """Stores the sizes of picked sets."""
        for slot, size in lengths:
            self.let(slot, ir.Const(size))


CORE: Mapping[type[m.Step], LowerStep] = {
    m.Do: Lowering._do_step,
    m.If: Lowering._if_step,
    m.Repeat: Lowering._repeat_step,
    m.Leave: Lowering._leave_step,
    m.End: Lowering._end_step,
    m.Random: Lowering._random_step,
    m.Let: Lowering._let_step,
    m.Choose: Lowering._choose_step,
    m.Set: Lowering._set_step,
    m.Run: Lowering._run_step,
}
