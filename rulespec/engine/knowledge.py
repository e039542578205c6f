"""What a player knows of hidden zones, derived from the events they could observe.

Knowledge is kept by card face, never by card: cards with the same face are indistinguishable. It changes only with what
the player observes of each event, so it holds nothing else.
"""

from __future__ import annotations

from collections import Counter

from rulespec.engine.ruleset import Ruleset
from rulespec.engine.running import Event, StartPosition, cards_at_start


class Knowledge:
    """One player's knowledge of the zones they cannot look into.

    `loose[z]` counts the faces that are certainly in zone z: a lower bound for each face. `at[z]` is, for an ordered
    zone, the face known to be at each position, or None. A face counted in `at` is not counted in `loose`.
    """

    def __init__(self, game: Ruleset, player: int, position: StartPosition | None = None) -> None:
        program = game.program
        self.faces = program.faces
        self.visible = [player in observers for observers in game.observers.of_zone]
        self.ordered = [game.spec.zones[name].ordered for name, _ in program.zones]
        self.loose: list[Counter[int]] = [Counter() for _ in self.visible]
        sizes = Counter(cards_at_start(program.cards, program.start_zone, position).values())
        self.at: list[list[int | None]] = [[None] * sizes[zone] for zone in range(len(program.zones))]
        self.events = 0  # how many it has learned from
        self.shared = False  # with a state that was cloned: to be copied before it learns more

    def learn(self, events: list[Event]) -> Knowledge:
        """The knowledge after these events. The first of them may be known already."""
        if len(events) == self.events:
            return self
        known = self._copy() if self.shared else self
        for event in events[self.events :]:
            known.take(event)
        known.events = len(events)
        return known

    def _copy(self) -> Knowledge:
        copy = object.__new__(Knowledge)
        copy.faces, copy.visible, copy.ordered = self.faces, self.visible, self.ordered
        copy.loose, copy.at = [loose.copy() for loose in self.loose], [places[:] for places in self.at]
        copy.events, copy.shared = self.events, False
        return copy

    def take(self, event: Event) -> None:
        """Learns from one event what the player can observe of it."""
        if event[0] == "move":
            _, _, card, source, position, target = event
            self._move(self.faces[card], source, position, target)
        elif event[0] == "move_all":
            _, _, source, target, *cards = event
            self._move_all([self.faces[card] for card in cards], source, target)
        elif event[0] == "shuffle":
            zone = event[2]
            self.loose[zone].update(face for face in self.at[zone] if face is not None)
            self.at[zone] = [None] * len(self.at[zone])

    def _move(self, face: int, source: int, position: int, target: int) -> None:
        known = self.at[source].pop(position if self.ordered[source] else -1)
        if known is None and (self.visible[source] or self.visible[target]):
            known = face
            self.loose[source][face] -= self.loose[source][face] > 0
        elif known is None:
            # One card leaves unseen, and it may be any of the known ones: each face has one less for certain.
            self.loose[source] = Counter({f: n - 1 for f, n in self.loose[source].items() if n > 1})
        self._arrive(target, known)

    def _arrive(self, zone: int, face: int | None) -> None:
        self.at[zone].append(face if self.ordered[zone] else None)
        if face is not None and not self.ordered[zone] and not self.visible[zone]:
            self.loose[zone][face] += 1

    def _move_all(self, faces: list[int], source: int, target: int) -> None:
        seen = self.visible[source] or self.visible[target]
        known = [face if seen else place for face, place in zip(faces, self.at[source], strict=True)]
        if not seen:
            self.loose[target].update(self.loose[source])
        self.at[source], self.loose[source] = [], Counter()
        for face in known:
            self._arrive(target, face)

    def known(self, zone: int) -> Counter[int]:
        """The faces the player knows to be in a zone: a lower bound for each."""
        counted = Counter({face: n for face, n in self.loose[zone].items() if n > 0})
        counted.update(face for face in self.at[zone] if face is not None)
        return counted
