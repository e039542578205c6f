"""Sentences in another language than that of their text: what was left when the rest was translated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import regex

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import say
from rulespec.text.checks.typography.layout import layout_of
from rulespec.text.checks.typography.scripts import letters_of
from rulespec.text.languages import LANGUAGES, Language, depends, find
from rulespec.text.languages.dictionaries import is_word
from rulespec.text.reading.prose import Prose
from rulespec.text.reading.segmentation import passages

FEWEST = 4
"""The least weight of a part of a sentence that is foreign. Fewer words may be a name."""

SURE = 7
"""A sentence whose words are all in the other language is foreign with less: its words and its weight are so many, or
it weighs 3."""

_WORD = regex.compile(r"\p{Han}|(?<![\w.@/])[^\W\d_](?:[^\W\d_]|[\p{M}'’ʼ])*(?![\w@/]|\.\w)")
"""A word, but not a part of a name such as `setup.hand_cards` or of an address."""
_QUOTED = regex.compile(r"[«“„‘「『\"][^«»“”„‘’「」『』\"\n]{1,60}[»”“’」』\"]")


class Part(NamedTuple):
    """A part of a sentence that is most likely in another language: its weight, its first and its last word."""

    weight: int
    first: int
    last: int


def check(prose: Prose) -> Iterator[Finding]:
    """One finding for each sentence with a part in another language, at that part."""
    language, layout = find(prose.lang), layout_of(prose.text)
    for sentence in passages(layout.plain, language, 0, len(layout.plain)):
        # What is quoted is a name. Spaces keep the offsets.
        said = _QUOTED.sub(lambda one: " " * len(one[0]), layout.plain[sentence.start : sentence.end])
        words = list(_WORD.finditer(said))
        read = ["" if _is_name(match[0], at) else match[0] for at, match in enumerate(words)]
        own = [bool(language.lemmatiser) and is_word(word, language.lemmatiser) for word in read]
        if all(known or not word for word, known in zip(read, own, strict=True)):
            continue  # before a dictionary of another language is read
        part, tag = max((_foreign(read, own, language, one), one.tag) for one in _others(language))
        if part.weight:
            place = layout.place(sentence.start + words[part.first].start(), sentence.start + words[part.last].end())
            shown = prose.text[place[0] : place[1]]
            message = say("“{said}” is in {other}, not in {lang}.", said=shown, other=tag, lang=prose.lang)
            yield prose.say("sentence-untranslated", message, *place, say("Translate it."))


def _is_name(word: str, at: int) -> bool:
    """Whether a word says nothing about the language: a letter, or one with a capital inside a sentence."""
    return (word[0].isupper() and at > 0) or (len(word) == 1 and not letters_of("Han").match(word))


@depends
@lru_cache(maxsize=64)
def _others(language: Language) -> tuple[Language, ...]:
    """The languages whose sentences are looked for: those with a record, and Russian. Those in the script of the
    language only if there is a dictionary of its own words."""
    known = [find(tag) for tag in (*LANGUAGES, "ru")]
    return tuple(
        one
        for one in known
        if one.lemmatiser not in ("", language.lemmatiser) and (language.lemmatiser or one.script != language.script)
    )


def _foreign(words: Sequence[str], own: Sequence[bool], language: Language, other: Language) -> Part:
    """The part of a sentence that is in another language, with weight 0 if there is none.

    A word of the other language alone weighs 1, and 2 with a letter that the own one lacks; one of the own language
    alone or in another script -2; others nothing, such as names (""). A part weighs as much as its words.
    """
    letters, alphabet = letters_of(other.script), {*language.alphabet, *"'’ʼ"}
    weights, listed = [], 0
    for word, known in zip(words, own, strict=True):
        in_script = letters.match(word) is not None
        is_other = in_script and is_word(word, other.lemmatiser)
        listed += is_other
        if word and (not in_script or known != is_other):
            strange = language.script == other.script and not alphabet.issuperset(word.lower())
            weights.append(1 + strange if is_other else -2)
        else:
            weights.append(0)
    count = sum(map(bool, words))
    if listed == count and sum(weights) >= max(1, min(3, SURE - count)):
        return Part(sum(weights), 0, len(words) - 1)
    best, first, total = Part(0, 0, 0), 0, 0
    for at, weight in enumerate(weights):
        if total < 0:
            first, total = at, 0
        total += weight
        best = max(best, Part(total, first, at), key=lambda one: one.weight)
    return best if best.weight >= FEWEST else Part(0, 0, 0)
