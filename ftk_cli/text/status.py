"""`ftk text status`: which languages there are, and what they lack."""

from __future__ import annotations

import click

from ftk_cli import games, options
from ftk_cli.output import emit


@click.command(short_help="Which languages there are, and what they lack.")
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
    from rulespec.rulebook import texts_of

    lines = []
    for name in [spec] if spec else known_games():
        loaded = games.load(name)
        model = loaded.model
        lines.append(f"{model.title} {model.version}: {len(model.rules)} rules, {len(model.rulings)} rulings")
        for lang, translation in texts_of(loaded).items():
            rules, rulings = (
                sum(id_ in known for id_ in passages)
                for passages, known in ((translation.rules, model.rules), (translation.rulings, model.rulings))
            )
            lines.append(f"  {lang:<8} {rules:>4} rules {rulings:>3} rulings   {translation.title}")
        lines += ["  no rule text"] if not texts_of(loaded) else []
    emit("\n".join(lines) + "\n", output)
