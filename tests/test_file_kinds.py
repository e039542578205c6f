"""Every kind of file behind `rulespec.check`, and many files checked together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import ftk
from high_card import SPEC
from test_project import TEXTS, write_games

import rulespec
from ftk_cli.schema import _KINDS
from rulespec.base.findings import KINDS
from rulespec.base.source import Source
from rulespec.editing import file_kinds
from rulespec.engine.states import log
from rulespec.games.rulebook import texts_of
from rulespec.text.glossary.concepts import read as read_glossary
from rulespec.text.glossary.table import to_csv
from rulespec.text.glossary.tbx import to_tbx
from rulespec.text.output.exchange.po import to_po
from rulespec.text.output.exchange.xliff_2 import to_xliff_2
from rulespec.text.review.kept import write as write_review
from rulespec.text.review.states import fresh

OVERLAY = """
overlay: 2
id: mine
extends: high_card
version: 1.0.0
title: Mine
change: {rules: {end: {title: The highest card}}}
"""
LANGUAGE = "language: 1\ntag: nl\neither: ',?\\s*of\\s*'\n"
FILES = {"high_card.yaml": SPEC} | TEXTS


@pytest.fixture
def specs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = write_games(tmp_path / "specs", "high_card")
    (folder / "deck.yaml").write_text("deck: 1\ngame: high_card\nreplaces: {value: 13}\ncards: [{copies: 4}]\n")
    (folder / "looks.yaml").write_text("looks: 1\ngame: high_card\nmembers: {}\n")
    (folder / "languages" / "nl").mkdir(parents=True)
    (folder / "languages/nl/language.yaml").write_text(LANGUAGE, encoding="utf-8")
    (folder / "variants" / "high_card").mkdir(parents=True)
    (folder / "variants/high_card/mine.yaml").write_text(OVERLAY, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return folder


def played(specs: Path) -> rulespec.State:
    """A whole game of two players."""
    state = rulespec.load(specs / "high_card.yaml").game(players=2, engine="interpreter").new_initial_state(seed=4)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    return state


def samples(specs: Path) -> dict[str, Path]:
    """A good file of every kind."""
    spec = rulespec.load(specs / "high_card.yaml")
    text = texts_of(spec)["en"]
    terms = read_glossary(Source("x", (specs / "glossaries/high_card.yaml").read_text(encoding="utf-8")))[0]
    assert terms is not None
    state = played(specs)
    made = {
        "log.jsonl": "".join(f"{line}\n" for line in log.lines(state)),
        "state.json": state.to_json(),
        "en.po": to_po(text, spec.model),
        "en.xlf": to_xliff_2(text, spec.model),
        "terms.tbx": to_tbx(terms),
        "terms.csv": to_csv(terms),
    }
    made["reviews/high_card/en.review.yaml"] = write_review(fresh("high_card", "en", "", spec.model))
    (specs / "reviews/high_card").mkdir(parents=True)
    for name, content in made.items():
        (specs / name).write_text(content, encoding="utf-8")
    names = {
        "spec": "high_card.yaml",
        "scenario": "scenarios/high_card/end.yaml",
        "overlay": "variants/high_card/mine.yaml",
        "deck": "deck.yaml",
        "translation": "translations/high_card/en.yaml",
        "glossary": "glossaries/high_card.yaml",
        "language": "languages/nl/language.yaml",
        "log": "log.jsonl",
        "state": "state.json",
        "po": "en.po",
        "xliff": "en.xlf",
        "tbx": "terms.tbx",
        "csv": "terms.csv",
        "looks": "looks.yaml",
        "review": "reviews/high_card/en.review.yaml",
    }
    return {kind: specs / name for kind, name in names.items()}


def test_every_kind_is_recognised_and_a_good_file_has_no_findings(specs: Path) -> None:
    paths = samples(specs)
    assert paths.keys() == rulespec.FILE_KINDS.keys()
    for name, path in paths.items():
        source = Source(str(path), path.read_text(encoding="utf-8"))
        kind = rulespec.kind_of(source)
        assert kind is not None and kind.name == name
        assert rulespec.check(path).errors == (), name


def test_every_kind_is_recognised_by_its_content_alone(specs: Path) -> None:
    for name, path in samples(specs).items():
        kind = rulespec.kind_of(Source("-", path.read_text(encoding="utf-8")))
        assert kind is not None and kind.name == name


@pytest.mark.parametrize("cut", [0.1, 0.5, 0.9])
def test_half_a_file_of_any_kind_is_no_exception(specs: Path, cut: float) -> None:
    for path in samples(specs).values():
        text = path.read_text(encoding="utf-8")
        rulespec.check_source(Source(str(path), text[: int(len(text) * cut)]))


def test_the_table_is_complete() -> None:
    for name, kind in rulespec.FILE_KINDS.items():
        assert name == kind.name
        assert bool(kind.key) != (kind.is_one is not None), f"{name} is recognised in one way"
        assert bool(kind.key) == bool(kind.schema)
        assert not kind.no_game or kind.no_game in KINDS


def test_the_schema_of_every_yaml_file_is_printed() -> None:
    assert list(_KINDS) == [name for name, kind in rulespec.FILE_KINDS.items() if kind.schema]
    for name in _KINDS:
        assert json.loads(ftk("schema", "--kind", name).output)["$schema"]


def test_an_unknown_mapping_is_asked_what_it_is() -> None:
    report = rulespec.check_source(Source("x.yaml", "jobs: {}\n"))
    assert [found.name for found in report.findings] == ["missing-key"]
    assert (
        "`rulespec`, `overlay`, `scenario`, `deck`, `translation`, `glossary`, `language`, `review`, "
        "`looks`" in report.findings[0].message
    )


def test_a_quoted_line_of_another_format_is_no_key() -> None:
    kind = rulespec.kind_of(Source("x", 'msgid ""\nmsgstr ""\n"deck: a\\n"\n'))
    assert kind is not None and kind.name == "po"


# --- saved games -----------------------------------------------------------------------------------------------------


def test_a_log_that_differs_is_found_at_its_line(specs: Path) -> None:
    path = samples(specs)["log"]
    lines = path.read_text(encoding="utf-8").splitlines()
    number = next(i for i, line in enumerate(lines) if '"event": "result"' in line)
    lines[number] = lines[number].replace('"ranks": [', '"ranks": [9, ')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = rulespec.check(path).findings
    assert [(one.code, one.start.line) for one in found] == [("RS853", number + 1)]
    assert ftk("check", path).exit_code == 1


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"log": 2, "game": "high_card"}', "saved-game-unreadable"),
        ('{"log": 2, "game": "nothing", "players": 2, "rulings": {}, "seed": 1}', "saved-game-no-game"),
        ('{"log": 2, "game": "../high_card", "players": 2, "rulings": {}, "seed": 1}', "saved-game-no-game"),
        ('{"log": 2, "game": "high_card", "players": 9, "rulings": {}, "seed": 1}', "saved-game-differs"),
        ('{"log": 2, "game": "high_card", "players": 2, "rulings": {"x": "y"}, "seed": 1}', "saved-game-differs"),
        ('{"history": [], "state": {}}', "saved-game-unreadable"),
        ('{"history": [], "state": {}, "game": "high_card", "players": 2, "rulings": {}, "seed": 1}',
         "saved-game-differs"),
    ],
)  # fmt: skip
def test_a_damaged_saved_game_is_a_finding(specs: Path, text: str, name: str) -> None:
    found = rulespec.check_source(Source(str(specs / "x.json"), text)).findings
    assert [one.name for one in found] == [name]


def test_deeply_nested_json_is_a_finding(specs: Path) -> None:
    for text in ("[" * 100_000, '{"log":' * 100_000, '{"history": ' + "[" * 100_000):
        assert rulespec.check_source(Source("x.json", text)).errors


# --- one error in a spec ---------------------------------------------------------------------------------------------


def break_the_spec(specs: Path) -> None:
    spec = specs / "high_card.yaml"
    spec.write_text(spec.read_text(encoding="utf-8") + "unknown: 1\n", encoding="utf-8")


DEPENDENT = [
    "deck.yaml",
    "glossaries/high_card.yaml",
    "looks.yaml",
    "scenarios/high_card/end.yaml",
    "translations/high_card/en.yaml",
    "variants/high_card/mine.yaml",
]


def test_an_error_in_a_spec_is_one_finding(specs: Path) -> None:
    break_the_spec(specs)
    result = ftk("check", "--format", "json")
    data = json.loads(result.output)
    assert [found["name"] for found in data["findings"]] == ["unknown-key"]
    assert data["summary"]["error"] == 1
    (blocked,) = data["summary"]["not_checked"]
    assert blocked["spec"] == "specs/high_card.yaml"
    assert sorted(blocked["files"]) == [f"specs/{name}" for name in DEPENDENT]
    text = ftk("check").output
    assert text.endswith(
        "Not checked because specs/high_card.yaml has errors:\n"
        + "".join(f"  {name}\n" for name in blocked["files"])
        + "8 files: 1 error, 6 not checked.\n"
    )


@pytest.mark.parametrize("name", DEPENDENT)
def test_a_file_alone_says_that_its_spec_is_broken(specs: Path, name: str) -> None:
    break_the_spec(specs)
    (found,) = json.loads(ftk("check", specs / name, "--format", "json").output)["findings"]
    assert found["name"] in ("deck-no-game", "overlay-no-base", "text-no-game", "scenario-no-game")


def test_files_without_their_spec_have_one_finding_together(specs: Path) -> None:
    break_the_spec(specs)
    paths = [specs / name for name in DEPENDENT]
    data = json.loads(ftk("check", *paths, "--format", "json").output)
    assert len(data["findings"]) == 1
    assert len(data["summary"]["not_checked"][0]["files"]) == 5
    more = specs / "scenarios" / "high_card" / "more.yaml"
    more.write_text(TEXTS["scenarios/high_card/end.yaml"].replace("end.higher", "end.again"), encoding="utf-8")
    tested = ftk("test")
    assert tested.exit_code == 1 and tested.output.count("RS702") == 1
    assert "Not checked because" in tested.output


def test_a_dependent_file_still_has_its_own_findings(specs: Path) -> None:
    break_the_spec(specs)
    (specs / "scenarios/high_card/end.yaml").write_text("scenario: 2\ngame: high_card\nnot_a_key: 1\ncases: []\n")
    names = [found["name"] for found in json.loads(ftk("check", "--format", "json").output)["findings"]]
    assert "unknown-key" in names and "scenario-no-game" not in names


def test_a_missing_spec_is_a_finding_in_every_file(specs: Path) -> None:
    (specs / "high_card.yaml").unlink()
    names = [found["name"] for found in json.loads(ftk("check", "--format", "json").output)["findings"]]
    assert sorted(names) == ["deck-no-game", "overlay-no-base", "scenario-no-game", *["text-no-game"] * 3]


# --- rulings ---------------------------------------------------------------------------------------------------------

INVARIANT = """
invariants:
  - {id: nobody.ties, at: setup.end, holds: "tied == all"}
"""


def test_a_check_takes_rulings(specs: Path) -> None:
    spec = specs / "high_card.yaml"
    spec.write_text(spec.read_text(encoding="utf-8") + INVARIANT, encoding="utf-8")
    assert ftk("check", "high_card").exit_code == 0
    other = ftk("check", "high_card", "--ruling", "tied=first")
    assert other.exit_code == 1 and "broken-invariant" in other.output
    assert [found.name for found in rulespec.check(spec, rulings={"tied": "first"}).errors] == ["broken-invariant"]


@pytest.mark.parametrize("ruling", ["tied=nobody", "nothing=first"])
def test_an_unknown_ruling_is_a_usage_error(specs: Path, ruling: str) -> None:
    result = ftk("check", "high_card", "--ruling", ruling)
    assert result.exit_code == 2
    assert ruling.split("=")[0] in result.output


def test_a_row_is_all_that_a_new_kind_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = file_kinds.FileKind("note", "rulespec.language.document:parse", is_one=lambda source: source.text == "note")
    monkeypatch.setitem(file_kinds.FILE_KINDS, "note", kind)
    assert rulespec.check_source(Source("x", "note")).ok
