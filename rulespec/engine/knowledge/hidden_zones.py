"""What a player knows of hidden zones, derived from the events they could observe.

Knowledge is kept by card face, never by card: cards with the same face are indistinguishable. It changes only with what
the player observes of each event, so it holds nothing else. Who sees a zone may depend on values and zones: a `Replica`
follows both, from events alone, so that an observer learns the same from a log.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from rulespec.engine.backend.runtime.known import (
    count,
    empty,
    join,
    learn,
    learn_shown,
    leave,
    lose_places,
    sink_top,
)
from rulespec.engine.interpreter.running import Event, StartPosition, cards_at_start
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.rules.viewers import Visibility


class Replica:
    """Registers and zones, brought up to date event by event from the beginning or from a position set up by hand."""

    def __init__(self, game: Ruleset, position: StartPosition | None) -> None:
        program = game.program
        self._base = program.value_base
        self.r = game.viewers.registers(program.start)
        self.z: list[list[int]] = [[] for _ in program.zones]
        if position is None:
            if self.z:
                self.z[program.start_zone].extend(program.cards)
            return
        for slot, value in position.values.items():
            self.r[slot] = value
        placed = {card for group in position.zones.values() for card in group}
        for number, group in position.zones.items():
            self.z[number].extend(group)
        if program.cards:
            self.z[position.rest].extend(card for card in program.cards if card not in placed)

    def take(self, event: Event) -> None:
        """Applies one event."""
        if event[0] == "set":
            _, _, value, cell, content = event
            self.r[self._base[value] + cell] = content
        elif event[0] == "move":
            _, _, card, source, position, target = event
            self.z[source].pop(position)
            self.z[target].append(card)
        elif event[0] == "move_all":
            _, _, source, target, *cards = event
            self.z[source].clear()
            self.z[target].extend(cards)
        elif event[0] == "shuffle":
            self.z[event[2]] = list(event[3:])
        elif event[0] == "sink":
            _, _, zone, position = event
            self.z[zone].insert(position, self.z[zone].pop())

    def copy(self) -> Replica:
        """An independent copy."""
        other = object.__new__(Replica)
        other._base, other.r, other.z = self._base, self.r[:], [cards[:] for cards in self.z]
        return other


class Begun(NamedTuple):
    """What a player begins to see: zones with their cards, and registers with their contents."""

    zones: tuple[tuple[int, list[int]], ...] = ()
    registers: tuple[tuple[int, int], ...] = ()


NOTHING_BEGUN = Begun()


NOTHING = array("h")


class Parts(NamedTuple):
    """Where the parts of zones begin in what a player knows (see runtime/known.py), where shown cards are counted, and
    its size."""

    places: Sequence[int]
    counts: Sequence[int]
    batch: int
    size: int


@lru_cache(maxsize=64)
def _parts(game: Ruleset, seen: tuple[bool, ...]) -> Parts:
    places, counts, end = list[int](), list[int](), 1
    for sees, ordered in zip(seen, game.ordered, strict=True):
        hidden = not sees or game.viewers.changing
        places.append(end if hidden and ordered else 0)
        end += len(game.program.cards) if hidden and ordered else 0
        counts.append(end if hidden else 0)
        end += _faces(game) + 1 if hidden else 0
    return Parts(places, counts, end, end + _faces(game) + 1)


def _faces(game: Ruleset) -> int:
    return max(game.program.faces, default=-1) + 1


class Knowledge:
    """One player's knowledge of the zones they cannot look into, which runtime/known.py keeps, with the faces of the
    program counted from 1.

    `visibility` is what they see now. It may depend on values and cards: then it is determined again before each event,
    but not between changes of values that follow each other. `by_rule` has every register that was set and that some do
    not see: whether a rule has set it last, or it was set up by hand. `moved` is the face of the card that moved last,
    -1 if they do not know it. `zones` and `registers` are those that have changed since `changes` was called, seen or
    not.
    """

    def __init__(self, game: Ruleset, player: int, position: StartPosition | None = None) -> None:
        program = game.program
        self.faces, self.ordered, self._most = program.faces, game.ordered, _faces(game)
        self._game, self._player = game, player
        self.by_rule = dict.fromkeys(position.values if position is not None else (), False)
        self._replica = Replica(game, position) if game.viewers.changing else None
        self._stale = False
        self.moved = -1
        self.zones: set[int] = set()
        self.registers: set[int] = set()
        sizes = Counter(cards_at_start(program.cards, program.start_zone, position).values())
        self._sizes = [sizes[zone] for zone in range(len(program.zones))]
        self.visibility = self._now(self._replica)
        self._parts = _parts(game, tuple(self.visibility.zones))
        self._known = array("h", bytes(2 * self._parts.size))
        self._places, self._counts = self._hidden()

    @property
    def visible(self) -> Sequence[bool]:
        """For every zone, whether the player may look into it."""
        return self.visibility.zones

    def _now(self, replica: Replica | None) -> Visibility:
        registers, zones = (replica.r, replica.z) if replica is not None else ((), [])
        return self._game.viewers.visibility(self._player, registers, zones)

    def _hidden(self) -> tuple[Sequence[int], Sequence[int]]:
        """The parts of the zones that are hidden now; 0 for the others."""
        places, counts, _, _ = self._parts
        if self._replica is None:
            return places, counts
        places, counts = (
            [0 if sees else at for sees, at in zip(self.visible, all_, strict=True)] for all_ in (places, counts)
        )
        return places, counts

    def look(self) -> Begun:
        """Determines again what the player sees. Returns what they did not see before. A zone that they see no longer
        is remembered as they saw it last."""
        if self._replica is None or not self._stale:
            return NOTHING_BEGUN
        before, self.visibility, self._stale = self.visibility, self._now(self._replica), False
        self._places, self._counts = self._hidden()
        for zone, (saw, sees) in enumerate(zip(before.zones, self.visibility.zones, strict=True)):
            # The replica has taken the events so far and not the next one, so these are the cards seen last.
            if saw and not sees:
                empty(self._known, self._counts[zone], self._most)
                for place, card in enumerate(self._replica.z[zone]):
                    learn(self._known, self._places[zone], self._counts[zone], place, self.faces[card] + 1)
        pairs = enumerate(zip(before.zones, self.visibility.zones, strict=True))
        zones = tuple((zone, self._replica.z[zone]) for zone, (saw, sees) in pairs if sees and not saw)
        slots = sorted(before.hidden - self.visibility.hidden)
        return Begun(zones, tuple((slot, self._replica.r[slot]) for slot in slots))

    def copy(self) -> Knowledge:
        """An independent copy."""
        copy = object.__new__(Knowledge)
        copy._game, copy._player, copy.visibility, copy._stale = self._game, self._player, self.visibility, self._stale
        copy._replica = self._replica.copy() if self._replica is not None else None
        copy.by_rule, copy.zones, copy.registers = dict(self.by_rule), {*self.zones}, {*self.registers}
        copy.faces, copy.ordered, copy.moved, copy._most = self.faces, self.ordered, self.moved, self._most
        copy._parts, copy._places, copy._counts = self._parts, self._places, self._counts
        copy._known, copy._sizes = self._known[:], self._sizes[:]
        return copy

    def placed(self, position: StartPosition) -> None:
        """Goes on with the registers and zones of a position that fits this knowledge."""
        if self._replica is not None:
            self._replica = Replica(self._game, position)

    def take(self, event: Event) -> None:
        """Learns from one event what the player can observe of it."""
        replica = self._replica
        if replica is not None:
            self.before(event)
        learned = LEARNED.get(event[0])
        if learned is not None:
            learned(self, event)
        if replica is not None:
            replica.take(event)
            self._stale = True

    def before(self, event: Event) -> Begun:
        """Determines what the player sees when an event happens. Returns what they did not see before."""
        return self.look() if event[0] != "set" else NOTHING_BEGUN

    def changes(self) -> tuple[set[int], set[int]]:
        """The zones and the registers that have changed since the last call."""
        zones, registers, self.zones, self.registers = self.zones, self.registers, set(), set()
        return zones, registers

    # events

    def _set(self, event: Event) -> None:
        _, _, value, cell, _ = event
        slot = self._game.program.value_base[value] + cell
        self.registers.add(slot)
        if slot in self._game.viewers.of_register:
            self.by_rule[slot] = True

    def _show(self, event: Event) -> None:
        _, _, card, zone, position, to, number = event
        if to in (-1, self._player) and (counts := self._counts[zone]):
            self.zones.add(zone)
            batch, places, face = self._parts.batch, self._places[zone], self.faces[card] + 1
            learn_shown(self._known, batch, places, counts, position, face, number, self._most)

    def _move(self, event: Event) -> None:
        _, _, card, source, position, target = event
        self.zones.add(source)
        self.zones.add(target)
        sizes, before, after = self._sizes, self._counts[source], self._counts[target]
        face = self.faces[card] + 1
        if before:
            face = leave(self._known, self._places[source], before, position, sizes[source], face, after)
        sizes[source] -= 1
        if after:
            learn(self._known, self._places[target], after, sizes[target], face)
        sizes[target] += 1
        self.moved = face - 1

    def _shuffle(self, event: Event) -> None:
        zone = event[2]
        self.zones.add(zone)
        lose_places(self._known, self._places[zone], self._counts[zone], self._sizes[zone])

    def _sink(self, event: Event) -> None:
        _, _, zone, position = event
        self.zones.add(zone)
        sink_top(self._known, self._places[zone], self._sizes[zone], position)

    def _move_all(self, event: Event) -> None:
        _, _, source, target, *cards = event
        self.zones |= {source, target}
        known, before, after = self._known, self._counts[source], self._counts[target]
        if after:
            faces = [self.faces[card] + 1 for card in cards]
            if before:
                join(known, before, after, self._most)
                faces = self._at(source).tolist() or [0] * len(cards)
            # How cards lie in a zone without order is hidden, so their places in a stack are, too.
            mixed = not before and not self.ordered[source] and self.ordered[target]
            for place, face in enumerate(faces, self._sizes[target]):
                if mixed:
                    count(known, after, face, 1)
                learn(known, self._places[target], after, place, 0 if mixed else face)
        if before:
            empty(known, before, self._most)
        self._sizes[source] -= len(cards)
        self._sizes[target] += len(cards)

    # what is known

    def _at(self, zone: int) -> array[int]:
        places = self._places[zone]
        return self._known[places : places + self._sizes[zone]] if places else NOTHING

    def _loose(self, zone: int) -> array[int]:
        counts = self._counts[zone]
        return self._known[counts + 1 : counts + 1 + self._most] if self._known[counts] else NOTHING

    def hidden_zone(self, zone: int) -> tuple[int, bytes, bytes]:
        """What the player knows of a zone that they cannot look into: its number of cards; as 16-bit numbers, the face
        known to be at each place, counted from 1, 0 for an unknown one (none in a zone without order), and how many
        cards of each face are known to be somewhere else in it (none if no card is)."""
        return self._sizes[zone], self._at(zone).tobytes(), self._loose(zone).tobytes()

    def at(self, zone: int) -> list[int | None]:
        """The face known to be at each place of a hidden zone; None for an unknown one, always so without order."""
        if not self._places[zone]:
            return [None] * self._sizes[zone]
        return [face - 1 if face else None for face in self._at(zone)]

    def loose(self, zone: int) -> Counter[int]:
        """The faces known to be in a hidden zone, without those known to be at a place."""
        return Counter({face: number for face, number in enumerate(self._loose(zone)) if number})

    def known(self, zone: int) -> Counter[int]:
        """The faces the player knows to be in a zone: a lower bound for each."""
        counted = self.loose(zone)
        counted.update(face for face in self.at(zone) if face is not None)
        return counted


LEARNED: dict[str, Callable[[Knowledge, Event], None]] = {
    "move": Knowledge._move,
    "move_all": Knowledge._move_all,
    "shuffle": Knowledge._shuffle,
    "sink": Knowledge._sink,
    "show": Knowledge._show,
    "set": Knowledge._set,
}
"""What a player learns from an event, by the kind of the event; nothing from other kinds."""
