"""`ftk cards --sheet` and `--format layout`: the cards on pages to print, and as a list for programs that draw them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, inputs, protect
from ftk_cli.cards_in_words import in_languages
from ftk_cli.output import emit, replace_all

if TYPE_CHECKING:
    from rulespec import Spec
    from rulespec.text.output.sheets import Page


def write(spec: Spec, sheet: str, langs: str | None, template: str | None, kept: frozenset[int] | None) -> None:
    """Writes the pages of a game in languages: one PDF for each if the name ends so, else SVG files in a folder."""
    from rulespec.base import typeset
    from rulespec.text.output.sheets import SheetError, pages

    as_pdf = sheet.lower().endswith(".pdf")
    if as_pdf and (missing := typeset.missing()):
        raise failure.Failure(f"{missing}.", "Name a folder for SVG files instead.")
    text = inputs.source(template).text if template is not None else ""
    contents: dict[str, str | bytes] = {}
    for cards in in_languages(spec, langs, kept):
        try:
            made = pages(cards.faces, cards.title, cards.lang, text)
        except SheetError as error:
            raise failure.Failure(f"{template}: {error}", "It is SVG for one card, in Jinja.") from None
        if as_pdf:
            contents[cards.path(sheet)] = _pdf(made, cards.title, cards.lang)
        else:
            contents |= _files(sheet, f"{spec.id}-{cards.lang}", made)
    replace_all(contents)
    if not failure.is_quiet():
        number = len(contents)
        click.echo(
            f"{number} file{'s' * (number != 1)}: {', '.join(list(contents)[:3])}{' …' * (number > 3)}", err=True
        )


def table(spec: Spec, langs: str | None, kept: frozenset[int] | None, output: str | None) -> None:
    """Writes the different faces of a game in one language as CSV for programs that lay out cards."""
    from rulespec.text.output.sheets import layout

    cards = next(in_languages(spec, langs, kept))
    if not cards.alone:
        raise click.UsageError("--format layout is a list in one language.")
    emit(layout(cards.faces, spec.model.deck.fields), output, data=True)


def _pdf(made: list[Page], title: str, lang: str) -> bytes:
    from rulespec.base.typeset import TypesetError
    from rulespec.text.output.sheets import pdf

    try:
        return pdf(made, title, lang)
    except TypesetError as error:
        raise failure.Failure(str(error), "Name a folder for SVG files instead.") from None


def _files(folder: str, stem: str, made: list[Page]) -> dict[str, str | bytes]:
    wide = len(str(len(made)))
    protect.refuse(folder)
    return {str(Path(folder) / f"{stem}-{page.number:0{wide}}.svg"): page.svg for page in made}
