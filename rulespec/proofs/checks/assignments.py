"""Partial assignments of a setting: the player counts and chosen options that matter for one question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import prod

from rulespec.base.messages import Message, all_of, player_count, say
from rulespec.language.model.constants import Setting
from rulespec.language.model.operators import OPERATORS
from rulespec.language.model.spec import Spec
from rulespec.language.model.step import rulings_in
from rulespec.language.model.typed import Op, TExpr, constant, walk

MOST_SETTINGS = 512
"""Settings tried for one question, at most: four player counts and seven rulings of two options."""


def decided_by_types(condition: TExpr) -> bool:
    """Whether the types of a comparison in the condition leave one outcome. Type inference has reported that."""
    return any(isinstance(n, Op) and len(n.arguments) == 2 and _one_outcome(n) for n in walk(condition))


def _one_outcome(node: Op) -> bool:
    row, types = OPERATORS[node.operator], [argument.type for argument in node.arguments]
    numbers = row.compares and all(type_.kind == "int" for type_ in types)
    return numbers and row.outcome(*types) is not None


@dataclass(frozen=True)
class Assignment:
    """A partial setting: the possible player counts, and the chosen options of some rulings."""

    spec: Spec
    players: tuple[int, ...]
    chosen: Mapping[str, int] = field(default_factory=dict)
    _known: dict[TExpr, frozenset[int] | None] = field(default_factory=dict, repr=False, compare=False)

    def settings(self, expressions: Iterable[TExpr]) -> list[Setting] | None:
        """One setting per player count and combination of options of the mentioned rulings; None if too many."""
        free = [id_ for id_ in rulings_in(tuple(expressions)) if id_ not in self.chosen]
        choices = [range(len(self.spec.rulings[id_].options)) for id_ in free]
        if prod(map(len, choices)) * len(self.players) > MOST_SETTINGS:
            return None
        # Rulings that the expressions do not mention have no influence, so any option serves.
        fixed = dict.fromkeys(self.spec.rulings, 0) | dict(self.chosen)
        ways = [dict(zip(free, answers, strict=True)) for answers in product(*choices)]
        return [Setting(self.spec, players, fixed | way) for players in self.players for way in ways]

    def split(self, expressions: Iterable[TExpr]) -> list[Assignment]:
        """One assignment for each setting of what the expressions mention."""
        expressions = list(expressions)
        free = rulings_in(tuple(expressions))
        found = self.settings(expressions) or []
        return [Assignment(self.spec, (s.players,), {id_: s.chosen[id_] for id_ in free}) for s in found]

    def values(self, expression: TExpr) -> frozenset[int] | None:
        """All values of a constant expression; None if it is not constant or has too many settings."""
        if expression not in self._known:
            found = self.settings([expression]) if constant(expression) else None
            self._known[expression] = None if found is None else frozenset(s.value(expression) for s in found)
        return self._known[expression]

    def known(self, condition: TExpr | None) -> bool | None:
        """Whether a condition holds; None if that is not known."""
        if condition is None:
            return True
        values = self.values(condition)
        if values is not None and len(values) == 1:
            return bool(min(values))
        # One constant part may decide a condition that is not constant as a whole.
        if not isinstance(condition, Op) or condition.operator not in ("and", "or", "not"):
            return None
        parts = [self.known(a) for a in condition.arguments]
        if condition.operator == "not":
            return None if parts[0] is None else not parts[0]
        decisive = condition.operator == "or"
        return decisive if decisive in parts else (None if None in parts else not decisive)

    def least(self, number: TExpr) -> int:
        """The smallest possible value of a number."""
        values = self.values(number)
        return min(values) if values else number.type.low


def everything(spec: Spec) -> Assignment:
    """The assignment that includes all settings."""
    return Assignment(spec, tuple(spec.players))


def spoken(setting: Setting, expressions: Iterable[TExpr]) -> Message:
    """A setting in words: the player count, and the chosen options of the rulings that the expressions mention."""
    count = say("with {players}", players=player_count(setting.players))
    rulings = setting.spec.rulings
    said = [
        say("`{ruling}` is {option}", ruling=id_, option=rulings[id_].options[setting.chosen[id_]])
        for id_ in rulings_in(tuple(expressions))
    ]
    return say("{players}, when {rulings}", players=count, rulings=all_of(said)) if said else count
