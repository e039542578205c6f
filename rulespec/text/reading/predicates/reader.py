"""Reads statements: the predicates of each clause, affirmed or denied, with what the clause is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from rulespec.text.glossary import tokens
from rulespec.text.glossary.matcher import Hit
from rulespec.text.reading.clauses import Clause
from rulespec.text.reading.contrasts import lexicon_of
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.predicates.lexicon import MODALS, PredicateLexicon, Role, Wording, predicates_of


@dataclass(frozen=True)
class Statement:
    """The predicate at `text[start:end]`, affirmed or denied after negation.

    `about` are the concepts that its clause mentions, `around` those of its sentence and of the head line of its list.
    `certain` is false in a clause with an exception or a question, whose polarity holds for a part only. `conditional`:
    it states a case in which something happens, not what happens.
    """

    predicate: str
    affirmed: bool
    start: int
    end: int
    clause: Clause
    about: frozenset[str]
    around: frozenset[str]
    certain: bool
    conditional: bool


def statements(reading: Reading) -> tuple[Statement, ...]:
    """The statements of a text in order; none if the language has no lexicon."""
    lexicon = predicates_of(reading.language)
    if lexicon is None:
        return ()
    return tuple(_statements(reading, list(_words(reading, lexicon)), lexicon.concord))


@dataclass(frozen=True)
class _Word:
    """Words with what they do; `negates` if they negate what stands by them, `none` if they are a “nobody”."""

    start: int
    end: int
    predicate: str = ""
    affirmed: bool = True
    negates: bool = False
    none: bool = False
    excepts: bool = False
    condition: Role | None = None


def _words(reading: Reading, lexicon: PredicateLexicon) -> Iterator[_Word]:
    """The words of the lexicon, the longest of those that overlap."""
    for group in lexicon.wordings.groups(reading.text, tokens.read(reading.text, reading.language.tag)):
        yield from _of_group(group)


def _of_group(group: Sequence[Hit[Wording]]) -> Iterator[_Word]:
    start, end, role = group[0].start, group[0].end, group[0].of.role
    if role is Role.PREDICATE:
        found = {hit.of.predicate: hit.of for hit in reversed(group) if hit.of.role is role}
        # However many predicates the words have, they are one negation.
        for index, of in enumerate(found.values()):
            yield _Word(start, end, of.predicate, of.affirmed, of.negative and not index)
    elif role is Role.NEGATIVE:
        yield _Word(start, end, negates=True, none=bool(group[0].of.predicate))
    elif role is Role.EXCEPTION:
        yield _Word(start, end, excepts=True)
    elif role is not Role.IDIOM:
        yield _Word(start, end, condition=role)


# --- clauses ---------------------------------------------------------------------------------------------------------


def _statements(reading: Reading, words: Sequence[_Word], concord: bool) -> Iterator[Statement]:
    for clause in reading.clauses:
        inside = [word for word in words if clause.start <= word.start < clause.end]
        about = frozenset(reading.part(clause.start, clause.end).places)
        spans = (clause.sentence, *((clause.head,) if clause.head else ()))
        around = frozenset(concept for span in spans for concept in reading.part(span.start, span.end).places)
        # The mark may be the last character of the clause, or the one behind it.
        asks = not _ASKS.isdisjoint(reading.text[clause.end - 1 : clause.end + 1])
        certain = not asks and not any(word.excepts for word in inside)
        for word, affirmed in _polarities(inside, concord, reading):
            conditional = clause.is_condition or _conditional(word, inside)
            yield Statement(word.predicate, affirmed, word.start, word.end, clause, about, around, certain, conditional)


_ASKS = {"?", "？"}


def _conditional(word: _Word, inside: Sequence[_Word]) -> bool:
    """Whether a word of a clause states a case: it stands after words that begin a condition or before those that end
    one, or next to a relative."""
    before = [one for one in inside if one.start < word.start]
    after = [one for one in inside if one.start > word.start]
    opened = any(one.condition is Role.CONDITION for one in before)
    if opened or any(one.condition is Role.CONDITION_END for one in after):
        return True
    last = next((one for one in reversed(before) if one.predicate or one.condition), None)
    following = next((one for one in after if one.predicate or one.condition), None)
    return (last is not None and last.condition is Role.RELATIVE) or (
        following is not None and following.condition is Role.RELATIVE_END
    )


def _polarities(words: Sequence[_Word], concord: bool, reading: Reading) -> Iterator[tuple[_Word, bool]]:
    """The predicates of a clause, each with its polarity: a negative word negates the predicate by it."""
    negatives = [word for word in words if word.negates]
    if concord and any(not word.none for word in negatives):
        negatives = [word for word in negatives if not word.none]
    flipped: dict[int, int] = {}
    for negative in negatives:
        for found in _negated(negative, words, reading):
            flipped[found.start] = flipped.get(found.start, 0) + 1
    for word in words:
        if word.predicate:
            yield word, word.affirmed == (flipped.get(word.start, 0) % 2 == 0)


def _negated(negative: _Word, words: Sequence[_Word], reading: Reading) -> Iterator[_Word]:
    """The predicates that a word negates: all that follow it in its part of the sentence.

    “Nothing” may be the object of the predicate before it, and what is “not allowed” may stand before that.
    """
    predicates = list({word.start: word for word in words if word.predicate}.values())
    after = [word for word in predicates if word.start >= negative.end and _joined(negative.end, word.start, reading)]
    after = [word for word in after[: _reach(negative, after, words)] if not _is_far_moment(word, negative)]
    if not negative.none:
        after = list(takewhile(lambda word: word.predicate not in MODALS or word.start - negative.end <= 1, after))
    before = next((word for word in reversed(predicates) if word.end <= negative.start), None)
    back = negative.none or bool(negative.predicate)
    if before is None or not back or before.predicate in MODALS or not _joined(before.end, negative.start, reading):
        yield from after
    elif not after or (negative.none and negative.start - before.end < after[0].start - negative.end):
        yield before
    else:
        yield from after


def _is_far_moment(word: _Word, negative: _Word) -> bool:
    """Whether a word says when something happens and the negation is not right before it: “no other use at the end”
    does not say that there is one at once."""
    return word.predicate == "moment" and word.start - negative.end > 1


def _reach(negative: _Word, after: Sequence[_Word], words: Sequence[_Word]) -> int:
    """How many of the predicates after a negation it negates: in an attribute only the first, and none beyond it."""
    ends = [word.start for word in words if word.condition in _ENDS and word.start >= negative.end]
    within = sum(word.start < ends[0] for word in after) if ends else len(after)
    begins = any(word.condition is Role.RELATIVE and word.start < negative.start for word in words)
    return min(within, 1) if begins else within


_ENDS = (Role.RELATIVE_END, Role.CONDITION_END)


def _joined(start: int, end: int, reading: Reading) -> bool:
    """Whether no boundary of a part of the sentence is between two offsets."""
    known = lexicon_of(reading.language)
    if known is not None and known.stops.search(reading.text, start, end):
        return False
    boundaries = reading.language.clause.finditer(reading.text, start, end)
    return all(known is not None and boundary[0].strip() in known.over for boundary in boundaries)
