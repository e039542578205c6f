"""Segments in machine code, for searches and rollouts; blocks.py has those of states in progress.

A state consists of two arrays: `m`, with the parts `r` (the registers, then the state of the random stream) and `n`,
and `z` (see arrays.py). A third array, `w`, returns the decision point (the constants below are its indices), then the
legal actions; the rest is working space. No events are emitted (see engine/states/native.py).
"""

from __future__ import annotations

import ast
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulespec.engine.backend.dialects.arrays import BITS, DEAL, SIZES, TAKEN, WORD, Arrays, i64, u64, words, zeros
from rulespec.engine.backend.forms.machine_source import Source
from rulespec.engine.backend.forms.segments import ACTION, SegmentWriter
from rulespec.engine.backend.tree import syntax
from rulespec.engine.backend.tree.legal_actions import plain_interval
from rulespec.engine.backend.tree.syntax import Code, assign, call, equal, give, loop, name, repeat, when, within
from rulespec.engine.backend.tree.writer import REGISTERS
from rulespec.engine.interpreter.closures import Kinds
from rulespec.engine.interpreter.running import SIMULTANEOUS, STOP
from rulespec.engine.program import ir
from rulespec.language.model.types import NONE

PLACE, PLAYER, LEGAL, ASKED = range(4)
"""Indices of `w`: the position at which the program stopped, the player to act, the number of legal actions; from ASKED
on, the number of legal actions of each player in a secret choice, then the chosen action of each (-1 for none)."""

_GIVEN = {"m": "i64s", "z": "i16s", "w": "i64s"}
ARGUMENTS = {"r": "i64s", "n": "i64s", "z": "i16s", "w": "i64s", "legal": "i64s", "bits": "u64s", "taken": "i64s"}
_ACTION = {"action": "i64"}
_DESK, _LEGAL, _START, _POLICY = name("w"), name("legal"), name("place"), name("policy")
PASSED = tuple(map(name, ARGUMENTS))


@dataclass(frozen=True)
class Layout:
    """The sizes of the arrays of the code and of their parts, in elements."""

    r: int
    n: int
    z: int
    asked: int
    legal: int
    bits: int
    taken: int

    @property
    def w(self) -> int:
        return self.asked + self.legal + self.bits + self.taken

    @property
    def room(self) -> int:
        """The room for the cards of each zone."""
        return self.z // (self.n + 1)

    def position(self, registers: Sequence[int], zones: Sequence[Sequence[int]]) -> tuple[array[int], array[int]]:
        """The arrays `m` and `z` of a position, by its registers and zones; the random stream is not set."""
        m, z, room = zeros(self.r + self.n), array("h", bytes(2 * self.z)), self.room
        m[: self.r - 1] = array("q", registers[: self.r - 1])
        for zone, cards in enumerate(zones):
            m[self.r + zone] = len(cards)
            z[zone * room : zone * room + len(cards)] = array("h", cards)
        return m, z


class MachineSegments(SegmentWriter, Arrays):
    """Writes the segments of a program for machine code. `given` are the arrays that callers pass, `arguments` the
    parts of them that the functions pass to each other."""

    given: Mapping[str, str] = _GIVEN
    arguments: Mapping[str, str] = ARGUMENTS
    runtime = "segments.py"

    def __init__(self, program: ir.Program, emitting: Kinds = ()) -> None:
        super().__init__(program, emitting)
        self.stream = len(program.start)

    @property
    def passed(self) -> tuple[Code, ...]:
        return tuple(map(name, self.arguments))

    def layout(self) -> Layout:
        program = self.program
        offered = [i.offered for i in program.code]
        options, asked = [o for each in offered for o in each], [sum(o.size for o in each) for each in offered]
        return Layout(
            r=len(program.start) + 1,
            n=max(1, len(program.zones)),
            z=max(1, (len(program.zones) + 1) * self.room),
            asked=ASKED + 2 * program.players,
            legal=max(asked, default=1) or 1,
            bits=1 + sum(words(option.size) for option in options),
            taken=max(self.room, 1 + max(program.cards, default=0)),
        )

    def source(self) -> Source:
        """The segments, and functions that run them."""
        flow = self.flow()
        draws: ast.stmt = assign(u64(REGISTERS[self.stream]), DEAL)
        segments = {head: [draws, *self.segment(flow, head)] for head in flow.heads}
        functions = [
            *(syntax.function(f"at_{head}", self.arguments, body, "i64") for head, body in segments.items()),
            syntax.function("take", _ACTION | {**self.arguments}, self.body(self._takes), "i64"),
            syntax.function("reveal_all", self.arguments, self.body(self._reveals), "i64"),
            self.running(flow.heads),
            *self.exported(),
        ]
        return Source(functions, self.tables, self.runtime, self.constants(), self.sizes())

    def constants(self) -> Mapping[str, int]:
        """The numbers that functions of the runtime refer to by name."""
        return {}

    def sizes(self) -> Mapping[str, int]:
        """The sizes of the arrays that callers give."""
        layout = self.layout()
        return {"m": layout.r + layout.n, "z": layout.z, "w": layout.w}

    def running(self, heads: Sequence[int]) -> ast.FunctionDef:
        """The function `run`, which runs segments from a place up to the next decision."""
        steps = [self._segment(sorted(heads))]
        function = syntax.function("run", {"place": "i64", **self.arguments}, [repeat(_START >= 0, steps)], "None")
        # Inlined into each exported function, it would take several times as long to compile.
        function.decorator_list.append(name("cold").node)
        return function

    def _segment(self, heads: Sequence[int]) -> ast.stmt:
        """Runs the segment at a place, found by halves: the more choices a game has, the more segments there are."""
        if len(heads) == 1:
            return assign(call(f"at_{heads[0]}", *self.passed), _START)
        middle = len(heads) // 2
        return when(heads[middle] > _START, [self._segment(heads[:middle])], [self._segment(heads[middle:])])

    def exported(self) -> list[ast.FunctionDef]:
        """The functions for callers from outside."""
        return []

    def export(self, called: str, arguments: dict[str, str], body: list[ast.stmt]) -> ast.FunctionDef:
        """A function for callers from outside, which give the arrays of a state."""
        return syntax.function(called, {**arguments, **self.given}, [*self.parts(), *body], "None")

    def runs(self, place: Code) -> ast.stmt:
        """Runs segments from a place."""
        return syntax.do(call("run", place, *self.passed))

    def random_play(self) -> None:
        """Writes: play on to the end with uniformly random actions."""
        with self.inside(repeat(syntax.unequal(_DESK[PLAYER], STOP))):
            with self.inside(when(equal(_DESK[PLAYER], SIMULTANEOUS))) as test:
                players, first, seat, count = self.program.players, name("first"), name("p"), name("count")
                chosen = _DESK[syntax.number(ASKED + players) + seat]
                self.put(assign(0, first))
                with self.inside(loop(seat, call("range", 0, players))):
                    self.put(assign(_DESK[syntax.number(ASKED) + seat], count), assign(-1, chosen))
                    with self.inside(when(count > 0)):
                        self.put(_drawn(count), assign(_LEGAL[first + _START], chosen), assign(first + count, first))
                self.put(self.runs(call("reveal_all", *self.passed)))
            with self.otherwise(test):
                self.put(_drawn(_DESK[LEGAL]), self.runs(call("take", _LEGAL[_START], *self.passed)))

    def parts(self) -> list[ast.stmt]:
        """Statements that name the parts of the arrays of a state."""
        layout = self.layout()
        parts = [part(REGISTERS, "i64s", "m", 0, layout.r), part(SIZES, "i64s", "m", layout.r, layout.n)]
        desk = layout.asked
        for named, kind, size in (
            (_LEGAL, "i64s", layout.legal),
            (BITS, "u64s", layout.bits),
            (TAKEN, "i64s", layout.taken),
        ):
            parts.append(part(named, kind, "w", desk, size))
            desk += size
        return parts

    # randomness is part of the state

    def draw(self, stream: str, bound: syntax.Operand, drawn: Code | None = None) -> Code:
        drawn = super().draw(stream, bound, drawn)
        self._keep_stream()
        return drawn

    def shuffle(self, i: ir.Shuffle) -> None:
        super().shuffle(i)
        self._keep_stream()

    def _keep_stream(self) -> None:
        self.put(assign(i64(DEAL), REGISTERS[self.stream]))

    # choices

    def choose(self, place: int, i: ir.Choose) -> None:
        count = self.name("k")
        self.put(assign(0, count))
        self._list(i.options, count)
        with self.inside(when(count > 0)):
            self.put(assign(count, _DESK[LEGAL]))
            self._stop(place, self.value(i.by))

    def _list(self, options: Sequence[ir.Option], count: Code) -> None:
        """Writes code that adds the legal actions of some options to `legal`."""
        for option in options:
            if not option.picks:
                listed = [assign(option.first, _LEGAL[count]), syntax.increase(count, 1)]
                self.put(*(listed if option.condition is None else [when(self.test(option.condition), listed)]))
            elif (interval := plain_interval(option)) is not None:
                action, base = self.name("i"), option.first - interval.least
                low, high = self.value(interval.low), self.value(interval.high)
                with self.inside(loop(action, call("range", low, high + 1))):
                    self.put(assign(action + base, _LEGAL[count]), syntax.increase(count, 1))
            else:
                found = self.collection(option.size)
                self.collect(option, found)
                self.put(assign(self._listed(option, found, count), count))

    def _listed(self, option: ir.Option, found: Code, count: Code) -> Code:
        """Adds the actions of a collection to `legal`; the new number of actions there."""
        if option.size <= WORD:
            return call("list_bits", found, _LEGAL, count, option.first)
        return call("list_many", BITS, found, words(option.size), _LEGAL, count, option.first)

    def secret(self, place: int, i: ir.Secret) -> None:
        count, before = self.name("k"), self.name("k")
        self.put(assign(0, count))
        for asking in i.askings:
            self.put(assign(NONE, self.register(asking.chosen)), assign(count, before))
            with self.inside(when(self.test(asking.asked))):
                self._list(asking.options, count)
            self.put(assign(count - before, _DESK[ASKED + asking.player]))
        with self.inside(when(count > 0)):
            self._stop(place, SIMULTANEOUS)

    def ends(self, place: int) -> None:
        self.put(assign(0, _DESK[LEGAL]))
        self._stop(place, STOP)

    def _stop(self, place: int, player: syntax.Operand) -> None:
        """Leaves the segment at a decision point or at the end of the game."""
        self.put(assign(place, _DESK[PLACE]), assign(player, _DESK[PLAYER]), give(STOP))

    def _takes(self) -> None:
        for place, i in enumerate(self.program.code):
            if isinstance(i, ir.Choose):
                with self.inside(when(equal(_DESK[PLACE], place))):
                    for option in i.options:
                        with self.inside(when(within(option.first, ACTION, option.first + option.size))):
                            self.taken_option(option)
                            self.put(give(self.follows[option.target]))
        self.put(give(STOP))

    def _reveals(self) -> None:
        for place, i in enumerate(self.program.code):
            if isinstance(i, ir.Secret):
                with self.inside(when(equal(_DESK[PLACE], place))):
                    self.none_taken()
                    for asking in i.askings:
                        self.put(assign(_DESK[ASKED + self.program.players + asking.player], ACTION))
                        for n, option in enumerate(asking.options):
                            with self.inside(when(within(option.first, ACTION, option.first + option.size))):
                                self.taken_option(option, secret=True)
                                self.put(assign(n, self.register(asking.chosen)))
                    self.put(give(self.follows[place + 1]))
        self.put(give(STOP))


def _drawn(bound: Code) -> ast.stmt:
    """Draws a random number for a player."""
    return assign(call("below", _POLICY, bound), syntax.tuple_of(_POLICY, _START))


def part(array: Code, kind: str, of: str, first: int, size: int) -> ast.stmt:
    """Names a part of an array, from an element of the whole on, with its size."""
    return assign(call("part", name(kind), name(of), first, size), array)
