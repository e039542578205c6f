"""A game for a browser, which plays it on from the steps of a rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulespec.base.messages import Message, say
from rulespec.engine.backend.engines.code import COMPILE_LIMITS
from rulespec.engine.backend.llvm.faults import LinkError
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.wasm.modules import missing as wasm_missing
from rulespec.engine.wasm.modules import module as wasm_module


@dataclass(frozen=True)
class Host:
    """The module of WebAssembly of a game with its description."""

    module: bytes
    description: Mapping[str, Any]


def host_of(game: Ruleset) -> Host | Message:
    """A game for the browser, or why there is none."""
    if missing := wasm_missing():
        return say("{text}", text=missing)
    try:
        return Host(*wasm_module(game))
    except COMPILE_LIMITS:
        return say("{game} is too large for WebAssembly, or nested too deeply", game=game.spec.title)
    except LinkError as error:
        return say("{text}", text=str(error))
