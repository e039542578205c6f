"""Judges whether a text states a fact, contradicts it, or is silent."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any

from rulespec.base.diagnostics import Span
from rulespec.base.messages import all_of, chained, say
from rulespec.text.glossary.finder import Mention
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.reading.clauses import lines, sentences
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.reading.tables.row import COUNTED, TableRow
from rulespec.text.rules.content import (
    ByKey,
    ByPlayers,
    Choices,
    Counts,
    Extent,
    Faces,
    Fact,
    Names,
    Number,
    Said,
    Sequence,
    Share,
    Words,
    for_keys,
    with_players,
)

_LETTER = re.compile(r"(?<![A-Za-zА-Яа-яІіЇїЄєҐґ])([A-ZА-ЯІЇЄҐ])(?![A-Za-zА-Яа-яІіЇїЄєҐґ'’])")
_ALIKE = str.maketrans("АВЕІКМНОРСТХ", "ABEIKMHOPCTX")


@dataclass(frozen=True)
class Wrong:
    """A contradiction of a fact: `text[start:end]` says `says`; the spec says `wants`."""

    start: int
    end: int
    says: str
    wants: str


LISTED = 3
"""From this many names of an order a text is an enumeration and must list all; two names also occur in passing."""


@dataclass(frozen=True)
class Verdict:
    """The judgement of a fact: whether a text states it, what is missing (`lacks`, readable), what contradicts it.

    A table or an enumeration stated `partly` is a mistake even if it is optional. `lacking` holds the concepts that
    the text does not mention.
    """

    fact: Fact
    stated: bool
    lacks: str = ""
    wrong: tuple[Wrong, ...] = ()
    partly: bool = False
    lacking: tuple[str, ...] = ()


def judge(fact: Fact, reading: Reading, concepts: Mapping[str, str]) -> Verdict:
    """The verdict on a fact. `concepts` maps names of the spec to concepts of the glossary."""
    content = fact.content
    return _JUDGES[type(content)](fact, content, reading, concepts)


def _number(fact: Fact, content: Number, reading: Reading, concepts: Mapping[str, str]) -> Verdict:
    # A number of players that is the key of a row states no amount.
    keys = {key.start for row in reading.rows for key in row.keys}
    stated = any(says(quantity, content.value) for quantity in reading.quantities if quantity.start not in keys)
    stated = stated or any(q.value == content.value and _numbers(q, content.of, reading) for q in reading.quantities)
    return Verdict(fact, stated, "" if stated else str(content))


def _numbers(quantity: Quantity, concept: str, reading: Reading) -> bool:
    """Whether an ordinal is the number of a concept: the 0th floor is floor 0."""
    near = (m for m in reading.places.get(concept, ()) if m.start <= quantity.end + 1 and quantity.end <= m.end)
    return quantity.kind == Kind.ORDINAL and any(near)


def says(quantity: Quantity, value: int) -> bool:
    """Whether a quantity states a value. A signed quantity states the value with its sign."""
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
    right, wrong = set[int](), list[Wrong]()
    for rows in _tables(reading):
        fitting = [row for row in rows if fitting_value(row, content) is not None]
        if len(fitting) * 2 < len(rows):
            continue  # the table is about something else
        right |= {count for row in fitting for count in row.counts}
        others = [row for row in rows if fitting_value(row, content) is None and _about(row, content)]
        wrong += [_wrong_row(row, fitting, content, reading) for row in others]
    # A value of 0 may be left out: texts do not list what is not removed.
    lacking = {n: value for n, value in content.rows.items() if n not in right and value != 0}
    lacks = with_players(lacking)
    stated = relative or not lacking
    return Verdict(fact, stated and not wrong, "" if stated else lacks, tuple(wrong), bool(right) and not stated)


def _tables(reading: Reading) -> Iterator[list[TableRow]]:
    """The rows by number of players, table by table."""
    for _, rows in groupby(reading.rows, key=lambda row: row.table):
        yield list(rows)


def fitting_value(row: TableRow, content: ByPlayers) -> Quantity | None:
    """The quantity of a row that equals the fact for all player counts of the row, or None."""
    for quantity in row.values:
        if all(n in content.rows and same(quantity, content.rows[n]) for n in row.counts):
            return quantity
    return None


def _about(row: TableRow, content: ByPlayers) -> bool:
    return any(count in content.rows for count in row.counts)


def _wrong_row(row: TableRow, fitting: list[TableRow], content: ByPlayers, reading: Reading) -> Wrong:
    """The contradiction in a row: its number in the column of the fitting rows."""
    column = fitting[0].values.index(fitting_value(fitting[0], content))
    # A row may have fewer numbers than the fitting ones.
    value = row.values[min(column, len(row.values) - 1)]
    wants = with_players({n: content.rows[n] for n in row.counts if n in content.rows})
    return Wrong(value.start, value.end, reading.text[value.start : value.end], wants)


def same(quantity: Quantity, value: int) -> bool:
    """Like `says`, but ignores the sign of a signed quantity: a table of removed cards may write -22 for 22."""
    return says(quantity, value) or (quantity.kind == Kind.SIGNED and abs(quantity.value) == abs(value))


def _by_key(fact: Fact, content: ByKey, reading: Reading, concepts: Mapping[str, str]) -> Verdict:
    rows = list(keyed_rows(content, reading, concepts))
    rows = rows if len(rows) > 1 else []  # a single pair of numbers is no table
    fits = [any(all(says(v, content.rows[key]) for key in keys) for v in values) for keys, values in rows]
    right = {key for (keys, _), fit in zip(rows, fits, strict=True) if fit for key in keys}
    mostly = sum(fits) * 2 >= len(fits)
    wrong = tuple(
        Wrong(values[-1].start, values[-1].end, reading.text[values[-1].start : values[-1].end], _wanted(content, keys))
        for (keys, values), fit in zip(rows, fits, strict=True)
        if mostly and not fit
    )
    lacking = [key for key in content.rows if key not in right]
    partly = mostly and len(right) > 1 and bool(lacking)  # the same pair twice is no table either
    return Verdict(fact, not lacking and not wrong, _wanted(content, lacking), wrong, partly)


def in_row_of(content: ByKey, quantity: Quantity, reading: Reading) -> bool:
    """Whether a number is in a clause that gives the right value for its keys, as a key or as the value."""
    return any(_is_row(content, quantity, reading.part(start, end)) for start, end in _around(quantity, reading))


def _around(quantity: Quantity, reading: Reading) -> Iterator[tuple[int, int]]:
    """The clause around a number, and its part between commas: `a six gives three, four or five gives two`."""
    for start, end in _clauses(reading):
        if start <= quantity.start < end:
            yield start, end
            yield comma_part(reading, quantity, start, end)
            return


def comma_part(reading: Reading, quantity: Quantity, start: int, end: int) -> tuple[int, int]:
    """The part of `text[start:end]` around a number, between commas, colons and brackets."""
    commas = once(reading, "commas", lambda: [match.start() for match in _COMMA.finditer(reading.text)])
    after = bisect_right(commas, quantity.start)
    begin = commas[after - 1] + 1 if after else start
    return max(begin, start), min(commas[after] if after < len(commas) else end, end)


_COMMA = re.compile(r"[,，:：()（）]")


def _is_row(content: ByKey, quantity: Quantity, part: Reading) -> bool:
    *keys, last = [q for q in part.quantities if q.kind in COUNTED | {Kind.ORDINAL}] or [quantity]
    wanted = {content.rows.get(key) for written in keys for key in each(written)}
    return len(wanted) == 1 and any(value is not None and says(last, value) for value in wanted)


def _wanted(content: ByKey, keys: Iterable[int | str]) -> str:
    return for_keys({key: content.rows[key] for key in keys}, content.by)


def keyed_rows(
    content: ByKey, reading: Reading, concepts: Mapping[str, str]
) -> Iterator[tuple[list[int | str], list[Quantity]]]:
    """The keys of a table that each line or clause mentions, with the numbers it gives for them."""
    for start, end in _clauses(reading):
        part = reading.part(start, end)
        numbers = [q for q in part.quantities if q.kind in COUNTED | {Kind.ORDINAL} and q.start not in reading.counts]
        if all(isinstance(key, int) for key in content.rows):
            keys = [key for written in numbers[:-1] for key in each(written)]
            table = "|" in reading.text[start:end] or _listing(reading, start)
            distinct = bool(keys) and len(set(keys)) == len(keys)
            if distinct and table and numbers[-1].kind in COUNTED and all(key in content.rows for key in keys):
                yield list(keys), numbers[-1:]
        else:
            named = [key for key in content.rows if concepts.get(str(key)) in part.places]
            if len(named) == 1 and numbers:
                yield named, numbers


def _listing(reading: Reading, at: int) -> bool:
    """Whether a clause is a list item, or one of several clauses separated by semicolons."""
    line = line_at(reading, at)
    if line is None:
        return False
    # A line may be the whole text, and is asked for once for each of its clauses.
    several = once(
        reading, ("listing", line.start), lambda: len(_BREAK.findall(reading.text, line.start, line.end)) > 1
    )
    return several or bool(_LISTED.match(reading.text, line.start, line.end))


def line_at(reading: Reading, at: int) -> Span | None:
    """The line that contains an offset; None for a blank line."""
    every = once(reading, "lines", lambda: list(lines(reading.text, reading.start, reading.end)))
    return span_at(every, at)


def span_at(spans: list[Span] | tuple[Span, ...], at: int) -> Span | None:
    """The span that contains an offset. The spans are sorted and disjoint."""
    index = bisect_right(spans, at, key=lambda span: span.start) - 1
    return spans[index] if index >= 0 and at < spans[index].end else None


def each(quantity: Quantity) -> range:
    high = quantity.high if quantity.high is not None else quantity.value
    # Bounded, because a range in a text may have any size.
    return range(int(quantity.value), int(min(high, quantity.value + 100)) + 1)


_BREAK = re.compile(r"[;；]")


def _clauses(reading: Reading) -> Iterator[tuple[int, int]]:
    yield from _stacked(reading)
    for line in lines(reading.text, reading.start, reading.end):
        for sentence in sentences(reading.text, reading.language, line.start, line.end):
            begin = sentence.start
            for match in _BREAK.finditer(reading.text, sentence.start, sentence.end):
                yield begin, match.start()
                begin = match.end()
            yield begin, sentence.end


def _stacked(reading: Reading) -> Iterator[tuple[int, int]]:
    """The rows of a table with one cell per line; each row starts at an ordinal."""
    if "|" not in reading.text:
        return
    for table in _CELLS.finditer(reading.text, reading.start, reading.end):
        part = reading.part(table.start(), table.end())
        begins = [q.start for q in part.quantities if q.kind == Kind.ORDINAL]
        yield from pairwise([*begins, table.end()])


_CELLS = re.compile(r"(?:^[^\n|]*+\|[^\S\n]*+$\n?){4,}+", re.MULTILINE)


def _extent(fact: Fact, content: Extent, reading: Reading, concepts: Mapping[str, str]) -> Verdict:
    if not content.low.lstrip("-").isdigit():
        return _letters(fact, content, reading)
    low, high = Fraction(content.low), Fraction(content.high)
    ranges = [q for q in _amounts(reading) if q.kind == Kind.RANGE]
    if any((q.value, q.high) == (low, high) for q in ranges) or any(both_ends(content, reading)):
        return Verdict(fact, True)
    # A derived range is the one a value can have; a text may state a narrower one.
    near = [q for q in ranges if q.value == low or q.high == high] if not fact.derived else []
    wrong = tuple(Wrong(q.start, q.end, reading.text[q.start : q.end], str(content)) for q in near[:1])
    return Verdict(fact, False, str(content), wrong)


def both_ends(content: Extent, reading: Reading) -> Iterator[tuple[Quantity, Quantity]]:
    """Pairs of quantities in one sentence that are the lowest and the highest value of a range."""
    return iter(once(reading, content, lambda: list(_both_ends(content, reading))))


def _both_ends(content: Extent, reading: Reading) -> Iterator[tuple[Quantity, Quantity]]:
    if not content.low.lstrip("-").isdigit():
        return
    for span in reading.sentences:
        inside = [q for q in reading.quantities_from(span.start, span.end) if q.start not in reading.counts]
        low, high = ([q for q in inside if says(q, int(end))] for end in (content.low, content.high))
        # Every low with the first high and every high with the first low: all pairs would be quadratic.
        yield from ((one, high[0]) for one in low if high)
        yield from ((low[0], one) for one in high[1:] if low)


def ends_of(content: Extent, reading: Reading) -> frozenset[Quantity]:
    """The quantities that are one end of a range whose other end is in the same sentence."""
    ends = (q for pair in both_ends(content, reading) for q in pair)
    return once(reading, ("ends", content), lambda: frozenset(ends))


def paragraph_at(reading: Reading, at: int) -> int:
    """The index of the paragraph that contains an offset; blank lines separate paragraphs."""
    text = reading.text
    breaks = once(
        reading, "breaks", lambda: [m.start() for m in _BLANK_LINE.finditer(text, reading.start, reading.end)]
    )
    return bisect_right(breaks, at)


def spoken_paragraphs(concept: str, reading: Reading) -> frozenset[int]:
    """The indices of the paragraphs that mention a concept."""
    mentions = reading.places.get(concept, ())
    return once(reading, ("paragraphs", concept), lambda: frozenset(paragraph_at(reading, m.start) for m in mentions))


_BLANK_LINE = re.compile(r"\n\n")


def _letters(fact: Fact, content: Extent, reading: Reading) -> Verdict:
    if len(content.low) != 1 or len(content.high) != 1:
        return Verdict(fact, True)  # an enum of words is stated by its terms, not by a range
    found = list(_LETTER.finditer(reading.text, reading.start, reading.end))
    letters = [m[1].translate(_ALIKE) for m in found]  # another check reports letters of the wrong alphabet
    if content.low in letters and content.high in letters:
        return Verdict(fact, True)
    between = reading.language.between_letters.fullmatch
    pairs = ((a, b) for a, b in pairwise(found) if between(reading.text, a.end(), b.start()))
    wrong = tuple(
        Wrong(a.start(), b.end(), say("{low} to {high}", low=a[1], high=b[1]), str(content)) for a, b in pairs
    )
    return Verdict(fact, False, str(content), wrong[:1])


def _choices(fact: Fact, content: Choices, reading: Reading, concepts: Mapping[str, str]) -> Verdict:
    wrong: list[Wrong] = []
    for rows in _tables(reading):
        fits = [all(content.rows.get(n) == plain_values(row.values) for n in row.counts) for row in rows]
        if sum(fits) * 2 >= len(rows) > 1:
            wrong += [
                Wrong(v[0].start, v[-1].end, reading.text[v[0].start : v[-1].end], _some(content, row.counts[0]))
                for row, fit in zip(rows, fits, strict=True)
                if not fit and (v := row.values) and row.counts[0] in content.rows
            ]
    # A text may state the rule in general words, so missing single numbers are no mistake.
    return Verdict(fact, not wrong, "", tuple(wrong))


def _faces(fact: Fact, content: Faces, reading: Reading, concepts: Mapping[str, str]) -> Verdict:
    """A list states card faces: one item for each, with its signed numbers."""
    stated: dict[tuple[int, ...], Wrong] = {}
    wrong: list[Wrong] = []
    for line in lines(reading.text, reading.start, reading.end):
        part = reading.part(line.start, line.end)
        here = face(part) if _LISTED.match(reading.text, line.start, line.end) else ()
        if not here:
            continue
        first = next(q for q in part.quantities if q.kind == Kind.SIGNED)
        found = Wrong(
            first.start, line.end, reading.text[first.start : line.end], say("each of: {faces}", faces=content)
        )
        wrong += [found] if here not in content.faces or here in stated else []
        stated[here] = found
    lacking = Faces(content.faces - stated.keys())
    mostly = len(stated.keys() & content.faces) * 2 > len(content.faces)
    complete = mostly and not lacking.faces and not wrong
    return Verdict(fact, complete, str(lacking), tuple(wrong) if mostly else (), mostly and not complete)


def face(part: Reading) -> tuple[int, ...]:
    """The signed numbers of an item. Two joined by `or` are a choice; one that applies to two things counts twice."""
    signed = [q for q in part.quantities if q.kind == Kind.SIGNED]
    values = [int(q.value) for q in signed]
    either = len(signed) == 2 and _is_either(part, signed[0].end, signed[1].start)
    if not values:
        return ()
    size = abs(values[0])
    if either and values[0] == -values[1]:
        values = [0]
    # Any other number in the item is the number of things that move, or repeats the amount.
    others = [int(q.value) for q in part.quantities if q.kind == Kind.CARDINAL and q.value != size]
    if others == [2] and len(values) == 1 and not either:
        values = values * 2
    elif others and not (others == [2] and len(values) == 2 and values[0] == values[1]):
        return (*values, *others)
    return tuple(values)


_LISTED = re.compile(r"\s*(?:[-*•·–—]|\d{1,2}[.)、])\s*")


def _is_either(part: Reading, start: int, end: int) -> bool:
    """Whether the words between two numbers make them a choice."""
    either = part.language.either
    return either is not None and either.fullmatch(part.text, start, end) is not None


def plain_values(values: Iterable[Quantity]) -> frozenset[int]:
    """The whole numbers among quantities, and all whole numbers of ranges."""
    return frozenset(n for q in values if q.kind in (Kind.CARDINAL, Kind.RANGE) for n in each(q))


def values_of(reading: Reading) -> frozenset[int]:
    """The `plain_values` of all quantities of a reading."""
    return once(reading, "values", lambda: plain_values(reading.quantities))


def _some(content: Choices, players: int) -> str:
    return with_players({players: all_of(sorted(content.rows[players])) or say("none")})


def _sequence(fact: Fact, content: Sequence, reading: Reading, concepts: Mapping[str, str]) -> Verdict:
    """The smallest part of the text with all names decides: a sentence, a paragraph with its list, or the whole."""
    wanted = [concepts[name] for name in content.names if name in concepts]
    names = chained(say("{first}, then {second}"), [concept.replace("_", " ") for concept in wanted])
    for level in _levels(reading):
        orders = [_first_of_each(part.mentions, wanted) for part in level]
        whole = [order for order in orders if len(order) == len(wanted)]
        if any([concept for concept, _ in order] == wanted for order in whole):
            return Verdict(fact, True)
        if whole and len(wanted) > 1:
            wrong = next(m for want, (concept, m) in zip(wanted, whole[0], strict=True) if concept != want)
            said = reading.text[wrong.start : wrong.end]
            return Verdict(fact, False, names, (Wrong(wrong.start, wrong.end, said, names),))
    named = len(_first_of_each(reading.mentions, wanted))
    return Verdict(fact, False, names, partly=named >= LISTED and 2 * named > len(wanted))


def _first_of_each(listed: Iterable[Mention], wanted: list[str]) -> list[tuple[str, Mention]]:
    seen: dict[str, Mention] = {}
    for mention in listed:
        for concept in (mention.concept, *mention.also):
            if concept in wanted and concept not in seen:
                seen[concept] = mention
    return list(seen.items())


def _levels(reading: Reading) -> Iterator[list[Reading]]:
    """The text as sentences, as paragraphs with the lists below them, and as a whole."""
    yield [reading.part(span.start, span.end) for span in reading.sentences]
    yield [reading.part(span.start, span.end) for span in _paragraphs_with_lists(reading)]
    yield [reading]


def _paragraphs_with_lists(reading: Reading) -> Iterator[Span]:
    """Runs of lines without a blank line: a paragraph with the list below it."""
    start: int | None = None
    end = reading.start
    for line in lines(reading.text, reading.start, reading.end):
        if start is not None and reading.text.count("\n", end, line.start) > 1:
            yield Span(start, end)
            start = None
        start, end = line.start if start is None else start, line.end
    if start is not None:
        yield Span(start, end)


def _names(fact: Fact, content: Names, reading: Reading, concepts: Mapping[str, str]) -> Verdict:
    wanted = tuple(concepts[name] for name in content.names if name in concepts)
    return _words(fact, Words(wanted), reading, concepts)


def _share(fact: Fact, content: Share, reading: Reading, concepts: Mapping[str, str]) -> Verdict:
    stated = any(q.kind == Kind.FRACTION and q.value == content.value for q in reading.quantities)
    return Verdict(fact, stated, "" if stated else str(content))


def _counts(fact: Fact, content: Counts, reading: Reading, concepts: Mapping[str, str]) -> Verdict:
    stated = any(counted in (content.inside, content.outside) for counted in counts_of(reading).values())
    return Verdict(fact, stated, "" if stated else str(content))


def counts_of(reading: Reading) -> Mapping[int, frozenset[int]]:
    """For every number of players by its offset: all the numbers of players in its sentence."""
    return once(reading, "counts", lambda: dict(_counts_of(reading)))


def _counts_of(reading: Reading) -> Iterator[tuple[int, frozenset[int]]]:
    for span in reading.sentences:
        inside = [q.start for q in reading.quantities_from(span.start, span.end) if q.start in reading.counts]
        together = frozenset(count for start in inside for count in reading.counts[start])
        yield from ((start, together) for start in inside)


def _words(fact: Fact, content: Words, reading: Reading, concepts: Mapping[str, str]) -> Verdict:
    lacking = [concept for concept in content.concepts if concept not in reading.places]
    words = say("{names}", names=[concept.replace("_", " ") for concept in lacking])
    return Verdict(fact, not lacking, words, lacking=tuple(lacking))


def _said(fact: Fact, content: Said, reading: Reading, concepts: Mapping[str, str]) -> Verdict:
    wanted = [concepts[name] for name in content.names if name in concepts]
    if content.names and not wanted:
        return Verdict(fact, True)  # the text cannot name what has no name
    stated = any(concept in reading.places for concept in wanted) or _contrasted(content, reading)
    return Verdict(fact, stated, "" if stated else content.names_and_values)


def _contrasted(content: Said, reading: Reading) -> bool:
    """Whether a text has one of the contrasts; of what is implied, whether it has no other value of their families."""
    if not content.contrasts or reading.language.file("contrasts.yaml") is None:
        # Without a lexicon, contrasts are not read: what only they can say counts as stated.
        return not content.names
    said = {(one.family, one.value) for one in reading.contrasts}
    families = {family for family, _ in content.contrasts}
    silent = content.implied and families.isdisjoint(family for family, _ in said)
    return silent or not said.isdisjoint(content.contrasts)


_JUDGES: Mapping[type, Callable[[Fact, Any, Reading, Mapping[str, str]], Verdict]] = {
    Number: _number,
    ByPlayers: _by_players,
    ByKey: _by_key,
    Extent: _extent,
    Choices: _choices,
    Faces: _faces,
    Sequence: _sequence,
    Words: _words,
    Names: _names,
    Said: _said,
    Share: _share,
    Counts: _counts,
}
