"""Whether a text states a fact, contradicts it, or is silent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rulespec.text.facts import ByKey, ByPlayers, Choices, Extent, Fact, Number, Sequence, Words
from rulespec.text.language import lines, sentences
from rulespec.text.quantity import Kind, Quantity
from rulespec.text.reading import Reading
from rulespec.text.rows import COUNTED

_LETTER = re.compile(r"(?<![A-Za-zА-Яа-яІіЇїЄєҐґ])([A-ZА-ЯІЇЄҐ])(?![A-Za-zА-Яа-яІіЇїЄєҐґ'’])")
_LETTERS_BETWEEN = re.compile(r"[\s–—\-~至到]*(?:to|до|through)?[\s–—\-~]*", re.IGNORECASE)


@dataclass(frozen=True)
class Wrong:
    """What contradicts a fact: `text[start:end]` says one thing where the spec has another."""

    start: int
    end: int
    says: str
    wants: str


@dataclass(frozen=True)
class Verdict:
    """What a text makes of a fact: whether it is stated, what is lacking of it in words, what contradicts it."""

    fact: Fact
    stated: bool
    lacks: str = ""
    wrong: tuple[Wrong, ...] = ()


def judge(fact: Fact, reading: Reading, concepts: Mapping[str, str]) -> Verdict:
    """What a text makes of a fact. `concepts` gives the concept for a name of the spec."""
    content = fact.content
    return _JUDGES[type(content)](fact, content, reading, concepts)


def _number(fact: Fact, content: Number, reading: Reading, concepts: Mapping[str, str]) -> Verdict:
    told = any(says(quantity, content.value) for quantity in _amounts(reading))
    return Verdict(fact, told, "" if told else str(content))


def says(quantity: Quantity, value: int) -> bool:
    """Whether a quantity is the number; a sign only matters where one is written and the number is below zero."""
    if quantity.kind == Kind.NOTHING:
        return value == 0
    if quantity.kind == Kind.ARTICLE:
        return value == 1
    if quantity.kind == Kind.SIGNED:
        return quantity.value == value
    return quantity.kind == Kind.CARDINAL and quantity.value == value


def _amounts(reading: Reading) -> list[Quantity]:
    """The quantities that are not numbers of players."""
    return [q for q in reading.quantities if q.start not in reading.counts]


def _by_players(fact: Fact, content: ByPlayers, reading: Reading, concepts: Mapping[str, str]) -> Verdict:
    relative = any(q.kind == Kind.RELATIVE and q.value == content.offset for q in reading.quantities)
    told: dict[int, list[Quantity]] = {}
    for row in reading.rows:
        for count in row.counts:
            told.setdefault(count, []).extend(row.values)
    right = {n for n, value in content.rows.items() if any(_is(q, value) for q in told.get(n, ()))}
    # Nothing to take away is often simply left out.
    lacking = {n for n, value in content.rows.items() if n not in right and (value != 0 or n in told)}
    wrong: tuple[Wrong, ...] = ()
    if right and len(right) * 2 >= len(set(told) & set(content.rows)):
        wrong = tuple(_wrong_rows(content, told, lacking, reading))
    stated = relative or not lacking
    lacks = "" if stated else ", ".join(f"{content.rows[n]} with {n} players" for n in sorted(lacking))
    return Verdict(fact, stated and not wrong, lacks, wrong)


def _is(quantity: Quantity, value: int) -> bool:
    """Like `says`, but a table of what is removed may write -22 for 22."""
    return says(quantity, value) or (quantity.kind == Kind.SIGNED and abs(quantity.value) == abs(value))


def _wrong_rows(
    content: ByPlayers, told: Mapping[int, list[Quantity]], lacking: set[int], reading: Reading
) -> Iterator[Wrong]:
    for count in sorted(lacking):
        if values := told.get(count):
            value = values[0]
            wants = f"{content.rows[count]} with {count} players"
            yield Wrong(value.start, value.end, reading.text[value.start : value.end], wants)


def _by_key(fact: Fact, content: ByKey, reading: Reading, concepts: Mapping[str, str]) -> Verdict:
    found = list(_keyed(content, reading, concepts))
    right = {key for key, _, values in found if any(says(v, content.rows[key]) for v in values)}
    wrong = tuple(
        Wrong(v[-1].start, v[-1].end, reading.text[v[-1].start : v[-1].end], f"{content.rows[key]} for {_plain(key)}")
        for key, _, v in found
        if key not in right and v and len(right) * 2 >= len(found) - len(right)
    )
    lacking = [key for key in content.rows if key not in right]
    lacks = ", ".join(f"{content.rows[key]} for {_plain(key)}" for key in lacking)
    return Verdict(fact, not lacking, lacks, wrong)


def _plain(key: int | str) -> str:
    return str(key).rpartition(".")[2].replace("_", " ")


def _keyed(
    content: ByKey, reading: Reading, concepts: Mapping[str, str]
) -> Iterator[tuple[int | str, int, list[Quantity]]]:
    """For every line or clause about a key: the key, where, and the numbers it gives."""
    for line in _clauses(reading):
        part = reading.part(line[0], line[1])
        numbers = [q for q in part.quantities if q.kind in COUNTED]
        if all(isinstance(key, int) for key in content.rows):
            for written in numbers[:-1]:
                yield from ((key, line[0], numbers[-1:]) for key in _each(written) if key in content.rows)
        else:
            for key in content.rows:
                if concepts.get(str(key)) in part.places and numbers:
                    yield key, line[0], numbers


def _each(quantity: Quantity) -> range:
    high = quantity.high if quantity.high is not None else quantity.value
    return range(int(quantity.value), int(min(high, quantity.value + 100)) + 1)


_BREAK = re.compile(r"[;；]")
_BLOCK = re.compile(r"(?:[^\n]*\S[^\n]*\n?)+")


def _clauses(reading: Reading) -> Iterator[tuple[int, int]]:
    for line in lines(reading.text, reading.start, reading.end):
        for sentence in sentences(reading.text, reading.language, line.start, line.end):
            begin = sentence.start
            for match in _BREAK.finditer(reading.text, sentence.start, sentence.end):
                yield begin, match.start()
                begin = match.end()
            yield begin, sentence.end


def _extent(fact: Fact, content: Extent, reading: Reading, concepts: Mapping[str, str]) -> Verdict:
    if not content.low.lstrip("-").isdigit():
        return _letters(fact, content, reading)
    low, high = Fraction(content.low), Fraction(content.high)
    ranges = [q for q in _amounts(reading) if q.kind == Kind.RANGE]
    if any((q.value, q.high) == (low, high) for q in ranges):
        return Verdict(fact, True)
    if all(any(says(q, int(v)) for q in _amounts(reading)) for v in (low, high)):
        return Verdict(fact, True)
    near = [q for q in ranges if q.value == low or q.high == high]
    wrong = tuple(Wrong(q.start, q.end, reading.text[q.start : q.end], str(content)) for q in near[:1])
    return Verdict(fact, False, str(content), wrong)


def _letters(fact: Fact, content: Extent, reading: Reading) -> Verdict:
    if len(content.low) != 1 or len(content.high) != 1:
        return Verdict(fact, True)  # an enum of words is stated by its terms, not by a range
    found = list(_LETTER.finditer(reading.text, reading.start, reading.end))
    letters = [m[1] for m in found]
    if content.low in letters and content.high in letters:
        return Verdict(fact, True)
    between = _LETTERS_BETWEEN.fullmatch
    pairs = ((a, b) for a, b in pairwise(found) if between(reading.text, a.end(), b.start()))
    wrong = tuple(Wrong(a.start(), b.end(), f"{a[1]} to {b[1]}", str(content)) for a, b in pairs)
    return Verdict(fact, False, str(content), wrong[:1])


def _choices(fact: Fact, content: Choices, reading: Reading, concepts: Mapping[str, str]) -> Verdict:
    told: dict[int, list[Quantity]] = {}
    for row in reading.rows:
        for count in row.counts:
            told.setdefault(count, []).extend(row.values)
    right = {n for n, some in content.rows.items() if some == _plain_values(told.get(n, ()))}
    wrong = tuple(
        Wrong(values[0].start, values[-1].end, reading.text[values[0].start : values[-1].end], _some(content, n))
        for n, values in told.items()
        if right and n in content.rows and n not in right and _plain_values(values)
    )
    # A rule in general words is as good as a table, so silence about the single numbers is no fault.
    return Verdict(fact, not wrong, "", wrong)


def _plain_values(values: list[Quantity] | tuple[Quantity, ...]) -> frozenset[int]:
    return frozenset(n for q in values if q.kind in (Kind.CARDINAL, Kind.RANGE) for n in _each(q))


def _some(content: Choices, players: int) -> str:
    return f"{' and '.join(map(str, sorted(content.rows[players]))) or 'none'} with {players} players"


def _sequence(fact: Fact, content: Sequence, reading: Reading, concepts: Mapping[str, str]) -> Verdict:
    wanted = [concepts[name] for name in content.names if name in concepts]
    best: list[Any] = []
    for stretch in _stretches(reading):
        listed = [m for m in stretch.mentions if any(c in wanted for c in (m.concept, *m.also))]
        order = _first_of_each(listed, wanted)
        if len(order) == len(wanted) and [c for c, _ in order] == wanted:
            return Verdict(fact, True)
        best = max(best, order, key=len)
    names = ", then ".join(concept.replace("_", " ") for concept in wanted)
    if len(best) == len(wanted) and len(wanted) > 1:
        i = next(i for i, (concept, _) in enumerate(best) if concept != wanted[i])
        mention = best[i][1]
        said = reading.text[mention.start : mention.end]
        return Verdict(fact, False, names, (Wrong(mention.start, mention.end, said, names),))
    return Verdict(fact, False, names)


def _first_of_each(listed: list[Any], wanted: list[str]) -> list[tuple[str, Any]]:
    seen: dict[str, Any] = {}
    for mention in listed:
        for concept in (mention.concept, *mention.also):
            if concept in wanted and concept not in seen:
                seen[concept] = mention
    return list(seen.items())


def _stretches(reading: Reading) -> Iterator[Reading]:
    """Each sentence, each paragraph with the list below it, then all of it: an order may be told in any of them."""
    for line in lines(reading.text, reading.start, reading.end):
        for sentence in sentences(reading.text, reading.language, line.start, line.end):
            yield reading.part(sentence.start, sentence.end)
    for block in _BLOCK.finditer(reading.text, reading.start, reading.end):
        yield reading.part(block.start(), block.end())
    yield reading


def _words(fact: Fact, content: Words, reading: Reading, concepts: Mapping[str, str]) -> Verdict:
    lacking = [concept for concept in content.concepts if concept not in reading.places]
    return Verdict(fact, not lacking, ", ".join(concept.replace("_", " ") for concept in lacking))


_JUDGES: Mapping[type, Callable[[Fact, Any, Reading, Mapping[str, str]], Verdict]] = {
    Number: _number,
    ByPlayers: _by_players,
    ByKey: _by_key,
    Extent: _extent,
    Choices: _choices,
    Sequence: _sequence,
    Words: _words,
}


def licensed(quantity: Quantity, facts: tuple[Fact, ...], reading: Reading) -> bool:
    """Whether a number in a text is accounted for: by a fact, as a number of players, or because it counts nothing."""
    if quantity.kind not in COUNTED - {Kind.NOTHING} | {Kind.FRACTION}:
        return True
    if quantity.start in reading.counts or _in_rows(quantity, reading):
        return all(count in reading.players for count in reading.counts.get(quantity.start, ()))
    if quantity.kind == Kind.FRACTION:
        concepts = {c for fact in facts if isinstance(fact.content, Words) for c in fact.content.concepts}
        return any(m.concept in concepts for m in reading.mentions if m.start < quantity.end and quantity.start < m.end)
    anaphoric = quantity.value == 1 and not _has_digit(reading, quantity)
    if anaphoric or reading.language.both.fullmatch(reading.text, quantity.start, quantity.end):
        return True
    return any(_accounts(fact, quantity) for fact in facts)


def _has_digit(reading: Reading, quantity: Quantity) -> bool:
    return any(c.isdigit() and c.isdecimal() for c in reading.text[quantity.start : quantity.end])


def _in_rows(quantity: Quantity, reading: Reading) -> bool:
    """A count without a noun in a table (`2 3 4 5`) reads as a plain number."""
    keys = {count for row in reading.rows for count in row.counts}
    values = {value.start for row in reading.rows for value in row.values}
    return bool(keys) and quantity.value in keys and quantity.start not in values and quantity.kind == Kind.CARDINAL


def _accounts(fact: Fact, quantity: Quantity) -> bool:
    content = fact.content
    if isinstance(content, Number):
        return _is(quantity, content.value)
    if isinstance(content, ByPlayers):
        if quantity.kind == Kind.RELATIVE:
            return quantity.value == content.offset
        return any(_is(quantity, value) for value in content.rows.values())
    if isinstance(content, ByKey):
        numbers = {*content.rows.values(), *(key for key in content.rows if isinstance(key, int))}
        return all(n in numbers for n in _each(quantity)) and quantity.kind in (Kind.CARDINAL, Kind.RANGE)
    if isinstance(content, Extent):
        if quantity.kind == Kind.RANGE:
            return (str(quantity.value), str(quantity.high)) == (content.low, content.high)
        return str(quantity.value) in (content.low, content.high)
    if isinstance(content, Choices):
        return any(set(_each(quantity)) <= some for some in content.rows.values())
    return False
