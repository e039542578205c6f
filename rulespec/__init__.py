"""Board-game rules as versioned YAML specs: checked, explained and played.

spec = rulespec.load("fortheking")
state = spec.game(players=4).new_initial_state(seed=7)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Finding, Report
    from rulespec.base.project import find, known_games
    from rulespec.base.source import Source
    from rulespec.editing.batch import check_all
    from rulespec.editing.file_kinds import FILE_KINDS, check, check_source, kind_of
    from rulespec.engine.interpreter.running import SIMULTANEOUS, StartPosition, StateError
    from rulespec.engine.states.game import Game
    from rulespec.engine.states.openspiel import CHANCE
    from rulespec.engine.states.state import TERMINAL, State
    from rulespec.games.api import Spec, SpecError, load, loads
    from rulespec.games.rulebook import check_variant_texts
    from rulespec.language.overlay.stack import VariantError, with_variant
    from rulespec.versions.earlier import Earlier

__version__ = "0.1.0"
__all__ = [
    "CHANCE",
    "FILE_KINDS",
    "SIMULTANEOUS",
    "TERMINAL",
    "Earlier",
    "Finding",
    "Game",
    "Report",
    "Source",
    "Spec",
    "SpecError",
    "StartPosition",
    "State",
    "StateError",
    "VariantError",
    "__version__",
    "check",
    "check_all",
    "check_source",
    "check_variant_texts",
    "find",
    "kind_of",
    "known_games",
    "load",
    "loads",
    "with_variant",
]

HOMES = {
    "rulespec.base.diagnostics": "Finding Report",
    "rulespec.base.project": "find known_games",
    "rulespec.base.source": "Source",
    "rulespec.editing.batch": "check_all",
    "rulespec.editing.file_kinds": "FILE_KINDS check check_source kind_of",
    "rulespec.engine.interpreter.running": "SIMULTANEOUS StartPosition StateError",
    "rulespec.engine.states.game": "Game",
    "rulespec.engine.states.openspiel": "CHANCE",
    "rulespec.engine.states.state": "TERMINAL State",
    "rulespec.games.api": "Spec SpecError load loads",
    "rulespec.games.rulebook": "check_variant_texts",
    "rulespec.language.overlay.stack": "VariantError with_variant",
    "rulespec.versions.earlier": "Earlier",
}
"""The public names by the modules that define them."""


def __getattr__(public: str) -> Any:
    """A public name. Its module is imported when it is first used, so that `import rulespec` is fast."""
    for module, names in HOMES.items():
        if public in names.split():
            globals()[public] = getattr(import_module(module), public)
            return globals()[public]
    raise AttributeError(f"module {__name__!r} has no attribute {public!r}")
