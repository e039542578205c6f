"""Every HTML page that a command makes, for all readers: axe-core finds nothing, and the keyboard is enough.

Each page is opened at 360, 768 and 1440 px, light and dark, by a reader who wants no motion.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from chromium import needs, visited
from command import ftk

ROOT = Path(__file__).parents[2]
SPECS = ROOT / "specs"

pytestmark = [needs("playwright-core", "axe-core"), pytest.mark.soak]

OLD = "old/specs/kingme.yaml"
PAGES = {
    "rulebook": "text render kingme --lang en --rulings --ids --format html --since {old} --output {page}",
    "rulebook of one number of players": "text render fortheking --lang uk --players 2 --format html --output {page}",
    "rulebook that plays": "text render kingme --lang en --players 3 --living --format html --output {page}",
    "rulebook without spaces": "text render keyflower_king --lang zh-Hans --rulings --format html --output {page}",
    "texts of languages": "text diff uk en zh-Hant --spec kingme --format html --output {page}",
    "versions of a text": "text diff {old} kingme --lang en --format html --output {page}",
    "changes": "diff {old} kingme --format html --output {page}",
    "errata": "errata {old} kingme --lang uk --format html --output {page}",
    "both versions in play": "diff {old} kingme --play --players 3 --games 20 --format html --output {page}",
    "balance": "balance kingme --players 3 --games 20 --format html --output {page}",
}
"""The commands that make pages."""

PLAY = "index.html#play?seed=1&seats={seats}&game={game}&moves="
TABS = {
    "play": [PLAY.format(game="fortheking", seats="person,random,random"), ".choices button"],
    "play of a companion": [
        PLAY.format(game="keyflower_king", seats="person,random"),
        *("[data-key='do-bid']", "[data-key='do-blue']", ".table .zone .lit", ".amounts"),
    ],
    "door": ["index.html", ".door-card"],
    "rulebook": ["index.html", "[data-key='rules-kingme']", ".rulebook"],
    "play, choosing a game": ["index.html#play", "[data-key='game-hearts']", "[data-key='start']"],
    "workbench": ["index.html#workbench", ".findings[data-checked]"],
    "desk": ["index.html#desk", "[data-key='desk-kingme-uk']", ".desk-editor textarea"],
}
"""What is looked at in the page of `ftk page`: the address, what is clicked, and what shows that it is complete."""

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


@needs("pyodide")
@pytest.mark.parametrize("name", TABS)
def test_nothing_hinders_a_reader_of_a_tab(name: str, site: Path) -> None:
    assert "\n".join(audited(site, json.dumps(TABS[name]))) == ""


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
    return list(visited("accessibility.mjs", folder, page))
