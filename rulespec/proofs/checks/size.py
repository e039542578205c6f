"""Checks how many steps a game can take between two choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import say
from rulespec.language.model import spec as m
from rulespec.language.model.step import inside
from rulespec.language.model.typed import Cards, Chosen, Domain, Listed
from rulespec.proofs.checks import locations

MOST_WORK = 10_000_000
"""Steps between two choices at worst, at most: seconds in the interpreter."""

NEVER = -1
"""The length of a way that does not exist."""


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
            hint = say("Lower the number of rounds of its loops.")
            yield locations.report(spec, "too-much-work", message, locations.of(spec, step), hint)


@dataclass(frozen=True)
class Ways:
    """The lengths of the longest ways through a part of a game, in steps; NEVER if there is no such way.

    `through` meets no choice, `to` leads from the beginning to the first choice, `off` from the last choice to the end,
    `between` from one choice to the next.
    """

    through: int = 0
    to: int = NEVER
    off: int = NEVER
    between: int = NEVER

    @property
    def most(self) -> int:
        return max(self.through, self.to, self.off, self.between)

    def then(self, after: Ways) -> Ways:
        """The ways through this part and the one after it."""
        return Ways(
            _sum(self.through, after.through),
            max(self.to, _sum(self.through, after.to)),
            max(after.off, _sum(self.off, after.through)),
            max(self.between, after.between, _sum(self.off, after.to)),
        )

    def either(self, other: Ways) -> Ways:
        """The ways through this part or the other."""
        return Ways(
            max(self.through, other.through),
            max(self.to, other.to),
            max(self.off, other.off),
            max(self.between, other.between),
        )

    def times(self, rounds: int) -> Ways:
        """The ways through up to so many rounds of this part."""
        again = _sum(self.off, self.to)
        # All rounds but one may pass without a choice, before the first choice as well as after the last one.
        skipped = max(0, rounds - 1) * self.through if self.through != NEVER else 0
        # Between the choices of two rounds, all other rounds may pass.
        more = max(0, rounds - 2) * self.through if self.through != NEVER else 0
        return Ways(
            rounds * self.through if self.through != NEVER else NEVER,
            _sum(self.to, skipped),
            _sum(self.off, skipped),
            max(self.between, _sum(again, more) if rounds > 1 else NEVER),
        )

    def chosen(self, asked: bool) -> Ways:
        """The ways through a choice with this part after it; unless it is `asked`, it may be passed without one."""
        return Ways(NEVER if asked else 1, 1, max(self.through, self.off), max(self.between, self.to))


def _sum(one: int, other: int) -> int:
    return NEVER if NEVER in (one, other) else one + other


STEP = Ways(1)


class Work:
    """The ways through every step, computed once; loops without `at_most` count as one round."""

    def __init__(self, spec: m.Spec) -> None:
        self.spec = spec
        self._known: dict[m.Step, Ways] = {}

    def most(self, step: m.Step) -> int:
        return self.of(step).most

    def of(self, step: m.Step) -> Ways:
        if step not in self._known:
            self._known[step] = _WAYS.get(type(step), Work._other)(self, step)
        return self._known[step]

    def inside(self, step: m.Step) -> Iterator[m.Step]:
        """The steps directly inside a step, or in the procedure it runs."""
        yield from inside(step)
        if isinstance(step, m.Run):
            yield from self.spec.procedures[step.procedure].body

    def body(self, steps: m.Body) -> Ways:
        return reduce(Ways.then, map(self.of, steps), Ways())

    def any(self, steps: m.Body) -> Ways:
        return reduce(Ways.either, map(self.of, steps), Ways())

    def _other(self, step: m.Step) -> Ways:
        return STEP.then(self.body(tuple(self.inside(step))))

    def _if(self, step: m.If) -> Ways:
        return STEP.then(self.body(step.then).either(self.body(step.otherwise)))

    def _decide(self, step: m.Decide) -> Ways:
        return Ways(len(step.rows)).then(self.any(step.rows).either(self.body(step.otherwise or ())))

    def _repeat(self, step: m.Repeat) -> Ways:
        rounds = max(1, step.at_most.type.high) if step.at_most is not None else 1
        return STEP.then(self.body(step.body)).times(rounds).then(self.body(step.then or ()))

    def _each(self, step: m.Each) -> Ways:
        return STEP.then(self.body(step.body)).times(self._extent(step.domain))

    def _connect(self, step: m.Connect) -> Ways:
        """Goes through all squares before and after, and through the neighbours of each that is reached."""
        squares = self._extent(step.domain)
        return STEP.times(squares * (2 + self._extent(step.near)))

    def _award(self, step: m.Award) -> Ways:
        return self._other(step).times(self._extent(step.domain))

    def _choose(self, step: m.Choose) -> Ways:
        return STEP.then(self.any(step.options).chosen(asked=not step.none))

    def _secret(self, step: m.Secret) -> Ways:
        asked = not step.none and step.eligible is None
        chosen = self.any(step.options).times(self.spec.players[-1]).chosen(asked)
        return Ways(self.spec.players[-1]).then(chosen).then(self.body(step.then))

    def _draft(self, step: m.Draft) -> Ways:
        return STEP.then(self.any(step.places).chosen(asked=False)).times(max(1, step.draws.type.high))

    def _auction(self, step: m.Auction) -> Ways:
        """Bidders are asked one after the other; each winner who cannot pay begins the bidding again."""
        bids = Ways(self.spec.players[-1]).chosen(asked=False)
        sold = self.body(step.pays).then(self.body(step.takes)).either(self.body(step.nobody))
        again = STEP.then(bids).then(self.body(step.cannot_pay)).times(self.spec.players[-1])
        return self.body(step.before).then(again).then(sold)

    def _extent(self, domain: Domain) -> int:
        """The largest number of elements of a loop."""
        if isinstance(domain, Cards):
            holds = self.spec.zones[domain.zone.name].holds
            return max(1, min(len(self.spec.deck.cards), holds.type.high if holds is not None else MOST_WORK))
        if isinstance(domain, Chosen):
            return domain.picked.type.high
        if isinstance(domain, Listed):
            return max(1, domain.count.type.high)
        type_ = domain.type
        if type_.kind == "enum":
            return len(self.spec.enums[type_.name].members)
        return self.spec.players[-1] if type_.kind == "player" else max(1, type_.high - type_.low + 1)


_WAYS: dict[type[m.Step], Callable[[Work, Any], Ways]] = {
    m.If: Work._if,
    m.Decide: Work._decide,
    m.Repeat: Work._repeat,
    m.Each: Work._each,
    m.Award: Work._award,
    m.Connect: Work._connect,
    m.Choose: Work._choose,
    m.Secret: Work._secret,
    m.Draft: Work._draft,
    m.Auction: Work._auction,
}
"""The steps whose ways are not those of their parts one after the other."""
