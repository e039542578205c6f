"""Lifts logs to the present version of a game: the same moves, by their words, with the present names and numbers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulespec.api import Spec
from rulespec.changes.both import Both
from rulespec.diagnostics import Severity
from rulespec.document import Mapping as MapNode
from rulespec.document import Scalar, parse
from rulespec.engine.game import Game
from rulespec.engine.log import LogError, damaged, head, lines, replay_on, rulings_of
from rulespec.engine.named.game import game_of_log
from rulespec.engine.state import State
from rulespec.file_kinds import FileKind
from rulespec.model.renamed import NewNames
from rulespec.model.spec import Spec as Model
from rulespec.project import of
from rulespec.saved_games import first_value
from rulespec.source import Source, read

__all__ = ["FORMAT", "Lifted", "NotLifted", "damage", "format_of", "kept_version", "lifted"]

FORMAT = 1
"""The newest format of all kinds of files. There has been no other, so no file is of an older one."""


def format_of(source: Source, key: str) -> int | None:
    """The format that a file names: under `key` in a YAML file, on the first line of a log or a saved state without a
    key. None if it names none."""
    if not key:
        first = first_value(source.text)
        return max((one for name in ("log", "format") if isinstance(one := first.get(name), int)), default=None)
    root, _ = parse(source)
    node = root.get(key) if isinstance(root, MapNode) else None
    return node.value if isinstance(node, Scalar) and isinstance(node.value, int) else None


def damage(source: Source, kind: FileKind | None) -> tuple[int, str] | None:
    """The line at which a file is damaged, and what is wrong there; None if all of it can be read.

    A text that begins like a log or a saved state was one, even if so much is lost that it is of no kind now.
    """
    if kind is not None and kind.key:
        wrong = next((one for one in parse(source)[1] if one.severity == Severity.ERROR), None)
        return (wrong.start.line, wrong.message) if wrong is not None else None
    lines_of_json = kind.name == "log" if kind is not None else _begins_as_json(source.text)
    line = damaged(source.text) if lines_of_json else None
    return (line, "This line is no complete JSON object: the file is damaged.") if line is not None else None


def _begins_as_json(text: str) -> bool:
    """Whether a text begins with a JSON object that is not complete."""
    if not text.lstrip().startswith("{"):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return True
    return False


@dataclass(frozen=True)
class Lifted:
    """A log of the present version. `moves` says whether its moves were found by their words because more than names
    had changed; `other_numbers` of them have another number now, and `same_result` is whether the game ends alike."""

    text: str
    moves: bool = False
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
        game = _game(spec, first)
        return Lifted(_text(replay_on(game, log)))
    except (LogError, ValueError) as error:
        if old is None:
            version = f"version {first.get('version')}, with which it was played, is not kept in specs/history"
            raise NotLifted(f"{error}; {version}", getattr(error, "line", 1)) from None
    try:
        was = replay_on(_game(old, first), log)
    except (LogError, ValueError) as error:
        line = getattr(error, "line", 1)
        raise NotLifted(f"it does not replay on its own version either: {error}", line) from None
    return _by_words(log, was, spec, Both(old.model, spec.model).names)


def _game(spec: Spec, first: Mapping[str, Any]) -> Game:
    return game_of_log(spec.game(first.get("players"), rulings_of(spec.model, first), "interpreter"), first)


def _text(state: State) -> str:
    return "".join(f"{line}\n" for line in lines(state))


def _by_words(log: str, was: State, spec: Spec, names: NewNames) -> Lifted:
    """The log with each move under the number that its words have now."""
    state, other = _game(spec, head(log)).new_initial_state(was.seed), 0
    for move in _moves(log):
        action = _action(state, move, names)
        other += action != move.action
        state.apply_action(action, move.player)
    if was.is_terminal() != state.is_terminal():
        line = len(log.splitlines())
        raise NotLifted("the game would go on after its last decision" if was.is_terminal() else "it ends now", line)
    return Lifted(_text(state), True, other, (was.ranking(), was.scores()) == (state.ranking(), state.scores()))


def _moves(log: str) -> Iterator[_Move]:
    number = 0
    for at, text in enumerate(log.splitlines(), 1):
        line = json.loads(text)
        if line.get("event") == "choice":
            number += 1
            yield _Move(at, number, line["player"] - 1, line["action"], line["rule"], line["says"])


def _action(state: State, move: _Move, names: NewNames) -> int:
    """The legal action with the words and the rule of a move. Of several it must be the one with its number."""
    who = f"decision {move.number}, player {move.player + 1}: {move.says} ({move.rule})"
    if state.is_terminal() or move.player not in state.deciders():
        raise NotLifted(f"{who}: the player has nothing to decide then", move.line)
    legal = state.legal_actions(move.player)
    found = [one for one in legal if _is(state, move, one, names)]
    if len(found) > 1 and move.action in found:
        return move.action
    if len(found) != 1:
        raise NotLifted(f"{who}: {'not a legal move now' if not found else 'several moves are called so'}", move.line)
    return found[0]


def _is(state: State, move: _Move, action: int, names: NewNames) -> bool:
    words = state.action_to_string(move.player, action)
    return names.says(move.says, words) and names.says(move.rule, state.why(action))
