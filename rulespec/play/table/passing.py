"""A position between two events, which nobody decides in."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from rulespec.engine.knowledge.hidden_zones import Replica
from rulespec.engine.knowledge.observation import View

if TYPE_CHECKING:
    from rulespec.engine.interpreter.running import Event
    from rulespec.engine.knowledge.observation import ObservedState
    from rulespec.engine.knowledge.observer import Observer
    from rulespec.engine.states.state import State


class Passing(Replica):
    """The position that the events so far have led to, as the observer who follows them sees it: what `position_of`
    reads of a state.

    Cards that move from zones of one name to zones of another one move one way: those of a deal, or of a trick.
    """

    pc = -1

    def __init__(self, state: State, observer: Observer) -> None:
        super().__init__(state.game, state.position)
        self.game, self.asked, self._observer = state.game, dict[int, list[int]](), observer
        self._way: tuple[str, str] | None = None

    def rest(self) -> None:
        """A decision has been made: cards move one way again."""
        self._way = None

    def turns(self, event: Event) -> bool:
        """Whether an event moves cards another way than those that moved last. Keeps the way."""
        if event[0] not in ("move", "move_all"):
            return False
        source, target = (event[3], event[5]) if event[0] == "move" else (event[2], event[3])
        way = self.game.program.zones[source][0], self.game.program.zones[target][0]
        before, self._way = self._way, way
        return before not in (None, way)

    def view(self, player: int) -> View:
        """What the observer knows now."""
        self._observer.look()
        return View(cast("ObservedState", self), player, self._observer)

    def deciders(self) -> list[int]:
        """Nobody decides here."""
        return []

    def is_terminal(self) -> bool:
        """The game goes on."""
        return False
