"""Plays a sealed spec."""

from typing import TYPE_CHECKING

from rulespec.base.lazy import importer

if TYPE_CHECKING:
    from rulespec.engine.backend.engines.cache import COMPILED
    from rulespec.engine.backend.engines.code import COMPILE_LIMITS, within_limits
    from rulespec.engine.backend.engines.table import AUTO, ENGINES
    from rulespec.engine.backend.llvm.faults import LinkError
    from rulespec.engine.interpreter.random import Generator, stream
    from rulespec.engine.knowledge.events import Narrator
    from rulespec.engine.named_chance.game import game_of_log
    from rulespec.engine.rules.ruleset import Ruleset
    from rulespec.engine.search.tree_search import SEARCH_HOSTS, SearchCode
    from rulespec.engine.states.log import LogError, replay, replay_on, rulings_of
    from rulespec.engine.states.log import head as log_head
    from rulespec.engine.states.log import lines as log_lines
    from rulespec.engine.states.playout import BoundReachedError
    from rulespec.engine.states.playout import playout as play_at_random
    from rulespec.engine.wasm.modules import missing as wasm_missing
    from rulespec.engine.wasm.modules import module as wasm_module
    from rulespec.engine.wasm.modules import search_module

__all__ = [
    "AUTO",
    "COMPILED",
    "COMPILE_LIMITS",
    "ENGINES",
    "SEARCH_HOSTS",
    "BoundReachedError",
    "Generator",
    "LinkError",
    "LogError",
    "Narrator",
    "Ruleset",
    "SearchCode",
    "game_of_log",
    "log_head",
    "log_lines",
    "play_at_random",
    "replay",
    "replay_on",
    "rulings_of",
    "search_module",
    "stream",
    "wasm_missing",
    "wasm_module",
    "within_limits",
]
__getattr__ = importer(
    __name__,
    {
        "rulespec.engine.backend.engines.cache": "COMPILED",
        "rulespec.engine.backend.llvm.faults": "LinkError",
        "rulespec.engine.backend.engines.code": "COMPILE_LIMITS within_limits",
        "rulespec.engine.backend.engines.table": "AUTO ENGINES",
        "rulespec.engine.knowledge.events": "Narrator",
        "rulespec.engine.states.log": "LogError head=log_head lines=log_lines replay replay_on rulings_of",
        "rulespec.engine.named_chance.game": "game_of_log",
        "rulespec.engine.states.playout": "BoundReachedError playout=play_at_random",
        "rulespec.engine.interpreter.random": "Generator stream",
        "rulespec.engine.rules.ruleset": "Ruleset",
        "rulespec.engine.wasm.modules": "missing=wasm_missing module=wasm_module search_module",
        "rulespec.engine.search.tree_search": "SEARCH_HOSTS SearchCode",
    },
)
