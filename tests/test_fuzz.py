"""Nothing that a file holds makes a reader raise: what the fuzzer found, and a short run of it."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from command import ftk
from fuzzing.readers import READERS, project
from fuzzing.run import failing, fuzz, mutant, shrunk
from fuzzing.seeded_bugs import BUGS, Bug, found_after, seeded

import rulespec

pytestmark = pytest.mark.slow("reads files of every kind many times")

MUTANTS = 6
"""Mutants of each reader: all take a few seconds. `benchmarks/fuzz.py` runs more."""
STALL = Path(__file__).parent / "bad" / "text" / "stall"


@pytest.fixture
def stall(tmp_path: Path) -> Path:
    """A project with one small game and its texts in four languages."""
    return Path(shutil.copytree(STALL, tmp_path / "specs"))


def change(path: Path, old: str, new: str) -> None:
    before = path.read_text("utf-8")
    assert old in before
    path.write_text(before.replace(old, new), "utf-8")


@pytest.mark.parametrize("word", ["foo", "3", "[a]", "{a: b}", "", '"limit "'])
def test_an_unknown_number_of_a_rule_is_one_finding(stall: Path, word: str) -> None:
    change(stall / "stall.yaml", "{its: amount, of: card}, {terms: [hand]}", f"{{its: {word}, of: card}}")
    assert [found.name for found in rulespec.check(stall / "stall.yaml").findings] == ["not-allowed"]


def test_a_term_that_the_glossary_lacks_is_no_crash(stall: Path) -> None:
    change(stall / "stall.yaml", "{terms: [basket]}", "{terms: [hamper]}")
    for text in sorted((stall / "translations").rglob("*.yaml")):
        assert rulespec.check(text).ok
    assert "hamper" in str(rulespec.check(stall / "glossaries" / "stall.yaml").findings)


# What the fuzzer found: a reader, a part of its last sample, b"" for all of it, and what stands there in a mutant.
FOUND = [
    ("run", b'"rows": null', b'"rows": ["least", 5]'),
    ("run", b'"rows": null', b'"rows": {"a": 1}'),
    ("spec", b"", b'{game, play: {each: {a: 1"}, do: {secret: {who: {p: p}, options}}}}'),
    ("looks", b"", b"{looks: 1, game: stall, members: {.: {g: {icon: k}}}}"),
]


@pytest.mark.parametrize(("reader", "old", "new"), FOUND)
def test_mutants_that_failed_once_are_read(reader: str, old: bytes, new: bytes) -> None:
    samples = [sample for sample in READERS[reader].samples(project()) if old in sample]
    data = samples[-1].replace(old, new) if old else new
    assert failing(reader, data) is None and failing(reader, data + b" ") is None


def test_names_longer_than_those_of_files_are_findings(tmp_path: Path) -> None:
    for number, reader in enumerate(set(READERS) - {"cards", "baseline", "run", "raw", "spec"}):
        for sample in READERS[reader].samples(project()):
            (tmp_path / f"{number}.yaml").write_bytes(re.sub(rb"\b(stall|chandlery)\b", b"a" * 300, sample))
            result = ftk("check", str(tmp_path / f"{number}.yaml"))
            assert result.exit_code in (0, 1) and "Internal error" not in result.output, reader
            break


def test_every_kind_of_file_is_fuzzed() -> None:
    assert set(rulespec.FILE_KINDS) <= set(READERS)


@pytest.mark.parametrize("reader", READERS)
def test_mutants_of_every_format_are_read(reader: str) -> None:
    result = fuzz(reader, range(MUTANTS), seed=1)
    assert {where: failure.trace for where, (_, _, failure) in result.failures.items()} == {}
    assert result.mutants == MUTANTS


def test_samples_are_read_without_changes() -> None:
    for reader, row in READERS.items():
        assert failing(reader, next(row.samples(project()))) is None


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_bug_fits_its_function(bug: Bug) -> None:
    with seeded(bug):
        pass


@pytest.mark.parametrize(
    "bug", [bug for bug in BUGS if bug.reader in ("deck", "translation", "csv")], ids=lambda bug: bug.name
)
@pytest.mark.soak
def test_bugs_are_found_and_shrunk(bug: Bug) -> None:
    number = found_after(bug, 40)
    assert number is not None
    with seeded(bug):
        one = mutant(bug.reader, number, 0)
        failure = failing(bug.reader, one.data)
        assert failure is not None
        small = shrunk(bug.reader, one, failure, seconds=3)
        again = failing(bug.reader, small)
        assert again is not None and again.where == failure.where and len(small) < len(one.data)
    assert failing(bug.reader, small) is None


def test_endless_reading_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(project: object, data: bytes) -> None:
        while True:
            pass

    monkeypatch.setitem(READERS, "deck", replace(READERS["deck"], read=never))
    failure = failing("deck", b"", limit=0.1)
    assert failure is not None and failure.where.startswith("TooSlow")
