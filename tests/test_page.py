"""`ftk page`: the folder of the page, and the functions that it asks Python for."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import sys
import tarfile
import time
import urllib.error
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha512
from http.client import HTTPConnection
from http.server import ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from socket import create_connection
from threading import active_count
from typing import Any, NoReturn
from urllib.request import urlopen
from zipfile import ZipFile

import pytest
from click.testing import CliRunner, Result
from high_card import SPEC
from test_project import write_games

import rulespec
from ftk_cli import renderer
from ftk_cli.failure import Failure
from ftk_cli.main import main
from ftk_cli.page import calls, desk, door, lexicon, memory, pieces, play, pyodide, searches, titles, warm
from ftk_cli.page.server import MOST_CONNECTIONS, server, serving
from rulespec.base.messages import say
from rulespec.engine.search.tree_search import Search
from rulespec.engine.wasm import modules
from rulespec.play.table.choice import choice_of
from rulespec.play.table.story import Story
from rulespec.play.table.table import Table
from rulespec.play.table.values import values_of
from rulespec.play.table.words import words_in

pytestmark = pytest.mark.slow("writes pages, and plays and describes large games")

STATIC = Path(__file__).parents[1] / "ftk_cli" / "page" / "static"
WORDS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in (STATIC / "words").glob("*.json")}


def ftk(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["page", *map(str, arguments)])


def ask(call: str, **arguments: Any) -> Any:
    answer = json.loads(calls.answer(json.dumps({"call": call, "args": arguments})))
    assert "error" not in answer, answer
    return answer["result"]


def refused(call: str, **arguments: Any) -> str:
    return str(json.loads(calls.answer(json.dumps({"call": call, "args": arguments})))["error"]["message"])


def start(name: str, *seats: str, **more: Any) -> Any:
    return ask("start", name=name, seats=seats, **{"lang": "en", "seed": 7, **more})


def played(view: Any, lang: str = "en") -> Any:
    """The end of a game in which people take the first action."""
    while not view["over"]:
        seat, person = view["next"], view["players"][view["next"]]["is"] == "person"
        if not person:
            view = ask("bot", lang=lang)
        elif view["seat"] != seat:
            view = ask("look", lang=lang, seat=seat)
        else:
            view = ask("act", action=view["actions"][0]["action"], lang=lang)
    return view


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the names of Pyodide's files."""
    folder = tmp_path_factory.mktemp("pyodide")
    for name in pyodide.FILES:
        (folder / name).write_text(name)
    return folder


def test_the_folder_has_the_page_python_and_the_games(
    tmp_path: Path, python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the words of one game, and without modules of searches: tests/browser has the whole page at night."""
    alone(monkeypatch, tmp_path)
    monkeypatch.setattr(lexicon, "games", lambda: ["fortheking", "kingme"])
    monkeypatch.setattr(lexicon, "with_texts", lambda: ["fortheking"])
    monkeypatch.setattr(searches, "modules", lambda *_: iter(()))
    site, left = tmp_path / "site", tmp_path / ".ftk-page-left"
    left.mkdir()  # by a process that was killed
    assert "index.html" in ftk(site, "--pyodide", python).output and not left.exists()
    wanted = {
        "index.html",
        "worker.js",
        "program.bin",
        "games.bin",
        "page.css",
        "games.json",
        "desks.json",
        *renderer.FILES,
    }
    assert wanted <= {path.name for path in site.iterdir()}
    assert sorted(path.name for path in (site / "pyodide").iterdir()) == sorted(pyodide.FILES)
    assert "ftk_cli/page/calls.py" in names_in(site / "program.bin")
    with gzip.open(site / "games.bin") as packed, ZipFile(packed) as archive:
        assert "project/specs/kingme.yaml" in archive.namelist()
        words = json.loads(archive.read("project/words/fortheking.json"))
    assert words["uk"]["titles"]["esteem.bid"] == "Ставка"
    shown = json.loads((site / "games.json").read_text(encoding="utf-8"))
    assert shown[1]["titles"]["uk"] == "Зроби мене королем!" and (site / "pictures/kingme.svg").is_file()
    kept = (site / "offline.js").read_text(encoding="utf-8")
    assert '"games.json"' in kept and 'VERSION = ""' not in kept and '"offline.js"' not in kept
    assert ftk(site, "--pyodide", python, "-q").output == ""  # the page can be written again


def names_in(archive: Path) -> list[str]:
    with gzip.open(archive) as packed, ZipFile(packed) as found:
        return found.namelist()


def alone(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Everything in one process, which keeps what it makes in a folder of its own, and has no Node."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("rulespec.base.executors.processors", lambda: 1)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, python: Path) -> Path:
    """A project with one game that has a text, its page in `site`, and the cache of what was made for it."""
    folder = tmp_path_factory.mktemp("project")
    write_games(folder / "specs", "high_card")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        alone(patch, folder)
        assert ftk("site", "--pyodide", python).exit_code == 0
    return folder


@pytest.fixture
def project(tmp_path: Path, made: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that project to change, and to make another page of."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    alone(monkeypatch, tmp_path)
    return tmp_path


def content(site: Path) -> dict[str, bytes]:
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()}


def test_a_page_of_kept_pieces_is_the_page_that_is_made_anew(
    project: Path, python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(project / "site")
    for cache, site in (("cache", "site"), ("another", "new/site")):
        monkeypatch.setenv("XDG_CACHE_HOME", str(project / cache))
        assert ftk(site, "--pyodide", python).exit_code == 0
        assert content(project / site) == before
    assert [game["id"] for game in json.loads(before["games.json"])] == ["high_card"]


def test_a_piece_of_files_that_change_meanwhile_is_not_kept(project: Path) -> None:
    made = []

    def edited(jobs: Sequence[pieces.Job], chunk: range) -> str:
        made.append(jobs)
        if len(made) == 1:
            with open(project / "specs" / "high_card.yaml", "a", encoding="utf-8") as spec:
                spec.write("# a remark\n")
        return "a piece"

    for _ in range(3):
        assert dict(pieces._pieces("0", [("high_card", 0)], edited, bool)) == {("high_card", 0): "a piece"}
    assert len(made) == 2


def test_an_interrupted_page_leaves_what_was_there(
    project: Path, python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(program: str) -> Iterator[tuple[str, bytes]]:
        yield "half.wasm", b"a module"
        raise KeyboardInterrupt

    before, beside = content(project / "site"), set(project.iterdir())
    monkeypatch.setattr(pieces, "modules", interrupted)
    assert ftk("site", "--pyodide", python).exit_code != 0
    assert content(project / "site") == before and set(project.iterdir()) == beside


def test_specs_with_errors_can_be_changed_and_not_played(
    project: Path, python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulespec.base.executors.processors", lambda: 2)
    (project / "specs" / "broken.yaml").write_text(SPEC.replace("play:", "plays:"), encoding="utf-8")
    (project / "specs" / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    assert ftk("site", "--pyodide", python).exit_code == 0
    shown = {game["id"]: game for game in json.loads((project / "site/games.json").read_text(encoding="utf-8"))}
    assert {id_: (game["kind"], game["players"] != []) for id_, game in shown.items()} == {
        "broken": ("errors", False),
        "bytes": ("errors", False),
        "high_card": ("hidden_cards", True),
    }
    assert shown["broken"]["titles"]["en"] == shown["high_card"]["titles"]["en"]
    assert [file.name for file in (project / "site/pictures").iterdir()] == ["high_card.svg"]


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for Node is a script")
def test_node_ends_with_an_interrupted_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    node = tmp_path / "node"
    node.write_text('#!/bin/sh\necho $$ > "$(/usr/bin/dirname "$1")/began"\nexec /bin/sleep 60\n', encoding="utf-8")
    node.chmod(0o700)
    monkeypatch.setattr("ftk_cli.page.memory.shutil.which", lambda _: str(node))
    with pytest.raises(KeyboardInterrupt), memory.making(tmp_path, "0" * 64, lambda: b"archive"):
        while not (tmp_path / "began").is_file() or not (number := (tmp_path / "began").read_text(encoding="utf-8")):
            time.sleep(0.01)
        raise KeyboardInterrupt
    with pytest.raises(ProcessLookupError):
        os.kill(int(number), 0)
    assert not (tmp_path / "memory.zip").exists()


def test_nothing_is_left_of_an_older_page(project: Path, python: Path) -> None:
    wanted = content(project / "site")
    site, outside = project / "site", project / "outside.txt"
    outside.write_text("not of the page")
    for name in ("ftk.bin", "searches/0/a.wasm", "beside.txt"):
        (site / name).parent.mkdir(exist_ok=True, parents=True)
        (site / name).write_text("old")
    worker = site / "offline.js"
    names = '"ftk.bin", "../outside.txt", "pictures/gone.svg", '
    worker.write_text(worker.read_text(encoding="utf-8").replace("FILES = [", f"FILES = [{names}"), encoding="utf-8")
    ftk("site", "--pyodide", python)
    assert content(site) == wanted | {"beside.txt": b"old"} and outside.is_file()


def test_without_node_the_page_has_no_memory(project: Path, python: Path) -> None:
    (project / "site" / memory.FILE).write_text("of another page")
    assert "needs Node" in ftk("site", "--pyodide", python).output
    assert not (project / "site" / memory.FILE).exists()


@pytest.mark.parametrize(
    "text, first",
    [
        ("Build a **village**\nof 3.5 houses. Then score.", "Build a village of 3.5 houses."),
        ("建造村莊。然後計分。", "建造村莊。"),
        ("No end", "No end"),
    ],
)
def test_a_game_is_described_by_the_first_sentence_of_its_aim(text: str, first: str) -> None:
    assert door.first_sentence(text) == first


@pytest.mark.parametrize(
    "game, lang, about",
    [
        ("kingme", "en", "The old king wants to step down, and the castle looks for a new one."),
        ("kingme", "zh-Hans", "老国王打算退位，城堡里要选出新的国王。"),
        ("keyflower_king", "zh-Hant", "你獨自玩《Keyflower》，對手是國王。"),
        ("keyflower_king", "uk", "You play Keyflower alone, against the King."),
        ("night_train", "zh-Hans", ["四个夜晚", "分数最高的玩家获胜"]),
        ("hearts", "uk", ["Thirteen tricks", "Fewest points"]),
        ("gem_traders", "en", ["", "Most points"]),
    ],
)
def test_a_game_is_about_its_aim_or_else_about_what_decides_it(game: str, lang: str, about: str | list[str]) -> None:
    assert door.described(rulespec.load(game))["about"][lang] == about


@pytest.mark.parametrize(
    "game, kind, players, minutes",
    [
        ("hearts", "hidden_cards", [4], 5),
        ("othello", "no_cards", [2], 10),
        ("liars_dice", "hidden_values", [2, 3], 5),
        ("keyflower_king", "hidden_cards", [1], 70),
    ],
)
def test_a_game_is_for_the_people_at_the_table(game: str, kind: str, players: list[int], minutes: int) -> None:
    shown = door.described(rulespec.load(game))
    assert (shown["kind"], shown["players"], shown["minutes"]) == (kind, players, minutes)


def test_a_rulebook_is_in_the_language_and_for_the_number_of_players_asked_for() -> None:
    book = ask("rules", name="kingme", lang="uk", players=5)
    assert book["title"] == "Зроби мене королем!" and "Для 5 гравців" in book["html"]
    assert ask("rules", name="keyflower_king", lang="zh-Hant")["lang"] == "zh-Hans"
    assert "hearts has no texts" in refused("rules", name="hearts", lang="en")


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path, python: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    done = ftk(tmp_path, "--pyodide", python)
    assert done.exit_code == 3 and "is not empty and holds no page" in done.output


def test_a_folder_without_pyodide_is_refused(tmp_path: Path) -> None:
    done = ftk(tmp_path / "site", "--pyodide", tmp_path)
    assert done.exit_code == 3 and "pyodide.mjs cannot be read" in done.output


def test_a_linker_that_fails_leaves_no_page(tmp_path: Path, python: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone(monkeypatch, tmp_path)
    monkeypatch.setattr(lexicon, "games", lambda: ["go_fish"])
    monkeypatch.setattr(modules, "PACKAGES", ("llvmlite",))
    monkeypatch.setattr("rulespec.engine.wasm.linking._linker", lambda: ["no_linker_of_this_name"])
    monkeypatch.setattr("rulespec.engine.wasm.linking.compiled", lambda *_: b"")
    done = ftk(tmp_path / "site", "--pyodide", python)
    assert done.exit_code == 3 and "'no_linker_of_this_name'. Install the package again" in done.output
    assert not (tmp_path / "site").exists() and [one.name for one in tmp_path.iterdir()] == ["cache"]


def test_without_a_network_the_message_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*arguments: object, **options: object) -> None:
        raise urllib.error.URLError("no network")

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(pyodide, "urlopen", unreachable)
    done = ftk(tmp_path / "site")
    assert done.exit_code == 3 and "no network" in done.output and "--pyodide FOLDER" in done.output


def test_another_package_than_the_pinned_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(pyodide, "_download", lambda: b"another")
    assert "its SHA-512 differs" in ftk(tmp_path / "site").output
    assert not list(tmp_path.glob("ftk/pyodide-*"))


def test_a_kept_package_is_used_while_it_is_the_pinned_one_and_nobody_else_may_write_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name in pyodide.FILES:
            archive.addfile(tarfile.TarInfo(f"package/{name}"))
    package, downloads = packed.getvalue(), []
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(pyodide, "INTEGRITY", b64encode(sha512(package).digest()).decode())
    monkeypatch.setattr(pyodide, "_download", lambda: downloads.append(1) or package)
    assert [list(pyodide.downloaded()) for _ in range(2)] == [list(pyodide.FILES)] * 2 and len(downloads) == 1
    (kept,) = tmp_path.glob("ftk/pyodide-*")
    for spoil in (lambda: kept.chmod(0o666), lambda: kept.write_bytes(b"another")):
        spoil()
        before = len(downloads)
        assert list(pyodide.downloaded()) == list(pyodide.FILES) and len(downloads) == before + 1


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The address of a server of a folder that has a link out of it."""
    (tmp_path / "site" / "empty").mkdir(parents=True)
    for name in ("index.html", "a.mjs", "../secret"):
        (tmp_path / "site" / name).write_text("")
    for name, target in (("file", tmp_path / "secret"), ("folder", tmp_path), ("inside", "a.mjs")):
        (tmp_path / "site" / name).symlink_to(target)
    with server(tmp_path / "site") as running, serving(running) as address:
        yield address


def test_the_server_gives_modules_their_type(address: str) -> None:
    with urlopen(f"{address}a.mjs") as answer:
        assert answer.headers["Content-Type"] == "text/javascript"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        *(("", 200), ("inside", 200), ("none", 404), ("empty/", 404), ("%2e%2e/secret", 404), ("?a=%00", 200)),
        *(("file", 404), ("folder/secret", 404), ("folder/", 404)),
        *(("%00", 400), ("%ed%a0%80", 400), ("a" * 300, 400)),
    ],
)
def test_the_server_answers_with_files_of_its_folder(
    address: str, path: str, status: int, capfd: pytest.CaptureFixture[str]
) -> None:
    host = address.removeprefix("http://").rstrip("/")
    for name, wanted in ((host, status), (host.replace("127.0.0.1", "localhost"), status), ("example.org", 403)):
        connection = HTTPConnection(host)
        connection.request("GET", f"/{path}", headers={"Host": name})
        assert connection.getresponse().status == wanted
    assert capfd.readouterr().err == ""


def test_slow_clients_keep_nobody_waiting(address: str) -> None:
    place = "127.0.0.1", int(address.rstrip("/").rpartition(":")[2])
    slow = [create_connection(place) for _ in range(3 * MOST_CONNECTIONS)]
    with urlopen(address, timeout=10) as answer:
        assert answer.status == 200 and active_count() <= MOST_CONNECTIONS + 10
    for one in slow:
        one.close()


@pytest.mark.parametrize(
    "error, said",
    [
        (Failure("The other half is lost."), "ftk: The other half is lost."),
        (ValueError("half"), "Internal error in ftk (ValueError: half)"),
        (OSError(28, "no space"), "The disk is full."),
    ],
)
@pytest.mark.sample(1)
def test_the_page_is_served_while_what_makes_it_quicker_is_made(
    project: Path, python: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    addresses: list[str] = []
    before: list[bool] = []

    @contextmanager
    def noted(running: ThreadingHTTPServer) -> Iterator[str]:
        with serving(running) as address:
            addresses.append(address)
            yield address

    def is_there(name: str) -> bool:
        try:
            return bool(urlopen(addresses[0] + name).status == 200)
        except urllib.error.HTTPError:
            return False

    def read_version() -> str:
        with urlopen(f"{addresses[0]}games.bin") as found, ZipFile(BytesIO(gzip.decompress(found.read()))) as archive:
            return archive.read("version").decode()

    def made(program: str) -> Iterator[tuple[str, bytes]]:
        half = f"{searches.folder_of(read_version())}/half.wasm"
        before.extend([is_there("index.html"), is_there("games.bin"), is_there(half)])
        yield "half.wasm", b"a module"
        before.append(is_there(half))
        raise error

    def waited(seconds: float) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr("ftk_cli.page.server.serving", noted)
    monkeypatch.setattr(pieces, "modules", made)
    monkeypatch.setattr("ftk_cli.page.command.sleep", waited)
    monkeypatch.setattr(os, "nice", lambda more: more, raising=False)
    result = CliRunner().invoke(main, ["page", "--pyodide", str(python)])
    assert before == [True, True, False, True] and result.exit_code == 0
    assert f"{addresses[0]}   Ctrl-C stops" in result.output and said in result.output
    with pytest.raises(urllib.error.URLError):
        urlopen(addresses[0])


def test_every_language_has_every_word() -> None:
    assert {frozenset(words) for words in WORDS.values()} == {frozenset(WORDS["en"])}
    scripts = [*STATIC.glob("*.js"), *renderer.table()]
    code = "".join(path.read_text(encoding="utf-8") for path in scripts)
    assert [key for key in WORDS["en"] if f'"{key}"' not in code and key != "language"] == []


@pytest.mark.parametrize("lang", WORDS)
def test_dots_follow_their_word_without_a_space(lang: str) -> None:
    assert [text for text in WORDS[lang].values() if " …" in text] == []


def test_nothing_in_the_page_is_inline() -> None:
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in page and "unsafe-inline" not in page
    assert "<script>" not in page and "style=" not in page and "onclick=" not in page


@pytest.mark.parametrize(("name", "seats"), [("kingme", 3), ("fortheking", 2), ("tic_tac_toe", 2), ("hearts", 4)])
@pytest.mark.sample(2)
def test_a_game_against_bots(name: str, seats: int) -> None:
    view = played(start(name, "person", *["random"] * (seats - 1)))
    assert view["result"]["places"][0]["place"] == 1 and view["actions"] == []


def test_the_result_says_how_it_came_about() -> None:
    result = played(start("kingme", "person", "random", "random"))["result"]
    scores = [score for _, score in sorted((one["seat"], one["score"]) for one in result["places"])]
    assert result["course"][-1] == scores and len(result["course"]) <= 61
    result = played(start("fortheking", "person", "random"))["result"]
    assert result["course"] == []  # the points are counted at the end
    assert {0, 1} & {one["seat"] for one in result["prizes"]} and " win" in result["decided"]


def test_the_scene_is_sent_once_and_a_card_is_chosen_from_its_zone() -> None:
    view = start("hearts", "person", "random", "random", "random")
    hand = next(at for at, zone in enumerate(view["scene"]["zones"]) if zone["id"] == "hand[1]")
    assert {part["zone"] for action in view["actions"] for part in action["parts"]} == {hand}
    assert "scene" not in ask("look", lang="en") and ask("look", lang="uk", scene=True)["scene"]["lang"] == "uk"


def test_a_hidden_hand_is_in_the_view_of_its_owner_only() -> None:
    scene = start("hearts", "person", "person", "random", "random")["scene"]
    view = ask("look", lang="en", seat=0)
    owners = {zone["zone"]: scene["zones"][zone["zone"]]["owner"] for zone in view["position"]["zones"]}
    seen = {owners[zone["zone"]] for zone in view["position"]["zones"] if set(zone["faces"]) != {None}}
    assert seen == {view["seat"]}
    assert ask("look", lang="en", seat=1)["actions"] == []  # the seat that is not to act is not asked


def test_nothing_is_shown_before_one_of_several_people_has_taken_the_device() -> None:
    view = start("hearts", "random", "person", "person", "random")
    while view["next"] == 0:
        assert view["seat"] is None and view["position"] is None and not view["log"] and not view["actions"]
        view = ask("bot", lang="en")
    assert view["seat"] is None and view["position"] is None and ask("look", lang="en", seat=view["next"])["actions"]


def test_a_bot_that_fails_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulespec.play.bots.bot import Bot

    def broken(*arguments: object) -> int:
        raise ValueError("out of ideas")

    monkeypatch.setattr(Bot, "thinking", broken)
    start("tic_tac_toe", "greedy", "person")
    [failure] = [line for line in ask("bot", lang="en")["log"] if line["kind"] == "failure"]
    assert "could not decide" in failure["text"] and "out of ideas" in failure["text"]


def test_a_saved_game_is_a_log_and_can_be_continued(tmp_path: Path) -> None:
    view = start("kingme", "person", "random", "random")
    for _ in range(5):
        view = ask("bot", lang="en") if view["next"] else ask("act", action=view["actions"][0]["action"], lang="en")
    saved = ask("save")
    log = tmp_path / saved["name"]
    log.write_text(saved["text"], encoding="utf-8")
    assert "every line agrees" in CliRunner().invoke(main, ["replay", str(log)]).output
    found = ask("openedLog", text=saved["text"], lang="en")
    assert found.pop("title")
    seats = ["person", *["random"] * (found.pop("players") - 1)]
    assert ask("start", lang="en", seats=seats, **found)["kept"]["choices"] == view["kept"]["choices"]


def test_each_part_of_an_action_says_what_it_stands_for() -> None:
    view = start("keyflower_king", "person", "random", lang="uk")
    view = ask("act", action=view["actions"][0]["action"], lang="uk", seat=0)
    labels = {part["label"] for part in view["actions"][0]["parts"]}
    assert labels == {"число", "colour", "area"}  # no glossary names these two


def test_it_says_what_bots_search_in(monkeypatch: pytest.MonkeyPatch) -> None:
    made: dict[str, Any] = {}
    assert [start("nim", "person", bot)["searches"] for bot in ("person", "random", "greedy")] == ["", "", "python"]
    monkeypatch.setattr("rulespec.engine.search.tree_search.SEARCH_HOSTS", [searches.Modules("searches/1.0", made.get)])
    assert start("nim", "person", "ismcts:1s")["searches"] == "python"
    made[f"searches/1.0/{searches.file_name(rulespec.load('nim').game(2))}"] = print
    assert start("nim", "person", "ismcts:1s")["searches"] == "wasm"


def test_the_last_decision_can_be_taken_back() -> None:
    view = start("tic_tac_toe", "person", "random")
    ask("act", action=view["actions"][4]["action"], lang="en")
    ask("bot", lang="en")
    assert ask("undo", lang="en", seat=0)["kept"]["choices"] == []
    assert "no decision" in refused("undo", lang="en", seat=0)


def test_a_broken_spec_is_answered_with_its_findings() -> None:
    answer = json.loads(calls.answer('{"call": "opened", "args": {"text": "rulespec: 2", "name": "x", "lang": "en"}}'))
    assert answer["error"]["findings"][0]["code"] and not answer.get("result")


@pytest.mark.parametrize(("call", "seat"), [("act", "person"), ("bot", "random")])
def test_a_position_that_lacks_what_the_rules_need(
    call: str, seat: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "high_card.yaml").write_text(SPEC, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    given = '{at: swap, zones: {"hand[1]": [3], "hand[2]": [4]}, rest: discard}'
    text = f"scenario: 2\ngame: high_card\ntitle: Cases\ncases: [{{id: one, title: One, players: 2, given: {given}}}]\n"
    case = {"name": "cases.yaml", "text": text, "id": "one"}
    more = {"action": 0} if call == "act" else {}
    monkeypatch.setattr(Table, "play", lambda *_: ()[0])  # as the interpreter fails
    start("high_card", seat, "random", case=case, text=SPEC)
    assert refused(call, lang="en", **more) == "Play from the position of this case fails: it lacks cards or values."
    start("high_card", seat, "random", text=SPEC)
    assert refused(call, lang="en", **more) == "IndexError: tuple index out of range"


def test_a_spec_of_the_reader_is_played() -> None:
    text = (Path(__file__).parents[1] / "specs" / "gallery" / "nim.yaml").read_text(encoding="utf-8")
    assert ask("opened", text=text, name="nim.yaml", lang="en")["title"] == "Nim"
    assert played(start("nim.yaml", "person", "random", text=text))["over"]


def test_the_log_of_a_spec_of_the_reader_goes_on_once_the_spec_is_open() -> None:
    text = (Path(__file__).parents[1] / "specs" / "gallery" / "nim.yaml").read_text(encoding="utf-8")
    own = text.replace("id: nim,", "id: my_nim,")
    view = start("my_nim.yaml", "person", "random", text=own)
    view = ask("act", action=view["actions"][0]["action"], lang="en")
    log = ask("save")["text"]
    for other in ("", text):
        assert ask("openedLog", text=log, lang="en", own=other) == {"unknown": "my_nim"}
    found = ask("openedLog", text=log, lang="en", own=own)
    assert found["title"] == "Nim" and found["text"] == own
    del found["title"], found["players"]
    assert ask("start", lang="en", seats=["person", "person"], **found)["kept"]["choices"] == view["kept"]["choices"]


@pytest.fixture(scope="module")
def lexicons() -> str:
    """The lexicons of a game in all its languages."""
    return json.dumps(lexicon.lexicons(rulespec.load("fortheking")))


@pytest.fixture
def prepared(lexicons: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with the lexicons of a game, as the archive of the page has them."""
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "fortheking.json").write_text(lexicons, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("prepared")
@pytest.mark.soak
def test_the_work_before_the_memory_is_kept_can_be_done() -> None:
    shutil.copytree(Path(__file__).parents[1] / "specs", "specs", ignore=shutil.ignore_patterns("gallery", "versions"))
    warm.warm()
    assert "no game" in refused("look", lang="en")


@pytest.mark.usefixtures("prepared")
def test_the_page_has_the_words_of_the_terminal() -> None:
    view = start("fortheking", "person", "random", lang="uk")
    spec = rulespec.load("fortheking")
    words = words_in(spec, spec.game(2, engine="interpreter"), "uk")
    state = play.game_at(play.PLAY).state
    assert view["title"] == words.game("")
    assert [one["text"] for one in view["actions"]] == [row.words for row in choice_of(state, 0, words).rows]
    titles = {one["title"] for one in view["scene"]["values"]}
    assert {one.title for one in values_of(state, 0, words).single} <= titles
    lines = [line.strip("— ") for line in Story(state, 0, words=words, addressed=True).news(state)]
    assert [one["text"] for one in view["log"]] == lines


@pytest.mark.usefixtures("prepared")
def test_the_text_of_the_rule_around_a_rule_without_one_is_shown() -> None:
    action = start("fortheking", "person", "random", lang="uk")["actions"][0]["action"]
    own = ask("why", action=action, lang="uk")
    assert own["text"] and own["text_of"] == own["rule"] and own["does"]
    file = Path("words", "fortheking.json")
    found = json.loads(file.read_text(encoding="utf-8"))
    del found["uk"]["texts"][own["rule"]]
    file.write_text(json.dumps(found), encoding="utf-8")
    start("fortheking", "person", "random", lang="uk")
    around = ask("why", action=action, lang="uk")
    assert around["text"] and around["text_of"] != around["rule"] == own["rule"]


def test_the_rule_behind_a_decision_is_around_all_its_actions_and_described_without_a_text() -> None:
    start("nim", "person", "random", lang="uk")
    found = ask("why", lang="uk")
    assert found["rule"] == "take" and not found["text"] and found["does"]


@pytest.mark.usefixtures("prepared")
def test_the_set_up_is_explained_rule_by_rule_up_to_the_first_decision() -> None:
    start("fortheking", "person", "random", lang="uk")
    steps = ask("set_up", lang="uk", seat=0)
    assert len(steps) == 11 and all(one["text"] and one["position"] for one in steps)
    decks = [one["position"]["zones"][0]["size"] for one in steps]
    assert decks == sorted(decks, reverse=True)


def test_the_set_up_shows_no_cards_before_one_of_several_people_has_taken_the_device() -> None:
    start("hearts", "person", "person", "random", "random")
    assert [one["position"] for one in ask("set_up", lang="en")] == [None] * 3
    hands = [zone["seen"] for zone in ask("set_up", lang="en", seat=1)[-1]["position"]["zones"]]
    assert hands == [False, True, False, False]


@pytest.mark.parametrize("game, others, counts", [("nim", 1, "wins"), ("hearts", 3, "mean"), ("yacht", 0, "mean")])
def test_a_hint_says_what_a_bot_would_do_and_how_its_games_ended(game: str, others: int, counts: str) -> None:
    view = start(game, "person", *["random"] * others)
    while view["next"] != 0:
        view = ask("bot", lang="en", seat=0)
    found = ask("hint", lang="en")
    own, second = found["moves"]
    assert found["counts"] == counts and own["games"] >= second["games"] > 0
    assert {own["text"], second["text"]} <= {one["text"] for one in view["actions"]}


def test_a_hint_without_time_for_whole_games_does_not_say_how_they_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    start("chess", "person", "random")
    search = Search(play.game_at(play.PLAY).state.game, machine=False)
    monkeypatch.setattr("rulespec.play.bots.searches.search_of", lambda _: search)
    assert ask("hint", lang="en")["counts"] == "lead"


@pytest.mark.usefixtures("prepared")
def test_rulings_are_asked_in_the_words_of_the_glossary() -> None:
    rulings = ask("game", name="fortheking", lang="uk")["rulings"]
    said = [text for one in rulings for text in (one["question"], *(option["title"] for option in one["options"]))]
    assert said and [text for text in said if re.search("[a-z]{2}", text)] == []


@pytest.mark.usefixtures("prepared")
def test_simplified_characters_are_those_of_the_catalog_converted() -> None:
    start("fortheking", "person", "random", lang="zh-Hans")
    assert play.game_at(play.PLAY).words_in("zh-Hans").of(say("{player} wins", player="A")) == "A 获胜。"


def test_games_have_titles_in_the_language() -> None:
    titles = {one["id"]: one["title"] for one in ask("games", lang="uk")}
    assert titles["kingme"] == "Зроби мене королем!" and titles["nim"] == "Nim"


VARIANTS = [
    ("kingme", "ground_floor", "en", "The ground floor", "King Me!: The ground floor"),
    ("kingme", "ground_floor", "uk", "Нижній поверх", "Зроби мене королем!: нижній поверх"),
    ("kingme", "ground_floor", "zh-Hant", "最底層", "封我為王！：最底層"),
    ("fortheking", "more_gold", "uk", "Більше золота", "За короля (і за мене): більше золота"),
]


@pytest.mark.parametrize(("game", "variant", "lang", "title", "whole"), VARIANTS)
@pytest.mark.sample(2)
def test_variants_have_titles_in_the_language(game: str, variant: str, lang: str, title: str, whole: str) -> None:
    assert {"id": variant, "title": title} in ask("game", name=game, lang=lang)["variants"]
    assert start(game, "person", "random", "random", lang=lang, variant=variant)["title"] == whole
    log = ask("save")["text"]
    assert ask("openedLog", text=log, lang=lang)["title"] == whole


def test_a_variant_without_texts_has_the_title_of_its_overlay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    overlay = tmp_path / "specs" / "variants" / "high_card" / "low.yaml"
    overlay.parent.mkdir(parents=True)
    overlay.write_text("overlay: 1\nid: low\nextends: high_card\ntitle: Low card\n", encoding="utf-8")
    (tmp_path / "specs" / "high_card.yaml").write_text(SPEC, encoding="utf-8")
    assert titles.of_variant("high_card", "low", "uk") == "Low card"
    assert titles.in_variant("high_card", "low", "uk") == "High card: Low card"


def opened(lang: str = "uk") -> Any:
    ask("desk.close")
    return ask("desk.open", name="fortheking", lang=lang)


def test_the_desk_shows_a_text_beside_what_it_must_state() -> None:
    game = {"id": "fortheking", "title": "За короля (і за мене)", "langs": ["en", "uk", "zh-Hant"]}
    assert game in desk.games("uk")
    view = opened()
    assert view["lang"] == "uk" and view["players"] == [2, 3, 4, 5] and not view["changed"]
    unit = ask("desk.unit", id="setup.deck", lang="en", players=3)
    assert "72 картки" in unit["text"] and unit["findings"] == []
    assert set(unit["others"]) == {"en", "zh-Hant"}


@pytest.mark.parametrize(("lang", "said"), [("en", "the spec says 72"), ("uk", "в специфікації — 72")])
def test_a_text_is_checked_while_it_is_written(lang: str, said: str) -> None:
    opened()
    text = ask("desk.unit", id="setup.deck", lang=lang)["text"].replace("72", "73")
    found = ask("desk.check", id="setup.deck", lang=lang, texts={"rules/setup.deck/text": text})
    assert [one["code"] for one in found] == ["RS911"] and said in found[0]["message"]
    assert not ask("desk.open", name="fortheking", lang="uk")["changed"]  # it stays as it is


def test_a_text_is_kept_confirmed_and_saved() -> None:
    opened()
    edits = {"rules/setup.deck/text": "Перетасуйте колоду."}
    assert ask("desk.keep", texts=edits)["changed"]
    assert ask("desk.confirm", id="setup.deck")["changed"]
    file = ask("desk.file")
    assert file["name"] == "uk.yaml" and "      Перетасуйте колоду.\n" in file["text"]
    assert not ask("desk.saved")["changed"]
    ask("desk.close")
    again = ask("desk.opened", text=file["text"])
    assert (again["id"], again["lang"], again["changed"]) == ("fortheking", "uk", False)
    assert ask("desk.unit", id="setup.deck", lang="en")["text"] == "Перетасуйте колоду."


def test_texts_stay_open_while_another_tab_is_looked_at() -> None:
    opened()
    ask("desk.keep", texts={"rules/setup.deck/text": "Перетасуйте колоду."})
    view = ask("desk.open", name="fortheking", lang="uk")
    assert view["changed"] and ask("desk.unit", id="setup.deck", lang="en")["text"] == "Перетасуйте колоду."


def test_a_text_with_blanks_at_the_ends_of_lines_can_be_written_again() -> None:
    opened()
    for text in ("one \ntwo ", "three\u2028four", "five"):
        ask("desk.keep", texts={"rules/setup.deck/text": text})
    assert ask("desk.unit", id="setup.deck", lang="en")["text"] == "five"


def test_a_finding_at_the_desk_is_ignored_with_a_reason() -> None:
    opened()
    ask("desk.keep", texts={"rules/setup.deck/text": "73 картки"})
    codes = []  # another reason at the same place is shown once the strongest is ignored
    while found := ask("desk.unit", id="setup.deck", lang="en")["findings"]:
        codes.append(found[0]["code"])
        ask("desk.ignore", id="setup.deck", code=codes[-1], reason="so printed")
    assert len(codes) == len({*codes}) > 1 and not ask("desk.unit", id="setup.deck", lang="en")["findings"]
    assert "needs a reason" in refused("desk.ignore", id="setup.deck", code="RS911", reason="")


@pytest.mark.parametrize("form", ["po", "xliff"])
def test_texts_go_to_translation_tools_and_back(form: str) -> None:
    opened()
    file = ask("desk.export", format=form)
    assert file["name"] == f"fortheking-uk.{form}"
    edited = file["text"].replace("72 картки", "73 картки")
    view = ask("desk.import", name=file["name"], text=edited, lang="en")
    assert view["changed"] and view["findings"] == []
    assert "73 картки" in ask("desk.file")["text"]


def test_a_moment_is_in_the_language_of_the_texts() -> None:
    opened()
    assert "Колоду перетасовано." in ask("desk.moment", id="setup.deck", players=3)["lines"]
    assert ask("desk.moment", id="aim") is None


def test_a_file_that_is_no_text_of_the_game_is_refused() -> None:
    assert refused("desk.opened", text="game: [")
    assert refused("desk.open", name="fortheking", lang="xx")
    opened()
    assert refused("desk.import", name="a.po", text="no PO", lang="en")
    assert refused("desk.import", name="a.xlf", text="<", lang="en")


def judge(id_: str, by: str, kind: str = "right", words: str = "", rule: str = "", why: str = "") -> Any:
    return ask("desk.judge", id=id_, by=by, kind=kind, words=words, rule=rule, why=why, lang="en")


def test_texts_are_reviewed_at_the_desk() -> None:
    assert not opened()["reviewed"]
    assert ask("desk.unit", id="setup.deck", lang="en")["review"]["state"] == "unread"
    assert judge("setup.deck", "Olena", "wrong", "72 картки", "setup.deck", "There are more.")["changed"]
    view = judge("setup.deck", "Danylo")
    assert {one["id"]: one["review"] for one in view["entries"]}["setup.deck"] == "read" and view["reviewed"]
    review = ask("desk.unit", id="setup.deck", lang="en")["review"]
    assert review["disagreed"] and [one["by"] for one in review["said"]] == ["Olena", "Danylo"]
    assert review["rules"][0] == {"id": "setup.deck", "title": "Shuffle the deck"}
    ask("desk.decline", number=1, by="Danylo", why="There are 72.", lang="en")
    file = ask("desk.review_file")
    assert (file["name"], file["folder"]) == ("uk.review.yaml", "specs/reviews/fortheking")
    assert not ask("desk.saved", review=True)["changed"]
    ask("desk.close")
    assert ask("desk.opened", text=file["text"])["reviewed"]
    said = ask("desk.unit", id="setup.deck", lang="en")["review"]["said"]
    assert said[0]["remark"]["declined"]["why"] == "There are 72." and not said[0]["is_open"]
    ask("desk.keep", texts={"rules/setup.deck/text": "Перетасуйте колоду."})
    assert ask("desk.unit", id="setup.deck", lang="en")["review"]["state"] == "changed"


OF_RAW = "review: 1\ngame: kingme\nlang: en\ntext: a.txt\npassages: []\nunstated: {}\n"
REMARK = {"id": "setup.deck", "by": "Olena", "kind": "wrong", "words": "картки", "rule": "setup.deck", "why": "No."}


@pytest.mark.parametrize(
    ("call", "arguments", "message"),
    [
        ("judge", REMARK | {"words": "73 картки"}, "“73 картки” does not stand in the passage."),
        ("judge", REMARK | {"words": "карт"}, "“карт” is only a part of a word."),
        ("judge", REMARK | {"why": " "}, "A reason is needed."),
        ("judge", REMARK | {"by": " "}, "A reviewer needs a name."),
        ("judge", REMARK | {"id": "nowhere"}, "there is no text of nowhere"),
        ("judge", REMARK | {"rule": "nowhere"}, "The game has no rule `nowhere`."),
        ("judge", REMARK | {"kind": "odd"}, "There is no kind of remark `odd`."),
        ("judge", REMARK | {"why": "x" * 601}, "A reason has at most 600 characters."),
        ("decline", {"number": 3, "by": "Olena", "why": "No."}, "There is no remark 3."),
    ],
)
def test_what_cannot_be_kept_of_a_review_is_refused(call: str, arguments: dict[str, Any], message: str) -> None:
    opened()
    assert message in refused(f"desk.{call}", lang="en", **arguments)
    assert not ask("desk.open", name="fortheking", lang="uk")["changed"]


def test_a_review_of_another_kind_of_text_is_not_opened() -> None:
    assert "belongs to the terminal" in refused("desk.opened", text=OF_RAW)
    assert refused("desk.opened", text="review: 1\n")
