"""Games as WebAssembly: modules without imports, which play the same games as the other engines."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from doc_games import ROOT, blocks
from high_card import SPEC
from random_specs import Maker, loaded
from wasm_hosts import Module, Node, Wasmtime, columns_digest, why_not, written

import rulespec
from ftk_cli.main import main
from rulespec.engine.backend.engines.cache import COMPILED
from rulespec.engine.interpreter.random import stream
from rulespec.engine.states.playout import playouts
from rulespec.engine.states.state import State
from rulespec.engine.wasm import modules
from rulespec.engine.wasm.description import FORMAT
from rulespec.engine.wasm.modules import search_module
from rulespec.language.model.types import NONE

pytestmark = pytest.mark.slow("modules are compiled")

JS = ROOT / "js"
WITHOUT = modules.missing()
makes_modules = pytest.mark.skipif(bool(WITHOUT), reason=WITHOUT)
in_wasmtime = pytest.mark.skipif(bool(why_not("wasmtime")), reason=why_not("wasmtime"))
in_node = pytest.mark.skipif(bool(why_not("node")), reason=why_not("node"))

# Secret choices, absent values, sets of cards, boards without cards, no legal actions in one word, returns by seat.
SETTINGS = [
    ("fortheking", 4, {}),
    ("kingme", 3, {}),
    ("keyflower_king", 2, {}),
    ("goofspiel", 3, {}),
    ("hearts", 4, {}),
    ("checkers", 2, {}),
    ("leduc_poker", 3, {}),
    ("go_fish", 5, {}),
]
SEED, GAMES, LONGEST = -5, 300, 400


def ftk(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["compile", *map(str, arguments)])


def game_of(name: str, players: int, rulings: dict[str, str]) -> rulespec.Game:
    return rulespec.load(name).game(players, rulings, "native")


# --- The command -----------------------------------------------------------------------------------------------------


@makes_modules
def test_a_module_and_its_description_are_written(tmp_path: Path) -> None:
    result = ftk("kingme", "--players", 3, "--target", "wasm", "--output", tmp_path / "site")
    assert result.exit_code == 0, result.output
    assert sorted(file.name for file in (tmp_path / "site").iterdir()) == [
        "kingme-3.json",
        "kingme-3.scene.json",
        "kingme-3.wasm",
    ]
    description = json.loads((tmp_path / "site" / "kingme-3.json").read_text(encoding="utf-8"))
    assert (description["game"], description["players"], description["format"]) == ("kingme", 3, FORMAT)
    assert (tmp_path / "site" / "kingme-3.wasm").read_bytes().startswith(b"\0asm")


def test_what_must_be_installed_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modules, "PACKAGES", ("llvmlite", "no_linker_of_this_name"))
    result = ftk("kingme", "--target", "wasm", "--output", tmp_path)
    assert result.exit_code == 3 and not list(tmp_path.iterdir())
    assert "no_linker_of_this_name: pip install 'ftk[wasm]'" in result.stderr


@pytest.mark.parametrize(
    ("linker", "said"),
    [
        ([sys.executable, "-c", "raise SystemExit('wasm-ld: no such option')"], "wasm-ld: no such option"),
        ([sys.executable, "-c", "raise SystemExit(9)"], "it ended with status 9"),
        (["no_linker_of_this_name"], "No such file or directory: 'no_linker_of_this_name'"),
    ],
)
def test_a_linker_that_fails_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, linker: list[str], said: str
) -> None:
    monkeypatch.setattr(modules, "PACKAGES", ("llvmlite",))
    monkeypatch.setattr("rulespec.engine.wasm.linking._linker", lambda: linker)
    monkeypatch.setattr("rulespec.engine.wasm.linking.compiled", lambda *_: b"")
    result = ftk("kingme", "--target", "wasm", "--output", tmp_path)
    assert result.exit_code == 3 and not list(tmp_path.iterdir())
    assert f"{said}. Install the package again" in result.stderr


@pytest.mark.parametrize("option", [("--engine", "native"), ("--form", "games"), ("--print",)])
def test_options_for_other_targets_are_refused(option: tuple[str, ...]) -> None:
    result = ftk("kingme", "--target", "wasm", *option)
    assert result.exit_code == 2 and f"{option[0]} does not go with --target wasm" in result.stderr


@makes_modules
def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    result = ftk("kingme", "--target", "wasm", "--output", tmp_path / "file")
    assert result.exit_code == 3 and "cannot be written" in result.stderr


def test_a_change_of_words_compiles_no_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("rulespec.engine.wasm.linking.linked", lambda *_: modules.MAGIC)
    COMPILED.clear()
    compiled = []
    for changed in (SPEC, SPEC + "# A comment\n", SPEC.replace("Draw a card", "Draw"), SPEC.replace("1..13", "1..12")):
        search_module(rulespec.loads(changed).game(2))
        compiled.append(len(COMPILED))
    assert compiled == [1, 1, 1, 2]


# --- The description -------------------------------------------------------------------------------------------------


@makes_modules
def test_the_description_names_what_the_engine_names(tmp_path: Path) -> None:
    game = rulespec.loads(SPEC).game(3)
    about = written(game, tmp_path).description
    assert list(about["zones"]) == ["deck", "hand[1]", "hand[2]", "hand[3]", "discard"]
    assert about["actions"]["count"] == game.num_distinct_actions()
    assert [about["faces"][face] for face in about["cards"]] == [game.card_name(c) for c in range(52)]
    assert about["rulings"] == {"tied": "all"}


@makes_modules
def test_registers_of_values_by_name(tmp_path: Path) -> None:
    game = rulespec.load("fortheking").game(2)
    values, offices = written(game, tmp_path).description["values"], game.spec.enums["office"].members
    found = [values[f"esteem[{office}]"]["register"] for office in offices]
    assert found == [game.address("esteem", [number]) for number in range(len(offices))]


# --- The same games --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=SETTINGS, ids=lambda setting: f"{setting[0]}-{setting[1]}")
def compiled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[rulespec.Game, Module]:
    game = game_of(*request.param)
    return game, written(game, tmp_path_factory.mktemp("wasm"))


@in_wasmtime
@pytest.mark.sample(2)
def test_wasmtime_plays_the_same_games(compiled: tuple[rulespec.Game, Module]) -> None:
    game, module = compiled
    host = Wasmtime(module)
    assert host.imports == []
    assert host.play_games(SEED, 3, GAMES)[0] == columns_digest(playouts(game, SEED, range(3, 3 + GAMES)))


@in_wasmtime
@pytest.mark.sample(2)
def test_rollouts_from_the_start_are_playouts(compiled: tuple[rulespec.Game, Module]) -> None:
    game, module = compiled
    host, result, chunk = Wasmtime(module), module.description["result"], playouts(game, SEED, range(20))
    for number in range(20):
        state = host.rollout(stream(SEED, number, 0), stream(SEED, number, 1))
        first = module.description["state"]["registers"] + 8 * result["ranks"]
        ranks = [int.from_bytes(state[first + 8 * p : first + 8 * p + 8], "little") for p in range(game.players)]
        assert ranks == [column[number] for column in chunk.ranks]


@in_node
def test_node_plays_the_same_games(compiled: tuple[rulespec.Game, Module]) -> None:
    game, module = compiled
    with Node(module) as host:
        found = host.play_games(SEED, 3, GAMES)[0]
    assert found == columns_digest(playouts(game, SEED, range(3, 3 + GAMES)))


@in_node
def test_node_says_actions_as_the_engine_does(compiled: tuple[rulespec.Game, Module]) -> None:
    game, module = compiled
    number = game.num_distinct_actions()
    actions = [*range(0, number, 1 + number // 5000), number - 1]
    with Node(module) as host:
        assert host.says(actions) == [game.action_to_string(action) for action in actions]
    assert len(json.dumps(module.description["actions"])) < 50_000


@in_node
@pytest.mark.sample(2)
def test_node_decides_as_the_native_engine_does(compiled: tuple[rulespec.Game, Module]) -> None:
    game, module = compiled
    with Node(module) as host:
        for seed in range(3):
            step, state = 7919 + seed, game.new_initial_state(seed, record=False)
            positions = host.trace(seed, step, LONGEST)
            for number, shown in enumerate(positions):
                assert shown == position(state, module.description["values"]), (seed, number)
                if not state.is_terminal():
                    seat = state.deciders()[0]
                    legal = state.legal_actions(seat)
                    state.apply_action(legal[number * step % len(legal)], seat)


@in_wasmtime
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.sample(1)
def test_random_specs_play_as_the_interpreter_does(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulespec.engine.backend.llvm import compiler

    monkeypatch.setattr(compiler, "object_code", partial(compiler.object_code, optimised=False))
    spec = loaded(Maker(seed).spec())
    if spec is None:
        pytest.skip("the checks refuse this spec")
    game = spec.game(2 + seed % 2)
    host = Wasmtime(written(game, tmp_path))
    assert host.play_games(SEED, 0, 20)[0] == columns_digest(playouts(game, SEED, range(20)))


# --- The example -----------------------------------------------------------------------------------------------------


@in_node
def test_the_example_prints_what_is_shown(tmp_path: Path) -> None:
    program, printed, *_ = (block.text for block in blocks(JS / "README.md"))
    shutil.copytree(JS, tmp_path / "js")
    (tmp_path / "js" / "example.js").write_text(program, encoding="utf-8")
    assert ftk("kingme", "--players", 3, "--target", "wasm", "--output", tmp_path / "js" / "site").exit_code == 0
    done = subprocess.run(["node", "example.js"], cwd=tmp_path / "js", capture_output=True, text=True)
    assert done.stdout == printed, done.stderr


def position(state: State, values: dict[str, Any]) -> dict[str, Any]:
    """What `trace` of wasm_node.mjs shows of a position."""
    cells = [state.r[value["register"]] for value in values.values()]
    return {
        "asked": [[seat, state.legal_actions(seat)] for seat in state.deciders()],
        "zones": [*state.z],
        "values": [None if cell == NONE else cell for cell in cells],
        "ranking": state.ranking(),
        "scores": state.scores(),
        "returns": state.returns(),
    }
