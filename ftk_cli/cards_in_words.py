"""The cards of a game in the words of languages: what `ftk cards` draws and lists."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from ftk_cli import failure
from ftk_cli.text.files import show
from ftk_cli.text.languages import the_one
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS

if TYPE_CHECKING:
    from rulespec.games.api import Spec
    from rulespec.text.output.sheets.faces import Face, Words


@dataclass(frozen=True)
class Cards:
    """The cards of a game in one language, with their words, title and template; `alone` if no other is wanted."""

    lang: str
    title: str
    faces: list[Face]
    words: Words
    alone: bool
    template: str = ""

    def path(self, path: str) -> str:
        """The name of a file for this language: with its tag if there are several."""
        stem, ending = os.path.splitext(path)
        return path if self.alone else f"{stem}-{self.lang}{ending}"


def in_languages(spec: Spec, langs: str | None, kept: frozenset[int] | None) -> Iterator[Cards]:
    """The cards in each language of a list with commas, by default that of specs; `kept` are those in play.

    Ends the command with the findings if there are errors in the looks of the cards."""
    from rulespec.games.looks import looks_of
    from rulespec.games.rulebook import book_of, texts_of
    from rulespec.text.output.sheets.faces import Words, faces

    book = book_of(spec)
    glossary = book.glossary if book is not None else None
    texts = texts_of(spec)
    known = dict.fromkeys((LANGUAGE_OF_SPECS, *(glossary.languages() if glossary is not None else ()), *texts))
    hint = "Add terms in that language to the glossary, or a text in it, first."
    wanted = [lang.strip() for lang in (langs or LANGUAGE_OF_SPECS).split(",")]
    tags = [the_one(tag, known, f"The game has no terms in {tag}.", hint) for tag in wanted]
    looks, report = looks_of(spec)
    if not report.ok:
        show(list(report.findings))
        raise click.exceptions.Exit(failure.FINDINGS)
    for tag in tags:
        text = texts.get(tag)
        words = Words(spec.model, glossary, tag, looks, text)
        cards = list(faces(spec.model, words, kept))
        title = (text.title if text is not None else "") or spec.model.title
        yield Cards(tag, title, cards, words, len(tags) == 1, looks.template if looks is not None else "")
