"""Plays a sealed spec."""

from typing import TYPE_CHECKING

from rulespec.base.lazy import importer

if TYPE_CHECKING:
    from rulespec.engine.backend.cache import COMPILED
    from rulespec.engine.backend.cache import folder as cache_folder
    from rulespec.engine.backend.faults import LinkError
    from rulespec.engine.code import COMPILE_LIMITS, within_limits
    from rulespec.engine.engines import AUTO, ENGINES
    from rulespec.engine.events import Narrator
    from rulespec.engine.log import LogError, replay, replay_on, rulings_of
    from rulespec.engine.log import head as log_head
    from rulespec.engine.log import lines as log_lines
    from rulespec.engine.named.game import game_of_log
    from rulespec.engine.playout import BoundReachedError
    from rulespec.engine.playout import playout as play_at_random
    from rulespec.engine.random import Generator, stream
    from rulespec.engine.ruleset import Ruleset
    from rulespec.engine.search import SEARCH_HOSTS, SearchCode
    from rulespec.engine.wasm import missing as wasm_missing
    from rulespec.engine.wasm import module as wasm_module
    from rulespec.engine.wasm import search_module

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
    "cache_folder",
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
        "rulespec.engine.backend.cache": "COMPILED folder=cache_folder",
        "rulespec.engine.backend.faults": "LinkError",
        "rulespec.engine.code": "COMPILE_LIMITS within_limits",
        "rulespec.engine.engines": "AUTO ENGINES",
        "rulespec.engine.events": "Narrator",
        "rulespec.engine.log": "LogError head=log_head lines=log_lines replay replay_on rulings_of",
        "rulespec.engine.named.game": "game_of_log",
        "rulespec.engine.playout": "BoundReachedError playout=play_at_random",
        "rulespec.engine.random": "Generator stream",
        "rulespec.engine.ruleset": "Ruleset",
        "rulespec.engine.wasm": "missing=wasm_missing module=wasm_module search_module",
        "rulespec.engine.search": "SEARCH_HOSTS SearchCode",
    },
)
