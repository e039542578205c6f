"""The command `ftk balance`."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ftk_cli import bots as players_of
from ftk_cli import games, options, protect
from ftk_cli.balance import ladder as skill
from ftk_cli.language import language
from ftk_cli.output import emit, to_json
from ftk_cli.playing import continued, on_cluster, playing, warnings
from ftk_cli.report.batch import Look as Terminal
from ftk_cli.text.languages import words_of
from rulespec.base.executors import processors
from rulespec.base.messages import say
from rulespec.engine.backend.engines.table import ENGINES

if TYPE_CHECKING:
    from rulespec.play.balance.result import Balance


@click.command()
@options.spec
@options.variant
@options.players
@click.option(
    "--games",
    "number",
    type=click.IntRange(1, options.MOST_GAMES),
    metavar="N",
    help="Number of games, for every setting (default: 2,000 of random players, 300 of others).",
)
@players_of.quick_bot
@click.option("--ladder", is_flag=True, help="Play each level of bots against the one below instead.")
@options.seed
@options.workers
@options.cluster
@options.into
@options.rulings
@click.option(
    "--rulings/--no-rulings",
    "compare",
    default=None,
    help="Also play all games with every other option of a ruling (default: for random players).",
)
@options.deck
@options.format_("text", "json", "html")
@options.engine
@options.output
@options.quiet
@options.verbose
def balance(
    spec: str,
    variant: str,
    players: int | None,
    number: int | None,
    bots: str | None,
    ladder: bool,
    seed: int | None,
    workers: int | None,
    cluster: str | None,
    into: str | None,
    rulings: dict[str, str],
    compare: bool | None,
    deck: str | None,
    format_: str,
    engine: str,
    output: str | None,
    quiet: bool,
    verbose: bool,
) -> None:
    """Test whether a seat has an advantage, and estimate what prizes, cards and rulings are worth.

    The games are played by quick bots, or by others that --bot names; by random players without machine code. All
    figures have 95 % confidence intervals. The same seed gives the same figures for any number of processes or
    machines. With --into, the same command continues an interrupted run. With -v the text has a line for every face of
    a card.

    \b
    Examples:
      ftk balance fortheking --players 4 --ruling overbid=forbidden
      ftk balance fortheking --no-rulings --games 10000
      ftk balance kingme --format html --output balance.html
      ftk balance kingme --bot random --games 10000
      ftk balance kingme --bot ismcts:1000 --into run
      ftk balance kingme --ladder
    """
    from rulespec.play.balance.run import balance as run
    from rulespec.play.balance.run import settings

    is_random = bots == "random" or (bots is None and not ladder and not has_machine_code())
    number = number or (MANY if is_random else FEW)
    loaded = games.load(spec, deck, variant)
    game = games.make(loaded, players, rulings, engine, many=True)
    for written in filter(None, (output, into)):
        protect.refuse(written)  # now, not after the games
    executor = on_cluster(cluster, workers)
    if ladder:
        with continued(into), warnings() as warn:
            kept = {"into": into, "executor": executor, "report": warn}
            emit(skill.played(game, bots, number, seed or 0, workers or processors(), format_, quiet, kept), output)
        return
    named = None if is_random else players_of.chosen(bots or "quick", game)
    compare = is_random if compare is None else compare
    with continued(into), warnings() as warn, playing(number * settings(game, compare), quiet) as progress:
        found = run(
            game,
            number,
            seed or 0,
            workers or processors(),
            progress,
            rulings=compare,
            executor=executor,
            players=named,
            into=into,
            report=warn,
        )
    if format_ != "json":
        words = words_of(loaded, game)
        found = replace(found, title=words.game(found.title), points=words.of(say(found.points)))
    emit(_FORMATS[format_](found, output, quiet, verbose), output)
    games.remark(game.spec, game.setting.cards, quiet)


MANY, FEW = 2000, 300
"""Games of random players, and of bots: about half a minute of the main game."""


def has_machine_code() -> bool:
    """Whether searches run in machine code; without it, bots take hundreds of times as long."""
    return not ENGINES["native"].missing


def _text(found: Balance, output: str | None, quiet: bool, verbose: bool) -> str:
    from ftk_cli.balance.text import Look, Marks, text

    to_file = output is not None and output != "-"
    marks = Marks.of(None if to_file else sys.stdout.encoding)
    return text(found, Look(Terminal.of(output).width, marks, quiet, verbose))


def _json(found: Balance, output: str | None, quiet: bool, verbose: bool) -> str:
    return to_json(found.to_dict())


def _html(found: Balance, output: str | None, quiet: bool, verbose: bool) -> str:
    from rulespec.play.balance.page import html

    return html(found, language())


_FORMATS = {"text": _text, "json": _json, "html": _html}
