"""What one player may know of a game at one moment; as text in observation.py, as numbers in tensors.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol

from rulespec.engine.backend.digest import Digest, as_bytes, bits_of, extended
from rulespec.engine.interpreter.running import RunningState
from rulespec.engine.knowledge.observed import Observer
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.rules.viewers import Content


class ViewedState(RunningState, Protocol):
    """The parts of a state that a view reads."""

    decided: dict[int, int]

    @property
    def game(self) -> Ruleset:
        """The ruleset of the state."""

    def is_terminal(self) -> bool:
        """Whether the game is over."""

    def deciders(self) -> list[int]:
        """The seats that have still to decide."""

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions of a player."""


NOTHING_KNOWN: Counter[int] = Counter()
"""No faces. Never changed."""


class ZoneView(NamedTuple):
    """A zone as a player knows it.

    `faces` are those of a zone that they see: from the bottom to the top, or sorted, if the order is hidden. Of any
    other zone, `places` holds the face known to be at each place (None for an unknown one, always so in a zone without
    order), and `known` counts the faces known to be somewhere else in it.
    """

    number: int
    size: int
    visible: bool
    faces: Sequence[int]
    places: Sequence[int | None]
    known: Counter[int]


class View:
    """What one player may know of a state now. Make a new one when the state has gone on.

    Everything follows from what the player has observed (see observed.py), so it depends on nothing they cannot know.
    """

    def __init__(self, state: ViewedState, player: int, observer: Observer) -> None:
        self._state, self.player, self._observer = state, player, observer

    @property
    def deciders(self) -> list[int]:
        """The seats to decide. All who decide at once, whether they have or not: who has chosen is hidden."""
        return list(self._state.asked) or self._state.deciders()

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._state.is_terminal()

    def legal_actions(self) -> list[int]:
        """The legal actions of this player, rising; none if they are not to decide."""
        return self._state.legal_actions(self.player)

    @cached_property
    def values(self) -> list[Content]:
        """Every titled value that the player may know; what lies on cards is not among them."""
        return list(self._state.game.observers.values(self._state, self.player))

    @cached_property
    def zones(self) -> list[ZoneView]:
        """Every zone as the player knows it."""
        return [self._zone(number, cards) for number, cards in enumerate(self._state.z)]

    def _zone(self, number: int, cards: Sequence[int]) -> ZoneView:
        knowledge = self._observer.knowledge
        assert knowledge is not None
        if not knowledge.visible[number]:
            loose = knowledge.loose[number]
            return ZoneView(number, len(cards), False, (), knowledge.at[number], +loose if loose else NOTHING_KNOWN)
        faces = [knowledge.faces[card] for card in cards]
        if not knowledge.ordered[number]:
            faces.sort()
        return ZoneView(number, len(cards), True, faces, (), NOTHING_KNOWN)

    def key(self) -> bytes:
        """The information state: 16 bytes, equal if and only if the player has observed and done the same since the
        beginning. The same on every engine and machine."""
        state, deciding = self._state, bits_of(self.deciders)
        return key(self._observer.digest, self.player, deciding, state.pc, state.decided)


def key(digest: Digest, player: int, deciding: int, place: int, decided: Mapping[int, int]) -> bytes:
    """The key of a player who has observed what a digest stands for, at a decision point in the program. `deciding` has
    a bit for each seat that decides there."""
    own = place + 1 if deciding >> player & 1 else 0
    return as_bytes(extended(digest, (deciding, (own << 32) + decided.get(player, -1) + 1)))
