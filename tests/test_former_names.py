"""Former names: logs of older versions replay where only names have changed, and `ftk diff` knows the names."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from command import ftk
from labelled_edits import built, text_of

from rulespec.base.source import Source
from rulespec.language.model.renamed import renamed_since
from rulespec.versions.changes.compare import compare

RENAMES = (
    ("flight.worm", "flight.eat", "rule"),
    ("kind.ring", "band", "member"),
    ("kind.band", "hoop", "member"),
    ("kind", "sort", "enum"),
    ("nest", "home", "zone"),
    ("fed", "eaten", "value"),
    ("shine", "gleam", "field"),
    ("level", "alike", "ruling"),
    ("alike.fewer_things", "fewer", "answer"),
    ("flight", "flights", "rule"),
)
"""Renames one after the other: a member twice, and then its enum; a ruling and then the answer that is taken."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with crows after all renames, before them, and a log of the game before them."""
    folder = tmp_path_factory.mktemp("renamed")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name in ("old.yaml", "crows.yaml"):
            Path(name).write_text(text_of("crows"), encoding="utf-8")
        assert ftk("play", "old.yaml", "--people", "none", "--seed", "2", "--log", "game.jsonl").exit_code == 0
        for old, new, kind in RENAMES:
            run = ftk("rename", old, new, "crows.yaml", "--kind", kind, "--write", "-q")
            assert run.exit_code == 0, run.stderr
    return folder


@pytest.fixture
def renamed(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the renamed game; its folder is the current directory."""
    shutil.copytree(made, tmp_path / "made")
    monkeypatch.chdir(tmp_path / "made")
    return Path("crows.yaml")


def test_a_log_replays_after_renames(renamed: Path) -> None:
    run = ftk("replay", "game.jsonl", "--spec", "crows.yaml")
    assert run.exit_code == 0 and "every line agrees with Crows 1.0.0" in run.stdout, run.output
    assert ftk("check", "crows.yaml").exit_code == 0


def test_the_spec_lists_the_present_name_of_each_former_one(renamed: Path) -> None:
    names = renamed_since(built(Source("crows.yaml", renamed.read_text("utf-8"))), "1.0.0").names
    assert names == {
        ("rule", "flight.worm"): "flight.eat",
        ("member", "kind.ring"): "sort.hoop",
        ("enum", "kind"): "sort",
        ("zone", "nest"): "home",
        ("value", "fed"): "eaten",
        ("field", "shine"): "gleam",
        ("ruling", "level"): "alike",
        ("member", "level.fewer_things"): "alike.fewer",
        ("rule", "flight"): "flights",
    }


def test_without_the_entries_the_log_does_not_replay(renamed: Path) -> None:
    text = renamed.read_text("utf-8")
    renamed.write_text(text[: text.index("renamed:")], encoding="utf-8")
    assert ftk("replay", "game.jsonl", "--spec", "crows.yaml").exit_code == 3  # its ruling is unknown
    head, _, rest = Path("game.jsonl").read_text("utf-8").partition("\n")
    head = head.replace('{"level": "fewer_things"}', '{"alike": "fewer"}')
    Path("game.jsonl").write_text(f"{head}\n{rest}", encoding="utf-8")
    assert ftk("replay", "game.jsonl", "--spec", "crows.yaml").exit_code == 1


def test_a_log_of_a_later_version_does_not_have_the_former_names(renamed: Path) -> None:
    text = renamed.read_text("utf-8").replace("version: 1.0.0", "version: 1.0.1")
    renamed.write_text(text, encoding="utf-8")
    log = Path("game.jsonl")
    assert ftk("replay", "game.jsonl", "--spec", "crows.yaml").exit_code == 0
    log.write_text(log.read_text("utf-8").replace('"version": "1.0.0"', '"version": "1.0.1"'), encoding="utf-8")
    assert ftk("replay", "game.jsonl", "--spec", "crows.yaml").exit_code == 3


@pytest.mark.parametrize(
    ("old", "new"),
    [('"nest[1]"', '"grass"'), ("ring 4", "button 3"), ("nest[1]", "nest[2]"), ("flight.keep", "flight")],
)
def test_a_log_that_says_anything_else_still_differs(renamed: Path, old: str, new: str) -> None:
    log = Path("game.jsonl")
    text = log.read_text("utf-8")
    assert old in text
    log.write_text(text.replace(old, new), encoding="utf-8")
    assert ftk("replay", "game.jsonl", "--spec", "crows.yaml").exit_code == 1


def test_diff_knows_a_listed_name_whose_content_has_changed() -> None:
    text = text_of("crows")
    changed = text.replace("beak", "bill").replace(
        "bill:  {per: player, seen_by: owner", "bill:  {per: player, seen_by: everybody"
    )
    changed = changed.replace("title: bill", "title: the bill")
    kinds = {one.kind for one in compare(built(Source("a", text)), built(Source("b", changed))).every}
    assert "zone-renamed" not in kinds and "zone-added" in kinds
    listed = f"{changed}\nrenamed: {{1.0.0: {{zone: {{beak: bill}}}}}}\n"
    kinds = {one.kind for one in compare(built(Source("a", text)), built(Source("b", listed))).every}
    assert "zone-renamed" in kinds and "zone-added" not in kinds


def test_a_rename_can_be_left_out_of_the_spec(renamed: Path) -> None:
    before = renamed.read_text("utf-8")
    assert ftk("rename", "beak", "bill", "crows.yaml", "--no-record", "--write").exit_code == 0
    assert renamed.read_text("utf-8") == before.replace("beak", "bill").replace("title: bill", "title: beak")


@pytest.mark.parametrize(
    ("section", "wanted"),
    [
        ("renamed:\n  1.0.0: {zone: {heap: path}}\n", "renamed:\n  1.0.0: {zone: {heap: path, nest: home}}\n"),
        (
            "renamed:\n  1.0.0:\n    rule: {a: flight}  # was a\n",
            "  1.0.0:\n    rule: {a: flight}  # was a\n    zone: {nest: home}\n",
        ),
        (
            "renamed: {0.9.0: {zone: {heap: nest}}}\n",
            "renamed: {0.9.0: {zone: {heap: home}}, 1.0.0: {zone: {nest: home}}}\n",
        ),
        ("renamed:\n  1.0.0:\n    zone:\n      nest: nest\n", "renamed:\n  1.0.0:\n    zone:\n      nest: home\n"),
        ("renamed:\n  0.9.0: {zone: {heap: nest}}", "  0.9.0: {zone: {heap: home}}\n  1.0.0: {zone: {nest: home}}\n"),
    ],
)
def test_an_entry_takes_the_layout_of_the_section(renamed: Path, section: str, wanted: str) -> None:
    renamed.write_text(f"{text_of('crows').rstrip()}\n{section}", encoding="utf-8")
    run = ftk("rename", "nest", "home", "crows.yaml", "--write")
    assert run.exit_code == 0, run.stderr
    assert renamed.read_text("utf-8").endswith(wanted)
    assert ftk("check", "crows.yaml").exit_code == 0


def test_a_log_whose_draws_were_named_by_rules_is_refused_with_the_reason(renamed: Path) -> None:
    log = Path("game.jsonl")
    log.write_text(log.read_text("utf-8").replace('"seed":', '"chance": {"named": []}, "seed":', 1), encoding="utf-8")
    run = ftk("replay", "game.jsonl", "--spec", "crows.yaml")
    assert run.exit_code == 1 and "game.jsonl:1: this log of `ftk diff --play` drew in a way" in run.stderr
