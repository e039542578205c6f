"""`ftk simulate`: many games by random players, and what they say about balance."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from ftk_cli import games, options
from ftk_cli.output import emit, to_json

if TYPE_CHECKING:
    from rulespec import Game
    from rulespec.simulate import Moments, Result

MOST_GAMES = 100_000_000


@click.command(short_help="Play many games and compare the seats.")
@options.spec
@options.players
@click.option(
    "--games",
    "number",
    type=click.IntRange(1, MOST_GAMES),
    default=1000,
    show_default=True,
    metavar="N",
    help="How many games.",
)
@options.seed
@click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    metavar="N",
    help="How many processes share the work (default: one per processor).",
)
@options.rulings
@options.deck
@options.format_("text", "json")
@click.option(
    "--engine",
    type=click.Choice(["auto", "interpreter"]),
    default="auto",
    show_default=True,
    help="What runs the rules.",
)
@options.output
@options.quiet
@options.verbose
def simulate(
    spec: str,
    players: int | None,
    number: int,
    seed: int | None,
    workers: int | None,
    rulings: dict[str, str],
    deck: str | None,
    format_: str,
    engine: str,
    output: str | None,
    quiet: bool,
    verbose: bool,
) -> None:
    """Play many games with players who choose evenly among what is allowed, and compare the seats.

    The same seed gives the same figures, however many processes share the work.

    \b
    Examples:
      ftk simulate fortheking --players 4 --games 2000
      ftk simulate fortheking --ruling overbid=forbidden --format json
    """
    from rulespec.simulate import processors
    from rulespec.simulate import simulate as run

    game = games.make(games.load(spec, deck), players, rulings)
    with _progress(number, quiet) as progress:
        result = run(game, number, seed or 0, workers or processors(), progress)
    emit(to_json(result.to_dict()) if format_ == "json" else "\n".join(_lines(game, result)), output)
    games.remark(game.spec, game.setting.cards(), quiet)


@contextmanager
def _progress(number: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A bar for people who wait at a terminal, nothing for anybody else."""
    if quiet or not sys.stderr.isatty():
        yield lambda done: None
        return
    with click.progressbar(length=number, label="playing", file=sys.stderr) as bar:
        yield bar.update


def _lines(game: Game, result: Result) -> Iterator[str]:
    from ftk_cli.report.text import counted

    data = result.to_dict()
    rate = _number(data["games_per_second"], 0)
    yield f"{game.spec.title}, {counted(data['games'], 'game')} of {game.players} random players, seed {data['seed']}"
    yield f"{data['seconds']:.1f} s, {rate} games a second ({data['engine']}); intervals are 95 %"
    yield ""
    yield f"{'seat':>4}  {'wins':>7}  {'interval':<17}  {'points':>8}  {'interval':<17}  {'least':>6}  {'most':>6}"
    for seat, (wins, points) in enumerate(zip(data["wins"], data["points"], strict=True), 1):
        yield f"{seat:>4}  {_seat(wins, points)}"
    yield ""
    if data["shared_wins"]:
        yield f"Won together: {counted(data['shared_wins'], 'game')}; each winner counts a part."
    length = result.figures.decisions
    yield f"A game has {_number(length.mean, 1)} decisions ({_interval(length)}), {length.least} to {length.most}."


def _seat(wins: dict[str, Any], points: dict[str, Any]) -> str:
    share = f"{wins['share']:>7.1%}  {wins['low']:>6.1%} to {wins['high']:<6.1%} "
    mean = f"{_number(points['mean'], 2):>8}  {_number(points['low'], 2):>6} to {_number(points['high'], 2):<6} "
    return f"{share}  {mean}  {points['least']:>6}  {points['most']:>6}"


def _interval(moments: Moments) -> str:
    low, high = moments.interval()
    return f"{_number(low, 1)} to {_number(high, 1)}"


def _number(value: float | None, digits: int) -> str:
    """A figure in words; a single game has no spread, so some are missing."""
    return f"{value:,.{digits}f}" if value is not None and math.isfinite(value) else "–"
