"""A program in resumable pieces of plain Python.

`at_N` runs on from place N and gives the place where another piece goes on, or STOP. `take_N` carries out a choice made
at place N and gives the place where play goes on. The state is the interpreter's own, so that any place that begins no
piece can be interpreted.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.engine import ir
from rulespec.engine.backend.choosing import plain_interval
from rulespec.engine.backend.lists import Lists
from rulespec.engine.backend.resumable import Resumable
from rulespec.engine.backend.statements import Statements
from rulespec.engine.link import SIMULTANEOUS, STOP
from rulespec.model.types import NONE


class Steps(Resumable, Lists):
    """Writes the pieces of a program for plain Python."""

    def source(self) -> str:
        """A module with `RUN` and `TAKE`, functions by place; it expects `NAMES`, and `NOBODY`, `broken` of link.py."""
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
        self.facts.clear()
        self.lines += ["", "", f"def {head}:"]
        self.put("r, z, deal = s.r, s.z, s.draw")
        if self.records:
            self.put("tell = s.events.append")

    def tell(self, kind: str, *parts: object) -> None:
        if not self.records:
            return
        words = [str(part) for part in parts]
        if kind == "broken":
            self.put(f"broken(s, {', '.join(words[1:])})")
            return
        if kind == "set":
            words[1] = f"NAMES[{words[1]}]"
        self.put(f"tell(({kind!r}, {', '.join(words)}))")

    def tell_sizes(self) -> None:
        self.tell("setup", -1, "*map(len, z)")

    # choices

    def choose(self, place: int, i: ir.Choose) -> None:
        legal = self._legal(i.options)
        with self.inside(f"if {legal}:"):
            self.stop(place, self.value(i.by), legal)

    def _legal(self, options: Sequence[ir.Option]) -> str:
        """A list of the legal actions of some options."""
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

    def stop(self, place: int, player: str, legal: str, asked: str = "NOBODY") -> None:
        self.put(f"s.pc, s.legal, s.player, s.asked = {place}, {legal}, {player}, {asked}", f"return {STOP}")

    def _take(self, place: int) -> None:
        i = self.program.code[place]
        assert isinstance(i, ir.Choose)
        for option in i.options:
            with self.inside(f"if {option.first} <= action < {option.first + option.size}:"):
                self.taken_option(option)
                self.put(f"return {self.follows[option.target]}")
