"""What a player does not know of a position, as searches deal it anew.

It depends on nothing that the player cannot know: unknown cards lie where their faces put them, in no relation to where
they are, and every zone whose order does not matter is sorted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulespec.engine import ir
from rulespec.engine.evaluate import domain
from rulespec.engine.knowledge import Knowledge
from rulespec.engine.state import State
from rulespec.model.types import NONE

Place = tuple[int, int]
"""A zone, and a position in it."""

Values = tuple[int, Sequence[int]]
"""A register, and what it may hold."""


@dataclass(frozen=True)
class Unknown:
    """One position that is possible as far as a player knows, by its `registers` and `zones`, and what else it may be.

    The unknown cards are the `pool`; they lie at the places `opened`. The cards at the places of one of `mixed` may lie
    there in any order. Each register of `values` may hold any of the values listed for it.
    """

    registers: Sequence[int]
    zones: Sequence[Sequence[int]]
    opened: Sequence[Place]
    pool: Sequence[int]
    mixed: Sequence[Sequence[Place]]
    values: Sequence[Values]

    def numbers(self, room: int) -> list[int]:
        """What is unknown in a row, as `runtime_search.py` reads it; a zone has this room for cards in its array."""
        numbers = [len(self.opened), len(self.mixed), len(self.values)]
        numbers += [zone * room + at for zone, at in self.opened] + [*self.pool]
        for places in self.mixed:
            numbers += [len(places), *(zone * room + at for zone, at in places)]
        for slot, contents in self.values:
            numbers += [slot, len(contents), *contents]
        return numbers


def unknown(state: State, player: int) -> Unknown:
    """What a player does not know of a state."""
    zones = _Zones(state, state.knowledge(player))
    registers = state.r[: len(state.game.program.start)]
    values = list(_values(state, player))
    for slot, contents in values:
        registers[slot] = contents[0]
    for draw in _unseen_draws(state, player):
        contents = list(domain(draw.domain)([*registers, *[0] * state.game.program.scratch], zones.cards))
        values += [(draw.slot, contents)] if contents else []
    return Unknown(registers, zones.cards, zones.opened, zones.pool, zones.mixed, values)


class _Zones:
    """The cards of all zones as far as a player knows, with the unknown ones at the open places."""

    def __init__(self, state: State, knowledge: Knowledge) -> None:
        faces = state.game.program.faces
        self._key = lambda card: (faces[card], card)
        self._faces, self._knowledge = faces, knowledge
        self.cards: list[list[int]] = [cards[:] for cards in state.z]
        self.opened: list[Place] = []
        self.pool: list[int] = []
        self.mixed: list[list[Place]] = []
        for zone, seen in enumerate(knowledge.visible):
            if not seen:
                self._hide(zone)
            elif not knowledge.ordered[zone]:
                self.cards[zone].sort(key=self._key)
        self.pool.sort(key=self._key)
        for (zone, at), card in zip(self.opened, self.pool, strict=True):
            self.cards[zone][at] = card

    def _hide(self, zone: int) -> None:
        """Puts the cards that are known to be somewhere in a zone first, and opens the other places."""
        cards, left = self.cards[zone], Counter(self._knowledge.loose[zone])
        free = [at for at, face in enumerate(self._knowledge.at[zone]) if face is None]
        kept: list[int] = []
        for card in (cards[at] for at in free):
            kept_here = left[self._faces[card]] > 0
            left[self._faces[card]] -= kept_here
            (kept if kept_here else self.pool).append(card)
        kept.sort(key=self._key)
        for at, card in zip(free, kept, strict=False):
            cards[at] = card
        self.opened += [(zone, at) for at in free[len(kept) :]]
        if kept:
            self.mixed.append([(zone, at) for at in free])


def _values(state: State, player: int) -> Iterator[Values]:
    """The registers of values that a player does not see, with all that they can hold. An absent value stays absent:
    whether a die was rolled is public."""
    game = state.game
    for slot in sorted(state.knowledge(player).view.hidden):
        if state.r[slot] != NONE:
            yield slot, game.setting.places(game.spec.values[game.observers.cell_of(slot)[0]].type)


def _unseen_draws(state: State, player: int) -> Iterator[ir.Draw]:
    for draw in state.game.program.code:
        if isinstance(draw, ir.Draw) and draw.viewers >= 0 and not state.r[draw.viewers] >> player & 1:
            yield draw
