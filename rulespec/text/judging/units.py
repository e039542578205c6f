"""Units: the numbers of a rule that its text gives to another thing, such as “6 floors” where the rule has 6 points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import regex

from rulespec.language.model.phrase import Phrase, Proposition
from rulespec.language.model.spec import Spec, StoredValue
from rulespec.proofs.meaning.rules import related
from rulespec.text.glossary.finder import Mention
from rulespec.text.judging.justified import stated
from rulespec.text.languages.dictionaries import function_words
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.languages.record import Language
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.rules.book import Book
from rulespec.text.rules.claims import own
from rulespec.text.rules.content import ByKey, ByPlayers, Number
from rulespec.text.rules.derived import described
from rulespec.text.rules.evidence import span_at
from rulespec.text.rules.facts import listed
from rulespec.text.rules.subjects import next_to, outer, within


@dataclass(frozen=True)
class Unit:
    """What a rule counts with a value: a concept. `of_steps`: the steps change it by so much; else `states:` says so,
    and the text may count something for each of these."""

    value: int
    concept: str
    of_steps: bool


@dataclass(frozen=True)
class Misplaced:
    """A number with the thing that the text counts with it at `text[start:end]`; the rule counts `unit`."""

    start: int
    end: int
    unit: Unit


def misplaced(rule: str, reading: Reading, book: Book) -> Iterator[Misplaced]:
    """The numbers of a text that are right, but count another thing than the rule does."""
    units, things = _of_rule(rule, book), dict[Fraction, set[str]]()
    counted = [(one, thing) for one in reading.quantities for thing in _counted(one, reading)] if units else []
    for quantity, thing in counted:
        things.setdefault(quantity.value, set()).add(thing.concept)
    for quantity, thing in counted:
        fitting = [one for one in units if one.value == quantity.value]
        if not fitting or not _known(quantity.value, rule, book).isdisjoint((thing.concept, *thing.also)):
            continue
        beside = any(one.concept in things[quantity.value] for one in fitting)
        as_many = _may_be_as_many(quantity.value, thing.concept, beside, rule, book)
        if not as_many and all(_differ(one, thing, quantity, reading, book) for one in fitting):
            yield Misplaced(quantity.start, thing.end, fitting[0])


def _may_be_as_many(value: Fraction, concept: str, beside: bool, rule: str, book: Book) -> bool:
    """Whether a rule may count a thing with a value, too: as many cards as it moves, or what the text has `beside` the
    right thing."""
    amount = _amount(concept, book)
    if amount is None:
        return beside or value == 1 or value in _moved(rule, book)
    return beside and amount.type.low <= value <= amount.type.high


# --- what a rule counts ----------------------------------------------------------------------------------------------


def _of_rule(rule: str, book: Book) -> Sequence[Unit]:
    """What a rule counts, derived once."""
    return once(book, ("units", rule), lambda: tuple(_units(rule, book)))


def _units(rule: str, book: Book) -> Iterator[Unit]:
    steps = list(_of_steps(rule, book))
    yield from steps
    known = {(one.value, one.concept) for one in steps}
    for fact in listed(book.spec, rule):
        content = fact.content
        if isinstance(content, Number | ByPlayers | ByKey) and content.of:
            values = (content.value,) if isinstance(content, Number) else content.rows.values()
            yield from (Unit(one, content.of, False) for one in {*values} if (one, content.of) not in known)


def _of_steps(rule: str, book: Book) -> Iterator[Unit]:
    every, inside = _meant(rule, book)
    for one in every:
        for value, name in _changed(one.act, inside):
            if value is not None and name in book.concepts:
                yield Unit(value, book.concepts[name], True)


def _meant(rule: str, book: Book) -> tuple[Sequence[Proposition], Mapping[str, Sequence[Proposition]]]:
    """What a rule does, with what its procedures do; and that of each procedure by its name."""
    mine = own(book.spec, rule)
    inside = related(book.spec, mine)
    return (*mine, *(one for group in inside.values() for one in group)), inside


def _moved(rule: str, book: Book) -> frozenset[int]:
    """The numbers of cards that a rule moves, and those that it hands to procedures, which may move as many."""
    acts = [one.act for one in _meant(rule, book)[0] if one.act.constructor.startswith(("move", "carry_out"))]
    return frozenset(value for act in acts for part in act.walk() for _, value in part.amount)


def _changed(act: Phrase, inside: Mapping[str, Sequence[Proposition]]) -> Iterator[tuple[int | None, str]]:
    """The numbers by which an act changes a value, or that it becomes, with the name of the value; None if they vary.
    `inside` are the propositions of procedures, by their names."""
    if act.constructor == "carry_out":
        given = {part.parts[0].name: part.parts[1] for part in act.parts if part.constructor == "argument"}
        for one in inside.get(act.parts[0].name, ()):
            for part in one.act.parts[1].walk() if one.act.constructor in _CHANGES else ():
                if part.constructor == "variable" and part.name in given:
                    yield from ((value, one.act.parts[0].name) for _, value in given[part.name].amount)
    elif act.constructor in (*_CHANGES, "transfer"):
        by, named = (act.parts[0], act.parts[1]) if act.constructor == "transfer" else (act.parts[1], act.parts[0])
        for part in (by, *(by.parts if by.constructor == "times" else ())):
            yield from ((value, named.name) for _, value in part.amount)
        if not by.amount:
            yield None, named.name


_CHANGES = ("increase", "decrease", "becomes")


def _known(value: Fraction, rule: str, book: Book) -> frozenset[str]:
    """The concepts that a rule, or one around it or next to it, may count with a value: those that it names with it, or
    changes by numbers that vary."""
    spec, (every, inside) = book.spec, _meant(rule, book)
    names = {name for one in stated(spec, rule) for _, number in one.number if number == value for name in one.names}
    names |= {name for one in every for number, name in _changed(one.act, inside) if number is None}
    around = (rule, *outer(spec, rule), *within(spec, rule), *next_to(spec, rule))
    units = (one for other in around for one in _of_rule(other, book))
    return frozenset(book.concepts[name] for name in names if name in book.concepts) | {
        one.concept for one in units if one.value == value
    }


def _differ(unit: Unit, thing: Mention, quantity: Quantity, reading: Reading, book: Book) -> bool:
    """Whether a thing is certainly another one than a unit: one of them is an amount, neither is made up of the other,
    and the sentence counts nothing for each unit."""
    if _amount(thing.concept, book) is None and (
        _amount(unit.concept, book) is None or not book.is_thing(thing.concept)
    ):
        return False
    known = book.glossary.concepts
    names = [known[one].names if one in known else "" for one in (unit.concept, thing.concept)]
    if any(first in _made_of(second, book.spec) for first, second in (names, names[::-1])):
        return False
    if unit.of_steps:
        return True
    here = span_at(reading.sentences, quantity.start)
    return here is not None and unit.concept not in reading.part(here.start, here.end).places


def _amount(concept: str, book: Book) -> StoredValue | None:
    """The value of the spec that a concept is, if it is a number."""
    known = book.glossary.concepts.get(concept)
    value = book.spec.values.get(known.names) if known is not None else None
    return value if value is not None and value.type.kind == "int" else None


def _made_of(name: str, spec: Spec) -> frozenset[str]:
    """The names in the definition of a value, and in theirs."""
    found, left = {name}, [name]
    while left:
        inside = {part.name for one in described(spec, (left.pop(),)) for part in one.phrases() if part.name}
        left += inside - found
        found |= inside
    return frozenset(found - {name})


# --- what a text counts ----------------------------------------------------------------------------------------------


def _counted(quantity: Quantity, reading: Reading) -> Iterator[Mention]:
    """The thing that a number counts: the term right behind it, if it is the whole name of the thing."""
    written = any(c.isdecimal() for c in reading.text[quantity.start : quantity.end])
    if quantity.kind != Kind.CARDINAL or quantity.start in reading.counts or (quantity.value == 1 and not written):
        return
    gap = _GAP[reading.language.spaced].match(reading.text, quantity.end)
    every = (one for places in reading.places.values() for one in places)
    # The longest term that begins at each offset.
    longest = once(reading, "longest", lambda: {one.start: one for one in sorted(every, key=lambda one: one.end)})
    behind = longest.get(quantity.end) or (longest.get(gap.end()) if gap is not None else None)
    if behind is not None and _ends(behind.end, reading.text, reading.language):
        yield behind


_GAP = {True: regex.compile(r"[^\S\n]?[*_]*"), False: regex.compile(r"[^\S\n]?(?:\p{Han}(?=\p{Han}))?[*_]*")}
"""What may stand between a number and the thing: a space, in Chinese a measure word."""


def _ends(at: int, text: str, language: Language) -> bool:
    """Whether a name ends at an offset, at which no noun goes on: “6 gold cards” are no gold."""
    following = _WORD.match(text, at)
    return following is None or following[1].lower() in function_words(language.lemmatiser)


_WORD = regex.compile(r"[*_]*[ \-‑]?(\p{L}[\p{L}'’ʼ]*)")
