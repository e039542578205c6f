"""Reads quantities: first atoms, then patterns over the outline in their order."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache

from rulespec.text.languages.quantity.patterns import NumeralForm, Numerals, numerals_of
from rulespec.text.languages.quantity.quantity import TAKEN, YEARS, Atom, Form, Kind, Quantity, outline
from rulespec.text.languages.quantity.spelled import bare
from rulespec.text.languages.record import Language
from rulespec.text.languages.registry import find


def read(text: str, lang: str) -> list[Quantity]:
    """All quantities of a text in a language (a BCP 47 tag), in order and not overlapping. Never raises for any text.

    Spans: a range, a signed, a fraction or a relative quantity is its whole phrase (`from 1 to 6`, `1 card per
    opponent`); of a page, year or marker, the number alone. `±1` is two: +1 at the sign and -1 at the figure.
    In a language without a record, only figures and signs are read.
    """
    return list(_read(text, find(lang)))


@lru_cache(maxsize=4096)  # a variant has the texts of its game
def _read(text: str, language: Language) -> tuple[Quantity, ...]:
    known = numerals_of(language)
    atoms = {atom.start: atom for atom in scan(text, known)}
    return tuple(sorted(_quantities(outline(text, atoms.values()), atoms, known), key=lambda found: found.start))


def _quantities(shape: str, atoms: Mapping[int, Atom], known: Numerals) -> Iterator[Quantity]:
    for row in known.rows:
        found = [quantity for match in row.pattern.finditer(shape) if (quantity := _quantity(row, match, atoms))]
        yield from found
        shape = _without(shape, found)


def _without(shape: str, found: list[Quantity]) -> str:
    if not found:
        return shape
    letters = list(shape)
    for quantity in found:
        letters[quantity.start : quantity.end] = TAKEN * (quantity.end - quantity.start)
    return "".join(letters)


def _quantity(row: NumeralForm, match: re.Match[str], atoms: Mapping[int, Atom]) -> Quantity | None:
    groups = {name: atoms[match.start(name)].value for name in match.groupdict() if name != "q" and match[name]}
    start, end = match.span("q" if "q" in row.pattern.groupindex else 0)
    if "low" in groups:
        low, high = groups["low"], groups.get("high")
        return None if high is not None and high <= low else Quantity(start, end, row.kind, low, high)
    value = _part(groups) if row.kind is Kind.FRACTION and groups else _total(row, groups, atoms, start, end)
    return None if value is None else Quantity(start, end, row.kind, value)


def _part(groups: Mapping[str, Fraction]) -> Fraction | None:
    """The value of a share. 3/2 is read as two figures, since a share is below one."""
    if "percent" in groups:
        return groups["percent"] / 100
    return groups["over"] / groups["under"] if groups["over"] < groups["under"] else None


def _total(
    row: NumeralForm, groups: Mapping[str, Fraction], atoms: Mapping[int, Atom], start: int, end: int
) -> Fraction | None:
    if groups:
        return Fraction(row.base or 0) + groups.get("plus", 0) - groups.get("minus", 0)
    if row.base is not None:
        return Fraction(row.base)
    return next((atoms[at].value for at in range(start, end) if at in atoms), None)


Run = list[tuple[int, int, str]]

_JOINER = "\u200c"
"""It stands in a number word, or between a number and what it counts by."""


def scan(text: str, numerals: Numerals) -> Iterator[Atom]:
    """All atoms, in order."""
    run: Run = []
    for match in numerals.scanner.finditer(text):
        word = _word(match, numerals)
        if run and (word is None or not numerals.joint.fullmatch(text, run[-1][1], match.start())):
            yield from _combined(run, numerals)
            run = []
        if word is not None:
            run.append((match.start(), match.end(), word))
        else:
            read = _READERS.get(match.lastgroup or "")
            found = read(match[0]) if read else None
            if found is not None:
                yield Atom(*match.span(), *found)
    yield from _combined(run, numerals)


def _word(match: re.Match[str], numerals: Numerals) -> str | None:
    if match.lastgroup != "word":
        return None
    text, lexicon = match[0].lower().replace("’", "'").replace("ʼ", "'"), numerals.lexicon
    word = lexicon.word(text)
    if word is not None or _JOINER not in text:
        return word
    return lexicon.word(bare(text)) or lexicon.word(text.split(_JOINER)[0])


def _combined(run: Run, numerals: Numerals) -> Iterator[Atom]:
    for first, after, form, value in numerals.lexicon.numbers([word for *_, word in run]):
        yield Atom(run[first][0], run[after - 1][1], form, value)


def _figures(written: str) -> tuple[Form, Fraction]:
    digits = re.match(r"\d(?:[\d, \u00a0\u202f\u2009.'’٬]*\d)?", written)
    assert digits is not None
    value = Fraction(int(re.sub(r"\D", "", digits[0])))
    if (part := written[digits.end() :][:1]) and unicodedata.category(part) == "No":
        return Form.FRACTION, value + _numeric(part)
    # Years have no mark between groups: 2,000 is an amount.
    if value in YEARS and written.isdecimal():
        return Form.YEAR, value
    return (Form.FIGURE_ONE if value == 1 else Form.FIGURES), value


def _decimal(written: str) -> tuple[Form, Fraction]:
    whole, part = re.split("[.．,٫]", written)
    return Form.DECIMAL, Fraction(int(whole + part), 10 ** len(part))


def _numeric(sign: str) -> Fraction:
    # `numeric` returns a float, in which ⅓ is not quite a third.
    return Fraction(unicodedata.numeric(sign)).limit_denominator(100)


_ROMAN = re.compile("(X{0,3})(IX|IV|V?I{0,3})")


def _roman(written: str) -> tuple[Form, Fraction] | None:
    # Ukrainian texts often write І and Х with Cyrillic letters.
    latin = unicodedata.normalize("NFKC", written).translate(str.maketrans("ІХ", "IX"))
    if not _ROMAN.fullmatch(latin):
        return None
    values = [{"I": 1, "V": 5, "X": 10}[letter] for letter in latin]
    value = sum(-v if v < max(values[i:]) else v for i, v in enumerate(values))
    return Form.ROMAN, Fraction(value)


_READERS: Mapping[str, Callable[[str], tuple[Form, Fraction] | None]] = {
    "ordinal": lambda written: (Form.ORDINAL, _figures(written)[1]),
    "decimal": _decimal,
    "figures": _figures,
    "part": lambda written: (Form.FRACTION, _numeric(written)),
    "circled": lambda written: (Form.CIRCLED, _numeric(written)),
    "roman": _roman,
}
