"""The events of a game for one observer, in few lines."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from rulespec.engine.events import Narrator
from rulespec.messages import say
from rulespec.table.words import PLAIN, Words

if TYPE_CHECKING:
    from rulespec.engine.state import State


class Story:
    """Describes the new events of a game to a player, or for None to an observer of everything.

    With `rules` it also names each rule that applies, by its id and title. `words` are those of a language.
    """

    def __init__(self, state: State, player: int | None, rules: bool = False, words: Words = PLAIN) -> None:
        self.game, self.player, self.rules, self.words = state.game, player, rules, words
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
            several = say("{event}  ({times} times)", event=words, times=times)
            lines.append(words if times == 1 else self.words.of(several))
        return lines

    def _lines(self, state: State) -> Iterator[str]:
        events = state.events or []
        for event in events[self._heard :]:
            words = "\n".join(map(self.words.of, self.narrator.said(event)))
            if event[0] == "rule":
                yield from self._heading(event[1])
            elif event[0] == "choice":
                forced = event[2] == self.player and self._forced and self._forced.popleft()
                yield self.words.of(say("{choice} (the only choice)", choice=words)) if forced else words
            elif words:
                yield f"  {words}"
        self.narrator.look()
        self._heard = len(events)

    def _heading(self, rule: int) -> Iterator[str]:
        """The title of a part of the game, as a heading. Parts have ids without a dot."""
        id_ = self.game.program.rules[rule]
        known = self.game.spec.rules.get(id_)
        title = self.words.title(id_, known.title) if known is not None else ""
        if title and "." not in id_:
            yield f"— {title} —"
        elif self.rules and title:
            yield f"  [{id_}] {title}"
