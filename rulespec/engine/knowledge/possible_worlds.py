"""What a player does not know of a position, and possible worlds, in which it is drawn anew.

A card whose face the player knows to be in a zone stays there. All other cards that they do not see are dealt evenly to
the places where such cards lie. A value that they do not see is drawn evenly from what rules can give it: their
constants and draws, else all that the value can hold. Draws that they did not see are drawn again.

What is unknown depends on nothing that the player cannot know: unknown cards lie where their faces put them, in no
relation to where they are, and every zone whose order does not matter is sorted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from rulespec.engine.interpreter.evaluate import domain
from rulespec.engine.interpreter.random import Generator, shuffle
from rulespec.engine.knowledge.hidden_zones import Knowledge
from rulespec.engine.program import ir
from rulespec.engine.rules.register_contents import card_cells, card_registers, given_by_rules
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.language.model.types import NONE

Place = tuple[int, int]
"""A zone, and a position in it."""

Values = tuple[int, Sequence[int]]
"""A register, and what it may hold."""


class Position(NamedTuple):
    """The registers and zones of a position."""

    r: list[int]
    z: list[list[int]]


@dataclass(frozen=True)
class Unknown:
    """One position that is possible as far as a player knows, by its `registers` and `zones`, and what else it may be.

    The unknown cards are the `pool`; they lie at the places `opened`. The cards at the places of one of `mixed` may lie
    there in any order. Each register of `values` may hold any of the values listed for it, and each of `cards` holds
    the card at a place. `cells` are the registers of the values of each card, which stay at the place of a card.
    """

    registers: Sequence[int]
    zones: Sequence[Sequence[int]]
    opened: Sequence[Place]
    pool: Sequence[int]
    mixed: Sequence[Sequence[Place]]
    values: Sequence[Values]
    cards: Sequence[tuple[int, Place]]
    cells: Sequence[Sequence[int]]

    def numbers(self, room: int) -> list[int]:
        """What is unknown in a row, as `runtime/search.py` reads it; a zone has this room for cards in its array."""
        numbers = [len(self.opened), len(self.mixed), len(self.values), len(self.cards)]
        numbers += [zone * room + at for zone, at in self.opened] + [*self.pool]
        for places in self.mixed:
            numbers += [len(places), *(zone * room + at for zone, at in places)]
        for slot, contents in self.values:
            numbers += [slot, len(contents), *contents]
        for slot, (zone, at) in self.cards:
            numbers += [slot, zone * room + at]
        return numbers

    def world(self, draws: Generator) -> Position:
        """A position in which everything unknown is drawn anew."""
        registers, zones = [*self.registers], [[*cards] for cards in self.zones]
        _lay(zones, self.opened, _shuffled(self.pool, draws))
        for places in self.mixed:
            _lay(zones, places, _shuffled([zones[zone][at] for zone, at in places], draws))
        places = [*self.opened, *(place for mixed in self.mixed for place in mixed)]
        _stay(registers, self.cells, ((self.zones[zone][at], zones[zone][at]) for zone, at in places))
        for slot, contents in self.values:
            registers[slot] = contents[draws.below(len(contents))]
        for slot, (zone, at) in self.cards:
            registers[slot] = zones[zone][at]
        return Position(registers, zones)


def _lay(zones: Sequence[list[int]], places: Sequence[Place], cards: Sequence[int]) -> None:
    for (zone, at), card in zip(places, cards, strict=True):
        zones[zone][at] = card


def _stay(registers: list[int], cells: Sequence[Sequence[int]], cards: Iterable[tuple[int, int]]) -> None:
    """Gives each card that has taken the place of another the values of that one: they lie at the place."""
    if cells:
        taken = [(new, [registers[slot] for slot in cells[old]]) for old, new in cards]
        for new, contents in taken:
            for slot, content in zip(cells[new], contents, strict=True):
                registers[slot] = content


def _shuffled(cards: Sequence[int], draws: Generator) -> list[int]:
    shuffled = [*cards]
    shuffle(shuffled, draws.below)
    return shuffled


class KnownState(Protocol):
    """The parts of a state that are drawn anew, and what is known of them."""

    r: list[int]
    z: list[list[int]]

    @property
    def game(self) -> Ruleset:
        """The ruleset of the state."""

    def knowledge(self, player: int) -> Knowledge:
        """What a player knows of hidden zones."""


def unknown(state: KnownState, player: int) -> Unknown:
    """What a player does not know of a state.

    Whether a value is absent counts as known, such as whether a die was rolled, and so does whether it was ever set to
    another value than its start.
    """
    program = state.game.program
    zones = _Zones(state, state.knowledge(player))
    registers, cells = state.r[: len(program.start)], card_cells(state.game)
    _stay(registers, cells, zones.replaced())
    cards = list(zones.registers(registers))
    for slot, (zone, at) in cards:
        registers[slot] = zones.cards[zone][at]
    values = [*_values(state, player), *((slot, (0,)) for slot in _unseen_positions(state.game, player))]
    for slot, contents in values:
        # Not what it really holds: a position must not depend on what the player cannot know.
        registers[slot] = contents[0]
    for draw in _unseen_draws(state, player):
        # The domain is evaluated in the possible position, since its bounds may read what is unknown, too.
        drawn = list(domain(draw.domain)([*registers, *[0] * program.scratch], zones.cards))
        values += [(draw.slot, drawn)] if drawn else []
    return Unknown(registers, zones.cards, zones.opened, zones.pool, zones.mixed, values, cards, cells)


class _Zones:
    """The cards of all zones as far as a player knows, with the unknown ones at the open places."""

    def __init__(self, state: KnownState, knowledge: Knowledge) -> None:
        faces = state.game.program.faces
        self._key = lambda card: (faces[card], card)
        self._knowledge = knowledge
        self._state = state
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
        _lay(self.cards, self.opened, self.pool)

    def _hide(self, zone: int) -> None:
        """Puts the cards that are known to be somewhere in a zone first, and opens the other places."""
        cards, left, faces = self.cards[zone], self._knowledge.loose(zone), self._knowledge.faces
        free = [at for at, face in enumerate(self._knowledge.at(zone)) if face is None]
        kept: list[int] = []
        for card in (cards[at] for at in free):
            if left.get(faces[card], 0):
                left[faces[card]] -= 1
                kept.append(card)
            else:
                self.pool.append(card)
        kept.sort(key=self._key)
        for at, card in zip(free, kept, strict=False):
            cards[at] = card
        self.opened += [(zone, at) for at in free[len(kept) :]]
        if kept:
            # The known cards lie first among the free places only here: in a world, they may lie at any of them.
            self.mixed.append([(zone, at) for at in free])

    def replaced(self) -> Iterator[tuple[int, int]]:
        """Each card of a hidden zone with the one that lies at its place now."""
        for zone, seen in enumerate(self._knowledge.visible):
            if not seen:
                yield from zip(self._state.z[zone], self.cards[zone], strict=True)

    def registers(self, contents: Sequence[int]) -> Iterator[tuple[int, Place]]:
        """The registers that hold a card of a hidden zone, with its place."""
        slots = card_registers(self._state.game)
        if slots:
            hidden = (zone for zone, seen in enumerate(self._knowledge.visible) if not seen)
            places = {card: (zone, at) for zone in hidden for at, card in enumerate(self._state.z[zone])}
            yield from ((slot, places[contents[slot]]) for slot in sorted(slots) if contents[slot] in places)


def _values(state: KnownState, player: int) -> Iterator[Values]:
    """The registers of values that a player does not see, with all that they can hold. A card is the one at its place:
    it is dealt."""
    game, knowledge = state.game, state.knowledge(player)
    for slot in sorted(knowledge.visibility.hidden):
        value = game.spec.values[game.viewers.cell_of(slot)[0]]
        if value.type.kind != "card" and state.r[slot] != NONE:
            yield slot, sorted(_given(game, knowledge, slot)) or game.setting.contents(value.type)


def _given(game: Ruleset, knowledge: Knowledge, slot: int) -> Collection[int]:
    """What the rules can have given a register; empty if it may hold all that its value can.

    To set a value to what it holds is no event. So one that was never set holds its start if no rule gives it that.
    """
    given, start = given_by_rules(game).get(game.viewers.cell_of(slot)[0]), game.program.start[slot]
    if slot in knowledge.by_rule:
        return given if given and knowledge.by_rule[slot] else ()
    return {start} if given is None or (given and start not in given) else given


def _unseen_positions(game: Ruleset, player: int) -> Iterator[int]:
    """The numbers of remembered positions that are made of what a player does not always see: in a possible world, none
    is remembered, as it would be another one."""
    viewers = game.viewers
    for slot, reads in game.program.positions:
        seen = [viewers.of_zone[zone] for zone in reads.zones]
        seen += [viewers.of_register[register] for register in reads.registers if register in viewers.of_register]
        if any(player not in one.always for one in seen):
            yield slot


def _unseen_draws(state: KnownState, player: int) -> Iterator[ir.Draw]:
    for draw in state.game.program.code:
        if isinstance(draw, ir.Draw) and draw.viewers >= 0 and not state.r[draw.viewers] >> player & 1:
            yield draw
