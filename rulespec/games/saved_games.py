"""Checks of saved games: logs (`ftk play --log`) and states (`State.to_json`), replayed with the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import Message, reason, say
from rulespec.base.project import spec_for
from rulespec.base.source import Source
from rulespec.engine.interpreter.running import StateError
from rulespec.engine.states.game import Game
from rulespec.engine.states.log import LogError, replay_on, rulings_of
from rulespec.games.api import DeckFile, Spec, SpecError, load
from rulespec.games.saved_heads import ID, first_value, json_object
from rulespec.language.formats.current import older
from rulespec.language.formats.table import FORMATS
from rulespec.language.overlay.stack import VariantError

_FIELDS: tuple[tuple[str, type, Message], ...] = (
    ("game", str, say("a game")),
    ("players", int, say("a number of players")),
    ("rulings", dict, say("rulings")),
    ("seed", int, say("a seed")),
)
_INTACT = say("Use the file as it was written.")


def check_log(source: Source, deck: DeckFile | None = None) -> Iterator[Finding]:
    """What is wrong with a log: its first line, its game, or the first line that the rules contradict."""
    head = first_value(source.text)
    game = _game(head, source, deck)
    if isinstance(game, Finding):
        yield game
        return
    if type(stated := head.get("log")) is int and 1 <= stated < FORMATS["log"].number:
        yield older(source, Span(0, len(source.line(1))), "log", stated)
    try:
        # The log may be of another version of the spec: its first line differs, its choices may still hold.
        replay_on(game, source.text)
    except LogError as error:
        yield _at("saved-game-differs", _no_replay(error), source, error.line)


def check_state(source: Source, deck: DeckFile | None = None) -> Iterator[Finding]:
    """What is wrong with a saved state: its game, or that its choices do not lead to it."""
    game = _game(json_object(source.text), source, deck)
    if isinstance(game, Finding):
        yield game
        return
    try:
        game.state_from_json(source.text)
    except StateError as error:
        yield _at("saved-game-differs", _no_replay(error), source)


def _game(head: Mapping[str, Any], source: Source, deck: DeckFile | None) -> Game | Finding:
    for key, type_, noun in _FIELDS:
        if not isinstance(head.get(key), type_):
            return _at(
                "saved-game-unreadable", say("The first line of this file does not name {noun}.", noun=noun), source
            )
    spec = _spec(head["game"], str(head.get("variant", "")), source, deck)
    if isinstance(spec, Finding):
        return spec
    try:
        return spec.game(head["players"], rulings_of(spec.model, head))
    except ValueError as error:
        return _at("saved-game-differs", say("This file does not fit the spec: {error}.", error=reason(error)), source)


def _spec(game: str, variant: str, source: Source, deck: DeckFile | None) -> Spec | Finding:
    # The id is data from elsewhere: it may choose among the known games, never name another file.
    if not ID.fullmatch(game):
        return _at("saved-game-no-game", say("There is no spec for the game `{game}`.", game=game[:60]), source)
    try:
        return load(spec_for(game, source.path), deck, variant)
    except VariantError as error:
        return _at("saved-game-no-game", reason(error), source)
    except SpecError as error:
        if any(found.name == "file-not-found" for found in error.diagnostics):
            return _at("saved-game-no-game", say("There is no spec for the game `{game}`.", game=game), source)
        return _at(
            "saved-game-no-game",
            say("The spec of `{game}` has errors, so this file cannot be replayed.", game=game),
            source,
        )


def _no_replay(error: Exception) -> Message:
    return say("This file cannot be replayed: {error}.", error=reason(error))


def _at(name: str, message: Message, source: Source, line: int = 1) -> Finding:
    line = min(line, source.line_count)
    start = source.line_start(line)
    return finding(name, message, source, Span(start, start + len(source.line(line))), _INTACT)
