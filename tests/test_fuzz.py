"""Nothing that a file holds makes a reader raise: what the fuzzer found, and a short run of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import rulespec

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
