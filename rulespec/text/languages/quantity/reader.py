"""Reads quantities: first atoms, then patterns over the outline in their order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache

from rulespec.text.languages.quantity.outline import TAKEN, Atom, outline
from rulespec.text.languages.quantity.patterns import NumeralForm, Numerals, numerals_of
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.languages.quantity.scan import scan
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
