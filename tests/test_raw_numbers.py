"""Raw texts: numbers of several terms, counts of things, and lists of alternatives."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import rulespec
from rulespec.base.source import Source
from rulespec.games.rulebook import book_of, check_raw, texts_of
from rulespec.text.raw import align_source
from rulespec.text.raw.alignment import Alignment, align
from rulespec.text.raw.columns import Cells, columns
from rulespec.text.raw.miscounts import miscounts
from rulespec.text.raw.numbers import unjustified
from rulespec.text.raw.replaced import replaced
from rulespec.text.raw.term_rows import term_tables
from rulespec.text.rules.facts import of_rule

pytestmark = pytest.mark.slow("reads whole raw texts")

SAID_ONCE = yaml.safe_load(Path(__file__).with_name("said_once.yaml").read_text(encoding="utf-8"))


def aligned(text: str, lang: str, game: str) -> Alignment:
    spec = rulespec.load(game)
    book = book_of(spec)
    assert book is not None
    return align(text, lang, book, texts_of(spec)[lang])


def words(text: str, start: int, end: int) -> str:
    return text[start:end]


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "The nobles on floor 5 score 5, dignitaries on floor 4 score 4, officers on floor 3 bring 3.", []),
        (
            "en",
            "The nobles on floor 5 score 5, dignitaries on floor 4 score 6, officers on floor 3 bring 3, merchants 2.",
            [("6", "4")],
        ),
        (
            "uk",
            "Дворяни на п’ятому поверсі дають 5, вельможі на четвертому — 4, чиновники на другому — 3, торговці 2.",
            [("другому", "3")],
        ),
        ("zh-Hant", "國王十分，貴族五分，顯貴四分，官員兩分，商人兩分，匠人一分，僕役零分。", [("兩", "3")]),
        ("en", "Nobles 6, dignitaries 5, officers 4, merchants 3.", []),
        ("en", "King 10, nobles 5, dignitaries 4, officers 3, merchants 4, craftsmen 3, servants 2.", []),
        ("en", "On 1 craftsmen, on 2 merchants, on 3 officers, on 4 dignitaries, on 5 nobles, 6 is the throne.", []),
        (
            "en",
            "On 1 craftsmen, on 2 merchants, on 3 officers, on 4 dignitaries, on 6 nobles, 7 is the throne.",
            [("6", "5")],
        ),
    ],
)
def test_numbers_of_terms(lang: str, text: str, expected: list[tuple[str, str]]) -> None:
    """A table with more wrong numbers than right ones is about something else."""
    found = [row for table in term_tables(aligned(text, lang, "kingme")) for row in table.wrong]
    assert [(words(text, one.start, one.end), wants) for one, wants in found] == expected


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "The box has 39 gold cards, 16 king cards and 54 government cards, 108 in all.", ["16"]),
        ("en", "The box has 39 gold cards, 15 king cards and 54 government cards, 108 in all.", []),
        ("uk", "У коробці 108 карток: 54 картки уряду, 16 карток короля і 39 карток золота.", ["16"]),
        ("zh-Hant", "遊戲配件共有108張卡牌，其中政府卡54張、國王卡16張、金幣卡39張。", ["16"]),
    ],
)
def test_a_count_that_no_rule_has(lang: str, text: str, expected: list[str]) -> None:
    alignment, rule = aligned(text, lang, "fortheking"), "setup.components"
    wrong = [one for fact in of_rule(alignment.book.spec, rule) for one in miscounts(fact, rule, alignment)]
    assert [one.says for one in wrong if "king" in one.wants] == expected


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "Characters: 4 with 3 players, 3 with 4 players, 2 with 5 players, 2 with 6 players.", []),
        (
            "en",
            "Characters: 4 with 4 players, 3 with 4 players, 2 with 5 players, 2 with 6 players.",
            [(0, "3 players")],
        ),
        ("uk", "Персонажі: утрьох — по чотири, вчотирьох — по три, вп'ятьох або вшістьох — по два.", []),
        (
            "uk",
            "Персонажі: утрьох — по чотири, вчотирьох — по три, вшістьох або вшістьох — по два.",
            [(2, "5 players")],
        ),
        (
            "zh-Hant",
            "3 人局每人擺 4 個角色，4 人局每人擺 3 個角色，6 人局、6 人局每人都只擺 2 個角色。",
            [(2, "5 players")],
        ),
    ],
)
def test_a_number_of_players_twice_in_a_table(lang: str, text: str, expected: list[tuple[int, str]]) -> None:
    """The row is wrong whose value belongs to the number of players that is missing."""
    alignment = aligned(text, lang, "kingme")
    keys = [row.keys[0] for row in alignment.reading.rows]
    wrong = [one for column in columns(alignment) for one in column.wrong]
    assert [(keys.index(key), wants) for key, wants in wrong] == expected


_TABLE = """| | 3 players | 4 players | 5 players | 6 players |
|---|---|---|---|---|
| No cards each | 4 | 3 | 2 | 2 |
| figures on floor 0 | 1 | 1 | 3 | 1 |
"""


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (_TABLE, []),
        (_TABLE.replace("4 | 3 | 2", "4 | 5 | 2"), [("5", "3 with 4 players")]),
        (_TABLE.replace("1 | 3 | 1", "1 | 4 | 1"), [("4", "3 with 5 players")]),
    ],
)
def test_a_table_with_players_in_its_head(table: str, expected: list[tuple[str, str]]) -> None:
    alignment = aligned(table, "en", "kingme")
    wrong = [one for column in columns(alignment) for one in column.wrong]
    assert [(words(table, cell.start, cell.end), wants) for cell, wants in wrong] == expected


def test_the_number_of_a_term_elsewhere() -> None:
    """In another place the number beside a term of a table may count these things."""
    table = "Nobles on floor 5: 5 points.\n\nDignitaries on floor 4: 4 points.\n\nOfficers on floor 3: 3 points.\n\n"
    text = table + "A note.\n\nAnother note.\n\nThe best round has four nobles on floor 5."
    assert [row for one in term_tables(aligned(text, "en", "kingme")) for row in one.wrong] == []


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "Setup: with 2 players put all secondary duty tiles aside.", []),
        ("en", "Setup: with 7 players put all secondary duty tiles aside.", ["7"]),
        ("en", "Setup: with 10 players put all secondary duty tiles aside.", ["10"]),
        ("en", "Setup: with 10 people put all secondary duty tiles aside.", []),
        ("en", "Setup: with 2–6 players shuffle the cards.", ["6"]),
        ("uk", "Підготовка: за участі сімох гравців відкладіть тайли другорядних посад.", ["сімох"]),
    ],
)
def test_players_that_the_game_is_not_for(lang: str, text: str, expected: list[str]) -> None:
    found = [one for one in unjustified(aligned(text, lang, "fortheking")) if one.instead == "2 to 5 players"]
    assert [words(text, one.quantity.start, one.quantity.end) for one in found] == expected


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "For the King (2 to 5)\n\nShuffle the cards.", []),
        ("en", "For the King (2 to 4)\n\nShuffle the cards.", ["4"]),
        ("en", "For the King\n\nA game for 3 to 5 players.\n\nShuffle the cards.", ["3 to 5"]),
        ("en", "For the King (best with 3–5)\n\nA game for 2–5 players.\n\nShuffle the cards.", []),
        ("en", "For the King\n\nWith 2–3 players: 4 cards.\nWith 4–5 players: 3 cards.", []),
        ("zh-Hant", "《為王》（2–6人）\n\n洗牌。", ["6"]),
    ],
)
def test_the_players_at_the_start_of_a_text(lang: str, text: str, expected: list[str]) -> None:
    """A range of players that is not the whole one stands beside the whole one, or is the key of a row."""
    found = [one for one in unjustified(aligned(text, lang, "fortheking")) if one.instead == "2 to 5 players"]
    assert [words(text, one.quantity.start, one.quantity.end) for one in found] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("三人局每人四名，四人局每人三名。", ["三", "四"]),
        ("各人從十三名之中支持其中六人。", []),
        ("每位玩家2名。", []),
        ("五名玩家時，最多六人。", ["五", "六"]),
    ],
)
def test_figures_that_players_get_are_no_players(text: str, expected: list[str]) -> None:
    reading = aligned(text, "zh-Hant", "kingme").reading
    assert [reading.text[at] for at in sorted(reading.counts)] == expected


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "36 duty tiles with values from 1 to 7.", ["7"]),
        ("zh-Hant", "配件共有36塊職務板塊（數值1～7）。", ["7"]),
        ("zh-Hant", "配件共有36塊職務板塊（數值1～6）。", []),
    ],
)
def test_a_range_is_wrong_at_its_wrong_end(lang: str, text: str, expected: list[str]) -> None:
    found = unjustified(aligned(text, lang, "fortheking"))
    assert [words(text, one.quantity.start, one.quantity.end) for one in found] == expected


@pytest.mark.parametrize(
    ("game", "lang", "text", "expected"),
    [
        ("fortheking", "zh-Hant", "洗牌。\n\n7 : x8   9 : x14   11 : x17", []),
        ("fortheking", "zh-Hant", "洗牌。\n\n牌：7 : x8   9 : x14   11 : x17", []),
        ("fortheking", "zh-Hant", "遊戲配件：政府板一塊、貴族板五片、職務板三十六片、卡牌數量表一張。", []),
        ("fortheking", "zh-Hant", "遊戲配件：政府板一塊、貴族板五片、職務板三十三片、卡牌數量表一張。", ["三十三"]),
        ("kingme", "en", "Seven levels, from the bottom up, and what each is worth:\n\n- floor 5, nobles: 5", []),
    ],
)
def test_numbers_of_something_else(game: str, lang: str, text: str, expected: list[str]) -> None:
    """Numbers without words, and several that no rule has, are about something else. A table has so many rows."""
    found = unjustified(aligned(text, lang, game))
    assert [words(text, one.quantity.start, one.quantity.end) for one in found] == expected


def test_a_rule_that_a_sentence_hardly_fits_justifies_nothing_bare() -> None:
    """The 3 of another rule is no licence for a change of a duty, which is always by 1."""
    text = "Some king cards raise one duty of your choice by 1, some lower it by 1."
    assert [one.quantity.value for one in unjustified(aligned(text, "en", "fortheking"))] == []
    wrong = text.replace("lower it by 1", "lower it by 2")
    assert [one.quantity.value for one in unjustified(aligned(wrong, "en", "fortheking"))] == [2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The duty tiles: there is room for two duty tiles under every portrait.", []),
        ("The box has 30 duty tiles.", [("30", "36 duty tiles")]),
    ],
)
def test_a_number_is_no_slip_of_one_far_from_it(text: str, expected: list[tuple[str, str]]) -> None:
    found = unjustified(aligned(text, "en", "fortheking"))
    assert [(words(text, one.quantity.start, one.quantity.end), one.instead) for one in found] == expected


REST = {
    "en": "1 government board, 36 duty tiles, 5 noble tiles, 1 card sheet, 108 cards.",
    "uk": "1 поле уряду; 36 тайлів посад; 5 тайлів дворян; 1 пам’ятка з кількістю карток; 108 карток.",
    "zh-Hant": "1塊政府版圖、36塊職務板塊、5塊貴族板塊、1張卡牌準備表、108張卡牌。",
}


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "Cards: 54 government, 15 king, 37 gold.", [("37", "39 gold cards")]),
        ("en", "Cards: 54 government, 15 king, 39 gold.", []),
        ("en", "Cards: 54 government, 15 king, 7 gold.", []),
        ("en", "Cards: 37 gold.", []),
        ("uk", "Картки трьох видів: 54 урядові, 15 королівських і 37 золотих.", [("37", "39 gold cards")]),
        ("zh-Hant", "牌分三種：政府牌54張、國王牌15張、錢37張。", [("37", "39 gold cards")]),
    ],
)
def test_a_number_that_a_list_has_instead_of_another(lang: str, text: str, expected: list[tuple[str, str]]) -> None:
    assert _gold_replaced(f"{REST[lang]}\n\n{text}", lang) == expected


def test_a_list_that_lacks_most_of_its_numbers_has_none_instead() -> None:
    assert _gold_replaced("Cards: 54 government, 15 king, 37 gold.", "en") == []


def _gold_replaced(text: str, lang: str) -> list[tuple[str, str]]:
    alignment, rule = aligned(text, lang, "fortheking"), "setup.components"
    gold = [fact for fact in of_rule(alignment.book.spec, rule) if str(fact.content) == "39 gold cards"]
    return [(one.says, one.wants) for fact in gold for one in replaced(fact, rule, alignment)]


DECK = {(2,): [60], (3,): [72], (4,): [80], (5,): [108]}


@pytest.mark.parametrize(
    ("lang", "text", "is_table"),
    [
        ("en", "That leaves 60, 72, 80 or 108 cards for two, three, four or five players.", True),
        ("zh-Hant", "二、三、四、五人分別是60、72、80、108張。", True),
        ("en", "That leaves 60, 72 or 80 cards for two, three, four or five players.", False),
    ],
)
def test_a_list_of_values_and_one_of_players(lang: str, text: str, is_table: bool) -> None:
    rows = aligned(text, lang, "fortheking").reading.rows
    assert ({row.counts: [q.value for q in row.values] for row in rows} == DECK) is is_table


@pytest.mark.parametrize(
    ("lang", "game", "text"),
    [
        ("en", "fortheking", "The gold cards come in values of 1, 2 and 3."),
        ("uk", "fortheking", "Картки золота мають значення 1, 2 або 3."),
        ("zh-Hant", "fortheking", "黃金卡牌的面額有1、2、3。"),
        ("zh-Hant", "fortheking", "副職的數值是主職的一半，無條件捨去。如果算出來是0，那格就不放副職。"),
        ("en", "kingme", "The box holds:\n\n- 26 leaflets, every one of which names six figures"),
        ("en", "kingme", "The aim: the old king is stepping down, and thirteen people at court could take his place."),
    ],
)
def test_numbers_that_say_nothing_wrong(lang: str, game: str, text: str) -> None:
    """A list that counts on is a range; half of a number may be nothing; a list item may count things in words of its
    own; thirteen people are no players of a game for six."""
    assert [one.quantity.value for one in unjustified(aligned(text, lang, game))] == []


@pytest.mark.parametrize("row", SAID_ONCE, ids=lambda row: row["lang"])
def test_a_wrong_number_of_several_rules_is_reported_once(row: dict[str, str]) -> None:
    """`setup.board`, `setup.goals` and `round.clear` have the number of characters, too."""
    text, lang, spec = row["text"], row["lang"], rulespec.load("kingme")
    true, wrong = (check_raw(Source("x.txt", one), lang, spec) for one in (text, text.replace("13", "12")))
    (new,) = [
        one for one in wrong.findings if (one.code, one.start) not in {(old.code, old.start) for old in true.findings}
    ]
    assert (new.code, new.rule) == ("RS911", "setup.board") and "“12”; the spec says 13" in new.message
    assert (new.start, new.end.column - new.start.column) == (Source("", text).position(text.index("13")), 2)


BY_PLAYERS = "Shuffle the cards that stay in and return this many from the top to the game box at random:\n\n{}"


@pytest.mark.parametrize(
    ("said", "players", "instead"),
    [
        ("- 13 cards", 3, None),
        ("- 22 cards", 3, "13 with 3 players, 22 with 2 players"),
        ("- 8 cards", 2, "22 with 2 players, 8 with 4 players"),
        ("- 13 cards; or 22 in the smallest group", 3, None),
        ("- 22 cards", None, None),
    ],
)
def test_a_number_for_other_players(said: str, players: int | None, instead: str | None) -> None:
    """A text that has the right number as well may be for all numbers of players, in words of its own."""
    spec, text = rulespec.load("fortheking"), BY_PLAYERS.format(said)
    alignment = align_source(Source("x.txt", text), "en", book_of(spec), texts_of(spec)["en"], players)
    assert [one.instead for one in unjustified(alignment) if one.instead] == ([instead] if instead else [])


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (
            "In the third round, no point is worth 33. Why? It is the best of a round: the king for ten, three nobles "
            "for fifteen, two dignitaries for eight.",
            [],
        ),
        (
            "In the third round, no point is worth 33. Why? It is the best of a round: the king for ten, three nobles "
            "for fifteen, two dignitaries for nine.",
            ["fifteen", "nine"],
        ),
        ("In the third round, a player with no point scores 33 points, and 17 + 17 = 34 are more.", []),
        ("Suppose that in the third round a player with no point scores 34 points.", []),
        ("King Me! at table 14\nIn the third round, a player with no point scores 33 points.", []),
        ("King Me! at table 14.\nIn the third round, a player with no point scores 34 points.", ["14", "34"]),
    ],
)
def test_accounts_and_titles(text: str, wrong: list[str]) -> None:
    """The parts of a total that the text states are not held to the rules, nor is the number of a table."""
    alignment = aligned(text, "en", "kingme")
    found = [words(text, one.quantity.start, one.quantity.end) for one in unjustified(alignment)]
    assert found == wrong


@pytest.mark.parametrize("words", ["", "players    ", "Number of players: "])
def test_several_lines_below_the_numbers_of_players(words: str) -> None:
    """A line of all numbers of players, with or without words, heads each line of as many numbers below it."""
    text = f"Put cards back:\n{words}2  3  4  5\nback  22  13  8  0\ndeck  60  72  88  108\n"
    found = [(words_of(one.cells), one.rule) for one in columns(aligned(text, "en", "fortheking"))]
    assert (["22", "13", "8", "0"], "setup.random_removal") in found
    assert (["60", "72", "88", "108"], "setup.deck") in found


def words_of(cells: Cells) -> list[str]:
    return [str(cell.value) for _, cell in cells]
