"""The effects of steps: everything that they may change."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from rulespec.language.model import spec as m
from rulespec.language.model.step import inside
from rulespec.language.model.typed import TExpr, Value, ZoneRef, constant
from rulespec.proofs.checks.assignments import Assignment
from rulespec.proofs.checks.implications import Effects, negation

Conditions: TypeAlias = tuple[TExpr, ...]
Flows: TypeAlias = frozenset[tuple[str, str]]


def placed(spec: m.Spec) -> Iterator[tuple[m.Step, Conditions]]:
    """Every step of setup and play, those of procedures once per run, with the constant conditions under which the
    step is in the game."""
    for step in (*spec.setup, *spec.play):
        yield from _placed(spec, step, ())


def _placed(spec: m.Spec, step: m.Step, around: Conditions) -> Iterator[tuple[m.Step, Conditions]]:
    here = (*around, step.only_if) if step.only_if is not None else around
    yield step, here
    settled = isinstance(step, m.If) and constant(step.condition)
    for inner in spec.procedures[step.procedure].body if isinstance(step, m.Run) else inside(step):
        asked: Conditions = ()
        if isinstance(step, m.If) and settled:
            # Steps are compared by identity, so an equal step in the other branch is not found here.
            then = inner in step.then
            asked = (step.condition if then else negation(step.condition),)
        yield from _placed(spec, inner, (*here, *asked))


def reached(spec: m.Spec, body: m.Body) -> Iterator[m.Step]:
    """Every step of a body, inside its steps, and in the procedures that it runs: those once for each run."""
    for top in body:
        for step, _ in _placed(spec, top, ()):
            yield step


def parts(step: m.Step, assignment: Assignment) -> Iterator[m.Step]:
    """The steps directly inside a step, without those that are never in the game."""
    skipped: m.Body = ()
    if isinstance(step, m.If) and (known := assignment.known(step.condition)) is not None:
        skipped = step.otherwise if known else step.then
    for inner in inside(step):
        if assignment.known(inner.only_if) is not False and inner not in skipped:
            yield inner


class Changes:
    """The effects of steps under an assignment, computed once per step."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self._steps: dict[m.Step, Effects] = {}

    def of(self, body: m.Body) -> Effects:
        found = Effects()
        for step in body:
            if step not in self._steps:
                self._steps[step] = self._computed(step)
            found |= self._steps[step]
        return found

    def _computed(self, step: m.Step) -> Effects:
        if self.assignment.known(step.only_if) is False:
            return Effects()
        called = self.assignment.spec.procedures[step.procedure].body if isinstance(step, m.Run) else ()
        return own(step) | self.of(tuple(parts(step, self.assignment))) | self.of(called)


def own(step: m.Step) -> Effects:
    """What a step changes itself, without the steps inside it or the procedure it runs."""
    changes = step.changes()
    return Effects(
        flows=frozenset((way.source.name, way.target.name) for way in step.flows())
        | frozenset((source.name, target.name) for source, target in step.tokens()),
        stirred=frozenset(one.name for one in changes if isinstance(one, ZoneRef)),
        sets=frozenset(one.name for one in changes if isinstance(one, Value)),
    )


# Cached, because the analysis visits a loop again for each round of the loops around it, with the same flows.
@lru_cache(maxsize=256)
def onward(flows: Flows) -> Flows:
    """The moves between zones, and of tokens, that no other moves lead back from: each brings its card or token closer
    to where it stays."""
    return frozenset((source, target) for source, target in flows if source not in _reached_from(target, flows))


def _reached_from(zone: str, flows: Flows) -> set[str]:
    """The zone, and those that a card can get to from it."""
    found, waiting = {zone}, [zone]
    while waiting:
        here = waiting.pop()
        further = {target for source, target in flows if source == here} - found
        found |= further
        waiting += further
    return found


def cycle(flows: Flows) -> list[str]:
    """A cycle of zones that a card can move around, with the first zone repeated at the end; empty if there is none."""
    onward: dict[str, list[str]] = {}
    # Sorted: a set of texts has another order in each process, and the finding must name the same cycle.
    for source, target in sorted(flows):
        onward.setdefault(source, []).append(target)
    done: set[str] = set()
    for start in onward:
        found = _round_trip(start, (), onward, done)
        if found:
            return found
    return []


def _round_trip(zone: str, path: tuple[str, ...], onward: dict[str, list[str]], done: set[str]) -> list[str]:
    if zone in path:
        return [*path[path.index(zone) :], zone]
    # No cycle goes through a zone whose ways have all been followed.
    if zone in done:
        return []
    for target in onward.get(zone, ()):
        found = _round_trip(target, (*path, zone), onward, done)
        if found:
            return found
    done.add(zone)
    return []
