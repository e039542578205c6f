"""What was compiled is kept and used again; and the engines without llvmlite."""

from __future__ import annotations

import importlib.util
import marshal
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import rulespec
from ftk_cli.main import main
from rulespec.base import store
from rulespec.engine.backend.engines import cache, costs, table
from rulespec.engine.backend.forms.python_segments import PythonSegments
from rulespec.engine.states.game import Game, setting

TEXT = """
rulespec: 2
game: {id: tiny, version: 1.0.0, players: 2..3}
values: {n: {type: 0..9, start: 0, title: n}}
rulings: {high: {question: Who wins?, answer: first, or: [last], silent: []}}
play:
  - {choose: {by: seat(1), options: [{says: "take {k}", pick: {k: 1..3}, do: {set: {n: k}}}]}}
  - {id: end, rank: {among: {p: player}, by: [{low: "high == first ? seat_of(p) : 9 - seat_of(p)"}], left: share}}
"""
TINY = rulespec.loads(TEXT)
NATIVE = pytest.mark.skipif(bool(table.ENGINES["native"].missing), reason="llvmlite is not installed")


@pytest.fixture(autouse=True, scope="module")
def _once() -> None:
    """Compiles what a process compiles once for all games."""
    if not table.ENGINES["native"].missing:
        played("native")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of what is kept, which is not there yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return store.folder()


def fail(*_: object) -> Any:
    raise AssertionError("this is kept already")


def entries(here: Path) -> list[str]:
    """The keys of compiled code."""
    return [path.name.removeprefix("code-") for path in here.glob("code-*")]


def played(engine: str, players: int = 2) -> list[int]:
    state = TINY.game(players, engine=engine).new_initial_state(1)
    state.apply_action(2)
    return [state.r[0], *state.ranking()]


# --- Keeping ---------------------------------------------------------------------------------------------------------


def test_steps_are_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = played("compiled")
    monkeypatch.setattr(PythonSegments, "source", fail)
    assert played("compiled") == first == [3, 1, 2]
    with pytest.raises(AssertionError, match="kept already"):
        played("compiled", players=3)


@NATIVE
def test_machine_code_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulespec.engine.backend.engines import native
    from rulespec.engine.states.playout import playouts

    first, block = played("native"), playouts(TINY.game(2, engine="native"), 1, range(9))
    monkeypatch.setattr(native, "compiled", fail)
    assert played("native") == first == played("interpreter")
    assert playouts(TINY.game(2, engine="native"), 1, range(9)) == block
    assert [cache.has_native(setting(TINY.model, players), *cache.GAMES) for players in (2, 3)] == [True, False]


NO_BYTECODE = [marshal.dumps(1), marshal.dumps([1] * 99)[:-7], b"", b"\xe3" * 400, b"[" * 100_000, pickle.dumps([1]), 7]


@pytest.mark.parametrize("content", NO_BYTECODE)
def test_an_entry_that_is_no_bytecode_is_compiled_again(here: Path, content: object) -> None:
    is_compiled_again(here, "compiled", lambda good: content)


@NATIVE
@pytest.mark.parametrize("cut", [0, 4, 63, 64, 400, -1])
@pytest.mark.parametrize("start", [b"", b"x" * 400])
def test_an_entry_that_is_no_object_code_is_compiled_again(here: Path, start: bytes, cut: int) -> None:
    is_compiled_again(here, "native", lambda good: start + good[:cut])


def is_compiled_again(here: Path, engine: str, spoilt: Callable[[bytes], object]) -> None:
    first = played(engine)
    (key,) = entries(here)
    good = store.get("code", key)
    store.put("code", key, spoilt(good))
    assert played(engine) == first
    assert store.get("code", key) == good


def test_what_fails_to_load_when_it_is_new_is_an_error() -> None:
    def refuse(content: bytes) -> bytes:
        raise ValueError("no code")

    with pytest.raises(ValueError, match="no code"):
        cache.cached("a" * 64, lambda: b"code", refuse)


def test_everything_that_matters_is_in_the_name() -> None:
    other = rulespec.loads(TEXT.replace("1..3}, do", "1..4}, do"))
    names = [
        cache.key(setting(spec.model, players, {"high": answer}), "steps", record)
        for spec in (TINY, other)
        for players in (2, 3)
        for answer in ("first", "last")
        for record in ("True", "False")
    ]
    assert len(set(names)) == len(names) == 16
    same = rulespec.loads(TEXT)
    assert cache.key(setting(same.model, 2), "steps") == cache.key(setting(TINY.model, 2), "steps")


def test_records_and_setups_are_kept_apart(here: Path) -> None:
    of = TINY.game(2, engine="compiled")
    of.new_initial_state(1, record=True)
    of.new_initial_state(1, record=False)
    Game(of.setting, setup_only=True, engine="compiled").new_initial_state(1)
    assert len(entries(here)) == 3


# --- Without llvmlite ------------------------------------------------------------------------------------------------


@pytest.fixture
def no_llvmlite(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(table, "find_spec", lambda name, *more: None if name == "llvmlite" else find(name, *more))
    for name in [name for name in sys.modules if name.split(".")[0] == "llvmlite"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "llvmlite", None)


def simulate(folder: Path, games: int, engine: str) -> Result:
    path = folder / "tiny.yaml"
    path.write_text(TEXT, encoding="utf-8")
    words = ["simulate", str(path), "--games", str(games), "--engine", engine, "--workers", "1", "--format", "json"]
    return CliRunner().invoke(main, words, catch_exceptions=False)


@pytest.mark.usefixtures("no_llvmlite")
def test_without_llvmlite_compiled_python_plays_and_says_so(tmp_path: Path) -> None:
    result = simulate(tmp_path, 20, "native")
    assert (result.exit_code, result.stderr.count("\n")) == (0, 1)
    assert result.stderr == (
        "The native engine needs the package llvmlite: pip install 'ftk[native]'. Compiled Python plays instead.\n"
    )
    assert '"engine": "compiled"' in result.stdout


@pytest.mark.usefixtures("no_llvmlite")
def test_without_llvmlite_nobody_misses_it_who_did_not_ask(tmp_path: Path) -> None:
    result = simulate(tmp_path, 6000, "auto")
    assert (result.exit_code, result.stderr) == (0, "")
    assert '"engine": "native"' not in result.stdout


@pytest.mark.usefixtures("no_llvmlite")
def test_without_llvmlite_the_library_refuses_in_words() -> None:
    with pytest.raises(ValueError, match=r"^the native engine needs the package llvmlite: pip install"):
        TINY.game(2, engine="native")
    assert set(costs.starts(TINY.game(2).program)) == {"interpreter", "compiled"}
    with pytest.raises(ValueError):
        TINY.game(2, engine="warp")
