"""Worked examples in rule texts: proved by the cases of the scenarios, and printed only then."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from rulespec.base.source import read
from rulespec.games.rulebook import check_translation, examples_of, texts_of
from rulespec.text.output.render.book import Rulebook
from rulespec.text.output.render.markdown import markdown
from rulespec.text.output.render.page import html

SPEC = """
rulespec: 2
game: {id: tiny, version: 1.0.0, title: Tiny, players: 2..3}
cards: {fields: {value: 1..9}, manifest: [{value: 1..9}], start: deck}
zones: {deck: {order: stack, seen_by: nobody}, hand: {per: player, seen_by: owner}}
setup: {id: deal, title: Deal, each: {p: player}, do: [{move: {top: 2, from: deck, to: "hand[p]"}}]}
play: [{id: end, title: End, rank: {among: {p: player}, by: [{high: "sum(c.value for c in hand[p])"}], left: share}}]
"""
CASES = """
scenario: 2
game: tiny
cases:
  - id: more
    title: More wins
    players: 2
    given: {at: end, zones: {"hand[1]": ["5"], "hand[2]": ["7"]}, rest: deck}
    expect: {winner: player WINNER}
"""
TEXT = """
translation: 3
game: tiny
lang: en
title: Tiny
rules:
  deal: {title: Deal, text: Deal 2 cards to everybody.}
  end:
    title: End
    text: Most points win.
    examples: [{case: more, text: "EXAMPLE"}]
"""


def project(folder: Path, example: str, winner: int = 2) -> Path:
    """A small project; the path of its text."""
    written = {
        "tiny.yaml": SPEC,
        "scenarios/tiny/cases.yaml": CASES.replace("WINNER", str(winner)),
        "translations/tiny/en.yaml": TEXT.replace("EXAMPLE", example),
    }
    for name, content in written.items():
        path = folder / "specs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return path


def found(path: Path) -> list[tuple[str, str]]:
    source, _ = read(str(path))
    assert source is not None
    return [(one.name, one.message) for one in check_translation(source).findings if one.name.startswith("example")]


def test_an_example_with_the_numbers_of_its_case_is_right(tmp_path: Path) -> None:
    assert found(project(tmp_path, "Ada has 5 points and Ben 7, so Ben wins.")) == []


def test_a_number_that_the_case_does_not_have(tmp_path: Path) -> None:
    path = project(tmp_path, "Ada has 5 points and Ben 8, so Ben wins.")
    assert found(path) == [("example-number", "The case `more` has no number “8”.")]


def test_a_case_that_fails_proves_nothing(tmp_path: Path) -> None:
    path = project(tmp_path, "Ada has 5 points and Ben 7.", winner=1)
    assert found(path) == [("example-unproved", "The case `more` fails, so it does not prove this example.")]
    spec = rulespec.load(path.parents[2] / "tiny.yaml")
    assert examples_of(spec, "en", spec.game(2).setting) == {}


def test_an_unknown_case_gets_the_nearest_as_a_hint(tmp_path: Path) -> None:
    path = project(tmp_path, "x")
    path.write_text(path.read_text().replace("case: more", "case: mor"))
    source, _ = read(str(path))
    assert source is not None
    (one,) = (one for one in check_translation(source).findings if one.name == "example-unproved")
    assert one.message == "The scenarios of Tiny have no case `mor`." and "more" in one.hint


def test_an_example_is_printed_for_the_players_of_its_case(tmp_path: Path) -> None:
    path = project(tmp_path, "Ada has 5 points and Ben 7.")
    spec = rulespec.load(path.parents[2] / "tiny.yaml")
    translation = texts_of(spec)["en"]
    for players in spec.players:
        setting = spec.game(players).setting
        examples = examples_of(spec, "en", setting)
        rulebook = Rulebook(translation, setting, examples=examples)
        for written in (markdown(rulebook), html(rulebook)):
            assert ("Ada has 5 points and Ben 7." in written) == (players == 2)


@pytest.mark.parametrize("lang", ["en", "uk", "zh-Hant"])
def test_every_shipped_example_is_proved_for_some_number_of_players(lang: str) -> None:
    spec = rulespec.load("fortheking")
    wanted = {example.text.text for rule in texts_of(spec)[lang].rules.values() for example in rule.examples}
    by_players = {n: examples_of(spec, lang, spec.game(n).setting) for n in spec.players}
    assert all(by_players.values())
    assert {text for rules in by_players.values() for texts in rules.values() for text in texts} == wanted
