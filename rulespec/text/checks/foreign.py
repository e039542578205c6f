"""Sentences in another language than that of their text: what was left when the rest was translated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import regex

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import say
from rulespec.text.checks.typography.layout import layout_of
from rulespec.text.checks.typography.scripts import letters_of
from rulespec.text.languages import morphology
from rulespec.text.languages.dictionaries import function_words, is_word
from rulespec.text.languages.record import Language
from rulespec.text.languages.registry import LANGUAGES, depends, find
from rulespec.text.reading.clauses import passages
from rulespec.text.reading.prose import Prose

FEWEST = 4
"""The least weight of a part of a sentence that is foreign. Fewer words may be a name."""

SURE = 7
"""A sentence whose words are all in the other language is foreign with less: its words and its weight are so many, or
it weighs 3."""

UNKNOWN = 5
"""One in so many words that a full dictionary does not list makes a sentence worth another dictionary."""

_WORD = regex.compile(r"\p{Han}|(?<![\w.@/])[^\W\d_](?:[^\W\d_]|[\p{M}'’ʼ])*(?![\w@/]|\.\w)")
"""A word, but not a part of a name such as `setup.hand_cards` or of an address."""
_QUOTED = regex.compile(r"[«“„‘「『\"][^«»“”„‘’「」『』\"\n]{1,60}[»”“’」』\"]")


_APOSTROPHES = "'’ʼ"


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
        known = all(one or not word for word, one in zip(read, own, strict=True))
        if known and _strange(language).isdisjoint(word.lower() for word in read):
            continue  # before a dictionary of another language is read
        likely = (one for one in _others(language) if _is_likely(read, own, language, one))
        none = Part(0, 0, 0), ""
        part, tag = max(((_foreign(read, own, language, one), one.extends or one.tag) for one in likely), default=none)
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
def _strange(language: Language) -> frozenset[str]:
    """The function words of other languages in the same script that are none here."""
    others = (_only(one, language) for one in _others(language) if one.script == language.script)
    return frozenset[str]().union(*others)


@depends
@lru_cache(maxsize=256)
def _only(language: Language, other: Language) -> frozenset[str]:
    """The function words of a language that are none in another one."""
    return function_words(language.lemmatiser) - function_words(other.lemmatiser)


@depends
@lru_cache(maxsize=64)
def _others(language: Language) -> tuple[Language, ...]:
    """The languages whose sentences are looked for: those with a record, and Russian. Those in the script of the
    language only if there are dictionaries of both."""
    known = [find(tag) for tag in (*LANGUAGES, "ru")]
    return tuple(
        one
        for one in known
        if (one.lemmatiser and language.lemmatiser not in ("", one.lemmatiser)) or one.script != language.script
        if one.script != "Latin" or one.lemmatiser
    )


def _is_likely(words: Sequence[str], own: Sequence[bool], language: Language, other: Language) -> bool:
    """Whether a sentence may have a part in another language, as far as can be said without its dictionary: it has a
    word in the other script, or in the same script a function word or a letter that is only of the other language."""
    if language.script != other.script:
        return any(letters_of(other.script).match(word) for word in words if word)
    letters, theirs = frozenset(other.alphabet) - {*language.alphabet, *_APOSTROPHES}, _only(other, language)
    if any(word.lower() in theirs or not letters.isdisjoint(word.lower()) for word in words):
        return True
    if not _heaviest(words, own, language, other, _any).weight:
        return False  # before a full dictionary is read
    unknown = sum(morphology.lists(word, language.tag) is False for word in words if word)
    return UNKNOWN * unknown >= sum(map(bool, words))


def _foreign(words: Sequence[str], own: Sequence[bool], language: Language, other: Language) -> Part:
    """The part of a sentence that is in another language, with weight 0 if there is none.

    The dictionary of the other language is read only if the part has a weight where it lists every word.
    """
    most = _heaviest(words, own, language, other, _any)
    return _heaviest(words, own, language, other, is_word) if most.weight else most


def _any(word: str, lang: str) -> bool:
    """A dictionary that lists every word."""
    return True


def _heaviest(
    words: Sequence[str],
    own: Sequence[bool],
    language: Language,
    other: Language,
    is_listed: Callable[[str, str], bool],
) -> Part:
    """The part that is foreign by a dictionary.

    A word of the other language alone weighs 1, and 2 with a letter that the own one lacks; one of the own language
    alone or in another script -2; others nothing, such as names (""). A part weighs as much as its words.
    """
    alphabet = {*language.alphabet, *_APOSTROPHES}
    weights, listed = [], 0
    for word, (here, there) in zip(words, _known(words, own, language, other, is_listed), strict=True):
        listed += bool(word) and there
        if word and (here != there or not letters_of(other.script).match(word)):
            unlike = language.script == other.script and not alphabet.issuperset(word.lower())
            weights.append(1 + unlike if there else -2)
        else:
            weights.append(0)
    count = sum(map(bool, words))
    whole = sum(weights) + sum(word.lower() in _only(other, language) for word in words)
    least = max(1, min(SURE - count, 2 if count > 3 else 3))
    if listed == count and whole < least and (is_listed is _any or _are_unknown(words, weights, language)):
        least = max(1, least - 1)
    if listed == count and whole >= least:
        return Part(whole, 0, len(words) - 1)
    best, first, total = Part(0, 0, 0), 0, 0
    for at, weight in enumerate(weights):
        if total < 0:
            first, total = at, 0
        total += weight
        best = max(best, Part(total, first, at), key=lambda one: one.weight)
    return best if best.weight >= FEWEST else Part(0, 0, 0)


def _are_unknown(words: Sequence[str], weights: Sequence[int], language: Language) -> bool:
    """Whether a full dictionary, if one is installed, lists none of the words that are in the other language alone."""
    alone = [word for word, weight in zip(words, weights, strict=True) if weight > 0]
    return all(morphology.lists(word, language.tag) is False for word in alone)


def _known(
    words: Sequence[str],
    own: Sequence[bool],
    language: Language,
    other: Language,
    is_listed: Callable[[str, str], bool],
) -> Iterator[tuple[bool, bool]]:
    """Of each word, whether it is one of the language, and whether it is one of the other.

    Names in Latin letters are in texts of every language, so that only a dictionary knows a word there. In any other
    script a word is of the languages whose alphabet has its letters.
    """
    letters, alphabet = letters_of(other.script), {*other.alphabet, *_APOSTROPHES}
    mine, theirs = function_words(language.lemmatiser), function_words(other.lemmatiser)
    for word, known in zip(words, own, strict=True):
        in_script, lower = letters.match(word) is not None, word.lower()
        spelled = not other.alphabet or alphabet.issuperset(lower)
        if language.script != other.script:
            here = letters_of(language.script).match(word) is not None
            fits = is_listed(word, other.lemmatiser) if other.script == "Latin" else spelled
            yield here, in_script and not here and fits
        elif mine and theirs and (lower in mine) != (lower in theirs):
            yield lower in mine, lower in theirs
        else:
            yield known, in_script and spelled and is_listed(word, other.lemmatiser)
