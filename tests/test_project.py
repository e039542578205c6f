"""Which files a command reads and writes: a path as given, the nearest `specs/` upward, the packaged games."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from command import ftk
from high_card import SPEC

import rulespec
from rulespec.base import project

pytestmark = pytest.mark.slow("checks a game with its texts for each command")

TEXTS = {
    "translations/high_card/en.yaml": """translation: 3
game: high_card
lang: en
title: High card
rules:
  setup: {title: Shuffle, text: Shuffle the cards.}
  deal: {title: Draw a card, text: Each player draws one card.}
  swap: {title: Keep or swap, text: 'In turn, keep your card or swap it.'}
  end: {title: The highest card wins, text: The highest card wins.}
rulings: {tied: {text: All tied players win.}}
""",
    "glossaries/high_card.yaml": """glossary: 1
game: high_card
concepts:
  card: {en: {preferred: card}}
  deck: {names: deck, en: {preferred: deck}}
  hand: {names: hand, en: {preferred: hand}}
  discard: {names: discard, en: {preferred: discard}}
""",
    "scenarios/high_card/end.yaml": """scenario: 2
game: high_card
cases:
  - id: end.higher
    title: The higher card wins
    players: 2
    given: {at: end, zones: {"hand[1]": ["3"], "hand[2]": ["5"]}, rest: deck}
    expect: {winner: player 2}
""",
}
TEXT = Path("specs/translations/high_card/en.yaml")


def write_games(folder: Path, *games: str, title: str = "High card") -> Path:
    """A folder of games that differ in id and title only."""
    for game in games:
        files = TEXTS | {"high_card.yaml": SPEC}
        for name, text in files.items():
            path = folder / name.replace("high_card", game)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace("high_card", game).replace("High card", title), encoding="utf-8")
    return folder


@pytest.fixture
def packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The packaged games of an installed package: `high_card` and `other`."""
    monkeypatch.setattr(project, "_CODE", tmp_path / "site-packages" / "rulespec")
    return write_games(tmp_path / "site-packages" / "rulespec" / "specs", "high_card", "other")


@pytest.fixture
def own(tmp_path: Path, packaged: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a game that is also packaged, under another title."""
    folder = write_games(tmp_path / "own" / "specs", "high_card", title="Own card").parent
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def outside(tmp_path: Path, packaged: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return tmp_path / "elsewhere"


def break_the_spec(folder: Path) -> None:
    spec = folder / "specs" / "high_card.yaml"
    spec.write_text(spec.read_text(encoding="utf-8") + "unknown: 1\n", encoding="utf-8")


# --- in a project ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("below", ["", "notes/drafts", "specs/scenarios/high_card"])
def test_the_nearest_specs_folder_upward_is_the_project(own: Path, below: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (own / below).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(own / below)
    assert project.known_games() == ["high_card"]
    assert project.playable_games() == ["high_card", "other"]
    assert project.find("high_card") == str(own / "specs" / "high_card.yaml")
    assert project.current().folder == own / "specs"


def test_the_games_of_these_tests_are_right(own: Path) -> None:
    assert ftk("check").output == "4 files: nothing wrong.\n"


@pytest.mark.parametrize("arguments", [["check"], ["check", "high_card"], ["check", "specs"]])
def test_an_edited_spec_is_the_one_that_is_checked(own: Path, arguments: list[str]) -> None:
    break_the_spec(own)
    result = ftk(*arguments)
    assert result.exit_code == 1
    assert "specs/high_card.yaml" in result.output and "`unknown`" in result.output
    assert "packaged" not in result.output


def test_all_files_of_the_project_are_checked_by_default(own: Path) -> None:
    (own / "specs" / "decks").mkdir()
    (own / "specs" / "decks" / "mine.yaml").write_text("deck: 1\n", encoding="utf-8")
    (own / "specs" / "decks" / "other.yaml").write_text("jobs: 1\n", encoding="utf-8")
    (own / "specs" / "nameless.yaml").write_text("jobs: 1\n", encoding="utf-8")
    checked = ftk("check", "-v").output
    assert "specs/decks/mine.yaml:1:1: error" in checked
    assert "specs/nameless.yaml:1:1: error RS202 missing-key" in checked
    assert "other.yaml" not in checked
    assert f"checked {TEXT}" in checked


def test_a_project_without_files_has_nothing_to_check(tmp_path: Path, own: Path) -> None:
    shutil.rmtree(own / "specs")
    (own / "specs").mkdir()
    for arguments in (["check"], ["test"], ["text", "check"]):
        result = ftk(*arguments)
        assert result.exit_code == 3, arguments
        assert "so nothing was" in result.output


@pytest.mark.parametrize(
    "arguments",
    [
        ["play", "high_card", "--people", "none", "--seed", "1"],
        ["simulate", "high_card", "--games", "2", "--workers", "1"],
        ["cards", "high_card"],
        ["explain", "deal"],
        ["text", "status"],
        ["text", "render", "high_card", "--lang", "en"],
        ["text", "export", "high_card", "--lang", "en"],
    ],
    ids=" ".join,
)
def test_every_command_reads_the_game_of_the_project(own: Path, arguments: list[str]) -> None:
    result = ftk(*arguments)
    assert result.exit_code == 0
    assert "Own card" in result.output and "packaged" not in result.output


def test_scenarios_run_against_the_game_of_the_project(own: Path) -> None:
    scenario = own / "specs" / "scenarios" / "high_card" / "end.yaml"
    scenario.write_text(scenario.read_text(encoding="utf-8").replace("winner: player 2", "winner: player 1"))
    for arguments in (["test"], ["test", "high_card"]):
        result = ftk(*arguments)
        assert result.exit_code == 1 and "1 failed" in result.output
    break_the_spec(own)
    assert "has errors" in ftk("test", "high_card").output


def test_confirming_writes_into_the_project(own: Path, packaged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(own / "specs" / "scenarios")
    result = ftk("text", "status", "high_card", "--lang", "en", "--confirm")
    assert result.exit_code == 0, result.output
    assert "confirmed:" in (own / TEXT).read_text(encoding="utf-8")
    assert "confirmed:" not in (packaged / "translations" / "high_card" / "en.yaml").read_text(encoding="utf-8")


def test_another_game_is_the_packaged_one(own: Path) -> None:
    result = ftk("rulings", "other")
    assert result.exit_code == 0
    assert result.stderr.count("Using the games packaged with ftk") == 1
    assert "packaged" not in ftk("rulings", "other", "-q").stderr


def test_the_message_for_an_unknown_game_names_all_games(own: Path) -> None:
    result = ftk("cards", "nothing")
    assert result.exit_code == 3
    assert "Name a spec file or a game: high_card, other." in result.stderr


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("hihg_card", "There is no file hihg_card.", "Did you mean `high_card`?"),
        ("high_card.yml", "There is no file high_card.yml.", "Did you mean `high_card`?"),
        ("high_card@9.9.9", "There is no release high_card@9.9.9.", "None is. Release one with: ftk release high_card"),
        ("nothing", "There is no file nothing.", ""),
    ],
)
def test_the_library_and_every_command_name_the_game_that_is_meant(
    own: Path, name: str, message: str, hint: str
) -> None:
    for command in (("cards", name), ("diff", name, "other"), ("check", name)):
        result = ftk(*command)
        assert result.exit_code == 3 and message in result.output and hint in result.output
    with pytest.raises(rulespec.SpecError) as error:
        rulespec.load(name)
    (one,) = rulespec.check(name).findings
    assert error.value.diagnostics == (one,) and str(error.value).endswith(f"{message} {one.hint}")
    assert (one.message, one.hint) == (message, hint or "Check the spelling and the folder.")


# --- outside a project -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["check", "high_card"],
        ["test"],
        ["test", "high_card"],
        ["rulings", "high_card"],
        ["cards", "high_card"],
        ["explain", "deal"],
        ["compile", "high_card", "--print"],
        ["simulate", "high_card", "--games", "2", "--workers", "1"],
        ["play", "high_card", "--people", "none"],
        ["text", "check"],
        ["text", "status"],
        ["text", "render", "high_card", "--lang", "en"],
        ["text", "export", "high_card", "--lang", "en"],
    ],
    ids=" ".join,
)
def test_a_command_that_reads_packaged_files_says_so(outside: Path, packaged: Path, arguments: list[str]) -> None:
    note = f"Using the games packaged with ftk in {packaged} (read-only).\n"
    loud, quiet = ftk(*arguments), ftk(*arguments, "-q")
    assert (loud.exit_code, quiet.exit_code) == (0, 0)
    assert loud.stderr.count(note) == 1
    assert note not in quiet.stderr and note not in loud.stdout


def test_the_note_is_no_part_of_json(outside: Path) -> None:
    result = ftk("check", "high_card", "--format", "json")
    assert json.loads(result.stdout)["summary"]["files"] == 4
    assert "packaged" in result.stderr


def test_a_packaged_file_given_as_a_path_is_packaged(own: Path, packaged: Path) -> None:
    assert "packaged" in ftk("check", packaged / "high_card.yaml").stderr
    assert "packaged" in ftk("text", "check", packaged / "glossaries").stderr


def test_a_file_elsewhere_is_not_packaged(outside: Path) -> None:
    write_games(outside, "high_card")
    assert ftk("check", "high_card.yaml").stderr == ""


def test_a_text_whose_spec_is_packaged_says_so(outside: Path) -> None:
    (outside / "en.yaml").write_text(TEXTS["translations/high_card/en.yaml"], encoding="utf-8")
    assert "packaged" in ftk("check", "en.yaml").stderr


def test_a_checkout_is_written_in_its_own_folder_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    specs = write_games(tmp_path / "checkout" / "specs", "high_card")
    monkeypatch.setattr(project, "_CODE", tmp_path / "checkout" / "rulespec")
    monkeypatch.chdir(tmp_path)
    confirm = ("text", "status", "high_card", "--lang", "en", "--confirm")
    refused = ftk(*confirm)
    assert refused.exit_code == 3 and "read-only" in refused.stderr
    monkeypatch.chdir(specs)
    assert ftk(*confirm).exit_code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="the current directory cannot be deleted")
def test_a_deleted_current_directory_is_outside_every_project(outside: Path) -> None:
    (outside / "gone").mkdir()
    os.chdir(outside / "gone")
    (outside / "gone").rmdir()
    try:
        assert project.nearest() is None
        assert project.known_games() == ["high_card", "other"]
    finally:
        os.chdir(outside)


# --- an installed package --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("below", ["", "rulespec", "rulespec/specs"], ids=["beside", "inside", "its games"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["text", "status", "high_card", "--lang", "en", "--confirm"],
        ["text", "import", "en.po"],
        ["rulings", "high_card", "--output", "SPECS/high_card.yaml"],
        ["check", "high_card", "--output", "SPECS/new.yaml"],
        ["simulate", "high_card", "--games", "2", "--into", "SPECS/run"],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_an_installed_package_stays_as_it_is(
    packaged: Path, below: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No command writes into the packaged games, wherever it starts."""
    monkeypatch.chdir(packaged.parents[1] / below)
    po = ftk("text", "export", "high_card", "--lang", "en").stdout
    Path("en.po").write_text(po.replace("Shuffle the cards.", "Mix the cards."), encoding="utf-8")
    before = contents(packaged)
    result = ftk(*(one.replace("SPECS", str(packaged)) for one in arguments))
    assert result.exit_code == 3 and "read-only" in result.stderr, result.output
    assert contents(packaged) == before and not (packaged / "run").exists()


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*.yaml")}


@pytest.mark.parametrize("below", ["rulespec", "rulespec/specs"])
def test_no_game_is_started_inside_of_a_package(packaged: Path, below: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(packaged.parents[1] / below)
    result = ftk("new", "river")
    assert result.exit_code == 3 and "read-only" in result.stderr
