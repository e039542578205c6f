"""The plural categories of numbers of things, by the rules of CLDR that a language record carries."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from rulespec.text.languages.record import PLURALS
from rulespec.text.languages.registry import depends, find
from rulespec.text.languages.tags import tag_of

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
