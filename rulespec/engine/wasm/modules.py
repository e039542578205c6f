"""A game as WebAssembly: the module of its states and playouts, and the module of its searches."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from rulespec.engine.backend.engines import cache
from rulespec.engine.backend.forms.machine_playout import machine_source
from rulespec.engine.backend.forms.machine_search import EXPORTED, MachineSearch
from rulespec.engine.rules.ruleset import Ruleset
from rulespec.engine.search.always_seen import always_seen
from rulespec.engine.wasm.description import description
from rulespec.engine.wasm.memory import GAMES, STATES, StateSegments

PACKAGES = ("llvmlite", "ziglang")
MAGIC = b"\0asm"
"""The first bytes of every module."""


def missing() -> str:
    """Why this machine cannot make modules, with the command that installs what is missing; empty if it can."""
    absent = [package for package in PACKAGES if find_spec(package) is None]
    if not absent:
        return ""
    what = "the package" if len(absent) == 1 else "the packages"
    return f"WebAssembly needs {what} {' and '.join(absent)}: pip install 'ftk[wasm]'"


def module(game: Ruleset) -> tuple[bytes, dict[str, Any]]:
    """The module of a game and its description. Raises MemoryError if the game exceeds the limits of machine code, and
    one of COMPILE_LIMITS if its code does, and LinkError if the linker fails."""
    from rulespec.engine.wasm.linking import linked

    segments = StateSegments(game.program)
    made = linked((machine_source(game.program), GAMES), (segments.source(), STATES))
    return made, description(game, segments.layout(), segments.room)


def search_module(game: Ruleset) -> bytes:
    """The module of the searches of a game, from the cache if it holds one of the same code, whatever the spec has
    besides: comments, titles, words. It raises what `module` raises."""
    from rulespec.engine.backend.engines.native import all_kept
    from rulespec.engine.wasm.linking import linked

    source = MachineSearch(game.program, always_seen(game)).search()

    def made() -> bytes:
        with all_kept():
            return linked((source, tuple(EXPORTED)))

    return cache.cached(cache.key_of_source(source, "wasm"), made, _checked)


def _checked(module: bytes) -> bytes:
    if not module.startswith(MAGIC):
        raise ValueError("these bytes are no module")
    return module
