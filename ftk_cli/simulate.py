"""`ftk simulate`: many games by random players, compared by seat."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from ftk_cli import bots as players_of
from ftk_cli import games, options, protect
from ftk_cli.language import localized
from ftk_cli.output import emit, to_json
from ftk_cli.playing import continued, on_cluster, playing, warnings
from ftk_cli.report.display import columns, folded, left, right, width
from ftk_cli.text.languages import title_of
from rulespec.base.executors import processors
from rulespec.base.messages import Message, counted, say
from rulespec.play.balance.sentences import SHARE, Format, bots_playing, played_by, unplayed

if TYPE_CHECKING:
    from rulespec.engine.states.game import Game
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
    loaded = games.load(spec, deck, variant)
    game = games.make(loaded, players, rulings, engine, many=True)
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
    emit(
        to_json(_data(game, result)) if format_ == "json" else "\n".join(_lines(title_of(loaded), game, result)), output
    )
    games.remark(game.spec, game.setting.cards, quiet)


def _data(game: Game, result: Result) -> dict[str, Any]:
    """The figures, after what was played."""
    identity = game.identity()
    return {key: identity[key] for key in ("game", "version", "players", "rulings")} | result.to_dict()


def _lines(title: str, game: Game, result: Result) -> Iterator[str]:
    yield localized(_headline(title, game.players, result))
    yield localized(_pace(result))
    figures, played = result.figures, result.to_dict()["bots"]
    if set(played) == {"random"} and (better := figures.played_better(game)) is not None:
        yield from folded(localized(unplayed(figures.shared / figures.games, better)), _ROOM)
    yield ""
    bots = result.bots
    head = say("bot") if bots is not None and bots.rotated else say("seat")
    data = result.to_dict()
    rows: list[Sequence[str]] = [[head, *_HEADS]]
    for name, wins, points in zip(list(_rows(result, game)), data["wins"], data["points"], strict=True):
        rows.append([name, *_share(wins), *_moments(points)])
    yield from _table(rows)
    yield ""
    if returns := result.to_dict().get("returns"):
        heads = [head, say("returns"), say("interval"), say("least"), say("most")]
        named = zip(_rows(result, game), returns, strict=True)
        yield from _table([heads, *([name, *_moments(sample)] for name, sample in named)])
        yield ""
    yield from map(localized, _sentences(result))


def _headline(title: str, players: int, result: Result) -> Message:
    bots = result.bots.in_words() if result.bots is not None else None
    return played_by(title, result.figures.games, bots_playing(players, bots), result.seed)


def _pace(result: Result) -> Message:
    """How fast the games were played."""
    data = result.to_dict()
    played = {"seconds": data["seconds"], "rate": _number(data["games_per_second"], 0), "engine": data["engine"]}
    if not data["resumed"]:
        return say("{seconds:.1f} s, {rate} games per second ({engine}); 95 % confidence intervals", **played)
    return counted(
        "{seconds:.1f} s, {rate} games per second ({engine}), {number:,} game resumed; 95 % confidence intervals",
        "{seconds:.1f} s, {rate} games per second ({engine}), {number:,} games resumed; 95 % confidence intervals",
        data["resumed"],
        **played,
    )


_HEADS = (say("wins"), say("interval"), say("points"), say("interval"), say("least"), say("most"))


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table as lines: a name, then figures, intervals and extreme values."""
    cells = [list(map(localized, row)) for row in rows]
    least = _LEAST if len(cells[0]) == len(_LEAST) else (*_LEAST[:1], *_LEAST[3:])
    yield from columns(cells, [left if head == _HEADS[1] else right for head in rows[0]], least)


_ROOM = 80
"""The columns of a sentence at most: about those of the tables."""

_LEAST = (4, 7, 17, 8, 17, 6, 6)
"""The columns of the cells at least, so that the tables of small games look alike."""


def _sentences(result: Result) -> Iterator[Message]:
    if result.figures.shared:
        yield counted(
            "Shared wins: {number:,} game; a win shared by n players counts 1/n for each of them.",
            "Shared wins: {number:,} games; a win shared by n players counts 1/n for each of them.",
            result.figures.shared,
        )
    length = result.figures.decisions
    low, high = length.interval()
    yield say(
        "Decisions per game: {mean} ({interval}), least {least}, most {most}.",
        mean=_number(length.mean, 1),
        interval=_to(_number(low, 1), _number(high, 1)),
        least=length.least,
        most=length.most,
    )


def _rows(result: Result, game: Game) -> Iterator[str]:
    """The name of each row: the seat, with its bot if the seats have different ones; the bot if they change seats."""
    bots = result.bots.to_list() if result.bots is not None else []
    for seat in range(game.players):
        if result.bots is not None and result.bots.rotated:
            yield f"{seat + 1} {bots[seat]}"
        else:
            yield f"{seat + 1} {bots[seat]}" if len(set(bots)) > 1 else f"{seat + 1}"


def _share(wins: dict[str, Any]) -> list[str]:
    share, low, high = (SHARE(wins[name]) for name in ("share", "low", "high"))
    return [share, _interval(low, high)]


def _moments(sample: dict[str, Any]) -> list[str]:
    low, high = (_number(sample[end], 2) for end in ("low", "high"))
    return [_number(sample["mean"], 2), _interval(low, high), str(sample["least"]), str(sample["most"])]


def _interval(low: str, high: str) -> str:
    """An interval in a column, where the numbers stand below each other."""
    return " " * (6 - width(localized(low))) + localized(_to(low, high))


def _to(low: str, high: str) -> Message:
    return say("{low} to {high}", low=low, high=high)


def _number(value: float | None, digits: int) -> Message:
    """A figure in words; a single game has no spread, so some are missing."""
    return Format(digits)(math.nan if value is None else value)
