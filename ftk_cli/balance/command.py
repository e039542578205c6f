"""The command `ftk balance`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ftk_cli import games, options
from ftk_cli.output import emit, to_json
from ftk_cli.playing import playing

if TYPE_CHECKING:
    from rulespec.balance import Balance


@click.command(short_help="Compare seats, prizes, cards and rulings in random play.")
@options.spec
@options.variant
@options.players
@options.number_of_games(2000, "Number of games, for every setting.")
@options.seed
@options.workers
@options.rulings
@click.option(
    "--rulings/--no-rulings",
    "compare",
    default=True,
    show_default=True,
    help="Also play all games with every other option of a ruling.",
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
    number: int,
    seed: int | None,
    workers: int | None,
    rulings: dict[str, str],
    compare: bool,
    deck: str | None,
    format_: str,
    engine: str,
    output: str | None,
    quiet: bool,
    verbose: bool,
) -> None:
    """Test whether a seat has an advantage, and estimate what prizes, cards and rulings are worth.

    The games are played by uniformly random players. All figures have 95 % confidence intervals. The same seed gives
    the same figures for any number of processes. With -v the text has a line for every face of a card.

    \b
    Examples:
      ftk balance fortheking --players 4 --ruling overbid=forbidden
      ftk balance fortheking --no-rulings --games 10000
      ftk balance kingme --format html --output balance.html
    """
    from ftk_cli import protect
    from rulespec.balance import balance as run
    from rulespec.balance import settings
    from rulespec.simulate import processors

    # Every setting needs machine code of its own, so compiling pays only for more games.
    game = games.make(games.load(spec, deck, variant), players, rulings, engine, max(1, number // 4))
    if output is not None:
        protect.refuse(output)  # now, not after the games
    with playing(number * settings(game, compare), quiet) as progress:
        found = run(game, number, seed or 0, workers or processors(), progress, rulings=compare)
    emit(_FORMATS[format_](found, output, quiet, verbose), output)
    games.remark(game.spec, game.setting.cards(), quiet)


def _text(found: Balance, output: str | None, quiet: bool, verbose: bool) -> str:
    from ftk_cli.balance.text import Look, Marks, text
    from ftk_cli.report import Look as Terminal

    to_file = output is not None and output != "-"
    marks = Marks.of(None if to_file else sys.stdout.encoding)
    return text(found, Look(Terminal.of(output).width, marks, quiet, verbose))


def _json(found: Balance, output: str | None, quiet: bool, verbose: bool) -> str:
    return to_json(found.to_dict())


def _html(found: Balance, output: str | None, quiet: bool, verbose: bool) -> str:
    from rulespec.balance import html

    return html(found)


_FORMATS = {"text": _text, "json": _json, "html": _html}
