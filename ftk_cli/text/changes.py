"""`ftk text changes LANG`: what a localiser has to do in a text since it was confirmed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ftk_cli import failure, games, options
from ftk_cli.language import language
from ftk_cli.output import emit
from ftk_cli.text.languages import how_to_begin, matching, no_tag, the_one
from rulespec.base.messages import say
from rulespec.base.pages import sheet
from rulespec.base.project import known_games
from rulespec.base.source import read as read_source
from rulespec.games.rulebook import book_of, check_translation, check_variant_texts, texts_of
from rulespec.versions.pending import Pending

if TYPE_CHECKING:
    from rulespec.base.pages.sheet import Sheet
    from rulespec.games.api import Spec


@click.command()
@click.argument("lang")
@click.argument("spec", required=False)
@options.variant
@options.format_("text", "markdown", "html")
@options.output
def changes(lang: str, spec: str | None, variant: str, format_: str, output: str | None) -> None:
    """List what a localiser has to do in the texts in LANG (default: of all games).

    Rule by rule: texts that are missing, or whose rule, words or source (the text that `source:` names) are other ones
    since they were confirmed, and what contradicts its rule; what the source was and is, and the text beside it.

    \b
    Examples:
      ftk text changes uk
      ftk text changes uk fortheking --format html --output to_do.html
    """
    if variant and not spec:
        raise click.UsageError(say("--variant needs the game that it is a variant of."))
    loaded = [games.load(name, variant=variant) for name in ([spec] if spec else known_games())]
    sheets = [made for one in loaded if (made := _sheet(one, lang, variant)) is not None]
    if not sheets:
        game = spec or (loaded[0].id if len(loaded) == 1 else "GAME")
        raise failure.Failure(
            say("There is no rule text in {lang}.", lang=lang), no_tag(lang) or how_to_begin(game, lang)
        )
    if format_ == "html":
        emit(sheet.html(sheet.joined(sheets)), output)
    else:
        emit("\n".join(_said(one, format_, len(sheets) > 1) for one in sheets), output)


def _said(one: Sheet, format_: str, titled: bool) -> str:
    if format_ == "markdown":
        return sheet.markdown(one)
    return f"{one.title}\n" * titled + sheet.text(one)


def _sheet(spec: Spec, lang: str, variant: str) -> Sheet | None:
    """What is to do in the text of a game; None if it has none in the language."""
    texts = texts_of(spec)
    if not matching(lang, texts):
        return None
    translation = texts[the_one(lang, texts, "")]
    if variant:
        report = check_variant_texts(spec, translation.lang)
    else:
        source, _ = read_source(translation.source.path)
        report = check_translation(source if source is not None else translation.source)
    others = tuple(texts.values())
    return Pending(spec.model, book_of(spec), translation, others, report.findings, language()).sheet()
