"""`ftk new`: a game from a skeleton or another game, which is clean at once, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import ftk

import rulespec
from rulespec.base.project import Project
from rulespec.editing.skeleton.copied import languages_of, new_game, suggested
from rulespec.text.languages.registry import find

SKELETON = Path(rulespec.__file__).parent / "editing" / "skeleton" / "games"

pytestmark = [pytest.mark.slow("checks each new game with its texts"), pytest.mark.usefixtures("here")]


def files() -> set[str]:
    return {str(path) for path in Path().rglob("*") if path.is_file()}


def nothing_wrong() -> bool:
    return ftk("check", "--fail-on", "info", "-q").exit_code == 0 and ftk("test", "-q").exit_code == 0


PLAYERS = dict(zip(languages_of(), ["1..2", "4", "5..12", "1..12"], strict=True))


@pytest.mark.parametrize(("lang", "players"), list(PLAYERS.items()))
def test_a_new_game_is_clean_in_every_language_and_for_every_number_of_players(lang: str, players: str) -> None:
    result = ftk("new", "river", "--lang", lang, "--players", players, "--title", "Yes: #1 {river}")
    assert result.exit_code == 0, result.output
    spec = rulespec.load("specs/river.yaml")
    low, _, high = players.partition("..")
    assert list(spec.players) == list(range(int(low), int(high or low) + 1))
    assert spec.model.title == "Yes: #1 {river}"
    assert nothing_wrong()


def test_all_languages_at_once_are_one_game_with_confirmed_texts() -> None:
    result = ftk("new", "river", "--lang", ",".join(languages_of()))
    listed = {line.split("  ")[0] for line in result.stdout.split("\n\n")[0].splitlines()}
    assert listed == files() and len(listed) == 4 + 2 * len(languages_of())
    assert nothing_wrong()
    status = json.loads(ftk("text", "status", "river", "--format", "json").stdout)["games"][0]
    assert [language["lang"] for language in status["languages"]] == sorted(languages_of())
    assert all(language["confirmed"] == status["rules"] for language in status["languages"])
    assert not any(language["stale"] or language["missing"] for language in status["languages"])


def test_the_commands_that_the_output_names_run() -> None:
    made = ftk("new", "river").stdout
    named = [line.split("  ")[1].split() for line in made.partition("Next:\n")[2].splitlines()]
    assert [command[:2] for command in named] == [["ftk", "check"], ["ftk", "play"], ["ftk", "simulate"]]
    for _, *arguments in named:
        result = ftk(*arguments, stdin="1\n" * 9)
        assert result.exit_code == 0, result.output


@pytest.mark.parametrize(("tag", "lang"), [("sv", "sv"), ("pt-br", "pt-BR"), ("th", "th"), ("ar-EG", "ar-EG")])
@pytest.mark.sample(2)
def test_a_language_without_texts_gets_drafts_that_wait_to_be_translated(tag: str, lang: str) -> None:
    result = ftk("new", "river", "--lang", f"uk,{tag}")
    assert result.exit_code == 0, result.output
    assert f"The texts in {lang} are drafts in en, to be translated into " in result.stdout
    text = Path(f"specs/translations/river/{lang}.yaml").read_text(encoding="utf-8")
    assert f"\n# A draft: the texts are in English (en), to be translated into {find(lang).name} ({lang})." in text
    assert f"\nlang: {lang}\nsource: en\n" in text and "confirmed:" not in text
    assert f"`{lang}: {{preferred: …}}`" in Path("specs/glossaries/river.yaml").read_text(encoding="utf-8")
    checked = ftk("check", "--format", "json")
    (only,) = json.loads(checked.stdout)["findings"]
    assert (checked.exit_code, only["code"], only["severity"]) == (0, "RS915", "info")
    assert only["message"] == "8 of 8 texts are not translated yet: they are word for word those in en."


def test_the_tag_of_a_region_means_the_texts_that_there_are() -> None:
    assert "The texts are confirmed" in ftk("new", "pond", "--lang", "en-GB,zh-TW").stdout
    assert {path.name for path in Path("specs/translations/pond").iterdir()} == {"en.yaml", "zh-Hant.yaml"}


def test_a_game_without_texts_gets_descriptions_of_its_rules() -> None:
    made = ftk("new", "mine", "--from", "nim", "--lang", "sv")
    assert made.exit_code == 0, made.output
    assert "specs/translations/mine/en.yaml  the rule text in en: descriptions of the rules\n" in made.stdout
    assert "source: en\n" in Path("specs/translations/mine/sv.yaml").read_text(encoding="utf-8")
    assert ftk("check").exit_code == 0


def test_terms_of_other_languages_are_left_out_of_entries_in_brackets_too() -> None:
    assert ftk("new", "mine", "--from", "kingme", "--lang", "en").exit_code == 0
    terms = Path("specs/glossaries/mine.yaml").read_text(encoding="utf-8")
    assert " en: " in terms and " uk: " not in terms


def test_a_glossary_has_the_chosen_languages_only() -> None:
    first, *others = languages_of()
    ftk("new", "river", "--lang", first)
    terms = Path("specs/glossaries/river.yaml").read_text(encoding="utf-8")
    assert f" {first}: " in terms and not any(f" {other}: " in terms for other in others)


def test_the_texts_follow_the_rules_from_the_start() -> None:
    ftk("new", "river")
    spec = Path("specs/river.yaml")
    spec.write_text(spec.read_text(encoding="utf-8").replace("{round: 1..3}", "{round: 1..4}"), encoding="utf-8")
    output = ftk("check").output
    assert ": The rule `turns` has changed" in output
    assert "RS913 number-unaccounted: The rule has no value “three”." in output


@pytest.mark.parametrize("game", ["nim", "hearts"])
def test_a_copy_of_a_game_plays_as_the_game(game: str) -> None:
    assert ftk("new", "mine", "--from", game, "--title", "Mine").exit_code == 0
    assert nothing_wrong()
    mine, old = rulespec.load("mine"), rulespec.load(game)
    assert (mine.id, mine.model.title) == ("mine", "Mine")
    states = [spec.game().new_initial_state(seed=3) for spec in (mine, old)]
    while not states[0].is_terminal():
        assert states[0].legal_actions() == states[1].legal_actions()
        for state in states:
            state.apply_action(state.legal_actions()[0])
    assert states[1].is_terminal() and states[0].returns() == states[1].returns()


def test_a_copy_of_a_game_of_the_project_keeps_its_confirmed_texts() -> None:
    ftk("new", "river")
    text = Path("specs/translations/river/en.yaml")
    lines = text.read_text(encoding="utf-8").splitlines(keepends=True)
    unconfirmed = next(index for index, line in enumerate(lines) if "confirmed" in line)
    text.write_text("".join(lines[:unconfirmed] + lines[unconfirmed + 1 :]), encoding="utf-8")
    assert ftk("new", "lake", "--from", "river", "--players", "3").exit_code == 0
    assert nothing_wrong()
    copied = Path("specs/translations/lake/en.yaml").read_text(encoding="utf-8")
    assert copied.count("confirmed") == text.read_text(encoding="utf-8").count("confirmed") > 0


def test_a_new_game_joins_the_project_around(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "specs" / "notes").mkdir(parents=True)
    monkeypatch.chdir(here / "specs" / "notes")
    ftk("new", "river")
    assert (here / "specs" / "river.yaml").is_file() and list((here / "specs" / "notes").iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["My Game"], 3, "Write `my_game`, and the name that players read in --title."),
        (["2nd"], 3, "Write `nd`"),
        (["../river"], 3, "Write `river`"),
        (["ріка"], 3, "`ріка` is not the id of a game"),
        (["river", "--lang", "qux"], 2, "There is no language with the tag `qux`. Write a tag of BCP 47"),
        (["river", "--lang", "en,germn"], 2, "There is no language with the tag `germn`. Write `de` for German."),
        (["river", "--lang", "zh"], 2, "`zh` can mean zh-Hans or zh-Hant: give the whole tag."),
        (["river", "--lang", ","], 2, "`,` names no language"),
        (["river", "--players", "0..4"], 2, "`0..4` is not a number of players from 1 to 12"),
        (["river", "--players", "4..2"], 2, "`4..2` is not a number of players"),
        (["river", "--players", "13"], 2, "`13` is not a number of players"),
        (["river", "--from", "nothing_like_it"], 3, "There is no file nothing_like_it."),
        (["river", "--players", "1"], 3, "The copy does not work for 1 players: scenarios/river/cases.yaml:"),
        (["river", "--from", "othello", "--players", "1"], 3, "The copy does not work for 1 players: river.yaml:"),
        (["river", "--title", "two\nlines"], 3, "The title has several lines"),
    ],
)
def test_what_cannot_be_made_is_refused_and_nothing_written(arguments: list[str], status: int, said: str) -> None:
    result = ftk("new", *arguments)
    assert result.exit_code == status, result.output
    assert said in result.stderr and files() == set()


def test_no_file_is_overwritten() -> None:
    ftk("new", "river")
    before = {path: Path(path).read_bytes() for path in files()}
    result = ftk("new", "river", "--title", "Other")
    assert result.exit_code == 3 and "specs/river.yaml is already there, and nothing is overwritten." in result.stderr
    Path("specs/river.yaml").unlink()  # the texts of that game are still there
    assert ftk("new", "river").exit_code == 3
    assert {path: Path(path).read_bytes() for path in files()} == {
        path: text for path, text in before.items() if path != "specs/river.yaml"
    }


def test_a_game_with_errors_is_not_copied() -> None:
    head = "rulespec: 2\ngame: {id: broken, version: 1.0.0, players: 2}\n"
    Path("broken.yaml").write_text(f"{head}play: [{{shuffle: a}}]\n", encoding="utf-8")
    result = ftk("new", "river", "--from", "broken.yaml")
    assert result.exit_code == 1 and "unknown-name" in result.stderr and files() == {"broken.yaml"}


def test_a_file_in_the_place_of_the_folder_is_named() -> None:
    Path("specs").write_text("no folder", encoding="utf-8")
    result = ftk("new", "river")
    assert result.exit_code == 3 and "cannot be written" in result.stderr and files() == {"specs"}


def test_the_skeleton_itself_is_clean() -> None:
    assert ftk("check", SKELETON, "--fail-on", "info").exit_code == 0
    assert ftk("test", SKELETON, "--coverage").stdout.startswith("skeleton: 8 of 8 rules applied.")


def test_suggested() -> None:
    assert [suggested(name) for name in ("My-Game 2", "__x", "9", "é")] == ["my_game_2", "x", "", ""]


def test_the_library_makes_a_plan_and_writes_nothing(here: Path) -> None:
    made = new_game("river", Project(here / "specs"))
    assert made.files[0].path == str(here / "specs" / "river.yaml") and files() == set()
