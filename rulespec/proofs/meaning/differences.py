"""Differences between what a rule did and what it does: pairs of statements, and the phrases that differ in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise, zip_longest
from math import prod

from rulespec.language.model.phrase import Phrase, Proposition, Rows
from rulespec.proofs.meaning.canonical import Form
from rulespec.proofs.meaning.constructors import CONSTRUCTORS
from rulespec.proofs.meaning.expressions import opposite


class Kind(StrEnum):
    """What differs: a `part` of a phrase, its `head` (the constructor, with the same parts), a condition that holds
    where it did not (`reversed`), the ruling that brings a statement in, the `order` of two statements, of which the
    new one comes first now, or the whole statement, which is `gone`."""

    PART = "part"
    HEAD = "head"
    REVERSED = "reversed"
    RULING = "ruling"
    ORDER = "order"
    GONE = "gone"


@dataclass(frozen=True)
class Difference:
    """A statement that a rule made, and what it states instead: None if nothing.

    `was` is the phrase of the old statement that differs, `now` that of the new one; None for a phrase that is left
    out or added. `tests`: the phrases are conditions.
    """

    kind: Kind
    old: Proposition
    new: Proposition | None
    was: Phrase | None
    now: Phrase | None
    tests: bool = False


def differences(old: Sequence[Proposition], new: Sequence[Proposition]) -> Iterator[Difference]:
    """What differs between the statements of two versions of a rule; added statements are left out."""
    gone, added = without(old, new), without(new, old)
    for one, other in _pairs(gone, added):
        if other is None:
            yield Difference(Kind.GONE, one, None, one.act, None)
        else:
            yield from _between(one, other)
    # Two statements in a row of which the second comes first now.
    # A statement that is made twice has no place of its own.
    once = {key for key, number in Counter(map(_key, old)).items() if number == 1}
    place = {key: at for at, key in enumerate(map(_key, new)) if key in once}
    left = [one for one in old if not one.definition and one.ruling is None and _key(one) in place]
    for one, other in pairwise(left):
        if place[_key(other)] < place[_key(one)]:
            yield Difference(Kind.ORDER, one, other, one.act, other.act)


Key = tuple[Phrase, tuple[Phrase, ...], tuple[Phrase, ...], tuple[str, str] | None]


def _key(one: Proposition) -> Key:
    return one.act, one.conditions, one.within, one.ruling


def without(some: Sequence[Proposition], others: Sequence[Proposition]) -> list[Proposition]:
    """Some statements without those that others say as well, in these or other words."""
    known, mine = set(map(_key, others)), set(map(_key, some))
    left = {_key(one): one for one in some if _key(one) not in known}
    # Normal forms take long to make, so they are made only of what differs as it stands.
    reworded = {normal(one) for one in others if _key(one) not in mine} if left else set()
    return [one for one in left.values() if normal(one) not in reworded]


_LEAST = 0.3
"""The least likeness of two versions of a statement. Statements about other things share a name or two."""


_Pair = tuple[Proposition, Proposition | None]


def _pairs(gone: Sequence[Proposition], added: Sequence[Proposition]) -> Iterator[_Pair]:
    """Each statement that is gone, with the one that most likely stands for it; the likeliest pairs come first."""
    scored = [(_likeness(one, other), i, j) for i, one in enumerate(gone) for j, other in enumerate(added)]
    likely = [each for each in scored if each[0] >= _LEAST]
    left, free = set(range(len(gone))), set(range(len(added)))
    # Statements that the same answer brings in first: another ruling is a difference of its own.
    for _, i, j in sorted(likely, key=lambda each: (gone[each[1]].ruling != added[each[2]].ruling, -each[0], *each)):
        if i in left and j in free:
            left.remove(i)
            free.remove(j)
            yield gone[i], added[j]
    yield from ((gone[i], None) for i in sorted(left))


def _likeness(one: Proposition, other: Proposition) -> float:
    """The share of phrases that two statements have in common, from 0 to 1. A definition is like no step."""
    if one.definition != other.definition or (one.rule != other.rule):
        return 0.0
    ours, theirs = _phrases(one), _phrases(other)
    shared = sum((ours & theirs).values())
    return 2 * shared / (ours.total() + theirs.total())


def _phrases(one: Proposition) -> Counter[tuple[str, ...]]:
    every = (*one.phrases(), *(phrase for loop in one.within for phrase in loop.walk()))
    found: Counter[tuple[str, ...]] = Counter((phrase.constructor, phrase.name, str(phrase.amount)) for phrase in every)
    # The act counts again, and so does its verb: `move_top` is more like `move_random` than their cards and zones show.
    found["act", one.act.constructor] += 1
    found["family", one.act.constructor.partition("_")[0]] += 1
    return found


def _between(old: Proposition, new: Proposition) -> Iterator[Difference]:
    """The differences between two versions of a statement."""
    if old.ruling != new.ruling and (old.ruling is None or new.ruling is None):
        yield Difference(Kind.RULING, old, new, old.act, new.act)
    for kind, was, now in _differing(old.act, new.act):
        yield Difference(kind, old, new, was, now)
    for ours, theirs in ((old.conditions, new.conditions), (old.within, new.within)):
        for kind, was, now in _in_groups(_conjuncts(ours), _conjuncts(theirs), True):
            yield Difference(kind, old, new, was, now, True)


def _conjuncts(conditions: Sequence[Phrase]) -> list[Phrase]:
    """Conditions without the junctions at the top: all of them must hold anyway."""
    return [part for one in conditions for part in (one.parts if one.constructor == "all_of" else (one,))]


_Found = tuple[Kind, Phrase | None, Phrase | None]

_ANY_NUMBER = {"all_of", "any_of", "plus", "times", "smaller", "larger", "with_players"}
"""The constructors whose parts may come in any order and number."""


def _differing(was: Phrase, now: Phrase) -> Iterator[_Found]:
    """The smallest phrases that differ in two phrases."""
    if was == now:
        return
    same = (was.constructor, was.name, was.amount) == (now.constructor, now.name, now.amount)
    if same and was.constructor in _ANY_NUMBER:
        yield from _in_groups(was.parts, now.parts, False)
    elif same:
        for ours, theirs in zip_longest(was.parts, now.parts):
            yield from _differing(ours, theirs) if ours and theirs else ((Kind.PART, ours, theirs),)
    elif now in was.parts:
        yield from ((Kind.PART, part, None) for part in was.parts if part != now)
    elif was in now.parts:
        yield from ((Kind.PART, None, part) for part in now.parts if part != was)
    elif was.parts and was.constructor != now.constructor and was.parts == now.parts:
        yield (Kind.REVERSED if _is_reverse(was, now) else Kind.HEAD), was, now
    else:
        yield Kind.PART, was, now


_REVERSE = {
    *(("becomes_true", "becomes_false"), ("starts_true", "starts_false"), ("always", "never")),
    *(("repeat_while", "repeat_until"), ("true", "false")),
}
"""Pairs of constructors of which one says the opposite of the other."""


def _is_reverse(was: Phrase, now: Phrase) -> bool:
    pair = (was.constructor, now.constructor)
    return opposite(was) == now or pair in _REVERSE or pair[::-1] in _REVERSE


def _in_groups(was: Sequence[Phrase], now: Sequence[Phrase], tests: bool) -> Iterator[_Found]:
    """The differences between two groups of phrases in any order."""
    gone = [one for one in was if one not in now]
    added = [one for one in now if one not in was]
    for one in list(gone):
        if tests and opposite(one) in added:
            gone.remove(one)
            added.remove(opposite(one))
            yield Kind.REVERSED, one, opposite(one)
    if len(gone) == len(added) == 1:
        yield from _differing(gone[0], added[0])
        return
    yield from ((Kind.PART, one, None) for one in gone)
    yield from ((Kind.PART, None, one) for one in added)


Normal = tuple[Phrase, tuple[Phrase, ...], tuple[Phrase, ...], tuple[str, str] | None]


def normal(one: Proposition) -> Normal:
    """The act, the conditions, the loops and the ruling of a statement in normal form."""
    act, conditions, within = _parts(one)
    names: dict[str, str] = {}
    for part in (part for phrase in (*within, *conditions, act) for part in phrase.walk()):
        if part.constructor == "variable":
            names.setdefault(part.name, f"{part.kind}#{len(names)}")
    named = [_named(phrase, names) for phrase in conditions]
    return _named(act, names), tuple(named), tuple(_named(phrase, names) for phrase in within), one.ruling


def is_same(some: Sequence[Proposition], others: Sequence[Proposition]) -> bool:
    """Whether two lists of statements say the same in the same order, whatever the variables are called that they bind,
    and whichever loops they are in, which are statements of their own."""
    if len(some) != len(others):
        return False
    names: dict[str, str] = {}
    back: dict[str, str] = {}
    for one, other in zip(some, others, strict=True):
        (act, conditions, _, ruling), now = normal(one), normal(other)
        if (act, conditions, ruling) != (now[0], now[1], now[3]):
            return False
        for (name, bound), (new, _) in zip(_variables(one).items(), _variables(other).items(), strict=False):
            if bound:
                names[name], back[new] = new, name
            elif (names.get(name, name), back.get(new, new)) != (new, name):
                return False
    return True


def _parts(one: Proposition) -> tuple[Phrase, list[Phrase], list[Phrase]]:
    """The act, the conditions and the loops of a statement in normal form, with the names of its variables."""
    # Sorted as if variables had no names: their new names depend on the order.
    return _normal(one.act), sorted(map(_normal, one.conditions), key=_sorted_by), list(map(_normal, one.within))


def _variables(one: Proposition) -> Mapping[str, bool]:
    """The variables of a statement in the order of its normal form, each with whether the statement binds it."""
    act, conditions, within = _parts(one)
    found: dict[str, bool] = {}
    for phrase in (part for outer in (*within, *conditions, act) for part in outer.walk()):
        binds = "variable" in CONSTRUCTORS[phrase.constructor].parts[:1]
        for at, part in enumerate(phrase.parts):
            if part.constructor == "variable":
                found.setdefault(part.name, binds and at == 0)
    return found


def _named(phrase: Phrase, names: Mapping[str, str] | None) -> Phrase:
    """A phrase with other names of its variables; without any if there are no `names`."""
    parts = tuple(_named(part, names) for part in phrase.parts)
    if phrase.constructor == "variable":
        return replace(phrase, name=names[phrase.name] if names is not None else phrase.kind, parts=parts)
    return replace(phrase, parts=parts)


def _sorted_by(phrase: Phrase) -> str:
    return str(_named(phrase, None))


def _normal(phrase: Phrase) -> Phrase:
    parts = tuple(map(_normal, phrase.parts))
    if phrase.constructor in _JUNCTIONS:
        parts = tuple(sorted(_flat(phrase.constructor, parts), key=_sorted_by))
    elif phrase.constructor in _COMPARED and len(parts) == 2:
        return _compared(_COMPARED[phrase.constructor], *(parts if phrase.constructor == "less" else parts[::-1]))
    return replace(phrase, parts=parts)


_JUNCTIONS = ("all_of", "any_of", "plus", "times", "smaller", "larger", "is", "is_not")
_COMPARED = {"more": "less", "at_least": "at_most", "less": "less"}


def _flat(constructor: str, parts: tuple[Phrase, ...]) -> list[Phrase]:
    return [one for part in parts for one in (part.parts if part.constructor == constructor else (part,))]


def _compared(constructor: str, low: Phrase, high: Phrase) -> Phrase:
    """A comparison that the left side is at most the right one, if one of them is a number."""
    # All numbers are whole: 3 < x says the same as 4 <= x.
    if constructor == "less" and low.constructor == "number":
        return Phrase("at_most", (replace(low, amount=_more(low.amount, 1)), high))
    if constructor == "less" and high.constructor == "number":
        return Phrase("at_most", (low, replace(high, amount=_more(high.amount, -1))))
    return Phrase(constructor, (low, high))


def _more(rows: Rows, number: int) -> Rows:
    return tuple((players, value + number) for players, value in rows)


# --- canonical forms --------------------------------------------------------------------------------------------------


def normal_form(form: Form) -> Form:
    """A canonical form that equal expressions share: negations inside, terms of sums and junctions in a fixed order,
    numbers added up, comparisons as `<=`, and no choice by the opposite of a condition."""
    if not isinstance(form, list):
        return form
    parts = [normal_form(part) for part in form]
    if len(parts) == 3 and parts[0] == "Op" and isinstance(parts[1], str) and isinstance(parts[2], list):
        return _operation(parts[1], parts[2])
    if parts[:1] == ["If"] and len(parts) in (4, 5):
        *head, condition, then, otherwise = parts
        if isinstance(condition, list) and condition[:2] == ["Op", "not"]:
            return [*head, condition[2][0], otherwise, then]  # type: ignore[index]
        if isinstance(condition, list) and condition[:2] == ["Op", "!="]:
            return [*head, ["Op", "==", condition[2]], otherwise, then]
    return parts


_NEGATED = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<", "and": "or", "or": "and"}
_MIRRORED = {">": "<", ">=": "<="}
_ASSOCIATIVE = {"and", "or", "+", "*", "min", "max"}
_NEUTRAL = {"+": 0, "*": 1}


def _operation(operator: str, parts: list[Form]) -> Form:
    """An operation over parts in normal form."""
    if operator == "not" and isinstance(parts[0], list) and parts[0][:1] == ["Op"]:
        _, inner, given = parts[0]
        assert isinstance(inner, str) and isinstance(given, list)
        if inner == "not":
            return given[0]
        if inner in _NEGATED:
            negated = [_operation("not", [part]) for part in given] if inner in ("and", "or") else given
            return _operation(_NEGATED[inner], negated)
    if operator in _MIRRORED:
        return _operation(_MIRRORED[operator], parts[::-1])
    low, high = (*map(_whole, parts), None, None)[:2]
    if operator == "<" and low is not None:
        return ["Op", "<=", [f".{low + 1}", parts[1]]]
    if operator == "<" and high is not None:
        return ["Op", "<=", [parts[0], f".{high - 1}"]]
    if operator in _ASSOCIATIVE:
        same = [one[2] if isinstance(one, list) and one[:2] == ["Op", operator] else [one] for one in parts]
        parts = [part for some in same for part in some]  # type: ignore[union-attr]
    if operator in _NEUTRAL:
        numbers = [number for number in map(_whole, parts) if number is not None]
        total = sum(numbers) if operator == "+" else prod(numbers)
        parts = [part for part in parts if _whole(part) is None]
        if total != _NEUTRAL[operator] or not parts:
            parts.append(f".{total}")
        if len(parts) == 1:
            return parts[0]
    if operator in _ASSOCIATIVE or operator in ("==", "!="):
        parts = sorted(parts, key=repr)
    return ["Op", operator, parts]


def _whole(form: Form) -> int | None:
    """The number that a form is; None if it is none."""
    return int(form[1:]) if isinstance(form, str) and re.fullmatch(r"\.-?\d+", form) else None
