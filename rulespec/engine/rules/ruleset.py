"""A ruleset: everything about one setting of a spec that its states share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, reduce
from typing import Any, Literal

from rulespec.engine.backend.engines.code import ProgramCode
from rulespec.engine.interpreter.running import StartPosition
from rulespec.engine.program.compile import compile_program
from rulespec.engine.rules.actions import ActionSpace
from rulespec.engine.rules.naming import Names
from rulespec.engine.rules.viewers import GameViewers
from rulespec.language.formats.table import FORMATS
from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.bounds import Bounds
from rulespec.language.model.constants import Setting
from rulespec.language.model.spec import Spec
from rulespec.language.model.ways import NOTHING, Exit, Point, Ways, steps


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
        return Lengths(self.setting, "decisions").game(), Lengths(self.setting, "draws").game()

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


class Lengths:
    """The ways through every step in one setting, each computed once, by what is counted along them."""

    skipped: tuple[Exit, ...] = (Point.END,)

    def __init__(self, setting: Setting, counted: Literal["decisions", "draws"]) -> None:
        self.setting, self.players, self.cards = setting, setting.players, len(setting.cards)
        self._bounds, self._counted = Bounds(setting), counted
        self._known: dict[m.Step, Ways] = {}

    def game(self) -> int:
        """The most that is counted in a whole game."""
        return self.body(self.setting.spec.setup + self.setting.spec.play).longest

    def of(self, step: m.Step) -> Ways:
        """The ways through a step."""
        if step not in self._known:
            self._known[step] = step.flow(self) if self.setting.present(step.only_if) else NOTHING
        return self._known[step]

    # what is counted (`Count`)

    def body(self, body: m.Body) -> Ways:
        return reduce(Ways.then, map(self.of, body), NOTHING)

    def any(self, body: m.Body) -> Ways:
        return reduce(Ways.either, map(self.of, body)) if body else NOTHING

    def procedure(self, name: str) -> Ways:
        return self.body(self.setting.spec.procedures[name].body)

    def most(self, number: t.TExpr) -> int:
        return max(0, self._bounds.type(number, {}).high)

    def work(self, number: int, end: Exit = Point.END) -> Ways:
        return steps(0, end)

    def decisions(self, number: int) -> Ways:
        return steps(number if self._counted == "decisions" else 0)

    def draws(self, number: int) -> Ways:
        return steps(number if self._counted == "draws" else 0)

    def choice(self, ways: Ways, *passes: Exit) -> Ways:
        return reduce(Ways.either, (steps(0, end) for end in passes), ways)

    def perhaps(self, ways: Ways) -> Ways:
        return ways.either(NOTHING)

    def rounds(self, loop: m.Repeat) -> int:
        if loop.at_most is not None:
            return self.most(loop.at_most)
        targets = {name for body in loop.body for name in self._targets(body)}
        return sum(map(self._pieces, targets)) or self.cards

    def _pieces(self, target: str) -> int:
        """The cards or tokens that can go to a zone or to a place of a stock."""
        place = self.setting.spec.values.get(target)
        if place is None:
            return self.cards
        # A place has room for all tokens of a kind.
        return place.type.high * (self.setting.extent(place.kind) if place.kind is not None else 1)

    def _targets(self, step: m.Step) -> Iterator[str]:
        """The zones that a step moves cards to, and the places where it moves tokens."""
        for inner in m.nested(step):
            yield from (flow.target.name for flow in inner.flows())
            yield from (target.name for _, target in inner.tokens())
            if isinstance(inner, m.Run):
                for below in self.setting.spec.procedures[inner.procedure].body:
                    yield from self._targets(below)

    def extent(self, domain: t.Domain) -> int:
        if isinstance(domain, t.Cards):
            holds = self.setting.spec.zones[domain.zone.name].holds
            return min(self.cards, self.setting.value(holds)) if holds is not None else self.cards
        if isinstance(domain, t.Chosen):
            return domain.picked.type.high
        if isinstance(domain, t.Listed):
            return self.most(domain.count)
        if isinstance(domain, t.Members) and domain.type.kind == "enum":
            return len(self.setting.in_play(domain.type.name))
        return self.setting.extent(domain.type)
