"""Segments over states that are one block of memory each."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.engine.backend.dialects.arrays import SIZES, ZONES, i64
from rulespec.engine.backend.forms.machine_segments import MachineSegments
from rulespec.engine.backend.tree.syntax import Code, assign, call, loop, name, number
from rulespec.engine.backend.tree.writer import REGISTERS


class NewStates(MachineSegments):
    """Segments with code that begins a game: what holds states as blocks has nobody else to lay out the cards."""

    def new_state(self) -> None:
        """Writes: lay out registers and cards, then run to the first decision."""
        self._fill(REGISTERS, 0, self.program.start)
        self.put(assign(i64(name("seed")), REGISTERS[self.stream]))
        self._fill(SIZES, 0, [0] * len(self.program.zones))
        if self.program.zones:
            start = self.program.start_zone
            self._fill(ZONES, start * self.room, self.program.cards)
            self.put(assign(len(self.program.cards), SIZES[start]))
        self.put(self.runs(number(self.follows[0])))

    def _fill(self, array: Code, first: int, numbers: Sequence[int]) -> None:
        """Writes: copy numbers into an array."""
        place = name("i")
        if numbers:
            with self.inside(loop(place, call("range", 0, len(numbers)))):
                self.put(assign(self.table(numbers)[place], array[place + first]))
