"""The option `--play` of `ftk diff`: both versions simulated with the same seeds."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from ftk_cli import bots as players_of
from ftk_cli import games, options
from ftk_cli.failure import is_quiet, sentence
from ftk_cli.playing import playing
from rulespec.base.characters import visible
from rulespec.base.messages import say

if TYPE_CHECKING:
    from rulespec.base.pages.sheet import Section
    from rulespec.language.model.spec import Spec as Model
    from rulespec.versions.simulated import Simulation


@dataclass(frozen=True)
class Wanted:
    """The options of --play."""

    players: int | None
    games: int
    seed: int
    bots: str | None
    rulings: dict[str, str]
    workers: int | None


_OPTIONS = (
    click.option("--play", is_flag=True, help="Also simulate both versions with the same seeds, side by side."),
    click.option(
        "--players",
        type=click.IntRange(min=1),
        metavar="N",
        help="The number of players (default: each that a version has).",
    ),
    click.option(
        "--games",
        type=click.IntRange(1, options.MOST_GAMES),
        metavar="N",
        help="How many games of each version (default: 10,000 of random players, 100 of bots).",
    ),
    options.seed,
    players_of.bot,
    options.rulings,
    options.workers,
)
_ONLY = ("players", "games", "seed", "bots", "rulings", "workers")


def option(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options of --play to a command, which gets them as `play`: `Wanted`, or None without --play."""

    @functools.wraps(command)
    def with_play(*args: Any, play: bool, **given: Any) -> None:
        mine = {name: given.pop(name) for name in _ONLY}
        if not play and (named := sorted(name for name, value in mine.items() if value not in (None, {}))):
            shown = {"rulings": "ruling", "bots": "bot"}.get(named[0], named[0])
            raise click.UsageError(say("--{option} is an option of --play.", option=shown))
        mine["games"] = mine["games"] or (10_000 if mine["bots"] is None else 100)
        command(*args, play=Wanted(**{**mine, "seed": mine["seed"] or 0}) if play else None, **given)

    for decorate in reversed(_OPTIONS):
        with_play = decorate(with_play)
    return with_play


def played(old: Model, new: Model, wanted: Wanted) -> Simulation:
    """Simulates both versions. Ends the command if a version has errors, or if neither can be played as wanted."""
    from rulespec.base.executors import processors
    from rulespec.engine.states.game import Game
    from rulespec.versions.simulated import matched, play

    specs = games.sealed(old.source), games.sealed(new.source)
    try:
        pairs = matched(*specs, wanted.players, wanted.rulings)
    except ValueError as error:
        raise click.UsageError(sentence(error)) from None
    sides = [side for pair in pairs for side in (pair.old, pair.new) if isinstance(side, Game)]
    for game in sides:
        players_of.chosen(wanted.bots, game)  # a bot that does not fit is refused now, not after the first games
    with playing(wanted.games * len(sides), is_quiet()) as progress:
        return play(pairs, wanted.games, wanted.seed, wanted.bots, wanted.workers or processors(), progress)


def lines(sections: Sequence[Section], output: str | None) -> Iterator[str]:
    """The lines of sections for a terminal, or for a file if one is named."""
    from ftk_cli.report.batch import Look
    from ftk_cli.report.display import folded

    for section in sections:
        said = [section.title, *(line.text for entry in section.entries for line in entry.lines)]
        parts = (part for text in said for part in folded(visible(text), Look.of(output).width))
        yield from (f"{line}\n" for line in ("", *parts, *_aligned(section.table)))


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    from ftk_cli.report.display import width

    room = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        blanks = [" " * (space - width(cell)) for cell, space in zip(row, room, strict=True)]
        figures = (f"{blank}{cell}" for blank, cell in zip(blanks[1:], row[1:], strict=True))
        yield "  ".join([f"{row[0]}{blanks[0]}", *figures]).rstrip()
