"""Logs: a game as JSON lines. The same spec, seed and choices give the same bytes on any machine."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from rulespec.base.messages import Message, say
from rulespec.engine.interpreter.running import StateError
from rulespec.engine.knowledge.events import plain
from rulespec.engine.states.game import Game
from rulespec.engine.states.state import State
from rulespec.language.formats.table import FORMATS
from rulespec.language.model.renamed import NO_NEW_NAMES, NewNames, renamed_since
from rulespec.language.model.spec import Spec

_HEAD: Mapping[str, tuple[type, Message]] = {
    "log": (int, say("a format")),
    "seed": (int, say("a seed")),
    "game": (str, say("a game")),
    "players": (int, say("a number of players")),
    "rulings": (dict, say("rulings")),
}
"""What the first line of a log must name: by key the type and its noun."""


def lines(state: State) -> Iterator[str]:
    """The log of a game so far: a header with the game and the seed, every event with its rule, the result.

    Raises StateError for a game from a position set up by hand: no seed leads to it.
    """
    if state.position is not None:
        raise StateError(say("a game from a position set up by hand has no log: no seed leads to it"))
    yield _line(state.game.identity() | {"log": FORMATS["log"].number} | state.saved_head())
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
    value = _object(text.partition("\n")[0]) or {}
    for key, (type_, noun) in _HEAD.items():
        if not isinstance(value.get(key), type_):
            raise LogError(say("the text is not a log: its first line does not name {noun}", noun=noun), 1)
    if not 1 <= value["log"] <= FORMATS["log"].number:
        what = say("the log has the format {value}, and this ftk reads up to {format}: install a newer ftk")
        raise LogError(say(what, value=value["log"], format=FORMATS["log"].number), 1)
    return value


def damaged(text: str) -> int | None:
    """The first line of a log that is no JSON object, such as the last line of one that is cut off; None if none is."""
    return next((number for number, line in enumerate(text.splitlines(), 1) if _object(line) is None), None)


def _object(line: str) -> dict[str, Any] | None:
    """The JSON object that a line holds, None if it holds none."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def names_since(spec: Spec, head: Mapping[str, Any]) -> NewNames:
    """The names that have changed since a log with this first line was written."""
    return renamed_since(spec, str(head.get("version", "")), str(head.get("digest", "")))


def rulings_of(spec: Spec, head: Mapping[str, Any]) -> dict[str, str]:
    """The answers to rulings that the first line of a log names, under their present names."""
    names, answers = names_since(spec, head), head.get("rulings")
    listed = answers.items() if isinstance(answers, Mapping) else ()
    return dict(names.answer(str(ruling), str(answer)) for ruling, answer in listed)


def replay_on(game: Game, text: str) -> State:
    """Replays a log of any version: its first line is not compared, and renamed names are the same names.

    Raises LogError at the first other line that differs.
    """
    first = head(text)
    begin = next(lines(game.new_initial_state(first["seed"])))
    return _compared(game, first, [begin, *text.splitlines()[1:]], names_since(game.spec, first))


def replay(game: Game, text: str, names: NewNames = NO_NEW_NAMES) -> State:
    """Replays a log and compares every line. Returns the final state. `names` are those that have changed since.

    Raises LogError at the first line that differs, because the log or the rules were changed.
    """
    first, (begin, *rest) = head(text), text.splitlines()
    if _is_older(first):
        begin = _line(first | {"log": FORMATS["log"].number})
    return _compared(game, first, [begin, *rest], names)


def _is_older(first: Mapping[str, Any]) -> bool:
    return bool(first["log"] < FORMATS["log"].number)


def _compared(game: Game, first: Mapping[str, Any], wanted: list[str], names: NewNames) -> State:
    """The game of the lines of a log, each of which is compared; `first` is what its first line says."""
    if isinstance(first.get("chance"), Mapping):
        raise LogError(
            say("this log of `ftk diff --play` drew in a way that ftk no longer has, so it cannot be replayed"), 1
        )
    state = game.new_initial_state(first["seed"])
    for number, line in enumerate(wanted, 1):
        value = _object(line) or {}
        action, player = value.get("action"), value.get("player")
        choice = (action, player - 1) if isinstance(action, int) and isinstance(player, int) else None
        if choice is not None:
            try:
                state.apply_action(*(_by_words(state, line, choice) if _is_older(first) else choice))
            except StateError as error:
                raise LogError(str(error), number) from None
    for number, (found, line) in enumerate(zip(_padded(lines(state), len(wanted)), wanted, strict=True), 1):
        if not names.says(line, found) and not (_is_older(first) and _says_otherwise(line, found)):
            raise LogError(say("the replay differs here: {what}", what=found or say("it has no more events")), number)
    return state


def _by_words(state: State, line: str, choice: tuple[int, int]) -> tuple[int, int]:
    """The action and the player of a choice in format 1, in which numbers of actions may have been others: the only
    legal action with its words and its rule."""
    action, player = choice
    said = _object(line) or {}
    legal = state.legal_actions(player) if not state.is_terminal() and player in state.deciders() else []
    if action in legal and _is(state, player, action, said):
        return choice
    meant = [one for one in legal if _is(state, player, one, said)]
    return (meant[0] if len(meant) == 1 else action), player


def _is(state: State, player: int, action: int, said: Mapping[str, Any]) -> bool:
    return (state.action_to_string(player, action), state.why(action)) == (said.get("says"), said.get("rule"))


_OTHERWISE = {"award": "says", "rank": "says", "choice": "action"}
"""What was said otherwise in logs of format 1, by event: the words of awards and rankings, numbers of actions."""


def _says_otherwise(line: str, found: str) -> bool:
    """Whether two lines differ only in what a log of format 1 said otherwise."""
    before, now = (_object(one) or {} for one in (line, found))
    key = _OTHERWISE.get(str(before.get("event")))
    return key is not None and {**before, key: ""} == {**now, key: ""}


def _padded(found: Iterator[str], size: int) -> list[str]:
    """Exactly `size` lines: cut, or padded with empty ones."""
    return [*found, *[""] * size][:size]
