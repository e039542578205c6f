"""`ftk simulate`: many games by random players, compared by seat."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ftk_cli import bots as players_of
from ftk_cli import games, options, protect
from ftk_cli.output import emit, to_json
from ftk_cli.playing import continued, on_cluster, playing, warnings
from ftk_cli.report.text import amount
from rulespec.base.executors import processors
from rulespec.base.messages import say

if TYPE_CHECKING:
    from rulespec.engine.states.game import Game
    from rulespec.play.simulate.figures import Moments
    from rulespec.play.simulate.run import Result


@click.command()
@options.spec
@options.variant
@options.players
@options.number_of_games(1000, help="How many games.")
@options.seed
@options.workers
@options.cluster
@players_of.bot
@players_of.rotate
@options.into
@click.option("--rows", type=click.Choice(["csv", "parquet"]), help="Also keep every single game in that folder.")
@options.rulings
@options.deck
@options.format_("text", "json")
@options.engine
@options.output
@options.quiet
@options.verbose
def simulate(
    spec: str,
    variant: str,
    players: int | None,
    number: int,
    seed: int | None,
    workers: int | None,
    cluster: str | None,
    bots: str | None,
    rotate: bool,
    into: str | None,
    rows: str | None,
    rulings: dict[str, str],
    deck: str | None,
    format_: str,
    engine: str,
    output: str | None,
    quiet: bool,
    verbose: bool,
) -> None:
    """Play many games, and compare the seats.

    Players choose uniformly at random, unless --bot names others. The same seed gives the same figures for any number
    of processes or machines, but not for bots that think for a time.

    With --into, the same command continues an interrupted run, and more --games extend it.

    \b
    Examples:
      ftk simulate fortheking --players 4 --games 2000
      ftk simulate fortheking --ruling overbid=forbidden --format json
      ftk simulate fortheking --games 1000000 --into run --rows csv
      ftk simulate kingme --games 20 --bot ismcts:1000,random,random --rotate
    """
    from rulespec.play.simulate.run import simulate as run

    if rows is not None and into is None:
        raise click.UsageError(say("--rows needs --into DIR, the folder for the rows."))
    if into is not None:
        protect.refuse(into)
    executor = on_cluster(cluster, workers)
    game = games.make(games.load(spec, deck, variant), players, rulings, engine, many=True)
    players_named = players_of.chosen(bots, game, rotate)
    if output is not None:
        protect.refuse(output)  # now, not after the games
    with continued(into), warnings() as warn, playing(number, quiet) as progress:
        result = run(
            game,
            number,
            seed or 0,
            workers or processors(),
            progress,
            into=into,
            rows=rows,
            executor=executor,
            report=warn,
            players=players_named,
        )
    emit(to_json(_data(game, result)) if format_ == "json" else "\n".join(_lines(game, result)), output)
    games.remark(game.spec, game.setting.cards, quiet)


def _data(game: Game, result: Result) -> dict[str, Any]:
    """The figures, after what was played."""
    identity = game.identity()
    return {key: identity[key] for key in ("game", "version", "players", "rulings")} | result.to_dict()


def _lines(game: Game, result: Result) -> Iterator[str]:
    data = result.to_dict()
    rate = _number(data["games_per_second"], 0)
    yield f"{game.spec.title}, {amount(data['games'], 'game')} of {_players(result, game)}, seed {data['seed']}"
    resumed = f", {amount(data['resumed'], 'game')} resumed" if data["resumed"] else ""
    yield f"{data['seconds']:.1f} s, {rate} games per second ({data['engine']}){resumed}; 95 % confidence intervals"
    yield ""
    named = list(_rows(result, game))
    wide = max(4, *map(len, named))
    seat = "bot" if result.bots is not None and result.bots.rotated else "seat"
    head = f"{seat:>{wide}}"
    yield f"{head}  {'wins':>7}  {'interval':<17}  {'points':>8}  {'interval':<17}  {'least':>6}  {'most':>6}"
    for name, wins, points in zip(named, data["wins"], data["points"], strict=True):
        yield f"{name:>{wide}}  {_share(wins)}  {_moments(points)}"
    yield ""
    if "returns" in data:
        yield f"{head}  {'returns':>8}  {'interval':<17}  {'least':>6}  {'most':>6}"
        lines = zip(named, data["returns"], strict=True)
        yield from (f"{name:>{wide}}  {_moments(returns)}" for name, returns in lines)
        yield ""
    if data["shared_wins"]:
        shared = amount(data["shared_wins"], "game")
        yield f"Shared wins: {shared}; a win shared by n players counts 1/n for each of them."
    length = result.figures.decisions
    spread = f"least {length.least}, most {length.most}"
    yield f"Decisions per game: {_number(length.mean, 1)} ({_interval(length)}), {spread}."


def _players(result: Result, game: Game) -> str:
    """The number of players, and who they are."""
    bots = result.bots
    return f"{game.players} random players" if bots is None else f"{game.players} players ({bots})"


def _rows(result: Result, game: Game) -> Iterator[str]:
    """The name of each row: the seat, with its bot if the seats have different ones; the bot if they change seats."""
    bots = result.bots.to_list() if result.bots is not None else []
    for seat in range(game.players):
        if result.bots is not None and result.bots.rotated:
            yield f"{seat + 1} {bots[seat]}"
        else:
            yield f"{seat + 1} {bots[seat]}" if len(set(bots)) > 1 else f"{seat + 1}"


def _share(wins: dict[str, Any]) -> str:
    return f"{wins['share']:>7.1%}  {wins['low']:>6.1%} to {wins['high']:<6.1%} "


def _moments(sample: dict[str, Any]) -> str:
    mean = f"{_number(sample['mean'], 2):>8}  {_number(sample['low'], 2):>6} to {_number(sample['high'], 2):<6} "
    return f"{mean}  {sample['least']:>6}  {sample['most']:>6}"


def _interval(moments: Moments) -> str:
    low, high = moments.interval()
    return f"{_number(low, 1)} to {_number(high, 1)}"


def _number(value: float | None, digits: int) -> str:
    """A figure in words; a single game has no spread, so some are missing."""
    return f"{value:,.{digits}f}" if value is not None and math.isfinite(value) else "–"
