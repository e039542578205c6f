"""Games with named chance: the same states, logs and explanations as any game, with other draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from rulespec.engine.backend.engines.code import ProgramCode
from rulespec.engine.interpreter.evaluate import domain, evaluator
from rulespec.engine.interpreter.running import DecisionCode, Execute, RunningState, StartPosition
from rulespec.engine.named_chance.chance import NamedChance
from rulespec.engine.named_chance.labels import Aliases, Labels
from rulespec.engine.program import ir
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.states.game import Game
from rulespec.engine.states.log import names_since
from rulespec.engine.states.state import State
from rulespec.language.model.constants import Setting

CHANCE = "chance"
"""The key of logs and saved states that says how their game draws; without it, draws come from one generator."""


class NamedGame(Game):
    """A game whose draws are named. It is interpreted; `engine/named_chance/playout_code.py` runs playouts of it."""

    def __init__(self, setting: Setting, aliases: Aliases | None = None) -> None:
        super().__init__(setting)
        self.labels = Labels(self, aliases or Aliases())
        self.code = _NamedCode(setting, self.program, self.setup_only, "interpreter")

    def __reduce__(self) -> tuple[Any, ...]:
        return NamedGame, (self.setting, self.labels.aliases)

    def identity(self) -> dict[str, Any]:
        return super().identity() | {CHANCE: {"named": self.labels.aliases.to_list()}}

    def _state(self, seed: int, record: bool, position: StartPosition | None = None) -> State:
        return NamedState(self, self.labels, seed, record, position)


def game_of_log(game: Game, head: Mapping[str, Any]) -> Game:
    """The game of a log or a saved state that begins with `head`: the same one, or with named draws if it says so.

    Raises ValueError if it says anything else about draws.
    """
    if CHANCE not in head:
        return game
    chance = head[CHANCE]
    if not isinstance(chance, dict) or "named" not in chance:
        raise ValueError("its draws are of an unknown kind")
    aliases = Aliases.from_list(chance["named"])
    return NamedGame(game.setting, aliases.renamed(names_since(game.spec, head).names))


class NamedState(State):
    """A game in progress with the generators `chance`; `generator` is not used."""

    __slots__ = ("chance",)

    def __init__(
        self, game: Ruleset, labels: Labels, seed: int, record: bool, position: StartPosition | None = None
    ) -> None:
        self.chance = NamedChance(seed, labels)
        super().__init__(game, seed, record, position)

    @classmethod
    def begin(cls, game: Ruleset, seed: int, record: bool, position: StartPosition | None) -> Self:
        assert isinstance(game, NamedGame)
        return cls(game, game.labels, seed, record, position)

    def clone(self) -> Self:
        copy = super().clone()
        copy.chance = self.chance.clone()
        return copy

    def _blank(self, seed: int) -> NamedState:
        other = object.__new__(NamedState)
        other.chance = NamedChance(seed, self.chance.labels)
        return other

    def snapshot(self) -> dict[str, Any]:
        states = sorted([*name, state] for name, state in self.chance.states.items())
        return super().snapshot() | {"random": states}


class _NamedCode(ProgramCode):
    """The code of the interpreter, in which all instructions that draw use the named generators."""

    def _interpret(self, record: bool) -> DecisionCode:
        plain = super()._interpret(record)
        run = list(plain.run[place] for place in range(len(self._program.code)))
        for place, instruction in enumerate(self._program.code):
            named = _named(instruction, place, record)
            if named is not None:
                run[place] = named
        return plain._replace(run=run)


def _named(i: ir.Instruction, place: int, record: bool) -> Execute | None:
    """The function of an instruction that draws; None for all others."""
    if isinstance(i, ir.Shuffle):
        return _shuffle(i, place + 1, record)
    if isinstance(i, ir.Draw):
        return _draw(i, place, record)
    return _move_random(i, place + 1, record) if isinstance(i, ir.Move) and i.how == "random" else None


def _chance(s: RunningState) -> NamedChance:
    assert isinstance(s, NamedState)
    return s.chance


def _shuffle(i: ir.Shuffle, after: int, record: bool) -> Execute:
    zone, rule = evaluator(i.zone), i.rule

    def execute(s: RunningState) -> int:
        number = zone(s.r, s.z)
        _chance(s).shuffle(rule, number, s.z[number])
        if record:
            s.emit(("shuffle", rule, number, *s.z[number]))
        return after

    return execute


def _draw(i: ir.Draw, place: int, record: bool) -> Execute:
    slot, elements, rule, type_, viewers = i.slot, domain(i.domain), i.rule, i.type, i.viewers

    def execute(s: RunningState) -> int:
        chance, values = _chance(s), list(elements(s.r, s.z))
        s.r[slot] = values[chance.choose(rule, 0, [chance.labels.value(type_, value) for value in values])]
        if record:
            s.emit(("random", rule, place, s.r[slot], s.r[viewers] if viewers >= 0 else -1))
        return place + 1

    return execute


def _move_random(i: ir.Move, after: int, record: bool) -> Execute:
    assert i.amount is not None
    amount, source, target, rule = evaluator(i.amount), evaluator(i.source), evaluator(i.target), i.rule

    def execute(s: RunningState) -> int:
        a, b = source(s.r, s.z), target(s.r, s.z)
        for _ in range(min(amount(s.r, s.z), len(s.z[a]))):
            position = _chance(s).position(rule, a, s.z[a])
            card = s.z[a].pop(position)
            s.z[b].append(card)
            if record:
                s.emit(("move", rule, card, a, position, b))
        return after

    return execute
