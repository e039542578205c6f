"""Errata sheets, released versions, and two versions of one text."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import rulespec
from ftk_cli.main import main
from rulespec.base.source import Source
from rulespec.games.rulebook import texts_at
from rulespec.text.reading.revision import Edit, revised
from rulespec.text.reading.translation import Translation, read

pytestmark = pytest.mark.slow("releases large games")

SPECS = Path(rulespec.find("kingme")).parent
OPEN = ("hand:       {per: player, seen_by: owner,", "hand:       {per: player, seen_by: everybody,")
THRONE = ("5: 5, 6: 10}", "5: 5, 6: 12}")


def ftk(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def edit(path: Path, *edits: tuple[str, str]) -> None:
    text = path.read_text(encoding="utf-8")
    for find, replace in edits:
        assert find in text, find
        text = text.replace(find, replace)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def specs(here: Path) -> Path:
    """A project with King Me!, its texts and its glossary, and the current directory in it."""
    folder = here / "specs"
    (folder / "translations").mkdir(parents=True)
    (folder / "glossaries").mkdir()
    shutil.copy(SPECS / "kingme.yaml", folder)
    shutil.copy(SPECS / "glossaries" / "kingme.yaml", folder / "glossaries")
    others = shutil.ignore_patterns("de.yaml", "pl.yaml", "ground_floor")
    shutil.copytree(SPECS / "translations" / "kingme", folder / "translations" / "kingme", ignore=others)
    return folder


# --- errata ----------------------------------------------------------------------------------------------------------

SENTENCES = {
    "en": ("Changed results", "Previously:", "Now:"),
    "uk": ("Зміни в результатах", "Було:", "Стало:"),
    "zh-Hant": ("結果的變更", "原文：", "改為："),
}


@pytest.mark.parametrize("lang", SENTENCES)
@pytest.mark.sample(1)
def test_a_sheet_without_new_texts_describes_the_change(specs: Path, lang: str) -> None:
    assert ftk("release", "kingme").exit_code == 0
    edit(specs / "kingme.yaml", THRONE)
    run = ftk("errata", "kingme@1.1.0", "kingme", "--lang", lang)
    assert run.exit_code == 0 and "1 change has no new words" in run.stderr
    heading, old, new = SENTENCES[lang]
    assert f"## {heading}" in run.stdout and old in run.stdout and new in run.stdout
    assert "10" in run.stdout and "12" in run.stdout


def test_a_sheet_has_the_words_of_the_text_where_it_is_new(specs: Path) -> None:
    assert ftk("release", "kingme").exit_code == 0
    edit(specs / "kingme.yaml", THRONE)
    text = specs / "translations" / "kingme" / "uk.yaml"
    (line,) = [one for one in text.read_text(encoding="utf-8").splitlines() if "10" in one and "трон" in one.lower()][
        :1
    ]
    edit(text, (line, line.replace("10", "12")))
    for format_ in ("markdown", "html"):
        run = ftk("errata", "kingme@1.1.0", "kingme", "--lang", "uk", "--format", format_)
        assert run.exit_code == 0 and "no new words" not in run.stderr, run.output
        assert "Було:" in run.stdout and "Стало:" in run.stdout
    assert (
        "<del>10</del>" in run.stdout and "<ins>12</ins>" in run.stdout and '<html lang="uk" dir="ltr">' in run.stdout
    )


IN_ENGLISH = "Rules cannot be described in nl: descriptions, and what stands around texts, are in English.\n"


def test_a_language_without_descriptions_keeps_its_sentences_with_english_around_them(specs: Path) -> None:
    german, dutch = SPECS / "translations" / "kingme" / "de.yaml", specs / "translations" / "kingme" / "nl.yaml"
    dutch.write_text(german.read_text(encoding="utf-8").replace("lang: de", "lang: nl"), encoding="utf-8")
    assert ftk("release", "kingme", "--anyway").exit_code == 0
    edit(specs / "kingme.yaml", THRONE)
    edit(dutch, ("Thron: 10 Punkte", "Thron: 12 Punkte"))
    for command in ("errata kingme@1.1.0 kingme", "text diff kingme@1.1.0 kingme"):
        run = ftk(*command.split(), "--lang", "nl")
        assert run.exit_code == 0 and run.stderr == IN_ENGLISH
        assert "Thron: 12 Punkte" in run.stdout and "Changed" in run.stdout
    assert ftk("diff", "kingme@1.1.0", "kingme").stderr == ""
    described = ftk("describe", "fortheking", "--lang", "nl", "--rule", "esteem.bid")
    assert described.stderr.endswith(IN_ENGLISH)
    assert described.stdout == ftk("describe", "fortheking", "--rule", "esteem.bid").stdout
    assert ftk("explain", "RS911", "--lang", "fr").stderr == "Findings are not in fr: they are in English.\n"


def test_a_change_of_words_in_the_text_alone_is_no_erratum(specs: Path) -> None:
    assert ftk("release", "kingme").exit_code == 0
    text = specs / "translations" / "kingme" / "en.yaml"
    edit(text, ("\n    text: |-\n      ", "\n    text: |-\n      Please note. "))
    run = ftk("errata", "kingme@1.1.0", "kingme", "--lang", "en")
    assert run.exit_code == 0 and "Nothing changes for players." in run.stdout


def test_two_games_have_no_errata() -> None:
    run = ftk("errata", "kingme", "fortheking", "--lang", "en")
    assert run.exit_code == 2 and "name one game twice" in run.stderr


def throne(path: Path) -> str:
    """The line of a Ukrainian text with what the throne is worth."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if "10" in line and "трон" in line.lower())


# --- released versions -----------------------------------------------------------------------------------------------


def test_a_history_lists_the_changes_of_every_release_the_latest_first(specs: Path) -> None:
    assert ftk("errata", "kingme", "--history", "--lang", "en").exit_code == 3
    assert ftk("release", "kingme").exit_code == 0
    again = ftk("release", "kingme")
    assert again.exit_code == 3 and "already released" in again.stderr
    edit(specs / "kingme.yaml", OPEN, ("version: 1.1.0", "version: 1.1.1"))
    low = ftk("release", "kingme")
    assert low.exit_code == 3 and "must rise to 1.2.0" in low.stderr
    edit(specs / "kingme.yaml", ("version: 1.1.1", "version: 1.2.0"))
    assert ftk("release", "kingme").exit_code == 0
    edit(specs / "kingme.yaml", (OPEN[1], OPEN[0]))
    run = ftk("errata", "kingme", "--history", "--lang", "en")
    assert run.exit_code == 0
    places = [run.stdout.index(part) for part in ("Not released yet", "Version 1.2.0", "Version 1.1.0", "The first")]
    assert places == sorted(places) and run.stdout.count("## Changed results") == 2


def test_a_game_with_a_failing_scenario_is_released_only_if_told_to(here: Path) -> None:
    assert ftk("new", "river", "-q").exit_code == 0
    edit(Path("specs/scenarios/river/cases.yaml"), ("{size: 35}", "{size: 34}"))
    run = ftk("release", "river")
    assert run.exit_code == 1 and "--anyway" in run.stderr and "RS701" in run.output
    assert not Path("specs/history").exists()
    assert ftk("release", "river", "--anyway").exit_code == 0


def test_a_release_under_a_wrong_name_is_found(specs: Path) -> None:
    assert ftk("release", "kingme").exit_code == 0
    assert ftk("check", "specs/history").exit_code == 0
    shutil.move(specs / "history" / "kingme" / "1.1.0.yaml", specs / "history" / "kingme" / "1.3.0.yaml")
    run = ftk("check", "specs/history")
    assert run.exit_code == 1 and "RS873" in run.stdout and "1.1.0 of `kingme`" in run.stdout


DAMAGED = {
    "half a file": lambda release: release.write_bytes(release.read_bytes()[:3000]),
    "no text": lambda release: release.write_bytes(b"\xff\xfe\x00"),
    "empty": lambda release: release.write_bytes(b""),
    "a folder": lambda release: (release.unlink(), release.mkdir()),
    "an unknown name": lambda release: edit(release, ("zones:\n", "zones:\n  a: {order: bag}\n")),
}


@pytest.mark.parametrize("damage", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_last_release_is_found(specs: Path, damage: Callable[[Path], object]) -> None:
    assert ftk("release", "kingme").exit_code == 0
    release = specs / "history" / "kingme" / "1.1.0.yaml"
    edit(specs / "kingme.yaml", OPEN)
    assert "RS871" in ftk("check", "specs/kingme.yaml").stdout
    damage(release)
    run = ftk("check", "specs/kingme.yaml")
    assert run.exit_code == 1 and "RS874" in run.stdout and "RS871" not in run.stdout
    assert f"Restore {Path('specs/history/kingme/1.1.0.yaml')}" in run.stdout
    both = ftk("check", "specs/kingme.yaml", str(Path("specs/history/kingme/1.1.0.yaml")))
    assert both.exit_code != 0 and "RS874" not in both.stdout, "the error in the file says it already"


@pytest.mark.parametrize("version", ["1.2.0-rc.1", "9" * 300 + ".0.0"])
def test_only_a_version_of_three_numbers_is_released(specs: Path, version: str) -> None:
    edit(specs / "kingme.yaml", ("version: 1.1.0", f"version: {version}"))
    run = ftk("release", "kingme")
    assert run.exit_code == 3 and "a version of three numbers" in run.stderr
    assert not (specs / "history").exists()


@pytest.mark.parametrize("command", [("diff",), ("errata", "--lang", "en")])
def test_an_empty_name_is_not_the_old_version(specs: Path, command: tuple[str, ...]) -> None:
    """A variable of a script that is not set must not say that nothing has changed."""
    run = ftk(command[0], "kingme", "", *command[1:])
    assert run.exit_code == 3 and "There is no file" in run.stderr


def test_a_release_is_played_and_compared_by_its_name(specs: Path) -> None:
    assert ftk("release", "kingme").exit_code == 0
    edit(specs / "kingme.yaml", THRONE)
    assert ftk("diff", "kingme@1.1.0", "kingme@1.1.0").stdout.endswith("the game is the same.\n")
    assert "table changed" in ftk("diff", "kingme@1.1.0", "kingme").stdout
    missing = ftk("diff", "kingme@9.9.9", "kingme")
    assert missing.exit_code == 3 and "no release kingme@9.9.9" in missing.stderr and "1.1.0" in missing.stderr


# --- two versions of a text ------------------------------------------------------------------------------------------


def test_text_diff_names_sentences_with_the_change_that_asked_and_texts_that_wait(specs: Path) -> None:
    assert ftk("release", "kingme").exit_code == 0
    edit(specs / "kingme.yaml", THRONE)
    waiting = json.loads(ftk("text", "diff", "kingme@1.1.0", "kingme", "--lang", "uk", "--format", "json").stdout)
    assert waiting["sentences"] == [] and len(waiting["waiting"]) >= 1
    rule = waiting["waiting"][0]["rule"]
    text = specs / "translations" / "kingme" / "uk.yaml"
    lines, line = text.read_text(encoding="utf-8").splitlines(), throne(text)
    edit(text, (line, line.replace("10", "12")))
    run = ftk("text", "diff", "kingme@1.1.0", "kingme", "--lang", "uk", "--format", "json")
    data = json.loads(run.stdout)
    assert [one["kind"] for one in data["sentences"]] == ["changed"]
    (one,) = data["sentences"]
    assert one["changes"][0]["name"] == "worth" and one["new"]["line"] == lines.index(line) + 1
    assert rule not in {each["rule"] for each in data["waiting"]} or one["rule"] != rule
    for format_ in ("text", "html"):
        assert "12" in ftk("text", "diff", "kingme@1.1.0", "kingme", "--lang", "uk", "--format", format_).stdout


def test_text_diff_compares_files_of_revisions(specs: Path) -> None:
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.email=a@b", "-c", "user.name=c", "commit", "-qm", "first"],
    ):
        subprocess.run(["git", *words], check=True, cwd=specs.parent)
    text = "specs/translations/kingme/en.yaml"
    edit(Path(text), ("\n    text: |-\n      ", "\n    text: |-\n      A sentence of our own. "))
    run = ftk("text", "diff", f"HEAD:{text}", text, "--lang", "en")
    assert run.exit_code == 0 and "+ A sentence of our own." in run.stdout
    assert "no change of the spec asks for it" in run.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("kingme",), "With --lang name two versions"),
        (("kingme", "fortheking"), "name two versions of one text"),
        (("kingme", "nosuch.yaml"), "There is no file nosuch.yaml"),
    ],
)
def test_text_diff_refuses_what_it_cannot_compare(words: tuple[str, ...], says: str) -> None:
    run = ftk("text", "diff", *words, "--lang", "en")
    assert run.exit_code in (2, 3) and says in run.stderr


def translation(*rules: str) -> Translation:
    lines = ["translation: 3", "game: kingme", "lang: en", "title: T", "rules:"]
    for number, text in enumerate(rules):
        lines += [
            f"  rule.r{number}:",
            f"    title: Rule {number}",
            "    text: |-",
            *(f"      {t}" for t in text.split("|")),
        ]
    found, findings = read(Source("en.yaml", "\n".join(lines) + "\n"))
    assert found is not None, findings
    return found


A, B, C = "Take two cards.", "Shuffle the whole deck.", "The winner pays with gold."


@pytest.mark.parametrize(
    ("old", "new", "kinds"),
    [
        ((f"{A} {B}",), (f"{A} {B}",), []),
        ((f"{A}|{B}",), (f"{A} {B}",), []),
        ((f"- {A}||- {B}",), (f"{A} {B}",), []),
        ((f"{A} {B}",), (f"{A}",), [(Edit.REMOVED, 0)]),
        ((f"{A}",), (f"{A} {C}",), [(Edit.ADDED, 0)]),
        ((f"{A}",), ("Take three cards.",), [(Edit.CHANGED, 0)]),
        ((f"{A} {B}",), (f"{B} {A}",), [(Edit.MOVED, 0)]),
        ((f"{A} {B}", C), (A, f"{C} {B}"), [(Edit.MOVED, 1)]),
        ((A,), (A, C), [(Edit.ADDED, 1), (Edit.ADDED, 1)]),
        ((A, C), (A,), [(Edit.REMOVED, 1), (Edit.REMOVED, 1)]),
        ((f"{A} {C}",), (f"Take three cards. {B}",), [(Edit.CHANGED, 0), (Edit.REMOVED, 0), (Edit.ADDED, 0)]),
    ],
)
def test_sentences_are_added_removed_changed_or_moved(
    old: tuple[str, ...], new: tuple[str, ...], kinds: list[tuple[Edit, int]]
) -> None:
    found = revised(translation(*old), translation(*new))
    assert sorted((one.kind, one.rule) for one in found) == sorted((kind, f"rule.r{rule}") for kind, rule in kinds)


def test_a_text_does_not_differ_from_itself() -> None:
    for text in texts_at(str(SPECS / "kingme.yaml"), "kingme").values():
        assert revised(text, text) == []
