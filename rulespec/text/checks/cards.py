"""The text of a card beside those of the other cards in its language: cards that do the same say the same.

A game has many cards and few kinds of effects, so its own texts show how a language words them, without any lexicon:
words that only the cards with one moment have name that moment, and what all other cards with a procedure mention
belongs to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import say
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.rules import propositions
from rulespec.text.checks.page import Page
from rulespec.text.glossary import tokens
from rulespec.text.reading.once import once
from rulespec.text.rules.book import Book

FEWEST = 4
"""The fewest other cards whose texts show how a moment or a procedure is worded."""

SHARE = 0.8
"""The least share of the cards with a moment that have the same words: others word it in another way."""

_LONGEST = 4
"""The most words of a phrase for a moment."""


def check(page: Page) -> Iterator[Finding]:
    """Findings about the moment of a card, and about what it leaves out of a procedure."""
    rule, translation = page.passage.id, page.translation
    if translation is None or rule not in page.spec.member_rules:
        return
    translated = (one for id_, one in translation.rules.items() if id_ in page.spec.member_rules)
    texts = {one.id: one.text.text for one in translated if one.status != "draft"}
    texts[rule] = page.passage.text.text
    # The latest texts of each language, so that a process that goes on for long keeps no earlier ones.
    known: dict[str, Cards] = once(page.book, "cards", dict)
    if page.lang not in known or known[page.lang].texts != texts:
        known[page.lang] = Cards(texts, page.lang, page.book)
    cards = known[page.lang]
    found = cards.wrong_moment(rule)
    if found is not None:
        said, other, own = page.prose.text[found.words.start : found.words.end], found.moment, found.own
        message = say(
            "The text says “{said}”, as those of cards with an effect at `{other}`; this card has one at `{own}`.",
            said=said,
            other=other.rpartition(".")[2],
            own=own.rpartition(".")[2],
        )
        hint = say("Correct the text, or the spec at `{rule}`.", rule=rule)
        yield page.prose.say("fact-contradicted", message, found.words.start, found.words.end, hint)
    for concept in cards.lacking(rule):
        term = page.book.term(concept, page.lang)
        message = say("The text does not mention {term}; all other cards that do the same mention it.", term=term)
        hint = say("Mention it. If the text does so in other words, add these words to the glossary.")
        yield finding("language-lacks", message, page.prose.source, page.passage.key, hint, rule, page.lang)


@dataclass(frozen=True)
class WrongMoment:
    """Words that only cards with another moment have, that moment, and the moment of this card."""

    words: Span
    moment: str
    own: str


@dataclass(frozen=True, eq=False)
class Cards:
    """The texts of the cards of a game in a language, by the rules of their members."""

    texts: Mapping[str, str]
    lang: str
    book: Book

    # --- moments ------------------------------------------------------------------------------------------------------

    @cached_property
    def _moments(self) -> Mapping[str, frozenset[str]]:
        return {rule: frozenset(_moments(self.book.spec, rule)) for rule in self.texts}

    @cached_property
    def _phrases(self) -> Mapping[str, Mapping[str, Span]]:
        return {rule: dict(self._phrases_of(text)) for rule, text in self.texts.items()}

    def _phrases_of(self, text: str) -> Iterator[tuple[str, Span]]:
        """The phrases of at most `_LONGEST` words that name no thing of the game, each with its first place."""
        words, reading = tokens.read(text, self.lang), self.book.read(text, self.lang)
        found: dict[str, Span] = {}
        for length in range(1, _LONGEST + 1):
            for at in range(len(words) - length + 1):
                place = Span(words[at].start, words[at + length - 1].end)
                named = (one.concept for one in reading.mentions_over(place.start, place.end))
                if not any(map(self.book.is_thing, named)):
                    found.setdefault(" ".join(word.raw.casefold() for word in words[at : at + length]), place)
        yield from found.items()

    @cached_property
    def _counts(self) -> Mapping[str, Counter[str]]:
        """How many cards have a phrase, by the moment of the cards; "" for all cards."""
        found: dict[str, Counter[str]] = {"": Counter()}
        for rule, phrases in self._phrases.items():
            for moment in ("", *self._moments[rule]):
                found.setdefault(moment, Counter()).update(phrases.keys())
        return found

    def wrong_moment(self, rule: str) -> WrongMoment | None:
        """Words of a moment that a card does not have, if none for its own stand there and other cards have some."""
        own, phrases = self._moments[rule], self._phrases[rule]
        known = [self._words(moment, rule) for moment in own]
        if not known or not all(known) or any(phrase in phrases for some in known for phrase in some):
            return None
        others = sorted(moment for moment in self._counts if moment and moment not in own)
        found = ((phrase, moment) for moment in others for phrase in self._words(moment, rule) if phrase in phrases)
        phrase, moment = max(found, key=lambda one: len(one[0]), default=("", ""))
        return WrongMoment(phrases[phrase], moment, min(own)) if phrase else None

    def _words(self, moment: str, rule: str) -> list[str]:
        """The phrases that most of the other cards with a moment have, and none without it; of a phrase and a longer
        one in as many cards only the longer one."""
        mine, phrases = moment in self._moments[rule], self._phrases[rule]
        cards = sum(moment in some for some in self._moments.values()) - mine
        if cards < FEWEST:
            return []
        counts, every = self._counts[moment], self._counts[""]
        having = {one: number - (mine and one in phrases) for one, number in counts.items()}
        frequent = {one: number for one, number in having.items() if number >= SHARE * cards}
        only = {one for one in frequent if every[one] - counts[one] == (not mine and one in phrases)}
        return [one for one in only if not any(f" {one} " in f" {more} " and more != one for more in only)]

    def lacking(self, rule: str) -> Iterator[str]:
        """The concepts that the texts of all other cards name that run a procedure of this one."""
        named = {concept for concept in self.book.read(self.texts[rule], self.lang).places}
        found: set[str] = set()
        for procedure in _procedures(self.book.spec, rule):
            others = [one for one in self.texts if one != rule and procedure in _procedures(self.book.spec, one)]
            if len(others) >= FEWEST:
                each = (self.book.read(self.texts[one], self.lang).places.keys() for one in others)
                found |= frozenset[str].intersection(*map(frozenset, each)) - named
        yield from sorted(one for one in found if self.book.is_thing(one))


def _moments(spec: Spec, rule: str) -> Iterator[str]:
    """The moments at which a card has an effect."""
    for one in propositions(spec).get(rule, ()):
        for phrase in (one.act, *one.within):
            yield from (part.name for part in phrase.parts if phrase.constructor == "moment")


def _procedures(spec: Spec, rule: str) -> Set[str]:
    acts = (one.act for one in propositions(spec).get(rule, ()) if one.act.constructor == "carry_out")
    return {part.name for act in acts for part in act.parts if part.constructor == "procedure"}
