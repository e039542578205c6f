"""The numerals of a language from its data: word forms, words that are not numbers, patterns over the outline."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from rulespec.language.document.loader import LOADER
from rulespec.text.languages.dictionaries import lemma
from rulespec.text.languages.quantity.lexicon import Lexicon, Phrase, Value
from rulespec.text.languages.quantity.quantity import SLOTS, YEARS, Form, Kind
from rulespec.text.languages.quantity.spelled import marks, phrase, spelled
from rulespec.text.languages.record import Language, refuse_aliases

LETTER = r"[A-Za-z\u0400-\u04ff]"
GLUED = r"[^\W\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
"""A letter, digit or `_`, which a figure cannot follow directly. Scripts without spaces between words write figures
between letters."""


_COMMON = Path(__file__).parent.parent / "quantities.yaml"

_GROUPS = r",\u00a0\u202f\u2009"
_DECIMALS = ".．"
"""The marks between groups of figures, and before decimals, in a language whose record does not give others."""


@dataclass(frozen=True)
class NumeralForm:
    """One pattern over an outline. `base` is the value before slots are added; None if the slots are the value."""

    kind: Kind
    pattern: re.Pattern[str]
    base: int | None


@dataclass(frozen=True)
class Numerals:
    """How a language writes numbers: its words, what joins those of one number, parts of numbers, and patterns."""

    lexicon: Lexicon
    joint: re.Pattern[str]
    scanner: re.Pattern[str]
    rows: tuple[NumeralForm, ...]


@cache
def numerals_of(language: Language) -> Numerals:
    """The numerals of a language: the words that CLDR spells out, and what its record adds.

    Raises ValueError with the file if that is invalid.
    """
    try:
        common = _data(_COMMON)
        data, spaced = language.file("numerals.yaml"), language.spaced
        own = _data(data) if data is not None else {}
        lexicon = _lexicon(language, own)
        characters = "".join(map(re.escape, sorted(lexicon.words)))
        return Numerals(
            lexicon=lexicon,
            joint=re.compile(r"[^\S\n\t]+|[-‑]|[^\S\n]*\n[^\S\n]*" if spaced else "\u200b*"),
            scanner=_scanner(own, common, _SPACED if spaced else f"[{characters}]" if characters else "(?!)", language),
            rows=tuple(_rows(own, common)),
        )
    except (LookupError, TypeError, AttributeError, ArithmeticError, yaml.YAMLError, re.error, *_UNREADABLE) as error:
        raise ValueError(f"{language.file('numerals.yaml')}: {error}") from None


_UNREADABLE = (OSError, RecursionError)


_FORMS = {
    "cardinal": Form.WORDS,
    "alone": Form.WORDS,
    "ordinal": Form.ORDINAL,
    "fraction": Form.FRACTION,
    "article": Form.ARTICLE,
    "nothing": Form.NOTHING,
    "no": Form.NO,
}


def _lexicon(language: Language, own: Mapping[str, Any]) -> Lexicon:
    """The number words of CLDR, and over them the `forms` of a record."""
    one = Form.WORD_ONE if own.get("one_counts") else Form.ARTICLE
    left_out = own.get("left_out", ())
    values: dict[Phrase, Value] = {}
    for words, (kind, number) in spelled(language.tag, language.spaced).items():
        if f"{kind}s" not in left_out:
            # A zero in words often means no or not: without a record it counts only where a zero is needed.
            nothing = kind == "cardinal" and number == 0 and not own
            values[words] = (Form.NOTHING, Fraction(0)) if nothing else _value(kind, Fraction(number), one)
    # A copy, because the loop adds to `values`.
    for words, known in [*values.items()]:
        for form in _inflected_as(words, known[0], own):
            values.setdefault(form, known)
    for kind in _FORMS:
        for words, value in _forms(kind, language, own):
            values[words] = _value(kind, value, one)
    for year in YEARS if "digits" in own else ():
        for digits in own["digits"]:
            values[tuple(digits[int(digit)] for digit in str(year))] = (Form.YEAR, Fraction(year))
    name = language.lemmatiser if language.spaced and "lemmas" not in left_out else ""
    return Lexicon(
        values,
        lemma=(lambda word: lemma(word, name)) if name else None,
        times={words[0]: factor for words, factor in _forms("times", language, own)},
        plus=dict(_forms("plus", language, own)),
        alone=frozenset(words for words, _ in _forms("alone", language, own)),
        joins=frozenset(own.get("joins", ())),
        short_tens=bool(own.get("short_tens")),
        counters=language.figures.counters,
        one_adds=one is Form.ARTICLE,
    )


def _value(kind: str, value: Fraction, one: Form) -> Value:
    """The form of a number word. In most languages the word for one is the article, too: it counts only where a one is
    needed."""
    return (one if kind == "cardinal" and value == 1 else _FORMS[kind]), value


def _inflected_as(words: Phrase, form: Form, own: Mapping[str, Any]) -> Iterator[Phrase]:
    """Other forms of a single word, by its ending."""
    for kind, rules in own.get("inflected", {}).items():
        for ending, others in rules.items():
            if len(words) == 1 and form is _FORMS[kind] and words[0].endswith(ending):
                yield from ((words[0].removesuffix(ending) + other,) for other in others.split())


def _forms(kind: str, language: Language, own: Mapping[str, Any]) -> Iterator[tuple[Phrase, Fraction]]:
    for value, forms in own.get("forms", {}).get(kind, {}).items():
        for form in _inflected(str(forms), own.get("endings", {})):
            yield phrase(form, language.spaced), Fraction(str(value))


def common_macros() -> frozenset[str]:
    """The names of the macros of the patterns that every language has."""
    return frozenset(_data(_COMMON)["macros"])


def _data(path: Path) -> dict[str, Any]:
    text = path.read_text(encoding="utf-8")
    refuse_aliases(text)
    return yaml.load(text, LOADER)  # type: ignore[no-any-return]


def _inflected(forms: str, endings: Mapping[str, str]) -> Iterator[str]:
    for form in forms.split():
        stem, _, named = form.partition("+")
        yield from (stem + ending.strip(".") for ending in endings[named].split()) if named else (stem,)


class _Figures(NamedTuple):
    """Patterns of numbers in figures: groups of three, decimals, and what makes a number an ordinal."""

    grouped: str
    decimal: str
    ordinal: str


def _figures(language: Language) -> _Figures:
    """How a language writes figures."""
    written = language.figures
    # No mark stands both between groups and before decimals.
    groups = f"{_GROUPS}{re.escape(written.group)}".replace(",", "" if written.decimal == "," else ",")
    if written.group.isspace():
        groups += " "  # typed for the space that does not break
    decimals = f"{_DECIMALS}{written.decimal}".replace(".", "" if written.group == "." else ".")
    small = "".join(letter for letter in language.alphabet if letter.isalpha())
    # A full stop before a small letter ends no sentence.
    dot = rf"\.(?=[^\S\n][{small}])" if small and "." in written.ordinals else "(?!)"
    behind = "|".join([*(re.escape(one) for one in written.ordinals if one != "."), dot])
    return _Figures(rf"\d{{1,3}}(?:[{groups}]\d{{3}}){{1,3}}+(?!\d)", f"[{decimals}]", f"(?:{behind})")


def _scanner(own: Mapping[str, Any], common: Mapping[str, Any], words: str, language: Language) -> re.Pattern[str]:
    """One pattern for all parts of numbers, and for text that resembles a number and is none."""
    figures = _figures(language)
    # A figure may follow an x, Latin or Cyrillic, as in `x2`, but no other letter.
    before = rf"(?:(?<!{GLUED})|(?<=(?<!{GLUED})[xXхХ]))"
    # With one or two letters behind it, as in `3D`, a figure is no number, except with an x: `3x`.
    after = rf"(?!(?![xXхХ](?!{LETTER})){LETTER}{{1,2}}(?!{LETTER})|_)"
    ordinal, cardinal = own.get("ordinal_suffix", figures.ordinal), own.get("cardinal_suffix", "(?!)")
    # The first part that matches counts: what is no number, then the longer ways of writing one.
    parts = {
        "no": "|".join([*own.get("not_numbers", []), *common["not_numbers"]]),
        "ordinal": rf"{before}\d++{ordinal}(?!{LETTER})",
        "decimal": rf"{before}\d{{1,7}}+{figures.decimal}\d{{1,4}}+(?!{figures.decimal}?\d){after}",
        "figures": rf"{before}(?:{figures.grouped}|\d++)[¼-¾⅐-⅞]?(?:{cardinal}|{after})",
        "part": "[¼-¾⅐-⅞]",
        "circled": "[①-⒛㈠-㈩㊀-㊉❶-➓]",
        "roman": r"(?<!\w)(?:[IVXІХ]{1,6}|[Ⅰ-Ⅻ])(?!\w)",
        "word": words,
    }
    return re.compile("|".join(f"(?P<{name}>{part})" for name, part in parts.items()), re.MULTILINE)


_SPACED = rf"(?<![^\W_])[^\W\d_](?:[^\W\d_]|[{marks()}\u200c\u200d])*+(?:['’ʼ](?:[^\W\d_]|[{marks()}])++)*+(?!\d)"
"""A word in a language with spaces."""


def _rows(own: Mapping[str, Any], common: Mapping[str, Any]) -> Iterator[NumeralForm]:
    macros = {**SLOTS, **common["macros"], **own.get("macros", {})}
    for row in (*common["first"], *own.get("patterns", ()), *common["last"]):
        pattern = re.compile(_expanded(row["like"], macros), re.IGNORECASE | re.MULTILINE)
        yield NumeralForm(Kind(row["kind"]), pattern, row.get("is"))


_SPACES: Sequence[tuple[str, str]] = (
    (" *", r"[^\S\n]*"),
    (" +", r"[^\S\n]+"),
    (" ", r"(?:[*_]{0,3}(?:[^\S\n]+|[^\S\n]*\n[^\S\n]*)[*_]{0,3})"),
)
"""The meaning of spaces in patterns: a gap between words, which may be a line break and may have emphasis marks."""


def _expanded(like: str, macros: Mapping[str, str]) -> str:
    # Twice, because a macro may contain slots.
    for _ in range(2):
        like = re.sub(r"\{([a-z]\w*)\}", lambda found: macros[found[1]], like)
    return re.sub(r" [*+]?", lambda found: dict(_SPACES)[found[0]], like)
