"""What a localiser has to do in a text since it was confirmed: each rule with its source and its text, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from rulespec.base.diagnostics import Finding, Severity
from rulespec.base.findings.catalog import catalog_of
from rulespec.base.messages import counted, say, translated
from rulespec.base.pages.sheet import Entry, Section, Sheet, plain
from rulespec.base.worklist import SINCE
from rulespec.games.confirmed import words_of
from rulespec.language.model.spec import Spec
from rulespec.text.languages.registry import find
from rulespec.text.reading.revision import bare
from rulespec.text.reading.translation import Passage, Translation
from rulespec.text.rules.book import Book
from rulespec.text.seals.edits import Changed, lines, own_changes, source_changes
from rulespec.text.seals.since import Kept, not_yet, source_among, untranslated_ids

_EDITED = ("text-edited", "source-edited")
_TO_DO = ("text-missing", *SINCE)


@dataclass(frozen=True)
class Pending:
    """A text of a game, the texts beside it, and the findings about it; `lang` is the language of the report."""

    spec: Spec
    book: Book | None
    translation: Translation
    others: tuple[Translation, ...]
    findings: tuple[Finding, ...]
    lang: str

    def sheet(self) -> Sheet:
        """The report, rule by rule in the order of the spec."""
        sections = [one for id_ in (*self.spec.rules, *self.spec.rulings) for one in self._sections(id_)]
        title = f"{self.translation.title or self.spec.title} {self.spec.version} · {self.translation.lang}"
        if sections:
            lead = counted("{number} text to bring up to date", "{number} texts to bring up to date", len(sections))
        else:
            lead = say("Every text is there, confirmed and up to date.")
        return Sheet(self.lang, title, self._said(lead), tuple(sections), find(self.lang).direction)

    def _sections(self, id_: str) -> Iterator[Section]:
        own = (one for one in self.findings if one.rule == id_)
        found = [one for one in own if one.name in _TO_DO or one.severity is Severity.ERROR]
        passage = self.translation.passages.get(id_)
        if passage is not None and id_ in self._untranslated and self._source is not None:
            message = self._said(not_yet(self._source.lang))
            yield Section(self._title(id_), (Entry(message, (plain(passage.text.text, f"{self._source.lang}:"),)),))
        elif found:
            entries = [entry for one in found for entry in self._entries(one, passage)]
            yield Section(self._title(id_), tuple(entries))

    def _title(self, id_: str) -> str:
        texts = (self.translation, *filter(None, [self._source]))
        said = next((one.passages[id_].title for one in texts if id_ in one.passages and one.passages[id_].title), "")
        known = self.spec.rules[id_].title if id_ in self.spec.rules else self.spec.rulings[id_].question
        return f"{said or known} (`{id_}`)"

    def _entries(self, found: Finding, passage: Passage | None) -> Iterator[Entry]:
        """What is to do about a finding; edits that were merged into it as well."""
        message = found.in_language(self.lang).message
        source, lang = self._source, self.translation.lang
        if passage is None:
            there = source.passages.get(found.rule) if source is not None else None
            texts = [plain(there.text.text, f"{source.lang}:")] if there is not None and source is not None else []
            yield Entry(message, tuple(texts))
            return
        if found.name not in _EDITED:
            yield Entry(message, (plain(bare(passage.source.line(found.start.line)), f"{lang}:"),))
        if "source-edited" in found.names and source is not None:
            changed = source_changes(passage, lang, source, self.book, self._kept)
            yield self._entry(message, changed, source.lang, passage)
        if "text-edited" in found.names:
            yield self._entry(message, own_changes(passage, lang, self._kept), lang)

    def _entry(
        self, message: str, changed: Iterable[Changed] | None, lang: str, passage: Passage | None = None
    ) -> Entry:
        """What was and what is; for a change of the source beside the sentences of the text that follow."""
        changed = list(changed or ())
        if not changed:
            return Entry(message)
        was, now = (self._said(one) for one in (say("{lang} before:", lang=lang), say("{lang} now:", lang=lang)))
        follow = dict.fromkeys(_said_at(one, passage) for one in changed) if passage is not None else ()
        beside = tuple(plain(text, f"{self.translation.lang}:") for text in follow)
        return Entry("", tuple(lines(changed, was, now)), beside=beside)

    @property
    def _source(self) -> Translation | None:
        return source_among(self.translation, self.others)

    @cached_property
    def _untranslated(self) -> frozenset[str]:
        return untranslated_ids(self.translation, self._source)

    @cached_property
    def _kept(self) -> Kept:
        return words_of(self.spec)

    def _said(self, message: str) -> str:
        catalog = catalog_of(self.lang)
        return translated(message, catalog) if catalog is not None else str(message)


def _said_at(one: Changed, passage: Passage) -> str:
    """The sentence that a change concerns, or the whole text."""
    if one.span == passage.key:
        return passage.text.text
    return bare(passage.source.text[one.span.start : one.span.end])
