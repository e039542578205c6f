"""The events of a game for one observer, in few lines."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulespec import State


class Story:
    """Describes the new events of a game to a player, or for None to an observer of everything.

    With `rules` it also names each rule that applies, by its id and title.
    """

    def __init__(self, state: State, player: int | None, rules: bool = False) -> None:
        from rulespec.engine import Narrator

        self.game, self.player, self.rules = state.game, player, rules
        self.narrator = Narrator(state.game, player, state.position)
        self._heard = 0
        self._forced: deque[bool] = deque()

    def chose(self, forced: bool) -> None:
        """Stores that the player has chosen; `forced` if there was only one choice. Shown with the event."""
        self._forced.append(forced)

    def news(self, state: State) -> list[str]:
        """The lines since the last call. Equal lines in a row become one line with a number."""
        lines = []
        for words, same in groupby(self._lines(state)):
            times = sum(1 for _ in same)
            lines.append(words if times == 1 else f"{words}  ({times} times)")
        return lines

    def _lines(self, state: State) -> Iterator[str]:
        events = state.events or []
        for event in events[self._heard :]:
            words = self.narrator.narrate(event)
            if event[0] == "rule":
                yield from self._heading(event[1])
            elif event[0] == "choice":
                forced = event[2] == self.player and self._forced and self._forced.popleft()
                yield words + (" (the only choice)" if forced else "")
            elif words:
                yield f"  {words}"
        self.narrator.look()
        self._heard = len(events)

    def _heading(self, rule: int) -> Iterator[str]:
        """The title of a part of the game, as a heading. Parts have ids without a dot."""
        id_ = self.game.program.rules[rule]
        title = self.game.spec.rules[id_].title if id_ in self.game.spec.rules else ""
        if title and "." not in id_:
            yield f"— {title} —"
        elif self.rules and title:
            yield f"  [{id_}] {title}"
