"""Number words of a language without a grammar: those that CLDR spells out, and those of its record.

CLDR's rules for spelling numbers out (RBNF, through unicode-rbnf) have every gender and case of most languages, and
num2words has ordinals of some that CLDR lacks. A word in another form is read by its lemma.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property

from rulespec.store import Store, digest_of_code, key_of, libraries
from rulespec.text.quantity.outline import Form

SPELLED = Store("number-words", most_entries=60)
"""An entry is the number words of one language. It takes 0.05 to 1 MB."""

CARDINALS = (*range(1001), *range(1100, 10_000, 100), *range(10_000, 100_001, 10_000))
"""The cardinal numbers that are spelled out. Rulebooks write larger ones in figures."""

ORDINALS = range(1, 101)

_SIMPLE = 20
_ROUND = frozenset((*range(30, 100, 10), *range(100, 1001, 100)))

Phrase = tuple[str, ...]
"""The words of a number, in lower case."""

Value = tuple[Form, Fraction]


def spelled(locale: str) -> Mapping[str, tuple[str, int]]:
    """The numbers of a language by their words: "cardinal" or "ordinal", and the value. `locale` is a BCP 47 tag.

    Words that mean two values are left out, and of a cardinal and an ordinal the cardinal counts.
    """
    key = key_of((locale, digest_of_code("text/quantity"), *libraries()))
    found: dict[str, tuple[str, int]] | None = SPELLED.read_object(key)
    if found is None:
        found = _by_words([*_from_cldr(locale), *_from_num2words(locale)])
        SPELLED.write_object(key, found)
    return found


def _by_words(numbers: Iterable[tuple[str, str, int]]) -> dict[str, tuple[str, int]]:
    values: dict[tuple[str, str], set[int]] = {}
    for text, kind, value in numbers:
        plain = "".join(letter for letter in text.lower() if unicodedata.category(letter) != "Cf")
        values.setdefault((kind, plain), set()).add(value)
    sure = {(kind, text): min(some) for (kind, text), some in values.items() if len(some) == 1 and not text.isdigit()}
    kinds = ("ordinal", "cardinal")
    return {text: (kind, value) for wanted in kinds for (kind, text), value in sure.items() if kind == wanted}


def _from_cldr(locale: str) -> Iterator[tuple[str, str, int]]:
    from unicode_rbnf import FormatPurpose, RbnfEngine

    known = RbnfEngine.get_supported_languages()
    name = next((one for one in _names(locale) if one in known), None)
    if name is None:
        return
    engine = RbnfEngine.for_language(name)
    for kind, numbers, purpose in (
        ("cardinal", CARDINALS, FormatPurpose.CARDINAL),
        ("ordinal", ORDINALS, FormatPurpose.ORDINAL),
    ):
        for number in numbers:
            with suppress(ValueError):  # the language has no rules of this kind
                for rules, text in engine.format_number(number, purpose).text_by_ruleset.items():
                    if rules.startswith("spellout"):
                        yield text, kind, number


def _from_num2words(locale: str) -> Iterator[tuple[str, str, int]]:
    from num2words import CONVERTER_CLASSES

    name = next((one for one in _names(locale) if one in CONVERTER_CLASSES), None)
    if name is None:
        return
    converter = CONVERTER_CLASSES[name]
    for kind, numbers, spell in (
        ("cardinal", CARDINALS, converter.to_cardinal),
        ("ordinal", ORDINALS, converter.to_ordinal),
    ):
        for number in numbers:
            try:
                text = str(spell(number))
            except Exception:  # converters raise what they like for what they do not know
                break
            yield text, kind, number


def _names(locale: str) -> tuple[str, ...]:
    parts = locale.split("-")
    return tuple("_".join(parts[:count]) for count in range(len(parts), 0, -1))


@dataclass
class Lexicon:
    """The number words of a language, read by their longest match.

    `values` has phrases with the form and the value of the number. `lemma` gives the lemma of a word, or the word.
    """

    values: Mapping[Phrase, Value]
    lemma: Callable[[str], str]
    words: frozenset[str] = field(init=False)
    longest: int = field(init=False)

    def __post_init__(self) -> None:
        self.words = frozenset(word for phrase in self.values for word in phrase)
        self.longest = max(map(len, self.values), default=0)

    @cached_property
    def _by_lemma(self) -> Mapping[str, str]:
        """Words by their lemma, where those with the same lemma have the same value. Only words that stand for simple
        numbers count: dictionaries do not have longer ones."""
        found: dict[str, str] = {}
        values: dict[str, set[Fraction]] = {}
        for phrase, (_, value) in self.values.items():
            if len(phrase) == 1 and (value <= _SIMPLE or value in _ROUND):
                base = self.lemma(phrase[0])
                found.setdefault(base, phrase[0])
                values.setdefault(base, set()).add(value)
        return {base: word for base, word in found.items() if len(values[base]) == 1}

    def word(self, text: str) -> str | None:
        """A word of a phrase, or the number word that a word is a form of; None if there is none."""
        return text if text in self.words else self._base(text)

    def _base(self, text: str) -> str | None:
        if (text,) in self.values:
            return text
        base = self.lemma(text)
        if (base,) in self.values:
            return base
        return self._by_lemma.get(text) or self._by_lemma.get(base) or self._by_lemma.get(self.lemma(base))

    def _value(self, words: Phrase) -> Value | None:
        found = self.values.get(words)
        return found if found is not None else self.values.get(tuple(self._base(word) or word for word in words))

    def numbers(self, words: Sequence[str]) -> Iterator[tuple[int, int, Form, Fraction]]:
        """The numbers in a run of words, each as long as possible: first word, end, form and value."""
        at = 0
        while at < len(words):
            most = min(self.longest, len(words) - at)
            for count in range(most, 0, -1):
                found = self._value(tuple(words[at : at + count]))
                if found is not None:
                    yield at, at + count, *found
                    break
            at += count


_WORDS = re.compile(r"[\s\-‐‑]+")


def phrase(text: str, spaced: bool) -> Phrase:
    """The words of a number; all of it is one word in a language without spaces."""
    plain = text.lower().replace("’", "'").replace("ʼ", "'")
    return tuple(filter(None, _WORDS.split(plain))) if spaced else (plain,)


@cache
def marks() -> str:
    """The combining marks of Unicode, for a class of characters: letters of many scripts have them."""
    found = [code for code in range(0x300, 0x1CE00) if unicodedata.category(chr(code)) in ("Mn", "Mc")]
    runs: list[list[int]] = []
    for code in found:
        if runs and code == runs[-1][1] + 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return "".join(chr(first) if first == last else f"{chr(first)}-{chr(last)}" for first, last in runs)
