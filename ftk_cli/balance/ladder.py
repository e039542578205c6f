"""`ftk balance --ladder`: each level of bots against the one below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from ftk_cli.bots import refused
from ftk_cli.failure import sentence
from ftk_cli.output import to_json
from ftk_cli.playing import playing
from ftk_cli.report.text import amount
from rulespec.base.messages import say

if TYPE_CHECKING:
    from rulespec.engine.states.game import Game
    from rulespec.play.balance.levels import Rung
    from rulespec.play.bots.bot import BotName


def played(
    game: Game,
    levels: str | None,
    number: int,
    seed: int,
    workers: int,
    format_: str,
    quiet: bool,
    kept: Mapping[str, Any],
) -> str:
    """The ladder of a game as text or JSON. `kept` are arguments of `ladder` that say where games are played and kept.
    Raises UsageError for another format and for a ladder without levels.
    """
    from rulespec.play.balance.levels import LEVELS, ladder

    if format_ == "html":
        raise click.UsageError(say("--ladder has the formats text and json."))
    named = _levels(levels or ",".join(LEVELS))
    try:
        with playing(number * (len(named) - 1), quiet) as progress:
            rungs = ladder(game, number, seed, workers, progress, named, **kept)
    except ValueError as error:
        raise click.UsageError(sentence(error)) from None
    if format_ == "json":
        head = {"game": game.spec.id, "version": game.spec.version, "players": game.players, "seed": seed}
        return to_json(head | {"ladder": [rung.to_dict() for rung in rungs]})
    return "\n".join(_lines(game, rungs, seed))


def _levels(text: str) -> list[BotName]:
    from rulespec.play.bots.bot import bot_name

    try:
        return [bot_name(name) for name in text.split(",")]
    except ValueError as error:
        raise refused(error) from None


def _lines(game: Game, rungs: list[Rung], seed: int) -> Iterator[str]:
    many = amount(rungs[0].games, "game")
    yield f"{game.spec.title}, a ladder of {game.players} players, {many} a level, seed {seed}"
    yield f"One bot against bots of the level below, changing seats; alike, it would win {rungs[0].even:.1%}."
    yield ""
    wide = max(3, *(len(rung.bot) for rung in rungs))
    below = max(7, *(len(rung.below) for rung in rungs))
    yield f"{'bot':<{wide}}  {'against':<{below}}  {'wins':>6}  {'interval':<16}  {'points':>7}  {'theirs':>7}"
    for rung in rungs:
        wins = f"{rung.wins.value:>6.1%}  {f'{rung.wins.low:.1%} to {rung.wins.high:.1%}':<16}"
        points = f"{rung.points.mean:>7.2f}  {rung.others.mean:>7.2f}"
        yield f"{rung.bot:<{wide}}  {rung.below:<{below}}  {wins}  {points}"
