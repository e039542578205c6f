"""A text beside its kept review, for its readers: what is due, what the rules do, and what they say about it.

text = reviewing.of_raw(source, "en", rulespec.load("kingme"))
for one in text.due("Olena"):
    text = text.answered(one.present.number, "Olena", "2026-11-27", [])
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import regex

from rulespec.base.characters import one_line
from rulespec.base.messages import NOTHING, Message, say
from rulespec.base.source import Source
from rulespec.games.api import Spec, model_for
from rulespec.games.rulebook import book_at, kept_review, texts_at, texts_of
from rulespec.text.raw.alignment import is_of_game
from rulespec.text.raw.check import align_source
from rulespec.text.raw.check import check as check_raw
from rulespec.text.reading.translation import Translation, read
from rulespec.text.review.answer import KINDS, LONGEST, is_same, place_in
from rulespec.text.review.kept import ENDING, Declined, Passage, Reading, Remark, Review, path_of, write
from rulespec.text.review.question import questions
from rulespec.text.review.states import (
    Compared,
    Present,
    State,
    arranged,
    changed_only,
    compare,
    fresh,
    passages_of,
    with_comparison,
    with_reading,
)
from rulespec.text.review.states import texts_of as texts_in
from rulespec.text.rules.book import Book
from rulespec.text.seals.since import source_among

__all__ = ["KINDS", "LONGEST", "ReviewedText", "Said", "Unusable", "of_raw", "of_texts", "of_translation"]


class Unusable(ValueError):
    """What cannot be reviewed, or a judgement that cannot be kept: the message is a sentence."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


@dataclass(frozen=True)
class Said:
    """What a reviewer says about a passage: a remark, or None if the passage was found right.

    `number` counts the remarks of the text from 1 and is 0 without a remark. `holds` is whether the passage and its
    rules are as they were then.
    """

    by: str
    date: str
    holds: bool
    number: int = 0
    remark: Remark | None = None

    @property
    def is_open(self) -> bool:
        """Whether it is a remark that is reported."""
        return self.holds and self.remark is not None and self.remark.declined is None


@dataclass(frozen=True)
class ReviewedText:
    """A text with its passages and its review. A judgement gives another one; nothing is written.

    `own` is our text of the game to compare with: in the same language for a raw text, the source of a translation.
    `titles` are those of the rules in the language of the text, by id.
    """

    book: Book
    source: Source
    lang: str
    present: tuple[Present, ...]
    own: Translation | None = field(repr=False)
    review: Review
    titles: Mapping[str, str] = field(repr=False)

    @property
    def path(self) -> Path:
        """Where the review is kept."""
        return path_of(self.source.path)

    @property
    def is_raw(self) -> bool:
        """Whether it is a publisher's text, not a translation."""
        return bool(self.review.text)

    @cached_property
    def compared(self) -> Sequence[Compared]:
        """Every passage with its state, in the order of the text."""
        return compare(self.review, self.present, self.book.spec)

    def passage(self, number: int) -> Compared:
        """A passage by its number from 1. Raises Unusable if there is none."""
        if not 1 <= number <= len(self.compared):
            raise Unusable(say("There is no passage {number}.", number=number))
        return self.compared[number - 1]

    def due(self, by: str) -> list[Compared]:
        """The passages that a person has not read as they are, or whose rules have changed since."""
        return [one for one in self.compared if not one.is_read_by(by)]

    # what there is to know

    def rules(self, one: Compared) -> list[Mapping[str, Any]]:
        """The rules that a passage may concern, those that changed first, then the likeliest.

        Each is a mapping with its `id`, `title`, what it `does` and our `text`, or the `question` and `answers` of a
        ruling, as programs get them.
        """
        asked = next(iter(questions([one.present], self.book, self.lang, self.own, None, math.inf)), None)
        rules = {rule["id"]: rule for rule in asked["rules"]} if asked is not None else {}
        return [rules[id_] for id_ in one.present.rules if id_ in rules]

    def rule(self, id_: str) -> Mapping[str, Any]:
        """Any rule or ruling, in the same form. Raises Unusable for an unknown id."""
        if id_ not in self.book.spec.rules and id_ not in self.book.spec.rulings:
            raise Unusable(say("The game has no rule `{rule}`.", rule=id_))
        first = self.compared[0]
        return self.rules(replace(first, present=replace(first.present, rules={id_: ""})))[0]

    @cached_property
    def _said(self) -> Mapping[int, tuple[Said, ...]]:
        found: dict[int, tuple[Said, ...]] = {}
        number = 0
        for one in self.compared:
            said: list[Said] = []
            for kept, reading in self._readings(one):
                holds = kept is one.kept and one.state is State.READ
                for remark in reading.remarks:
                    number += 1
                    said.append(Said(reading.by, reading.date, holds, number, remark))
                if not reading.remarks:
                    said.append(Said(reading.by, reading.date, holds))
            found[one.present.number] = tuple(said)
        return found

    def _readings(self, one: Compared) -> Iterator[tuple[Passage, Reading]]:
        """The readings of a passage: first those that are current, then those from before a rule changed."""
        if one.kept is not None:
            same = (kept for kept in self.review.passages if (kept.words, kept.rule) == (one.kept.words, one.kept.rule))
            others = (kept for kept in same if kept is not one.kept)
            yield from ((kept, reading) for kept in (one.kept, *others) for reading in kept.read)

    def said(self, one: Compared) -> tuple[Said, ...]:
        """What has been said about a passage, also before it or a rule changed."""
        return self._said[one.present.number]

    @property
    def remarks(self) -> Mapping[int, tuple[Compared, Said]]:
        """All remarks by their numbers, with their passages."""
        return {said.number: (one, said) for one in self.compared for said in self.said(one) if said.number}

    def disagreed(self, one: Compared) -> bool:
        """Whether a remark about a passage is open that another reviewer does not make, or declined."""
        current = [said for said in self.said(one) if said.holds]
        opposed = {said.by for said in current if said.is_open}
        return bool(opposed) and any(said.by not in opposed for said in current)

    # what people say

    def remark(self, number: int, words: str, rule: str, kind: str, why: str) -> Remark:
        """A remark about a passage. Raises Unusable if the words do not stand in it, for an unknown rule or kind, and
        without a reason."""
        said, reason = one_line(words), one_line(why)
        if refused := self.refused_words(number, said):
            raise Unusable(refused)
        if kind not in KINDS:
            raise Unusable(say("There is no kind of remark `{kind}`.", kind=kind))
        if rule not in self.book.spec.rules and rule not in self.book.spec.rulings:
            raise Unusable(say("The game has no rule `{rule}`.", rule=rule))
        return Remark(said, rule, kind, _reason(reason))

    def refused_words(self, number: int, words: str) -> Message:
        """Why a remark about a passage cannot have these words, "" if it can: they must stand in it as whole words."""
        present = self.passage(number).present
        place = place_in(present, words) if words.strip() else None
        if place is None:
            return say("“{words}” does not stand in the passage. Copy words of it.", words=words)
        text = present.source.text
        if _is_inside(text, place.start) or _is_inside(text, place.end):
            return say("“{words}” is only a part of a word. Copy whole words.", words=words)
        return NOTHING

    def own_remarks(self, one: Compared, by: str) -> tuple[Remark, ...]:
        """The remarks that a person has made about a passage, also before it or a rule changed."""
        own = [said for said in self.said(one) if said.by == by and said.remark is not None]
        holding = [said for said in own if said.holds]
        return tuple(said.remark for said in holding or own if said.remark is not None)

    def answered(self, number: int, by: str, date: str, remarks: Iterable[Remark]) -> ReviewedText:
        """The text with what a person says about a passage: all their remarks about it, none if it is right.

        What others said stays. If a rule has changed, that is so for what they said about the other rules.
        """
        one, spec = self.passage(number), self.book.spec
        reading = Reading(_name(by), date, None, tuple(_once(remarks)))
        review = replace(self.review, passages=tuple(_without(kept, one, reading.by) for kept in self.review.passages))
        one = compare(review, self.present, spec)[number - 1]
        if one.kept is not None and changed_only(one) is not one.present:
            review = with_comparison(review, one, reading, spec, one.present.rules)
        else:
            review = with_reading(review, one.present, reading, spec)
        return self._with(review)

    def added(self, number: int, by: str, date: str, remark: Remark) -> ReviewedText:
        """The text with one more remark of a person about a passage, beside those that still hold."""
        one = self.passage(number)
        holding = [said.remark for said in self.said(one) if said.by == by and said.holds]
        others = [other for other in holding if other is not None and not is_same(other, remark)]
        return self.answered(number, by, date, [*others, remark])

    def declinable(self, number: int, by: str) -> tuple[Compared, Passage, Remark]:
        """A remark by its number, with its passage. Raises Unusable if there is none of another reviewer that holds."""
        one, said = self.remarks.get(number, (None, None))
        if one is None or said is None or said.remark is None or one.kept is None:
            raise Unusable(say("There is no remark {number}. Remarks: {most}.", number=number, most=len(self.remarks)))
        if not said.holds:
            raise Unusable(
                say("Remark {number} is no longer reported: its passage or a rule has changed.", number=number)
            )
        if said.by == by:
            raise Unusable(say("Remark {number} is your own. Say that the passage is right instead.", number=number))
        return one, one.kept, said.remark

    def declined(self, number: int, by: str, date: str, why: str) -> ReviewedText:
        """The text with a remark of another reviewer declined by a person. Raises Unusable as `declinable` does, and
        without a reason."""
        _, kept, remark = self.declinable(number, by)
        now = replace(remark, declined=Declined(_name(by), date, _reason(one_line(why))))
        read = tuple(
            replace(reading, remarks=tuple(now if other is remark else other for other in reading.remarks))
            for reading in kept.read
        )
        passages = (replace(kept, read=read) if other is kept else other for other in self.review.passages)
        return self._with(replace(self.review, passages=tuple(passages)))

    def _with(self, review: Review) -> ReviewedText:
        return replace(self, review=arranged(review, self.present, self.book.spec))

    # the file

    def as_kept(self) -> ReviewedText:
        """The text with the review as the file has it now. Raises Unusable if that cannot be used."""
        return replace(self, review=_kept(self.source, self.lang, self.present, self.book, self.review.text))

    def written(self) -> str:
        """The content of the file of the review."""
        return write(self.review)


def of_raw(source: Source, lang: str, spec: Spec) -> ReviewedText:
    """A publisher's text of a game in a language (a BCP 47 tag) with its review. Raises Unusable if the game has no
    glossary in the language, for a text of another game, and for a review that cannot be used."""
    book, own = book_at(spec.model), texts_of(spec).get(lang)
    if book is None or lang not in book.glossary.languages():
        raise Unusable(say("The game `{game}` has no glossary in {lang}.", game=spec.id, lang=lang))
    alignment = align_source(source, lang, book, own)
    present = passages_of(source, lang, alignment, spec.model)
    if present and not is_of_game(alignment):
        other = next(iter(check_raw(source, lang, book, own, None, None, alignment)), None)
        if other is not None and other.name == "other-game":
            raise Unusable(other.message, other.hint)
    name = path_of(source.path).name.removesuffix(ENDING)
    kept = _kept(source, lang, present, book, name)
    return ReviewedText(book, source, lang, present, own, kept, own.titles if own is not None else {})


def of_translation(source: Source) -> ReviewedText:
    """A translation with its review. Raises Unusable if it, its spec or its glossary cannot be read, for a translation
    of a variant, and for a review that cannot be used."""
    translation, found = read(source)
    if translation is None:
        raise Unusable(say("{path} cannot be read. {message}", path=source.path, message=found[0].message))
    if translation.variant:
        raise Unusable(say("The texts of a variant are not reviewed: those of the game are."))
    spec, report = model_for(translation.game, source)
    if spec is None:
        raise Unusable(say("The spec cannot be read. {message}", message=report.errors[0].message))
    return of_texts(translation, book_at(spec), texts_at(spec.source.path, spec.id).values())


def of_texts(
    translation: Translation, book: Book | None, others: Iterable[Translation], review: Review | None = None
) -> ReviewedText:
    """A translation that has been read, as `of_translation`; `others` are the texts in other languages, and `review` is
    one in place of that of the file."""
    if book is None:
        raise Unusable(say("The game `{game}` has no glossary.", game=translation.game))
    source, present = translation.source, texts_in(translation, book.spec)
    review = review or _kept(source, translation.lang, present, book, "")
    made_from = source_among(translation, [one for one in others if one.lang != translation.lang])
    return ReviewedText(book, source, translation.lang, present, made_from, review, translation.titles)


def _kept(source: Source, lang: str, present: Sequence[Present], book: Book, name: str) -> Review:
    """The review in the file beside a text, a new one without a file. Raises Unusable."""
    kept, found = kept_review(source, lang, present, book.spec)
    if found:
        raise Unusable(found[0].message, found[0].hint)
    return replace(kept, text=name) if kept is not None else fresh(book.spec.id, lang, name, book.spec)


def _without(kept: Passage, one: Compared, by: str) -> Passage:
    """A kept passage without what a person said, if it is about the words of another."""
    if (kept.words, kept.rule) != (one.present.words, one.present.rule):
        return kept
    return replace(kept, read=tuple(reading for reading in kept.read if reading.by != by))


_LETTERS = regex.compile(r"\w\w")
_UNSPACED = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
)  # Hangul has spaces, but its particles are written on to the words


def _is_inside(text: str, at: int) -> bool:
    """Whether a place is inside a word, in scripts that write spaces between words."""
    two = text[max(0, at - 1) : at + 1]
    return _LETTERS.fullmatch(two) is not None and _UNSPACED.search(two) is None


def _once(remarks: Iterable[Remark]) -> Iterator[Remark]:
    """Remarks without those that a later one repeats."""
    every = list(remarks)
    yield from (one for at, one in enumerate(every) if not any(is_same(one, other) for other in every[at + 1 :]))


def _name(by: str) -> str:
    name = one_line(by)
    if not name:
        raise Unusable(say("A reviewer needs a name."))
    return name


def _reason(why: str) -> str:
    if not why:
        raise Unusable(say("A reason is needed."))
    if len(why) > LONGEST:
        raise Unusable(say("A reason has at most {most} characters.", most=LONGEST))
    return why
