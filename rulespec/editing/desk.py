"""The desk of a localiser: the texts of a game in one language, what each must state, and edits of them.

desk = Desk(rulespec.load("fortheking"), rulespec.read_source("specs/translations/fortheking/uk.yaml")[0])
unit = desk.unit("setup.deck", players=3)
findings = desk.findings("setup.deck", {"rules/setup.deck/text": "…"})
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from rulespec.base.diagnostics import Finding, Report
from rulespec.base.findings import kind_called
from rulespec.base.pages.sheet import Line
from rulespec.base.source import Source
from rulespec.games.api import Spec
from rulespec.games.confirmed import versions_of, words_of
from rulespec.games.rulebook import book_of, described, texts_at
from rulespec.language.document.patches import line_break
from rulespec.language.model.spec import Spec as Model
from rulespec.proofs.meaning.rules import by_default
from rulespec.text.checks.check import check_text
from rulespec.text.glossary.concepts import Term
from rulespec.text.output.exchange.edit import apply, confirm, replaced
from rulespec.text.output.exchange.units import Entries, Work, work
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.translation import Passage, Translation, read
from rulespec.text.rules.claims import own
from rulespec.text.rules.describe.description import Description
from rulespec.text.rules.describe.facts import required_sentences
from rulespec.text.rules.describe.grammar import languages
from rulespec.text.rules.describe.terms import Names, nouns_of
from rulespec.text.seals.confirmation import renewed, sentence_about
from rulespec.text.seals.edits import lines, own_changes, source_changes
from rulespec.text.seals.since import Kept, Since, is_edited, is_source_edited, sealed, since, source_among

__all__ = ["STATES", "Desk", "Entry", "Sentence", "Statement", "Unit", "UsedTerm"]

STATES = ("missing", Since.RULE, Since.SOURCE, Since.WORDS, "draft", "unconfirmed", "confirmed")
"""How far a text is. A stale one was confirmed with a rule that has changed since; others were edited since they were
confirmed, or their source was."""


@dataclass(frozen=True)
class Entry:
    """A rule or ruling with its text in the language of the desk; `key` is `rules/<id>` or `rulings/<id>`."""

    key: str
    id: str
    title: str
    state: str


@dataclass(frozen=True)
class Statement:
    """What a rule does, as a sentence, and the number of the sentence of the text that speaks of it, if one does."""

    text: str
    said_in: int | None


@dataclass(frozen=True)
class Sentence:
    """A sentence of a text: its offsets in characters."""

    start: int
    end: int


@dataclass(frozen=True)
class UsedTerm:
    """The terms of a concept that a rule is about. `mentioned` is whether the text has any of them."""

    concept: str
    preferred: str
    allowed: tuple[str, ...]
    forms: tuple[str, ...]
    forbidden: tuple[str, ...]
    note: str
    mentioned: bool


@dataclass(frozen=True)
class Unit:
    """A text and its title, each "" if missing, with all that is needed to write it: its sentences, what its rule does
    with a number of players, the facts that it must state, the texts in other languages by language, and the terms.

    What has changed in its source and in its own words since it was confirmed are lines that were and lines that are.
    """

    entry: Entry
    heading: str
    text: str
    sentences: tuple[Sentence, ...]
    statements: tuple[Statement, ...]
    must_state: tuple[str, ...]
    others: Mapping[str, str]
    terms: tuple[UsedTerm, ...]
    source_changes: tuple[Line, ...]
    own_changes: tuple[Line, ...]


class Desk:
    """The texts of a game in the language of a translation file, as it is being edited.

    Raises ValueError if the file is no translation of the game that can be read, or if the game has no glossary.
    """

    def __init__(self, spec: Spec, source: Source, others: Mapping[str, Translation] | None = None) -> None:
        translation, findings = read(source)
        if translation is None:
            raise ValueError(str(findings[0].message))
        book = book_of(spec)
        if translation.game != spec.id:
            raise ValueError(f"{source.path} is a translation of `{translation.game}`, not of `{spec.id}`.")
        if book is None:
            raise ValueError(f"`{spec.id}` has no glossary. Add one next to its texts.")
        self.source, self.lang = translation.source, translation.lang
        self.title = translation.title or spec.model.title
        self._spec, self._book = spec, book
        self._translation = renewed(translation, spec.model, versions_of(spec.model))
        every = others if others is not None else texts_at(spec.model.source.path, spec.id)
        self.others = {lang: one for lang, one in every.items() if lang != self.lang}

    def entries(self) -> Iterator[Entry]:
        """Every rule and ruling in the order of the spec."""
        model = self._model
        for section, known in (("rules", model.rules), ("rulings", model.rulings)):
            yield from (self._entry(f"{section}/{id_}", id_) for id_ in known)

    def unit(self, id_: str, players: int | None = None) -> Unit:
        """The text of a rule or ruling, for a number of players (default: for any).

        Raises KeyError for an unknown id, ValueError for another number of players than the game has.
        """
        if players is not None and players not in self._spec.players:
            raise ValueError(f"`{self._spec.id}` is not for {players} players.")
        section = "rules" if id_ in self._model.rules else "rulings"
        passage = self._passage(id_)
        entry, text = self._entry(f"{section}/{id_}", id_), (passage.written.text if passage is not None else "")
        others = {lang: one.passages[id_].written.text for lang, one in self.others.items() if id_ in one.passages}
        reading = self._book.read(text, self.lang)
        sentences = tuple(Sentence(span.start, span.end) for span in reading.sentences)
        passage = self._passage(id_)
        return Unit(
            entry,
            passage.title if passage is not None else "",
            text,
            sentences,
            tuple(self._statements(id_, reading, players)),
            tuple(self._required(id_, players)),
            others,
            tuple(self._terms(id_, reading)),
            *map(tuple, self._changes(passage)),
        )

    def findings(self, id_: str, changed: Mapping[str, str] | None = None) -> tuple[Finding, ...]:
        """The findings about the text of one rule or ruling, with changed texts by unit id such as `rules/<id>/text`.

        Those about other texts, and comments that ignore nothing, are left to `rulespec.check_translation`. Raises
        KeyError for an unknown id.
        """
        if id_ not in self._model.rules and id_ not in self._model.rulings:
            raise KeyError(f"`{self._spec.id}` has no rule or ruling `{id_}`.")
        source, unwritable = self.written(changed or {})
        translation, unreadable = read(source)
        if unwritable or translation is None or id_ not in translation.passages:
            return tuple(unwritable or unreadable)
        passage, beside = translation.passages[id_], self.others
        wrong = check_text(translation, passage, self._model, self._book, beside.values(), self._versions, self._words)
        return Report.of(wrong).findings

    def written(self, changed: Mapping[str, str]) -> tuple[Source, list[Finding]]:
        """The file with changed texts by unit id, and why they cannot be written. Comments and layout stay."""
        tidy = {
            id_: "\n".join(line.rstrip() for line in text.splitlines()).strip("\n") for id_, text in changed.items()
        }
        text, found = replaced(self.source, tidy)
        return Source(self.source.path, text), found

    def confirmed(self, id_: str) -> tuple[Source, list[Finding]]:
        """The file with a text marked as compared with its rule as it is now. Raises ValueError if there is no text."""
        section, passage = "rules" if id_ in self._translation.rules else "rulings", self._there(id_)
        text, found = confirm(
            self.source, {f"{section}/{passage.id}": str(sealed(passage, self._model, self._made_from))}
        )
        return Source(self.source.path, text), found

    def work(self) -> Mapping[str, Work]:
        """The units whose rule or source has changed since they were confirmed, by id."""
        return work(self._translation, self._model, self._made_from, self._words)

    def imported(self, entries: Entries) -> tuple[Source, list[Finding]]:
        """The file with the texts of a translation tool, and findings for those that cannot be taken over."""
        text, found = apply(self.source, entries, self._model, self._made_from, self._words)
        return Source(self.source.path, text), found

    def ignoring(self, id_: str, code: str, reason: str) -> tuple[Source, list[Finding]]:
        """The file with a comment that ignores the findings of a kind about a text.

        Raises ValueError if there is no text, for an unknown code, and without a reason.
        """
        if kind_called(code) is None:
            raise ValueError(f"There is no kind of finding `{code}`.")
        said = " ".join(reason.split())
        if not said:
            raise ValueError("An ignored finding needs a reason.")
        source, key = self.source, self._there(id_).key
        at = source.line_start(source.position(key.start).line)
        comment = f"{source.text[at : key.start]}# ftk: ignore {code} {said}{line_break(source)}"
        result = Source(source.path, f"{source.text[:at]}{comment}{source.text[at:]}")
        return result, read(result)[1]

    @property
    def _model(self) -> Model:
        return self._spec.model

    @cached_property
    def _versions(self) -> tuple[Model, ...]:
        return tuple(versions_of(self._model))

    @cached_property
    def _words(self) -> Kept:
        return words_of(self._model)

    @cached_property
    def _made_from(self) -> Translation | None:
        return source_among(self._translation, self.others.values())

    def _passage(self, id_: str) -> Passage | None:
        return self._translation.passages.get(id_)

    def _there(self, id_: str) -> Passage:
        passage = self._passage(id_)
        if passage is None:
            raise ValueError(f"There is no text of `{id_}` yet. Write it first.")
        return passage

    def _entry(self, key: str, id_: str) -> Entry:
        passage = self._passage(id_)
        title = passage.title if passage is not None else ""
        return Entry(key, id_, title or self._called(id_), self._state(passage))

    def _changes(self, passage: Passage | None) -> tuple[Iterator[Line], Iterator[Line]]:
        """What has changed in the source of a text, and in its own words, since it was confirmed."""
        if passage is None:
            return iter(()), iter(())
        source = self._made_from if self._made_from and is_source_edited(passage, self._made_from) else None
        there = source_changes(passage, self.lang, source, self._book, self._words) if source is not None else None
        own = own_changes(passage, self.lang, self._words) if is_edited(passage) else None
        lang = source.lang if source is not None else ""
        return lines(there or (), lang, lang), lines(own or (), self.lang, self.lang)

    def _called(self, id_: str) -> str:
        """The title of a rule, or the question of a ruling, with a label of the glossary if it has one."""
        names = Names(self._model, self.lang, nouns_of(self._book.glossary, self.lang))
        if id_ in self._model.rules:
            return names.title(id_)
        question = self._model.rulings[id_].question
        return names.said(question) or question

    def _state(self, passage: Passage | None) -> str:
        if passage is None:
            return "missing"
        if changed := since(passage, self._model, self._made_from, self._versions):
            return min(changed, key=STATES.index)
        if passage.status == "draft":
            return "draft"
        return "confirmed" if passage.confirmed else "unconfirmed"

    def _description(self, players: int | None) -> Description | None:
        """A description in the language of the desk; None if rules cannot be described in it."""
        if self.lang not in languages():
            return None
        return described(self._model, self.lang, self._model.source.path, players)

    def _statements(self, id_: str, reading: Reading, players: int | None) -> Iterator[Statement]:
        description = self._description(players)
        if description is None or id_ not in self._model.rules:
            return
        for one in description.rule(id_).stated:
            span = sentence_about(one, reading, self._book)
            yield Statement(description.sentence(one), reading.sentences.index(span) if span is not None else None)

    def _required(self, id_: str, players: int | None) -> Iterator[str]:
        description = self._description(players)
        if description is not None and id_ in self._model.rules:
            yield from required_sentences(id_, description.say, self._book)

    def _terms(self, id_: str, reading: Reading) -> Iterator[UsedTerm]:
        """The terms of what the rule or ruling is about, in the order of the glossary."""
        stated = (*own(self._model, id_), *(by_default(self._model, id_) if id_ in self._model.rulings else ()))
        named = {part.name for one in stated for part in one.phrases()}
        about = {self._book.concepts[name] for name in named if name in self._book.concepts}
        for id_, concept in self._book.glossary.concepts.items():
            terms = concept.terms.get(self.lang)
            if id_ in about and terms is not None:
                mentioned = id_ in reading.places
                preferred = terms.preferred.text if terms.preferred is not None else ""
                allowed, forms, forbidden = map(_texts, (terms.allowed, terms.forms, terms.forbidden))
                yield UsedTerm(id_, preferred, allowed, forms, forbidden, concept.note, mentioned)


def _texts(terms: Iterable[Term]) -> tuple[str, ...]:
    return tuple(one.text for one in terms)
