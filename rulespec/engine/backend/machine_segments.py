"""Segments in machine code, for the Python API.

A state consists of two arrays: `m`, with the parts `r` (the registers, then the state of the random stream) and `n`,
and `z` (see arrays.py). A third array, `w`, returns the decision point (the constants below are its indices), then the
legal actions; the rest is working space. No events are emitted (see engine/native.py).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rulespec.engine import ir
from rulespec.engine.backend.arrays import WORD, Arrays
from rulespec.engine.backend.choosing import plain_interval
from rulespec.engine.backend.machine_playout import Source
from rulespec.engine.backend.segments import SegmentWriter
from rulespec.engine.backend.statements import Statements
from rulespec.engine.running import SIMULTANEOUS, STOP
from rulespec.model.types import NONE

PLACE, PLAYER, LEGAL, ASKED = range(4)
"""Indices of `w`: the position at which the program stopped, the player to act, the number of legal actions; from ASKED
on, the number of legal actions of each player in a secret choice, then the chosen action of each (-1 for none)."""

_GIVEN = "m: i64s, z: i16s, w: i64s"
_ARGUMENTS = "r: i64s, n: i64s, z: i16s, w: i64s, legal: i64s, bits: u64s, taken: i64s"
_PASSED = "r, n, z, w, legal, bits, taken"


def capacity(program: ir.Program) -> int:
    """The room of a zone: all cards and 16 more, rounded up to a power of two for fast indexing."""
    return 1 << (len(program.cards) + 16).bit_length()


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


class MachineSegments(SegmentWriter, Arrays):
    """Writes the segments of a program for machine code."""

    def __init__(self, program: ir.Program) -> None:
        super().__init__(program)
        self.stream = len(program.start)

    def layout(self) -> Layout:
        program = self.program
        options = [node for i in program.code for node in ir.walk(i) if isinstance(node, ir.Option)]
        asked = [sum(o.size for o in i.options) for i in program.code if isinstance(i, ir.Choose)]
        asked += [sum(o.size for a in i.askings for o in a.options) for i in program.code if isinstance(i, ir.Secret)]
        places = capacity(program)
        return Layout(
            r=len(program.start) + 1,
            n=max(1, len(program.zones)),
            z=max(1, len(program.zones) * places + places),
            asked=ASKED + 2 * program.players,
            legal=max(asked, default=1) or 1,
            bits=1 + sum(-(-option.size // WORD) for option in options),
            taken=max(places, 1 + max(program.cards, default=0)),
        )

    def source(self, rollouts: bool = False) -> Source:
        """`begin` runs from a place; `act` carries out an action of the player to act, `reveal` all secret choices.

        With `rollouts` also `rollout`, which carries out an action (-1: the secret choices) and then plays on to the
        end with uniformly random actions, drawn from the state of a random stream.
        """
        flow = self.flow()
        for head in flow.heads:
            self._function(f"at_{head}({_ARGUMENTS}) -> i64")
            Statements(self, self.work, self.ways, "return {}".format).write(flow.tree(head))
        self._function(f"take(action: i64, {_ARGUMENTS}) -> i64")
        self._takes()
        self._function(f"reveal_all({_ARGUMENTS}) -> i64")
        self._reveals()
        self._exported(flow.heads)
        if rollouts:
            self._rollout()
        text = re.sub(r"\bC\b", str(capacity(self.program)), "\n".join([*self.lines, ""]))
        return Source(text, {name: values for values, name in self.tables.items()})

    def _function(self, head: str) -> None:
        self.available.clear()
        self.lines += ["", "", f"def {head}:"]
        if head.startswith("at_"):
            self.put(f"deal = u64(r[{self.stream}])")

    def _exported(self, heads: Sequence[int]) -> None:
        self._function(f"run(place: i64, {_ARGUMENTS}) -> None")
        with self.inside("while place >= 0:"):
            for number, head in enumerate(heads):
                with self.inside(f"{'el' if number else ''}if place == {head}:"):
                    self.put(f"place = at_{head}({_PASSED})")
        for named, place in (
            (f"begin(place: i64, {_GIVEN})", "place"),
            # The action is passed as a 32-bit integer (see native.py).
            (f"act(action: i64, {_GIVEN})", f"take(action & {2**32 - 1}, {_PASSED})"),
            (f"reveal(decided: i64, {_GIVEN})", f"reveal_all({_PASSED})"),
        ):
            self._function(f"{named} -> None")
            self._parts()
            self.put(f"run({place}, {_PASSED})")

    def _rollout(self) -> None:
        players = self.program.players
        self._function(f"rollout(action: i64, policy: u64, {_GIVEN}) -> None")
        self._parts()
        with self.inside("if action < 0:"):
            self.put(f"run(reveal_all({_PASSED}), {_PASSED})")
        with self.inside("else:"):
            self.put(f"run(take(action, {_PASSED}), {_PASSED})")
        with self.inside(f"while w[{PLAYER}] != {STOP}:"):
            with self.inside(f"if w[{PLAYER}] == {SIMULTANEOUS}:"):
                self.put("first = 0")
                with self.inside(f"for p in range(0, {players}):"):
                    self.put(f"count = w[{ASKED} + p]", f"w[{ASKED + players} + p] = -1")
                    with self.inside("if count > 0:"):
                        self.put("policy, place = below(policy, count)")
                        self.put(f"w[{ASKED + players} + p] = legal[first + place]", "first = first + count")
                self.put(f"run(reveal_all({_PASSED}), {_PASSED})")
            with self.inside("else:"):
                self.put(f"policy, place = below(policy, w[{LEGAL}])")
                self.put(f"run(take(legal[place], {_PASSED}), {_PASSED})")

    def _parts(self) -> None:
        layout = self.layout()
        self.put("r = part(i64s, m, 0)", f"n = part(i64s, m, {layout.r})")
        first = layout.asked
        for name, kind, size in (("legal", "i64s", layout.legal), ("bits", "u64s", layout.bits), ("taken", "i64s", 0)):
            self.put(f"{name} = part({kind}, w, {first})")
            first += size

    # randomness is part of the state

    def draw(self, stream: str, bound: str, name: str = "") -> str:
        name = super().draw(stream, bound, name)
        self.put(f"r[{self.stream}] = i64(deal)")
        return name

    def shuffle(self, i: ir.Shuffle) -> None:
        super().shuffle(i)
        self.put(f"r[{self.stream}] = i64(deal)")

    # choices

    def choose(self, place: int, i: ir.Choose) -> None:
        count = self.name("k")
        self.put(f"{count} = 0")
        self._legal(i.options, count)
        with self.inside(f"if {count} > 0:"):
            self.put(f"w[{LEGAL}] = {count}")
            self.stop(place, self.value(i.by), "")

    def _legal(self, options: Sequence[ir.Option], count: str) -> None:
        """Writes code that adds the legal actions of some options to `legal`."""
        for option in options:
            if not option.picks:
                add = (f"legal[{count}] = {option.first}", f"{count} += 1")
                if option.condition is None:
                    self.put(*add)
                else:
                    with self.inside(f"if {self.test(option.condition)}:"):
                        self.put(*add)
            elif (interval := plain_interval(option)) is not None:
                number, base = self.name("i"), option.first - interval.least
                low, high = self.value(interval.low), self.value(interval.high)
                with self.inside(f"for {number} in range({low}, {high} + 1):"):
                    self.put(f"legal[{count}] = {number} + {base}", f"{count} += 1")
            else:
                found = self.collection(option.size)
                self.collect(option, found)
                many = f"list_many(bits, {found}, {-(-option.size // WORD)}, legal, {count}, {option.first})"
                one = f"list_bits({found}, legal, {count}, {option.first})"
                self.put(f"{count} = {one if option.size <= WORD else many}")

    def secret(self, place: int, i: ir.Secret) -> None:
        count, before = self.name("k"), self.name("k")
        self.put(f"{count} = 0")
        for asking in i.askings:
            self.put(f"{self.register(asking.chosen)} = {NONE}", f"{before} = {count}")
            with self.inside(f"if {self.test(asking.asked)}:"):
                self._legal(asking.options, count)
            self.put(f"w[{ASKED + asking.player}] = {count} - {before}")
        with self.inside(f"if {count} > 0:"):
            self.stop(place, str(SIMULTANEOUS), "")

    def stop(self, place: int, player: str, legal: str) -> None:
        if legal == "[]":
            self.put(f"w[{LEGAL}] = 0")
        self.put(f"w[{PLACE}] = {place}", f"w[{PLAYER}] = {player}", f"return {STOP}")

    def _takes(self) -> None:
        for place, i in enumerate(self.program.code):
            if isinstance(i, ir.Choose):
                with self.inside(f"if w[{PLACE}] == {place}:"):
                    for option in i.options:
                        with self.inside(f"if {option.first} <= action < {option.first + option.size}:"):
                            self.taken_option(option)
                            self.put(f"return {self.follows[option.target]}")
        self.put(f"return {STOP}")

    def _reveals(self) -> None:
        for place, i in enumerate(self.program.code):
            if isinstance(i, ir.Secret):
                with self.inside(f"if w[{PLACE}] == {place}:"):
                    self._reveal(i)
                    self.put(f"return {self.follows[place + 1]}")
        self.put(f"return {STOP}")

    def _reveal(self, i: ir.Secret) -> None:
        self.none_taken()
        for asking in i.askings:
            self.put(f"action = w[{ASKED + self.program.players + asking.player}]")
            for number, option in enumerate(asking.options):
                with self.inside(f"if {option.first} <= action < {option.first + option.size}:"):
                    self.taken_option(option, secret=True)
                    self.put(f"{self.register(asking.chosen)} = {number}")
