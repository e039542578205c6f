"""A ruleset: everything about one setting of a spec that its states share."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from rulespec.engine.backend.engines.code import ProgramCode
from rulespec.engine.interpreter.running import StartPosition
from rulespec.engine.program.compile import compile_program
from rulespec.engine.program.length import most_decisions, most_draws
from rulespec.engine.rules.actions import ActionSpace
from rulespec.engine.rules.naming import Names
from rulespec.engine.rules.viewers import GameViewers
from rulespec.language.formats.table import FORMATS
from rulespec.language.model.constants import Setting
from rulespec.language.model.spec import Spec


class Ruleset:
    """A sealed spec under one setting: a program, its code, its names, its action space and its viewers. `ordered`
    says for every zone whether the order of its cards counts."""

    def __init__(self, setting: Setting, setup_only: bool = False, engine: str = "interpreter") -> None:
        self.setting, self.setup_only = setting, setup_only
        self.spec: Spec = setting.spec
        self.players: int = setting.players
        self.program = compile_program(setting, setup_only)
        self.code = ProgramCode(setting, self.program, setup_only, engine)
        self.names = Names(setting, self.program)
        self.actions = ActionSpace(self.program, self.names)
        self.viewers = GameViewers(setting, self.program, self.names, self.code)
        self.ordered = tuple(self.spec.zones[name].ordered for name, _ in self.program.zones)

    @property
    def engine(self) -> str:
        """The name of the engine that runs the program, or `auto`."""
        return self.code.engine

    def new_state(self, seed: int, record: bool, position: StartPosition | None = None) -> Any:
        """A state at its first decision, from the deal or from a position set up by hand. A game makes them."""
        raise NotImplementedError("a ruleset alone makes no states")

    def identity(self) -> dict[str, Any]:
        """What names this setting in logs and saved states."""
        rulings = {id_: ruling.options[self.setting.chosen[id_]] for id_, ruling in self.spec.rulings.items()}
        return {
            "format": FORMATS["state"].number,
            "game": self.spec.id,
            **({"variant": self.spec.variant} if self.spec.variant else {}),
            "version": self.spec.version,
            "digest": self.spec.digest,
            "players": self.players,
            "rulings": rulings,
        }

    # actions

    def num_distinct_actions(self) -> int:
        """The size of the action space: actions are the numbers from 0 up to this one."""
        return self.actions.size

    def num_players(self) -> int:
        """The number of players."""
        return self.players

    def min_utility(self) -> float:
        """A bound of what the game can be worth to a player (`State.returns`); play may never come so low."""
        return float(self.program.ranking.bounds[0]) if self.program.ranking is not None else 0.0

    def max_utility(self) -> float:
        """A bound of what the game can be worth to a player (`State.returns`); play may never come so high."""
        return float(self.program.ranking.bounds[1]) if self.program.ranking is not None else 0.0

    def utility_sum(self) -> float | None:
        """What the game is worth to all players together (the sum of `State.returns`); None if that varies."""
        ranking = self.program.ranking
        return float(ranking.sum) if ranking is not None and ranking.sum is not None else None

    def max_game_length(self) -> int:
        """A bound on the decisions of players in one game, proved from the bounds of its loops. Play may never come so
        far. Players who decide at once are counted one by one."""
        return self._length[0]

    def max_chance_nodes_in_history(self) -> int:
        """A bound on the chance nodes of one game, as `max_game_length`."""
        return self._length[1]

    @cached_property
    def _length(self) -> tuple[int, int]:
        return most_decisions(self.setting), most_draws(self.setting)

    def rule_of_action(self, action: int) -> str:
        """The id of the rule that offers an action."""
        return self.actions.rule(action)

    def title_of_action(self, action: int) -> str:
        """The title of an action's rule: the kind of action, without what is picked."""
        return self.actions.title(action)

    def picks_of(self, action: int) -> dict[str, str]:
        """The variables of an action and what they stand for, in words."""
        return self.actions.picks(action)

    def action_to_string(self, action: int) -> str:
        """An action in the words of its option."""
        return self.actions.words(action)

    # names

    def address(self, name: str, index: Sequence[int]) -> int:
        """The register of a stored value, for positions set up by hand. Raises StateError if there is none."""
        return self.names.address(name, index)

    def card_name(self, card: int) -> str:
        """A card in words, as its face shows it."""
        return self.names.card_name(card)

    def zone_name(self, zone: int) -> str:
        """A zone in words, with its owner."""
        return self.names.zone_names[zone]

    def zone_id(self, zone: int) -> str:
        """A zone as the spec writes it: `hand[2]`, `deck`; players count from 1."""
        return self.names.zone_id(zone)

    def value_id(self, value: str, offset: int) -> str:
        """A cell of a value as the spec writes it: `esteem[military]`."""
        return self.names.value_id(value, offset)

    def value_name(self, value: str, offset: int) -> str:
        """A cell of a value in words."""
        return self.names.value_name(value, offset)

    def value_word(self, value: str, number: int) -> str:
        """What a stored value holds, in words."""
        return self.names.value_word(value, number)
