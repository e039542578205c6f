"""The plural categories of CLDR, by Babel."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

    from babel.plural import PluralRule

ORDER = ("zero", "one", "two", "few", "many", "other")
"""All categories of CLDR."""

_COUNTED = 1000
"""The numbers from 1 to this one are those of things that a game may have."""


@lru_cache(maxsize=64)
def _rule(lang: str) -> PluralRule | None:
    """The plural rule of a language (a BCP 47 tag); None if Babel does not know the language or is not installed."""
    try:
        from babel import Locale, UnknownLocaleError
    except ImportError:
        return None
    try:
        return Locale.parse(lang, sep="-").plural_form
    except (UnknownLocaleError, ValueError):
        return None


@lru_cache(maxsize=4096)
def category(number: Fraction | int, lang: str) -> str | None:
    """The plural category of a number in a language; None if it is unknown."""
    rule = _rule(lang)
    if rule is None:
        return None
    return rule(int(number) if number == int(number) else float(number))


@lru_cache(maxsize=64)
def categories(lang: str) -> tuple[str, ...]:
    """The plural categories of a language in the order of CLDR; none if they are unknown."""
    rule = _rule(lang)
    if rule is None:
        return ()
    return tuple(one for one in ORDER if one in {*rule.tags, "other"})


@lru_cache(maxsize=64)
def needed(lang: str) -> tuple[str, ...]:
    """The categories that the numbers of things in a game take."""
    found = {category(number, lang) for number in range(1, _COUNTED + 1)}
    return tuple(one for one in ORDER if one in found)
