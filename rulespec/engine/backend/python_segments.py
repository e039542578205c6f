"""Segments in plain Python.

`at_N` runs on from place N and gives the place where another piece goes on, or STOP. `take_N` carries out a choice made
at place N and gives the place where play goes on. The state is the interpreter's own, so that any position without a
segment can be interpreted.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.engine import ir
from rulespec.engine.backend.choosing import plain_interval
from rulespec.engine.backend.lists import Lists
from rulespec.engine.backend.segments import SegmentWriter
from rulespec.engine.backend.statements import Statements
from rulespec.engine.closures import SILENT
from rulespec.engine.running import SIMULTANEOUS, STOP
from rulespec.model.types import NONE


class PythonSegments(SegmentWriter, Lists):
    """Writes the segments of a program in plain Python; `records` says whether they emit events."""

    def __init__(self, program: ir.Program, records: bool) -> None:
        super().__init__(program, () if records else SILENT)
        self.records = records
        self.names = tuple(dict.fromkeys(i.value for i in program.code if isinstance(i, ir.Let) and i.value))

    def source(self) -> str:
        """A module with `RUN` and `TAKE`, functions by place. Expects `NAMES`, `NONE_ASKED` and `broken`."""
        flow = self.flow()
        for head in flow.heads:
            self._function(f"at_{head}(s)")
            Statements(self, self.work, self.ways, "return {}".format).write(flow.tree(head))
        takes = [place for place, i in enumerate(self.program.code) if isinstance(i, ir.Choose)]
        for place in takes:
            self._function(f"take_{place}(s, action)")
            self._take(place)
        tables = [f"{name} = {values}" for values, name in self.tables.items()]
        run = ", ".join(f"{head}: at_{head}" for head in flow.heads)
        take = ", ".join(f"{place}: take_{place}" for place in takes)
        return "\n".join([*tables, *self.lines, "", "", f"RUN = {{{run}}}", f"TAKE = {{{take}}}", ""])

    def _function(self, head: str) -> None:
        self.available.clear()
        self.lines += ["", "", f"def {head}:"]
        self.put("r, z, deal = s.r, s.z, s.draw")
        if self.records:
            self.put("emit = s.events.append")

    # instructions and events

    def happens(self, place: int, i: ir.Instruction) -> None:
        if isinstance(i, ir.Let) and i.value and self.records:
            self._telling_let(i)
            return
        super().happens(place, i)
        self._emitted(place, i)

    def _emitted(self, place: int, i: ir.Instruction) -> None:
        """Writes the events of an instruction, if events are recorded."""
        if isinstance(i, ir.Mark):
            self.emit("rule", i.rule)
        elif isinstance(i, ir.Draw):
            viewers = self.register(i.viewers) if i.viewers >= 0 else -1
            self.emit("random", i.rule, place, self.register(i.slot), viewers)
        elif isinstance(i, ir.Show):
            zone, card = self.once(self.value(i.zone)), self.register(i.card)
            self.emit(
                "show", i.rule, card, zone, f"z[{zone}].index({card})", self.register(i.to), self.register(i.number)
            )
        elif isinstance(i, ir.SetupEnds):
            self.emit("setup", -1, "*map(len, z)")
        elif isinstance(i, ir.Check):
            with self.inside(f"if not {self.test(i.holds)}:"):
                self.put(f"broken(s, {', '.join(map(str, (i.invariant, *(self.value(side) for side in i.sides))))})")
        elif isinstance(i, ir.Note):
            self._note(place, i)

    def _note(self, place: int, i: ir.Note) -> None:
        players, report = range(self.program.players), i.report
        if isinstance(report, ir.Bound):
            self.emit("stopped", i.rule, self.register(report.number), report.thing)
            return
        keys = [self.register(key.base + p) for key in report.keys for p in players]
        if isinstance(report, ir.Ranking):
            ranks = [self.register(report.ranks + p) for p in players]
            self.emit("rank", i.rule, place, self.register(report.decided), *ranks, *keys)
            return
        worth = self.value(report.worth) if report.worth is not None else NONE
        stood = [self.register(report.candidates + p) for p in players]
        about = [self.register(slot) for slot in (report.subject, report.winner, report.decided)]
        self.emit("award", i.rule, place, *about, worth, *stood, *keys)

    def _telling_let(self, i: ir.Let) -> None:
        value, offset = self.once(self.value(i.expression)), self.once(self.value(i.index))
        cell = self.at("r", f"{i.base} + {offset}")
        with self.inside(f"if {cell} != {value}:"):
            self.put(f"{cell} = {value}")
            self.emit("set", i.rule, f"NAMES[{self.names.index(i.value)}]", offset, value)

    # choices

    def choose(self, place: int, i: ir.Choose) -> None:
        legal = self._legal(i.options)
        with self.inside(f"if {legal}:"):
            self.stop(place, self.value(i.by), legal)

    def _legal(self, options: Sequence[ir.Option]) -> str:
        """Writes a list of the legal actions of some options; returns its variable."""
        legal = self.name("legal")
        self.put(f"{legal} = []")
        for option in options:
            if not option.picks:
                if option.condition is None:
                    self.put(f"{legal}.append({option.first})")
                else:
                    self.put(f"if {self.test(option.condition)}:", f"    {legal}.append({option.first})")
            elif (interval := plain_interval(option)) is not None:
                low, high = self.value(interval.low), self.value(interval.high)
                base = option.first - interval.least
                self.put(f"{legal}.extend(range({base} + {low}, {base + 1} + {high}))")
            else:
                found = self.collection(option.size)
                self.collect(option, found, str(option.first))
                self.put(f"{legal}.extend(sorted({found}))")
        return legal

    def secret(self, place: int, i: ir.Secret) -> None:
        waiting = self.name("waiting")
        self.put(f"{waiting} = {{}}")
        for asking in i.askings:
            self.put(f"{self.register(asking.chosen)} = {NONE}")
            with self.inside(f"if {self.test(asking.asked)}:"):
                legal = self._legal(asking.options)
                self.put(f"if {legal}:", f"    {waiting}[{asking.player}] = {legal}")
        with self.inside(f"if {waiting}:"):
            self.stop(place, str(SIMULTANEOUS), "[]", waiting)

    def stop(self, place: int, player: str, legal: str, asked: str = "NONE_ASKED") -> None:
        self.put(f"s.pc, s.legal, s.player, s.asked = {place}, {legal}, {player}, {asked}", f"return {STOP}")

    def _take(self, place: int) -> None:
        i = self.program.code[place]
        assert isinstance(i, ir.Choose)
        for option in i.options:
            with self.inside(f"if {option.first} <= action < {option.first + option.size}:"):
                self.emit("choice", option.rule, "s.player", "action")
                self.taken_option(option)
                self.put(f"return {self.follows[option.target]}")
