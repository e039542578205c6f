"""The rulebook that plays and `<ftk-table>`, in Chromium: each step, other moves, what hinders a reader."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from chromium import BROWSER, MODULES, needs, node, visited
from command import ftk

from rulespec.engine.wasm.modules import missing

ROOT = Path(__file__).parents[2]

pytestmark = [
    needs("playwright-core", "axe-core"),
    pytest.mark.skipif(bool(missing()), reason=missing() or "llvmlite and ziglang are here"),
]

BOOKS = [
    *(("fortheking", lang, 2) for lang in ("en", "uk", "zh-Hant")),
    *(("fortheking", "en", players) for players in (3, 4, 5)),
    *(("kingme", lang, 3) for lang in ("en", "uk", "zh-Hant")),
    ("keyflower_king", "en", 2),
]
"""Each game in the languages it has, and each number of players that an example is for."""


@pytest.mark.parametrize(("game", "lang", "players"), BOOKS)
@pytest.mark.sample(1)
def test_a_rulebook_plays(game: str, lang: str, players: int, tmp_path: Path) -> None:
    page = tmp_path / f"{game}-{lang}-{players}.html"
    command = f"text render {game} --lang {lang} --players {players} --format html --living --output {page}"
    assert ftk(*command.split()).exit_code == 0
    (found,) = node("living.mjs", MODULES, BROWSER, page).values()
    assert found["wrong"] == []
    assert found["recordings"] >= 1
    assert found["moves"] >= 1
    assert found["terms"] == 1


def test_an_element_plays(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "js", tmp_path, dirs_exist_ok=True)
    compiled = ftk(*f"compile kingme --players 3 --target wasm --lang uk --output {tmp_path / 'site'}".split())
    ftk(*f"compile connect_four --players 2 --target wasm --output {tmp_path / 'site'}".split())
    played = ftk(*f"play kingme --players 3 --people none --seed 7 --log {tmp_path / 'site' / 'game.jsonl'}".split())
    assert (compiled.exit_code, played.exit_code) == (0, 0)
    assert visited("element.mjs", tmp_path) == {
        "wrong": [],
        "seed": 23,
        "said": "Seat 2: поставити персонажа M на поверх 3",
        "own": [0],
        "wide": 0,
        "log": {"ranking": [3, 1, 2], "scores": [53, 59, 54]},
        "bot": {"thinks": True, "free": True, "random": 1},
        "missing": "The file site/none.wasm cannot be loaded (status 404).",
        "format": "This element reads scenes of format 1, not 2: compile the game again.",
    }
