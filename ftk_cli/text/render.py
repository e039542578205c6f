"""`ftk text render`: the rulebook of one number of players."""

from __future__ import annotations

import click

from ftk_cli import games, options
from ftk_cli.output import emit
from ftk_cli.text.languages import in_language


@click.command(short_help="Print the rulebook of one number of players.")
@options.spec
@click.option("--lang", required=True, metavar="LANG", help="The language, such as en, uk or zh-Hant.")
@options.players
@options.rulings
@options.output
@options.verbose
def render(
    spec: str, lang: str, players: int | None, rulings: dict[str, str], output: str | None, verbose: bool
) -> None:
    """Print the rulebook of a game in Markdown: only the rules that number of players (and those rulings) need.

    \b
    Examples:
      ftk text render fortheking --lang uk --players 2
      ftk text render fortheking --lang en --ruling overbid=forbidden --output rules.md
    """
    from rulespec.text import markdown

    loaded = games.load(spec)
    translation = in_language(loaded, lang)
    emit(markdown(translation, games.make(loaded, players, rulings).setting), output)
