"""English words with two spellings in one text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import regex

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import say
from rulespec.text.checks.typography.folding import Offsets, folded, language
from rulespec.text.checks.typography.layout import layout_of
from rulespec.text.languages.dictionaries import is_word
from rulespec.text.languages.record import Language, Pattern
from rulespec.text.reading.prose import Prose

_WORD = regex.compile(r"(?<![\p{L}-])\p{L}+(?![\p{L}-])")
# Shorter words combine to other words by chance ("to day").
_SHORTEST_HALF = 4


def two_spellings(prose: Prose) -> Iterator[Finding]:
    """Words with both British and American spelling, or written both as one word and as two."""
    lang = language(prose)
    if not lang.variants:
        return
    layout = layout_of(prose.text)
    places: dict[str, list[Offsets]] = {}
    for match in _WORD.finditer(layout.plain):
        places.setdefault(match[0].lower(), []).append(layout.place(*match.span()))
    for one, other in sorted(_pairs(Counter({word: len(found) for word, found in places.items()}), lang)):
        odd, usual = sorted((one, other), key=lambda word: (len(places[word]), -places[word][0][0]))
        yield from _say(prose, odd, usual, places[odd])
    yield from _joined(prose, layout.plain, places, lang.lemmatiser)


def _say(prose: Prose, odd: str, usual: str, places: list[Offsets]) -> Iterator[Finding]:
    message = say("“{odd}” is spelled “{usual}” elsewhere in the text.", odd=odd, usual=usual)
    yield from folded(prose, "mixed-forms", places, message, say("Use one spelling throughout."))


@cache
def _ways(language: Language) -> tuple[tuple[Pattern, str], ...]:
    """The ways to spell that the language record lists: a pattern, and what another way writes for it."""
    return tuple((regex.compile(one), other) for one, other in language.variants)


def _pairs(words: Counter[str], language: Language) -> Iterator[tuple[str, str]]:
    for word in words:
        for pattern, way in _ways(language):
            other = pattern.sub(way, word)
            if other != word and other in words and is_word(other, language.lemmatiser):
                yield word, other


def _joined(prose: Prose, plain: str, places: dict[str, list[Offsets]], lang: str) -> Iterator[Finding]:
    found = list(_WORD.finditer(plain))
    pairs: Counter[tuple[str, str]] = Counter()
    for one, other in pairwise(found):
        if min(len(one[0]), len(other[0])) >= _SHORTEST_HALF and plain[one.end() : other.start()] == " ":
            pairs[one[0].lower(), other[0].lower()] += 1
    for one_word, other_word in pairs:
        if one_word + other_word in places and not is_word(one_word + other_word, lang):
            usual = f"{one_word} {other_word}"
            yield from _say(prose, one_word + other_word, usual, places[one_word + other_word])
