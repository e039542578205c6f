"""Numbers in the words of any language, from two libraries.

CLDR's rules for spelling numbers out (RBNF, through unicode-rbnf) have every gender and case of most languages.
num2words has ordinals and cases of some that CLDR lacks, such as those of Ukrainian.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, partial
from itertools import product
from pathlib import Path

import yaml

from rulespec.base import store
from rulespec.text.languages.quantity.lexicon import Phrase, place_of

_ROUND = (*range(30, 100, 10), *range(100, 1001, 100))
_LARGE = (*range(1100, 10_000, 100), *range(10_000, 100_001, 10_000))

CARDINALS = (*range(1001), *_LARGE)
"""The cardinal numbers that are spelled out. Rulebooks write larger ones in figures."""

INFLECTED = (*range(21), *_ROUND)
"""The cardinal numbers that are spelled out in the cases of num2words. Others are sums of them."""

ORDINALS = (*range(1, 101), *range(200, 1001, 100))

_CASES = ("nominative", "genitive", "dative", "accusative", "instrumental", "locative")
_GENDERS = ("masculine", "feminine")

_NOT_IN_RULES = ("-financial", "-days")
"""Endings of the names of rules whose Chinese characters are left out: those for cheques are parts of other words
(參加), and 初一 is a day."""
_HAN = re.compile("[\u4e00-\u9fff]")


_SURE = 1000
"""Of several values of the same words, the only one up to this number counts."""
_LOOSE = re.compile(r"[‘’'](?=\s|$)")
"""Quotation marks that rules of CLDR leave at words."""

_SHIPPED = Path(__file__).parent.parent / "compiled"

_BY_HAND = Path(__file__).parent.parent / "numbers.yaml"


def spelled(locale: str, spaced: bool) -> Mapping[Phrase, tuple[str, int]]:
    """The numbers of a language by their words: "cardinal" or "ordinal", and the value. `locale` is a BCP 47 tag.

    Words that mean two values are left out, and of a cardinal and an ordinal the cardinal counts. Sums of others are
    left out, too: a lexicon adds them. For the languages of this package a file lists them all.
    """
    shipped = _SHIPPED / f"{locale}.numbers.json"
    if shipped.is_file():
        known: Mapping[str, tuple[str, int]] = json.loads(shipped.read_text(encoding="utf-8"))
        return {phrase(words, spaced): (kind, value) for words, (kind, value) in known.items()}
    key = store.key(locale, str(spaced), code=("text/languages",))
    return store.cached("number-words", key, lambda: spelled_by_libraries(locale, spaced))


def spelled_by_libraries(locale: str, spaced: bool) -> dict[Phrase, tuple[str, int]]:
    """What `spelled` returns, from the libraries and `numbers.yaml`."""
    numbers = _by_words([*_from_cldr(locale), *_from_num2words(locale)], spaced)
    found = {words: number for words, number in numbers.items() if not _is_sum(words, number, numbers)}
    for value, forms in _by_hand(locale).items():
        for form in forms:
            found.pop(phrase(form, spaced), None)
            if isinstance(value, int):
                found[phrase(form, spaced)] = ("cardinal", value)
    return found


def _by_hand(locale: str) -> Mapping[int | str, list[str]]:
    """The forms that a file lists for a language by value, and words that are no numbers under `none`."""
    table: Mapping[str, Mapping[int | str, str]] = yaml.safe_load(_BY_HAND.read_text(encoding="utf-8"))
    own = next((table[name] for name in (one.replace("_", "-") for one in _names(locale)) if name in table), {})
    return {value: [form.replace("_", " ") for form in str(forms).split()] for value, forms in own.items()}


def _is_sure(values: set[int]) -> bool:
    """Whether words mean one value. Rules without a word for thousands spell a few of them as smaller numbers."""
    return len({value for value in values if value <= _SURE}) == 1 or len(values) == 1


def bare(text: str) -> str:
    """A text in lower case without joiners, soft hyphens and spaces of no width."""
    return "".join(letter for letter in text.lower() if unicodedata.category(letter) != "Cf")


def _by_words(numbers: Iterable[tuple[str, str, int]], spaced: bool) -> dict[Phrase, tuple[str, int]]:
    values: dict[tuple[str, Phrase], set[int]] = {}
    for text, kind, value in numbers:
        # Rules write a number in figures where they have no words for it.
        if not text.isdigit() and "," not in text:
            plain = _LOOSE.sub("", bare(text)).strip()
            values.setdefault((kind, phrase(plain, spaced)), set()).add(value)
    sure = {(kind, words): min(some) for (kind, words), some in values.items() if _is_sure(some)}
    # Cardinals come last: of words that are both, they overwrite the ordinal.
    kinds = ("ordinal", "cardinal")
    return {words: (kind, value) for wanted in kinds for (kind, words), value in sure.items() if kind == wanted}


def _is_sum(words: Phrase, number: tuple[str, int], numbers: Mapping[Phrase, tuple[str, int]]) -> bool:
    kind, value = number
    for at in range(1, len(words)):
        first, rest = numbers.get(words[:at]), numbers.get(words[at:])
        if first and rest and first[0] == "cardinal" and rest[0] == kind and first[1] + rest[1] == value:
            return 0 < rest[1] < place_of(first[1])
    return False


def _from_cldr(locale: str) -> Iterator[tuple[str, str, int]]:
    from unicode_rbnf import FormatPurpose, RbnfEngine
    from unicode_rbnf.engine import NoRuleForNumberError

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
            with suppress(ValueError, NoRuleForNumberError):  # the language has no rules of this kind, or not for all
                for rules, text in engine.format_number(number, purpose).text_by_ruleset.items():
                    if rules.startswith("spellout") and not (rules.endswith(_NOT_IN_RULES) and _HAN.search(text)):
                        yield text, kind, number


def _from_num2words(locale: str) -> Iterator[tuple[str, str, int]]:
    from num2words import CONVERTER_CLASSES

    name = next((one for one in _names(locale) if one in CONVERTER_CLASSES), None)
    if name is None:
        return
    converter = CONVERTER_CLASSES[name]
    yield from _converted("cardinal", CARDINALS, converter.to_cardinal)
    yield from _converted("ordinal", ORDINALS, converter.to_ordinal)
    for case, gender in product(_CASES, _GENDERS):
        yield from _converted("cardinal", INFLECTED, partial(converter.to_cardinal, case=case, gender=gender))


def _converted(kind: str, numbers: Iterable[int], spell: Callable[[int], object]) -> Iterator[tuple[str, str, int]]:
    for number in numbers:
        try:
            text = str(spell(number))
        except Exception:  # converters raise what they like for what they do not know
            continue
        yield text, kind, number


def _names(locale: str) -> tuple[str, ...]:
    """The names that packages may have for a tag, the nearest first, and that of the language it inherits from."""
    from babel.core import get_global

    parts = locale.split("-")
    wider = get_global("parent_exceptions").get(parts[0])
    return (*("_".join(parts[:count]) for count in range(len(parts), 0, -1)), *((wider,) if wider else ()))


_BETWEEN = re.compile(r"[\s\-‐‑]+")


def phrase(text: str, spaced: bool) -> Phrase:
    """The words of a number; each character is one in a language without spaces."""
    plain = text.lower().replace("’", "'").replace("ʼ", "'")
    return tuple(filter(None, _BETWEEN.split(plain))) if spaced else tuple(plain)


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
