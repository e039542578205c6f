"""Texts with the words of their source: which ones wait to be translated, and what the commands make of them."""

from __future__ import annotations

import json
from pathlib import Path

import polib
import pytest
from command import ftk

from rulespec.base.diagnostics import Span
from rulespec.base.source import Source
from rulespec.text.checks.foreign import check as check_foreign
from rulespec.text.checks.typography.han import other_han_forms
from rulespec.text.output.begun import begun, nearest_of
from rulespec.text.reading.prose import Prose
from rulespec.text.reading.translation import Translation, read
from rulespec.text.seals.since import untranslated_ids

pytestmark = pytest.mark.slow("checks the texts of large games")

SENTENCE = "Draw the top card."


def text(lang: str, said: str, more: str = "") -> Translation:
    head = f"translation: 3\ngame: river\nlang: {lang}\ntitle: River\n"
    rules = f"rules:\n  draw:\n    title: Draw\n    text: {json.dumps(said, ensure_ascii=False)}\n{more}"
    made, found = read(Source(f"{lang}.yaml", head + rules))
    assert made is not None, found
    return made


@pytest.mark.parametrize(
    ("lang", "said", "source", "there", "waits"),
    [
        ("sv", SENTENCE, "en", SENTENCE, True),
        ("sv", "*Draw* the\ntop  card.", "en", SENTENCE, True),
        ("sv", "Dra det översta kortet.", "en", SENTENCE, False),
        ("en-GB", SENTENCE, "en", SENTENCE, False),
        ("sr-Latn", SENTENCE, "sr-Cyrl", SENTENCE, True),
        ("zh-Hans", "抽牌", "zh-Hant", "抽牌", False),
        ("ja", "抽牌", "zh-Hant", "抽牌", True),
        ("ja", "抽", "zh-Hant", "抽", False),
        ("sv", "Bonus", "en", "Bonus", False),
        ("sv", "1 2 3", "en", "1 2 3", False),
    ],
)
def test_which_texts_wait(lang: str, said: str, source: str, there: str, waits: bool) -> None:
    assert untranslated_ids(text(lang, said), text(source, there)) == (frozenset({"draw"}) if waits else frozenset())


def test_a_confirmed_text_and_one_without_a_source_wait_for_nothing() -> None:
    sealed = text("sv", SENTENCE, "    confirmed: 2-0f3a99c2-77d0e2aa words 4d08fbf4\n")
    assert untranslated_ids(sealed, text("en", SENTENCE)) == frozenset()
    assert untranslated_ids(text("sv", SENTENCE), None) == frozenset()


@pytest.mark.parametrize(
    ("lang", "known", "nearest"),
    [
        ("sv", ["uk", "en"], "en"),
        ("sv", ["uk", "zh-Hant"], "uk"),
        ("sv", [], ""),
        ("sv-FI", ["en", "sv"], "sv"),
        ("zh-Hans", ["en", "zh-Hant"], "en"),
        ("zh-Hant-HK", ["en", "zh-Hant"], "zh-Hant"),
        ("sr-Latn", ["en", "sr-Cyrl"], "en"),
    ],
)
def test_the_nearest_language(lang: str, known: list[str], nearest: str) -> None:
    assert nearest_of(lang, known) == nearest


def test_a_text_begins_with_all_that_its_source_has() -> None:
    more = (
        "    examples:\n      - {case: a.b, text: Two cards.}\n    status: draft\n"
        'rulings:\n  tie: {text: "Yes: #1\\n- no"}\n'
    )
    source = text("en", "One.\n\n- two\n- three", more)
    made, found = read(begun("sv", source, "sv.yaml"))
    assert made is not None, found
    assert (made.lang, made.made_from, made.game) == ("sv", "en", "river")
    assert {id_: one.parts for id_, one in made.passages.items()} == {
        id_: one.parts for id_, one in source.passages.items()
    }
    assert not any(one.confirmed or one.status for one in made.passages.values())


SWEDISH = {
    "turns": (
        "There are three rounds. In each round, all players take a turn.",
        "Det spelas tre rundor. I varje runda har alla spelare en tur.",
    ),
    "turn.draw": ("Draw the top card of the deck into your hand.", "Ta det översta kortet i leken på hand."),
    "end": (
        "Add up the values of the cards in your row. The player with the most points wins.",
        "Räkna ihop värdena på korten i din rad. Spelaren med flest poäng vinner.",
    ),
}


@pytest.fixture
def river(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game with texts in Swedish that are not translated, in the current folder."""
    monkeypatch.chdir(tmp_path)
    ftk("new", "river", "--lang", "sv")
    return tmp_path / "specs" / "translations" / "river" / "sv.yaml"


def translate(path: Path, *rules: str) -> None:
    now = path.read_text(encoding="utf-8")
    for before, after in map(SWEDISH.__getitem__, rules):
        assert before in now
        now = now.replace(before, after)
    path.write_text(now, encoding="utf-8")


def test_status_shows_drafts_and_what_the_level_leaves_out(river: Path) -> None:
    translate(river, "turns")
    (game,) = json.loads(ftk("text", "status", "river", "--format", "json").stdout)["games"]
    english, swedish = game["languages"]
    assert (swedish["level"], swedish["draft"], len(swedish["untranslated"])) == (1, 7, 7)
    assert swedish["not_checked"] == ["contrasts", "descriptions", "terms"]
    assert (english["level"], english["not_checked"], english["untranslated"]) == (3, [], [])
    shown = ftk("text", "status", "river").stdout
    assert "sv: level 1 of 3. Not checked: contrasts (left or right, most or fewest); sentences" in shown
    assert "sv: 7 texts are not translated yet. To list them: ftk text changes sv\n" in shown
    assert "en: level" not in shown


def test_changes_list_what_is_left(river: Path) -> None:
    translate(river, "turns")
    shown = ftk("text", "changes", "sv").stdout
    assert shown.startswith("7 texts to bring up to date\n") and "(`turns`)" not in shown
    assert "    Keep the card or discard it.\n" in shown


def test_what_cannot_be_found_in_a_language_of_level_1_is_not_missing(river: Path) -> None:
    translate(river, *SWEDISH)
    assert ftk("check").stdout.count(" RS") == 1  # RS915 for the other texts
    river.write_text(river.read_text(encoding="utf-8").replace("tre rundor", "fyra rundor"), encoding="utf-8")
    assert "“fyra”" in ftk("check").stdout


def test_a_draft_is_not_confirmed_without_a_reason(river: Path) -> None:
    before = river.read_bytes()
    refused = ftk("text", "status", "river", "--lang", "sv", "--confirm")
    assert refused.exit_code == 3 and "Not translated yet, so nothing was confirmed: 8 texts of" in refused.stderr
    assert river.read_bytes() == before
    translate(river, "turns")
    assert ftk("text", "status", "river", "--lang", "sv", "--confirm", "turns").exit_code == 0
    same = ftk("text", "status", "river", "--lang", "sv", "--confirm", "end", "--anyway", "The same words are right.")
    assert same.exit_code == 0 and "# anyway: The same words are right." in river.read_text(encoding="utf-8")
    assert "6 of 8 texts" in ftk("check").stdout


@pytest.mark.parametrize("form", ["po", "xliff", "xliff-1.2"])
def test_the_tools_of_translators_get_no_translation(river: Path, form: str) -> None:
    shown = ftk("text", "export", "river", "--lang", "sv", "--as", form).stdout
    assert shown.count("Keep the card or discard it.") == 1
    Path("out").write_text(shown, encoding="utf-8")
    again = ftk("text", "import", "out")
    assert (again.exit_code, "nothing to change" in again.stderr, "RS996" in again.stderr) == (0, True, False)


def test_a_language_begins_with_an_export_and_an_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ftk("new", "river")
    assert ftk("text", "export", "river", "--lang", "sv", "--output", "sv.po").exit_code == 0
    assert not Path("specs/translations/river/sv.yaml").exists()
    file = polib.pofile("sv.po")
    for entry in file:
        entry.msgstr = dict(SWEDISH.values()).get(entry.msgid, entry.msgstr)
    file.save("sv.po")
    result = ftk("text", "import", "sv.po")
    changed = "rules/turns/text, rules/turn.draw/text, rules/end/text"
    assert result.stderr == f"specs/translations/river/sv.yaml: 3 texts changed: {changed}.\n"
    assert "5 of 8 texts are not translated yet" in ftk("check").stdout


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("text diff river river --lang sv", "river has no rule text in sv."),
        ("describe river --lang germn", "There is no language with the tag `germn`. Write `de` for German."),
        ("text render river --lang sv", "To begin one: ftk text export river --lang sv --output sv.po"),
        ("text status --lang sv", "To begin one: ftk text export river --lang sv --output sv.po"),
        ("text changes sv", "To begin one: ftk text export river --lang sv --output sv.po"),
        ("play river --lang sv", "To begin one: ftk text export river --lang sv --output sv.po"),
        ("explain turn.keep --lang sv", "To begin one: ftk text export river --lang sv --output sv.po"),
        ("text export river --as csv --lang sv", "Add terms in sv to the glossary first."),
        ("cards river --sheet out --lang sv", "Add terms in that language to the glossary, or a text in it, first."),
    ],
)
def test_commands_name_what_a_language_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ftk("new", "river")
    result = ftk(*command.split())
    assert result.exit_code == 3 and said in result.stderr, result.output


@pytest.mark.parametrize(
    ("lang", "said", "foreign"),
    [
        ("uk", "Візьміть персонажа. Put it on any floor you like.", "Put it on any floor you like"),
        ("uk", "Беріть картку. Если этаж занят, выберите другой.", "Если этаж занят, выберите другой"),
        ("uk", "Гру видано як For the King (and Me), а також «Put it on any floor».", ""),
        ("de", "Nimm eine Figur. Then place it anywhere you like.", "Then place it anywhere you like"),
        ("pl", "Weź postać. Setze sie auf ein beliebiges Stockwerk.", "Setze sie auf ein beliebiges Stockwerk"),
        ("zh-Hant", "拿取一個人物，and put it on any floor you like。", "and put it on any floor you like"),
        ("en", "Take a character. Візьміть будь-якого персонажа.", "Візьміть будь-якого персонажа"),
        ("sv", "Ta en figur. Put it on any floor you like.", "Put it on any floor you like"),
        ("uk", "Раунд за раундом. Порада: setup.hand_cards, hand_cards.of_player", ""),
        ("uk", "Беріть картку. Каждый игрок тянет карту.", "Каждый игрок тянет карту"),
        ("uk", "Перемішайте колоду. Якщо вона порожня, гра скінчилася: поле за полем.", ""),
        # German and Polish dictionaries list English function words, which titles quote.
        ("de", "Nimm eine Karte. Bid for the card.", "Bid for the card"),
        ("de", "Mische. The game is over.", "The game is over"),
        ("de", "Name und Land des Spielers: alle Punkte so wie auf der Karte.", ""),
        ("pl", "Weź kartę. Turn up a card for it.", "Turn up a card for it"),
        ("pl", "Do końca rundy to on ma ten tor.", ""),
        ("en", "Take a card. 每位玩家各抽一張牌。", "每位玩家各抽一張牌"),
        ("en", "Take a card. 每位玩家各抽一张牌。", "每位玩家各抽一张牌"),
        ("uk", "Беріть картку. 每位玩家各抽一張牌。", "每位玩家各抽一張牌"),
        ("zh-Hant", "拿取一張牌。Гравці беруть намистини.", "Гравці беруть намистини"),
        ("en", "The game 國王 is for the King (and Me), «Зроби мене королем».", ""),
        ("ko", "플레이어마다 동전 8 개를 가져갑니다 (各自).", ""),
    ],
)
def test_a_sentence_in_another_language_is_found(lang: str, said: str, foreign: str) -> None:
    found = list(check_foreign(Prose(said, lang, Source("text", said), Span)))
    assert [said[one.start.column - 1 : one.end.column - 1] for one in found] == ([foreign] if foreign else [])


@pytest.mark.parametrize(
    "said", ["Положите поле посередине стола", "Все голосуют одновременно", "Игрок слева начинает"]
)
def test_a_short_russian_sentence_is_found_with_a_full_dictionary(said: str) -> None:
    pytest.importorskip("pymorphy3_dicts_uk")
    test_a_sentence_in_another_language_is_found("uk", f"Беріть картку. {said}.", said)


@pytest.mark.parametrize(
    ("lang", "said", "found"),
    [
        ("zh-Hant", "拿取一張牌。这张卡牌进入弃牌堆。", ["这张卡牌进入弃牌堆"]),
        ("zh-Hans", "拿取一张牌。這張卡牌進入棄牌堆。", ["這張卡牌進入棄牌堆"]),
        ("zh-Hant", "玩家将手牌棄掉，放進遊戏盒。", ["将", "戏"]),
        ("zh-Hant", "2人游戏：拿取一張牌。", ["戏", "游"]),
    ],
)
def test_a_sentence_in_the_other_characters_is_one_finding(lang: str, said: str, found: list[str]) -> None:
    places = other_han_forms(Prose(said, lang, Source("text", said), Span))
    assert sorted(said[one.start.column - 1 : one.end.column - 1] for one in places) == sorted(found)
