"""The searches of bots as WebAssembly: modules beside the page, which Python in the browser fetches and calls.

A module belongs to one setting: a game by its digest, its number of players and its rulings. Bots of any other setting
search in Python, and so do those of games that begin before their module is made.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from hashlib import sha256
from importlib import import_module
from typing import TYPE_CHECKING

from rulespec.base.messages import reason
from rulespec.engine.backend.engines.code import COMPILE_LIMITS

if TYPE_CHECKING:
    from rulespec.engine.rules.ruleset import Ruleset
    from rulespec.engine.search.tree_search import SearchCode
    from rulespec.games.api import Spec

FOLDER = "searches"
"""The folder of the modules in that of the page, with one of each version."""

FUNCTIONS = ("search", "deal_anew", "decide_quickly", "play_quickly")


def modules(spec: Spec, numbers: Iterable[int]) -> Iterator[tuple[str, bytes]]:
    """The names and contents of the modules of a game for these numbers of players and the default rulings. A module
    that exceeds the limits, or the memory, is empty: bots search in Python then. Raises Failure if the linker fails."""
    from ftk_cli.failure import Failure
    from rulespec.engine.backend.llvm.faults import LinkError
    from rulespec.engine.wasm.modules import missing as wasm_missing
    from rulespec.engine.wasm.modules import search_module

    for game in (spec.game(players, engine="interpreter") for players in ([] if wasm_missing() else numbers)):
        try:
            yield file_name(game), search_module(game)
        except COMPILE_LIMITS:
            yield file_name(game), b""
        except LinkError as error:
            raise Failure(reason(error)) from None


def file_name(game: Ruleset) -> str:
    """The file of the module of a game in its setting."""
    return sha256(json.dumps(game.identity(), sort_keys=True).encode()).hexdigest()[:24] + ".wasm"


def folder_of(version: str) -> str:
    """The folder of the modules of a version of the page: a browser may have kept those of an older one."""
    return f"{FOLDER}/{version[:16]}"


def attach(version: str) -> None:
    """Lets bots search in modules of a version of the page; JavaScript has registered what fetches one as
    `ftk_searches`."""
    from rulespec.engine.search.tree_search import SEARCH_HOSTS

    SEARCH_HOSTS.append(Modules(folder_of(version), import_module("ftk_searches").load))


def is_hosted(game: Ruleset) -> bool:
    """Whether bots search in a module in this game, in its setting."""
    from rulespec.engine.search.tree_search import SEARCH_HOSTS

    return any(host(game) is not None for host in SEARCH_HOSTS)


class Modules:
    """The modules in a folder of the page. `load` runs the functions of one, by its address; it returns None if there
    is none."""

    def __init__(self, folder: str, load: Callable[[str], Callable[..., None] | None]) -> None:
        self._folder = folder
        self._load = load
        self._loaded: dict[str, Callable[..., None]] = {}

    def __call__(self, game: Ruleset) -> SearchCode | None:
        name = file_name(game)
        if name not in self._loaded:
            run = self._load(f"{self._folder}/{name}")
            if run is None:  # asked for again: it may be made later
                return None
            self._loaded[name] = run
        return {function: partial(self._loaded[name], function) for function in FUNCTIONS}
