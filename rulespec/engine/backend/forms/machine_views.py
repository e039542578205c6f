"""Segments in machine code that keep what players know, and write observations as tensors and for texts.

What players know is kept as machine_observed.py says; runtime/tensors.py and runtime/described.py write observations.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from struct import pack, unpack

from rulespec.engine.backend.dialects.arrays import SIZES, ZONES
from rulespec.engine.backend.forms.blocks import Section
from rulespec.engine.backend.forms.machine_observed import KNOWN, PAST, MachineObserved, Sight
from rulespec.engine.backend.forms.machine_source import Source, runtime_functions
from rulespec.engine.backend.runtime.digest import UNDISCLOSED
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.syntax import Code, assign, call, do, name, number, unequal
from rulespec.engine.program import ir
from rulespec.language.model.types import LIMIT, NONE

_OUT, _FACTS, _PLAYER, _NUMBER = map(name, ("out", "facts", "player", "number"))
KINDS = ("place", "number", "set")
"""How the content of a value is written (see tensors.py)."""
RUNTIME = ("known.py", "observed.py", "tensors.py", "described.py")
SEAT_BITS = 8
"""Bits of a seat in the number that `observe` gets: above are a bit for each seat that decides."""


@dataclass(frozen=True)
class Content:
    """A titled value in a tensor: where its part begins, and how what it holds is written (see tensors.py): the index
    of its kind among KINDS, the least content, and the number of members or the greatest content less the least. `seen`
    are the players who know it."""

    value: ir.TitledValue
    start: int
    kind: int
    low: int
    size: int
    seen: frozenset[int]


@dataclass(frozen=True)
class Tensors:
    """The layout of tensors: the values; where the part of each zone begins; the size of an observation and that of the
    part for choices. `copies` has the number of cards of every face, from 1."""

    contents: Sequence[Content]
    zones: Sequence[int]
    copies: Sequence[int]
    size: int
    choices: int


class MachineViews(MachineObserved):
    """Writes the segments of a program that keep what players know, and the code of tensors."""

    def __init__(self, program: ir.Program, sight: Sight, tensors: Tensors) -> None:
        super().__init__(program, sight)
        self.tensors = tensors

    @property
    def facts(self) -> int:
        """The size of what runtime/described.py writes."""
        zones = len(self.program.zones) * (4 + 2 * len(self.tensors.copies))
        return max(1, len(self.tensors.contents) + zones + len(self.program.cards))

    def sizes(self) -> Mapping[str, int]:
        return {**super().sizes(), "out": self.tensors.size + self.tensors.choices}

    def working(self) -> list[Section]:
        return [*super().working(), ("facts", "i64s", self.facts)]

    def constants(self) -> Mapping[str, int]:
        sizes = {"TENSOR_SIZE": self.tensors.size, "CHOICES": self.tensors.choices, "ONE": 0x3F800000}
        kinds = {f"{kind.upper()}_KIND": at for at, kind in enumerate(KINDS)}
        absent = {"ABSENT": NONE, "LIMITLESS": LIMIT, "UNDISCLOSED": UNDISCLOSED}
        return {**super().constants(), **sizes, **kinds, **absent, "VALUE_COUNT": len(self.tensors.contents)}

    def source(self) -> Source:
        """The segments; `observe`, which writes an observation and the latest choices; `describe` for texts."""
        made = super().source()
        known = {"player": "i64", "facts": "i64s"}
        values = syntax.function("know_values", known | {**self.arguments}, self.body(self._know_values), "None")
        values.decorator_list.append(name("cold").node)
        functions = [*runtime_functions(*RUNTIME), *made.functions, values, *self.observers()]
        tables = {**self.tables, **self.tables_of_sight(), **self._tables_of_tensors()}
        return Source(functions, tables, made.runtime, made.constants, made.sizes)

    def _tables_of_tensors(self) -> dict[str, tuple[int, ...]]:
        tensors = self.tensors
        return {
            "ZONE_PARTS": (*tensors.zones, tensors.size),
            "SIZE_SHARES": (*self._shares(max(1, len(self.program.cards))),),
            "FACE_SHARES": (*self._shares(len(tensors.copies) - 1),),
            "FIRST_SHARES": (*accumulate((copies + 1 for copies in tensors.copies), initial=0),),
            "COPY_SHARES": (*(share for copies in tensors.copies for share in self._shares(copies)),),
            "VALUE_PARTS": (*(content.start for content in tensors.contents), 0),
            "VALUE_KINDS": (*(content.kind for content in tensors.contents), 0),
            "VALUE_LOWS": (*(content.low for content in tensors.contents), 0),
            "VALUE_SIZES": (*(content.size for content in tensors.contents), 0),
        }

    def _shares(self, whole: int) -> list[int]:
        """The numbers from 0 to a whole as parts of it, as an observation has them."""
        return [self.share(part, max(1, whole)) for part in range(whole + 1)]

    def share(self, part: int, whole: int) -> int:
        """A part of a whole as an observation has it."""
        (bits,) = unpack("i", pack("f", part / whole))
        return int(bits)

    def observers(self) -> Iterator[ast.FunctionDef]:
        """The functions for callers from outside that observe."""
        yield self.export("describe", {"number": "i64"}, self.body(self._describe))
        yield self.export("observe", {"number": "i64", "out": "f32s"}, self.body(self._observe))

    def _know_values(self) -> None:
        for place, content in enumerate(self.tensors.contents):
            self.put(assign(self._known_content(content), _FACTS[place]))

    def _known_content(self, content: Content) -> Code:
        players = range(self.program.players)
        if content.seen.issuperset(players):
            return self.value(content.value.expression)
        seen = self.table([int(player in content.seen) for player in players])
        return self.either(
            unequal(seen[_PLAYER], 0), lambda: self.value(content.value.expression), lambda: number(UNDISCLOSED)
        )

    def _describe(self) -> None:
        self.put(assign(_NUMBER & 2**SEAT_BITS - 1, _PLAYER))
        self.put(do(call("know_values", _PLAYER, _FACTS, *self.passed)))
        self.put(do(call("describe_zones", _FACTS, ZONES, SIZES, KNOWN, _PLAYER)))

    def _observe(self) -> None:
        self.put(assign(_NUMBER & 2**SEAT_BITS - 1, _PLAYER))
        # The number is passed as a 32-bit integer (see native.py).
        self.observation((_NUMBER & 2**32 - 1) >> SEAT_BITS)
        self.latest_choices()

    def observation(self, deciders: Code) -> None:
        """Writes: write what `player` observes while some players decide."""
        self.put(do(call("blank", _OUT, 0, self.tensors.size)))
        self.turn_and_values(deciders)
        self.put(do(call("write_values", _OUT, _FACTS)))
        self.put(do(call("write_zones", _OUT, _FACTS, ZONES, SIZES, KNOWN, _PLAYER)))

    def turn_and_values(self, deciders: Code) -> None:
        """Writes: write who observes and who decides, and compute the values that `player` knows."""
        self.put(do(call("write_turn", _OUT, _PLAYER, deciders)))
        self.put(do(call("know_values", _PLAYER, _FACTS, *self.passed)))

    def latest_choices(self) -> None:
        """Writes: write the latest choices behind them."""
        self.put(do(call("write_choices", _OUT, PAST, _PLAYER)))
