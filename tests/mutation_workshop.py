"""Mutants of rule texts, and whether the checker finds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import rulespec
from rulespec.base.diagnostics import Finding, Span
from rulespec.base.source import Source
from rulespec.games.api import built
from rulespec.games.rulebook import book_of, texts_of
from rulespec.language.document.nodes import Scalar
from rulespec.language.model.spec import Spec
from rulespec.text.checks.check import check
from rulespec.text.checks.detectors import STATEMENTS, detected
from rulespec.text.checks.page import Page
from rulespec.text.checks.typography import check as check_typography
from rulespec.text.judging import compare
from rulespec.text.reading.translation import Passage, Translation
from rulespec.text.rules.book import Book

SPECS = Path(__file__).parents[1] / "specs"


@dataclass(frozen=True)
class Mutant:
    """A passage with one mistake. `text` is None if the whole entry is dropped. `change` describes the mistake."""

    lang: str
    passage: str
    operator: str
    text: str | None
    change: str


@dataclass(frozen=True)
class Workshop:
    """A game with its glossary and its texts by language."""

    book: Book
    texts: Mapping[str, Translation]
    _clean: dict[tuple[str, str], Counter[tuple[str, str]]] = field(default_factory=dict, repr=False)

    def finds(self, mutant: Mutant) -> bool:
        """Whether the checker has findings for the mutant that it does not have for the original text."""
        passage = self.texts[mutant.lang].passages[mutant.passage]
        if mutant.text is None:
            return bool(self._entries(mutant, None) - self._entries(mutant, passage))
        key = mutant.lang, mutant.passage
        if key not in self._clean:
            self._clean[key] = _counted(self._findings(mutant, passage))
        return _more(self._findings(mutant, with_text(passage, mutant.text)), self._clean[key])

    def findings(self, mutant: Mutant) -> Iterator[Finding]:
        """The findings for a mutant with a text, those of the original text included."""
        assert mutant.text is not None
        yield from self._findings(mutant, with_text(self.texts[mutant.lang].passages[mutant.passage], mutant.text))

    def _findings(self, mutant: Mutant, passage: Passage) -> Iterator[Finding]:
        prose = passage.prose(mutant.lang)
        yield from check_typography(prose, letters=self.book.letters)  # first, because it is fastest
        page = Page(passage, mutant.lang, self.book.spec, self.book)
        yield from (found for _, found in detected(page, STATEMENTS))
        yield from compare.check(passage, mutant.lang, self.texts.values(), self.book)

    def _entries(self, mutant: Mutant, passage: Passage | None) -> Counter[tuple[str, str]]:
        """The findings for a translation with only this entry, or with none."""
        text = self._alone(mutant, {passage.id: passage} if passage is not None else {})
        return _counted(check(text, self.book.spec, None, ()))

    def _alone(self, mutant: Mutant, entries: Mapping[str, Passage]) -> Translation:
        """The translation with these entries only."""
        is_rule = mutant.passage in self.book.spec.rules
        return replace(self.texts[mutant.lang], rules=entries if is_rule else {}, rulings={} if is_rule else entries)


@cache
def workshop(game: str) -> Workshop:
    """A packaged game with its texts."""
    spec = rulespec.load(game)
    book = book_of(spec)
    assert book is not None
    return Workshop(Book(book.spec, book.glossary), texts_of(spec))


def edited_game(game: str, edit: str) -> Spec:
    """The model of a shipped game after an edit of its file, `OLD => NEW`."""
    before, _, after = edit.partition(" => ")
    path = SPECS / f"{game}.yaml"
    written = path.read_text(encoding="utf-8")
    assert written.count(before) == 1
    spec, _ = built(Source(str(path), written.replace(before, after)))
    assert spec is not None
    return spec


def _more(findings: Iterable[Finding], known: Counter[tuple[str, str]]) -> bool:
    """Whether there is a finding that is not known. Stops at the first one."""
    left = known.copy()
    for finding in findings:
        left[finding.name, finding.message] -= 1
        if left[finding.name, finding.message] < 0:
            return True
    return False


def _counted(findings: Iterable[Finding]) -> Counter[tuple[str, str]]:
    return Counter((finding.name, finding.message) for finding in findings)


def with_text(passage: Passage, text: str) -> Passage:
    place = Span(0, len(text))
    return replace(passage, text=Scalar(place, text, text, "", Source("<mutant>", text)))
