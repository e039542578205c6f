"""The localiser's desk: what a text must state, and its findings while it is edited."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import rulespec
from rulespec.base.source import Source, read
from rulespec.editing.desk import Desk
from rulespec.games.rulebook import check_translation

pytestmark = pytest.mark.slow("checks whole texts")

ROOT = Path(__file__).parents[1]


@cache
def desk(path: str) -> Desk:
    source, _ = read(str(ROOT / path))
    assert source is not None
    return Desk(rulespec.load(Path(path).parent.name), source)


def in_fortheking(lang: str) -> Desk:
    return desk(f"specs/translations/fortheking/{lang}.yaml")


def changed(one: Desk, old: str, new: str) -> Desk:
    assert old in one.source.text
    return Desk(rulespec.load("fortheking"), Source(one.source.path, one.source.text.replace(old, new, 1)))


@pytest.mark.parametrize("path", ["kingme/uk", "kingme/zh-Hant", "fortheking/en", "keyflower_king/zh-Hans"])
@pytest.mark.sample(1)
def test_findings_about_one_text_are_those_of_the_whole_check(path: str) -> None:
    """Every sixth text with another number, or with its last word gone."""
    one = desk(f"specs/translations/{path}.yaml")
    for entry in list(one.entries())[::12]:
        text = one.unit(entry.id).text
        edited = re.sub(r"\d+", lambda number: str(int(number[0]) + 1), text, count=1)
        edits = {f"{entry.key}/text": edited if edited != text else text.rstrip()[:-6]}
        source, unwritable = one.written(edits)
        assert not unwritable, entry
        known = [found for found in check_translation(source).findings if found.rule == entry.id]
        assert list(one.findings(entry.id, edits)) == known, entry


def test_a_unit_has_the_values_of_a_number_of_players() -> None:
    unit = in_fortheking("uk").unit("setup.random_removal", players=3)
    assert [one.text for one in unit.statements if re.search(r"\d", one.text)] == [
        "Перемістіть 13 карток із верху колоди до коробки, долілиць."
    ]
    said = next(one.said_in for one in unit.statements if "13" in one.text)
    assert said is not None
    sentence = unit.sentences[said]
    assert "коробки" in unit.text[sentence.start : sentence.end]
    assert set(unit.others) == {"en", "zh-Hant"}


def test_a_unit_has_the_terms_of_its_rule() -> None:
    terms = {one.concept: one for one in in_fortheking("uk").unit("setup.random_removal").terms}
    assert terms["game_box"].preferred == "коробка" and terms["game_box"].mentioned
    assert not terms["deck"].mentioned


def test_states_of_texts() -> None:
    uk = in_fortheking("uk")
    confirmed = re.search(r"  setup\.deck:\n(?:    .*\n|\n)*?    confirmed: (.+)\n", uk.source.text)
    assert confirmed is not None
    line = f"    confirmed: {confirmed[1]}\n"
    for new, state in (
        ("    confirmed: 2-00000000-00000000 words 00000000\n", "stale"),
        ("    status: draft\n", "draft"),
        ("    status: reviewed\n", "unconfirmed"),
    ):
        states = {entry.id: entry.state for entry in changed(uk, line, new).entries()}
        assert states["setup.deck"] == state


def test_a_text_that_is_missing_can_be_written_and_confirmed() -> None:
    uk = in_fortheking("uk")
    gone = re.search(r"  setup\.deck:\n(?:    .*\n|\n)+", uk.source.text)
    assert gone is not None
    without = changed(uk, gone[0], "")
    assert {entry.id: entry.state for entry in without.entries()}["setup.deck"] == "missing"
    assert without.unit("setup.deck").text == ""
    assert without.findings("setup.deck") == ()
    again, found = without.written({"rules/setup.deck/title": "Колода", "rules/setup.deck/text": "Перетасуйте."})
    assert not found
    written = Desk(rulespec.load("fortheking"), again)
    assert written.unit("setup.deck").text == "Перетасуйте."
    confirmed, found = written.confirmed("setup.deck")
    assert not found
    states = {entry.id: entry.state for entry in Desk(rulespec.load("fortheking"), confirmed).entries()}
    assert states["setup.deck"] == "confirmed"


def test_a_new_text_without_a_title_is_not_written() -> None:
    uk = in_fortheking("uk")
    source, found = uk.written({"rules/nowhere/text": "…"})
    assert found and source.text == uk.source.text


@pytest.mark.parametrize("content", ["", "game: [", "game: kingme\nlang: uk\ntitle: t\nrules: {}\n"])
def test_a_file_that_is_no_translation_of_the_game_is_refused(content: str) -> None:
    with pytest.raises(ValueError):
        Desk(rulespec.load("fortheking"), Source("uk.yaml", content))


def test_a_text_of_another_game_is_refused_by_its_name() -> None:
    text = in_fortheking("uk").source.text.replace("game: fortheking", "game: kingme")
    with pytest.raises(ValueError, match="of `kingme`, not of `fortheking`"):
        Desk(rulespec.load("fortheking"), Source("uk.yaml", text))


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(KeyError):
        in_fortheking("uk").unit("nowhere")
    with pytest.raises(KeyError, match="no rule or ruling `nowhere`"):
        in_fortheking("uk").findings("nowhere", {"rules/nowhere/text": "…"})


def test_a_finding_is_ignored_with_a_reason() -> None:
    wrong = changed(in_fortheking("uk"), "72 картки", "73 картки")
    assert [found.code for found in wrong.findings("setup.deck")] == ["RS911"]
    source, found = wrong.ignoring("setup.deck", "RS911", "the publisher\nprints it so")
    assert not found and "  # ftk: ignore RS911 the publisher prints it so\n  setup.deck:\n" in source.text
    left = Desk(rulespec.load("fortheking"), source).findings("setup.deck")
    assert [found.code for found in left] == ["RS909"], "the text has been edited since it was confirmed"
    with pytest.raises(ValueError):
        wrong.ignoring("setup.deck", "RS911", " ")


def test_what_has_no_text_is_called_in_the_words_of_the_language() -> None:
    path = "specs/translations/keyflower_king/zh-Hans.yaml"
    text = "translation: 1\ngame: keyflower_king\nlang: zh-Hans\ntitle: T\nrules: {a1.sort: {title: T, text: T}}\n"
    source = Source(str(ROOT / path), text)
    titles = {entry.id: entry.title for entry in Desk(rulespec.load("keyflower_king"), source).entries()}
    assert titles["tie"] == "双方分数相同时谁获胜？" and titles["a1.bag"] == "Fill the bag"
