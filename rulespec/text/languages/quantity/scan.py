"""Scans a text for atoms: figures, signs such as ½ and ①, Roman numerals and number words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction

from rulespec.text.languages.quantity.outline import YEARS, Atom, Form
from rulespec.text.languages.quantity.patterns import Numerals
from rulespec.text.languages.quantity.spelled import bare

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
            yield from _single(match)
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


def _single(match: re.Match[str]) -> Iterator[Atom]:
    read = _READERS.get(match.lastgroup or "")
    found = read(match[0]) if read else None
    if found is not None:
        yield Atom(*match.span(), *found)


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


def _ordinal(written: str) -> tuple[Form, Fraction]:
    return Form.ORDINAL, _figures(written)[1]


def _decimal(written: str) -> tuple[Form, Fraction]:
    whole, part = re.split("[.．,٫]", written)
    return Form.DECIMAL, Fraction(int(whole + part), 10 ** len(part))


def _part(written: str) -> tuple[Form, Fraction]:
    return Form.FRACTION, _numeric(written)


def _circled(written: str) -> tuple[Form, Fraction]:
    return Form.CIRCLED, _numeric(written)


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


_READERS = {
    "ordinal": _ordinal,
    "decimal": _decimal,
    "figures": _figures,
    "part": _part,
    "circled": _circled,
    "roman": _roman,
}
