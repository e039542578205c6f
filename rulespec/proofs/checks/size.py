"""Checks how many steps a game can take between two choices."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, reduce
from math import comb, prod

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import Message, say, sentences
from rulespec.language.model import spec as m
from rulespec.language.model.step import inside
from rulespec.language.model.typed import Cards, Chosen, Domain, Listed, Sets, TExpr
from rulespec.language.model.types import Type
from rulespec.language.model.ways import NOTHING, Exit, Point, Ways, steps
from rulespec.proofs.checks import locations
from rulespec.proofs.checks.effects import reached

MOST_WORK = 10_000_000
"""Steps between two choices at worst, at most: seconds in the interpreter."""

Loop = m.Repeat | m.Each


def too_much(spec: m.Spec) -> Iterator[Finding]:
    """The innermost steps that take too long, because nested loops multiply."""
    work = Work(spec)
    for step in spec.steps():
        if work.longest(step) > MOST_WORK and all(work.longest(inner) <= MOST_WORK for inner in work.inside(step)):
            message = say(
                "This can take {step:,} steps between two choices, more than {most_work:,}.",
                step=work.longest(step),
                most_work=MOST_WORK,
            )
            yield locations.report(spec, "too-much-work", message, locations.of(spec, step), _remedy(work, step))
        if isinstance(step, m.Option) and (tried := work.tried(step)) > MOST_WORK:
            message = say(
                "To find out what this option allows can take {tried:,} steps, more than {most_work:,}.",
                tried=tried,
                most_work=MOST_WORK,
            )
            hint = say("Let it pick from less, or ask with `if` in place of `if_after`.")
            yield locations.report(spec, "too-much-work", message, locations.of(spec, step, "if_after"), hint)


def _remedy(work: Work, step: m.Step) -> Message:
    """What would help: the loop that takes most, and a choice in it that may pass without a decision."""
    loop = work.largest_loop(step)
    if loop is None:
        return say("Lower the number of rounds of its loops.")
    line = work.spec.source.located(locations.of(work.spec, loop))[1].line
    takes = say(
        "The loop {loop} takes most: {rounds:,} rounds of up to {steps:,} steps each.",
        loop=say("`{id}`", id=loop.rule) if loop.rule else say("in line {line}", line=line),
        rounds=work.times(loop),
        steps=work.round(loop).longest,
    )
    remedy = say("Lower its rounds, or do less in each.")
    if Work(work.spec, asked=True).longest(step) <= MOST_WORK:
        remedy = say("Its choice may pass by `none: skip`: give it an option that is always possible.")
        if isinstance(loop, m.Repeat):
            remedy = say("Its choice may pass by `none: skip`: write `none: leave`, which ends the loop.")
    return sentences(takes, remedy)


class Work:
    """The ways through every step, in steps of the engine, each computed once. A loop without `at_most` counts as one
    round, and one whose rounds begin with a choice has a round.

    `asked`: as if `none: skip` never passed a choice. `tries`: for steps that are tried.
    """

    def __init__(self, spec: m.Spec, asked: bool = False, tries: bool = False) -> None:
        self.spec, self.players, self.cards = spec, spec.players[-1], len(spec.deck.cards)
        self.skipped: tuple[Exit, ...] = () if asked else (Point.END,)
        self._tries, self._known = tries, dict[m.Step, Ways]()

    def longest(self, step: m.Step) -> int:
        """The most steps of a way through a step."""
        return self.of(step).longest

    def of(self, step: m.Step) -> Ways:
        """The ways through a step, which may be missing in some games."""
        if step not in self._known:
            ways = step.flow(self)
            self._known[step] = self.perhaps(ways) if step.only_if is not None else ways
        return self._known[step]

    def inside(self, step: m.Step) -> Iterator[m.Step]:
        """The steps directly inside a step, or in the procedure it runs."""
        yield from inside(step)
        if isinstance(step, m.Run):
            yield from self.spec.procedures[step.procedure].body

    def largest_loop(self, step: m.Step) -> Loop | None:
        """The step itself if it is a loop, else the loop inside it where most steps are."""
        largest: m.Step | None = step
        while largest is not None and not (isinstance(largest, Loop) and self.times(largest) > 1):
            largest = max(self.inside(largest), key=self.longest, default=None)
        return largest

    def times(self, loop: Loop) -> int:
        """The largest number of rounds of a loop."""
        return self.extent(loop.domain) if isinstance(loop, m.Each) else self.rounds(loop)

    def round(self, loop: Loop) -> Ways:
        """The ways through one round."""
        return self.work(1).then(self.body(loop.body))

    def tried(self, option: m.Option) -> int:
        """The steps that are tried to find out which picks an option allows."""
        if option.after is None:
            return 0
        # Values that loops set are kept before and brought back, all of them.
        names = {one.name for step in self._repeated(option) for one in step.changes()}
        cells = (prod(self._size(index.type) for index in self.spec.values[name].per) for name in names)
        once = 1 + Work(self.spec, tries=True).body(option.body).longest + 2 * sum(cells)
        return prod(map(self.extent, (domain for _, domain in option.picks))) * once

    def _repeated(self, option: m.Option) -> Iterator[m.Step]:
        """The steps that loops of an option carry out, and those that are loops for the engine."""
        for step in reached(self.spec, option.body):
            if isinstance(step, Loop | m.Connect) or step.core is not None:
                yield from reached(self.spec, (step,))

    # what is counted (`Count`)

    def body(self, body: m.Body) -> Ways:
        return reduce(Ways.then, map(self.of, body), NOTHING)

    def any(self, body: m.Body) -> Ways:
        return reduce(Ways.either, map(self.of, body)) if body else NOTHING

    def procedure(self, name: str) -> Ways:
        return self.body(self.spec.procedures[name].body)

    def most(self, number: TExpr) -> int:
        return max(0, number.type.high)

    def rounds(self, loop: m.Repeat) -> int:
        return max(1, loop.at_most.type.high) if loop.at_most is not None else self._pieces

    @cached_property
    def _pieces(self) -> int:
        """The most rounds of a loop without `at_most` in what is tried, where no cards move: as many as tokens, each to
        every place. Elsewhere, such a loop counts as one round."""
        places = [one for one in self.spec.values.values() if one.stock and self._tries]
        return max(1, sum(one.type.high * (self._size(one.kind) if one.kind else 1) for one in places))

    def work(self, number: int, end: Exit = Point.END) -> Ways:
        return steps(number, end)

    def decisions(self, number: int) -> Ways:
        return NOTHING

    draws = decisions

    def choice(self, ways: Ways, *passes: Exit) -> Ways:
        return ways.chosen(*passes)

    def perhaps(self, ways: Ways) -> Ways:
        return ways if ways.waits else ways.either(NOTHING)

    def extent(self, domain: Domain) -> int:
        if isinstance(domain, Sets):
            sizes = range(domain.type.low, domain.type.high + 1)
            return sum(comb(self.extent(domain.of), size) for size in sizes)
        if isinstance(domain, Cards):
            holds = self.spec.zones[domain.zone.name].holds
            return max(1, min(self.cards, holds.type.high if holds is not None else MOST_WORK))
        if isinstance(domain, Chosen):
            return domain.picked.type.high
        if isinstance(domain, Listed):
            return max(1, domain.count.type.high)
        return self._size(domain.type)

    def _size(self, type_: Type) -> int:
        """The number of values of a type."""
        if type_.kind == "card":
            return max(1, self.cards)
        if type_.kind == "enum":
            return len(self.spec.enums[type_.name].members)
        return self.players if type_.kind == "player" else max(1, type_.high - type_.low + 1)
