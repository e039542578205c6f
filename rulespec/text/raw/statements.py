"""The statements of every rule in a language: what the sentences of a raw text are compared with.

They are the sentences of our own text, those of the description, and the titles. The weight of a feature is its rarity
among the rules (inverse document frequency), and two passages are as similar as the cosine of their weighted features.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from rulespec.base.diagnostics import Span
from rulespec.text.glossary import tokens
from rulespec.text.glossary.tokens import Joint, Token
from rulespec.text.languages.quantity.quantity import Kind
from rulespec.text.reading.clauses import passages
from rulespec.text.reading.mentions import ByPlace, Reading
from rulespec.text.reading.once import once
from rulespec.text.reading.translation import Translation
from rulespec.text.rules.book import Book
from rulespec.text.rules.content import ByKey, ByPlayers, Names, Number, Words
from rulespec.text.rules.content import Sequence as Order
from rulespec.text.rules.describe.description import Description
from rulespec.text.rules.describe.grammar import languages
from rulespec.text.rules.facts import of_rule

LEMMA, NUMBER = 0.5, 0.3
"""The weight of a lemma and of a number; that of a concept is 1, as a term is a concept and two or three lemmas.
Another number must not move a sentence away from its rule."""

UNKNOWN = 0.25
"""The share of its weight that a lemma has which no rule has. A writer who uses words of their own says the same."""


@dataclass(frozen=True)
class Statement:
    """A sentence that states a rule or a part of it.

    `ours`: it is of our own text. `reading` is None for titles, and for sentences about another way to play than the
    usual one, which another text need not use.
    """

    rule: str
    features: Features
    reading: Reading | None = field(default=None, repr=False)
    ours: bool = False


class Index:
    """Passages by feature. Comparing another with all of them takes a time that grows with the features in common."""

    def __init__(self, passages: Sequence[Features], weights: Mapping[str, float], unknown: float) -> None:
        self._weights, self._unknown = weights, unknown
        self._shares: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        for place, names in enumerate(passages):
            whole = self.length(names)
            for name in names:
                if weight := weights.get(name, 0.0):
                    self._shares[name].append((place, weight**2 / whole))

    def length(self, names: Features) -> float:
        """The Euclidean length of a passage, in which an unknown lemma has a share of its weight."""
        other = UNKNOWN * self._unknown
        return math.sqrt(sum(self._weights.get(name, 0.0 if name[0] in "@=" else other) ** 2 for name in names))

    def cosines(self, names: Features) -> Mapping[int, float]:
        """The cosine of a passage and of each that has a feature in common with it, by place."""
        found: defaultdict[int, float] = defaultdict(float)
        for name in names:
            for place, share in self._shares.get(name, ()):
                found[place] += share
        length = self.length(names)
        return {place: value / length for place, value in found.items()}


@dataclass(frozen=True)
class Statements:
    """All statements of the rules of a game in a language."""

    every: tuple[Statement, ...]
    rules: tuple[str, ...]
    derived: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)
    """Cache of other modules: what they derived from the statements, by a key of their own."""

    def readings(self) -> Iterator[tuple[str, Reading, bool]]:
        """The rule and the sentence of each reference, and whether it is of our own text."""
        return ((one.rule, one.reading, one.ours) for one in self.every if one.reading is not None)

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """The weight of each feature: its inverse frequency among the rules."""
        return {name: _kind(name) * math.log(1 + len(self.rules) / (len(r) + 1)) for name, r in self._having.items()}

    @cached_property
    def _having(self) -> Mapping[str, frozenset[str]]:
        """The rules that have a feature."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for one in self.every:
            for name in one.features:
                found[name].add(one.rule)
        return {name: frozenset(rules) for name, rules in found.items()}

    @cached_property
    def unknown(self) -> float:
        """The weight of a lemma that no rule has."""
        return LEMMA * math.log(1 + len(self.rules))

    def index(self, passages: Sequence[Features]) -> Index:
        """An index of passages by the weights of the features."""
        return Index(passages, self.weights, self.unknown)

    @cached_property
    def by_feature(self) -> Index:
        """The index of the statements."""
        return self.index([one.features for one in self.every])

    def weight(self, names: Features) -> float:
        """The total weight of features, in which an unknown lemma has a share of its weight."""
        return sum(self.weights.get(name, 0.0 if name[0] in "@=" else UNKNOWN * self.unknown) for name in names)

    def explained(self, names: Features) -> Mapping[str, float]:
        """For every rule the share of the weight of some features that it has, from 0 to 1."""
        found: Counter[str] = Counter()
        total = self.weight(names) or 1.0
        for name in names:
            for rule in self._having.get(name, ()):
                found[rule] += self.weights[name] / total  # type: ignore[assignment]
        return found


def _kind(name: str) -> float:
    return 1.0 if name[0] == "@" else NUMBER if name[0] == "=" else LEMMA


def statements(book: Book, lang: str, own: Translation | None, rules: Sequence[str]) -> Statements:
    """The statements of some rules of a game in a language. `own` is our text of the game in it, if there is one."""
    key = ("statements", lang, own.source.text if own is not None else "", tuple(rules))
    return once(book, key, lambda: Statements(tuple(_statements(book, lang, own, rules)), tuple(rules)))


def _statements(book: Book, lang: str, own: Translation | None, rules: Sequence[str]) -> Iterator[Statement]:
    titles = {id_: one.title for id_, one in own.rules.items()} if own is not None else {}
    for rule in rules:
        said = Description(book.spec, lang, book.glossary, titles).rule(rule).sentences if lang in languages() else ()
        described = [book.read(line, lang) for line in said]
        yield from (Statement(rule, features(line), line) for line in described)
        if not described and rule not in titles:
            yield Statement(rule, _of_facts(book, rule))
        if own is not None and rule in titles:
            yield Statement(rule, features(book.read(titles[rule], lang)))
            text = book.read(own.rules[rule].text.text, lang)
            for span in passages(text.text, text.language, 0, len(text.text)):
                part = text.part(span.start, span.end)
                yield Statement(rule, features(part), None if is_variant(part) else part, ours=True)


def _of_facts(book: Book, rule: str) -> Features:
    """The things that the facts of a rule count or name: all that is known of a rule without steps and text."""
    contents = [fact.content for fact in of_rule(book.spec, rule)]
    names = {one.of for one in contents if isinstance(one, Number | ByPlayers | ByKey)}
    names |= {name for one in contents if isinstance(one, Names | Order) for name in one.names}
    concepts = {concept for one in contents if isinstance(one, Words) for concept in one.concepts}
    concepts |= {book.concepts.get(name, name) for name in names}
    return frozenset(f"@{concept}" for concept in concepts if concept in book.glossary.concepts)


_ENDED = re.compile(r"[.!?:。！？：]\W*\Z")
"""What stands before the first word of a sentence."""


def is_variant(sentence: Reading) -> bool:
    """Whether a sentence, or one before it in its paragraph, begins with another way to play than the usual one."""
    opening = sentence.language.variant
    start = sentence.text.rfind("\n\n", 0, sentence.start) + 1
    found = opening.finditer(sentence.text, start, sentence.end) if opening is not None else ()
    before = (sentence.text[start : one.start()] for one in found)
    return any(not words.strip() or _ENDED.search(words) for words in before)


Features: TypeAlias = frozenset[str]
"""Concepts begin with “@”, numbers with “=”, the others are lemmas."""

_AMOUNTS = (Kind.CARDINAL, Kind.SIGNED, Kind.RANGE, Kind.FRACTION, Kind.RELATIVE, Kind.NOTHING)


def features(part: Reading, but: Sequence[Span] = ()) -> Features:
    """The features of a part of a text, without those of some words in it."""
    whole = part.whole or part
    read: _Features = once(whole, "features", lambda: _Features(whole))
    return read.within(part.start, part.end, but)


class _Named(NamedTuple):
    start: int
    end: int
    name: str


@dataclass(frozen=True, eq=False)
class _Features:
    """The features of a whole text by place."""

    reading: Reading

    @cached_property
    def _named(self) -> ByPlace[_Named]:
        reading = self.reading
        mentions = (_Named(m.start, m.end, f"@{c}") for m in reading.mentions for c in (m.concept, *m.also))
        numbers = (_Named(q.start, q.end, f"={abs(q.value)}") for q in reading.quantities if q.kind in _AMOUNTS)
        return ByPlace((*_lemmas(reading), *mentions, *numbers))

    def within(self, start: int, end: int, but: Sequence[Span]) -> Features:
        every = self._counts(start, end)
        if not but:
            return every.names
        inside = {one for span in but for one in self._named.over(span.start, span.end)}
        hidden = Counter(one.name for one in inside if start <= one.start and one.end <= end)
        # A feature stays if it is also elsewhere in the part.
        return every.names - {name for name, count in hidden.items() if count == every.count[name]}

    def _counts(self, start: int, end: int) -> _Counts:
        return once(self.reading, (start, end), lambda: _Counts(self._named.inside(start, end)))


class _Counts:
    """How often a part of a text has each feature."""

    def __init__(self, every: Iterable[_Named]) -> None:
        self.count = Counter(one.name for one in set(every))
        self.names = frozenset(self.count)


def _lemmas(reading: Reading) -> Iterator[_Named]:
    """The lemmas of a text with their places; of a language without spaces, pairs of characters."""
    words = [word for word in tokens.read(reading.text, reading.language.tag) if not word.raw.isdecimal()]
    if reading.language.spaced:
        yield from (_Named(word.start, word.end, _lemma(word)) for word in words)
    else:
        for one, two in pairwise(words):
            if two.joint is Joint.NEXT and one.end == two.start:
                yield _Named(one.start, two.end, one.raw + two.raw)


def _lemma(word: Token) -> str:
    """The lemma of a word, or its shortest stem if no dictionary lists it."""
    stems = [key for key in word.keys if key.startswith("~")]
    return min(stems, key=len) if stems else word.keys[-1]
