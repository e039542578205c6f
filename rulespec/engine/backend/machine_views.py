"""Segments in machine code that also keep what each player knows of hidden cards, and write observations as tensors.

They are those of machine_segments.py with one more array of a state: `k`, with the part `known`. What they do with it
is in runtime_views.py.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulespec.engine import ir
from rulespec.engine.backend import syntax
from rulespec.engine.backend.arrays import SIZES, ZONES
from rulespec.engine.backend.machine_playout import Source
from rulespec.engine.backend.machine_segments import ARGUMENTS, MachineSegments, part
from rulespec.engine.backend.syntax import Code, assign, call, do, name, when
from rulespec.engine.closures import SILENT
from rulespec.model.types import LIMIT, NONE

_KNOWN, _OUT, _PLAYER, _NUMBER = map(name, ("known", "out", "player", "number"))
SEAT_BITS = 8
"""Bits of a seat in the number that `observe` and `recall` get: above are a bit for each seat that decides, or the
number of choices."""


@dataclass(frozen=True)
class Content:
    """A titled value in a tensor: where its part begins, and how what it holds is written (see tensors.py). `seen` are
    the players who know it."""

    value: ir.TitledValue
    start: int
    kind: str
    numbers: tuple[int, ...]
    seen: frozenset[int]


@dataclass(frozen=True)
class Views:
    """What players may know of a game, if that does not depend on the state, and the layout of their tensors.

    `hidden` are the zones that each player cannot look into. `faces` has the face of every card and `copies` the cards
    of every face, from 1. `zones` is where the part of each zone begins, `choices` the size of the last part.
    """

    ordered: Sequence[bool]
    hidden: Sequence[frozenset[int]]
    faces: Sequence[int]
    copies: Sequence[int]
    contents: Sequence[Content]
    zones: Sequence[int]
    size: int
    choices: int

    def tables(self) -> tuple[dict[str, tuple[int, ...]], int, int]:
        """The tables PLACES and COUNTS of the parts of `known`; where the batches of shown cards begin; its size."""
        cards, places, counts, end = sum(self.copies), list[int](), list[int](), 1
        for zones in self.hidden:
            for zone, ordered in enumerate(self.ordered):
                hidden = zone in zones
                places.append(end if hidden and ordered else 0)
                end += cards if hidden and ordered else 0
                counts.append(end if hidden else 0)
                end += len(self.copies) if hidden else 0
        return {"PLACES": (*places, 0), "COUNTS": (*counts, 0)}, end, end + len(self.hidden) * len(self.copies)


class MachineViews(MachineSegments):
    """Writes the segments of a program that keep what players know."""

    arguments: Mapping[str, str] = ARGUMENTS | {"known": "i16s"}
    given: Mapping[str, str] = {"m": "i64s", "z": "i16s", "k": "i64s", "w": "i64s"}
    runtime = "runtime_segments.py"

    def __init__(self, program: ir.Program, views: Views) -> None:
        super().__init__(program, tuple(kind for kind in SILENT if kind is not ir.Show))
        self.views = views
        self._places, self._batches, self._end = views.tables()

    @property
    def kept(self) -> int:
        """The size of `k`."""
        return -(-self._end // 4)

    def parts(self) -> list[ast.stmt]:
        return [*super().parts(), part(_KNOWN, "i16s", "k", 0, 4 * self.kept)]

    def sizes(self) -> Mapping[str, int]:
        return {**super().sizes(), "k": self.kept, "out": self.views.size + self.views.choices}

    def constants(self) -> Mapping[str, int]:
        program, views = self.program, self.views
        return {
            **{"PLAYERS": program.players, "ZONE_COUNT": len(program.zones), "ROOM": self.room},
            **{"FACE_COUNT": len(views.copies) - 1, "BATCHES": self._batches, "OPTION_COUNT": len(program.options)},
            **{"TENSOR_SIZE": views.size, "CHOICES": views.choices, "ONE": 0x3F800000},
            **{"ABSENT": NONE, "LIMITLESS": LIMIT},
        }

    def source(self, rollouts: bool = False) -> Source:
        """The segments, `observe` and `recall`, which writes the latest choices."""
        made = super().source(rollouts)
        functions = [*runtime_functions(), *made.functions, *self._writers()]
        return Source(functions, {**self.tables, **self._tables_of_views()}, made.runtime, made.constants, made.sizes)

    def _tables_of_views(self) -> dict[str, tuple[int, ...]]:
        views, options = self.views, self.program.options
        return self._places | {
            "IS_ORDERED": (*map(int, views.ordered), 0),
            "FACES": (*views.faces, 0),
            "COPIES": (*views.copies,),
            "ZONE_PARTS": (*views.zones, max(1, len(self.program.cards))),
            "FIRST_ACTIONS": (*(option.first for option in options), self.program.actions),
            "IS_SECRET": (*(int(option.secret) for option in options), 0),
        }

    # what players learn

    def one_moves(self, a: Code, place: Code, b: Code) -> None:
        self.put(do(call("card_leaves", ZONES, SIZES, _KNOWN, a, place, b)))
        super().one_moves(a, place, b)

    def top_moves(self, a: Code, b: Code) -> None:
        self.put(do(call("card_leaves", ZONES, SIZES, _KNOWN, a, SIZES[a] - 1, b)))
        super().top_moves(a, b)

    def all_move(self, i: ir.Move, a: Code, b: Code) -> None:
        self.put(do(call("all_leave", ZONES, SIZES, _KNOWN, a, b)))
        super().all_move(i, a, b)

    def shuffle(self, i: ir.Shuffle) -> None:
        super().shuffle(i)
        self.put(do(call("lose_order", SIZES, _KNOWN, self.zone(i.zone))))

    def happens(self, place: int, i: ir.Instruction) -> None:
        super().happens(place, i)
        if isinstance(i, ir.Show):
            zone, card = self.zone(i.zone), self.once(self.register(i.card))
            about = self.position(zone, card), card, self.register(i.to), self.register(i.number)
            self.put(do(call("card_shown", _KNOWN, zone, *about)))

    # tensors

    def _writers(self) -> Iterator[ast.FunctionDef]:
        yield self.export("observe", {"number": "i64", "out": "i32s"}, self.body(self._observe))
        written = do(call("write_choices", _OUT, *_split(_NUMBER), name("latest")))
        yield syntax.function("recall", {"number": "i64", "out": "i32s", "latest": "i64s"}, [written], "None")

    def _observe(self) -> None:
        player, deciders = _split(_NUMBER)
        self.put(assign(player, _PLAYER), do(call("write_turn", _OUT, _PLAYER, deciders)))
        for content in self.views.contents:
            self._write(content)
        self.put(do(call("write_zones", _OUT, ZONES, SIZES, _KNOWN, _PLAYER)))

    def _write(self, content: Content) -> None:
        players = range(self.program.players)
        if content.seen.issuperset(players):
            self._write_content(content)
        elif content.seen:
            seen = self.table([int(player in content.seen) for player in players])
            with self.inside(when(seen[_PLAYER])):
                self._write_content(content)

    def _write_content(self, content: Content) -> None:
        held = self.value(content.value.expression)
        self.put(do(call(f"write_{content.kind}", _OUT, content.start, held, *content.numbers)))


def _split(number: Code) -> tuple[Code, Code]:
    """The seat in a number, and what is above it."""
    return number & 2**SEAT_BITS - 1, number >> SEAT_BITS


def runtime_functions() -> list[ast.FunctionDef]:
    """The functions of runtime_views.py."""
    text = Path(__file__).with_name("runtime_views.py").read_text(encoding="utf-8")
    return [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
