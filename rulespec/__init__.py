"""Board-game rules as versioned YAML specs: checked, explained and played.

    spec = rulespec.load("fortheking")
    state = spec.game(players=4).new_initial_state(seed=7)
"""

from rulespec.api import Spec, SpecError, check, load, loads
from rulespec.diagnostics import Finding, Report
from rulespec.engine.game import Game
from rulespec.engine.running import SIMULTANEOUS, StartPosition, StateError
from rulespec.engine.state import TERMINAL, State
from rulespec.project import find, known_games

__version__ = "0.1.0"
__all__ = [
    "SIMULTANEOUS",
    "TERMINAL",
    "Finding",
    "Game",
    "Report",
    "Spec",
    "SpecError",
    "StartPosition",
    "State",
    "StateError",
    "__version__",
    "check",
    "find",
    "known_games",
    "load",
    "loads",
]
