"""`ftk text export`: rule text and glossaries in the formats of translators' tools."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, games, options
from ftk_cli.output import emit
from ftk_cli.text.languages import in_glossary, in_language, matching, no_tag, tag_of
from rulespec.base.messages import say, sentences
from rulespec.games.confirmed import work_in
from rulespec.games.rulebook import begun_text, book_of, texts_at, texts_of
from rulespec.text.glossary.table import to_csv
from rulespec.text.glossary.tbx import V2 as TBX_2
from rulespec.text.glossary.tbx import V3 as TBX_3
from rulespec.text.glossary.tbx import to_tbx
from rulespec.text.output.exchange.po import to_po
from rulespec.text.output.exchange.units import passages
from rulespec.text.output.exchange.xliff_1 import to_xliff_1
from rulespec.text.output.exchange.xliff_2 import to_xliff_2
from rulespec.text.rules.facts import of_rule as facts_of_rule

if TYPE_CHECKING:
    from rulespec.games.api import Spec
    from rulespec.language.model.spec import Spec as Model
    from rulespec.text.reading.translation import Translation


@click.command()
@options.spec
@options.variant
@click.option("--lang", metavar="LANG", help="The language to translate into; of a glossary, the terms to give.")
@click.option(
    "--as",
    "form",
    type=click.Choice(["po", "xliff", "xliff-1.2", "csv", "tbx", "tbx-2"]),
    default="po",
    show_default=True,
    help="Rule text as po, xliff (2.0) or xliff-1.2, the glossary as csv, tbx (3) or tbx-2.",
)
@click.option("--reference", metavar="LANG", help="The language to translate from (default: the source of the text).")
@options.output
@options.no_notes
@options.verbose
def export(
    spec: str,
    variant: str,
    lang: str | None,
    form: str,
    reference: str | None,
    output: str | None,
    verbose: bool,
) -> None:
    """Write the rule text of a game in one language for a translation tool, or its glossary for a spreadsheet.

    Each text has notes with the facts that it must state, and its status. A text whose source or rule has changed since
    it was confirmed is marked as unfinished, with the source as it was then. Texts without a source are translated from
    the titles of the spec. In a language that the game has no text in, all are to be translated from the nearest one
    that it has, and the import makes the file. A glossary contains all languages, or only those of --lang and
    --reference. `ftk text import` reads the edited file. With --variant the file has the texts that the variant has in
    any language, and no others.

    \b
    Examples:
      ftk text export fortheking --lang uk --output uk.po
      ftk text export fortheking --lang zh-Hant --as xliff --output zh-Hant.xlf
      ftk text export fortheking --as csv --output terms.csv
      ftk text export fortheking --as tbx-2 --output terms.tbx
    """
    loaded = games.load(spec, variant=variant)
    if form in _TERMS:
        emit(_terms(loaded, form, [tag for tag in (lang, reference) if tag]), output, data=True)
        return
    if lang is None:
        langs = tuple(texts_of(loaded))
        said = say("Rule text goes out in one language: say which with --lang.")
        raise click.UsageError(sentences(said, say("There is rule text in {langs}.", langs=langs) if langs else ""))
    emit(_texts(loaded, form, lang, reference), output, data=True)


def _texts(spec: Spec, form: str, lang: str, reference: str | None) -> str:
    text, model = _in_any(spec, lang), spec.model
    from_ = in_language(spec, reference) if reference else texts_of(spec).get(text.made_from)
    if model.variant:
        text, model = _of_variant(text, model)
    blocks = (("rules", model.rules), ("rulings", model.rulings))
    notes = {
        f"{block}/{id_}/text": [str(f) for f in facts_of_rule(spec.model, id_)] for block, ids in blocks for id_ in ids
    }
    write = {"po": to_po, "xliff": to_xliff_2, "xliff-1.2": to_xliff_1}[form]
    return write(text, model, from_, notes, work=work_in(text, spec.model))


def _in_any(spec: Spec, lang: str) -> Translation:
    """The text in a language; without one, the words of the nearest language, which are not translated yet."""
    if matching(lang, texts_of(spec)) or no_tag(lang):
        return in_language(spec, lang)
    text = begun_text(spec, tag_of(lang))
    return text if text is not None else in_language(spec, lang)


def _of_variant(text: Translation, model: Model) -> tuple[Translation, Model]:
    """The text of a variant, and its model with those rules and rulings that have one in any language."""
    path = model.source.path
    game = {one.source for one in texts_at(path, model.id).values()}
    every = texts_at(path, model.id, model.variant).values()
    own = {one.id for found in every for one in passages(found).values() if one.source not in game}
    rules = {id_: one for id_, one in model.rules.items() if id_ in own}
    rulings = {id_: one for id_, one in model.rulings.items() if id_ in own}
    return text.without(lambda one: one.source in game), replace(model, rules=rules, rulings=rulings)


_TERMS = ("csv", "tbx", "tbx-2")
"""The formats of a glossary."""


def _terms(spec: Spec, form: str, languages: list[str]) -> str:
    book = book_of(spec)
    languages = [in_glossary(spec, lang) for lang in languages] if book is not None else languages
    if book is None:
        hint = say("Write one: specs/glossaries/{id}.yaml; `ftk text check` checks it.", id=spec.id)
        raise failure.Failure(say("{title} has no readable glossary.", title=spec.model.title), hint)
    chosen = set(languages or book.glossary.languages())
    concepts = {
        id_: replace(concept, terms={lang: terms for lang, terms in concept.terms.items() if lang in chosen})
        for id_, concept in book.glossary.concepts.items()
    }
    known = replace(book.glossary, concepts=concepts)
    if form == "csv":
        return to_csv(known)
    return to_tbx(known, TBX_2 if form == "tbx-2" else TBX_3)
