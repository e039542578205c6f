"""Data-flow analysis: interprets a game abstractly, over all plays at once, and records what cannot be proven.

The abstract state (`state.py`) holds facts that are true on every path. Transfer functions (`TRANSFER`) carry it over
steps, and joins keep what holds on all incoming paths.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.step import row_of
from rulespec.language.model.substitution import substitute
from rulespec.language.model.types import BOOL, CARD, PLAYER, Type, integer
from rulespec.proofs.checks.assignments import Assignment
from rulespec.proofs.checks.conditions import inline
from rulespec.proofs.checks.effects import Changes, Flows, cycle, onward, own, reached
from rulespec.proofs.checks.implications import Effects, Reads, among, instance, names_a_card, negation
from rulespec.proofs.checks.state import Progress, State, always, join, token, with_empty_sets
from rulespec.proofs.checks.tables import Judge, Verdict

MOST_STEPS = 20_000
"""Steps of one analysis, reached after a few seconds. The largest game takes 1,015; each nested repeat doubles them."""
MOST_ROUNDS = 10_000
"""Rounds of a repeat with `at_most`, at most. More take too long for a play to end."""


class TooIntricate(Exception):
    """Raised if the analysis would visit too many steps."""


@dataclass(frozen=True)
class Scope:
    """The variables in scope and what they stand for. `depth` distinguishes variables of the same name."""

    names: Mapping[str, t.TExpr] = field(default_factory=dict)
    depth: int = 0

    def bind(self, **types: Type) -> Scope:
        # A procedure may bind a name that its caller has bound as well, and facts about both are known inside it.
        new = {name: token(name, type_, self.depth) for name, type_ in types.items()}
        return Scope({**self.names, **new}, self.depth + 1)


@dataclass
class Loop:
    """A loop around the step that is being analysed: the states in which a step leaves it, and how many repeats are
    around its body."""

    rule: str
    repeats: bool
    depth: int
    exits: list[State] = field(default_factory=list)


@dataclass
class DataFlow:
    """One analysis under an assignment. `endless`, `stuck`, `lots`, `tables` and `cut_off` hold what is not proven."""

    assignment: Assignment
    judge: Judge
    endless: dict[m.Repeat, list[str]] = field(default_factory=dict)
    stuck: dict[m.Choose | m.Secret, None] = field(default_factory=dict)
    lots: dict[m.Auction, None] = field(default_factory=dict)
    tables: dict[m.Decide, Verdict] = field(default_factory=dict)
    cut_off: dict[m.Step, None] = field(default_factory=dict)
    reached: set[m.Step] = field(default_factory=set)
    _loops: list[Loop] = field(default_factory=list)
    _onward: list[Flows] = field(default_factory=list)
    _ended: bool = False
    _steps: int = 0

    def __post_init__(self) -> None:
        self.spec = self.assignment.spec
        self.changes, self.reads = Changes(self.assignment), Reads(self.spec)

    def play(self) -> None:
        """Analyses setup and play. Raises TooIntricate."""
        deck = self.spec.deck
        settings = self.assignment.settings([deck.leave_out] if deck.leave_out is not None else [])
        # The condition of `leave_out` may leave no card in some setting.
        full = deck.cards and settings is not None and all(s.cards for s in settings)
        start = State().filled(t.ZoneRef(deck.start)) if full else State()
        after = self.body(self.spec.setup, start, Scope())
        if after is not None:
            self.body(self.spec.play, after, Scope())

    def body(self, steps: m.Body, state: State | None, scope: Scope) -> State | None:
        """The state after the steps; None if the end is unreachable."""
        for step in steps:
            if state is None:
                # Only the first of them: those after it are unreachable for the same reason.
                self._unreachable(step)
                return None
            state = self.step(step, state, scope)
        return state

    def _inside(self, steps: m.Body, state: State, scope: Scope) -> State | None:
        """The state after the steps inside a step that bound the innermost variables of the scope."""
        after = self.body(steps, state, scope)
        return after.forget(scope.depth - 1) if after is not None else None

    def _unreachable(self, step: m.Step) -> None:
        """Records a step that no other one leads to. The ranking is reached if a step before it ends the play."""
        if isinstance(step, m.Rank) and self._ended:
            self.reached.add(step)
        elif (
            isinstance(step, m.Do | m.Run)
            and self._ended
            and any(isinstance(inner, m.Rank) for inner in reached(self.spec, (step,)))
        ):
            self.reached.add(step)
            body = step.body if isinstance(step, m.Do) else self.spec.procedures[step.procedure].body
            self.body(body, None, Scope())
        else:
            self.cut_off.setdefault(step)

    def step(self, step: m.Step, state: State, scope: Scope) -> State | None:
        here = self.assignment.known(step.only_if)
        if here is False:
            return state
        self._count(step)
        inside = self._after(step, state.assume(step.only_if), scope)
        if here or step.only_if is None:
            return inside
        return join([state.assume(negation(step.only_if)), inside])

    def _after(self, step: m.Step, state: State, scope: Scope) -> State | None:
        """The state after a step that is present: by its own row, or after the core steps that it is written out as."""
        if step.core is None:
            transfer = row_of(TRANSFER, step)
            assert transfer is not None, f"TRANSFER has no row for {type(step).__name__}"
            return transfer(self, step, state, scope)
        after, amount = self.body(step.core, state, scope), step.certain()
        moves = after is not None and amount is not None and self.assignment.least(amount) >= 1
        return after.progressed(self._progress(step)) if after is not None and moves else after

    def _count(self, step: m.Step) -> None:
        self.reached.add(step)
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise TooIntricate

    # core steps

    def _note(self, step: m.Step, state: State, scope: Scope) -> State | None:
        return state

    def _do(self, step: m.Do, state: State, scope: Scope) -> State | None:
        return self.body(step.body, state, scope)

    def _if(self, step: m.If, state: State, scope: Scope) -> State | None:
        known, condition = self.assignment.known(step.condition), self._condition(step.condition, scope)
        assert condition is not None
        ways = []
        if known is not False:
            ways.append(self.body(step.then, state.assume(condition), scope))
        if known is not True:
            ways.append(self.body(step.otherwise, state.assume(negation(condition)), scope))
        return join(ways)

    def _repeat(self, step: m.Repeat, state: State, scope: Scope) -> State | None:
        effects = self.changes.of(step.body)
        while_, until = (self._condition(e, scope) for e in (step.while_, step.until))
        # A round begins in a state that any round may have left, so no fact that the body may invalidate holds there.
        begin = state.after(effects, self.reads).assume(while_).enter()
        end, left = self._round(step, begin, scope)
        again = end
        if until is not None and end is not None and end.moved[-1] < Progress.ONWARD:
            # Only the first round may start with `until` true, so it may pass without progress.
            again, _ = self._round(step, begin.assume(negation(until)), scope)
        ways: list[State | None] = [s.forget(scope.depth).leave() for s in left]
        if end is not None:
            ways += [end.leave().assume(negation(while_))] if while_ is not None else []
            ways += [end.leave().assume(until)] if until is not None else []
        ways.append(self._bound(step, state, end, while_, until, scope))
        # If no round ends, every one leaves the loop or ends the play.
        if not self._ends(step, effects, Progress.ONWARD if again is None else again.moved[-1]):
            ways.append(state.after(effects, self.reads))  # the steps after it are analysed anyway
        # The first round is certain only if the condition is known to hold before the loop.
        may_skip = while_ is not None and not state.facts >= State().assume(while_).facts
        return join([*ways, state if may_skip else None])

    def _bound(
        self,
        step: m.Repeat,
        state: State,
        end: State | None,
        while_: t.TExpr | None,
        until: t.TExpr | None,
        scope: Scope,
    ) -> State | None:
        """The state after the steps that run if another round would begin after the last one."""
        if step.at_most is None or step.then is None:
            return None
        ways = [end.leave().assume(negation(until) if until is not None else None)] if end is not None else []
        # With no rounds at all, these steps run in the state before the loop.
        if self.assignment.least(step.at_most) < 1:
            ways.append(state)
        reached = join(ways)
        return self.body(step.then, reached.assume(while_), scope) if reached is not None else None

    def _condition(self, condition: t.TExpr | None, scope: Scope) -> t.TExpr | None:
        """A condition with variables replaced by what they stand for, and definitions of values inlined."""
        return inline(substitute(condition, scope.names), self.spec) if condition is not None else None

    def _round(self, step: m.Repeat, state: State, scope: Scope) -> tuple[State | None, list[State]]:
        """The state at the end of a round, and the states at every `leave`."""
        self._loops.append(Loop(step.rule, True, len(state.moved)))
        # Whether a move leads back depends on the loop: the one around it may have a move back that this body has not.
        self._onward.append(onward(self.changes.of(step.body).flows))
        end = self.body(step.body, state, scope)
        self._onward.pop()
        return end, self._loops.pop().exits

    def _ends(self, step: m.Repeat, effects: Effects, progress: Progress) -> bool:
        """Whether a repeat always ends: its rounds are limited, or every round moves a card or a token that cannot
        return."""
        if step.at_most is not None and step.at_most.type.high <= MOST_ROUNDS:
            return True
        if progress < Progress.ONWARD:
            self.endless.setdefault(step, cycle(effects.flows) if progress == Progress.MOVED else [])
        return progress == Progress.ONWARD

    def _progress(self, step: m.Step) -> list[Progress]:
        """What a step that certainly moves a card or a token does in every enclosing repeat."""
        flows = own(step).flows
        # A step may have several moves, as a draft has. It is not known which one happens, so all must lead onward.
        return [Progress.ONWARD if flows <= ways else Progress.MOVED for ways in self._onward]

    def _leave(self, step: m.Leave, state: State, scope: Scope) -> State | None:
        self._leaves(state, step.loop)
        return None

    def _leaves(self, state: State, rule: str = "") -> None:
        """Records that a step leaves the loop of a rule, or the innermost repeat, in this state."""
        loops = (loop for loop in reversed(self._loops) if (loop.rule == rule if rule else loop.repeats))
        loop = next(loops)
        # Loops inside the one that is left have progress of their own, which means nothing outside of them.
        loop.exits.append(replace(state, moved=state.moved[: loop.depth]))

    def _end(self, step: m.End, state: State, scope: Scope) -> State | None:
        self._ended = True
        return None

    def _each(self, step: m.Each, state: State, scope: Scope) -> State | None:
        self._loops.append(Loop(step.rule, False, len(state.moved)))
        end = self._elements(step, state, scope)
        return join([end, *(left.forget(scope.depth) for left in self._loops.pop().exits)])

    def _elements(self, step: m.Each, state: State, scope: Scope) -> State | None:
        """The state after all elements, if no step leaves the loop."""
        domain = substitute(step.domain, scope.names)
        inner = scope.bind(**{step.variable: domain.type})
        # The state at the start of any iteration, not only of the first.
        begin = state.after(self.changes.of(step.body), self.reads)
        after = self._turn(step, begin, domain, inner)
        # `but` leaves an element only if there are two, which is known of players alone.
        others = step.but is None or (domain.type.kind == "player" and min(self.assignment.players) > 1)
        if not others or not self._surely(domain, state):
            return join([state, after])
        if after is not None and after.moved and after.moved[-1] < Progress.ONWARD:
            # There always is a first iteration, and more facts hold in it than in later ones.
            first = self._turn(step, state, domain, inner)
            return replace(after, moved=first.moved) if first is not None else None
        return after

    def _turn(self, step: m.Each, state: State, domain: t.Domain, inner: Scope) -> State | None:
        return self._inside(step.body, self._member(state, inner.names[step.variable], domain), inner)

    def _member(self, state: State, variable: t.TExpr, domain: t.Domain) -> State:
        if isinstance(domain, t.Cards):
            return state.lying(variable, domain.zone)
        if isinstance(domain, t.Chosen):
            # Its elements lie where it was picked from, unless a step since then may have moved cards from there.
            zones = [zone for name, zone in state.lies if name == domain.picked.name]
            return state.lying(variable, zones[0]) if zones else state
        if isinstance(domain, t.Sets) and isinstance(domain.of, t.Cards):
            return state.lying(variable, domain.of.zone, filled=domain.type.low > 0)
        return state

    def _surely(self, domain: t.Domain, state: State) -> bool:
        """Whether the domain always has an element."""
        if isinstance(domain, t.Cards):
            return state.holds(domain.zone)
        # Enums without a member in play have been refused (`none-in-play`).
        if isinstance(domain, t.Members):
            return True
        if isinstance(domain, t.Chosen):
            return domain.picked.type.low > 0
        if isinstance(domain, t.Listed):
            return domain.count.type.low > 0
        if isinstance(domain, t.Sets):
            return self._enough(domain, state)
        fits = domain.low.type.high <= domain.high.type.low
        return fits or self.assignment.known(t.Op(BOOL, "<=", (domain.low, domain.high))) is True

    def _enough(self, domain: t.Sets, state: State) -> bool:
        """Whether there always is a set of a size that the option asks for."""
        of, least = domain.of, domain.low.type.high
        # Where the lower bound may exceed the upper one, there may be no set of any size.
        if least > domain.high.type.low:
            return False
        if isinstance(of, t.Cards):
            return least == 0 or (least == 1 and state.holds(of.zone)) or state.holds_at_least(of.zone, least)
        if isinstance(of, t.Members):
            return least <= self._fewest(of.type)
        return least <= of.high.type.low - of.low.type.high + 1

    def _fewest(self, type_: Type) -> int:
        """The lowest number of players, or of members of an enum in play, in any setting."""
        if type_.kind == "player":
            return min(self.assignment.players)
        in_play = self.spec.enums[type_.name].in_play
        # With too many settings the result is 0, which proves nothing.
        among = self.assignment.settings([in_play] if in_play is not None else [])
        return min((len(one.in_play(type_.name)) for one in among or ()), default=0)

    def _random(self, step: m.Random, state: State, scope: Scope) -> State | None:
        return self._inside(step.body, state, scope.bind(**{step.variable: step.domain.type}))

    def _choose(self, step: m.Choose, state: State, scope: Scope) -> State | None:
        present = [o for o in step.options if self.assignment.known(o.only_if) is not False]
        ways = [self._option(o, state.assume(o.only_if), scope) for o in present]
        # An option that some rulings leave out proves nothing here; `flow` tries each setting alone if this fails.
        if not any(self.assignment.known(o.only_if) and self._available(o, state, scope) for o in present):
            if step.none == "leave":
                self._leaves(state)
            elif step.none:
                ways.append(state)
            else:
                self.stuck.setdefault(step)
        return join(ways)

    def _available(self, option: m.Option, state: State, scope: Scope) -> bool:
        """Whether an option that is in the game is always legal."""
        if not all(self._surely(substitute(domain, scope.names), state) for _, domain in option.picks):
            return False
        if not self.assignment.known(option.after):
            return False
        if self.assignment.known(option.condition):
            return True
        condition, picks = self._condition(option.condition, scope), dict(option.picks)
        if condition is not None and self.assignment.known(with_empty_sets(condition, picks)):
            return True
        if condition is not None and always(condition, picks, state.facts, self.spec):
            return True
        return state.facts >= State().assume(condition).facts

    def _option(self, option: m.Option, state: State, scope: Scope, meanwhile: Effects | None = None) -> State | None:
        """The state after an option; `meanwhile` are effects between the choice and the steps of the option."""
        self._count(option)
        inner = scope.bind(**{name: domain.type for name, domain in option.picks})
        domains = {name: substitute(domain, inner.names) for name, domain in option.picks}
        for name, domain in domains.items():
            state = self._member(state, inner.names[name], domain)
        chosen = state.assume(self._condition(option.condition, inner))
        # The condition held when the player chose. What has happened since may have changed what it is about.
        after = self.body(option.body, chosen.after(meanwhile, self.reads) if meanwhile else chosen, inner)
        if after is not None and not meanwhile:
            after = after.assume(self._condition(option.after, inner))  # it was tried
        return after.forget(scope.depth) if after is not None else None

    def _move(self, step: m.Move, state: State, scope: Scope) -> State | None:
        source, target = substitute(step.source, scope.names), substitute(step.target, scope.names)
        # Before the effects of the move, which drop the very fact that the source holds a card.
        certain = self._moves(step, source, state, scope)
        after = state.after(self.changes.of((step,)), self.reads)
        if not certain:
            return after
        card = substitute(step.amount, scope.names) if step.how == "card" and step.amount is not None else None
        # A later move of the same card from there is certain, too.
        after = after.lying(card, target) if isinstance(card, t.Local) else after.filled(target)
        return after.progressed(self._progress(step))

    def _moves(self, step: m.Move, source: t.ZoneRef, state: State, scope: Scope) -> bool:
        """Whether at least one card always moves."""
        if step.amount is None:
            # Of the cards that `where` selects there may be none.
            return step.where is None and state.holds(source)
        if step.how in ("card", "cards"):
            card = substitute(step.amount, scope.names)
            if step.how == "cards" and card.type.low == 0:
                return False
            lies = isinstance(card, t.Local) and (card.name, source) in state.lies
            there = lies or among(state.facts, inline(card, self.spec), source)
            return there or (names_a_card(card, source) and state.holds(source))
        return state.holds(source) and self.assignment.least(step.amount) >= 1

    def _change(self, step: m.Step, state: State, scope: Scope) -> State | None:
        return state.after(self.changes.of((step,)), self.reads)

    def _let(self, step: m.Let, state: State, scope: Scope) -> State | None:
        named = self._evaluated(step.variable, step.value, scope)
        # Of the player who has such a card, the name stands for one who has it.
        value = self._condition(step.value, scope)
        chosen = isinstance(value, t.Fold) and value.function == "first" and not step.value.type.optional
        holds = instance(value, named) if chosen and isinstance(value, t.Fold) else None
        names = {**scope.names, step.variable: named}
        return self._inside(step.body, state.assume(holds), Scope(names, scope.depth + 1))

    def _evaluated(self, name: str, node: t.TExpr, scope: Scope) -> t.TExpr:
        """What a name stands for that is evaluated once: what may change later gets a name of its own."""
        value = substitute(node, scope.names)
        return value if isinstance(value, t.Local | t.Const) else token(name, value.type, scope.depth)

    def _run(self, step: m.Run, state: State, scope: Scope) -> State | None:
        given = {name: self._evaluated(name, argument, scope) for name, argument in step.arguments}
        return self._inside(self.spec.procedures[step.procedure].body, state, Scope(given, scope.depth + 1))

    # blocks

    def _draft(self, step: m.Draft, state: State, scope: Scope) -> State | None:
        draws = state.holds(substitute(step.source, scope.names)) and self.assignment.least(step.draws) >= 1
        after = state.after(self.changes.of((step,)), self.reads)
        progress = self._progress(step)
        after = after.progressed(progress) if draws else after
        inner = scope.bind(card=CARD)
        ways: list[State | None] = [after]
        for place in step.places:
            if self.assignment.known(place.only_if) is not False:
                drawn = after.assume(place.only_if).progressed(progress)
                drawn = drawn.lying(inner.names["card"], substitute(place.target, scope.names))
                ways.append(self._inside(place.then, drawn, inner))
        return join(ways)

    def _auction(self, step: m.Auction, state: State, scope: Scope) -> State | None:
        before = self.body(step.before, state, scope)
        if before is None:
            return None
        lot = substitute(step.lot, scope.names)
        if not before.holds(lot):
            self.lots.setdefault(step)
        # The bidding begins again after `cannot_pay`. The lot counts as filled, as an empty one is reported already.
        begin = before.filled(lot).after(self.changes.of(step.cannot_pay), self.reads)
        inner = scope.bind(winner=PLAYER, price=integer(0, max(0, step.cap.type.high)))
        # The bidding goes on after it, so its end is no way out of the auction. It is analysed for the steps inside.
        self.body(step.cannot_pay, begin, inner)
        sold = self.body(step.takes, self.body(step.pays, begin, inner), inner)
        return join([s.forget(scope.depth) if s else None for s in (sold, self.body(step.nobody, begin, scope))])

    def _secret(self, step: m.Secret, state: State, scope: Scope) -> State | None:
        inner = scope.bind(**{step.player: PLAYER})
        asked = state.assume(self._condition(step.eligible, inner))
        present = [o for o in step.options if self.assignment.known(o.only_if) is not False]
        if not step.none and not any(
            self.assignment.known(o.only_if) and self._available(o, asked, inner) for o in present
        ):
            self.stuck.setdefault(step)
        others = self.changes.of(step.options)
        first = [self._option(o, asked.assume(o.only_if), inner) for o in present]
        # All players choose before the first option runs, so the options of others may run in between.
        later = [self._option(o, asked.assume(o.only_if), inner, others) for o in present]
        after = join([state.after(others, self.reads), *(w.forget(scope.depth) for w in (*first, *later) if w)])
        chosen = [way.moved for way in first if way is not None]
        # An option certainly runs only if all players are asked and none is skipped; of the options the least counts.
        if after is not None and step.eligible is None and not step.none and len(chosen) == len(present) > 0:
            after = after.progressed([min(ways) for ways in zip(*chosen, strict=True)])
        return self.body(step.then, after, scope)

    def _decide(self, step: m.Decide, state: State, scope: Scope) -> State | None:
        verdict = self.judge.verdict(step, scope.names, state.facts)
        known = self.tables.get(step)
        self.tables[step] = verdict if known is None else known.merged(verdict)
        ways = []
        for row in step.rows:
            here = self.assignment.known(row.only_if)
            if here is not False:
                self._count(row)
                when = substitute(row.when, scope.names)
                ways.append(self.body(row.body, state.assume(row.only_if).assume(when), scope))
                # A row that is not in every game excludes nothing for the rows after it.
                state = state.assume(negation(when)) if here else state
        if step.otherwise is not None:
            ways.append(self.body(step.otherwise, state, scope))
        # No row may apply. That is reported, and the steps after the table are analysed anyway.
        elif verdict.gap or not verdict.proven:
            ways.append(state)
        return join(ways)


TRANSFER: dict[type[m.Step], Callable[[DataFlow, Any, State, Scope], State | None]] = {
    m.Show: DataFlow._note,
    m.Do: DataFlow._do,
    m.If: DataFlow._if,
    m.Repeat: DataFlow._repeat,
    m.Leave: DataFlow._leave,
    m.End: DataFlow._end,
    m.Each: DataFlow._each,
    m.Random: DataFlow._random,
    m.Let: DataFlow._let,
    m.Choose: DataFlow._choose,
    m.Move: DataFlow._move,
    m.Shuffle: DataFlow._change,
    m.Set: DataFlow._change,
    m.Connect: DataFlow._change,
    m.Remember: DataFlow._change,
    m.Forget: DataFlow._change,
    m.Run: DataFlow._run,
    m.Draft: DataFlow._draft,
    m.Auction: DataFlow._auction,
    m.Secret: DataFlow._secret,
    m.Decide: DataFlow._decide,
    m.Award: DataFlow._change,
    m.Rank: DataFlow._note,
}
"""The transfer function of each step: what holds after it, given what holds before it; None if nothing comes after."""
