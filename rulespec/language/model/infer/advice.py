"""Hints for mistakes in expressions, from the names in scope."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulespec.base.messages import NOTHING, Message, all_of, quoted, say
from rulespec.language.model.names import Names
from rulespec.language.model.typed import Const, TExpr
from rulespec.language.model.types import Type

Locals = Mapping[str, Type | None]

_FEW = 8
"""Names in one hint, at most: a longer list is not read."""
_VARIABLES = {"player": "p", "card": "c", "int": "n", "bool": "b"}


def other_kind(found: TExpr, kind: str, enum: str, names: Names) -> Message:
    """How to turn `found` into something of `kind` (of that `enum`); empty if there is no obvious way."""
    match (found.type.kind, kind):
        case ("int", "player"):
            return (
                say("Write `seat({number})`.", number=found.value)
                if isinstance(found, Const)
                else say("Write `seat(…)` round it.")
            )
        case ("player", "int"):
            return say("Write `seat_of(…)` for the number of a player's seat.")
        case ("int", "bool"):
            return say("Compare it with a number: `… > 0`.")
        case ("card", _):
            types = ((name, type_) for name, type_ in names.fields.items() if type_ is not None)
            fitting = [name for name, type_ in types if type_.kind == kind and (kind != "enum" or type_.name == enum)]
            return say("Add a field of the card: `….{fitting}`.", fitting=fitting[0]) if fitting else NOTHING
        case (_, "enum") if not enum.startswith("ruling:"):
            return listed(say("Write a member of `{enum}`: {names}."), names.enums.get(enum) or (), enum=enum)
    return NOTHING


def or_else(kind: str) -> Message:
    """How to replace an absent value of `kind`."""
    hints = {
        "int": say("Add a fallback: `… ?? 0`."),
        "player": say("Add a fallback: `… ?? seat(1)`."),
        "card": say("Name a card with `pick` or `each`, or test first that it is not `none`."),
    }
    return hints.get(kind, say("Add a fallback with `??`."))


def listed(sentence: Message, names: Iterable[str], **values: str) -> Message:
    """A sentence with a few names; empty if there are none, or too many to read."""
    known = quoted(list(names))
    return say(sentence, names=known, **values) if 0 < len(known) <= _FEW else NOTHING


def example(name: str, indices: Sequence[Type], locals_: Locals, names: Names) -> str:
    """An example of a name with indices, with the variables in scope if they fit."""
    taken: list[str] = []
    for index in indices:
        taken.append(_variable(index, {n: t for n, t in locals_.items() if n not in taken}, names))
    return f"{name}[{', '.join(taken)}]"


def _variable(index: Type, locals_: Locals, names: Names) -> str:
    here = [name for name, type_ in locals_.items() if type_ is not None and index.accepts(type_)]
    if here:
        return here[-1]
    if names.players and index.kind == "int" and (index.low, index.high) == (names.players[0], names.players[-1]):
        return "players"
    return _VARIABLES.get(index.kind, index.name[:1])


def each(indices: Sequence[Type]) -> str:
    """The indices of a value, table or zone in words."""
    return all_of([_each(index) for index in indices])


_EACH = {"player": say("player"), "card": say("card")}


def _each(index: Type) -> str:
    if index.kind == "int":
        return say("number from {low} to {high}", low=index.low, high=index.high)
    return index.name or _EACH.get(index.kind, index.kind)
