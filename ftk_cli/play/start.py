"""Where a game starts: `--from` a case of a file of scenarios, `FILE#CASE`, or a rule; `--resume` where it stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ftk_cli import failure, games, inputs
from ftk_cli.report.display import harmless
from rulespec.base.messages import reason, say
from rulespec.base.project import of
from rulespec.base.source import read as read_source
from rulespec.editing.file_kinds import kind_of, spec_of
from rulespec.engine.interpreter.running import StateError
from rulespec.engine.states.log import LogError, rulings_of
from rulespec.games.scenario.runner import files
from rulespec.games.scenario.start import NoStart, before_rule, from_case, variant_of

if TYPE_CHECKING:
    from rulespec.base.source import Source
    from rulespec.engine.states.game import Game
    from rulespec.games.api import Spec
    from rulespec.games.scenario.start import Start
    from rulespec.play.table.table import Table

CASE = "#"
"""What stands between a file of scenarios and the id of a case."""


def variant_at(place: str) -> str:
    """The variant of the scenarios that a place is in, "" if it is none or no scenario."""
    return variant_of(_scenarios(place)) if CASE in place else ""


def start_at(
    place: str, spec: Spec, players: int | None, rulings: Mapping[str, str], seed: int, engine: str = "auto"
) -> Start:
    """The start at a place. Raises Failure if no game leads there, UsageError for a case with another setting."""
    rules = spec.model.rules
    if CASE not in place and place not in rules:
        otherwise = say("Name a rule by its id, or a case of scenarios by FILE#CASE.")
        hint = failure.did_you_mean(place, rules) or otherwise
        raise failure.Failure(say("{title} has no rule `{rule}`.", title=spec.model.title, rule=place), hint)
    try:
        if CASE in place:
            if players is not None or rulings:
                raise click.UsageError(say("A case has its own players and rulings: leave out --players and --ruling."))
            source = _scenarios(place, spec.id)
            return from_case(source, place.rpartition(CASE)[2], spec, games.engine_here(engine))
        counts = spec.players if players is None else [players]
        made = [games.make(spec, count, rulings, engine) for count in counts]
        return before_rule(place, made, seed, _of_game(spec), spec)
    except NoStart as error:
        raise failure.Failure(reason(error), error.hint) from None


def _scenarios(place: str, game: str = "") -> Source:
    """The file of scenarios that a place is in. Raises Failure if it is no such file, or one of another game."""
    file = place.rpartition(CASE)[0]
    source = inputs.source(file)
    kind = kind_of(source)
    if kind is None or kind.name != "scenario" or (game and Path(spec_of(source)).stem != game):
        none = say("{file} has no scenarios.", file=file)
        none_of = say("{file} has no scenarios of {game}.", file=file, game=game)
        raise failure.Failure(none_of if game else none, say("Name a case by FILE#CASE."))
    return source


def _of_game(spec: Spec) -> Iterator[Source]:
    """The scenarios of a game in its variant."""
    path = spec.model.source.path
    folder = of(path).scenarios / Path(path).stem
    for file in files([folder]) if folder.is_dir() else ():
        source, _ = read_source(str(file))
        if source is not None and variant_of(source) == spec.model.variant:
            yield source


@dataclass(frozen=True)
class Begun:
    """A game that goes on: the text and the path of its log or saved state, and what its first line says."""

    text: str
    path: str
    head: dict[str, Any]

    @property
    def variant(self) -> str:
        return str(self.head.get("variant", ""))

    def game(self, spec: Spec, engine: str) -> Game:
        """The game in the setting that it was begun in. Raises Failure for a game of another spec."""
        if self.head.get("game") != spec.id:
            found = harmless(str(self.head.get("game")))[:60]
            raise failure.Failure(
                say("{path} is of the game `{found}`, not of `{id}`.", path=self.path, found=found, id=spec.id),
                say("Name the right spec."),
            )
        return games.make(spec, self.head.get("players"), rulings_of(spec.model, self.head), engine)

    def resume(self, table: Table) -> None:
        """Brings a table to where the game stopped. Raises Failure if its rules have changed."""
        try:
            table.resume(self.text)
        except LogError as error:
            raise failure.Failure(
                say("{path}:{line}: {reason}.", path=self.path, line=error.line, reason=reason(error)),
                say("See: ftk replay {path}", path=self.path),
            ) from None
        except StateError as error:
            raise failure.Failure(
                say("{path}: {reason}.", path=self.path, reason=reason(error)),
                say("Go on with the spec that it was saved with."),
            ) from None


def begun(path: str) -> Begun:
    """The game in a log or a saved state. Raises Failure for any other file."""
    source = inputs.source(path)
    try:
        head = json.loads(source.text.partition("\n")[0])
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict) or "game" not in head:
        hint = say("Name a file that `ftk play --log FILE` has written.")
        raise failure.Failure(say("{path} is neither a log nor a saved state.", path=path), hint)
    return Begun(source.text, path, head)
