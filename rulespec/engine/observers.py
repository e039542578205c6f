"""Observers: which players may look into each zone, and which titled values they may therefore know."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from rulespec.engine import ir
from rulespec.engine.evaluate import Evaluate, evaluator
from rulespec.engine.expressions import ExpressionLowering
from rulespec.engine.naming import Names
from rulespec.engine.running import RunningState
from rulespec.model.constants import Setting


class Observers:
    """Who observes what under one setting."""

    def __init__(self, setting: Setting, program: ir.Program, names: Names) -> None:
        self._setting, self._program, self._names = setting, program, names
        self._observable: dict[int | None, list[tuple[ir.TitledValue, Evaluate]]] = {}

    @cached_property
    def of_zone(self) -> tuple[frozenset[int], ...]:
        """For every zone, the players who may look into it."""
        return tuple(self._of_zone(name, indices) for name, indices in self._program.zones)

    def _of_zone(self, name: str, indices: tuple[int, ...]) -> frozenset[int]:
        zone = self._setting.spec.zones[name]
        visible = zone.seen_if is None or self._setting.value(zone.seen_if)
        who = zone.seen_by if visible else zone.or_seen_by
        if who == "everybody":
            return frozenset(range(self._setting.players))
        owner = zone.owner(indices) if who == "owner" else None
        return frozenset((owner,)) if owner is not None else frozenset()

    def see_all(self, player: int, zones: frozenset[int]) -> bool:
        """Whether a player may look into all of these zones."""
        return all(player in self.of_zone[zone] for zone in zones)

    # titled values

    @cached_property
    def titled_values(self) -> tuple[ir.TitledValue, ...]:
        """Every titled value, cell by cell. Lowered apart from the program: playouts never read them."""
        return tuple(self._lowering.titled_values())

    @cached_property
    def _lowering(self) -> ExpressionLowering:
        return ExpressionLowering(self._setting)

    def _values_of(self, player: int | None) -> list[tuple[ir.TitledValue, Evaluate]]:
        if player not in self._observable:
            known = (one for one in self.titled_values if player is None or self.see_all(player, one.zones))
            self._observable[player] = [(one, evaluator(one.expression)) for one in known]
        return self._observable[player]

    def values(self, state: RunningState, player: int | None) -> Iterator[tuple[str, int, str]]:
        """Name, cell and content in words of every titled value that a player may know; None observes everything.

        A player may know a value if they may look into all zones that it is computed from.
        """
        values, zones = self._values_of(player), state.z
        registers = state.r[: len(self._program.start)] + [0] * len(self._lowering.scratch)
        for titled, value in values:
            yield titled.value, titled.cell, self._names.value_word(titled.value, int(value(registers, zones)))
