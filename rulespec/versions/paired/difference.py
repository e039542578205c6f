"""The first difference of a pair of games: where it shows, and the rule behind it.

Both games are written as steps: every event, and every decision with its legal actions, in names that both versions
share. The first step that differs shows the difference. The rule behind it is the one of this step if a change concerns
it, else the rule with a change that was applied last before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulespec.versions.paired.pair import Pair
from rulespec.versions.paired.players import player_named
from rulespec.versions.paired.steps import Decision, Step, played


@dataclass(frozen=True)
class Difference:
    """The first difference of a pair, and the first decision that differs.

    `rule` is the rule behind it, empty if none is known; `changed` says whether a change concerns this rule. `old` and
    `new` say in words what each version does there. `decision` counts the decisions from 1, None if all are the same;
    `player` is the seat that makes it, from 0. `logs` are those of both games, as `ftk replay` reads them.
    """

    number: int
    rule: str
    changed: bool
    old: str
    new: str
    decision: int | None
    player: int | None
    old_decision: str
    new_decision: str
    logs: tuple[tuple[str, ...], tuple[str, ...]]


def first_difference(pair: Pair, seed: int, number: int, bot: str = "random") -> Difference | None:
    """The first difference of a pair of games; None if no step differs."""
    (old, old_log), (new, new_log) = (played(pair, game, player_named(bot), seed, number) for game in pair.sides)
    at = _differs(old, new)
    if at is None:
        return None
    decided = _differs([step for step in old if step.decision], [step for step in new if step.decision])
    was, now = _decision(old, decided), _decision(new, decided)
    player = next((one.decision.player for one in (was, now) if one is not None and one.decision is not None), None)
    rule = _behind(pair, old, new, at)
    return Difference(
        number,
        rule,
        rule in pair.changed_rules,
        *_contrast(_at(old, at), _at(new, at)),
        None if decided is None else decided + 1,
        player,
        *(_contrast(was, now) if decided is not None else ("", "")),
        (old_log, new_log),
    )


def _differs(old: Sequence[Step], new: Sequence[Step]) -> int | None:
    """The index of the first step that differs."""
    for index, (was, now) in enumerate(zip(old, new, strict=False)):
        if was.key != now.key:
            return index
    return min(len(old), len(new)) if len(old) != len(new) else None


def _at(steps: Sequence[Step], index: int) -> Step | None:
    return steps[index] if index < len(steps) else None


def _decision(steps: Sequence[Step], index: int | None) -> Step | None:
    return None if index is None else _at([step for step in steps if step.decision], index)


# --- the rule behind it ----------------------------------------------------------------------------------------------


def _behind(pair: Pair, old: Sequence[Step], new: Sequence[Step], at: int) -> str:
    """The rule behind the step that differs: of it, or applied last before it, among those with a change."""
    here = list(_rules(_at(old, at), _at(new, at)))
    before = (step.rule for step in reversed(new[:at]))
    return next((rule for rule in (*here, *before) if rule in pair.changed_rules), here[0])


def _rules(old: Step | None, new: Step | None) -> Iterator[str]:
    """The rules of a step: of actions that are legal in one version only, of the chosen ones, of the step itself."""
    steps = [step for step in (new, old) if step is not None]
    decisions = [step.decision for step in steps if step.decision is not None]
    if len(decisions) == 2:
        yield from _only(decisions[0], decisions[1])
        yield from _only(decisions[1], decisions[0])
    yield from (one.legal[one.chosen].rule for one in decisions)
    yield from (step.rule for step in steps)


def _only(one: Decision, other: Decision) -> list[str]:
    """The rules of the actions that are legal in one version only."""
    return [offer.rule for label, offer in one.legal.items() if label not in other.legal]


# --- words -----------------------------------------------------------------------------------------------------------


_MOST = 4
"""Actions that are listed by their words. More are counted."""


def _contrast(old: Step | None, new: Step | None) -> tuple[str, str]:
    """What each version does at a step."""
    return _words(old, new), _words(new, old)


def _words(step: Step | None, other: Step | None) -> str:
    """A step in words, with the actions that are legal in this version only."""
    if step is None:
        return "the game is over"
    here, there = step.decision, other.decision if other is not None else None
    if here is None or there is None or here.player != there.player:
        return step.words
    more = [offer.words for label, offer in here.legal.items() if label not in there.legal]
    listed = ", ".join(more[:_MOST]) + (f" and {len(more) - _MOST} more" if len(more) > _MOST else "")
    return f"{step.words} (legal only here: {listed})" if more else step.words
