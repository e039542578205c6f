"""The rulebook that plays: its steps, its memory of WebAssembly, and its page."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import ftk
from wasm_hosts import Wasmtime, why_not, written

import rulespec
from ftk_cli.renderer import javascript
from rulespec.engine.interpreter.random import stream
from rulespec.engine.states.game import Game
from rulespec.engine.states.state import State
from rulespec.engine.wasm import modules
from rulespec.engine.wasm.memory import layout_of, memory_of
from rulespec.games import examples
from rulespec.games.rulebook import book_of, texts_of
from rulespec.play.living.page import living
from rulespec.play.living.recording import Recording, of_case, of_set_up, open_position
from rulespec.play.table.choice import choice_of
from rulespec.play.table.hosts import hosted
from rulespec.play.table.scene import Scene, action_of, position_of
from rulespec.play.table.words import PLAIN, words_in
from rulespec.text.output.render.book import Rulebook

in_wasmtime = pytest.mark.skipif(bool(why_not("wasmtime")), reason=why_not("wasmtime"))
in_node = pytest.mark.skipif(bool(why_not("node")), reason=why_not("node"))


def game_of(name: str, players: int) -> Game:
    return rulespec.load(name).game(players, engine="interpreter")


def recordings(game: Game, name: str) -> Iterator[tuple[str, Recording]]:
    """The examples of a game, by their cases, and its set-up."""
    spec = rulespec.load(name)
    for proved in examples.proved(texts_of(spec)["en"], spec, game.setting).values():
        for one in proved:
            yield one.case.text, of_case(examples.case_of(one, spec), PLAIN)
    yield "set-up", of_set_up(game, 1, PLAIN)


def decided(memory: bytes, description: dict[str, Any]) -> tuple[Any, ...]:
    """What determines how a state goes on: its numbers, its legal actions, and the cards in its zones."""
    at, cells = description["state"], memoryview(memory)[: description["state"]["zones"]].cast("q")
    legal, sizes, desk = at["legal"] // 8, at["sizes"] // 8, at["asked"] // 8
    zones = memoryview(memory)[at["zones"] :].cast("h")
    cards = [
        zones[one["number"] * at["room"] :][: cells[sizes + one["number"]]].tolist()
        for one in description["zones"].values()
    ]
    count = cells[at["count"] // 8]
    return cells[:desk].tolist(), cells[legal : legal + count].tolist(), cards


@in_wasmtime
@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.sample(1)
def test_a_module_goes_on_from_the_position_of_an_example(players: int, tmp_path: Path) -> None:
    game = game_of("fortheking", players)
    layout, module = layout_of(game), written(game, tmp_path)
    host = Wasmtime(module)
    for case, recorded in recordings(game, "fortheking"):
        state: State = recorded.start.clone()
        memory = memory_of(state, layout)
        assert len(memory) == module.description["state"]["bytes"]
        for _, action in recorded.choices or [(0, action) for action in state.legal[-1:]]:
            memory = host.goes_on(memory, action)
            state.apply_action(action)
            assert decided(memory, module.description) == decided(memory_of(state, layout), module.description), case


@in_node
@pytest.mark.parametrize(
    ("name", "players", "lang"),
    [("fortheking", 3, "uk"), ("kingme", 3, "zh-Hant"), ("gin_rummy", 2, ""), ("night_train", 2, "en")],
)
@pytest.mark.sample(2)
def test_a_host_shows_what_python_shows(name: str, players: int, lang: str, tmp_path: Path) -> None:
    game = game_of(name, players)
    scene = Scene(game, words_in(rulespec.load(name), game, lang))
    path = written(game, tmp_path).path
    (tmp_path / "scene.json").write_text(json.dumps(hosted(scene)), encoding="utf-8")
    command = [
        "node",
        str(Path(__file__).with_name("view_node.mjs")),
        str(path),
        str(tmp_path / "scene.json"),
        "3",
        "25",
    ]
    shown = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    state = game.new_initial_state(stream(3))
    stored = {one["name"] for one in scene.to_dict()["values"] if one["register"] is not None}
    for n, drawn in enumerate(shown):
        seat = state.deciders()[0]
        choice = choice_of(state, seat, scene.words)
        expected = as_json(open_position(state))
        expected["values"] = {name: cells for name, cells in expected["values"].items() if name in stored}
        assert drawn["all"] == expected
        for one, position in enumerate(drawn["seats"]):
            assert_no_more(position, as_json(position_of(state, one)))
        assert drawn["actions"] == [as_json(action_of(scene, row)) for row in choice.rows]
        legal = state.legal_actions(seat)
        state.apply_action(legal[n * 7 % len(legal)], seat)


def as_json(data: Any) -> Any:
    return json.loads(json.dumps(data))


def assert_no_more(shown: dict[str, Any], known: dict[str, Any]) -> None:
    """A host shows a seat no card and no value that the seat does not know."""
    faces = {one["zone"]: Counter(one["faces"]) for one in known["zones"]}
    for one in shown["zones"]:
        assert not Counter(face for face in one["faces"] if face is not None) - faces[one["zone"]]
    for name, cells in shown["values"].items():
        assert cells.items() <= known["values"].get(name, {}).items()


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        ("fortheking --lang en --living", 2, "--living needs --format html: only a page can be played."),
        ("fortheking --lang en --living --format pdf --output x.pdf", 2, "--living needs --format html"),
        ("hearts --lang en --living --format html", 3, "Hearts has no rule text in en."),
        ("fortheking --lang de --living --format html", 3, "There is one in en, uk, zh-Hant."),
    ],
)
def test_what_cannot_be_played_is_refused(arguments: str, status: int, said: str) -> None:
    result = ftk("text", "render", *arguments.split())
    assert (result.exit_code, said in result.output) == (status, True), result.output


def test_without_a_module_the_steps_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modules, "PACKAGES", ("llvmlite", "no_such_package"))
    result = ftk("text", "render", "fortheking", "--lang", "en", "--format", "html", "--living", "--output", "-")
    assert result.stderr.startswith("WebAssembly needs the package no_such_package: pip install 'ftk[wasm]'. Examples")
    assert result.stdout.count('class="replay"') == 4
    data = json.loads(result.stdout.partition('id="recordings">')[2].partition("</script>")[0])
    assert data["module"] is None
    steps = data["recordings"]["influence.draft-0"]["steps"]
    assert [(one["title"], one["choices"]) for one in steps[:3]] == [("", 0), ("Deal out cards", 0), ("", 1)]
    assert steps[2]["said"][0] == "Player 1 lays it face up in the middle."


def test_a_page_loads_nothing_and_shows_terms_and_other_numbers_of_players(tmp_path: Path) -> None:
    spec = rulespec.load("fortheking")
    book = Rulebook(texts_of(spec)["en"], spec.game(2).setting, book_of(spec))
    page = living(book, spec, javascript())
    assert not re.findall(r'(?:src|href)="(?!#|data:)[^"$]', page.partition("<script")[0])
    assert '<button type="button" class="term" popovertarget="term-deck">deck</button>' in page
    numbers = page.partition('id="setup.random_removal"')[2].partition("</section>")[0]
    assert re.findall(r"<dt>(\d)</dt><dd class=\"text\"><ul>\n<li>(\d+) cards</li>", numbers) == [
        ("3", "13"),
        ("4", "8"),
        ("5", "0"),
    ]


@in_node
@pytest.mark.parametrize(
    ("name", "players", "is_open", "games"),
    [("tic_tac_toe", 2, True, 20), ("connect_four", 2, True, 20), ("backgammon", 2, True, 0), ("kingme", 3, False, 0)],
)
@pytest.mark.slow("a bot thinks for 20 milliseconds about each move")
def test_a_bot_of_a_host_plays_where_nothing_is_hidden(
    name: str, players: int, is_open: bool, games: int, tmp_path: Path
) -> None:
    game = game_of(name, players)
    assert hosted(Scene(game, words_in(rulespec.load(name), game, "en")))["open"] is is_open
    if games:
        script = Path(__file__).with_name("bot_node.mjs")
        command = ["node", str(script), str(written(game, tmp_path).path), str(games), "20"]
        wins, _ = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        assert wins >= 0.75 * games
