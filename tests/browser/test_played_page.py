"""The page of `ftk page` in a real browser, with the network off: a newcomer plays to the end."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ftk_cli.main import main
from ftk_cli.page.folder import write
from ftk_cli.page.server import server

HERE = Path(__file__).parent
BROWSER = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
MODULES = Path(os.environ.get("FTK_NODE_MODULES", HERE.parents[1] / ".venv" / "node_modules"))
WANTED = ("playwright-core", "axe-core", "pyodide")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None or shutil.which("node") is None, reason="no Chromium, or no Node"),
    pytest.mark.skipif(
        not all((MODULES / name).is_dir() for name in WANTED),
        reason=f"no npm packages: `npm install --prefix .venv {' '.join(WANTED)}`, or FTK_NODE_MODULES",
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("page")


@pytest.fixture(scope="module")
def seen(folder: Path) -> dict[str, Any]:
    """What the newcomer saw."""
    write(folder / "site", MODULES / "pyodide")
    with server(folder / "site") as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{running.server_port}/"
        command = ["node", str(HERE / "page.mjs"), str(MODULES), str(BROWSER), address, str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=500)
        running.shutdown()
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_nothing_goes_wrong_and_nothing_else_is_asked_for(seen: dict[str, Any]) -> None:
    assert seen["complaints"] == []
    assert len(set(seen["asked"])) == 1 and seen["asked"][0].startswith("127.0.0.1:")


def test_a_whole_game_is_played_against_a_bot(seen: dict[str, Any]) -> None:
    assert "The game is over" in seen["result"]


def test_what_is_saved_is_a_log(seen: dict[str, Any], folder: Path) -> None:
    done = CliRunner().invoke(main, ["replay", str(folder / "saved.jsonl")])
    assert "a whole game" in done.output and "every line agrees" in done.output


def test_a_hidden_hand_is_not_in_the_page_for_the_other_seat(seen: dict[str, Any]) -> None:
    assert len(seen["hand"]) == 13 and "player 1" in seen["before"]
    assert not [card for card in seen["hand"] if card in seen["before"] or card in seen["between"]]
    assert not set(seen["hand"]) & set(seen["other"])


def test_everybody_can_use_it(seen: dict[str, Any]) -> None:
    assert seen["violations"] == [] and seen["wide"] == []


def test_the_log_is_in_the_language_of_the_reader(seen: dict[str, Any]) -> None:
    assert "гравець 2" in seen["uk"]
