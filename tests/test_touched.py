"""What changes touch: exactly what the other commands find on the new version."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from labelled_edits import EDITS, Edit, built, text_of

import rulespec
from ftk_cli.main import main
from rulespec.base.source import Source, read
from rulespec.engine.states.log import lines
from rulespec.games.rulebook import check_translation, described
from rulespec.games.scenario.runner import run_all
from rulespec.language.schema.validate import text as schema_text
from rulespec.versions.changes import document
from rulespec.versions.changes.compare import compare
from rulespec.versions.changes.document import to_dict
from rulespec.versions.changes.touched import Touched, touched
from rulespec.versions.changes.words import Words

pytestmark = pytest.mark.slow("checks the texts of a whole game")

SPECS = Path(rulespec.find("kingme")).parent
SAMPLE = ("the throne is worth more", "an approval more", "another first player")
"""Edits of King Me! in a value, in its cards, and in a ruling; texts of the larger games take minutes to check."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the specs with their texts and scenarios."""
    return shutil.copytree(SPECS, tmp_path_factory.mktemp("project") / "specs")


def of(title: str) -> Edit:
    return next(edit for edit in EDITS if edit.game == "kingme" and edit.title == title)


def found(edit: Edit, logs: list[Source] | None = None) -> Touched:
    old = built(Source("old.yaml", text_of(edit.game)))
    return touched(compare(old, edit.new), rulespec.find(edit.game), logs or [])


@pytest.mark.parametrize("title", SAMPLE)
@pytest.mark.sample(1)
def test_the_texts_and_cases_named_are_those_that_are_wrong_beside_the_new_version(title: str, project: Path) -> None:
    edit = of(title)
    result = found(edit)
    path = project / f"{edit.game}.yaml"
    path.write_text(edit.new.source.text, encoding="utf-8")
    wrong = set()
    for file in sorted((project / "translations" / edit.game).glob("*.yaml")):
        source, _ = read(str(file))
        assert source is not None
        for one in check_translation(source).findings:  # those about one place are one finding there
            places = (one.start, *(other.start for other in one.related if other.name))
            wrong |= {(file.name, start) for start in places}
    named = {(Path(t.finding.path).name, t.finding.start) for t in result.texts}
    assert named == wrong and named
    assert all(one.changes for one in result.texts)
    report = rulespec.check_source(Source(str(path), edit.new.source.text))
    assert {one.message for one in result.spec} == {one.message for one in report.findings}
    if report.ok:
        outcomes = run_all(sorted((project / "scenarios" / edit.game).glob("*.yaml")), rulespec.load(path))
        assert {one.case.id for one in result.cases} == {c.id for o in outcomes for c in o.cases if not c.passed}


def log_of(game: str, players: int) -> Source:
    """The log of a game in which the first legal action is always taken."""
    state = rulespec.load(rulespec.find(game)).game(players).new_initial_state(seed=5)
    while not state.is_terminal():
        for player in state.deciders():
            state.apply_action(state.legal_actions(player)[0], player)
            break
    return Source(f"{players}.jsonl", "\n".join(lines(state)) + "\n")


def test_a_log_that_no_longer_replays_is_named_with_the_words_of_its_move() -> None:
    result = found(of("characters start one floor higher"), [log_of("kingme", 3), log_of("kingme", 4)])
    assert {one.path for one in result.logs} == {"3.jsonl", "4.jsonl"}
    for one in result.logs:
        log = next(log for log in (log_of("kingme", 3), log_of("kingme", 4)) if log.path == one.path)
        event = json.loads(log.line(one.line))
        assert one.says and one.rule in rulespec.load(rulespec.find("kingme")).model.rules
        assert one.lost == (event.get("event") == "choice") and (not one.lost or event["says"] == one.says)


def test_a_log_replays_after_a_change_of_words_only() -> None:
    old = built(Source("old.yaml", text_of("kingme")))
    new = built(Source("new.yaml", text_of("kingme").replace("title: King Me!", "title: Queen Me!")))
    result = touched(compare(old, new), rulespec.find("kingme"), [log_of("kingme", 3)])
    assert result.logs == () and not result.cases


def test_a_ruling_is_named_with_the_changes_of_what_depends_on_it() -> None:
    result = found(of("another first player"))
    assert [ruling for ruling, _ in result.rulings] == ["first_round"]
    assert all(changes for _, changes in result.rulings)


def test_every_format_has_what_changes_touch() -> None:
    changes = compare(built(Source("old.yaml", text_of("kingme"))), of("the throne is worth more").new)
    here = rulespec.find("kingme")
    words = Words(*(described(spec, "uk", here) for spec in (changes.old, changes.new)))
    result = touched(changes, here, [log_of("kingme", 6)])
    for write in (document.plain, document.markdown, document.html):
        written = write(changes, words, result)
        for name in ("uk.yaml", "zh-Hant.yaml", "en.yaml", *(one.case.id for one in result.cases)):
            assert name in written
    data = json.loads(json.dumps(to_dict(changes, words, result)))
    # Each message stands on a line of its own, below a heading, both in the language.
    lines = document.plain(changes, words, result).splitlines()
    messages = [one.finding.in_language("uk").message for one in (*result.texts, *result.cases)]
    found = [line.strip() for line in lines if any(message in line for message in messages)]
    assert found and all(re.match(r"\| RS\d{3}: ", line) for line in found)
    assert "  Текст суперечить специфікації" in lines
    jsonschema.validate(data, json.loads(schema_text("diff-1")))
    assert {one["lang"] for one in data["touches"]["texts"]} == {"de", "en", "pl", "uk", "zh-Hant"}


def test_a_file_that_is_no_log_is_refused() -> None:
    run = CliRunner().invoke(main, ["diff", "kingme", "kingme", "--logs", rulespec.find("kingme")])
    assert run.exit_code == 3 and "is no log of a game" in run.stderr
