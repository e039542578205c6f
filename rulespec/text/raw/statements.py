"""The statements of every rule in a language: what a text of the game is aligned to.

They are the sentences of our own text, the sentences of the description, and the titles. Each has features: concepts,
lemmas and numbers. The weight of a feature is its rarity among the rules.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from rulespec.text.raw.cosines import Cosines
from rulespec.text.raw.features import Features, features
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.reading.segmentation import passages
from rulespec.text.reading.translation import Translation
from rulespec.text.rules import describe
from rulespec.text.rules.book import Book
from rulespec.text.rules.content import ByKey, ByPlayers, Names, Number, Words
from rulespec.text.rules.content import Sequence as Order
from rulespec.text.rules.facts import of_rule

LEMMA = 0.5
"""The weight of a lemma, of a concept 1: a term is a concept and two or three lemmas at the same time."""

CORE = 0.6
"""A sentence of our text states what the rule does if it is at least this share as similar to the description of the
rule as the most similar one."""

UNKNOWN = 0.25
"""The share of its weight that a lemma has which no rule has. A writer who uses words of their own says the same; with
the full weight, 3 % fewer sentences are aligned to their rule. Whether a sentence states a rule
at all is judged with the full weight."""

NUMBER = 0.3
"""The weight of a number: another number must not move a sentence away from its rule."""


@dataclass(frozen=True)
class Statement:
    """A sentence that states a rule or a part of it, with its features. `part` is our own text of it.

    `core`: it states what the rule does, not something around it. `title`: it is the title.
    """

    rule: str
    features: Features
    part: Reading | None = field(default=None, repr=False)
    core: bool = False
    title: bool = False
    variant: bool = False
    """Whether it is about another way to play than the usual one, which the text to be checked need not use."""
    described: Reading | None = field(default=None, repr=False)
    """The sentence of the description, if it is one."""


@dataclass(frozen=True)
class Statements:
    """All statements of the rules of a game in a language."""

    every: tuple[Statement, ...]
    rules: tuple[str, ...]
    derived: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)
    """Cache of other modules: what they derived from the statements, by a key of their own."""

    def ours(self, rule: str) -> Iterator[Reading]:
        """The sentences of our own text of a rule."""
        return (one.part for one in self.every if one.rule == rule and one.part is not None)

    def has(self, text: str) -> bool:
        """Whether our own texts have these words in a row."""
        return plain(text) in self._own

    @cached_property
    def _own(self) -> str:
        # `plain` leaves no line break in a text, so words in a row are never those of two texts.
        return "\n".join(map(plain, dict.fromkeys(one.part.text for one in self.every if one.part is not None)))

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """The weight of each feature: its inverse frequency among the rules."""
        spread = Counter(name for known in self.vocabulary.values() for name in known)
        return {name: _kind(name) * math.log(1 + len(self.rules) / (number + 1)) for name, number in spread.items()}

    @cached_property
    def vocabulary(self) -> Mapping[str, Features]:
        """All features of each rule."""
        found: dict[str, set[str]] = {rule: set() for rule in self.rules}
        for one in self.every:
            found[one.rule] |= one.features
        return {rule: frozenset(known) for rule, known in found.items()}

    def core(self, rule: str) -> list[str]:
        """The concepts in the core statements of a rule, the rarest first."""
        found = {name for one in self.every if one.rule == rule and one.core for name in one.features if name[0] == "@"}
        return [name[1:] for name in sorted(found, key=lambda name: (-self.weights[name], name))]

    @cached_property
    def unknown(self) -> float:
        """The weight of a lemma that no rule has."""
        return LEMMA * math.log(1 + len(self.rules))

    def weight(self, names: Features, unknown: float = UNKNOWN) -> float:
        """The total weight of features; an unknown lemma has a share of its weight."""
        weight = unknown * self.unknown
        return sum(self.weights.get(name, weight if name[0] not in "@=" else 0.0) for name in names)

    def explained(self, names: Features) -> dict[str, float]:
        """For every rule the total weight of the features that it has of some."""
        found = dict.fromkeys(self.rules, 0.0)
        for name in names:
            weight = self.weights.get(name, 0.0)
            for rule in self._spread.get(name, ()):
                found[rule] += weight
        return found

    @cached_property
    def _spread(self) -> Mapping[str, Sequence[str]]:
        """The rules that have a feature."""
        found: dict[str, list[str]] = {}
        for rule, known in self.vocabulary.items():
            for name in known:
                found.setdefault(name, []).append(rule)
        return found

    @cached_property
    def length(self) -> Callable[[Features], float]:
        """The length of a passage. A passage is compared with many others, so the last ones are remembered."""
        return lru_cache(maxsize=4096)(self._length)

    def _length(self, names: Features, share: float = UNKNOWN) -> float:
        unknown = share * self.unknown
        return math.sqrt(sum(self.weights.get(name, unknown if name[0] not in "@=" else 0.0) ** 2 for name in names))

    def cosine(self, one: Features, other: Features) -> float:
        """The cosine of two passages."""
        common = sum(self.weights.get(name, 0.0) ** 2 for name in one & other)
        return common / (self.length(one) * self.length(other)) if common else 0.0

    def similarities(self, names: Features, unknown: float = UNKNOWN) -> Mapping[int, float]:
        """The cosine of a passage and each statement that shares a feature with it, by the index of the statement."""
        return self._cosines.of(names, self._length(names, unknown))

    @cached_property
    def _cosines(self) -> Cosines:
        # Without the cache of `length`: each statement is measured once, here.
        return Cosines([one.features for one in self.every], self.weights, self._length)


def _kind(name: str) -> float:
    return 1.0 if name[0] == "@" else NUMBER if name[0] == "=" else LEMMA


def plain(text: str) -> str:
    """A text without marks of emphasis, in one line."""
    return " ".join(text.replace("*", "").split())


def sentences_of(known: Statements, rule: str) -> Iterator[Reading]:
    """The sentences of our own text of a rule without its title, and without those about variants."""
    every = (one for one in known.every if one.rule == rule and not one.title and not one.variant)
    return (one.part for one in every if one.part is not None)


def statements(book: Book, lang: str, own: Translation | None, rules: Sequence[str]) -> Statements:
    """The statements of some rules of a game in a language."""
    key = ("statements", lang, own.source.text if own is not None else "", tuple(rules))
    return once(book, key, lambda: Statements(tuple(_statements(book, lang, own, rules)), tuple(rules)))


def _statements(book: Book, lang: str, own: Translation | None, rules: Sequence[str]) -> Iterator[Statement]:
    titles = {id_: one.title for id_, one in own.rules.items()} if own is not None else {}
    for rule in rules:
        lines = [book.read(line, lang) for line in _described(book, lang, titles, rule)]
        described = [features(line) for line in lines]
        yield from (Statement(rule, features(line), core=True, described=line) for line in lines)
        if not lines and rule not in titles:
            described = [_of_facts(book, rule)]
            yield Statement(rule, described[0], core=True)
        if rule in titles:
            for part in _sentences(book, lang, titles[rule]):
                yield Statement(rule, features(part), part, title=True)
        passage = own.rules.get(rule) if own is not None else None
        parts = list(_sentences(book, lang, passage.text.text)) if passage is not None else []
        said = [features(part) for part in parts]
        like = [max((_like(one, other) for other in described), default=1.0) for one in said]
        for part, known, fit in zip(parts, said, like, strict=True):
            yield Statement(rule, known, part, core=fit >= CORE * max(like), variant=is_variant(part))


def _of_facts(book: Book, rule: str) -> Features:
    """The things that the facts of a rule count or name: all that is known of a rule without steps and text."""
    contents = [fact.content for fact in of_rule(book.spec, rule)]
    counted = {one.of for one in contents if isinstance(one, Number | ByPlayers | ByKey)}
    named = {name for one in contents if isinstance(one, Names | Order) for name in one.names} | counted
    words = {concept for one in contents if isinstance(one, Words) for concept in one.concepts}
    concepts = words | {book.concepts.get(name, name) for name in named}
    return frozenset(f"@{concept}" for concept in concepts if concept in book.glossary.concepts)


def _like(one: Features, other: Features) -> float:
    """The share of features that two sentences have in common (Dice's coefficient)."""
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def _sentences(book: Book, lang: str, text: str) -> Iterator[Reading]:
    reading = book.read(text, lang)
    for span in passages(text, reading.language, 0, len(text)):
        yield reading.part(span.start, span.end)


def is_variant(sentence: Reading) -> bool:
    """Whether a sentence, or one before it in its paragraph, begins with another way to play than the usual one."""
    opening = sentence.language.variant
    start = sentence.text.rfind("\n\n", 0, sentence.start) + 1
    found = opening.finditer(sentence.text, start, sentence.end) if opening is not None else ()
    before = (sentence.text[start : one.start()] for one in found)
    return any(not words.strip() or _ENDED.search(words) for words in before)


_ENDED = re.compile(r"[.!?:。！？：]\W*\Z")
"""What stands before the first word of a sentence."""


def _described(book: Book, lang: str, titles: Mapping[str, str], rule: str) -> Iterator[str]:
    if lang in describe.languages():
        yield from describe.Description(book.spec, lang, book.glossary, titles).rule(rule).sentences
