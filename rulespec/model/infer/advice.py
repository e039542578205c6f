"""Hints for mistakes in expressions, from the names in scope."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulespec.model.names import Names
from rulespec.model.typed import Const, TExpr
from rulespec.model.types import Type

Locals = Mapping[str, Type | None]

_FEW = 8
"""Names in one hint, at most: a longer list is not read."""
_VARIABLES = {"player": "p", "card": "c", "int": "n", "bool": "b"}


def other_kind(found: TExpr, kind: str, enum: str, names: Names) -> str:
    """How to turn `found` into something of `kind` (of that `enum`); empty if there is no obvious way."""
    match (found.type.kind, kind):
        case ("int", "player"):
            return f"Write `seat({found.value})`." if isinstance(found, Const) else "Write `seat(…)` round it."
        case ("player", "int"):
            return "Write `seat_of(…)` for the number of a player's seat."
        case ("int", "bool"):
            return "Compare it with a number: `… > 0`."
        case ("card", _):
            return _field(kind, enum, names)
        case (_, "enum") if not enum.startswith("ruling:"):
            return listed(names.enums.get(enum) or (), f"Write a member of `{enum}`:")
    return ""


def or_else(kind: str) -> str:
    """How to replace an absent value of `kind`."""
    hints = {
        "int": "Add a fallback: `… ?? 0`.",
        "player": "Add a fallback: `… ?? seat(1)`.",
        "card": "Name a card with `pick` or `each`, or test first that it is not `none`.",
    }
    return hints.get(kind, "Add a fallback with `??`.")


def _field(kind: str, enum: str, names: Names) -> str:
    types = ((name, type_) for name, type_ in names.fields.items() if type_ is not None)
    fitting = [name for name, type_ in types if type_.kind == kind and (kind != "enum" or type_.name == enum)]
    return f"Add a field of the card: `….{fitting[0]}`." if fitting else ""


def listed(names: Iterable[str], what: str) -> str:
    """A few names in a sentence; empty if there are none, or too many to read."""
    known = [f"`{name}`" for name in names]
    return f"{what} {', '.join(known)}." if 0 < len(known) <= _FEW else ""


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
    words = [f"number from {t.low} to {t.high}" if t.kind == "int" else t.name or t.kind for t in indices]
    return " and ".join(words)
