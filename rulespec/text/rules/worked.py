"""Tables worked out from definitions: a derived value for each content of the value that it depends on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rulespec.language.model.phrase import Phrase
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.rules import defined
from rulespec.text.rules.content import ByKey, Content

LONGEST = 12
"""The most rows of a table that a text would list."""


def tables(spec: Spec, name: str) -> Iterator[Content]:
    """What a derived value is for each content of the one stored number in its definition."""
    for one in defined(spec).get(name, ()):
        if one.act.constructor == "defined":
            meaning = one.act.parts[1]
            stored = {phrase.name for phrase in meaning.walk() if phrase.constructor == "value"}
            if len(stored) == 1:
                yield from _table(spec, meaning, stored.pop())


def _table(spec: Spec, meaning: Phrase, name: str) -> Iterator[Content]:
    value = spec.values.get(name)
    if value is None or value.type.kind != "int" or value.type.high - value.type.low >= LONGEST:
        return
    contents = range(value.type.low, value.type.high + 1)
    rows: dict[int | str, int] = {
        content: result for content in contents if (result := _worked(meaning, content, spec)) is not None
    }
    if len(rows) == len(contents):
        yield ByKey(rows, by=name)


def _worked(phrase: Phrase, given: int, spec: Spec) -> int | None:
    """The number of a phrase where every value in it is `given`, with the most players; None if it is not known."""
    if phrase.constructor == "number":
        return phrase.amount[-1][1]
    if phrase.constructor == "value":
        return given
    if phrase.constructor == "player_count":
        return spec.players[-1]
    if phrase.constructor == "conditional":
        condition = _worked(phrase.parts[0], given, spec)
        return None if condition is None else _worked(phrase.parts[1 if condition else 2], given, spec)
    parts = [_worked(part, given, spec) for part in phrase.parts]
    if phrase.constructor not in _ARITHMETIC or None in parts:
        return None
    return _ARITHMETIC[phrase.constructor](*(part for part in parts if part is not None))


_ARITHMETIC: Mapping[str, Callable[..., int]] = {
    "plus": lambda *items: sum(items),
    "minus": lambda one, other: one - other,
    "half": lambda what: what // 2,
    "third": lambda what: what // 3,
    "smaller": min,
    "larger": max,
    "bounded": lambda what, low, high: max(low, min(what, high)),
    "is": lambda one, other: int(one == other),
    "is_not": lambda one, other: int(one != other),
    "more": lambda one, other: int(one > other),
    "less": lambda one, other: int(one < other),
    "at_least": lambda one, other: int(one >= other),
    "at_most": lambda one, other: int(one <= other),
}
