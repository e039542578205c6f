"""The workbench of the page: it finds in an edited file what `ftk check` finds in the same file on disk."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import rulespec
from ftk_cli.page import calls, workbench

pytestmark = pytest.mark.slow("plays both versions of a game")

SPECS = Path(__file__).parents[1] / "specs"


def ask(call: str, **arguments: Any) -> Any:
    answer = json.loads(calls.answer(json.dumps({"call": call, "args": arguments})))
    assert "error" not in answer, answer
    return answer["result"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for part in ("kingme.yaml", "glossaries/kingme.yaml", "scenarios/kingme", "translations/kingme"):
        copy, here = tmp_path / "specs" / part, SPECS / part
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(here, copy) if here.is_dir() else shutil.copy(here, copy)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(workbench, "_OPENED", {})
    return tmp_path


def test_an_edited_spec_has_the_findings_of_the_file_on_disk(project: Path) -> None:
    files = {one["name"]: one["text"] for one in ask("files", game="kingme")}
    assert {"specs/kingme.yaml", "specs/glossaries/kingme.yaml", "specs/translations/kingme/en.yaml"} <= set(files)
    text = files["specs/kingme.yaml"].replace("players: 3", "playres: 3", 1).replace("zones:", "zonse:", 1)
    found = ask("check_file", name="specs/kingme.yaml", text=text)
    elsewhere = project / "specs" / "kingme.yaml"
    assert elsewhere.read_text(encoding="utf-8") == text
    on_disk = json.dumps(rulespec.check("specs/kingme.yaml").to_dict(), ensure_ascii=False)
    assert found["report"]["findings"] and json.dumps(found["report"], ensure_ascii=False) == on_disk
    assert len(found["fixes"]) == len(found["report"]["findings"])
    assert any(line.startswith("+zonse:") for line in ask("changed", name="specs/kingme.yaml", text=text))


def test_files_have_folders_and_lists_of_cards_are_read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SPECS.parent)
    files = {one["name"].rsplit("/", 1)[1]: one for one in ask("files", game="glass_garden")}
    folders = {name: one["folder"] for name, one in files.items()}
    assert (folders["uk.yaml"], folders["cases.yaml"]) == ("translations/uk", "scenarios")
    assert [name for name, one in files.items() if one["readonly"]] == ["glass_garden.csv"]
    assert "looks" in {one["folder"] for one in ask("files", game="glass_garden")}


def test_a_large_file_is_kept_without_a_check(project: Path) -> None:
    assert ask("keep_file", name="specs/kingme.yaml", text="x: [") is None
    assert (project / "specs/kingme.yaml").read_text(encoding="utf-8") == "x: ["


WORTH = {"name": "specs/kingme.yaml", "old": " 1: 1, 2: 2,", "new": " 1: 0, 2: 2,"}


def edited(project: Path) -> Any:
    """King Me! opened, and then with another worth of a floor: the worth is named."""
    text = {one["name"]: one["text"] for one in ask("files", game="kingme")}[WORTH["name"]]
    assert WORTH["old"] in text
    return ask("check_file", name=WORTH["name"], text=text.replace(WORTH["old"], WORTH["new"], 1))


@pytest.mark.parametrize(
    ("lang", "kind"), [("en", "table changed"), ("uk", "змінено таблицю"), ("zh-Hans", "表格變更")]
)
def test_it_says_what_changed_in_the_words_of_the_game(project: Path, lang: str, kind: str) -> None:
    edited(project)
    found = ask("changes", game="kingme", lang=lang)
    (change,) = found["changes"]
    assert (found["release"], change["says"], change["impact"]) == ("", kind, "play")
    assert change["before"] != change["after"] and change["effect"] in found["head"]


def test_both_versions_are_played_in_slices(project: Path) -> None:
    edited(project)
    found = ask("effect", game="kingme", players=3, games=6, lang="uk")
    assert found["games"] >= 1 and found["wanted"] == 6
    while found["games"] < found["wanted"]:
        found = ask("more", lang="uk")
    assert not found["alike"]
    points = [one for one in found["figures"] if one["figure"] == "points"]
    assert len(points) == 3 and all(one["low"] <= one["difference"] <= one["high"] for one in points)


def play_from(project: Path, name: str, piece: str) -> Any:
    text = (project / name).read_text(encoding="utf-8")
    return ask("play_from", name=name, text=text, offset=text.index(piece) + len(piece))


TEXT = "specs/translations/kingme/uk.yaml"
SCENARIOS = "specs/scenarios/kingme/election.yaml"


@pytest.mark.parametrize("rule", ["election.vote", "nominate.rise", "score.floors", "round.starter"])
@pytest.mark.parametrize(("name", "key"), [(WORTH["name"], "id: {}"), (TEXT, "\n  {}:\n    title")])
def test_a_game_is_played_from_the_rule_at_the_cursor(project: Path, name: str, key: str, rule: str) -> None:
    edited(project)
    found = play_from(project, name, key.format(rule))
    assert found["place"] == rule
    view = ask("start", **found["game"], lang="en")
    seats = found["game"]["seats"]
    assert view["seat"] == view["next"] == seats.index("person") and view["actions"]
    assert {*seats} == {"person", "medium"}


def test_a_game_is_played_from_the_scenario_at_the_cursor(project: Path) -> None:
    found = play_from(project, SCENARIOS, "player 3: move A up")
    game = found["game"]
    assert (found["place"], game["name"], game["text"]) == ("election.lost", "kingme", "")
    view = ask("start", **game, lang="en")
    assert view["next"] == view["seat"] == 3 and view["actions"]
    view = ask("act", action=view["actions"][0]["action"], lang="en")
    kept = {key: value for key, value in view["kept"].items() if key != "own"}
    again = ask("start", **kept, lang="en", text="")
    assert again.pop("scene")["game"] == "kingme"
    assert again == {**view, "after": 0, "log": again["log"], "text": ""}


def test_a_game_beside_follows_the_edits_of_its_spec(project: Path) -> None:
    """Its decisions are made again as far as they are legal, and once more when they are legal again."""
    text = {one["name"]: one["text"] for one in ask("files", game="kingme")}[WORTH["name"]]
    played = ask("start", name="kingme", seats=["person"] * 4, lang="en", seed=7)
    view = ask("beside.begin", name="kingme", lang="en")
    for put in ("put A on floor 1", "put B on floor 4"):
        action = next(one["action"] for one in view["actions"] if one["text"] == put)
        view = ask("beside.act", action=action, lang="en")
    assert (view["decisions"], view["wanted"], view["next"]) == (2, 2, 2)
    lower = text.replace("pick: {c: character, f: 1..4}", "pick: {c: character, f: 1..3}")
    for now, left in ((text.replace(WORTH["old"], WORTH["new"]), 2), (lower, 1), (text, 2)):
        ask("check_file", name=WORTH["name"], text=now)
        view = ask("beside.again", lang="uk")
        assert (view["decisions"], view["wanted"]) == (left, 2)
    assert ask("beside.back", lang="en")["wanted"] == 1
    assert ask("look", lang="en")["kept"] == played["kept"]


def test_a_game_beside_begins_at_the_cursor_and_stays_while_the_spec_has_errors(project: Path) -> None:
    ask("files", game="kingme")
    found = play_from(project, SCENARIOS, "player 3: move A up")
    assert ask("beside.begin", name="kingme", lang="en", given=found["game"])["next"] == 3
    ask("check_file", name=WORTH["name"], text="x: [")
    answer = json.loads(calls.answer(json.dumps({"call": "beside.again", "args": {"lang": "en"}})))
    assert answer["error"]["findings"] and ask("beside.look", lang="en")["next"] == 3


@pytest.mark.parametrize(
    ("name", "piece"),
    [
        (WORTH["name"], "rule"),
        (WORTH["name"], "\nzones:"),
        (TEXT, "title:"),
        (TEXT, "\nrulings:\n  "),
        (SCENARIOS, "game: "),
        ("specs/glossaries/kingme.yaml", "names"),
    ],
)
def test_without_a_rule_or_a_scenario_at_the_cursor_nothing_is_played(project: Path, name: str, piece: str) -> None:
    assert play_from(project, name, piece) is None


def test_a_text_of_a_rule_that_the_spec_lacks_is_refused(project: Path) -> None:
    text = (project / TEXT).read_text(encoding="utf-8").replace("\n  election.vote:", "\n  election.vole:")
    given = {"name": TEXT, "text": text, "offset": text.index("election.vole:") + 5}
    answer = json.loads(calls.answer(json.dumps({"call": "play_from", "args": given})))
    assert answer["error"]["message"] == "King Me! has no rule `election.vole`."


def test_a_game_goes_on_with_the_spec_that_it_was_begun_with(project: Path) -> None:
    """A game that was begun before an edit, and one that was begun after it, whatever the file says when they go on."""
    text = {one["name"]: one["text"] for one in ask("files", game="kingme")}[WORTH["name"]]
    given = {"name": "kingme", "seats": ["person"] * 3, "lang": "en", "seed": 1}
    assert ask("start", **given)["text"] == ""
    own = text.replace(WORTH["old"], WORTH["new"], 1).replace("title: King Me!", "title: My King", 1)
    assert own != text
    ask("check_file", name=WORTH["name"], text=own)
    for kept, title, used in ((None, "My King", own), ("", "King Me!", ""), (own, "My King", own)):
        view = ask("start", **given, text=kept)
        assert (view["title"], view["text"], view["kept"]["own"]) == (title, used, bool(used))
    ask("check_file", name=WORTH["name"], text=text)
    assert ask("start", **given, text=own)["title"] == "My King"
    assert ask("start", **given)["text"] == ""


def test_changes_are_those_since_the_last_release(project: Path) -> None:
    text = (project / WORTH["name"]).read_text(encoding="utf-8")
    release = project / "specs" / "history" / "kingme" / "1.0.0.yaml"
    release.parent.mkdir(parents=True)
    release.write_text(text.replace("version: 1.1.0", "version: 1.0.0", 1), encoding="utf-8")
    edited(project)
    found = ask("changes", game="kingme", lang="en")
    assert (found["release"], found["old"]["version"], len(found["changes"])) == ("1.0.0", "1.0.0", 1)


def test_a_spec_that_cannot_be_read_has_findings_instead_of_changes(project: Path) -> None:
    ask("files", game="kingme")
    ask("check_file", name=WORTH["name"], text="x: [")
    answer = json.loads(calls.answer(json.dumps({"call": "changes", "args": {"game": "kingme", "lang": "en"}})))
    assert [one["code"] for one in answer["error"]["findings"]] == ["RS101"]


def test_it_shows_and_proposes_names(project: Path) -> None:
    text = (project / "specs/kingme.yaml").read_text(encoding="utf-8")
    name = {"name": "specs/kingme.yaml", "text": text}
    assert ask("hover", **name, offset=text.index("seen_by") + 2) is not None
    assert ask("proposals", **name, offset=text.index("\nzones:") + 1)


@pytest.mark.parametrize("name", ["/etc/passwd", "specs/../x.yaml", "other/kingme.yaml", "specs/notes.txt"])
def test_files_elsewhere_are_refused(project: Path, name: str) -> None:
    answer = json.loads(calls.answer(json.dumps({"call": "check_file", "args": {"name": name, "text": ""}})))
    assert "specs/" in answer["error"]["message"]


# --- overlays --------------------------------------------------------------------------------------------------------

OVERLAY = "specs/variants/kingme/ground_floor.yaml"
PLACE = "specs/scenarios/kingme/ground_floor/place.yaml"


@pytest.fixture
def varied(project: Path) -> dict[str, str]:
    """The files of a game with an overlay."""
    shutil.copytree(SPECS / "variants/kingme", project / "specs/variants/kingme")
    shutil.copytree(SPECS / "versions/kingme", project / "specs/versions/kingme")
    return {one["name"]: one["text"] for one in ask("files", game="kingme")}


def test_an_edited_overlay_has_the_findings_of_the_file_on_disk(varied: dict[str, str]) -> None:
    assert {OVERLAY, PLACE, "specs/translations/kingme/ground_floor/uk.yaml"} <= set(varied)
    assert ask("check_file", name=OVERLAY, text=varied[OVERLAY])["report"]["findings"] == []
    found = ask("check_file", name=OVERLAY, text=varied[OVERLAY].replace("    place.one:", "    place.noe:", 1))
    assert [one["code"] for one in found["report"]["findings"]][:1] == ["RS823"]
    assert found["report"] == rulespec.check(OVERLAY).to_dict()


def test_scenarios_of_a_variant_follow_its_overlay(varied: dict[str, str]) -> None:
    def codes() -> list[str]:
        return [one["code"] for one in ask("check_file", name=PLACE, text=varied[PLACE])["report"]["findings"]]

    assert codes() == []
    ask("check_file", name=OVERLAY, text=varied[OVERLAY].replace("0..4", "1..4"))
    assert codes() != []


def test_a_game_goes_on_with_the_overlay_that_it_was_begun_with(varied: dict[str, str]) -> None:
    given = {"name": "kingme", "seats": ["person"] * 3, "lang": "en", "seed": 1}
    before = ask("start", **given, variant="ground_floor")
    assert (before["text"], before["kept"]["variant"], before["kept"]["own"]) == ("", "ground_floor", False)
    ask("check_file", name=OVERLAY, text=varied[OVERLAY].replace("title: The ground floor", "title: The cellar"))
    mine = ask("start", **given, variant="ground_floor")
    assert (mine["title"], mine["kept"]["variant"], mine["kept"]["own"]) == ("King Me!: The cellar", "", True)
    assert ask("start", **given, variant="ground_floor", text="")["title"] == "King Me!: The ground floor"
    ask("check_file", name=OVERLAY, text=varied[OVERLAY])
    assert ask("start", **given, text=mine["text"])["title"] == "King Me!: The cellar"
    assert ask("start", **given, variant="ground_floor")["kept"]["own"] is False


def test_an_overlay_with_errors_is_not_played(varied: dict[str, str]) -> None:
    ask("check_file", name=OVERLAY, text=varied[OVERLAY].replace("    place.one:", "    place.noe:", 1))
    given = {"name": "kingme", "seats": ["person"] * 3, "lang": "en", "seed": 1, "variant": "ground_floor"}
    answer = json.loads(calls.answer(json.dumps({"call": "start", "args": given})))
    assert [(one["code"], one["path"]) for one in answer["error"]["findings"]][:1] == [("RS823", OVERLAY)]
