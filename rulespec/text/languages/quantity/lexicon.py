"""Number words and how they combine: `twenty-two`, `сто вісім`, 一萬兩千."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import inf
from typing import NamedTuple

from rulespec.text.languages.quantity.quantity import Form

Phrase = tuple[str, ...]
"""Words in lower case; each character is one in a language without spaces between words."""

Value = tuple[Form, Fraction]

_WORDS = (Form.WORDS, Form.WORD_ONE)

_SIMPLE = 20
"""Up to this number, most languages have words that are not put together, and dictionaries list them."""
_ROUND = frozenset((*range(30, 100, 10), *range(100, 1001, 100)))
_SHARES_OF = 10
"""Shares are counted up to this: `three quarters`."""


class Found(NamedTuple):
    """A number that ends before the word `end`."""

    end: int
    form: Form
    value: Fraction


@dataclass
class Lexicon:
    """The number words of a language.

    `values` has phrases with the form and the value of the number. A number is the longest of them, with a smaller one
    after it if that has a place in its zeros, directly or after a word of `joins` (`hundred and two`). A word of
    `times` multiplies the number before it (`two dozen`), a phrase of `plus` is added to it (`two and a half`). A
    phrase of `alone` is never added to a number (`twice`). With `short_tens` a digit directly after a hundred counts
    tens: 一百八 is 180. `lemma` gives the lemma of a word, or the word. `counters` are written right behind a number
    that counts something. With `one_adds` the article for one is added to a number as well: двадцать один.
    """

    values: Mapping[Phrase, Value]
    lemma: Callable[[str], str] | None = None
    times: Mapping[str, Fraction] = field(default_factory=dict)
    plus: Mapping[Phrase, Fraction] = field(default_factory=dict)
    joins: frozenset[str] = frozenset()
    alone: frozenset[Phrase] = frozenset()
    short_tens: bool = False
    counters: tuple[str, ...] = ()
    one_adds: bool = False

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of numbers."""
        return self.joins.union(self.times, *self.values, *self.plus)

    def word(self, text: str) -> str | None:
        """A word of a phrase, or the number word that a word is a form of; None if there is none."""
        if text in self.words:
            return text
        bare = next((text.removesuffix(one) for one in self.counters if text.endswith(one)), "")
        return bare if bare in self.words else self._base(text)

    def numbers(self, words: Sequence[str]) -> Iterator[tuple[int, int, Form, Fraction]]:
        """The numbers in a run of words, each as long as possible: first word, end, form and value."""
        at = 0
        while at < len(words):
            found = self._number(words, at)
            if found is not None:
                yield at, *found
            at = found.end if found is not None else at + 1

    def _number(self, words: Sequence[str], at: int, below: float = inf) -> Found | None:
        """The longest number at a word that is less than `below`."""
        found = more = self._phrase(words, at, below)
        while more is not None:
            found = more
            more = self._product(words, found, below) or self._with_part(words, found) or self._sum(words, found)
        return found

    def _phrase(self, words: Sequence[str], at: int, below: float) -> Found | None:
        if at == len(words):
            return None
        longest = self._longest.get(words[at]) or self._longest.get(self._base(words[at]) or "", 0)
        for end in range(min(at + longest, len(words)), at, -1):
            phrase = tuple(words[at:end])
            found = self._value(phrase)
            if found is not None and found[1] < below and (below == inf or phrase not in self.alone):
                return Found(end, *found)
        return None

    def _product(self, words: Sequence[str], found: Found, below: float) -> Found | None:
        factor = self.times.get(words[found.end]) if found.end < len(words) else None
        if factor is None or found.form not in (*_WORDS, Form.ARTICLE):
            return None
        value = found.value * factor
        if value >= below or found.value >= (factor if factor > 1 else _SHARES_OF):
            return None
        return Found(found.end + 1, Form.WORDS if factor > 1 else Form.FRACTION, value)

    def _with_part(self, words: Sequence[str], found: Found) -> Found | None:
        for phrase, part in self.plus.items() if found.form in _WORDS else ():
            end = found.end + len(phrase)
            if tuple(words[found.end : end]) == phrase:
                return Found(end, Form.FRACTION, found.value + part)
        return None

    def _sum(self, words: Sequence[str], found: Found) -> Found | None:
        place = place_of(found.value) if found.form in _WORDS else 1
        # Only behind hundreds and more: “twenty and three” are two numbers.
        joined = place > 10 and found.end < len(words) and words[found.end] in self.joins
        rest = self._number(words, found.end + joined, place) if place > 1 else None
        added = (*_WORDS, Form.ORDINAL, Form.FRACTION, *([Form.ARTICLE] if self.one_adds else []))
        if rest is None or rest.value < 1 or rest.form not in added:
            return None
        tens = place // 10 if self.short_tens and not joined and rest.value < 10 else 1
        form = Form.WORDS if rest.form in (*_WORDS, Form.ARTICLE) else rest.form
        return Found(rest.end, form, found.value + rest.value * tens)

    def _value(self, words: Phrase) -> Value | None:
        base = words if self.lemma is None else tuple(self._base(word) or word for word in words)
        others = self._with_others(base) if len(words) > 1 else ()
        return next((self.values[each] for each in chain((words, base), others) if each in self.values), None)

    @cached_property
    def _alike(self) -> Mapping[str, tuple[str, ...]]:
        """The other words that mean the same number, for each word that means one."""
        found: dict[Value, list[str]] = {}
        for phrase, value in self.values.items():
            if len(phrase) == 1:
                found.setdefault(value, []).append(phrase[0])
        return {word: tuple(one for one in words if one != word) for words in found.values() for word in words}

    def _with_others(self, words: Phrase) -> Iterator[Phrase]:
        """The words with one of them in another form, as of another gender."""
        for at, word in enumerate(words):
            yield from ((*words[:at], other, *words[at + 1 :]) for other in self._alike.get(word, ()))

    @cached_property
    def _longest(self) -> Mapping[str, int]:
        """The most words of a phrase by its first word."""
        found: dict[str, int] = {}
        for phrase in self.values:
            found[phrase[0]] = max(found.get(phrase[0], 0), len(phrase))
        return found

    # --- lemmas ------------------------------------------------------------------------------------------------------

    @cached_property
    def _by_lemma(self) -> Mapping[str, str]:
        """Words by their lemma, where those with the same lemma have the same value. Only words that stand for simple
        numbers count: dictionaries do not have longer ones."""
        found: dict[str, str] = {}
        values: dict[str, set[Fraction]] = {}
        for phrase, (_, value) in self.values.items():
            if self.lemma is not None and len(phrase) == 1 and (value <= _SIMPLE or value in _ROUND):
                base = self.lemma(phrase[0])
                found.setdefault(base, phrase[0])
                values.setdefault(base, set()).add(value)
        return {base: word for base, word in found.items() if len(values[base]) == 1}

    def _base(self, text: str) -> str | None:
        if (text,) in self.values or self.lemma is None:
            return text if (text,) in self.values else None
        base = self.lemma(text)
        if (base,) in self.values:
            return base if _is_form(text, base) else None
        found = self._by_lemma.get(text) or self._by_lemma.get(base) or self._by_lemma.get(self.lemma(base))
        return found if found is not None and _is_form(text, found) else None


_SAME = 2
"""The letters that a form of a number word shares with it at its start. Dictionaries have wrong lemmas of others."""


def _is_form(text: str, word: str) -> bool:
    """Whether a word can be a form of a number word, by its first letters without accents: ośmiu of osiem."""
    one, other = (unicodedata.normalize("NFD", each) for each in (text, word))
    bare = ("".join(letter for letter in each if not unicodedata.combining(letter))[:_SAME] for each in (one, other))
    return len(set(bare)) == 1


def place_of(value: Fraction | int) -> int:
    """What a number added to this one must be less than: 1000 for 2000, 10 for 20, 1 for 15 and for ten."""
    place = 1
    while value > 10 and value % (place * 10) == 0:
        place *= 10
    return place
