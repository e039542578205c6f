"""The workbench of the page: it finds in an edited file what `ftk check` finds in the same file on disk."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import rulespec
from ftk_cli.page import calls, workbench

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
    found = ask("effect", game="kingme", players=3, pairs=6, lang="uk")
    assert (found["pairs"], found["wanted"]) == (1, 6)
    while found["pairs"] < found["wanted"]:
        found = ask("more", lang="uk")
    assert found["differing"] > 0 and found["behind"] == "Очки за поверхи"
    titles = {one["name"]: one["title"] for one in found["figures"]}
    assert titles["score.floors"] == "Очки за поверхи"
    points = [one for one in found["figures"] if one["figure"] == "points"]
    assert all(one["low"] <= one["difference"] <= one["high"] for one in points)


def test_prizes_have_the_words_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SPECS.parent)
    found = ask("effect", game="fortheking", players=3, pairs=1, lang="uk")
    assert "чільна посада: дипломатія" in {one["title"] for one in found["figures"]}


@pytest.mark.parametrize("rule", ["election.vote", "nominate.rise", "score.floors", "round.starter"])
def test_a_game_is_played_from_the_rule_at_the_cursor(project: Path, rule: str) -> None:
    edited(project)
    text = (project / WORTH["name"]).read_text(encoding="utf-8")
    found = ask("play_from", name=WORTH["name"], text=text, offset=text.index(f"id: {rule}") + 20)
    assert found.pop("rule") == rule
    view = ask("start", **found, lang="en")
    assert view["seat"] == view["next"] == found["seats"].index("person") and view["actions"]


def test_without_a_rule_at_the_cursor_nothing_is_played(project: Path) -> None:
    text = (project / WORTH["name"]).read_text(encoding="utf-8")
    given = {"name": WORTH["name"], "text": text, "offset": 3}
    answer = json.loads(calls.answer(json.dumps({"call": "play_from", "args": given})))
    assert answer["error"]["message"] == "There is no rule at this place."


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
