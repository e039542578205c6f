"""What instructions do to registers and zones, as texts of Python. Closures are compiled from them, and generated code
contains them.

In a text, the fields of the instruction are numbers or, if they hold expressions, functions of `r` and `z`. `draw(n)`
is a random number below n. A line with `emit(kind, …)` emits an event of the rule, if events are recorded;
`counted(card)` and `all_counted()` stand where generated code updates what it keeps of the zones between which cards
move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias

from rulespec.engine.interpreter.evaluate import STEPS, contents_of
from rulespec.engine.program import ir
from rulespec.language.model.types import NONE

Variants: TypeAlias = Mapping[object, str]

_LETS: Variants = {
    "cell": """
r[cell] = int(expression(r, z))
""",
    "row": STEPS[ir.Let],
    # To set a value to what it holds is no event; `_given` in knowledge/possible_worlds.py relies on it.
    "event": """
offset, content = index(r, z), int(expression(r, z))
if r[base + offset] != content:
    r[base + offset] = content
    emit("set", value, offset, content)
""",
}

_MOVES: Variants = {
    "card": """
card, a, b = amount(r, z), source(r, z), target(r, z)
if card in z[a]:
    emit("move", card, a, z[a].index(card), b)
    z[a].remove(card)
    z[b].append(card)
    counted(card)
""",
    "one": """
a, b = source(r, z), target(r, z)
if z[a]:
    emit("move", z[a][-1], a, len(z[a]) - 1, b)
    card = z[a].pop()
    z[b].append(card)
    counted(card)
""",
    "top": """
a, b = source(r, z), target(r, z)
last = len(z[a]) - 1
for position in range(last, max(last - amount(r, z), -1), -1):
    card = z[a].pop(position)
    z[b].append(card)
    counted(card)
    emit("move", card, a, position, b)
""",
    "random": """
a, b = source(r, z), target(r, z)
for _ in range(min(amount(r, z), len(z[a]))):
    position = draw(len(z[a]))
    card = z[a].pop(position)
    z[b].append(card)
    counted(card)
    emit("move", card, a, position, b)
""",
    # One event: players who know cards in the zone know that they are in the other zone now.
    "all": """
a, b = source(r, z), target(r, z)
if a != b:
    if z[a]: emit("move_all", a, b, *z[a])
    all_counted()
    z[b].extend(z[a])
    z[a].clear()
""",
    "every": """
a, b = source(r, z), target(r, z)
staying, gone = [], []
for r[slot] in z[a]:
    if where(r, z):
        emit("move", r[slot], a, len(staying), b)
        gone.append(r[slot])
        counted(r[slot])
    else:
        staying.append(r[slot])
z[a][:] = staying
z[b].extend(gone)
""",
}

_REPORTS: Variants = {
    ir.Bound: """
emit("stopped", r[number], thing)
""",
    ir.Award: """
emit("award", place, r[subject], r[winner], r[decided], int(worth(r, z)), *(r[cell] for cell in cells))
""",
    ir.Ranking: """
emit("rank", place, r[decided], *(r[cell] for cell in cells))
""",
}

TEXTS: Mapping[type[ir.Instruction], str | Variants] = {
    ir.Let: _LETS,
    ir.Move: _MOVES,
    ir.Note: _REPORTS,
    ir.Branch: STEPS[ir.Branch],
    ir.Jump: STEPS[ir.Jump],
    ir.Mark: """
emit("rule")
""",
    ir.Show: """
a = zone(r, z)
emit("show", r[card], a, z[a].index(r[card]), r[to], r[number])
""",
    ir.Shuffle: """
a = zone(r, z)
for last in range(len(z[a]) - 1, 0, -1):
    other = draw(last + 1)
    z[a][last], z[a][other] = z[a][other], z[a][last]
emit("shuffle", a, *z[a])
""",
    ir.Sink: """
a, place_in_a = zone(r, z), position(r, z)
z[a].insert(place_in_a, z[a].pop())
emit("sink", a, place_in_a)
""",
    ir.Draw: """
elements = domain(r, z)
r[slot] = elements[draw(len(elements))]
emit("random", place, r[slot], r[viewers] if viewers >= 0 else -1)
""",
    ir.Check: """
if not holds(r, z):
    broken(s, invariant, *(int(side(r, z)) for side in sides))
""",
    ir.SetupEnds: """
emit("setup", *map(len, z))
""",
    ir.Choose: """
actions = []
for add in options:
    add(r, z, actions)
if not actions:
    return none
s.pc, s.legal, s.player, s.asked = place, actions, by(r, z), NONE_ASKED
""",
    # The register `chosen` may hold the option of an earlier round.
    ir.Secret: """
waiting = {}
for player, asked, options, chosen in askings:
    r[chosen] = NONE
    actions = []
    if asked(r, z):
        for add in options:
            add(r, z, actions)
    if actions: waiting[player] = actions
if not waiting:
    return after
s.pc, s.legal, s.player, s.asked = place, [], SIMULTANEOUS, waiting
return STOP
""",
    ir.End: """
s.pc, s.legal, s.player, s.asked = place, [], STOP, NONE_ASKED
""",
}
"""The text of each instruction. In those of decision points, `options` are functions that add legal actions."""


def meaning(i: ir.Instruction, record: bool, players: int) -> tuple[str, dict[str, Any]]:
    """The text of an instruction, with or without events, and the contents of the fields that it names."""
    text, contents = TEXTS[type(i)], contents_of(i)
    if isinstance(i, ir.Let) and isinstance(i.index, ir.Const):
        contents["cell"] = i.base + i.index.value
    elif isinstance(i, ir.Note):
        contents |= _reported(i.report, players)
    return text if isinstance(text, str) else text[_variant(i, record)], contents


def _variant(i: ir.Instruction, record: bool) -> object:
    """Which of its texts an instruction has."""
    if isinstance(i, ir.Let):
        return "event" if record and i.value else "cell" if isinstance(i.index, ir.Const) else "row"
    if isinstance(i, ir.Move):
        if i.how == "every" and i.where is None:
            return "all"
        return "one" if i.how == "top" and i.amount == ir.Const(1) else i.how
    return type(i.report) if isinstance(i, ir.Note) else None


def _reported(report: ir.Award | ir.Ranking | ir.Bound, players: int) -> Iterator[tuple[str, Any]]:
    yield from contents_of(report).items()
    if not isinstance(report, ir.Bound):
        rows = [report.candidates if isinstance(report, ir.Award) else report.ranks, *(key.base for key in report.keys)]
        yield "cells", tuple(base + player for base in rows for player in range(players))
    if isinstance(report, ir.Award) and report.worth is None:
        yield "worth", ir.Const(NONE)


@cache
def silent(text: str) -> str:
    """A text without the lines that emit events."""
    return "\n".join(line for line in text.splitlines() if "emit(" not in line)
