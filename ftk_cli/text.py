"""`ftk text`: the rule text of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ftk_cli import failure, games, options
from ftk_cli.output import emit

if TYPE_CHECKING:
    from rulespec import Spec
    from rulespec.text import Translation


@click.group(short_help="The rule text: its state, rendered rulebooks.")
def text() -> None:
    """The rule text of a game, in every language it is written in. `ftk check` holds it against the spec.

    \b
    Examples:
      ftk text status
      ftk text render fortheking --lang uk --players 2
    """


@text.command(short_help="Print the rulebook of one number of players.")
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
    translation = _in_language(loaded, lang)
    emit(markdown(translation, games.make(loaded, players, rulings).setting), output)


@text.command(short_help="Which languages there are, and what they lack.")
@click.argument("spec", required=False)
@options.output
@options.verbose
def status(spec: str | None, output: str | None, verbose: bool) -> None:
    """Show for every language of a game (default: of all games) how many rules and rulings have a text.

    \b
    Examples:
      ftk text status
      ftk text status fortheking
    """
    from rulespec import known_games

    lines = []
    for name in [spec] if spec else known_games():
        loaded = games.load(name)
        model = loaded.model
        lines.append(f"{model.title} {model.version}: {len(model.rules)} rules, {len(model.rulings)} rulings")
        for lang, translation in _all(loaded).items():
            rules, rulings = (
                sum(id_ in known for id_ in passages)
                for passages, known in ((translation.rules, model.rules), (translation.rulings, model.rulings))
            )
            lines.append(f"  {lang:<8} {rules:>4} rules {rulings:>3} rulings   {translation.title}")
        lines += ["  no rule text"] if not _all(loaded) else []
    emit("\n".join(lines) + "\n", output)


def _all(spec: Spec) -> dict[str, Translation]:
    from rulespec.api import texts_of

    return texts_of(spec)


def _in_language(spec: Spec, lang: str) -> Translation:
    """The translation in a language. Raises Failure where there is none."""
    known = _all(spec)
    if lang in known:
        return known[lang]
    there = f"There is one in {', '.join(known)}." if known else "There is none in any language."
    raise failure.Failure(f"{spec.model.title} has no rule text in {lang}.", there)
