"""Logs: a game as JSON lines. The same spec, seed and choices give the same bytes on any machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from rulespec.engine.events import plain
from rulespec.engine.game import Game
from rulespec.engine.running import StateError
from rulespec.engine.state import State

FORMAT = 1
"""The format of logs. There has been no other."""


def lines(state: State) -> Iterator[str]:
    """The log of a game so far: a header with the game and the seed, every event with its rule, the result.

    Raises StateError for a game from a position set up by hand: no seed leads to it.
    """
    if state.position is not None:
        raise StateError("a game from a position set up by hand has no log: no seed leads to it")
    yield _line(state.game.identity() | {"log": FORMAT, "seed": state.seed})
    for event in state.events or ():
        if event[0] != "setup":
            yield _line(plain(state, event))
    if state.is_terminal():
        yield _line({"event": "result", "ranks": state.ranking(), "scores": state.scores()})


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


class LogError(ValueError):
    """Raised for a text that is not a log, and for a log that differs from its replay. `line` counts from 1."""

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
    if not isinstance(value, dict) or not isinstance(value.get("log"), int) or not isinstance(value.get("seed"), int):
        raise LogError("the text is not a log: its first line does not name a game and a seed", 1)
    if value["log"] != FORMAT:
        raise LogError(f"the log has the format {value['log']}, but only the format {FORMAT} can be read here", 1)
    return value


def replay(game: Game, text: str) -> State:
    """Replays a log and compares every line. Returns the final state.

    Raises LogError at the first line that differs, because the log or the rules were changed.
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
            raise LogError(f"the replay differs here: {found or 'it has no more events'}", number)
    return state


def _choice(line: str) -> tuple[int, int] | None:
    """The action and the player (from 0) of a line that holds a choice; None for any other line."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    found = (value.get("action"), value.get("player")) if isinstance(value, dict) else (None, None)
    return (found[0], found[1] - 1) if isinstance(found[0], int) and isinstance(found[1], int) else None


def _padded(found: Iterator[str], size: int) -> list[str]:
    """Exactly `size` lines: cut, or padded with empty ones."""
    return [*found, *[""] * size][:size]
