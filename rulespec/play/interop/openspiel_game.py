"""The games and states of OpenSpiel that stand for ours. Importing this needs OpenSpiel: see openspiel.py."""

from __future__ import annotations

import ctypes
import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from rulespec.engine.interpreter.random import SEED_BITS
from rulespec.engine.interpreter.running import StateError
from rulespec.engine.states.game import Game
from rulespec.engine.states.state import State
from rulespec.play.interop import library
from rulespec.play.interop.sides import decides_at_once, has_private_information, private_lines, public_lines

pyspiel = library("pyspiel", "openspiel")
_A_GAME: Any = pyspiel.Game
_A_STATE: Any = pyspiel.State

LONGEST = 2**31 - 1
"""The largest number in OpenSpiel's information about a game. It multiplies lengths by the number of players."""

_LOADED: dict[str, Loaded] = {}
"""The games that are registered with OpenSpiel, by the names they have there."""


class Loaded:
    """A game under a name of OpenSpiel: `turn_based` says whether players who decide at once are asked in turn,
    `readable` whether information states are texts, not keys. `first` is the state that every game begins with.
    """

    def __init__(self, game: Game, turn_based: bool, readable: bool, name: str) -> None:
        self.game, self.turn_based, self.readable, self.name = game, turn_based, readable, name
        self.simultaneous = decides_at_once(game) and not turn_based
        self.first = game.new_initial_state(chance="explicit")


def _name(game: Game, turn_based: bool, readable: bool) -> str:
    """A name with the game and the number of players, and a digest of the spec and the rulings."""
    digest = hashlib.sha256(json.dumps(game.identity(), sort_keys=True).encode()).hexdigest()[:8]
    return f"ftk_{game.spec.id}_{game.players}p_{digest}" + "_turns" * turn_based + "_readable" * readable


def loaded_game(game: Game, turn_based: bool, readable: bool) -> Any:
    """The game as OpenSpiel loads it, registered if it is not yet."""
    turn_based = turn_based and decides_at_once(game)
    name = _name(game, turn_based, readable)
    if name not in _LOADED:
        _LOADED[name] = Loaded(game, turn_based, readable, name)
        _register(_LOADED[name])
    return pyspiel.load_game(name)


def _register(loaded: Loaded) -> None:
    type_, info = _type(loaded), _info(loaded)

    def create(params: object) -> Any:
        return SpecGame(type_, info, loaded, params)

    # OpenSpiel lets go of it when Python is gone already, and then it must not be the last who holds it.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(create))
    pyspiel.register_game(type_, create)


def _type(loaded: Loaded) -> Any:
    game, kinds = loaded.game, pyspiel.GameType
    private = has_private_information(game) or loaded.turn_based
    dynamics, chance, information = kinds.Dynamics, kinds.ChanceMode, kinds.Information
    return kinds(
        short_name=loaded.name,
        long_name=f"{game.spec.title}, {game.players} players",
        dynamics=dynamics.SIMULTANEOUS if loaded.simultaneous else dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if game.max_chance_nodes_in_history() else chance.DETERMINISTIC,
        information=information.IMPERFECT_INFORMATION if private else information.PERFECT_INFORMATION,
        utility=_utility(kinds.Utility, game),
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.players,
        min_num_players=game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
    )


def _utility(kinds: Any, game: Game) -> Any:
    total = game.utility_sum()
    return kinds.GENERAL_SUM if total is None else kinds.CONSTANT_SUM if total else kinds.ZERO_SUM


def _info(loaded: Loaded) -> Any:
    game = loaded.game
    return pyspiel.GameInfo(
        num_distinct_actions=game.num_distinct_actions(),
        max_chance_outcomes=game.max_chance_outcomes(),
        num_players=game.players,
        min_utility=game.min_utility(),
        max_utility=game.max_utility(),
        utility_sum=game.utility_sum(),
        max_game_length=min(game.max_game_length(), LONGEST // (4 * game.players)),
    )


class Held:
    """One of our states inside one of theirs: pickled by the name of its game and its choices."""

    def __init__(self, loaded: Loaded, state: State) -> None:
        self.loaded, self.state = loaded, state

    # OpenSpiel clones a state in Python by deep copies of its attributes.
    def __deepcopy__(self, memo: object) -> Held:
        return Held(self.loaded, self.state.clone())

    def __reduce__(self) -> tuple[Any, ...]:
        return _held, (self.loaded.name, [*self.state.choices, *self.state.decided.items()])


def _held(name: str, choices: list[tuple[int, int]]) -> Held:
    state = _LOADED[name].first.clone()
    for player, action in choices:
        state.apply_action(action, player)
    return Held(_LOADED[name], state)


class Observer:
    """What players observe, as OpenSpiel's observers say it. `public` and `private` say which information is included,
    `recall` whether all that a player has observed is. Only complete observations have a tensor."""

    def __init__(self, loaded: Loaded, public: bool, private: bool, recall: bool) -> None:
        import numpy

        self.string_from = _STRINGS[public, private, recall]
        self._tensor: Callable[[State, int], Any] | None = None
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if public and private:
            parts = loaded.game.information_state_parts() if recall else loaded.game.observation_parts()
            self._tensor = State.information_state_tensor if recall else State.observation_tensor
            self.tensor = numpy.zeros(parts[-1].end, numpy.float32)
            self.dict = {part.name: self.tensor[part.start : part.end] for part in parts}

    def set_from(self, state: Any, player: int) -> None:
        """Updates `tensor` and `dict`."""
        if self._tensor is not None:
            self.tensor[:] = self._tensor(state.held.state, player)


def _information_state(state: Any, player: int) -> str:
    ours = state.held.state
    readable = state.held.loaded.readable
    words = ours.information_state_string(player) if readable else ours.information_state_key(player).hex()
    return f"player {player + 1}\n{words}"


def _observation(state: Any, player: int) -> str:
    return f"player {player + 1}\n{state.held.state.observation_string(player)}"


def _public(state: Any, player: int) -> str:
    return "\n".join(public_lines(state.held.state))


def _private(state: Any, player: int) -> str:
    ours = state.held.state
    chosen = [ours.action_to_string(player, ours.decided[player])] if player in ours.decided else []
    return "\n".join([*private_lines(ours, player), *chosen])


_STRINGS: Mapping[tuple[bool, bool, bool], Callable[[Any, int], str]] = {
    (True, True, True): _information_state,
    (True, True, False): _observation,
    (True, False, False): _public,
    (False, True, False): _private,
}
"""Observations as text, by whether they include public and private information, with perfect recall."""


def _observer(loaded: Loaded, kind: Any, params: object) -> Observer | None:
    """The observer of a kind; None for a kind that does not exist, as OpenSpiel wants it."""
    if params:
        raise ValueError(f"these games have no parameters for observations, but there are {params}")
    kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
    private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
    wanted = kind.public_info, private, kind.perfect_recall
    every = kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS
    return Observer(loaded, *wanted) if wanted in _STRINGS and not every else None


class SpecGame(_A_GAME):  # type: ignore[misc]
    def __init__(self, type_: Any, info: Any, loaded: Loaded, params: Any) -> None:
        super().__init__(type_, info, params or {})
        self.loaded = loaded

    def new_initial_state(self, from_history: object = None) -> Any:
        return SpecState(self)

    def max_chance_nodes_in_history(self) -> int:
        ours = self.loaded.game
        return min(ours.max_chance_nodes_in_history(), LONGEST // (4 * ours.players))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | None:
        return _observer(self.loaded, iig_obs_type, params)


class SpecState(_A_STATE):  # type: ignore[misc]
    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.held = Held(game.loaded, game.loaded.first.clone())

    def current_player(self) -> int:
        player = self.held.state.current_player()
        if player == pyspiel.PlayerId.SIMULTANEOUS and not self.held.loaded.simultaneous:
            return self.held.state.deciders()[0]
        return player

    def _legal_actions(self, player: int) -> list[int]:
        return self.held.state.legal_actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.held.state.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.held.state.apply_action(action, self.current_player())

    def _apply_actions(self, actions: list[int]) -> None:
        state = self.held.state
        state.apply_actions({player: actions[player] for player in state.deciders()})

    def _action_to_string(self, player: int, action: int) -> str:
        try:
            return self.held.state.action_to_string(player, action)
        except StateError:
            return f"outcome {action}"  # of a draw that is over

    def is_terminal(self) -> bool:
        return self.held.state.is_terminal()

    def returns(self) -> list[float]:
        return self.held.state.returns()

    def rewards(self) -> list[float]:
        return self.held.state.rewards()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> Any:
        """A possible state with the same information state. Its history is empty: it did not come about by actions."""
        other = SpecState(self.get_game())
        seed = int(sampler() * 2**SEED_BITS)
        other.held = Held(self.held.loaded, self.held.state.resample_from_infostate(player, seed))
        return other

    def __str__(self) -> str:
        return "\n".join(_everything(self.held.state))


def _everything(state: State) -> list[str]:
    """A state with all that is hidden, as lines."""
    game = state.game
    seen = game.viewers.values(state, None)
    values = [f"{game.value_name(name, cell)}: {game.value_word(name, content)}" for name, cell, content in seen]
    zones = [f"{game.zone_name(at)}: {', '.join(map(game.card_name, cards))}" for at, cards in enumerate(state.z)]
    decided = [f"player {player + 1} has chosen {action}" for player, action in state.decided.items()]
    return [f"to act: {state.current_player()}", *values, *zones, *decided]
