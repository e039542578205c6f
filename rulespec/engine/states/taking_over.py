"""How a game gets the machine code that takes over its states. Importing this loads no machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulespec.engine.backend.engines import cache
from rulespec.engine.backend.engines.costs import starts
from rulespec.engine.backend.engines.tiers import Machine, Tier
from rulespec.engine.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from rulespec.engine.states.native import PlayedState


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
