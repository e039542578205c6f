"""The searches of bots as WebAssembly: modules written with the page, and called by Python in the browser.

A module belongs to one setting: a game by its digest, its number of players and its rulings. Bots of any other setting
search in Python.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulespec import Spec
    from rulespec.engine import Ruleset, SearchCode

FOLDER = "searches"
"""The folder of the modules, beside that of the games."""

FUNCTIONS = ("search", "deal_anew", "decide_quickly", "play_quickly")


def modules(spec: Spec, numbers: Iterable[int]) -> Iterator[tuple[str, bytes]]:
    """The names and contents of the modules of a game for these numbers of players and the default rulings. A module
    that exceeds the limits, or the memory, is empty: bots search in Python then. Raises Failure if the linker fails."""
    from ftk_cli.failure import Failure
    from rulespec.engine import COMPILE_LIMITS, LinkError, search_module, wasm_missing

    for game in (spec.game(players, engine="interpreter") for players in ([] if wasm_missing() else numbers)):
        try:
            yield file_name(game), search_module(game)
        except COMPILE_LIMITS:
            yield file_name(game), b""
        except LinkError as error:
            raise Failure(str(error)) from None


def file_name(game: Ruleset) -> str:
    """The file of the module of a game in its setting."""
    return sha256(json.dumps(game.identity(), sort_keys=True).encode()).hexdigest()[:24] + ".wasm"


def attach() -> None:
    """Lets bots search in the modules of this folder; JavaScript has registered what loads one as `ftk_searches`."""
    from rulespec.engine import SEARCH_HOSTS

    SEARCH_HOSTS.append(partial(_code, import_module("ftk_searches").load))


def is_hosted(game: Ruleset) -> bool:
    """Whether bots search in a module in this game, in its setting."""
    from rulespec.engine import SEARCH_HOSTS

    return bool(SEARCH_HOSTS) and Path(FOLDER, file_name(game)).is_file()


def _code(load: Callable[[Any], Callable[..., None]], game: Ruleset) -> SearchCode | None:
    file = Path(FOLDER, file_name(game))
    if not file.is_file():
        return None
    run = load(file.read_bytes())
    return {name: partial(run, name) for name in FUNCTIONS}
