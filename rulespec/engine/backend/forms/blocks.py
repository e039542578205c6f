"""Segments over states that are blocks of memory: of states in Python, of vectors, and in WebAssembly."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

from rulespec.engine.backend.dialects.arrays import SIZES, ZONES, i64
from rulespec.engine.backend.forms.machine_segments import Layout, MachineSegments, part
from rulespec.engine.backend.forms.segments import ACTION
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.syntax import assign, call, name, number
from rulespec.engine.backend.tree.writer import REGISTERS

Section = tuple[str, str, int]
"""An array of a block: its name, kind, and size in 64-bit numbers."""

UNTYPED = 2**32 - 1
"""The bits of a number that Python passes to a function without types."""


class BlockSegments(MachineSegments):
    """Writes segments whose callers give the blocks of memory of a state: `state`, which is copied with it, and `desk`,
    which has the decision and working space. The functions for callers begin a game, carry out an action of the player
    to act, or the actions of all who decide at once."""

    def blocks(self) -> Mapping[str, Sequence[Section]]:
        """The arrays of each block, one behind the other."""
        return {
            "state": [*self.registers(), *self.kept_sections(), self.zones()],
            "desk": [*self.desk(), *self.working()],
        }

    @cached_property
    def _layout(self) -> Layout:
        return self.layout()

    def registers(self) -> list[Section]:
        return [("r", "i64s", self._layout.r), ("n", "i64s", self._layout.n)]

    def zones(self) -> Section:
        return "z", "i16s", -(-self._layout.z // 4)

    def kept_sections(self) -> list[Section]:
        """The arrays of what players know."""
        return []

    def desk(self) -> list[Section]:
        return [("w", "i64s", self._layout.asked), ("legal", "i64s", self._layout.legal)]

    def working(self) -> list[Section]:
        """The arrays of the working space."""
        return [("bits", "u64s", self._layout.bits), ("taken", "i64s", self._layout.taken)]

    def starts(self, block: str) -> dict[str, int]:
        """Where each array of a block begins."""
        sections = self.blocks()[block]
        starts = accumulate((size for _, _, size in sections), initial=0)
        return {called: start for (called, _, _), start in zip(sections, starts, strict=False)}

    def sizes(self) -> Mapping[str, int]:
        return {block: sum(size for _, _, size in sections) for block, sections in self.blocks().items()}

    def parts(self) -> list[ast.stmt]:
        return [statement for block in self.blocks() for statement in self._named(block)]

    def _named(self, block: str) -> Iterator[ast.stmt]:
        """Statements that name the arrays of a block. A part counts in 64-bit numbers."""
        starts = self.starts(block)
        for called, kind, size in self.blocks()[block]:
            yield part(name(called), kind, block, starts[called], size * (4 if kind == "i16s" else 1))

    # functions for callers

    def exported(self) -> list[ast.FunctionDef]:
        action = assign(ACTION & UNTYPED, ACTION)
        taken = [action, *self.body(self.note_chosen), self.runs(call("take", ACTION, *self.passed))]
        revealed = [*self.body(self.note_revealed), self.runs(call("reveal_all", *self.passed))]
        return [
            self.export("begin_game", {"seed": "u64"}, self.body(self.new_state)),
            self.export("carry_out", {"action": "i64"}, taken),
            self.export("reveal_all_of", {}, revealed),
        ]

    def export(self, called: str, arguments: dict[str, str], body: list[ast.stmt]) -> ast.FunctionDef:
        given = dict.fromkeys(self.blocks(), "i64s") | arguments
        return syntax.function(called, given, [*self.parts(), *body], "None")

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

    def note_chosen(self) -> None:
        """Writes: players observe the action of the player to act."""

    def note_revealed(self) -> None:
        """Writes: players observe the actions of all who chose at once."""
