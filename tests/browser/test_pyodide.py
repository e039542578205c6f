"""The archive in Pyodide: Python in WebAssembly finds what Python here finds, byte for byte, and plays as here.

Runs in Node. `npm install --prefix .venv pyodide@314.0.7` brings Pyodide; FTK_NODE_MODULES may name another folder.
"""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from chromium import MODULES, needs, node

import rulespec
from ftk_cli.page.archive import GAMES, write_archive
from rulespec.base.source import Source

ROOT = Path(__file__).parents[2]

pytestmark = needs("pyodide", browser=False)

TEXTS = ("kingme/en", "kingme/uk", "kingme/zh-Hant", "keyflower_king/zh-Hans")


def _files() -> dict[str, str]:
    """The files that are checked: as they are, and with many mistakes."""
    specs = ROOT / "specs"
    files = {f"translations/{name}.yaml": (specs / f"translations/{name}.yaml") for name in TEXTS}
    files |= {f"{game}.yaml": specs / f"{game}.yaml" for game in ("fortheking",)}
    read = {name: path.read_text(encoding="utf-8") for name, path in files.items()}
    return {name: _broken(text) for name, text in read.items()}


def _broken(text: str) -> str:
    changes = (("2", "3"), (" card", " cadr"), ("карт", "крат"), ("玩家", "玩 家"), ("цьк", "ськ"), ("type:", "tpye:"))
    half = len(text) // 2
    after = text[half:]
    for old, new in changes:
        after = after.replace(old, new, 9)
    return text[:half] + after


_CODE = """
import json
from pathlib import Path
import rulespec
from rulespec.base.source import Source
def found(name, text):
    return json.dumps(rulespec.check_source(Source(f"specs/{{name}}", text)).to_dict(), ensure_ascii=False)
files = json.loads({files!r})
state = rulespec.load("kingme").game(players=3).new_initial_state(seed=5)
while not state.is_terminal():
    for player in state.deciders():
        state.apply_action(state.legal_actions(player)[-1], player)
json.dumps([{{name: found(name, text) for name, text in files.items()}}, state.history(), state.to_json()])
"""


@pytest.mark.soak
def test_it_finds_and_plays_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "ftk.zip"
    write_archive(archive)
    files = _files()
    code = tmp_path / "code.py"
    code.write_text(_CODE.format(files=json.dumps(files)), encoding="utf-8")
    there, history, saved = node("pyodide.mjs", MODULES / "pyodide", archive, code)

    monkeypatch.chdir(ROOT)
    for name, text in files.items():
        here = rulespec.check_source(Source(f"specs/{name}", text)).to_dict()
        assert here["findings"], name
        assert there[name] == json.dumps(here, ensure_ascii=False), name
    state = rulespec.load("kingme").game(players=3).new_initial_state(seed=5)
    while not state.is_terminal():
        for player in state.deciders():
            state.apply_action(state.legal_actions(player)[-1], player)
    assert (state.history(), state.to_json()) == (history, saved)


def test_the_games_of_the_archive_are_those_of_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    write_archive(tmp_path / "ftk.zip")
    with ZipFile(tmp_path / "ftk.zip") as archive:
        assert archive.read(f"{GAMES}/kingme.yaml") == (ROOT / "specs/kingme.yaml").read_bytes()
