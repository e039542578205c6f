"""Slots of numbers: what stands around each number of our statements, and which number of a text takes which slot.

A number of a text takes the slots with its value whose surroundings are most like its own. It is out of place if it is
more like a slot of another value that no number of the text takes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from rulespec.base.diagnostics import Span
from rulespec.language.model.spec import Spec
from rulespec.text.languages.quantity import Kind, Quantity
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.cosines import Cosines
from rulespec.text.raw.features import Features, features
from rulespec.text.raw.near import states
from rulespec.text.raw.parts import part_around
from rulespec.text.raw.segments import Role
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.rules.content import ByKey, Number
from rulespec.text.rules.facts import of_rule

NEAR, CLOSE = 4, 3
"""The most characters between a number and the thing that it counts, with spaces between words and without."""

SAME_UNIT, OTHER_UNIT = 0.5, -0.25
"""What it adds to a likeness that both numbers count the same thing, or different ones."""

TAKEN = 0.85
"""A number takes each slot of its value that is at least this share as like it as the most similar one."""

FREE = 0.5
"""A slot is free if no number that takes it is this share as like it as the number in question."""

LIKE, CLEAR = 1.2, 0.2
"""The least likeness (0 to 3.5) to a free slot of another value, and by how much it exceeds that to slots of the own
value. By trial on the sets for development: of 730 true numbers 13 were out of place before the slots of one, of rows
and of ordinals were left aside."""

NEEDED_LIKE, NEEDED_CLEAR = 0.8, 0.0
"""The same for a slot of a number that the text must state and does not."""

OF_ITS_RULES = 0.5
"""A number takes the place of a slot of rules that score at least this share of the best one of its sentence."""

ALIKE, BEHIND = 1.0, 0.1
"""The least likeness of a number to a slot of its own value that justifies it, and by how much slots of other values
may be more like it."""

FEW = 3
"""The largest number that people use in passing, in words."""

Value: TypeAlias = tuple[Fraction, Fraction | None]
"""A number, or the ends of a range."""

Key: TypeAlias = tuple[str, Value]
"""A rule and a value that it has."""


@dataclass(frozen=True)
class Slot:
    """A number with its surroundings: the features of its clause and of its sentence, and the concepts beside it."""

    value: Value
    part: Features
    sentence: Features
    beside: frozenset[str]
    ours: bool = False
    """Whether it is in our own text, not in the description."""


@dataclass(frozen=True)
class Misfit:
    """A number of another value would fit here: that of a rule."""

    rule: str
    value: Value

    def __str__(self) -> str:
        low, high = self.value
        return str(low) if high is None else f"from {low} to {high}"


def misfits(alignment: Alignment) -> Mapping[Quantity, Misfit]:
    """The numbers of a text that are out of place."""
    return once(alignment.reading, "misfits", lambda: dict(_misfits(alignment)))


def ranges(rule: str, alignment: Alignment) -> frozenset[Value]:
    """The ranges in the statements of a rule."""
    return frozenset(slot.value for slot in _slots(alignment).get(rule, ()) if slot.value[1] is not None)


def is_counted(concepts: frozenset[str], rule: str, alignment: Alignment) -> bool:
    """Whether the statements of a rule count one of some concepts."""
    return any(not slot.beside.isdisjoint(concepts) for slot in _slots(alignment).get(rule, ()))


def beside(quantity: Quantity, part: Reading) -> frozenset[str]:
    """The concepts of the terms next to a number."""
    reach = NEAR if part.language.spaced else CLOSE
    near = part.mentions_over(quantity.start - reach, quantity.end + reach)
    return frozenset(concept for mention in near for concept in (mention.concept, *mention.also))


def is_like_a_slot(quantity: Quantity, alignment: Alignment) -> bool:
    """Whether a number is at least as like a slot of its value, of whatever rule, as slots of others."""
    keys = _all_likeness(alignment).get(quantity, {})
    mine = (abs(quantity.value), quantity.high)
    own = max((like for (_, value), like in keys.items() if value == mine), default=0.0)
    return own >= ALIKE and own >= max(keys.values()) - BEHIND


def _all_likeness(alignment: Alignment) -> Mapping[Quantity, Mapping[Key, float]]:
    return once(
        alignment.reading,
        "likeness",
        lambda: {q: _likeness(index, slot, alignment) for q, index, slot in _numbers(alignment)},
    )


def counted(quantity: Quantity, part: Reading) -> frozenset[str]:
    """The concepts of the term right after a number."""
    reach = NEAR if part.language.spaced else CLOSE
    after = [m for m in part.mentions_from(quantity.end, quantity.end + reach) if m.status.is_term][:1]
    return frozenset(concept for mention in after for concept in (mention.concept, *mention.also))


def _misfits(alignment: Alignment) -> Iterator[tuple[Quantity, Misfit]]:
    likeness = _all_likeness(alignment)
    taken, nearest = _taken(likeness), _nearest(likeness)
    for quantity, keys in likeness.items():
        if _may_be_wrong(quantity, alignment.reading):
            best = max(_better(quantity, keys, taken, nearest, alignment), default=None)
            if best is not None:
                yield quantity, Misfit(*best[1])


def _better(
    quantity: Quantity,
    keys: Mapping[Key, float],
    taken: Mapping[Key, float],
    nearest: Mapping[Key, float],
    alignment: Alignment,
) -> Iterator[tuple[float, Key]]:
    """The free slots of other values that a number is more like than those of its own value."""
    index = alignment.index_at(quantity.start)
    row, stated = alignment.scores[index], alignment.candidates(index)
    least = OF_ITS_RULES * max(row.values(), default=0.0)
    own = max((like for (_, value), like in keys.items() if _fits(quantity, value)), default=0.0)
    in_passing = quantity.value <= FEW and not in_figures(quantity, alignment.reading)
    single = frozenset() if _is_counted(quantity, stated, alignment) else _figures(alignment)
    for key, like in keys.items():
        if _fits(quantity, key[1]) or not _alike(quantity, key[1]) or taken.get(key, 0.0) >= FREE * like:
            continue
        if row.get(key[0], 0.0) < least or key not in _own_keys(alignment) or like < nearest[key]:
            continue
        several = key[1][0] > 1 or (in_figures(quantity, alignment.reading) and key in single)
        usual = like >= LIKE and like - own >= CLEAR and several and not in_passing
        needed = like >= NEEDED_LIKE and like - own >= NEEDED_CLEAR and key[0] in stated
        if usual or (needed and _is_needed(key, alignment)):
            yield like, key


def _is_counted(quantity: Quantity, rules: Sequence[str], alignment: Alignment) -> bool:
    """Whether one of some rules counts as many things."""
    contents = (fact.content for rule in rules for fact in of_rule(alignment.book.spec, rule))
    return any(isinstance(one, Number) and one.of and one.value == quantity.value for one in contents)


def _is_needed(key: Key, alignment: Alignment) -> bool:
    """Whether a number is a fact that the text must state, and does not."""
    rule, (value, high) = key
    facts = (fact for fact in of_rule(alignment.book.spec, rule) if not fact.optional and not fact.derived)
    return high is None and any(
        isinstance(fact.content, Number) and fact.content.value == value and not states(alignment, rule, fact)
        for fact in facts
    )


def _nearest(likeness: Mapping[Quantity, Mapping[Key, float]]) -> Mapping[Key, float]:
    """The likeness to each slot of the number of another value that is most like it: only that stands in its place."""
    found: dict[Key, float] = {}
    for quantity, keys in likeness.items():
        for key, like in keys.items():
            if not _fits(quantity, key[1]):
                found[key] = max(found.get(key, 0.0), like)
    return found


def _taken(likeness: Mapping[Quantity, Mapping[Key, float]]) -> Mapping[Key, float]:
    """The slots that some number takes, each with the likeness of the number that is most like it."""
    found: dict[Key, float] = {}
    for quantity, keys in likeness.items():
        fitting = {key: like for key, like in keys.items() if _fits(quantity, key[1])}
        least = TAKEN * max(fitting.values(), default=0.0)
        for key, like in fitting.items():
            if like >= least:
                found[key] = max(found.get(key, 0.0), like)
    return found


def _fits(quantity: Quantity, value: Value) -> bool:
    """Whether a quantity has a value; one end is enough if only one of both is a range."""
    low, high = value
    mine = abs(quantity.value)
    if (quantity.high is None) == (high is None):
        return (mine, quantity.high) == value
    return mine in value if quantity.high is None else low in (mine, quantity.high)


def _alike(quantity: Quantity, value: Value) -> bool:
    """Whether both are ranges, or neither is."""
    return (quantity.high is None) == (value[1] is None)


_AMOUNTS = (Kind.CARDINAL, Kind.SIGNED, Kind.RANGE)


def _may_be_wrong(quantity: Quantity, reading: Reading) -> bool:
    article = quantity.value == 1 and not in_figures(quantity, reading)
    return quantity.kind in _AMOUNTS and not article and bool(quantity.value) and quantity not in reading.row_of


def in_figures(quantity: Quantity, reading: Reading) -> bool:
    """Whether a quantity is written in digits."""
    return any(map(str.isdecimal, reading.text[quantity.start : quantity.end]))


def _numbers(alignment: Alignment) -> Iterator[tuple[Quantity, int, Slot]]:
    """The numbers of the sentences that may state rules, each with the index of its sentence."""
    for index in alignment.scores:
        segment = alignment.segments[index]
        if segment.role in (Role.RULE, Role.TABLE, Role.COMPONENT):
            part = alignment.part(segment)
            for quantity in part.quantities:
                if quantity.kind in (*_AMOUNTS, Kind.ARTICLE, Kind.NOTHING) and quantity.start not in part.counts:
                    yield quantity, index, _slot(quantity, part)


def _slot(quantity: Quantity, sentence: Reading, ours: bool = False) -> Slot:
    part = part_around(sentence, quantity.start, quantity.end)
    clause = features(part, [Span(quantity.start, quantity.end)])
    value = (abs(quantity.value), quantity.high)
    return Slot(value, _unnumbered(clause), _unnumbered(features(sentence)), beside(quantity, sentence), ours)


def _unnumbered(names: Features) -> Features:
    return frozenset(name for name in names if not name.startswith("="))


def _likeness(index: int, mine: Slot, alignment: Alignment) -> Mapping[Key, float]:
    """How like the slots a number is, by rule and value; a rule that fits its sentence counts more."""
    row, known = alignment.scores[index], _passages(alignment)
    clause, sentence = known.like(mine.part, alignment), known.like(mine.sentence, alignment)
    found: dict[Key, float] = {}
    for rule, slots in _slots(alignment).items():
        score = row.get(rule, 0.0) / 2
        for slot in slots:
            like = score + clause.get(known.places[slot.part], 0.0) + sentence.get(known.places[slot.sentence], 0.0)
            key = rule, slot.value
            found[key] = max(found.get(key, 0.0), like + _unit(mine, slot))
    return found


def _unit(one: Slot, other: Slot) -> float:
    if not one.beside or not other.beside:
        return 0.0
    return OTHER_UNIT if one.beside.isdisjoint(other.beside) else SAME_UNIT


@dataclass(frozen=True, eq=False)
class _Passages:
    """The clauses and sentences of all slots, and their places among the passages compared."""

    places: Mapping[Features, int]
    cosines: Cosines

    def like(self, names: Features, alignment: Alignment) -> Mapping[int, float]:
        """The cosine of a passage and those of the slots. A sentence is compared once for all of its numbers."""
        return once(alignment.reading, names, lambda: self.cosines.of(names))


def _passages(alignment: Alignment) -> _Passages:
    return once(alignment.statements, "passages", lambda: _passages_of(alignment))


def _passages_of(alignment: Alignment) -> _Passages:
    known = alignment.statements
    slots = [slot for every in _slots(alignment).values() for slot in every]
    passages = list(dict.fromkeys(names for slot in slots for names in (slot.part, slot.sentence)))
    places = {names: at for at, names in enumerate(passages)}
    return _Passages(places, Cosines(passages, known.weights, known.length))


def _slots(alignment: Alignment) -> Mapping[str, Sequence[Slot]]:
    """The slots of every rule. Those of tables are left aside, as each of their rows looks like all others."""
    return once(alignment.statements, "slots", lambda: _slots_of(alignment))


def _slots_of(alignment: Alignment) -> Mapping[str, Sequence[Slot]]:
    found: dict[str, dict[Slot, None]] = defaultdict(dict)
    for one in alignment.statements.every:
        sentence = one.part or one.described
        if sentence is not None:
            cells = _cells(one.rule, alignment.book.spec)
            for quantity in sentence.quantities:
                if quantity.value not in cells and _is_slot(quantity, sentence):
                    found[one.rule][_slot(quantity, sentence, one.part is not None)] = None
    return {rule: tuple(every) for rule, every in found.items()}


def _own_keys(alignment: Alignment) -> frozenset[Key]:
    """The values of each rule in our own text."""
    return once(
        alignment.reading,
        "own keys",
        lambda: frozenset(
            (rule, slot.value) for rule, every in _slots(alignment).items() for slot in every if slot.ours
        ),
    )


def _figures(alignment: Alignment) -> frozenset[Key]:
    """The values that our own text of a rule has in figures: 1 card is no article."""
    return once(alignment.statements, "figures", lambda: frozenset(_in_figures(alignment)))


def _in_figures(alignment: Alignment) -> Iterator[Key]:
    ours = ((one.rule, one.part) for one in alignment.statements.every if one.part is not None)
    for rule, part in ours:
        every = (one for one in part.quantities if in_figures(one, part))
        yield from ((rule, (abs(one.value), one.high)) for one in every)


def _cells(rule: str, spec: Spec) -> frozenset[int]:
    """The numbers of the tables that a rule must state."""
    tables = (fact.content for fact in of_rule(spec, rule) if not fact.derived and isinstance(fact.content, ByKey))
    cells = (number for table in tables for row in table.rows.items() for number in row)
    return frozenset(number for number in cells if isinstance(number, int))


def _is_slot(quantity: Quantity, sentence: Reading) -> bool:
    whole = sentence.whole or sentence
    return quantity.kind in _AMOUNTS and quantity.start not in whole.counts and quantity not in whole.row_of
