"""A game at a table: people and automated players, undo, the log, save and resume."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulespec.base.messages import NOTHING, Message, say
from rulespec.engine.interpreter.random import Generator, stream
from rulespec.engine.interpreter.running import StateError
from rulespec.engine.knowledge.results import player_words
from rulespec.engine.states.chance import ExplicitState
from rulespec.engine.states.game import EXPLICIT, Game
from rulespec.engine.states.log import LogError, lines, replay_on
from rulespec.engine.states.openspiel import CHANCE
from rulespec.play.table.automated import Automated, deciding
from rulespec.play.table.revealed import revealed

if TYPE_CHECKING:
    from rulespec.engine.states.state import State
    from rulespec.play.bots.bot import Bot
    from rulespec.play.bots.thinking import Thinking

RANDOM_STREAM = 1
"""The stream of a game that random players draw from, so that their choices never depend on the deal."""


@dataclass(frozen=True)
class Made:
    """A choice that was made: the seat (CHANCE for chance), the action, and whether a person had others."""

    seat: int
    action: int
    own: bool


class Table:
    """A game in progress from a state on. `people` are the seats (from 0) of people; `bots` play all others, at random
    without them, with draws of their own from the seed.

    In a state with explicit chance nodes, what is drawn from a physical deck is entered, outcome by outcome.
    """

    def __init__(
        self, state: State, people: Iterable[int], seed: int | None = None, bots: Sequence[Bot] | None = None
    ) -> None:
        assert isinstance(state.game, Game)
        self.game = state.game
        self.people, self.bots = tuple(sorted(people)), bots
        self.seed = state.seed if seed is None else seed
        self._begin(state)

    def _begin(self, state: State) -> None:
        self.state, self.start = state, state.clone()
        self.made: list[Made] = []
        self._below = Generator(stream(self.seed, RANDOM_STREAM)).below

    @property
    def is_dealt(self) -> bool:
        """Whether draws are entered from a physical deck."""
        return isinstance(self.state, ExplicitState)

    # play

    def seat(self) -> int | None:
        """The seat that decides next, CHANCE if an outcome is to be entered, None at the end of the game."""
        if self.state.is_chance_node():
            return CHANCE
        return None if self.state.is_terminal() else self.state.deciders()[0]

    def is_asked(self, seat: int) -> bool:
        """Whether the choices of a seat are made at the table: by a person, or by turning a card of the deck."""
        return seat in self.people or seat == CHANCE

    def play(self, action: int, seat: int | None = None) -> None:
        """Makes a choice for the seat that decides next, or for another that is to decide.

        Raises StateError if the action is not legal now; nothing is changed then.
        """
        seat = self.seat() if seat is None else seat
        if seat is None:
            raise StateError(say("the game is over"))
        own = self.is_asked(seat) and len(self.state.legal_actions(None if seat == CHANCE else seat)) > 1
        self.state.apply_action(action, seat)
        self.made.append(Made(seat, action, own))

    def automated(self, stops: Callable[[float], bool | None] = lambda share: None) -> Automated:
        """Makes the choice of the automated player that decides next, and returns it. `stops` gets the share of its
        time that is over, now and then, and says whether it has to act."""
        from rulespec.play.bots.thinking import thought

        return thought(self.thinking(), stops)

    def thinking(self) -> Thinking[Automated]:
        """The same with pauses, at which the player can be stopped. Nothing else may happen at the table meanwhile."""
        seat = self.seat()
        assert seat is not None
        move = yield from deciding(self.state, seat, self.bots[seat] if self.bots is not None else None, self._below)
        self.play(move.action, seat)
        return move

    # undo

    def undo(self, seat: int | None = None) -> Message:
        """Takes back the last decision of a seat, and everything after it. Returns why that is not possible, or "".

        Without a seat it is the last decision of anybody at the table. With several people, nothing is taken back that
        another person has decided since, or after which a player has learned something hidden. With one person among
        automated players, or with a physical deck, it always is.
        """
        last = self._last(seat)
        if last < 0:
            return say("there is no decision to take back")
        before = self._after(self.made[:last])
        refused = self._refused(before, self.made[last:]) if len(self.people) > 1 and not self.is_dealt else None
        if refused is not None:
            return refused
        self.state, self.made = before, self.made[:last]
        self._draw_again()
        return NOTHING

    def _last(self, seat: int | None) -> int:
        wanted = (at for at, one in enumerate(self.made) if one.own and seat in (None, one.seat))
        return max(wanted, default=-1)

    def _refused(self, before: State, since: Sequence[Made]) -> Message | None:
        first, *others = since
        later = next((one.seat for one in others if one.own and one.seat != first.seat), None)
        if later is not None:
            return say("{player} has decided something since", player=player_words(later))
        return revealed(before, [(one.seat, one.action) for one in since], self.state)

    def _after(self, made: Iterable[Made]) -> State:
        state = self.start.clone()
        for one in made:
            state.apply_action(one.action, one.seat)
        return state

    def _draw_again(self) -> None:
        """Brings the draws of random players to where they were, so that they answer the same move in the same way."""
        self._below = Generator(stream(self.seed, RANDOM_STREAM)).below
        state = self.start.clone()
        for one in self.made if self.bots is None else ():
            if not self.is_asked(one.seat):
                self._below(len(state.legal_actions(one.seat)))
            state.apply_action(one.action, one.seat)

    # save and resume

    def saved(self) -> str:
        """The game so far as text: its log, which `ftk replay` reads. With a physical deck, its state."""
        if self.is_dealt:
            return self.state.to_json() + "\n"
        return "".join(f"{line}\n" for line in lines(self.state))

    def resume(self, text: str) -> None:
        """Goes on from a text of `saved`, or from a saved state. Choices that are not revealed yet are not in a log.

        Raises LogError or StateError if it is of another game, or if its rules have changed.
        """
        state = self._read(text)
        explicit = isinstance(state, ExplicitState)
        self.seed = state.seed
        new = self.game.new_initial_state
        self._begin(new(chance=EXPLICIT) if explicit else new(state.seed))
        for seat, action in [*state.choices, *state.decided.items()]:
            self.play(action, seat)
        self._draw_again()

    def _read(self, text: str) -> State:
        first = _object(text.partition("\n")[0])
        if "history" in first:
            return self.game.state_from_json(text)
        return replay_on(self.game, text)


def _object(line: str) -> dict[str, object]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise LogError(say("the text is neither a log nor a saved state"), 1)
    return value
