"""Plain Python for a program: a module with `play(deal, policy)`, one whole game."""

from __future__ import annotations

import re

from rulespec.engine import ir
from rulespec.engine.backend.lists import Lists
from rulespec.engine.backend.straight import Straight, variables
from rulespec.model.types import LIMIT, NONE


class Game(Lists):
    zone_variables = True

    def finish(self) -> None:
        players, ranking = self.program.players, self.program.ranking
        ranks = scores = f"(0,) * {players}"
        if ranking is not None:
            ranks = "".join(f"{self.register(ranking.ranks + p)}, " for p in range(players))
            points = [self.register(ranking.keys[0].base + p) for p in range(players)]
            scores = "".join(f"{s} if {NONE} < {s} < {LIMIT} else 0, " for s in points)
        self.put(f"return decisions, ({ranks}), ({scores}), awards, z")

    def note(self, place: int, i: ir.Note) -> None:
        if isinstance(award := i.telling, ir.Award):
            worth = self.value(award.worth) if award.worth is not None else str(NONE)
            self.put(
                f"awards.append(({place}, {self.register(award.subject)}, {self.register(award.winner)}, {worth}))"
            )


def game_source(program: ir.Program, tally: bool = False) -> str:
    """The source of a module that plays whole games."""
    w = Game(program, variables(program))
    Straight(w, program, tally).write()
    body, w.lines = w.lines, []
    used = {int(slot) for line in body for slot in re.findall(r"\br(\d+)\b", line)}
    w.put(f"z = [[] for _ in range({len(program.zones)})]")
    w.put("".join(f"z{n}, " for n in range(len(program.zones))) + "= z")
    if program.zones:
        w.put(f"z{program.start_zone}.extend({w.table(program.cards)})")
    for number, kept in enumerate(w.sums):
        w.put(f"s{number} = [0] * {len(program.zones)}")
        w.put(f"s{number}[{program.start_zone}] = {sum(kept.weights[card] for card in program.cards)}")
    if any(re.search(r"\br\[", line) for line in body):
        w.put(f"r = list({w.table(program.start)})")
    for start in sorted({program.start[slot] for slot in used}):
        names = [f"r{slot}" for slot in sorted(used) if program.start[slot] == start]
        w.put(" = ".join([*names, str(start)]))
    w.put("decisions = 0", "awards = []")
    head = [f"{name} = {values}" for values, name in w.tables.items()]
    return "\n".join([*head, "", "", "def play(deal, policy):", *w.lines, *body, ""])
