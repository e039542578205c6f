"""Normal forms of statements: equal for statements that say the same with other names of variables, with a comparison
from the other side or with the next number, or with conditions in another order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rulespec.proofs.meaning.phrase import Phrase, Proposition, Rows

Normal = tuple[Phrase, tuple[Phrase, ...], tuple[Phrase, ...], tuple[str, str] | None]


def normal(one: Proposition) -> Normal:
    """The act, the conditions, the loops and the ruling of a statement in normal form."""
    act, within = _normal(one.act), tuple(map(_normal, one.within))
    # Sorted as if variables had no names: their new names depend on the order.
    conditions = sorted(map(_normal, one.conditions), key=_sorted_by)
    names: dict[str, str] = {}
    for part in (part for phrase in (*within, *conditions, act) for part in phrase.walk()):
        if part.constructor == "variable":
            names.setdefault(part.name, f"{part.kind}#{len(names)}")
    named = [_named(phrase, names) for phrase in conditions]
    return _named(act, names), tuple(named), tuple(_named(phrase, names) for phrase in within), one.ruling


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


_JUNCTIONS = ("all_of", "any_of")
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
