"""What was compiled is kept and used again, but only where nobody else could have put it; and the engines without it,
and without llvmlite."""

from __future__ import annotations

import importlib.util
import marshal
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import rulespec
from ftk_cli.main import main
from rulespec.base import store
from rulespec.engine.backend.engines import cache, table
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


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the cache, which is not there yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert cache.folder() == tmp_path / "cache" / "ftk" / "code"
    return cache.folder()


def fail(*_: object) -> Any:
    raise AssertionError("this is kept already")


def cached(key: str, compiled: Callable[[], bytes]) -> bytes:
    return cache.cached(key, compiled, bytes)


def played(engine: str, players: int = 2) -> list[int]:
    state = TINY.game(players, engine=engine).new_initial_state(1)
    state.apply_action(2)
    return state.r[:1] + state.ranking()


# --- Keeping ---------------------------------------------------------------------------------------------------------


def test_what_is_cached_is_not_made_again(here: Path) -> None:
    assert cached("a" * 64, lambda: b"code") == b"code"
    assert cached("a" * 64, fail) == b"code"
    assert cache.read("b" * 64) is None
    assert [path.name for path in here.iterdir()] == ["a" * 64]
    assert here.stat().st_mode & 0o777 == 0o700


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
    assert native.is_cached(setting(TINY.model, 2)) and not native.is_cached(setting(TINY.model, 3))
    assert table.choose("auto", setting(TINY.model, 2), 10, fail) == "native"
    assert table.choose("auto", setting(TINY.model, 3), 10, lambda _: 0.0) == "compiled"
    assert table.choose("auto", setting(TINY.model, 3), table.PAYS_FROM, fail) == "native"


@pytest.mark.parametrize("damage", [b"", b"x", b"x" * 31, b"x" * 32, b"x" * 400])
@pytest.mark.parametrize("engine", ["compiled", pytest.param("native", marks=NATIVE)])
def test_what_is_damaged_is_made_anew(here: Path, engine: str, damage: bytes) -> None:
    first = played(engine)
    for path in here.iterdir():
        content = path.read_bytes()
        path.write_bytes(damage or content[:-40])
        assert played(engine) == first
        assert path.read_bytes() == content
        path.write_bytes(content[:10] + bytes([content[10] ^ 1]) + content[11:])
        assert played(engine) == first
        assert path.read_bytes() == content


def entry(path: Path, content: bytes) -> None:
    """Writes an entry whose digest is right."""
    path.write_bytes(content + store._digest(path.name, content))


MARSHALLED = [marshal.dumps(1), marshal.dumps([1] * 99)[:-7], b"", b"\xe3" * 400, b"[" * 100_000, pickle.dumps([1])]


@pytest.mark.parametrize("content", MARSHALLED)
def test_an_entry_that_is_no_bytecode_is_compiled_again(here: Path, content: bytes) -> None:
    first = played("compiled")
    (path,) = here.iterdir()
    good = path.read_bytes()
    entry(path, content)
    assert played("compiled") == first
    assert path.read_bytes() == good


@NATIVE
@pytest.mark.parametrize("cut", [0, 4, 63, 64, 400, -1])
@pytest.mark.parametrize("start", [b"", b"x" * 400])
def test_an_entry_that_is_no_object_code_is_compiled_again(here: Path, start: bytes, cut: int) -> None:
    first = played("native")
    (path,) = here.iterdir()
    good = path.read_bytes()
    entry(path, start + good[:-32][:cut])
    assert played("native") == first
    assert path.read_bytes() == good


def test_an_entry_under_the_name_of_another_is_compiled_again(here: Path) -> None:
    first = [played("compiled", players) for players in (2, 3)]
    one, other = here.iterdir()
    good = one.read_bytes()
    one.write_bytes(other.read_bytes())
    assert [played("compiled", players) for players in (2, 3)] == first
    assert one.read_bytes() == good


def test_what_fails_to_load_when_it_is_new_is_an_error() -> None:
    def refuse(content: bytes) -> bytes:
        raise ValueError("no code")

    with pytest.raises(ValueError, match="no code"):
        cache.cached("a" * 64, lambda: b"code", refuse)


def linked(path: Path) -> None:
    path.symlink_to(path.with_name("elsewhere"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, linked, lambda path: path.symlink_to("/dev/zero")])
def test_what_is_no_file_is_not_read(here: Path, make: Callable[[Path], None]) -> None:
    cached("a" * 64, lambda: b"code")
    (here / ("a" * 64)).rename(here / "elsewhere")
    make(here / ("a" * 64))
    assert cache.read("a" * 64) is None
    assert cached("a" * 64, lambda: b"code") == b"code"
    assert not [path for path in here.iterdir() if path.name.startswith(".new-")]


def test_a_file_that_is_too_large_is_not_read(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cached("a" * 64, lambda: b"code")
    monkeypatch.setattr(store, "MOST_BYTES", 10)
    assert cache.read("a" * 64) is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owner here")
@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_may_write_is_not_read(here: Path, mode: int) -> None:
    cached("a" * 64, lambda: b"code")
    (here / ("a" * 64)).chmod(mode)
    assert cache.read("a" * 64) is None
    assert cached("a" * 64, lambda: b"code") == b"code"
    assert cache.read("a" * 64) == b"code"  # a new file took its place


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no owner here")
@pytest.mark.parametrize("mode", [0o777, 0o720, 0o702])
def test_a_folder_that_others_may_write_is_not_trusted(here: Path, mode: int) -> None:
    cached("a" * 64, lambda: b"code")
    here.chmod(mode)
    assert cache.read("a" * 64) is None
    assert cached("a" * 64, lambda: b"other") == b"other"
    assert cached("b" * 64, lambda: b"other") == b"other"
    here.chmod(0o700)
    assert cache.read("a" * 64) == b"code" and cache.read("b" * 64) is None


def test_somebody_elses_folder_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    cached("a" * 64, lambda: b"code")
    monkeypatch.setattr(os, "getuid", lambda: 123456, raising=False)
    assert cache.read("a" * 64) is None


@pytest.mark.parametrize("engine", ["compiled", pytest.param("native", marks=NATIVE)])
def test_where_nothing_can_be_written_there_is_no_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    (tmp_path / "file").touch()
    for base in ("/proc/nowhere", str(tmp_path / "file"), str(tmp_path / "file" / "below")):
        monkeypatch.setenv("XDG_CACHE_HOME", base)
        assert played(engine) == [3, 1, 2]


@pytest.mark.parametrize("base", ["", "relative/folder", "."])
def test_a_cache_home_that_is_no_whole_path_does_not_count(monkeypatch: pytest.MonkeyPatch, base: str) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", base)
    assert cache.folder() == Path.home() / ".cache" / "ftk" / "code"


def test_everything_that_matters_is_in_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
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
    before = cache.key(setting(TINY.model, 2))
    monkeypatch.setattr(cache, "compiler_digest", lambda: "another compiler")
    assert cache.key(setting(TINY.model, 2)) != before


def test_records_and_setups_are_kept_apart(here: Path) -> None:
    of = TINY.game(2, engine="compiled")
    of.new_initial_state(1, record=True)
    of.new_initial_state(1, record=False)
    Game(of.setting, setup_only=True, engine="compiled").new_initial_state(1)
    assert len(list(here.iterdir())) == 3


def test_what_was_unused_for_longest_makes_room(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "CODE", store.Store("code", most_entries=3))
    for number in range(3):
        cached(f"{number}" * 64, lambda: b"code")
        os.utime(here / (f"{number}" * 64), (1000 + number, 1000 + number))
    (here / "readme").touch()
    cached("0" * 64, fail)  # used again
    cached("3" * 64, lambda: b"code")
    assert {path.name[:6] for path in here.iterdir()} == {"000000", "222222", "333333", "readme"}


WRITE = """
import sys
from rulespec.engine.backend.engines import cache
for number in range(120):
    name = f"{number % 7:064}"
    assert cache.cached(name, lambda: name.encode() * 500, bytes) == name.encode() * 500
    if number % 5 == 0:
        (cache.folder() / name).unlink(missing_ok=True)
print("done")
"""


def test_several_may_write_at_once(here: Path) -> None:
    running = [
        subprocess.Popen([sys.executable, "-c", WRITE], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    assert [process.communicate(timeout=60) for process in running] == [("done\n", "")] * 2
    assert all(path.name.isdigit() and cache.read(path.name) for path in here.iterdir())


def test_threads_may_write_at_once(here: Path) -> None:
    wrong: list[object] = []

    def work() -> None:
        for number in range(60):
            name = f"{number % 3:064}"
            if cached(name, lambda: b"code" * 100) != b"code" * 100:
                wrong.append(name)
            (here / name).unlink(missing_ok=True)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and not [path for path in here.iterdir() if path.name.startswith(".new-")]


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
    assert '"engine": "compiled"' in result.stdout


@pytest.mark.usefixtures("no_llvmlite")
def test_without_llvmlite_the_library_refuses_in_words() -> None:
    with pytest.raises(ValueError, match=r"^the native engine needs the package llvmlite: pip install"):
        TINY.game(2, engine="native")
    assert TINY.game(2, playouts=10**6).engine == "compiled"
    with pytest.raises(ValueError):
        TINY.game(2, engine="warp")


@NATIVE
@pytest.mark.parametrize(
    ("playouts", "seconds", "engine"),
    [
        (0, 9.0, "compiled"),
        (499, 9.0, "compiled"),
        (600, 0.01, "native"),
        (600, 0.001, "compiled"),
        (5000, 0.0, "native"),
    ],
)
def test_auto_takes_machine_code_where_it_saves_time(playouts: int, seconds: float, engine: str) -> None:
    setting = TINY.game(2).setting
    assert table.choose(table.AUTO, setting, playouts, lambda _: seconds) == engine
