"""Simplified characters in Traditional Chinese, and the other way round."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import regex

from rulespec.diagnostics import Finding
from rulespec.text.marks.folding import folded, language
from rulespec.text.prose import Prose

_HAN = regex.compile(r"\p{Han}")

# More different ones than this are no slips: the whole text is in the other script.
_MANY = 12

# Characters that are right in Traditional text too (后, 里, 几 …), in words where they cannot be.
_NEVER_TRADITIONAL = regex.compile(
    r"(?<=[什怎這那這多])么|几(?=[個張位次名回輪乎種])|(?<=第)几|(?<=[最之然以先])后|后(?=[面手續])|(?<=[手這那哪心])里|里(?=面)"
)


def other_han_forms(prose: Prose) -> Iterator[Finding]:
    """Characters of the other Chinese script: one finding per character, one in all where there are many."""
    if language(prose) != "zh":
        return
    simplified = "Hans" in prose.lang
    chars = frozenset(_HAN.findall(prose.text))
    proper = {char: right for char, right in _proper(chars, simplified).items() if right != char}
    places: dict[str, list[tuple[int, int]]] = {char: [] for char in proper}
    for i, char in enumerate(prose.text):
        if char in proper:
            places[char].append((i, i + 1))
    yield from _say(prose, places, proper, "Traditional" if simplified else "Simplified")
    if not simplified:
        yield from _in_words(prose)


def _say(
    prose: Prose, places: dict[str, list[tuple[int, int]]], proper: dict[str, str], script: str
) -> Iterator[Finding]:
    if len(places) > _MANY:
        message = (
            f"The text is full of {script} characters, {len(places)} different ones, though its tag is {prose.lang}."
        )
        hint = "Convert it, or give it the tag of the script it is written in."
        yield from folded(prose, "other-han-form", [min(min(found) for found in places.values())], message, hint)
        return
    for char, found in places.items():
        message = f"“{char}” is a {script} character; this text is {prose.lang}, which writes {proper[char]}."
        yield from folded(prose, "other-han-form", found, message, f"Write {proper[char]}.")


def _in_words(prose: Prose) -> Iterator[Finding]:
    for match in _NEVER_TRADITIONAL.finditer(prose.text):
        right = _converter("s2tw").convert(match[0])
        message = f"“{match[0]}” is the Simplified form here; Traditional text writes {right} in this word."
        yield prose.say("other-han-form", message, match.start(), match.end(), f"Write {right}.")


@lru_cache(maxsize=16)
def _proper(chars: frozenset[str], simplified: bool) -> dict[str, str]:
    """What each character is in the script of the text: itself, where it is fine there."""
    order = sorted(chars)
    # One call for all, each on a line of its own so that no two of them make a phrase.
    to_simplified = _convert("t2s", order)
    if simplified:
        return {c: c if _ordinary_simplified(c) else s for c, s in zip(order, to_simplified, strict=True)}
    # Taiwan and Hong Kong disagree about some (著 and 着): what either of them writes is fine.
    forms = zip(order, to_simplified, _convert("s2tw", order), _convert("s2hk", order), strict=True)
    return {c: t if s == c and c not in (t, h) and not _ordinary_traditional(c) else c for c, s, t, h in forms}


def _convert(config: str, chars: list[str]) -> list[str]:
    converted: list[str] = _converter(config).convert("\n".join(chars)).split("\n")
    return converted if chars else []


@lru_cache
def _converter(config: str) -> Any:
    import opencc

    return opencc.OpenCC(config)


def _ordinary_traditional(char: str) -> bool:
    """Level 1 of Big5 holds the 5401 characters of everyday Traditional Chinese: 后, 里, 干, 台 are among them."""
    try:
        return b"\xa4\x40" <= char.encode("big5") <= b"\xc6\x7e"
    except UnicodeEncodeError:
        return False


def _ordinary_simplified(char: str) -> bool:
    """GB 2312 is the character set of Simplified Chinese; it keeps 乾 for 乾坤, and these three for names only."""
    try:
        char.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return char not in "後於摺"
