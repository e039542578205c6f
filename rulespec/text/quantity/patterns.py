"""The numerals of a language from its data: word forms, words that are not numbers, patterns over the outline."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from rulespec.text.languages import Language
from rulespec.text.languages.dictionaries import lemma
from rulespec.text.languages.record import refuse_aliases
from rulespec.text.quantity.numerals import numbers, tokens_of
from rulespec.text.quantity.outline import SLOTS, Form
from rulespec.text.quantity.quantity import Kind
from rulespec.text.quantity.spelled import Lexicon, marks, phrase, spelled

LETTER = r"[A-Za-z\u0400-\u04ff]"
GLUED = r"[^\W\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
"""A letter, digit or `_`, which a figure cannot follow directly. Scripts without spaces between words write figures
between letters."""


_COMMON = Path(str(files(__package__).joinpath("common.yaml")))

_GROUPED = r"\d{1,3}(?:[,\u00a0\u202f\u2009]\d{3}){1,3}+(?!\d)"


@dataclass(frozen=True)
class NumeralForm:
    """One pattern over an outline. `base` is the value before slots are added; None if the slots are the value."""

    kind: Kind
    pattern: re.Pattern[str]
    base: int | None


Word = Any
"""A number word as its grammar or lexicon knows it."""


@dataclass(frozen=True)
class Numerals:
    """How a language writes numbers.

    `word` takes a word in lower case and returns what `numbers` reads, None if it is no number word. `numbers` takes a
    run of them and returns the numbers in it: first word, end, form and value.
    """

    word: Callable[[str], Word | None]
    numbers: Callable[[Sequence[Word]], Iterator[tuple[int, int, Form, Fraction]]]
    joint: re.Pattern[str]
    scanner: re.Pattern[str]
    rows: tuple[NumeralForm, ...]


def numerals_of(language: Language) -> Numerals:
    """The numerals of a language: by the grammar of its record, else the words that CLDR spells out."""
    return _numerals(language)


class Reads(NamedTuple):
    """How number words are read: the first two parts of `Numerals`."""

    word: Callable[[str], Word | None]
    numbers: Callable[[Sequence[Word]], Iterator[tuple[int, int, Form, Fraction]]]


@cache
def _numerals(language: Language) -> Numerals:
    return numerals_in(language)


def numerals_in(language: Language) -> Numerals:
    """The numerals of a language as its files have them. Raises ValueError with the file if one is invalid."""
    import yaml

    try:
        return _made(language)
    except (LookupError, TypeError, AttributeError, ArithmeticError, yaml.YAMLError, re.error, *_UNREADABLE) as error:
        raise ValueError(f"{language.file('numerals.yaml')}: {error}") from None


_UNREADABLE = (OSError, RecursionError)


def _made(language: Language) -> Numerals:
    common = _data(_COMMON)
    data, grammar, spaced = language.file("numerals.yaml"), language.file("numerals.lark"), language.spaced
    own = _data(data) if data is not None else {}
    if grammar is not None and "words" in own:
        text = grammar.read_text(encoding="utf-8")
        known: AbstractSet[str]
        tokens_of(text)
        words = dict(_words(own.get("words", {}), own.get("endings", {})))
        known, reads = words.keys(), Reads(words.get, partial(numbers, text))
    else:
        lexicon = _lexicon(language, own)
        known, reads = lexicon.words, Reads(lexicon.word, lexicon.numbers)
    longest_first = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
    return Numerals(
        *reads,
        joint=re.compile(r"[^\S\n\t]+|[-‑]|[^\S\n]*\n[^\S\n]*" if spaced else ""),
        scanner=_scanner(own, common, _SPACED if spaced else longest_first or "(?!)"),
        rows=tuple(_rows(own, common)),
    )


_FORMS = {
    "cardinal": Form.WORDS,
    "ordinal": Form.ORDINAL,
    "fraction": Form.FRACTION,
    "article": Form.ARTICLE,
    "nothing": Form.NOTHING,
}


def _lexicon(language: Language, own: Mapping[str, Any]) -> Lexicon:
    """The number words of CLDR, and over them the `forms` of a record."""
    values = {
        phrase(text, language.spaced): _value(kind, Fraction(value))
        for text, (kind, value) in spelled(language.tag).items()
    }
    for kind, table in own.get("forms", {}).items():
        for value, forms in table.items():
            for form in _inflected(str(forms), own.get("endings", {})):
                values[phrase(form, language.spaced)] = _value(kind, Fraction(str(value)))
    name = language.lemmatiser
    return Lexicon(values, (lambda word: lemma(word, name)) if name and language.spaced else lambda word: word)


def _value(kind: str, value: Fraction) -> tuple[Form, Fraction]:
    """The form of a number word. In most languages the word for one is the article, too: it counts only where a one is
    needed."""
    return (Form.ARTICLE if kind == "cardinal" and value == 1 else _FORMS[kind]), value


def common_macros() -> frozenset[str]:
    """The names of the macros of the patterns that every language has."""
    return frozenset(_data(_COMMON)["macros"])


def _data(path: Path) -> dict[str, Any]:
    import yaml

    from rulespec.document.loader import LOADER

    text = path.read_text(encoding="utf-8")
    refuse_aliases(text)
    return yaml.load(text, LOADER)  # type: ignore[no-any-return]


def _words(table: Mapping[str, Any], endings: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, str]]]:
    # For a form of two tokens the earlier token wins: дев'яноста is ninety, not ninetieth.
    seen: set[str] = set()
    for token, values in table.items():
        for value, forms in values.items():
            for form in _inflected(str(forms), endings):
                if form not in seen:
                    seen.add(form)
                    yield form, (token, str(value))


def _inflected(forms: str, endings: Mapping[str, str]) -> Iterator[str]:
    for form in forms.split():
        stem, _, named = form.partition("+")
        yield from (stem + ending.strip(".") for ending in endings[named].split()) if named else (stem,)


def _scanner(own: Mapping[str, Any], common: Mapping[str, Any], words: str) -> re.Pattern[str]:
    """One pattern for all parts of numbers, and for text that resembles a number and is none."""
    before = rf"(?:(?<!{GLUED})|(?<=(?<!{GLUED})[xXхХ]))"
    after = rf"(?!(?![xXхХ](?!{LETTER})){LETTER}{{1,2}}(?!{LETTER})|_)"
    ordinal, cardinal = own.get("ordinal_suffix", "(?!)"), own.get("cardinal_suffix", "(?!)")
    parts = {
        "no": "|".join([*own.get("not_numbers", []), *common["not_numbers"]]),
        "ordinal": rf"{before}\d++{ordinal}(?!{LETTER})",
        "decimal": rf"{before}\d{{1,7}}+[.．]\d{{1,4}}+(?![.．]?\d){after}",
        "figures": rf"{before}(?:{_GROUPED}|\d++)[¼-¾⅐-⅞]?(?:{cardinal}|{after})",
        "part": "[¼-¾⅐-⅞]",
        "circled": "[①-⒛㈠-㈩㊀-㊉❶-➓]",
        "roman": r"(?<!\w)(?:[IVXІХ]{1,6}|[Ⅰ-Ⅻ])(?!\w)",
        "word": words,
    }
    return re.compile("|".join(f"(?P<{name}>{part})" for name, part in parts.items()), re.MULTILINE)


_SPACED = rf"(?<![^\W_])[^\W\d_](?:[^\W\d_]|[{marks()}])*+(?:['’ʼ](?:[^\W\d_]|[{marks()}])++)*+(?!\d)"
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
