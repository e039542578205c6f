"""What never happens: steps that did not run in any game of any setting, and options that were never taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from rulespec.engine.program import ir
from rulespec.language.model import spec as m
from rulespec.language.model.step import inside
from rulespec.play.deep.ground import Ground
from rulespec.proofs.checks.locations import rule_around

ENOUGH_GAMES = 50
"""In how many games something must have been possible before it is reported that it never happened."""


@dataclass(frozen=True)
class Never:
    """A step that never ran, or (`key`) a condition of a loop that never ended it; in so many games."""

    step: m.Step
    games: int
    key: str = ""


def steps(spec: m.Spec, grounds: Collection[Ground], shown: Callable[[], Collection[str]]) -> Iterator[Never]:
    """The steps that never ran although what is around them did; not those whose rule a scenario shows."""
    ran = {step for ground in grounds for step in ground.steps}
    known = {step for ground in grounds for step in ground.game.present}
    for step in dict.fromkeys(outermost(spec, (*spec.setup, *spec.play), known, ran)):
        games = sum(ground.games for ground in grounds if step in ground.game.present)
        if games >= ENOUGH_GAMES and rule_around(spec, step.span) not in shown():
            yield Never(step, games)


def outermost(
    spec: m.Spec, body: Iterable[m.Step], known: Collection[m.Step], ran: Collection[m.Step]
) -> Iterator[m.Step]:
    for step in body:
        if step in known and step not in ran:
            yield step
        else:
            yield from outermost(spec, _inside(spec, step), known, ran)


def _inside(spec: m.Spec, step: m.Step) -> Iterator[m.Step]:
    """The steps inside a step, with those of a procedure that it runs. What a loop does at its bound is a safeguard."""
    if isinstance(step, m.Run):
        yield from spec.procedures[step.procedure].body
    beyond = step.then or () if isinstance(step, m.Repeat) else ()
    yield from (one for one in inside(step) if one not in beyond)


def endings(grounds: Collection[Ground]) -> Iterator[Never]:
    """Conditions that never ended their loop."""
    tested, ended = Counter[tuple[m.Step, str]](), set[tuple[m.Step, str]]()
    for ground in grounds:
        for place, step, key in conditions(ground):
            tested[step, key] += ground.covered["on", place]
            if ("jumps", place) in ground.covered:
                ended.add((step, key))
    for (step, key), games in tested.items():
        if key != "if" and games >= ENOUGH_GAMES and (step, key) not in ended:
            yield Never(step, games, key)


def conditions(ground: Ground) -> Iterator[tuple[int, m.Step, str]]:
    """The places that test the condition of an `if`, and the `while` and the `until` of loops."""
    first = dict[m.Step, int]()
    for place, (step, instruction) in enumerate(zip(ground.game.steps, ground.game.plain.code, strict=True)):
        if isinstance(step, m.If) and isinstance(instruction, ir.Branch):
            yield place, step, "if"
        elif isinstance(step, m.Repeat) and isinstance(instruction, ir.Branch) and place not in ground.game.loops:
            starts = step.while_ is not None and step not in first
            first.setdefault(step, place)
            if starts or step.until is not None:
                yield place, step, "while" if starts else "until"


def unchanged(spec: m.Spec, grounds: Collection[Ground]) -> Iterator[tuple[str, int]]:
    """Values that steps set, but that never held anything but their start; with the number of games."""
    changed = {name for ground in grounds for kind, name in ground.covered if kind == "changes"}
    ran = {step for ground in grounds for step in ground.steps}
    assigned = {step.target.name for step in ran if isinstance(step, m.Set)}
    games = sum(ground.games for ground in grounds)
    if games >= ENOUGH_GAMES:
        yield from ((name, games) for name in spec.values if name in assigned and name not in changed)
