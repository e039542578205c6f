"""What each player sees at any time, as a search distinguishes positions: registers, and how they see each zone.

It covers less than a player knows. What only sometimes is in sight, and registers that may hold what some player does
not see, are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulespec.engine.backend.forms.machine_search import AlwaysSeen
from rulespec.engine.backend.runtime.search_names import ORDERED, UNORDERED, UNSEEN
from rulespec.engine.program import ir
from rulespec.engine.rules.register_contents import card_cells, card_registers
from rulespec.engine.rules.ruleset import Ruleset


def always_seen(game: Ruleset) -> AlwaysSeen:
    """What each player sees of a game at any time; a last row sees everything."""
    every = range(len(game.program.start))
    hidden = _hidden(game)
    of_register = game.viewers.of_register
    slots = [
        [slot for slot in every if slot not in hidden or (slot in of_register and player in of_register[slot].always)]
        for player in range(game.players)
    ]
    zones = [[_seen(game, zone, player) for zone in range(len(game.program.zones))] for player in range(game.players)]
    everything = [_sight(game, zone) for zone in range(len(game.program.zones))]
    unseen = [[*_unseen(game, player)] for player in range(game.players)]
    return AlwaysSeen(
        [*slots, list(every)], [*zones, everything], unseen, sorted(card_registers(game)), card_cells(game)
    )


def _unseen(game: Ruleset, player: int) -> Iterator[tuple[int, int, Sequence[int]]]:
    """The registers of values and draws that a player may not see (see `AlwaysSeen`)."""
    for slot, seen in game.viewers.of_register.items():
        if player not in seen.always:
            yield slot, -1, game.setting.contents(game.spec.values[game.viewers.cell_of(slot)[0]].type)
    for draw in game.program.code:
        if isinstance(draw, ir.Draw) and draw.viewers >= 0:
            of = draw.domain
            held = range(of.least, of.most + 1) if isinstance(of, ir.Span) else of.values
            yield draw.slot, draw.viewers, held


def _seen(game: Ruleset, zone: int, player: int) -> int:
    return _sight(game, zone) if player in game.viewers.of_zone[zone].always else UNSEEN


def _sight(game: Ruleset, zone: int) -> int:
    return ORDERED if game.ordered[zone] else UNORDERED


def _hidden(game: Ruleset) -> set[int]:
    """The registers that may hold what some player does not see: a data-flow analysis, without regard to order."""
    program, players = game.program, frozenset(range(game.players))
    zones = {zone for zone, seen in enumerate(game.viewers.of_zone) if seen.always != players}
    hidden = set(game.viewers.of_register)
    writes = [([*slots], read) for i in program.code for slots, read in _writes(i)]
    while more := {slot for slots, read in writes for slot in slots if _reads(program, read, hidden, zones)} - hidden:
        hidden |= more
    return hidden


def _writes(i: ir.Instruction) -> Iterator[tuple[Iterable[int], object]]:
    """The registers that an instruction writes, with what they are computed from; True for a source of its own."""
    yield ir.sets(i), True if isinstance(i, ir.Draw) and i.viewers >= 0 else i
    if isinstance(i, ir.Move):
        yield (i.slot,), True
    for option in i.offered:
        for pick in option.picks:
            yield (pick.slot,), True if option.seen else pick.domain


def _reads(program: ir.Program, read: object, hidden: set[int], zones: set[int]) -> bool:
    """Whether an expression reads a hidden register, or cards of a zone that some player does not see."""
    if read is True:
        return True
    return any(_is_hidden(program, part, hidden, zones) for part in ir.walk(read))


def _is_hidden(program: ir.Program, part: object, hidden: set[int], zones: set[int]) -> bool:
    if isinstance(part, ir.Register):
        return part.slot in hidden
    if isinstance(part, ir.Element):
        return not hidden.isdisjoint(range(part.base, part.base + part.size))
    if isinstance(part, ir.Card | ir.Cards):
        return not zones.isdisjoint(ir.may_name(part.zone, program.zones))
    return False
