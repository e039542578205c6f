"""The numerals of a language from its data: word forms, words that are not numbers, patterns over the outline."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from rulespec.text.languages import Language
from rulespec.text.quantity.outline import SLOTS
from rulespec.text.quantity.quantity import Kind

LETTER = r"[A-Za-z\u0400-\u04ff]"
GLUED = r"[^\W\u4e00-\u9fff]"
"""A letter, digit or `_`, which a figure cannot follow directly. Chinese writes figures between characters without
spaces."""


_GROUPED = r"\d{1,3}(?:[,\u00a0\u202f\u2009]\d{3}){1,3}+(?!\d)"


@dataclass(frozen=True)
class NumeralForm:
    """One pattern over an outline. `base` is the value before slots are added; None if the slots are the value."""

    kind: Kind
    pattern: re.Pattern[str]
    base: int | None


@dataclass(frozen=True)
class Numerals:
    """How a language writes numbers. `words` maps a form in lower case to its token of the grammar and its value."""

    grammar: Path | None
    words: Mapping[str, tuple[str, str]]
    joint: re.Pattern[str]
    scanner: re.Pattern[str]
    rows: tuple[NumeralForm, ...]


def numerals_of(language: Language) -> Numerals:
    """The numerals of a language. Without a file `numerals.yaml` only figures and signs are read."""
    return _numerals(language.file("numerals.yaml"), language.file("numerals.lark"), language.spaced)


@cache
def _numerals(data: Path | None, grammar: Path | None, spaced: bool) -> Numerals:
    common = _data(Path(str(files(__package__).joinpath("common.yaml"))))
    own = _data(data) if data is not None else {}
    words = dict(_words(own.get("words", {}), own.get("endings", {})))
    longest_first = "|".join(sorted(words, key=len, reverse=True))
    return Numerals(
        grammar=grammar,
        words=words,
        joint=re.compile(r"[^\S\n\t]+|[-‑]|[^\S\n]*\n[^\S\n]*" if spaced else ""),
        scanner=_scanner(own, common, "" if spaced else longest_first),
        rows=tuple(_rows(own, common)),
    )


def _data(path: Path) -> dict[str, Any]:
    import yaml

    from rulespec.document.loader import LOADER

    return yaml.load(path.read_text(encoding="utf-8"), LOADER)  # type: ignore[no-any-return]


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


def _scanner(own: Mapping[str, Any], common: Mapping[str, Any], han: str) -> re.Pattern[str]:
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
        "word": han or r"(?<![^\W_])[^\W\d_]++(?:['’ʼ][^\W\d_]++)*+(?!\d)",
    }
    return re.compile("|".join(f"(?P<{name}>{part})" for name, part in parts.items()), re.MULTILINE)


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
