"""How a game at the page ended: places, prizes, the tie-break, and the points on the way there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulespec.engine.states.state import State
    from rulespec.play.table.table import Table
    from rulespec.play.table.words import Words

SAMPLES = 60
"""Points are shown after so many decisions at most, which are as far apart as each other."""


def result_of(table: Table, words: Words) -> dict[str, Any] | None:
    """The result as JSON data, None before the end. `course` has the points of each seat from time to time."""
    state = table.state
    if not state.is_terminal():
        return None
    ranks, scores = state.ranking(), state.scores()
    order = sorted(range(len(ranks)), key=ranks.__getitem__)
    winners = [event[4] for event in state.events or () if event[0] == "award"]
    lines = [words.of(line) for line in state.explain_result()]
    return {
        "places": [{"place": ranks[p], "player": words.player(p), "seat": p, "score": scores[p]} for p in order],
        "prizes": [{"text": text, "seat": seat} for text, seat in zip(lines, winners, strict=False)],
        "decided": lines[-1] if len(lines) > len(winners) else "",
        "course": _course(table, scores),
    }


def _course(table: Table, scores: Sequence[int]) -> list[list[int]]:
    """The points of each seat after some decisions, the last one among them; [] if no value of each player is the
    points at the end, or if it only gets them there."""
    name = next(_points(table.state, scores), None)
    found = [] if name is None else [_of_players(state)[name] for state in _sampled(table)]
    return found if any(any(one) for one in found[:-1]) else []


def _points(state: State, scores: Sequence[int]) -> Iterator[str]:
    """The values whose cells are the points of the players."""
    return (name for name, cells in _of_players(state).items() if cells == list(scores))


def _of_players(state: State) -> dict[str, list[int]]:
    """The titled values with the player as their only index: a number for each seat."""
    found: dict[str, list[int]] = {}
    declared = state.game.spec.values
    for name, _, content in state.game.viewers.values(state, None):
        if [index.type.kind for index in declared[name].per] == ["player"]:
            found.setdefault(name, []).append(content)
    return found


def _sampled(table: Table) -> Iterator[State]:
    """The game from its start, at the decisions that are shown."""
    state, last = table.start.clone(), len(table.made)
    every = max(1, -(-last // SAMPLES))
    for number, made in enumerate(table.made, 1):
        state.apply_action(made.action, made.seat)
        if number % every == 0 or number == last:
            yield state
