"""Grammatical analyses of words, by pymorphy3, for the languages of which a dictionary of it is installed.

Analyses are kept on disk from one run to the next, so the analyser is loaded for new words only.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import Any, NamedTuple

from rulespec.text.languages.dictionaries import answers
from rulespec.text.languages.record import PLURALS
from rulespec.text.languages.registry import depends, find
from rulespec.text.languages.tags import tag_of


class Parse(NamedTuple):
    """One analysis of a word. `part`, `case` and `gender` are grammemes of OpenCorpora, "" if there is none.

    `known` says whether the dictionary lists the word; else the analysis is a guess by its ending.
    """

    part: str
    lemma: str
    plural: bool
    case: str
    gender: str
    animate: bool
    known: bool
    grammemes: frozenset[str]

    @property
    def form(self) -> str:
        """The number and the case, such as `plur gent`."""
        return f"{'plur' if self.plural else 'sing'} {self.case}"


def is_available(lang: str) -> bool:
    """Whether pymorphy3 and its dictionary of a language (a BCP 47 tag) are installed."""
    return _package(lang) is not None


def parses(word: str, lang: str) -> tuple[Parse, ...]:
    """The analyses of a word in a language that is available, most likely first."""
    known: dict[str, tuple[Parse, ...]] = answers("word-forms", _package(lang) or "", most=5000)
    plain = _plain(word)
    if plain not in known:
        # Analyses of pymorphy3 that differ only in what `Parse` leaves out are one.
        known[plain] = tuple(dict.fromkeys(map(_parse, _analyser(lang).parse(plain))))
    return known[plain]


def lists(word: str, lang: str) -> bool | None:
    """Whether the dictionary of a language lists a word; None if none is installed."""
    return any(one.known for one in parses(word, lang)) if is_available(lang) else None


def forms(word: str, lang: str) -> Iterator[tuple[Parse, Parse, str]]:
    """Every form of each analysis of a word: the analysis of the word, that of the form, and the form."""
    for one in _analyser(lang).parse(_plain(word)):
        own = _parse(one)
        yield from ((own, _parse(form), form.word) for form in one.lexeme)


def _plain(word: str) -> str:
    return word.casefold().replace("’", "'").replace("ʼ", "'")


@cache
def _package(lang: str) -> str | None:
    """The package of the dictionary of a language; None if it or pymorphy3 is not installed."""
    name = f"pymorphy3_dicts_{lang.split('-')[0].lower()}"
    # A tag may be any text, and find_spec imports what stands before a dot.
    is_name = name.isidentifier()
    return name if is_name and find_spec("pymorphy3") is not None and find_spec(name) is not None else None


@cache
def _analyser(lang: str) -> Any:
    from pymorphy3 import MorphAnalyzer  # loading it takes as long as checking a text

    return MorphAnalyzer(lang=lang.split("-")[0].lower())


def _parse(one: Any) -> Parse:
    tag = one.tag
    return Parse(
        part=str(tag.POS or ""),
        lemma=one.normal_form,
        plural="plur" in tag,
        case=str(tag.case or ""),
        gender=str(tag.gender or ""),
        animate="anim" in tag,
        known=one.is_known,
        grammemes=frozenset(map(str, tag.grammemes)),
    )


_COUNTED = 1000
"""The numbers from 1 to this one are those of things that a game may have."""


def category(number: Fraction | int, lang: str) -> str | None:
    """The plural category of a number in a language (a BCP 47 tag); None if its rule is unknown."""
    language = find(lang)
    if not language.plurals:
        return None
    return language.plural(int(number)) if number == int(number) else _of_fraction(float(number), lang)


@depends
@lru_cache(maxsize=256)
def _of_fraction(number: float, lang: str) -> str | None:
    """The category of a fraction, which texts rarely have: Babel is imported for it."""
    from babel import Locale

    known = tag_of(lang)
    return Locale.parse(known.locale).plural_form(number) if known is not None and known.locale else None


def categories(lang: str) -> tuple[str, ...]:
    """The plural categories of a language in the order of CLDR; none if they are unknown."""
    return tuple(one for one in PLURALS if one in find(lang).plurals)


@depends
@lru_cache(maxsize=64)
def needed(lang: str) -> tuple[str, ...]:
    """The categories that the numbers of things in a game take."""
    found = {category(number, lang) for number in range(1, _COUNTED + 1)}
    return tuple(one for one in PLURALS if one in found)
