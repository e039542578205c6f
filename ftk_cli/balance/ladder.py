"""`ftk balance --ladder`: each level of bots against the one below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from ftk_cli.bots import refused
from ftk_cli.failure import sentence
from ftk_cli.language import localized
from ftk_cli.output import to_json
from ftk_cli.playing import playing
from ftk_cli.report.display import columns, left, right
from rulespec.base.messages import counted, player_count, say

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
        return [bot_name(name, hurried=False) for name in text.split(",")]
    except ValueError as error:
        raise refused(error) from None


def _lines(game: Game, rungs: list[Rung], seed: int) -> Iterator[str]:
    yield localized(
        counted(
            "{game}, a ladder of {players}, {number:,} game a level, seed {seed}",
            "{game}, a ladder of {players}, {number:,} games a level, seed {seed}",
            rungs[0].games,
            game=game.spec.title,
            players=player_count(game.players),
            seed=seed,
        )
    )
    alike = say(
        "One bot against bots of the level below, changing seats; alike, it would win {share:.1%}.",
        share=rungs[0].even,
    )
    yield localized(alike)
    yield ""
    heads: list[str] = [say("bot"), say("against"), say("wins"), say("interval"), say("points"), say("theirs")]
    rows = [[localized(cell) for cell in row] for row in [heads, *map(_row, rungs)]]
    yield from columns(rows, _SIDES, _LEAST)


_LEAST, _SIDES = (3, 7, 6, 16, 7, 7), (left, left, right, left, right, right)


def _row(rung: Rung) -> list[str]:
    interval = say("{low:.1%} to {high:.1%}", low=rung.wins.low, high=rung.wins.high)
    points = (say("{number:.2f}", number=moments.mean) for moments in (rung.points, rung.others))
    return [rung.bot, rung.below, say("{share:.1%}", share=rung.wins.value), interval, *points]
