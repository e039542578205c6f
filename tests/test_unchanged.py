"""Findings of files are used again while nothing that they depend on has changed, and only then."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from high_card import SPEC
from test_project import write_games

import rulespec
from rulespec.base import store
from rulespec.base.source import Source, read
from rulespec.editing import batch, unchanged
from rulespec.editing.batch import Checked
from rulespec.versions.earlier import Earlier

SCENARIO = """
scenario: 2
game: high_card
title: Cases
cases:
  - {id: one, title: One, players: 2, seed: 1}
"""


@pytest.fixture
def specs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a spec, a glossary, a text and scenarios, and an empty folder for what is kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = write_games(tmp_path / "specs", "high_card")
    (folder / "scenarios/high_card").mkdir(parents=True, exist_ok=True)
    (folder / "scenarios/high_card/cases.yaml").write_text(SCENARIO, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return folder


def sources(specs: Path) -> list[Source]:
    paths = sorted(path for path in specs.rglob("*.yaml"))
    return [source for path in paths if (source := read(path)[0]) is not None]


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were really checked."""
    names: list[str] = []
    check_unit = batch._check_unit

    def noting(unit: unchanged.Unit, options: rulespec.editing.file_kinds.Options) -> unchanged.Found:
        names.extend(Path(source.path).name for source in unit.sources)
        return check_unit(unit, options)

    monkeypatch.setattr(batch, "_check_unit", noting)
    return names


def test_what_has_not_changed_is_not_checked_again(specs: Path, checked: list[str]) -> None:
    first = rulespec.check_all(sources(specs))
    assert set(checked) == {path.name for path in specs.rglob("*.yaml")}
    checked.clear()
    assert rulespec.check_all(sources(specs)) == first
    assert not checked


def longer(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")


def appearing(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("overlay: 2\n", encoding="utf-8")


DEPENDS = {
    "high_card.yaml": {"high_card.yaml", "en.yaml", "cases.yaml", "end.yaml"},
    "glossaries/high_card.yaml": {"high_card.yaml", "en.yaml"},
    "translations/high_card/en.yaml": {"en.yaml"},
    "scenarios/high_card/cases.yaml": {"high_card.yaml", "en.yaml", "cases.yaml", "end.yaml"},
}
"""Each file of a game, and the files that are checked again when it changes. The spec alone depends on itself only, but
its name is also that of the glossary. Scenarios and the glossary read no texts."""


@pytest.mark.parametrize("name", DEPENDS)
def test_everything_about_a_game_is_checked_again(specs: Path, checked: list[str], name: str) -> None:
    rulespec.check_all(sources(specs))
    checked.clear()
    longer(specs / name)
    rulespec.check_all(sources(specs))
    assert DEPENDS[name] == set(checked)
    # The spec and the glossary, the glossary alone, or neither.
    assert checked.count("high_card.yaml") == {"high_card.yaml": 2, "translations/high_card/en.yaml": 0}.get(name, 1)


def test_a_spec_is_compared_once_with_a_version_that_players_have(specs: Path, checked: list[str]) -> None:
    (spec,) = (source for source in sources(specs) if source.path.endswith("specs/high_card.yaml"))
    old = Source("old.yaml", spec.text.replace("copies: 4", "copies: 3"))
    for number in (2, 0):  # once for itself, and once beside the other version
        checked.clear()
        report = rulespec.check_all([spec], earlier={spec.path: [Earlier("v1", "", old)]}).report
        assert [one.name for one in report.findings] == ["version-not-raised"]
        assert len(checked) == number
    same = Source("old.yaml", spec.text)
    for number, text in ((1, spec.text), (2, spec.text + "# a remark\n")):
        checked.clear()
        rulespec.check_all([Source(spec.path, text)], earlier={spec.path: [Earlier("v1", "", same)]})
        assert len(checked) == number


def test_a_file_that_appears_changes_what_is_known(specs: Path, checked: list[str]) -> None:
    rulespec.check_all(sources(specs))
    before = sources(specs)
    checked.clear()
    appearing(specs / "variants/high_card/mine.yaml")
    rulespec.check_all(before)
    assert "en.yaml" in checked


@pytest.mark.parametrize(
    "change",
    [
        lambda patch, tmp: patch.chdir(tmp / "specs"),
        lambda patch, tmp: patch.setattr(store, "_tool", lambda code: "another tool"),
    ],
    ids=["another directory", "another version of the tool"],
)
def test_another_surrounding_is_another_key(
    specs: Path, checked: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, change: Callable[..., None]
) -> None:
    known = sources(specs)
    rulespec.check_all(known)
    checked.clear()
    change(monkeypatch, tmp_path)
    rulespec.check_all(known)
    assert len(checked) == len(known)


def test_findings_of_a_file_that_was_edited_meanwhile_are_not_kept(
    specs: Path, checked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    known, check_unit = sources(specs), batch._check_unit

    def edited(unit: unchanged.Unit, options: rulespec.editing.file_kinds.Options) -> unchanged.Found:
        found = check_unit(unit, options)
        longer(specs / "glossaries/high_card.yaml")
        return found

    monkeypatch.setattr(batch, "_check_unit", edited)
    rulespec.check_all(known)
    monkeypatch.setattr(batch, "_check_unit", check_unit)
    (specs / "glossaries/high_card.yaml").write_text(
        next(one.text for one in known if one.path.endswith("glossaries/high_card.yaml")), encoding="utf-8"
    )
    checked.clear()
    rulespec.check_all(known)
    assert "en.yaml" in checked


def test_a_deleted_current_directory_is_no_error(specs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = [Source(str(specs / "high_card.yaml"), SPEC)]
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert rulespec.check_all(known).report.ok


DRAWING = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>'


@pytest.fixture
def every(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a file of every kind: those of the museum, a list of cards, a picture and a template."""
    for game in ("river", "stakes", "brook"):
        shutil.copytree(Path(__file__).parent / "formats" / game / "before", tmp_path, dirs_exist_ok=True)
    cards = "".join(f"{suit},{value},3\n" for suit in ("sun", "moon") for value in range(1, 7))
    for name, old, new in (
        ("brook.yaml", "manifest:\n    - {suit: [sun, moon], value: 1..6, copies: 3}", "from: cards.csv"),
        ("looks/brook.yaml", "zones:", "card: card.svg.j2\nzones:"),
        ("looks/brook.yaml", "symbol", "picture: sun.svg, symbol"),
        ("cards.csv", "", f"suit,value,copies\n{cards}"),
        ("looks/sun.svg", "", DRAWING),
        ("looks/card.svg.j2", "", '<rect width="63" height="88"/><text x="3" y="9">{{ card.title }}</text>'),
    ):
        path = tmp_path / "specs" / name
        path.write_text((path.read_text(encoding="utf-8") if old else "").replace(old, new, 1), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def all_found(folder: Path, cache: str, monkeypatch: pytest.MonkeyPatch) -> Checked:
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / cache))
    paths = sorted([*folder.glob("games/*"), *folder.glob("specs/**/*.yaml"), folder / "my_cards.yaml"])
    return rulespec.check_all(one for path in paths if (one := read(str(path.relative_to(folder)))[0]) is not None)


_OPENED: list[set[str]] = []


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and _OPENED:
        _OPENED[-1].add(os.path.abspath(str(arguments[0])))


@pytest.mark.slow("checks a project with files of every kind")
def test_everything_that_a_check_reads_is_in_its_key(every: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keyed: set[str] = set()
    digest = unchanged.Kept._digest
    monkeypatch.setattr(unchanged.Kept, "_digest", lambda self, path: keyed.add(str(path)) or digest(self, path))
    sys.addaudithook(_note)  # for ever, so it notes nothing but here
    check_unit = batch._check_unit

    def noting(unit: unchanged.Unit, options: rulespec.editing.file_kinds.Options) -> unchanged.Found:
        _OPENED[:] = [set()] if unit.kind != "language" else []
        found = check_unit(unit, options)
        opened.update(_OPENED.pop() if _OPENED else ())
        keyed.update(os.path.abspath(source.path) for source in unit.sources)
        return found

    opened: set[str] = set()
    monkeypatch.setattr(batch, "_check_unit", noting)
    all_found(every, "cache", monkeypatch)
    own = {one for one in opened if one.startswith(str(every / "specs"))}
    assert str(every / "specs/looks/sun.svg") in own and own <= keyed


@pytest.mark.slow("checks a project with files of every kind")
@pytest.mark.parametrize("name", ["looks/sun.svg", "looks/card.svg.j2", "cards.csv"])
def test_a_file_that_others_name_is_looked_at_again(every: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = all_found(every, "cache", monkeypatch).report
    path = every / "specs" / name
    for number, change in enumerate((lambda: path.write_text(DRAWING.replace("path", "script")), path.unlink)):
        change()
        found = all_found(every, "cache", monkeypatch)
        assert found == all_found(every, f"cache{number}", monkeypatch) and found.report != first


def test_findings_are_the_same_from_several_processes(specs: Path) -> None:
    bad = specs / "translations/high_card/en.yaml"
    bad.write_text(bad.read_text(encoding="utf-8").replace("high_card", "hihg_card"), encoding="utf-8")
    steps: list[int] = []
    known = sources(specs)
    several = rulespec.check_all(known, workers=2, progress=steps.append)
    assert several == rulespec.check_all(known)
    assert not several.report.ok and sum(steps) == len(known)


def test_a_deck_given_by_its_path_is_read_every_time(specs: Path, checked: list[str]) -> None:
    deck = specs / "deck.yaml"
    deck.write_text("deck: 1\ngame: high_card\nreplaces: {value: 13}\ncards: [{copies: 4}]\n", encoding="utf-8")
    spec = [source for source in sources(specs) if source.text == SPEC]
    for _ in range(2):
        rulespec.check_all(spec, deck=str(deck))
    assert checked == ["high_card.yaml"] * 2
