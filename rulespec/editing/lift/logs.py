"""Lifts logs and saved states to the present version of a game: the same moves, with the present names and numbers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulespec.base.messages import Message, reason, say
from rulespec.base.project import of
from rulespec.base.source import read
from rulespec.engine.interpreter.running import StateError
from rulespec.engine.states.game import Game
from rulespec.engine.states.log import LogError, head, lines, replay_on, rulings_of
from rulespec.engine.states.state import State
from rulespec.games.api import Spec
from rulespec.language.model.renamed import NewNames
from rulespec.language.model.spec import Spec as Model
from rulespec.versions.changes.both import Both


@dataclass(frozen=True)
class Lifted:
    """A log, or a saved state, of the present version. `moves` says whether its moves were found by their words because
    more than names had changed; `other_numbers` of them have another number now, and `same_result` is whether the game
    ends alike. `lines` says whether every line of a log agrees; a saved state has none."""

    text: str
    moves: bool = False
    lines: bool = True
    other_numbers: int = 0
    same_result: bool = True


class NotLifted(Exception):
    """Raised for a log that cannot be lifted, with the reason. `line` is where it stops."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class _Move:
    """A choice of a log: its line, its number among the choices, and what the log says of it."""

    line: int
    number: int
    player: int
    action: int
    rule: str
    says: str


def kept_version(spec: Model, digest: str, version: str) -> Path | None:
    """The file of an older version of a spec with this digest, if it is released or texts were confirmed with it."""
    for path in of(spec.source.path).kept(spec.id, version, spec.variant):
        source, _ = read(str(path))
        if source is not None and hashlib.sha256(source.text.encode()).hexdigest() == digest:
            return path
    return None


def lifted(log: str, spec: Spec, old: Spec | None) -> Lifted:
    """A log on the present version of its game; `old` is the version that it is of, if it is kept.

    If only names have changed, every line must agree. Otherwise the log must replay on its own version, and its moves
    must be legal under their names and words. Raises LogError for a text that is no log, NotLifted for one that cannot
    be lifted, and ValueError for a setting that the present version does not have.
    """
    first = head(log)
    try:
        return Lifted(_text(replay_on(game_of(spec, first), log)))
    except (LogError, ValueError) as error:
        if old is None:
            version = say(
                "version {version}, with which it was played, is not kept in specs/history",
                version=first.get("version"),
            )
            why = say("{first}; {second}", first=reason(error), second=version)
            raise NotLifted(why, getattr(error, "line", 1)) from None
    try:
        was = replay_on(game_of(old, first), log)
    except (LogError, ValueError) as error:
        line = getattr(error, "line", 1)
        raise NotLifted(_neither(error), line) from None
    state, other = by_words(log, was, spec, Both(old.model, spec.model).names)
    return Lifted(_text(state), True, True, other, (was.ranking(), was.scores()) == (state.ranking(), state.scores()))


def game_of(spec: Spec, first: Mapping[str, Any]) -> Game:
    """The game of the first line of a log, or of a saved state. Raises ValueError for a setting that a spec does not
    have."""
    return spec.game(first.get("players"), rulings_of(spec.model, first), "interpreter")


def _neither(error: Exception) -> Message:
    return say("it does not replay on its own version either: {reason}", reason=reason(error))


def _text(state: State) -> str:
    return "".join(f"{line}\n" for line in lines(state))


def by_words(log: str, was: State, spec: Spec, names: NewNames) -> tuple[State, int]:
    """The game of a log that ends in the state `was`, with each move under the number that its words have now, and how
    many moves have another number. Raises NotLifted."""
    state, other = game_of(spec, head(log)).new_initial_state(was.seed), 0
    for move in _moves(log):
        action = _action(state, move, names)
        other += action != move.action
        state.apply_action(action, move.player)
    if was.is_terminal() != state.is_terminal():
        line = len(log.splitlines())
        further = say("the game would go on after its last decision")
        raise NotLifted(further if was.is_terminal() else say("it ends now"), line)
    return state, other


def _moves(log: str) -> Iterator[_Move]:
    number = 0
    for at, text in enumerate(log.splitlines(), 1):
        line = json.loads(text)
        if line.get("event") == "choice":
            number += 1
            yield _Move(at, number, line["player"] - 1, line["action"], line["rule"], line["says"])


def _action(state: State, move: _Move, names: NewNames) -> int:
    """The legal action with the words and the rule of a move. Of several it must be the one with its number."""
    who = say(
        "decision {number}, player {player}: {words} ({rule})",
        number=move.number,
        player=move.player + 1,
        words=move.says,
        rule=move.rule,
    )
    if state.is_terminal() or move.player not in state.deciders():
        raise NotLifted(say("{decision}: the player has nothing to decide then", decision=who), move.line)
    legal = state.legal_actions(move.player)
    found = [one for one in legal if _is(state, move, one, names)]
    if len(found) > 1 and move.action in found:
        return move.action
    if len(found) != 1:
        several = say("{decision}: several moves are called so", decision=who)
        raise NotLifted(several if found else say("{decision}: not a legal move now", decision=who), move.line)
    return found[0]


def _is(state: State, move: _Move, action: int, names: NewNames) -> bool:
    words = state.action_to_string(move.player, action)
    return names.says(move.says, words) and names.says(move.rule, state.why(action))


_SAME = ("zones", "random")
"""What must be the same in a state of another version: where all cards lie, and what is drawn next. The numbers of
registers depend on the version."""


def lifted_state(text: str, spec: Spec, old: Spec | None) -> Lifted:
    """A saved state on the present version of its game; `old` is the version that it is of, if it is kept.

    Raises NotLifted for one that cannot be lifted, and ValueError for a setting that the present version does not have.
    """
    data: dict[str, Any] = json.loads(text)
    try:
        state = _replayed(data, spec)
    except StateError as error:
        return _by_words(data, spec, old, reason(error))
    now = state.snapshot()
    if any(now[part] != data["state"].get(part) for part in _SAME):
        return _by_words(data, spec, old, say("its choices lead to another position now"))
    return Lifted(f"{state.to_json()}\n", lines=False)


def _by_words(data: dict[str, Any], spec: Spec, old: Spec | None, why: str) -> Lifted:
    if old is None:
        version = say(
            "version {version}, with which it was saved, is not kept in specs/history", version=data.get("version")
        )
        raise NotLifted(say("{first}; {second}", first=why, second=version))
    try:
        was = _replayed(data, old)
    except StateError as error:
        raise NotLifted(_neither(error)) from None
    log = "".join(f"{line}\n" for line in lines(was))
    state, other = by_words(log, was, spec, Both(old.model, spec.model).names)
    return Lifted(f"{state.to_json()}\n", True, False, other)


def _replayed(data: dict[str, Any], spec: Spec) -> State:
    state = game_of(spec, data).new_initial_state(data["seed"])
    for player, action in [*data["history"], *data.get("decided", [])]:
        state.apply_action(action, player)
    return state
