"""What a player knows of hidden zones, derived from the events they could observe.

Knowledge is kept by card face, never by card: cards with the same face are indistinguishable. It changes only with what
the player observes of each event, so it holds nothing else. Who sees a zone may depend on values and zones: a `Replica`
follows both, from events alone, so that an observer learns the same from a log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

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


class Knowledge:
    """One player's knowledge of the zones they cannot look into.

    `visibility` is what they see now. It may depend on values and cards: then it is determined again before each event,
    but not between changes of values that follow each other. `loose[z]` counts the faces that are certainly in zone z:
    a lower bound for each face, without those of which there is none. `at[z]` is, for an ordered zone, the face known
    to be at each position, or None. A face counted in `at` is not counted in `loose`. `by_rule` has every register that
    was set and that some do not see: whether a rule has set it last, or it was set up by hand. `loose` and `at` say
    nothing of a zone that the player sees. `moved` is the face of the card that moved last, if they know it. `zones`
    and `registers` are those that have changed since `changes` was called, seen or not.
    """

    def __init__(self, game: Ruleset, player: int, position: StartPosition | None = None) -> None:
        program = game.program
        self.faces = program.faces
        self._game, self._player = game, player
        self.by_rule = dict.fromkeys(position.values if position is not None else (), False)
        self._replica = Replica(game, position) if game.viewers.changing else None
        self._stale = False
        self._batch: Counter[int] = Counter()
        self.moved: int | None = None
        self.visibility = self._now(self._replica)
        self.zones: set[int] = set()
        self.registers: set[int] = set()
        self.ordered = game.ordered
        self.loose: list[dict[int, int]] = [{} for _ in program.zones]
        sizes = Counter(cards_at_start(program.cards, program.start_zone, position).values())
        self.at: list[list[int | None]] = [[None] * sizes[zone] for zone in range(len(program.zones))]

    @property
    def visible(self) -> Sequence[bool]:
        """For every zone, whether the player may look into it."""
        return self.visibility.zones

    def _now(self, replica: Replica | None) -> Visibility:
        registers, zones = (replica.r, replica.z) if replica is not None else ((), [])
        return self._game.viewers.visibility(self._player, registers, zones)

    def look(self) -> Begun:
        """Determines again what the player sees. Returns what they did not see before. A zone that they see no longer
        is remembered as they saw it last."""
        if self._replica is None or not self._stale:
            return NOTHING_BEGUN
        before, self.visibility, self._stale = self.visibility, self._now(self._replica), False
        for zone, (saw, sees) in enumerate(zip(before.zones, self.visibility.zones, strict=True)):
            # The replica has taken the events so far and not the next one, so these are the cards seen last.
            if saw and not sees:
                self._remember(zone, [self.faces[card] for card in self._replica.z[zone]])
        pairs = enumerate(zip(before.zones, self.visibility.zones, strict=True))
        zones = tuple((zone, self._replica.z[zone]) for zone, (saw, sees) in pairs if sees and not saw)
        slots = sorted(before.hidden - self.visibility.hidden)
        return Begun(zones, tuple((slot, self._replica.r[slot]) for slot in slots))

    def _remember(self, zone: int, faces: list[int]) -> None:
        ordered = self.ordered[zone]
        self.at[zone] = [face if ordered else None for face in faces]
        self.loose[zone] = {} if ordered else dict(Counter(faces))

    def copy(self) -> Knowledge:
        """An independent copy."""
        copy = object.__new__(Knowledge)
        copy._batch, copy.moved = self._batch, self.moved
        copy._game, copy._player, copy.visibility, copy._stale = self._game, self._player, self.visibility, self._stale
        copy._replica = self._replica.copy() if self._replica is not None else None
        copy.by_rule, copy.zones, copy.registers = dict(self.by_rule), {*self.zones}, {*self.registers}
        copy.faces, copy.ordered = self.faces, self.ordered
        copy.loose, copy.at = [dict(loose) for loose in self.loose], [places[:] for places in self.at]
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
        learn = LEARNED.get(event[0])
        if learn is not None:
            learn(self, event)
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

    def _set(self, event: Event) -> None:
        _, _, value, cell, _ = event
        slot = self._game.program.value_base[value] + cell
        self.registers.add(slot)
        if slot in self._game.viewers.of_register:
            self.by_rule[slot] = True

    def _show(self, event: Event) -> None:
        _, _, card, zone, position, to, number = event
        if to in (-1, self._player) and not self.visible[zone]:
            self._shown(self.faces[card], zone, position, number)

    def _shown(self, face: int, zone: int, position: int, number: int) -> None:
        """Learns a face in a hidden zone. Several cards that one step shows are different cards."""
        # A new object each time: copies of this knowledge share the counter.
        self._batch = Counter() if number == 0 else self._batch.copy()
        self.zones.add(zone)
        if not self.ordered[zone]:
            self._batch[face] += 1
            self.loose[zone][face] = max(self.loose[zone].get(face, 0), self._batch[face])
        elif self.at[zone][position] is None:
            self.at[zone][position] = face
            # It may be one that was known to be there, at an unknown place.
            self._discount(zone, face)

    def _move(self, event: Event) -> None:
        _, _, card, source, position, target = event
        self.zones.add(source)
        self.zones.add(target)
        visible, known = self.visibility.zones, self.faces[card]
        sees = visible[target]
        self.moved = known if visible[source] else self._leave(known, source, position, sees)
        if not sees:
            self._arrive(target, self.moved)

    def _leave(self, face: int, zone: int, position: int, seen: bool) -> int | None:
        """The face of a card that leaves a hidden zone, as far as the player knows it."""
        # In a zone without order, all entries are None: any of them stands for the card.
        known = self.at[zone].pop(position if self.ordered[zone] else -1)
        if known is not None:
            return known
        if self.loose[zone]:
            # A card that leaves unseen may be any of the known ones: each face has one less for certain.
            for one in (face,) if seen else (*self.loose[zone],):
                self._discount(zone, one)
        return face if seen else None

    def _discount(self, zone: int, face: int) -> None:
        """One card of a face is no longer known to be in a zone, if one was."""
        loose = self.loose[zone]
        if (number := loose.get(face, 0)) > 1:
            loose[face] = number - 1
        elif number:
            del loose[face]

    def _count(self, zone: int, faces: Iterable[int]) -> None:
        """Cards are known to be somewhere in a zone."""
        loose = self.loose[zone]
        for face in faces:
            loose[face] = loose.get(face, 0) + 1

    def _arrive(self, zone: int, face: int | None) -> None:
        if self.ordered[zone]:
            self.at[zone].append(face)
            return
        self.at[zone].append(None)
        if face is not None:
            self._count(zone, (face,))

    def _shuffle(self, event: Event) -> None:
        zone = event[2]
        self.zones.add(zone)
        if not self.visible[zone]:
            self._count(zone, (face for face in self.at[zone] if face is not None))
            self.at[zone] = [None] * len(self.at[zone])

    def _sink(self, event: Event) -> None:
        _, _, zone, position = event
        self.zones.add(zone)
        if not self.visible[zone]:
            self.at[zone].insert(position, self.at[zone].pop())

    def _move_all(self, event: Event) -> None:
        _, _, source, target, *cards = event
        self.zones |= {source, target}
        saw, sees = self.visible[source], self.visible[target]
        if saw and sees:
            return
        faces = [self.faces[card] for card in cards]
        places: list[int | None] = [*faces] if saw or sees else self.at[source]
        if not (saw or sees):
            # Moved unseen, but all together: what is certain of the zone that they leave is certain of the other.
            self._count(target, Counter(self.loose[source]).elements())
        elif saw and not self.ordered[source] and self.ordered[target]:
            # How cards lie in a zone without order is hidden, so their places in a stack are, too.
            self._count(target, faces)
            places = [None] * len(faces)
        if not saw:
            self.at[source], self.loose[source] = [], {}
        if not sees:
            for face in places:
                self._arrive(target, face)

    def known(self, zone: int) -> Counter[int]:
        """The faces the player knows to be in a zone: a lower bound for each."""
        counted = Counter(self.loose[zone])
        counted.update(face for face in self.at[zone] if face is not None)
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
