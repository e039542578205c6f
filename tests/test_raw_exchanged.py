"""Values of raw texts in place of others: terms, players and places that the rules of their sentences exclude."""

from __future__ import annotations

import pytest

import rulespec
from rulespec.rulebook import book_of, texts_of
from rulespec.text.raw import align
from rulespec.text.raw.exchanged import exchanged

FOUND = [
    ("en", "kingme", "- floor 4, dignitaries: 4\n- floor 3, merchants: 3", ("merchants", "officer")),
    ("uk", "kingme", "- сановники, четвертий поверх\n- купці, третій поверх", ("купці", "officer")),
    ("zh-Hant", "kingme", "- 第4層，權貴：4分\n- 第3層，商人：3分", ("商人", "officer")),
    ("en", "fortheking", "The adviser goes first, the others follow clockwise.", ("adviser", "first_player")),
    ("en", "fortheking", "Then the first player draws a card at random.", ("first player", "left_neighbour")),
    ("uk", "fortheking", "- радник відкриває картку;", ("радник", "first_player")),
    ("zh-Hant", "fortheking", "從顧問開始，其他人依順時鐘方向輪流出價或跳過。", ("顧問", "first_player")),
    ("en", "fortheking", "King cards move secondary duties directly.", ("secondary duties", "primary_duty")),
    ("uk", "fortheking", "Карти короля змінюють ціну другорядних посад.", ("другорядних посад", "primary_duty")),
    ("zh-Hant", "fortheking", "國王卡牌直接調整次要職位。", ("次要職位", "primary_duty")),
]
"""A language, a game, a text, and the words found in it with what the rule has instead."""

TRUE = [
    ("en", "kingme", "- floor 4, dignitaries: 4\n- officers stand on floor 3"),
    ("en", "fortheking", "The player to the left of the adviser goes first, the others follow clockwise."),
    ("en", "fortheking", "The first player turns up the top card of the favour deck."),
    ("uk", "fortheking", "Перший гравець відкриває верхню картку стосу прихильності."),
    ("en", "fortheking", "King cards move primary duties, not secondary duties."),
    ("uk", "fortheking", "Картки короля не змінюють другорядних посад, лише чільні."),
    ("zh-Hant", "fortheking", "起始玩家翻開恩賜牌堆頂的牌。"),
    ("zh-Hant", "fortheking", "由起始玩家開始拿牌堆並分配卡牌。"),
    ("uk", "fortheking", "Воно завжди дорівнює половині значення тайла чільної посади, заокругленій униз."),
    ("zh-Hans", "keyflower_king", "国王的村庄板块放在国王面板上方的三个村庄板块栏里，依次是蓝色、红色和黄色。"),
    ("zh-Hans", "keyflower_king", "国王按升级和扩建层的说明升级一块板块，或把扩建层放到有固定分数的已升级板块上。"),
]


def found(lang: str, game: str, text: str) -> list[tuple[str, str]]:
    spec = rulespec.load(game)
    alignment = align(text, lang, book_of(spec), texts_of(spec)[lang])
    return [(text[one.value.start : one.value.end], one.instead) for one in exchanged(alignment)]


@pytest.mark.parametrize(("lang", "game", "text", "expected"), FOUND, ids=lambda value: str(value)[:40])
def test_a_value_in_place_of_another_is_found(lang: str, game: str, text: str, expected: tuple[str, str]) -> None:
    assert found(lang, game, text) == [expected]


@pytest.mark.parametrize(("lang", "game", "text"), TRUE, ids=lambda value: str(value)[:40])
def test_what_the_rule_says_is_not(lang: str, game: str, text: str) -> None:
    assert found(lang, game, text) == []
