"""Words of a text for what differs between the statements of two versions of its rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from rulespec.base.diagnostics import Span
from rulespec.proofs.meaning import CONSTRUCTORS, Phrase, by_default, digest
from rulespec.proofs.meaning.differences import Difference, Kind, differences
from rulespec.text.reading.mentions import Reading
from rulespec.text.rules.book import Book
from rulespec.text.seals.confirmation import stated
from rulespec.text.seals.outdated.sentences import Spoken
from rulespec.text.seals.outdated.words import contrasted, of_head, words_for


@dataclass(frozen=True)
class Outdated:
    """Words of a text for what a rule did, and the difference; None if the answer to a ruling is another one."""

    words: Span
    difference: Difference | None


def outdated(reading: Reading, rule: str, old: Book, new: Book) -> Iterator[Outdated]:
    """The words of a text for what its rule, or the ruling that it answers, did in the old version and does no more.

    The text agreed with the old version. So a sentence with words for what differs is wrong now, and one without them
    may still be right. If the digest of the rule is the same, only its own acts count: the rules around it decide when
    it applies.
    """
    before = stated(old.spec, rule)
    text = Spoken(reading, rule, old, before)
    if rule in old.spec.rulings and old.spec.rulings[rule].options[0] != new.spec.rulings[rule].options[0]:
        first = text.sentences[0]
        yield Outdated(first.clause(first.part.start), None)
        return
    same = digest(old.spec, rule) == digest(new.spec, rule)
    known: list[Span] = []
    for one in differences(before, stated(new.spec, rule)):
        concerned = text.may_state(one.old) and (not same or (one.old.rule == rule and not one.tests))
        words = _WORDS[one.kind](one, text) if concerned else None
        if words is not None and not any(each.start < words.end and words.start < each.end for each in known):
            known.append(words)
            yield Outdated(words, one)


def _part(one: Difference, text: Spoken) -> Span | None:
    """Words for the part that differs; if it is who acts, the clause with the act."""
    if one.was is None:
        return None
    words = _anywhere(one, one.was, one.now, text)
    acts = one.was.kind == "player" or one.was.constructor in _PLAYERS
    return words or (_act(one, text) if acts else None) or _other_act(one, text)


def _other_act(one: Difference, text: Spoken) -> Span | None:
    """The clause with an act that is another one now, or with an answer that means something else."""
    if one.was == one.old.act and not one.old.definition:
        return _whole(one, text)
    answers = text.rule in text.book.spec.rulings and one.was in (one.old.act, *one.old.act.parts[1:])
    return _answer(one, text) if answers and one.old in by_default(text.book.spec, text.rule) else None


def _answer(one: Difference, text: Spoken) -> Span:
    """The clause with the answer to a ruling: what it brings in, or the first."""
    return text.act(one.old, (text.about(one.old) or text.sentences)[0])


_PLAYERS = {"seat", "left_neighbour", "right_neighbour"}


def _anywhere(one: Difference, was: Phrase, now: Phrase | None, text: Spoken) -> Span | None:
    """Words for a part. The sentence of a condition for what another rule does also names what that is."""
    old, sentences = one.old, text.anywhere(one.old)
    if one.tests and not old.definition and old.rule != text.rule:
        sentences = [each for each in sentences if text.concepts(old.act) & each.part.places.keys()]
    found = (words_for(was, now, old, each.part, text.book) for each in sentences)
    return next((words for words in found if words is not None), None)


def _act(one: Difference, text: Spoken) -> Span | None:
    """The clause with the act of a step."""
    about = text.about(one.old)
    return text.act(one.old, about[0]) if about and text.owns(one.old) else None


def _head(one: Difference, text: Spoken) -> Span | None:
    """Words for a value of a contrast that the constructor states. If both constructors state the same, the clause with
    the statement; for a formula, the clause with its value and something in it."""
    assert one.was is not None and one.now is not None
    gone = of_head(one.was) - of_head(one.now)
    acting = text.concepts(one.old.act)
    found = (contrasted(gone, sentence.part, text.book, acting) for sentence in text.anywhere(one.old))
    words = next((words for words in found if words is not None), None)
    if words is not None:
        return words
    if one.was.constructor in _JUNCTIONS:
        return _junction(one, text)
    if one.was.constructor in _FORMULAS and one.old.definition:
        return _formula(one, text)
    same = CONSTRUCTORS[one.was.constructor].says == CONSTRUCTORS[one.now.constructor].says
    same = same or {one.was.constructor, one.now.constructor} == _CHANGES
    if same and one.was == one.old.act:
        return _whole(one, text)
    return _other_act(one, text) if one.old.definition else None


_CHANGES = {"increase", "decrease"}
"""What grows cannot be said without its direction, in whatever words."""

_JUNCTIONS = {"all_of", "any_of"}
_FORMULAS = {"sum", "count", "highest", "lowest", "plus", "minus", "times", "half", "third", "divided", "remainder"}


def _junction(one: Difference, text: Spoken) -> Span | None:
    """Words for one of several conditions, if the text has words for at least two."""
    assert one.was is not None
    parts = (_anywhere(one, part, None, text) for part in one.was.parts)
    found = list(dict.fromkeys(words for words in parts if words is not None))
    return found[-1] if len(found) > 1 else None


def _formula(one: Difference, text: Spoken) -> Span | None:
    """The clause that names a defined value with something in the formula that differs."""
    assert one.was is not None
    value = text.book.concepts.get(one.old.act.parts[0].name, "")
    inside = text.concepts(one.was) - {value}
    for sentence in text.about(one.old):
        if value in sentence.part.places and inside & sentence.part.places.keys():
            return text.act(one.old, sentence)
    return None


def _reversed(one: Difference, text: Spoken) -> Span | None:
    """Words for a condition that is the opposite now; without any, the clause with the act."""
    assert one.was is not None
    return _anywhere(one, one.was, None, text) or _act(one, text)


def _whole(one: Difference, text: Spoken) -> Span | None:
    """The clause of a sentence that speaks of a statement at least as much as of any other."""
    for sentence in text.about(one.old) if text.owns(one.old) else ():
        mine = text.score(one.old, sentence)
        if all(text.score(other, sentence) <= mine for other in text.stated if not other.definition):
            return text.act(one.old, sentence)
    return None


def _gone(one: Difference, text: Spoken) -> Span | None:
    """The clause with a step that is gone; a definition may only be needed no more."""
    return _whole(one, text)


def _order(one: Difference, text: Spoken) -> Span | None:
    """The clause with the second of two acts that a text has in their old order."""
    assert one.new is not None
    first, second = (text.place(each) for each in (one.old, one.new))
    return second if first and second and first.end <= second.start else None


def _ruling(one: Difference, text: Spoken) -> Span | None:
    """The clause with what only another answer of a ruling brings in now; in the text of the ruling, the answer."""
    if text.rule in text.book.spec.rulings:
        return _answer(one, text)
    return _whole(one, text)


_WORDS: Mapping[Kind, Callable[[Difference, Spoken], Span | None]] = {
    Kind.PART: _part,
    Kind.HEAD: _head,
    Kind.REVERSED: _reversed,
    Kind.RULING: _ruling,
    Kind.ORDER: _order,
    Kind.GONE: _gone,
}
