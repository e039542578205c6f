"""Logs: a game as JSON lines, the same bytes for the same spec, seed and choices on any machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from rulespec.engine.events import plain
from rulespec.engine.game import Game
from rulespec.engine.running import StateError
from rulespec.engine.state import State


def lines(state: State) -> Iterator[str]:
    """The log of a game so far: a head with the game and the seed, every event with its rule, the result.

    Raises StateError for a game from a position set up by hand: no seed leads there.
    """
    if state.position is not None:
        raise StateError("a position set up by hand has no log: no seed leads there")
    yield _line(state.game.identity() | {"log": 1, "seed": state.seed})
    for event in state.events or ():
        if event[0] != "setup":
            yield _line(plain(state, event))
    if state.is_terminal():
        yield _line({"event": "result", "ranks": state.ranking(), "scores": state.scores()})


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


class LogError(ValueError):
    """A text that is no log, or a log that the rules no longer follow; `line` counts from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def head(text: str) -> dict[str, Any]:
    """The first line of a log. Raises LogError."""
    first = text.partition("\n")[0]
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or value.get("log") != 1 or not isinstance(value.get("seed"), int):
        raise LogError("this is no log: its first line does not name a game and a seed", 1)
    return value


def replay(game: Game, text: str) -> State:
    """Plays a log again and compares every line. Returns the state it leads to.

    Raises LogError at the first line that differs, be it that the log was changed or that the rules were.
    """
    wanted = text.splitlines()
    state = game.new_initial_state(head(text)["seed"])
    for number, line in enumerate(wanted, 1):
        choice = _choice(line)
        if choice is not None:
            try:
                state.apply_action(*choice)
            except StateError as error:
                raise LogError(str(error), number) from None
    for number, (found, line) in enumerate(zip(_padded(lines(state), len(wanted)), wanted, strict=True), 1):
        if found != line:
            raise LogError(f"the rules say otherwise here: {found or 'nothing more happens'}", number)
    return state


def _choice(line: str) -> tuple[int, int] | None:
    """Action and player (from 0) of a line that tells of a choice."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    found = (value.get("action"), value.get("player")) if isinstance(value, dict) else (None, None)
    return (found[0], found[1] - 1) if isinstance(found[0], int) and isinstance(found[1], int) else None


def _padded(found: Iterator[str], size: int) -> list[str]:
    """Exactly so many lines, empty ones at the end where there are too few."""
    return [*found, *[""] * size][:size]
