"""Every HTML page that a command makes, for all readers: axe-core finds nothing, and the keyboard is enough.

Each page is opened at 360, 768 and 1440 px, light and dark, by a reader who wants no motion.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from command import ftk

ROOT = Path(__file__).parents[2]
SPECS = ROOT / "specs"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "headless_shell")
BROWSER = next((path for name in BROWSERS if (path := shutil.which(name))), None)
MODULES = Path(os.environ.get("FTK_NODE_MODULES", ROOT / ".venv" / "node_modules"))
"""A folder with playwright-core and axe-core, which `.ci/run` installs."""

HERE = all((MODULES / name).is_dir() for name in ("playwright-core", "axe-core"))
pytestmark = pytest.mark.skipif(
    not (BROWSER and shutil.which("node") and HERE), reason="needs Chromium, node, playwright-core and axe-core"
)

OLD = "old/specs/kingme.yaml"
PAGES = {
    "rulebook": "text render kingme --lang en --rulings --ids --format html --since {old} --output {page}",
    "rulebook of one number of players": "text render fortheking --lang uk --players 2 --format html --output {page}",
    "rulebook without spaces": "text render keyflower_king --lang zh-Hans --rulings --format html --output {page}",
    "texts of languages": "text diff uk en zh-Hant --spec kingme --format html --output {page}",
    "versions of a text": "text diff {old} kingme --lang en --format html --output {page}",
    "changes": "diff {old} kingme --format html --output {page}",
    "errata": "errata {old} kingme --lang uk --format html --output {page}",
    "both versions in play": "diff {old} kingme --play --players 3 --games 20 --format html --output {page}",
    "balance": "balance kingme --players 3 --games 20 --format html --output {page}",
}
"""The commands that make pages. A command may also make a folder: then `{page}` is in it."""


CHANGES = {"version: ": "version: 9", " 1: 1, 2: 2,": " 1: 0, 2: 2,"}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a game that has changed, and in `old` the same project before."""
    folder = tmp_path_factory.mktemp("pages")
    for copy in (folder / "old", folder):
        shutil.copytree(SPECS, copy / "specs", ignore=shutil.ignore_patterns("gallery", "versions"))
    change(folder / "specs/kingme.yaml", CHANGES)
    change(folder / "specs/translations/kingme/en.yaml", {" the ": " each "})
    return folder


def change(path: Path, changes: dict[str, str]) -> None:
    text = path.read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_nothing_hinders_a_reader(name: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    page = f"{name.replace(' ', '-')}.html"
    done = ftk(*PAGES[name].format(page=page, old=OLD).split())
    assert done.exit_code in (0, 1) and Path(page).is_file(), done.stderr
    assert "\n".join(audited(project, page)) == ""


BAD = """
<!DOCTYPE html><title>Bad</title>
<style>
  @keyframes turn { to { rotate: 1turn } }
  p { animation: turn 1s infinite; color: #aaa; width: 3000px }
  button { outline: none }
</style>
<main><h1>Bad</h1><p onclick="x()">Bad</p><button>Go</button>
<a href="#" style="position: absolute" tabindex="0">A</a></main>
"""


def test_what_hinders_a_reader_is_found(tmp_path: Path) -> None:
    (tmp_path / "bad.html").write_text(BAD, encoding="utf-8")
    found = "\n".join(audited(tmp_path, "bad.html"))
    faults = (
        "html-has-lang",
        "color-contrast",
        "wider than",
        "something moves",
        "any script",
        "in an attribute",
        "no outline",
    )
    assert [fault for fault in faults if fault not in found] == []


def audited(folder: Path, page: str) -> list[str]:
    """What hinders readers of a page in a folder, which is served meanwhile."""
    handler = partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/{page}"
        script = Path(__file__).with_name("accessibility.mjs")
        command = ["node", str(script), str(MODULES), str(BROWSER), address]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=300)
        server.shutdown()
    assert done.returncode == 0, done.stderr[-2000:]
    return list(json.loads(done.stdout))


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Browsers ask for a picture of the site by themselves."""
        self.send_response(204 if self.path == "/favicon.ico" else code)
        self.end_headers()
