"""Justified numbers: a number in a text is justified by a fact of its rule, or because it is no number of the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from weakref import WeakKeyDictionary

from rulespec.language.model.phrase import Phrase, Proposition, Rows, number
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.constructors import CONSTRUCTORS
from rulespec.proofs.meaning.rules import propositions, related
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.languages.record import matches
from rulespec.text.reading.contrasts.negation import Contrast
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.tables.row import COUNTED, TableRow
from rulespec.text.rules.book import Book
from rulespec.text.rules.claims import own
from rulespec.text.rules.content import ByKey, ByPlayers, Choices, Counts, Extent, Faces, Fact, Number, Share, Words
from rulespec.text.rules.derived import described, listed
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
from rulespec.text.rules.subjects import outer, within

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
        counts = reading.counts[quantity.start]
        in_rows = reading.row_counts
        if not strict or quantity.kind == Kind.RANGE or (in_rows and in_rows.isdisjoint(counts)):
            return all(count in reading.players for count in counts)  # the remainder of a table: all other counts
        return _spoken(quantity, facts, reading) or any(_counted(fact, quantity, reading) for fact in facts)
    if quantity.kind == Kind.FRACTION:
        shares = {fact.content.value for fact in facts if isinstance(fact.content, Share)}
        return quantity.value in shares or _spoken(quantity, facts, reading)
    # Whether a number is a value of one of the facts.
    if strict and quantity.kind == Kind.SIGNED and row is None and not _signed(quantity, facts):
        return False
    return any(_justifies(fact, quantity, reading, row, strict) for fact in facts)


def _counts_nothing(quantity: Quantity, reading: Reading) -> bool:
    """Whether a number is an article (`one`), `both` of two, or counts minutes or years."""
    language, text = reading.language, reading.text
    written = any(c.isdecimal() for c in text[quantity.start : quantity.end])
    return bool(
        (quantity.value == 1 and quantity.kind == Kind.CARDINAL and not written)
        or matches(language.both, text, quantity.start)
        or matches(language.aside, text, quantity.end)
    )


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
        # Whether a number is in a list item that states one of the faces.
        line = line_at(reading, quantity.start)
        return line is not None and face(reading.part(line.start, line.end)) in content.faces
    if isinstance(content, Choices):
        if strict and row is not None:
            return all(set(each(quantity)) <= content.rows.get(count, frozenset()) for count in row.counts)
        return any(set(each(quantity)) <= some for some in content.rows.values())
    return False


def _near_counted(quantity: Quantity, concept: str, reading: Reading) -> bool:
    """Whether the same paragraph mentions the thing counted; true if the fact names none."""
    return not concept or paragraph_at(reading, quantity.start) in spoken_paragraphs(concept, reading)


@dataclass(frozen=True)
class Stated:
    """A number of an act or a condition, alone or by players, and the names of the spec in it.

    `bound`: a comparison states it, such as “at most 6”. `of_players`: it is a number of players.
    """

    number: Rows
    names: frozenset[str]
    bound: bool = False
    of_players: bool = False


def is_stated(quantity: Quantity, rule: str, reading: Reading, book: Book) -> bool:
    """Whether a proposition of a rule, or a definition that it uses, has a number, and the line half of its names."""
    if quantity.kind == Kind.FRACTION:
        # The fractions in the propositions of a rule and in the definitions that they use.
        said = {phrase.constructor for one in _meant(book.spec, rule) for phrase in one.phrases()}
        return quantity.value in {value for name, value in _FRACTIONS.items() if name in said}
    line = line_at(reading, quantity.start)
    if line is None or quantity.kind not in _KINDS:
        return False
    here = reading.part(line.start, line.end)
    fits = [one for one in stated(book.spec, rule) if _fits(one, quantity, here, book)]
    ends = (quantity.value, quantity.high) if quantity.high is not None else (quantity.value,)
    return all(any(_has(one.number, value, quantity, reading) for one in fits) for value in ends)


_KINDS = (Kind.CARDINAL, Kind.RANGE, Kind.NOTHING, Kind.SIGNED)


def stated(spec: Spec, rule: str) -> tuple[Stated, ...]:
    """The numbers in the propositions of a rule and in the definitions that they use."""
    known = _KNOWN.setdefault(spec, {})
    if rule not in known:
        known[rule] = tuple(_stated(spec, rule))
    return known[rule]


_KNOWN: WeakKeyDictionary[Spec, dict[str, tuple[Stated, ...]]] = WeakKeyDictionary()


def _stated(spec: Spec, rule: str) -> Iterator[Stated]:
    for one in _meant(spec, rule):
        for phrase in (one.act, *one.conditions):
            names = frozenset(part.name for part in phrase.walk() if part.name)
            yield from _numbers(phrase, names)


def _meant(spec: Spec, rule: str) -> Iterator[Proposition]:
    """The propositions of a rule and of what it is about, the least bids of an auction that it starts again, and the
    definitions."""
    mine = own(spec, rule)
    yield from mine
    yield from described(spec, listed(spec, rule))
    yield from _bids(spec, rule)
    for group in related(spec, mine).values():
        yield from group


def _bids(spec: Spec, rule: str) -> Iterator[Proposition]:
    """The opening bid and the least raise of the auction around a rule, if it can start again."""
    for container in outer(spec, rule):
        if any(one.act.constructor == "auctioned_again" for one in propositions(spec).get(container, ())):
            rules = (container, *within(spec, container))
            every = (one for rule in rules for one in propositions(spec).get(rule, ()))
            yield from (one for one in every if one.act.constructor in ("opening", "raise"))


_FRACTIONS = {"half": Fraction(1, 2), "third": Fraction(1, 3)}


def _numbers(phrase: Phrase, names: frozenset[str]) -> Iterator[Stated]:
    """The numbers inside a phrase, and those that a name ends in: the second of two ships."""
    players = phrase.constructor == "with_players" or any(part.constructor == "player_count" for part in phrase.parts)
    bound = phrase.constructor in _BOUNDS or any(
        family == "comparison" for family, _ in CONSTRUCTORS[phrase.constructor].says
    )
    if phrase.constructor in _FRACTIONS:  # “1 point for every 2 boats”
        yield Stated(number(_FRACTIONS[phrase.constructor].denominator).amount, names)
    for part in phrase.parts:
        if part.amount:
            yield Stated(part.amount, names, bound and len(part.amount) == 1, players)
        yield from _numbers(part, names)
    yield from (Stated(number(int(digits)).amount, names) for digits in re.findall(r"\d+", phrase.name))


_BOUNDS = ("limits", "ranges", "bounded")


def _fits(one: Stated, quantity: Quantity, line: Reading, book: Book) -> bool:
    """Whether a line has half of the names of a number; a bound follows a comparison, and players are named."""
    concepts = _concepts(one, book, line.language.tag)
    if len(concepts - line.places.keys()) * 2 > len(concepts):
        return False
    if one.of_players and book.concepts.get("player", "") not in (*line.places, ""):
        return False
    unread = line.language.file("contrasts.yaml") is None
    return not one.bound or unread or any(compares(found, quantity) for found in line.contrasts)


def compares(found: Contrast, quantity: Quantity) -> bool:
    """Whether a comparison stands before a number, or right after it: “at least 1”, “1 or more”."""
    before, after = quantity.start - found.end, found.start - quantity.end
    return found.family == "comparison" and (0 <= before <= NEXT or 0 <= after <= 1)


NEXT = 6
"""The most characters between a comparison and its number: “at most 6”, «більше, ніж 6», 至少是6."""


def _concepts(one: Stated, book: Book, lang: str) -> frozenset[str]:
    """The concepts of the names that have terms in a language."""
    concepts = (book.concepts[name] for name in one.names if name in book.concepts)
    return frozenset(concept for concept in concepts if lang in book.glossary.concepts[concept].terms)


def _has(known: Rows, value: object, quantity: Quantity, reading: Reading) -> bool:
    """Whether a number has a value; one by players only in the row of a table, with that many.

    The largest of them is said alone: `up to 78 gold`.
    """
    row = reading.row_of.get(quantity)
    if len(known) == 1 or row is None:
        alone = known if len(known) == 1 else (max(known, key=lambda one: one[1]),)
        return any(same(quantity, one) or one == value for _, one in alone)
    return all(dict(known).get(count) == value for count in row.counts)
