"""Checks how many steps a game can take between two choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import Message, say, sentences
from rulespec.language.model import spec as m
from rulespec.language.model.step import inside
from rulespec.language.model.typed import Cards, Chosen, Listed, Members, Range
from rulespec.language.model.ways import NOTHING, Point, Ways, steps
from rulespec.proofs.checks import locations

MOST_WORK = 10_000_000
"""Steps between two choices at worst, at most: seconds in the interpreter."""

Loop = m.Repeat | m.Each


def too_much(spec: m.Spec) -> Iterator[Finding]:
    """The innermost steps that take too long, because nested loops multiply."""
    work = Work(spec)
    for step in spec.steps():
        if work.most(step) > MOST_WORK and all(work.most(inner) <= MOST_WORK for inner in work.inside(step)):
            message = say(
                "This can take {step:,} steps between two choices, more than {most_work:,}.",
                step=work.most(step),
                most_work=MOST_WORK,
            )
            yield locations.report(spec, "too-much-work", message, locations.of(spec, step), _remedy(work, step))


def _remedy(work: Work, step: m.Step) -> Message:
    """What would help: the loop that takes most, and a choice in it that may pass without a decision."""
    loop = work.largest_loop(step)
    if loop is None:
        return say("Lower the number of rounds of its loops.")
    line = work.spec.source.located(locations.of(work.spec, loop))[1].line
    takes = say(
        "The loop {loop} takes most: {rounds:,} rounds of up to {steps:,} steps each.",
        loop=say("`{id}`", id=loop.rule) if loop.rule else say("in line {line}", line=line),
        rounds=work.rounds(loop),
        steps=work.round(loop).longest,
    )
    remedy = say("Lower its rounds, or do less in each.")
    if Work(work.spec, asked=True).most(step) <= MOST_WORK:
        remedy = say("Its choice may pass by `none: skip`: give it an option that is always possible.")
        if isinstance(loop, m.Repeat):
            remedy = say("Its choice may pass by `none: skip`: write `none: leave`, which ends the loop.")
    return sentences(takes, remedy)


STEP = steps(1)


class Work:
    """The ways through every step, computed once. A loop without `at_most` counts as one round, and one whose rounds
    begin with a choice has a round.

    `asked`: as if `none: skip` never passed a choice.
    """

    def __init__(self, spec: m.Spec, asked: bool = False) -> None:
        self.spec, self.asked = spec, asked
        self._known: dict[m.Step, Ways] = {}

    def most(self, step: m.Step) -> int:
        return self.of(step).longest

    def of(self, step: m.Step) -> Ways:
        if step not in self._known:
            ways = _WAYS.get(type(step), Work._other)(self, step)
            self._known[step] = ways.either(NOTHING) if self._may_pass(step) and not ways.waits else ways
        return self._known[step]

    def _may_pass(self, step: m.Step) -> bool:
        """Whether a step is missing in some games, or is a loop that may have no round."""
        if step.only_if is not None:
            return True
        if isinstance(step, m.Repeat):
            return step.while_ is not None or (step.at_most is not None and step.at_most.type.low < 1)
        if not isinstance(step, m.Each):
            return False
        domain = step.domain
        if isinstance(domain, Range):
            return domain.low.type.high > domain.high.type.low
        return step.but is not None or not isinstance(domain, Members)

    def inside(self, step: m.Step) -> Iterator[m.Step]:
        """The steps directly inside a step, or in the procedure it runs."""
        yield from inside(step)
        if isinstance(step, m.Run):
            yield from self.spec.procedures[step.procedure].body

    def largest_loop(self, step: m.Step) -> Loop | None:
        """The step itself if it is a loop, else the loop inside it where most steps are."""
        largest: m.Step | None = step
        while largest is not None and not (isinstance(largest, Loop) and self.rounds(largest) > 1):
            largest = max(self.inside(largest), key=self.most, default=None)
        return largest

    def rounds(self, step: Loop) -> int:
        """The largest number of rounds, at least 1."""
        if isinstance(step, m.Each):
            return self._extent(step)
        return max(1, step.at_most.type.high) if step.at_most is not None else 1

    def round(self, step: Loop) -> Ways:
        """The ways through one round."""
        return STEP.then(self.body(step.body))

    def body(self, body: m.Body) -> Ways:
        return reduce(Ways.then, map(self.of, body), NOTHING)

    def any(self, body: m.Body) -> Ways:
        """The ways through one of the steps."""
        return reduce(Ways.either, map(self.of, body)) if body else NOTHING

    def _other(self, step: m.Step) -> Ways:
        return STEP.then(self.body(tuple(self.inside(step))))

    def _if(self, step: m.If) -> Ways:
        return STEP.then(self.body(step.then).either(self.body(step.otherwise)))

    def _decide(self, step: m.Decide) -> Ways:
        return steps(len(step.rows)).then(self.any(step.rows).either(self.body(step.otherwise or ())))

    def _repeat(self, step: m.Repeat) -> Ways:
        return self.round(step).times(self.rounds(step)).loop({"", step.rule}, self.body(step.then or ()))

    def _each(self, step: m.Each) -> Ways:
        return self.round(step).times(self.rounds(step)).loop({step.rule} - {""}, NOTHING)

    def _leave(self, step: m.Leave) -> Ways:
        return steps(1, step.loop)

    def _end(self, step: m.End) -> Ways:
        return steps(1, Point.PLAY)

    def _connect(self, step: m.Connect) -> Ways:
        """Goes through all squares before and after, and through the neighbours of each that is reached."""
        squares = len(self.spec.enums[step.domain.type.name].members)
        return STEP.times(squares * (2 + step.near.count.type.high))

    def _award(self, step: m.Award) -> Ways:
        return self._other(step).times(self._extent(step))

    def _choose(self, step: m.Choose) -> Ways:
        """Without a legal action it passes without a decision, and the loop goes on or is left."""
        passes = {"skip": () if self.asked else (Point.END,), "leave": ("",)}.get(step.none, ())
        return STEP.then(self.any(step.options).chosen(*passes))

    def _secret(self, step: m.Secret) -> Ways:
        skipped = (step.none and not self.asked) or step.eligible is not None
        options = self.any(step.options).times(self.spec.players[-1])
        chosen = options.chosen(*((Point.END,) if skipped else ()))
        return steps(self.spec.players[-1]).then(chosen).then(self.body(step.then))

    def _draft(self, step: m.Draft) -> Ways:
        return STEP.then(self.any(step.places).chosen(Point.END)).times(max(1, step.draws.type.high))

    def _auction(self, step: m.Auction) -> Ways:
        """Bidders are asked one after the other; each winner who cannot pay begins the bidding again."""
        bids = steps(self.spec.players[-1]).chosen(Point.END)
        sold = self.body(step.pays).then(self.body(step.takes)).either(self.body(step.nobody))
        again = STEP.then(bids).then(self.body(step.cannot_pay)).times(self.spec.players[-1])
        return self.body(step.before).then(again).then(sold)

    def _extent(self, step: m.Each | m.Award) -> int:
        """The largest number of elements of a loop."""
        if isinstance(step.domain, Cards):
            holds = self.spec.zones[step.domain.zone.name].holds
            return max(1, min(len(self.spec.deck.cards), holds.type.high if holds is not None else MOST_WORK))
        if isinstance(step.domain, Chosen):
            return step.domain.picked.type.high
        if isinstance(step.domain, Listed):
            return max(1, step.domain.count.type.high)
        type_ = step.domain.type
        if type_.kind == "enum":
            return len(self.spec.enums[type_.name].members)
        return self.spec.players[-1] if type_.kind == "player" else max(1, type_.high - type_.low + 1)


_WAYS: dict[type[m.Step], Callable[[Work, Any], Ways]] = {
    m.If: Work._if,
    m.Decide: Work._decide,
    m.Repeat: Work._repeat,
    m.Each: Work._each,
    m.Leave: Work._leave,
    m.End: Work._end,
    m.Award: Work._award,
    m.Connect: Work._connect,
    m.Choose: Work._choose,
    m.Secret: Work._secret,
    m.Draft: Work._draft,
    m.Auction: Work._auction,
}
"""The steps whose ways are not those of their parts one after the other."""
