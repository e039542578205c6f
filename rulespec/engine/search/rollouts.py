"""Rollouts: from a state on, uniformly random play to the end, in machine code."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rulespec.engine.backend.dialects.arrays import zeros
from rulespec.engine.backend.engines.native import library
from rulespec.engine.backend.engines.native_segments import addresses
from rulespec.engine.backend.forms.machine_segments import ASKED, PLACE, PLAYER, MachineSegments
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.states.state import State
from rulespec.language.model.types import LIMIT, NONE


class Outcome(NamedTuple):
    """The end of a game: the place and the score of every player."""

    ranks: list[int]
    scores: list[int]


class Rollouts:
    """The machine code for rollouts of a game. Raises one of COMPILE_LIMITS if it exceeds those of the compiler."""

    def __init__(self, game: Ruleset) -> None:
        self.program = game.program
        source = MachineSegments(self.program)
        self.layout = source.layout()
        code = library(game.setting, ("rollouts",), lambda: source.source(rollouts=True), frozenset({"rollout"}))
        pointers = (ctypes.c_void_p,) * 3
        self._run = code.function("rollout", ctypes.PYFUNCTYPE(None, ctypes.c_int64, ctypes.c_uint64, *pointers))

    def start(self, state: State, registers: Sequence[int], zones: Sequence[Sequence[int]]) -> Start:
        """The position of a state with these contents of its registers, and these cards in its zones."""
        return Start(state.pc, state.player, *self.layout.position(registers, zones))

    def outcome(self, start: Start, choices: Mapping[int, int], seed: int) -> Outcome:
        """The end after these actions, by player: that of the player to act, or of all who decide at once."""
        m, z, w, players = start.m[:], start.z[:], zeros(self.layout.w), self.program.players
        m[self.layout.r - 1] = (seed * 5 + 1) & (2**63 - 1)
        w[PLACE], w[PLAYER] = start.place, start.player
        action = choices.get(start.player, -1)
        for player in range(players):
            w[ASKED + players + player] = choices.get(player, -1)
        self._run(action, seed & 2**64 - 1, *addresses(m, z, w))
        return self._ended(m)

    def _ended(self, m: array[int]) -> Outcome:
        ranking, players = self.program.ranking, self.program.players
        if ranking is None:
            return Outcome([0] * players, [0] * players)
        scores = m[ranking.keys[0].base : ranking.keys[0].base + players].tolist()
        ranks = m[ranking.ranks : ranking.ranks + players].tolist()
        return Outcome(ranks, [0 if score in (NONE, LIMIT) else score for score in scores])


class Start(NamedTuple):
    """A position in the arrays of machine code (see machine_segments.py)."""

    place: int
    player: int
    m: array[int]
    z: array[int]
