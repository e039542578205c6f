"""Bots in Pyodide search in a WebAssembly module, and find what searches here find; without one they search in Python.

Runs in Node, as test_pyodide.py does, and needs what makes modules: `pip install 'ftk[wasm]'`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from chromium import MODULES, needs, node

import rulespec
from ftk_cli.page import searches
from ftk_cli.page.archive import write_archive
from rulespec.engine.wasm.modules import missing as wasm_missing
from rulespec.engine.wasm.modules import search_module

ROOT = Path(__file__).parents[2]
WITHOUT = wasm_missing()

pytestmark = [needs("pyodide", browser=False), pytest.mark.skipif(bool(WITHOUT), reason=WITHOUT), pytest.mark.soak]

_FOUND = """
import json, time
import rulespec
from rulespec.play.bots import bot_name
from rulespec.play.bots.limit import Limit
from rulespec.play.bots.searches import valued
from rulespec.engine.search.tree_search import search_of
def found(name, players, simulations):
    state = rulespec.load(name).game(players, engine="interpreter").new_initial_state(seed=5)
    for _ in range(4):
        for player in state.deciders():
            state.apply_action(state.legal_actions(player)[-1], player)
    player = state.deciders()[0]
    kinds = ("ismcts", "so-ismcts", "pimc", "quick", "greedy")
    moves = [bot_name(kind if kind == "greedy" else f"{kind}:{simulations}").choose(state, player, 3) for kind in kinds]
    return [valued(state, player, 3, Limit(simulations)), moves]
"""
_IN_PYODIDE = """
from ftk_cli.page import searches
searches.attach("1.0")
hosted = [searches.is_hosted(rulespec.load("kingme").game(n)) for n in (3, 4)]
json.dumps([found("kingme", 3, 60), found("kingme", 4, 8), hosted])
"""


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """The archive of the page, beside it one module, for three players, and a file that is no module, for four."""
    three, four = (rulespec.load("kingme").game(players) for players in (3, 4))
    write_archive(tmp_path / "ftk.zip")
    folder = tmp_path / searches.folder_of("1.0")
    folder.mkdir(parents=True)
    (folder / searches.file_name(three)).write_bytes(search_module(three))
    (folder / searches.file_name(four)).write_text("<!DOCTYPE html>")
    return tmp_path / "ftk.zip"


def test_bots_find_the_same_in_a_module_and_without_one(archive: Path, tmp_path: Path) -> None:
    here: dict[str, Any] = {}
    exec(_FOUND, here)
    (tmp_path / "code.py").write_text(_FOUND + _IN_PYODIDE)
    there = node("pyodide.mjs", MODULES / "pyodide", archive, tmp_path / "code.py")
    expected = [here["found"]("kingme", 3, 60), here["found"]("kingme", 4, 8), [True, False]]
    assert there == json.loads(json.dumps(expected))
