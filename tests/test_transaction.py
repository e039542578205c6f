"""Files are written whole sets at a time: killed, interrupted, on a full disk, or saved by another program meanwhile.

A sample: `benchmarks/interrupted.py` kills and saves at random.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from interruption import CASES, Bench, Case, preload, river, run, temporary, tree

from rulespec.base import transaction
from rulespec.base.transaction import JOURNAL, Refusal, recover, write

A, B, NEW = "specs/a.yaml", "specs/texts/b.yaml", "specs/new/c.yaml"
BEFORE = {A: b"a\n", B: b"b\n"}
AFTER = {A: b"A\n", NEW: b"C\n"}
"""What a set of files leaves: one changed, one deleted, one in a new folder."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, content in BEFORE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def change() -> None:
    write(AFTER | {B: None}, {}, "rename x y")


def interrupt(monkeypatch: pytest.MonkeyPatch, replaced: int) -> None:
    """Leaves a committed set, as a kill does, of which so many files are replaced."""
    real, left = transaction._Set.replace, [replaced]

    def some(self: transaction._Set, names: object) -> None:
        real(transaction._Set(self.journal, self.folder, "", self.files[: left[0]], ()), names)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    def killed(self: transaction._Set, undo: bool = False) -> str:
        return ""

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(transaction._Set, "replace", some)
        patched.setattr(transaction._Set, "settle", killed)
        change()
    assert Path("specs", JOURNAL).is_file()


@pytest.mark.parametrize("replaced", [0, 1, 2, 3])
def test_a_set_that_was_committed_is_finished(
    replaced: int, here: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    interrupt(monkeypatch, replaced)
    recover(B, at_once=True)
    assert tree(here) == AFTER
    said = "`ftk rename x y` was interrupted while it wrote 3 files in specs. All of them are written now"
    assert [one.getMessage() for one in caplog.records] == [said]


@pytest.mark.parametrize(("replaced", "saved", "left"), [(1, A, AFTER), (1, B, BEFORE), (0, A, BEFORE)])
def test_what_is_saved_after_a_kill_stays(
    replaced: int, saved: str, left: dict[str, bytes], here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the new files if it was one of them, else with the old ones."""
    interrupt(monkeypatch, replaced)
    Path(saved).write_bytes(b"saved\n")
    recover(B, at_once=True)
    assert tree(here) == {**left, saved: b"saved\n"}


def test_a_set_that_cannot_be_finished_is_reported(
    here: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    interrupt(monkeypatch, 1)

    def refused(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", refused)
        patched.setattr(Path, "unlink", refused)
        recover(A, at_once=True)
        with pytest.raises(Refusal, match="rename x y"):
            write({A: b"other\n"}, {})
    assert "It cannot be finished (Read-only file system)" in caplog.text
    recover(A, at_once=True)
    assert tree(here) == AFTER


@pytest.mark.parametrize("path", ["../outside", "/etc/outside", "specs/.git/HEAD", "link/outside"])
def test_a_journal_of_strangers_changes_nothing_elsewhere(path: str, here: Path) -> None:
    (here / "specs" / "link").symlink_to(here)
    (here / "outside").write_bytes(b"old")
    entry = {"path": path, "before": transaction.digest_at(here / "outside"), "after": None, "stem": ".ftk-0"}
    head = {"journal": 1, "command": "x", "files": [entry], "made": []}
    Path("specs", JOURNAL).write_bytes(json.dumps(head).encode() + b"\ncommitted\n")
    recover(A, at_once=True)
    assert (here / "outside").read_bytes() == b"old" and not Path("specs", JOURNAL).exists()


def test_a_file_that_was_saved_is_refused_and_all_stay(here: Path) -> None:
    digest = transaction.digest_at(A)
    Path(A).write_bytes(b"saved\n")
    with pytest.raises(Refusal, match=r"Another program has saved specs/a\.yaml"):
        write(AFTER | {B: None}, {A: [digest]})
    assert tree(here) == {**BEFORE, A: b"saved\n"}


@pytest.mark.parametrize("several", [False, True])
def test_what_is_saved_at_the_last_moment_stays(several: bool, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.replace

    def late(source: Path, target: Path) -> None:
        if source.suffix == ".new":
            target.write_bytes(b"saved\n")
        real(source, target)

    with monkeypatch.context() as patched, pytest.raises(Refusal, match="Another program has saved"):
        patched.setattr(os, "replace", late)
        write({A: b"A\n", **({B: None} if several else {})}, {})
    assert tree(here) == {**BEFORE, A: b"saved\n"}


def test_another_process_that_writes_is_named(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transaction, "WAIT", 0.1)
    with transaction._locked(here / "specs"), pytest.raises(Refusal, match="Another ftk command is writing in specs"):
        change()
    assert tree(here) == BEFORE
    change()
    assert tree(here) == AFTER and not Path("specs/texts/c").exists()


def test_links_and_modes_stay(here: Path) -> None:
    Path(A).chmod(0o640)
    Path("specs/link.yaml").symlink_to("a.yaml")
    write({"specs/link.yaml": b"new\n"}, {})
    assert Path("specs/link.yaml").is_symlink() and Path(A).read_bytes() == b"new\n"
    assert Path(A).stat().st_mode & 0o777 == 0o640


# --- commands ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def benches(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Bench]:
    preload()
    return cache(lambda name: Bench(CASES[name], tmp_path_factory.mktemp("bench") / "case"))


@pytest.mark.slow("runs commands in processes")
@pytest.mark.parametrize("name", ["release", "rename", "upgrade", "new", "describe"])
def test_a_killed_command_leaves_the_files_of_before_or_after(name: str, benches: Callable[[str], Bench]) -> None:
    """At its first call that writes, in the middle of staging and of replacing, and at the last."""
    bench = benches(name)
    for part in (0, 0.4, 0.7, 1):
        folder = bench.killed(bench.writes[int((len(bench.writes) - 1) * part)])
        recover(folder / "specs" / "x", at_once=True)
        assert tree(folder) in (bench.before, bench.after), part


@pytest.mark.slow("runs commands in processes")
@pytest.mark.sample(5)
@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.saves])
def test_what_another_program_saves_meanwhile_stays(name: str, benches: Callable[[str], Bench]) -> None:
    bench = benches(name)
    assert bench.saved(bench.writes[0]) == {"lost": 0, "refused": 1}


@pytest.mark.slow("runs commands in processes")
def test_of_two_renames_at_once_one_is_refused(tmp_path: Path) -> None:
    bench = Bench(Case("rename hand cards_held river --write", river), tmp_path / "case")
    folder = bench.copied()
    other = "rename discard pile river --write"
    first = run(bench.case.line, folder, bench.writes[0], signal.SIGSTOP, lambda: run(other, folder))
    text = (folder / "specs/river.yaml").read_text(encoding="utf-8")
    assert first.status == 3 and "Another program has saved" in first.said
    assert "pile:" in text and "cards_held" not in text


@pytest.mark.slow("runs commands in processes")
@pytest.mark.parametrize("name", ["rename", "describe"])
def test_a_command_that_is_asked_to_end_leaves_nothing(name: str, benches: Callable[[str], Bench]) -> None:
    bench = benches(name)
    for at in (bench.writes[1], bench.writes[-2]):
        folder = bench.copied()
        ended = run(bench.case.line, folder, at, signal.SIGTERM)
        assert ended.status == -signal.SIGTERM and tree(folder) in (bench.before, bench.after)
        assert not temporary(tree(folder))
