"""`ftk cards --sheet`: the cards on pages to print."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, inputs, protect
from ftk_cli.output import replace_all
from ftk_cli.text.languages import the_one

if TYPE_CHECKING:
    from rulespec import Spec
    from rulespec.text.output.sheets import Page


def write(spec: Spec, sheet: str, langs: str | None, template: str | None, kept: frozenset[int] | None) -> None:
    """Writes the pages of a game in languages: one PDF for each if the name ends so, else SVG files in a folder."""
    from rulespec import book_of, texts_of
    from rulespec.base import typeset
    from rulespec.text import LANGUAGE_OF_SPECS
    from rulespec.text.output.sheets import SheetError, Words, faces, pages

    as_pdf = sheet.lower().endswith(".pdf")
    if as_pdf and (missing := typeset.missing()):
        raise failure.Failure(f"{missing}.", "Name a folder for SVG files instead.")
    book, text = book_of(spec), inputs.source(template).text if template is not None else ""
    glossary = book.glossary if book is not None else None
    tags = _tags(langs or LANGUAGE_OF_SPECS, glossary.languages() if glossary is not None else (), LANGUAGE_OF_SPECS)
    titles = {tag: one.title for tag, one in texts_of(spec).items() if one.title}
    contents: dict[str, str | bytes] = {}
    for tag in tags:
        title = titles.get(tag, spec.model.title)
        cards = list(faces(spec.model, Words(spec.model, glossary, tag), kept))
        try:
            made = pages(cards, title, tag, text)
        except SheetError as error:
            raise failure.Failure(f"{template}: {error}", "It is SVG for one card, in Jinja.") from None
        if as_pdf:
            contents[_named(sheet, tag, len(tags) > 1)] = _pdf(made, title, tag)
        else:
            contents |= _files(sheet, f"{spec.id}-{tag}", made)
    replace_all(contents)
    if not failure.is_quiet():
        number = len(contents)
        click.echo(
            f"{number} file{'s' * (number != 1)}: {', '.join(list(contents)[:3])}{' …' * (number > 3)}", err=True
        )


def _pdf(made: list[Page], title: str, lang: str) -> bytes:
    from rulespec.base.typeset import TypesetError
    from rulespec.text.output.sheets import pdf

    try:
        return pdf(made, title, lang)
    except TypesetError as error:
        raise failure.Failure(str(error), "Name a folder for SVG files instead.") from None


def _tags(langs: str, known: tuple[str, ...], default: str) -> list[str]:
    every = list(dict.fromkeys((default, *known)))
    hint = "Add terms in that language to the glossary first."
    tags = [lang.strip() for lang in langs.split(",")]
    return [the_one(tag, every, f"The game has no terms in {tag}.", hint) for tag in tags]


def _named(sheet: str, tag: str, several: bool) -> str:
    stem, ending = os.path.splitext(sheet)
    return f"{stem}-{tag}{ending}" if several else sheet


def _files(folder: str, stem: str, made: list[Page]) -> dict[str, str | bytes]:
    wide = len(str(len(made)))
    protect.refuse(folder)
    return {str(Path(folder) / f"{stem}-{page.number:0{wide}}.svg"): page.svg for page in made}
