"""Checks how many steps a game can take between two choices."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checks import locations
from rulespec.diagnostics import Finding
from rulespec.model import spec as m
from rulespec.model.step import inside
from rulespec.model.typed import Cards

MOST_WORK = 10_000_000
"""Steps of a game at worst, at most: seconds in the interpreter. The shipped games need up to 9,283,012."""


def too_much(spec: m.Spec) -> Iterator[Finding]:
    """The innermost steps that take too long, because nested loops multiply."""
    work = Work(spec)
    for step in spec.steps():
        if work.of(step) > MOST_WORK and all(work.of(inner) <= MOST_WORK for inner in work.inside(step)):
            message = f"This can take {work.of(step):,} steps, more than {MOST_WORK:,}."
            hint = "Lower the number of rounds of its loops."
            yield locations.report(spec, "too-much-work", message, locations.of(spec, step), hint)


class Work:
    """The largest number of steps that a step takes; loops without `at_most` count as one round."""

    def __init__(self, spec: m.Spec) -> None:
        self.spec = spec
        self._known: dict[m.Step, int] = {}

    def of(self, step: m.Step) -> int:
        if step not in self._known:
            self._known[step] = self._rounds(step) * (1 + sum(map(self.of, self.inside(step))))
        return self._known[step]

    def inside(self, step: m.Step) -> Iterator[m.Step]:
        """The steps directly inside a step, or in the procedure it runs."""
        yield from inside(step)
        if isinstance(step, m.Run):
            yield from self.spec.procedures[step.procedure].body

    def _rounds(self, step: m.Step) -> int:
        if isinstance(step, m.Repeat):
            return max(1, step.at_most.type.high) if step.at_most is not None else 1
        if isinstance(step, m.Secret):
            return self.spec.players[-1]
        return self._extent(step) if isinstance(step, m.Each | m.Award) else 1

    def _extent(self, step: m.Each | m.Award) -> int:
        """The largest number of elements of a loop."""
        if isinstance(step.domain, Cards):
            return max(1, len(self.spec.deck.cards))
        type_ = step.domain.type
        if type_.kind == "enum":
            return len(self.spec.enums[type_.name].members)
        return self.spec.players[-1] if type_.kind == "player" else max(1, type_.high - type_.low + 1)
