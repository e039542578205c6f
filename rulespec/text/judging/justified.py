"""Justified numbers: a number in a text is justified by a fact of its rule, or because it is no number of the rules."""

from __future__ import annotations

from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.languages.record import matches
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.tables.row import COUNTED, TableRow
from rulespec.text.rules.content import ByKey, ByPlayers, Choices, Counts, Extent, Faces, Fact, Number, Share, Words
from rulespec.text.rules.evidence import (
    counts_of,
    each,
    ends_of,
    face,
    in_row_of,
    line_at,
    paragraph_at,
    same,
    says,
    spoken_paragraphs,
)

Facts = tuple[Fact, ...]


def is_justified(quantity: Quantity, facts: Facts, reading: Reading, strict: bool = True) -> bool:
    """Whether a number is justified.

    Our own texts are checked strictly: a number of a table must be in its row, a count next to the thing counted, and
    a number of players must belong to the rule. In raw texts an equal value is enough.
    """
    if quantity.kind not in COUNTED - {Kind.NOTHING} | {Kind.FRACTION} or _counts_nothing(quantity, reading):
        return True
    row = reading.row_of.get(quantity)
    if row is not None and quantity in row.keys:
        return all(count in reading.players for count in row.counts)
    if quantity.start in reading.counts:
        return _players(quantity, facts, reading, strict)
    if quantity.kind == Kind.FRACTION:
        shares = {fact.content.value for fact in facts if isinstance(fact.content, Share)}
        return quantity.value in shares or _spoken(quantity, facts, reading)
    return _in_facts(quantity, facts, reading, row, strict)


def _counts_nothing(quantity: Quantity, reading: Reading) -> bool:
    """Whether a number is an article (`one`), `both` of two, or counts minutes or years."""
    language, text = reading.language, reading.text
    written = any(c.isdecimal() for c in text[quantity.start : quantity.end])
    return bool(
        (quantity.value == 1 and quantity.kind == Kind.CARDINAL and not written)
        or matches(language.both, text, quantity.start)
        or matches(language.aside, text, quantity.end)
    )


def _players(quantity: Quantity, facts: Facts, reading: Reading, strict: bool) -> bool:
    counts = reading.counts[quantity.start]
    in_rows = reading.row_counts
    if not strict or quantity.kind == Kind.RANGE or (in_rows and in_rows.isdisjoint(counts)):
        return all(count in reading.players for count in counts)  # the remainder of a table: all other counts
    return _spoken(quantity, facts, reading) or any(_counted(fact, quantity, reading) for fact in facts)


def _counted(fact: Fact, quantity: Quantity, reading: Reading) -> bool:
    """Whether a fact has this number of players: a rule that differs with it, or a number listed under `states:`."""
    content = fact.content
    if isinstance(content, Counts):
        return counts_of(reading).get(quantity.start) in (content.inside, content.outside)
    return isinstance(content, Number) and not fact.derived and same(quantity, content.value)


def _spoken(quantity: Quantity, facts: Facts, reading: Reading) -> bool:
    """Whether the number is part of the term of a concept in the facts: `half`, `with 2 players`."""
    concepts = {c for fact in facts if isinstance(fact.content, Words) for c in fact.content.concepts}
    over = reading.mentions_over(quantity.start, quantity.end)
    return any(concept in concepts for mention in over for concept in (mention.concept, *mention.also))


def _in_facts(quantity: Quantity, facts: Facts, reading: Reading, row: TableRow | None, strict: bool) -> bool:
    """Whether a number is a value of one of the facts."""
    if strict and quantity.kind == Kind.SIGNED and row is None and not _signed(quantity, facts):
        return False
    return any(_justifies(fact, quantity, reading, row, strict) for fact in facts)


def _signed(quantity: Quantity, facts: Facts) -> bool:
    """Whether the rule has this number with this sign, or with the opposite sign for a number below zero."""
    numbers = {fact.content.value for fact in facts if isinstance(fact.content, Number)}
    faces = {n for fact in facts if isinstance(fact.content, Faces) for face in fact.content.faces for n in face}
    return -quantity.value in numbers | faces or quantity.value < 0


def _justifies(fact: Fact, quantity: Quantity, reading: Reading, row: TableRow | None, strict: bool) -> bool:
    content = fact.content
    if isinstance(content, Number):
        right = says(quantity, content.value) if strict else same(quantity, content.value)
        return right and (not strict or _near_counted(quantity, content.of, reading))
    if isinstance(content, ByPlayers):
        if quantity.kind == Kind.RELATIVE:
            return quantity.value == content.offset
        in_row = row is not None and all(n in content.rows and same(quantity, content.rows[n]) for n in row.counts)
        return in_row or (not strict and any(same(quantity, value) for value in content.rows.values()))
    if isinstance(content, ByKey):
        if strict and fact.derived and all(isinstance(key, int) for key in content.rows):
            return in_row_of(content, quantity, reading)
        numbers = {*content.rows.values(), *(key for key in content.rows if isinstance(key, int))}
        return all(n in numbers for n in each(quantity)) and quantity.kind in (Kind.CARDINAL, Kind.RANGE)
    if isinstance(content, Extent):
        if quantity.kind == Kind.RANGE:
            return (str(quantity.value), str(quantity.high)) == (content.low, content.high)
        ends = quantity in ends_of(content, reading)
        return ends or (not strict and str(quantity.value) in (content.low, content.high))
    if isinstance(content, Faces):
        return _in_face(quantity, content, reading)
    if isinstance(content, Choices):
        if strict and row is not None:
            return all(set(each(quantity)) <= content.rows.get(count, frozenset()) for count in row.counts)
        return any(set(each(quantity)) <= some for some in content.rows.values())
    return False


def _in_face(quantity: Quantity, content: Faces, reading: Reading) -> bool:
    """Whether a number is in a list item that states one of the faces."""
    line = line_at(reading, quantity.start)
    return line is not None and face(reading.part(line.start, line.end)) in content.faces


def _near_counted(quantity: Quantity, concept: str, reading: Reading) -> bool:
    """Whether the same paragraph mentions the thing counted; true if the fact names none."""
    return not concept or paragraph_at(reading, quantity.start) in spoken_paragraphs(concept, reading)
