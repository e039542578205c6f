"""Board-game rules as versioned YAML specs: checked, explained and played.

    spec = rulespec.load("fortheking")
    state = spec.game(players=4).new_initial_state(seed=7)
"""

from rulespec.api import Spec, SpecError, load, loads
from rulespec.batch import Blocked, Checked, FileResult, check_all, without_cascades
from rulespec.diagnostics import Finding, Report
from rulespec.engine.game import Game
from rulespec.engine.running import SIMULTANEOUS, StartPosition, StateError
from rulespec.engine.state import TERMINAL, State
from rulespec.file_kinds import FILE_KINDS, FileKind, check, check_source, kind_of
from rulespec.project import find, known_games
from rulespec.rulebook import book_of, check_raw, texts_of

__version__ = "0.1.0"
__all__ = [
    "FILE_KINDS",
    "SIMULTANEOUS",
    "TERMINAL",
    "Blocked",
    "Checked",
    "FileKind",
    "FileResult",
    "Finding",
    "Game",
    "Report",
    "Spec",
    "SpecError",
    "StartPosition",
    "State",
    "StateError",
    "__version__",
    "book_of",
    "check",
    "check_all",
    "check_raw",
    "check_source",
    "find",
    "kind_of",
    "known_games",
    "load",
    "loads",
    "texts_of",
    "without_cascades",
]
