"""`ftk text render`: the rulebook of one number of players."""

from __future__ import annotations

import click

from ftk_cli import games, options
from ftk_cli.output import emit
from ftk_cli.text.languages import in_language


@click.command(short_help="Print the rulebook of one number of players.")
@options.spec
@options.variant
@click.option("--lang", required=True, metavar="LANG", help="The language, such as en, uk or zh-Hant.")
@options.players
@options.rulings
@options.format_("markdown", "html")
@click.option("--rulings", "with_rulings", is_flag=True, help="Add the texts of the rulings.")
@click.option("--ids", is_flag=True, help="Show the id of each rule.")
@options.output
@options.no_notes
@options.verbose
def render(
    spec: str,
    variant: str,
    lang: str,
    players: int | None,
    rulings: dict[str, str],
    format_: str,
    with_rulings: bool,
    ids: bool,
    output: str | None,
    verbose: bool,
) -> None:
    """Print the rulebook of a game for one number of players and set of rulings.

    Rules that never apply are left out, and so is what the others say about
    other numbers of players. HTML is a single page without other files. Every
    rule has its id as an anchor. An index of terms ends the rulebook.

    \b
    Examples:
      ftk text render fortheking --lang uk --players 2
      ftk text render fortheking --lang en --ruling overbid=forbidden --output rules.md
      ftk text render fortheking --lang zh-Hant --players 5 --format html --rulings --output rules.html
    """
    from rulespec import book_of, examples_of
    from rulespec.text.render import Rulebook, html, markdown

    loaded = games.load(spec, variant=variant)
    translation = in_language(loaded, lang)
    setting = games.make(loaded, players, rulings).setting
    examples = examples_of(loaded, translation.lang, setting)
    rulebook = Rulebook(translation, setting, book_of(loaded), with_rulings, examples)
    emit((html if format_ == "html" else markdown)(rulebook, ids), output)
