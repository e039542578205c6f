"""The machine code of a vector, for one setting."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

from rulespec.engine.backend.engines.code import COMPILE_LIMITS
from rulespec.engine.backend.engines.native import library
from rulespec.engine.backend.engines.table import engine_named
from rulespec.engine.backend.forms.machine_vector import FUNCTIONS, MachineVector, ObservedVector
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.states.native_observation import sight_of, tensors_of

SIGHTS = {"float32": "f32s", "uint8": "u8s"}
"""What numbers of observations are in memory, and in the machine code."""

MOST_COPIES = 255
"""Cards of one face that bytes can count."""


@dataclass(frozen=True)
class VectorCode:
    """The functions of runtime/vector.py; in 64-bit numbers, the sizes of a state and of a thread's working space, and
    where the legal actions begin in a state."""

    begin: Any
    refused: Any
    advance: Any
    order: Any
    serve: Any
    attend: Any
    state_size: int
    scratch_size: int
    legal: int


def vector_code(game: Ruleset, numbers: str | None) -> VectorCode:
    """The code of a game, with observations in these numbers (None: without observations).

    Raises ValueError if this machine or this game cannot have it.
    """
    engine_named("native")
    source = MachineVector(game.program) if numbers is None else _observed(game, numbers)
    details = ("vector", str(numbers), str(game.setup_only))
    try:
        code = library(game.setting, details, source.source, frozenset(FUNCTIONS))
    except COMPILE_LIMITS:
        raise ValueError(f"the vector of {game.spec.title} exceeds the limits of machine code") from None

    # CFUNCTYPE releases the GIL, so that threads play at once.
    plays, tests = (ctypes.CFUNCTYPE(returned, ctypes.c_void_p) for returned in (None, ctypes.c_int64))
    functions = {called: code.function(called, tests if called == "refused" else plays) for called in FUNCTIONS}
    legal = source.starts("state")["legal"]
    return VectorCode(**functions, state_size=source.state_size, scratch_size=max(1, source.scratch_size), legal=legal)


def _observed(game: Ruleset, numbers: str) -> ObservedVector:
    if game.viewers.changing:
        raise ValueError("what players see depends on the state, which a vector does not write: pass observe=None")
    tensors = tensors_of(game)
    if numbers == "uint8" and (most := max(tensors.copies)) > MOST_COPIES:
        raise ValueError(f"bytes count {MOST_COPIES} equal cards, and this game has {most}: pass numbers='float32'")
    return ObservedVector(game.program, sight_of(game), tensors, SIGHTS[numbers])
