"""Checks of rule texts against the spec: completeness, game and language."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from samples import expectations, places, samples

import rulespec
from ftk_cli.main import main
from rulespec.base import source
from rulespec.base.findings import names_in
from rulespec.games.rulebook import check_translation, texts_of
from rulespec.text.output.render.book import Rulebook
from rulespec.text.output.render.markdown import markdown

pytestmark = pytest.mark.slow("checks whole texts")

TRANSLATIONS = sorted((Path(__file__).parents[1] / "specs" / "translations").rglob("*.yaml"))
OF_GAMES = [path for path in TRANSLATIONS if path.parents[1].name == "translations"]
"""The texts of games. Those of a variant hold only the rules that differ."""


TEXTS = [path for path in samples("text") if "scenarios" not in path.parts]
BAD = [p for p in TEXTS if p.parent.name not in ("stall", "glossaries") and p.stem != "high_card"]


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_bad_samples(path: Path) -> None:
    read, _ = source.read(str(path))
    assert read is not None
    assert places(check_translation(read).findings) == expectations(path)


def test_every_kind_has_a_bad_sample() -> None:
    shown = {name for path in TEXTS for _, _, name in expectations(path)}
    assert shown >= names_in("texts") - {"text-edited", "noun-lacking"}, (
        "test_text_edits.py and test_glossary.py have these"
    )


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("random_removal: {by: players, 2: 22,", "random_removal: {by: players, 2: 25,", {"22"}),
        ("first: either, status", "first: either, copies: 2, status", {"108", "15"}),
    ],
)
def test_a_changed_number_shows_in_every_language(tmp_path: Path, old: str, new: str, says: set[str]) -> None:
    """Also if the spec itself has errors and cannot be played."""
    specs = TRANSLATIONS[0].parents[2]
    shutil.copytree(specs / "translations" / "fortheking", tmp_path / "translations" / "fortheking")
    (tmp_path / "glossaries").mkdir()
    for name in ("fortheking.yaml", "glossaries/fortheking.yaml"):
        shutil.copy(specs / name, tmp_path / name)
    spec = tmp_path / "fortheking.yaml"
    before = spec.read_text(encoding="utf-8")
    assert before.count(old) == 1
    spec.write_text(before.replace(old, new), encoding="utf-8")
    assert not rulespec.check(spec).ok
    for lang in ("en", "uk", "zh-Hant"):
        read, _ = source.read(str(tmp_path / "translations" / "fortheking" / f"{lang}.yaml"))
        assert read is not None
        every = [one for found in check_translation(read).findings for one in (found, *found.related)]
        wrong = [one for one in every if one.name == "fact-contradicted"]
        lines = read.text.splitlines()
        assert {lines[one.start.line - 1][one.start.column - 1 : one.end.column - 1] for one in wrong} == says


@pytest.mark.parametrize("path", OF_GAMES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_rulebook_holds_the_rules_of_its_setting_and_no_others(path: Path) -> None:
    spec = rulespec.load(path.parent.name)
    translation = texts_of(spec)[path.stem]
    for players in spec.players:
        setting = spec.game(players).setting
        book = markdown(Rulebook(translation, setting))
        for rule in spec.model.rules.values():
            if rule.only_if is not None and not setting.present(rule.only_if):
                assert translation.rules[rule.id].text.text.strip() not in book


def test_a_text_that_lacks_a_rule_is_found() -> None:
    for path in (path for path in OF_GAMES if path.parent.name == "kingme" and path.stem in ("en", "zh-Hant")):
        content = path.read_text(encoding="utf-8")
        lines = content.splitlines(keepends=True)
        start = next(i for i, line in enumerate(lines) if line.startswith("  ") and line.strip().endswith(":"))
        end = next(i for i in range(start + 1, len(lines)) if lines[i].startswith("  ") and lines[i][2] != " ")
        cut, _ = source.from_text("".join(lines[:start] + lines[end:]), str(path))
        assert cut is not None
        missing = lines[start].strip().rstrip(":")
        assert [(f.name, f.rule) for f in check_translation(cut).findings] == [("text-missing", missing)]


def test_commands_show_the_text() -> None:
    run = CliRunner().invoke
    assert "uk" in run(main, ["text", "status", "fortheking"]).output
    book = run(main, ["text", "render", "fortheking", "--lang", "en", "--players", "2"])
    assert book.exit_code == 0 and book.output.startswith("# For the King (and Me)")
    assert run(main, ["text", "render", "fortheking", "--lang", "qux"]).exit_code == 3
    assert "in zh-Hant:" in run(main, ["explain", "esteem.bid", "--spec", "fortheking"]).output
