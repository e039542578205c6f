"""A replica: the registers of values and the zones of a game, as its events describe them.

Who sees a zone may depend on them. Events suffice to follow both, so that an observer learns the same from a log.
"""

from __future__ import annotations

from rulespec.engine.interpreter.running import Event, StartPosition
from rulespec.engine.rules.ruleset import Ruleset


class Replica:
    """Registers and zones, brought up to date event by event from the beginning or from a position set up by hand."""

    def __init__(self, game: Ruleset, position: StartPosition | None) -> None:
        program = game.program
        self._base = program.value_base
        self.r = game.observers.registers(program.start)
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

    def copy(self) -> Replica:
        """An independent copy."""
        other = object.__new__(Replica)
        other._base, other.r, other.z = self._base, self.r[:], [cards[:] for cards in self.z]
        return other
