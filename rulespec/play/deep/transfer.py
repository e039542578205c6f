"""What the search of one setting has found, sent from one process to another.

Steps are compared by identity, and a traced game consists of functions. So the bytes name both, a step by its place in
the program; they are read with the setting at hand, whose game is compiled again.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from rulespec.language.model.constants import Setting
from rulespec.language.model.step import Step
from rulespec.play.deep.ground import Allowance, Ground
from rulespec.play.deep.leaks import Leak
from rulespec.play.deep.lines import Line
from rulespec.play.deep.preferences import Compared
from rulespec.play.deep.trace import TracedGame

_OF_GROUND = ("games", "decisions", "lines", "wins", "finished", "long", "one_sided")
_OF_TRACE = ("ran", "ways", "changed", "offered", "decided")
"""What is read once the search of a setting has ended."""


@dataclass
class Explored:
    """What the search of one setting has found: loops that go round without change, options that reveal something, and
    how options compare."""

    ground: Ground
    loops: dict[Step, Line] = field(default_factory=dict)
    leaks: dict[Step, Leak] = field(default_factory=dict)
    compared: Compared = field(default_factory=Compared)


def packed(explored: Explored) -> bytes:
    """The bytes of what was found, for `unpacked`."""
    ground, content = explored.ground, BytesIO()
    of_ground = {name: getattr(ground, name) for name in _OF_GROUND}
    of_trace = {name: getattr(ground.game.trace, name) for name in _OF_TRACE}
    found = of_ground, of_trace, explored.loops, explored.leaks, explored.compared
    _Pickler(content, ground.game).dump(found)
    return content.getvalue()


def unpacked(content: bytes, setting: Setting, seed: int, allowance: Allowance) -> Explored:
    """What was found in a setting, with its steps and a game of this process."""
    ground = Ground(setting, seed, allowance)
    of_ground, of_trace, *found = _Unpickler(BytesIO(content), ground.game).load()
    for one, parts in ((ground, of_ground), (ground.game.trace, of_trace)):
        for name, value in parts.items():
            setattr(one, name, value)
    return Explored(ground, *found)


_GAME = "game"


def _steps(game: TracedGame) -> dict[int, Step]:
    """The steps of a game by number: those behind the places of its program, then those of its options."""
    placed = {place: step for place, step in enumerate(game.steps) if step is not None}
    return placed | {len(game.steps) + first: step for first, step in game.offers.items()}


class _Pickler(pickle.Pickler):
    def __init__(self, file: BytesIO, game: TracedGame) -> None:
        super().__init__(file)
        self._game = game
        self._numbers = {step: number for number, step in _steps(game).items()}

    def persistent_id(self, value: Any) -> object:
        if value is self._game:
            return _GAME
        return self._numbers[value] if isinstance(value, Step) else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: BytesIO, game: TracedGame) -> None:
        super().__init__(file)
        self._game, self._steps = game, _steps(game)

    def persistent_load(self, number: Any) -> object:
        return self._game if number == _GAME else self._steps[number]
