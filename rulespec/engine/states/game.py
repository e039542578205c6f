"""A game: a ruleset that makes states. Also the setting for player counts and rulings given by name."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from rulespec.base.messages import say
from rulespec.engine.backend.engines import cache
from rulespec.engine.backend.engines.costs import starts
from rulespec.engine.backend.engines.table import AUTO
from rulespec.engine.backend.engines.tiers import Machine, Tier
from rulespec.engine.interpreter.random import SEED_BITS
from rulespec.engine.interpreter.running import StartPosition, StateError
from rulespec.engine.knowledge.tensors import Part, layout
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.states.chance import ExplicitState
from rulespec.engine.states.draw_points import most_outcomes
from rulespec.engine.states.start_positions import require_position
from rulespec.engine.states.state import State
from rulespec.language.model.constants import Setting
from rulespec.language.model.spec import Spec

if TYPE_CHECKING:
    from rulespec.engine.states.native import PlayedState
    from rulespec.engine.states.vector import Vector


def _choices(listed: list[Any]) -> bool:
    """Whether a list holds pairs of player and action."""
    # Not `isinstance`: true and false are integers, too.
    return all(isinstance(c, list) and len(c) == 2 and all(type(part) is int for part in c) for c in listed)


SAMPLED, EXPLICIT = "sampled", "explicit"
"""Where the draws of a game come from: from its seed, or from whom it is played by, as the actions of chance."""


class Game(Ruleset):
    """One setting of a spec, ready to be played. Made by `spec.game(...)`, immutable, shared by all of its states.

    With `setup_only` the game ends with its setup, which is quicker to compile and enough to inspect the cards.
    `engine` is one of `engines.ENGINES` or `auto`. Raises ValueError if this machine cannot run the engine.
    """

    def __init__(self, setting: Setting, setup_only: bool = False, engine: str = "interpreter") -> None:
        super().__init__(setting, setup_only, engine)
        if engine == AUTO:
            self.code.tier = tier_of(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Made again from its setting in another process: a program and its code are not sent."""
        return Game, (self.setting, self.setup_only, self.engine)

    def new_initial_state(self, seed: int | None = None, record: bool = True, chance: str = SAMPLED) -> State:
        """A new game. The same seed gives the same draws; without one a random seed is taken (see `state.seed`).

        `record=False` keeps no events: faster, but the state cannot be observed, explained or logged.
        `chance="explicit"` draws nothing from a seed: every draw is a chance node (see `State.chance_outcomes`), and
        the interpreter runs the game. Raises ValueError for a seed with it, and for any other `chance`.
        """
        if chance not in (SAMPLED, EXPLICIT):
            raise ValueError(f"unknown chance `{chance}`: write {SAMPLED} or {EXPLICIT}")
        if chance == EXPLICIT:
            if seed is not None:
                raise ValueError("a game with explicit chance nodes has no seed: choose the outcomes instead")
            return ExplicitState(self, record)
        return self.new_state(secrets.randbits(SEED_BITS) if seed is None else seed, record)

    def state_at(self, position: StartPosition, seed: int = 0) -> State:
        """A game from a position set up by hand. Raises StateError if no rule of the game starts there, or for cards
        and contents of values that no position has."""
        require_position(self, position)
        return self.new_state(seed, True, position)

    def new_state(self, seed: int, record: bool, position: StartPosition | None = None) -> State:
        """A state at its first decision, which machine code runs if the engine has it by now."""
        tier = self.code.tier
        if (self.engine == "native" or (tier and tier.take_over)) and self.code.segments is not None:
            from rulespec.engine.states.native import Memory, begun

            if position is None:
                return begun(State, self, self.code.segments, seed, record)
            # It may start at any rule: Python runs it up to its first decision.
            state = State(self, seed, record, position)
            Memory.take_over(state)
            return state
        state = State(self, seed, record, position)
        state.tier = tier if position is None else None
        return state

    def vector(self, n: int, **options: Any) -> Vector:
        """n games at once in machine code, for learners. `options` are those of `Vector`, which says what is raised."""
        from rulespec.engine.states.vector import Vector

        return Vector([self], n, **options)

    # tensors

    def observation_parts(self) -> tuple[Part, ...]:
        """The parts of `State.observation_tensor`, in order; see tensors.py for what each holds."""
        return layout(self).observation

    def information_state_parts(self) -> tuple[Part, ...]:
        """The parts of `State.information_state_tensor`, in order."""
        return layout(self).information

    def observation_tensor_shape(self) -> list[int]:
        """The size of `State.observation_tensor`, as a list of one number."""
        return [self.observation_parts()[-1].end]

    def information_state_tensor_shape(self) -> list[int]:
        """The size of `State.information_state_tensor`, as a list of one number."""
        return [self.information_state_parts()[-1].end]

    def state_from_json(self, text: str) -> State:
        """The state that `State.to_json` saved; it goes on exactly as the saved one would.

        Raises StateError if the text is no saved state of this game, or if its choices no longer lead to that state.
        """
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise StateError(say("the text is not JSON: {error}", error=error)) from None
        if not isinstance(data, dict):
            raise StateError(say("the text is not a saved state: it is not a JSON object"))
        for key, value in self.identity().items():
            if data.get(key) != value:
                raise StateError(
                    say(
                        "the saved state belongs to another game: its {key} is {found!r}, not {value!r}",
                        key=key,
                        found=data.get(key),
                        value=value,
                    )
                )
        lists = [data.get("history"), data.get("decided", [])]
        if not isinstance(data.get("seed"), int) or not all(isinstance(one, list) and _choices(one) for one in lists):
            raise StateError(say("the saved state has no valid seed or history"))
        explicit = data.get("chance") == EXPLICIT
        state = self.new_initial_state(chance=EXPLICIT) if explicit else self.new_initial_state(data["seed"])
        for player, action in [*data["history"], *data.get("decided", [])]:
            state.apply_action(action, player)
        if state.snapshot() != data.get("state"):
            raise StateError("the saved choices lead to another state: it was saved with another version of the rules")
        return state

    def max_chance_outcomes(self) -> int:
        """The size of the space of chance outcomes: they are the numbers from 0 up to this one. 0 without chance."""
        return most_outcomes(self)

    def deserialize_state(self, text: str) -> State:
        """The state that `State.serialize` saved: the same as `state_from_json`."""
        return self.state_from_json(text)


def setting(spec: Spec, players: int | None = None, rulings: Mapping[str, str] | None = None) -> Setting:
    """The setting for a number of players (by default the smallest) and rulings by name.

    Raises ValueError for a player count, ruling or answer that the game does not have.
    """
    count = spec.players.start if players is None else players
    if not isinstance(count, int) or count not in spec.players:
        low, high = spec.players.start, spec.players[-1]
        said = say(
            "{game} is for {low} to {high} players, not {count}", game=spec.title, low=low, high=high, count=count
        )
        raise ValueError(said)
    chosen = dict.fromkeys(spec.rulings, 0)
    for id_, answer in (rulings or {}).items():
        if id_ not in spec.rulings:
            known = tuple(spec.rulings) or say("none")
            raise ValueError(say("unknown ruling `{ruling}`: the game has {known}", ruling=id_, known=known))
        options = spec.rulings[id_].options
        if answer not in options:
            said = say("unknown answer `{answer}` to `{ruling}`", answer=answer, ruling=id_)
            raise ValueError(say("{said}: write one of {known}", said=said, known=tuple(options)))
        chosen[id_] = options.index(answer)
    return Setting(spec, count, chosen)


def tier_of(game: Ruleset) -> Tier:
    """The tier of a game, whose machine code includes that for views."""
    # Segments and views each take about as long as playouts.
    compiling, seconds = (__name__, "compile_game", game), lambda: 2 * starts(game.program)["native"]
    return Tier(Machine(lambda: _is_cached(game), lambda: _loaded(game), compiling, seconds))


def compile_game(game: Ruleset) -> bool:
    """Compiles the machine code of a game, or loads it from the cache. False if it exceeds the limits, or if what
    players see depends on the state: then Python makes the views."""
    from rulespec.engine.states.native_observation import view_segments

    return game.code.segments is not None and view_segments(game) is not None


def _loaded(game: Ruleset) -> Callable[[PlayedState], None] | None:
    from rulespec.engine.states.native import Memory

    return Memory.take_over if compile_game(game) else None


def _is_cached(game: Ruleset) -> bool:
    from rulespec.engine.backend.engines.native_segments import STEPS
    from rulespec.engine.states.native_observation import VIEWS

    return all(cache.has_native(game.setting, kind, str(game.setup_only)) for kind in (STEPS, VIEWS))
