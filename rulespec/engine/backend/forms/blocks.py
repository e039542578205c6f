"""Segments over states that are one block of memory each."""

from __future__ import annotations

from rulespec.engine.backend.dialects.arrays import SIZES, ZONES, i64
from rulespec.engine.backend.forms.machine_segments import MachineSegments
from rulespec.engine.backend.tree.syntax import assign, name, number
from rulespec.engine.backend.tree.writer import REGISTERS


class NewStates(MachineSegments):
    """Segments with code that begins a game: what holds states as blocks has nobody else to lay out the cards."""

    def new_state(self) -> None:
        """Writes: lay out registers and cards, then run to the first decision."""
        self.fill(REGISTERS, 0, self.program.start)
        self.put(assign(i64(name("seed")), REGISTERS[self.stream]))
        self.fill(SIZES, 0, [0] * len(self.program.zones))
        if self.program.zones:
            start = self.program.start_zone
            self.fill(ZONES, start * self.room, self.program.cards)
            self.put(assign(len(self.program.cards), SIZES[start]))
        self.put(self.runs(number(self.follows[0])))
