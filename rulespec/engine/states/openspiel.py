"""The methods of OpenSpiel's states that follow from a few others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Self

from rulespec.engine.interpreter.running import SIMULTANEOUS, StartPosition, StateError
from rulespec.engine.rules.ruleset import Ruleset

CHANCE = -1
"""What `current_player` returns at a chance node, as in OpenSpiel."""

_NO_PLAYER = {SIMULTANEOUS: "several players decide at once", CHANCE: "chance is to act"}


class OpenSpielMethods(ABC):
    """Methods under OpenSpiel's names, made of those that are abstract here. No other module calls them."""

    __slots__ = ()

    game: Ruleset
    choices: list[tuple[int, int]]
    decided: dict[int, int]
    seed: int
    position: StartPosition | None

    @classmethod
    @abstractmethod
    def begin(cls, game: Ruleset, seed: int, record: bool, position: StartPosition | None) -> Self:
        """A state of this class at its first decision."""

    @property
    @abstractmethod
    def records(self) -> bool:
        """Whether the state keeps events."""

    @abstractmethod
    def apply_action(self, action: int, player: int | None = None) -> None: ...

    @abstractmethod
    def clone(self) -> Self: ...

    @abstractmethod
    def current_player(self) -> int: ...

    @abstractmethod
    def is_terminal(self) -> bool: ...

    @abstractmethod
    def legal_actions(self, player: int | None = None) -> list[int]: ...

    @abstractmethod
    def returns(self) -> list[float]: ...

    @abstractmethod
    def to_json(self) -> str: ...

    # nodes

    def is_chance_node(self) -> bool:
        """Whether chance is to act. Only states with explicit chance nodes have such nodes."""
        return False

    def is_simultaneous_node(self) -> bool:
        """Whether several players decide at once."""
        return self.current_player() == SIMULTANEOUS

    def is_player_node(self) -> bool:
        """Whether a single player decides."""
        return self.current_player() >= 0

    def _to_act(self) -> int:
        """The player to act. Raises StateError where there is no single one."""
        player = self.current_player()
        if player < 0:
            why = _NO_PLAYER.get(player, "the game is over")
            raise StateError(f"{why}, so there is no single player to act: pass the player")
        return player

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of a chance node with their probabilities. Raises StateError at any other node."""
        raise StateError("this is no chance node: one player or several are to act, or the game is over")

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """1 for every legal action of a player (by default the player to act), 0 for all others of the action space; at
        a chance node the same for the outcomes. Raises StateError without a player while several decide at once."""
        if player is None and self.is_simultaneous_node():
            player = self._to_act()
        mask = [0] * self._num_actions()
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def _num_actions(self) -> int:
        """The size of the space that the legal actions are from."""
        return self.game.num_distinct_actions()

    # the result

    def rewards(self) -> list[float]:
        """What the last action was worth to each player: the returns at the end of the game, 0 before."""
        return self.returns() if self.is_terminal() else [0.0] * self.game.players

    def player_reward(self, player: int) -> float:
        """What the last action was worth to a player."""
        return self.rewards()[player]

    def player_return(self, player: int) -> float:
        """What the game is worth to a player; 0 before the end."""
        return self.returns()[player]

    def num_players(self) -> int:
        """The number of players."""
        return self.game.players

    # copies

    def child(self, action: int) -> Self:
        """A copy of the state after an action of the current player or an outcome of chance."""
        copy = self.clone()
        copy.apply_action(action)
        return copy

    def serialize(self) -> str:
        """The state as text, for `game.deserialize_state`: the same as `to_json`."""
        return self.to_json()

    def undo_action(self, player: int, action: int) -> None:
        """Takes back the last action, and everything that followed from it: the choices before it are played again.

        Of players who decide at once, the one who has chosen last is taken back first; after the reveal, it is the
        highest seat. Raises StateError, and changes nothing, if this player did not act last or took another action.
        """
        self._require_beginning()
        *before, last = self._past() or [None]
        if last != (player, action):
            found = "nothing has been done" if last is None else f"seat {last[0]} took action {last[1]} last"
            raise StateError(f"action {action} of seat {player} cannot be undone: {found}")
        self._become(replayed(type(self), self.game, self.seed, self.records, self.position, before))

    def _past(self) -> list[Any]:
        """All choices so far with their players, those that are not revealed included."""
        return [*self.choices, *self.decided.items()]

    def _become(self, other: Self) -> None:
        """Takes over everything of another state of this class."""
        for kind in type(self).__mro__:
            for name in getattr(kind, "__slots__", ()):
                slot = vars(kind)[name]
                with suppress(AttributeError):  # a state that begins in machine code has no code in Python
                    slot.__set__(self, slot.__get__(other))

    def _require_beginning(self) -> None:
        """Raises StateError for a possible world (see possible_worlds.py): no game leads to it."""
        if self.position is not None and not self.position.at:
            raise StateError("a possible world has no beginning: it cannot be pickled, and nothing in it undone")

    def __reduce__(self) -> tuple[Any, ...]:
        self._require_beginning()
        return replayed, (type(self), self.game, self.seed, self.records, self.position, self._past())

    def __deepcopy__(self, memo: object) -> Self:
        return self.clone()


def replayed(
    kind: type[OpenSpielMethods],
    game: Ruleset,
    seed: int,
    record: bool,
    position: StartPosition | None,
    past: Iterable[tuple[int, int]],
) -> Any:
    """The state of a class after these choices."""
    state = kind.begin(game, seed, record, position)
    for player, action in past:
        state.apply_action(action, player)
    return state
