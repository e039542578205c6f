"""Values that are kept on disk: what is damaged, foreign or out of reach is as good as not there, never executed."""

from __future__ import annotations

import errno
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rulespec.base import store

KEY, OTHER = "a" * 64, "b" * 64
VALUE = {"text": "a value", "numbers": (1, 2)}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of what is kept, which is not there yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return store.folder()


def kept(key: str = KEY, kind: str = "some") -> object:
    """The entry of a key as another process finds it."""
    store._secret.cache_clear()
    return store.get(kind, key)


def fail() -> object:
    raise AssertionError("this is kept already")


def test_what_is_kept_is_not_computed_again(here: Path) -> None:
    assert kept() is None
    assert store.cached("some", KEY, lambda: VALUE) == VALUE == store.cached("some", KEY, fail) == kept()
    assert kept(OTHER) is None is kept(KEY, "other")
    assert {path.name for path in here.iterdir()} == {"secret", f"some-{KEY}"}
    assert here.stat().st_mode & 0o777 == 0o700 and (here / "secret").stat().st_mode & 0o777 == 0o600


class Harm:
    """A value whose pickle does harm when it is loaded."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return pytest.fail, ("a foreign pickle was loaded",)


HARM = pickle.dumps(Harm())
DAMAGED: dict[str, Callable[[Path, bytes], object]] = {
    "empty": lambda path, good: path.write_bytes(b""),
    "cut at its end": lambda path, good: path.write_bytes(good[:-1]),
    "longer": lambda path, good: path.write_bytes(good + b"\n"),
    "one bit of the digest": lambda path, good: path.write_bytes(bytes([good[0] ^ 1]) + good[1:]),
    "one bit of the value": lambda path, good: path.write_bytes(good[:-3] + bytes([good[-3] ^ 1]) + good[-2:]),
    "the entry of another key": lambda path, good: path.with_name(f"some-{OTHER}").replace(path),
    "the entry of another kind": lambda path, good: path.with_name(f"other-{KEY}").replace(path),
    "a foreign pickle": lambda path, good: path.write_bytes(store._digest(b"x" * 32, "some", KEY, HARM) + HARM),
    "a link": lambda path, good: path.symlink_to(path.rename(path.with_name("elsewhere"))),
    "a device": lambda path, good: (path.unlink(), path.symlink_to("/dev/zero")),
    "a folder": lambda path, good: (path.unlink(), path.mkdir()),
    "a pipe": lambda path, good: (path.unlink(), os.mkfifo(path)),
    "a file that the group may write": lambda path, good: path.chmod(0o620),
    "a file that others may write": lambda path, good: path.chmod(0o602),
    "a folder that others may write": lambda path, good: path.parent.chmod(0o702),
    "no secret": lambda path, good: path.with_name("secret").unlink(),
    "another secret": lambda path, good: path.with_name("secret").write_bytes(b"x" * 32),
    "a damaged secret": lambda path, good: path.with_name("secret").write_bytes(b"x"),
    "a secret that others may write": lambda path, good: path.with_name("secret").chmod(0o602),
}
FOR_GOOD = ("a folder", "a folder that others may write")


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owner here")
@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_entry_is_as_good_as_none(here: Path, name: str) -> None:
    for kind, key in (("some", KEY), ("some", OTHER), ("other", KEY)):
        store.put(kind, key, (kind, key))
    path = here / f"some-{KEY}"
    DAMAGED[name](path, path.read_bytes())
    assert kept() is None
    before = set(here.iterdir())
    store.put("some", KEY, VALUE)
    assert kept() == (None if name in FOR_GOOD else VALUE)
    assert name not in FOR_GOOD or before == set(here.iterdir())
    assert not list(here.glob("new-*"))


def test_an_entry_of_another_user_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    store.put("some", KEY, VALUE)
    monkeypatch.setattr(os, "getuid", lambda: 123456, raising=False)
    assert store.get("some", KEY) is None is kept()


def test_a_value_that_cannot_be_loaded_any_more_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "Gone", type("Gone", (), {"__module__": __name__}), raising=False)
    store.put("some", KEY, sys.modules[__name__].Gone())  # type: ignore[attr-defined]
    monkeypatch.undo()
    assert kept() is None


@pytest.mark.parametrize("base", ["/proc/nowhere", "{}/file", "{}/file/below"])
def test_where_there_is_no_folder_nothing_is_kept(base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", base.format(tmp_path))
    assert store.cached("some", KEY, lambda: VALUE) == VALUE
    assert kept() is None


@pytest.mark.parametrize("base", ["", "relative/folder", "."])
def test_a_cache_home_that_is_no_whole_path_does_not_count(monkeypatch: pytest.MonkeyPatch, base: str) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", base)
    assert store.folder() == Path.home() / ".cache" / "ftk"


@pytest.mark.parametrize("call", ["open", "replace"])
@pytest.mark.parametrize("error", [errno.EROFS, errno.ENOSPC, errno.EACCES])
def test_where_nothing_can_be_written_entries_are_still_read(
    here: Path, monkeypatch: pytest.MonkeyPatch, call: str, error: int
) -> None:
    store.put("some", KEY, VALUE)
    done = getattr(os, call)

    def refusing(path: str, flags: object, *more: object) -> object:
        if call == "open" and flags == store._READ:
            return done(path, flags, *more)
        raise OSError(error, os.strerror(error), path)

    with monkeypatch.context() as patch:
        patch.setattr(os, call, refusing)
        assert store.cached("some", OTHER, lambda: "another") == "another"
        assert kept() == VALUE
    assert kept(OTHER) is None and not list(here.glob("new-*"))


def test_an_interrupt_leaves_no_unfinished_file(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.put("some", KEY, VALUE)
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        store.put("some", OTHER, VALUE)
    assert not list(here.glob("new-*"))


def test_what_was_unused_for_longest_makes_room(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    days = {"1": 1, "2": 2, "3": 3, "4": 29, "5": 31}
    for digit, ago in days.items():
        store.put("some", digit * 64, b"x" * 1000)
        os.utime(here / f"some-{digit * 64}", (time.time() - ago * 86400,) * 2)
    (here / "readme").touch()
    os.utime(here / "readme", (0, 0))
    for most, left in ((9000, "1234"), (3500, "124")):
        kept("4" * 64)  # used again
        monkeypatch.setattr(store, "MOST_BYTES", most)
        monkeypatch.setattr(store, "_SWEPT", 1)
        store.put("some", "1" * 64, b"x" * 1000)
        assert {path.name[5] for path in here.glob("some-*")} == set(left)
    assert (here / "readme").exists() and (here / "secret").exists()


def test_a_key_is_of_the_texts_the_code_and_what_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a_library-1.0.dist-info").mkdir()
    texts = [("a", "bc"), ("ab", "c"), ("bc", "a"), ("a", "bc", "")]
    keys = [*(store.key(*some, code=("base",)) for some in texts), store.key("a", "bc"), store.key("a", "bc", code=())]
    for change in (
        lambda patch: patch.setattr(sys, "version", "4.0"),
        lambda patch: patch.setattr(sys, "path", [*sys.path, str(tmp_path)]),
        lambda patch: patch.setattr(store, "_CODE", (".py",)),
    ):
        with monkeypatch.context() as patch:
            change(patch)
            store._tool.cache_clear()
            keys.append(store.key("a", "bc", code=("base",)))
    store._tool.cache_clear()
    assert len(set(keys)) == len(keys) and store.key("a", "bc", code=("base",)) == keys[0]


WORK = """
from rulespec.base import store
for number in range(120):
    key = f"{number % 7:064}"
    assert store.cached("some", key, lambda: key * 500) == key * 500
    if number % 5 == 0:
        (store.folder() / f"some-{key}").unlink(missing_ok=True)
    if number % 50 == 0:
        (store.folder() / "secret").unlink(missing_ok=True)
        store._secret.cache_clear()
print("done")
"""


def test_several_may_write_at_once(here: Path) -> None:
    command = [sys.executable, "-c", WORK]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    assert [process.communicate(timeout=60) for process in running] == [("done\n", "")] * 3
    assert not list(here.glob("new-*"))
