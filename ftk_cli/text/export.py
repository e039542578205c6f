"""`ftk text export`: rule text and glossaries in the formats of translators' tools."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, games, options
from ftk_cli.output import emit
from ftk_cli.text.languages import in_glossary, in_language

if TYPE_CHECKING:
    from rulespec import Spec
    from rulespec.text import Glossary


@click.command(short_help="Export rule text or a glossary: PO, XLIFF, CSV, TBX.")
@options.spec
@click.option("--lang", metavar="LANG", help="The language to translate into; of a glossary, the terms to give.")
@click.option(
    "--as",
    "form",
    type=click.Choice(["po", "xliff", "csv", "tbx"]),
    default="po",
    show_default=True,
    help="Rule text as po or xliff, the glossary as csv or tbx.",
)
@click.option("--reference", metavar="LANG", help="The language to translate from (default: the titles of the spec).")
@options.output
@options.no_notes
@options.verbose
def export(spec: str, lang: str | None, form: str, reference: str | None, output: str | None, verbose: bool) -> None:
    """Write the rule text of a game in one language for a translation tool, or its glossary for a spreadsheet.

    Each text has notes with the facts that it must state, and its status. A glossary contains all languages, or only
    those of --lang and --reference. `ftk text import` reads the edited file.

    \b
    Examples:
      ftk text export fortheking --lang uk --reference en --output uk.po
      ftk text export fortheking --lang zh-Hant --as xliff --output zh-Hant.xlf
      ftk text export fortheking --as csv --output terms.csv
    """
    loaded = games.load(spec)
    if form in ("csv", "tbx"):
        emit(_terms(loaded, form, [tag for tag in (lang, reference) if tag]), output, data=True)
        return
    if lang is None:
        from rulespec import texts_of

        there = f" There is rule text in {', '.join(texts_of(loaded))}." if texts_of(loaded) else ""
        raise click.UsageError(f"Rule text goes out in one language: say which with --lang.{there}")
    emit(_texts(loaded, form, lang, reference), output, data=True)


def _texts(spec: Spec, form: str, lang: str, reference: str | None) -> str:
    from rulespec.text import facts_of_rule
    from rulespec.text.exchange import to_po, to_xliff

    model = spec.model
    blocks = (("rules", model.rules), ("rulings", model.rulings))
    notes = {f"{block}/{id_}/text": [str(f) for f in facts_of_rule(model, id_)] for block, ids in blocks for id_ in ids}
    write = to_po if form == "po" else to_xliff
    from_ = in_language(spec, reference) if reference else None
    return write(in_language(spec, lang), model, from_, notes)


def _terms(spec: Spec, form: str, languages: list[str]) -> str:
    from rulespec import book_of
    from rulespec.text import glossary

    book = book_of(spec)
    languages = [in_glossary(spec, lang) for lang in languages] if book is not None else languages
    if book is None:
        hint = f"Write one: specs/glossaries/{spec.id}.yaml; `ftk text check` checks it."
        raise failure.Failure(f"{spec.model.title} has no readable glossary.", hint)
    known = _only(book.glossary, languages)
    return glossary.to_csv(known) if form == "csv" else glossary.to_tbx(known)


def _only(known: Glossary, languages: list[str]) -> Glossary:
    """A glossary with the terms of some languages, of all languages if none is named."""
    chosen = set(languages or known.languages())
    concepts = {
        id_: replace(concept, terms={lang: terms for lang, terms in concept.terms.items() if lang in chosen})
        for id_, concept in known.concepts.items()
    }
    return replace(known, concepts=concepts)
