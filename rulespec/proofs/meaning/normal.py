"""Normal forms of statements and of canonical forms: equal for those that say the same with other names of variables,
with a comparison from the other side or with the next number, or with conditions in another order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod

from rulespec.language.model.phrase import Phrase, Proposition, Rows
from rulespec.proofs.meaning.canonical import Form
from rulespec.proofs.meaning.constructors import CONSTRUCTORS

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
