"""What other texts of a rule say of its terms, numbers, contrasts and the order of its lists."""

from __future__ import annotations

import pytest
from mutation_workshop import Mutant, workshop

from rulespec.text.judging.compare import reordered
from rulespec.text.judging.witnesses import doubts
from rulespec.text.reading.mentions import Reading


def read(text: str, others: dict[str, str]) -> tuple[Reading, list[Reading]]:
    """The reading of an English text, and of other texts by their tags."""
    book = workshop("kingme").book
    return book.read(text, "en"), [book.read(other, tag.replace("_", "-")) for tag, other in others.items()]


def found(text: str, **others: str) -> list[tuple[str, str]]:
    """The words that the other texts reject, each with the value they have instead."""
    reported = doubts(*read(text, others), workshop("kingme").book)
    return [(text[one.start : one.end], one.instead) for one in reported]


FACE_UP = "Lay 3 cards face up and 2 cards face down."
FACE_DOWN = "Lay 3 cards face down and 2 cards face down."
CARDS_UK = "Покладіть 3 картки горілиць, а 2 картки долілиць."


def test_a_value_that_another_language_opposes() -> None:
    assert found("Lay 3 cards face up.", uk="Покладіть 3 картки долілиць.") == [("face up", "down")]
    assert found("Lay 3 cards face up.", uk="Покладіть 3 картки горілиць.") == []


def test_values_of_a_sentence_are_counted() -> None:
    assert found(FACE_UP, uk=CARDS_UK) == []
    assert {instead for _, instead in found(FACE_DOWN, uk=CARDS_UK)} == {"up"}


def test_a_word_that_one_language_adds_is_no_disagreement() -> None:
    assert found("Lay 3 cards face down.", uk="Покладіть 3 картки.") == []
    assert found("Lay 3 cards face down.", uk=CARDS_UK) == []


def test_one_language_that_agrees_is_enough() -> None:
    assert found("Lay 3 cards face up.", uk="Покладіть 3 картки долілиць.", zh_Hant="把3張牌面朝上放好。") == []


@pytest.mark.parametrize(
    ("others", "instead"),
    [
        ({"uk": "Ви мусите взяти 3 картки."}, [("may", "must")]),  # the texts agree in all else
        ({"uk": "Ви мусите негайно скинути 3 картки долілиць."}, []),  # a single text in other words does not decide
        ({"uk": "Ви мусите взяти 3 картки.", "zh_Hant": "你必須拿3張牌。"}, [("may", "must")]),
        ({"uk": "Ви мусите взяти 3 картки.", "zh_Hant": "你可以拿3張牌。"}, []),
    ],
)
def test_families_with_a_converse_need_close_texts_or_every_other_language(
    others: dict[str, str], instead: list[tuple[str, str]]
) -> None:
    assert found("You may take 3 cards.", **others) == instead


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("Nobody takes 3 cards.", {"uk": "Усі не беруть 3 карток.", "zh_Hant": "所有人都不拿3張牌。"}),
        (
            "Take 3 cards if you have none.",
            {"uk": "Візьміть 3 картки, якщо їх у вас немає.", "zh_Hant": "如果沒有牌，就拿3張。"},
        ),
        ("You do not lose 3 cards.", {"uk": "Ви не втрачаєте 3 карток."}),
    ],
)
def test_negations_in_other_words_are_no_disagreement(text: str, others: dict[str, str]) -> None:
    assert found(text, **others) == []


@pytest.mark.parametrize(
    ("text", "others", "instead"),
    [
        (
            "Take all 3 cards from the top.",
            {"uk": "Не беріть 3 карток із верху колоди.", "zh_Hant": "從牌堆頂不拿3張牌。"},
            [("all", "not")],
        ),
        (
            "You do not lose 3 cards from the top.",
            {"uk": "Ви не отримуєте 3 карток із верху колоди."},
            [("lose", "not take")],
        ),
    ],
)
def test_negations_are_compared_between_close_texts(
    text: str, others: dict[str, str], instead: list[tuple[str, str]]
) -> None:
    assert found(text, **others) == instead


def test_a_marked_value_is_not_left_out() -> None:
    close = {"uk": "Візьміть картки з верху колоди, горілиць.", "zh_Hant": "從牌堆頂拿走牌，面朝上。"}
    assert found("Take the rest of the cards from the top, face up.", **close) == [("the rest of", "")]
    assert found("Take all the cards from the top, face up.", **close) == []


def test_only_turns_what_one_may_do_into_what_one_must_do() -> None:
    assert found("You may take only 3 cards.", zh_Hant="你必須拿3張牌。") == []
    assert found("You may take 3 cards.", zh_Hant="你必須拿3張牌。") == [("may", "must")]


def test_neighbouring_bounds_say_the_same() -> None:
    assert found("Take more than 3 cards.", zh_Hant="拿至少4張牌。") == []
    assert found("Take more than 3 cards.", zh_Hant="拿至少3張牌。") == [("more than", "at_least")]


def test_texts_with_a_single_contrast_are_close_if_they_speak_of_the_same_things() -> None:
    assert found("You may use 3 cards.", zh_Hant="你必須用3張牌。") == [("may", "must")]
    assert ("may", "must") not in found("You may use 3 cards.", zh_Hant="國王必須走5步。")


def ranges_reported(text: str) -> list[str]:
    """The messages on numbers that the Ukrainian text of a rule has in another way than the other languages."""
    found = workshop("kingme").findings(Mutant("uk", "setup.left_over", "number", text, ""))
    return [finding.message for finding in found if finding.name == "language-number"]


def test_a_range_has_the_ends_of_the_other_languages() -> None:
    text = workshop("kingme").texts["uk"].passages["setup.left_over"].text.text
    assert "3–5" in text and ranges_reported(text) == []
    message = "The text says “{}”, but de, en, pl and zh-Hant have 3–5 here."
    assert ranges_reported(text.replace("3–5", "3–6")) == [message.format("3–6")]
    assert ranges_reported(text.replace("3–5", "4–5")) == [message.format("4–5")]
    assert ranges_reported(text.replace("Для 3–5 гравців", "Для 3, 4 або 5 гравців")) == []


FLOORS = {"uk": "- Візьміть 6 карт цілей.\n- Візьміть 5 персонажів.\n- Пройдіть 2 поверхи.\n"}


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("- Take 6 goal cards.\n- Take 5 characters.\n- Go up 2 floors.\n", []),
        ("- Take 5 characters.\n- Take 6 goal cards.\n- Go up 2 floors.\n", ["- Take 5 characters."]),
        ("- Take 5 characters.\n- Go up 2 floors.\n", []),  # another list
        ("Take 5 characters.\nTake 6 goal cards.\nGo up 2 floors.\n", []),  # no list
    ],
)
def test_lists_in_another_order(text: str, first: list[str]) -> None:
    assert [text[span.start : span.end] for span in reordered(*read(text, FLOORS))] == first


def test_terms_and_numbers_need_every_other_text() -> None:
    uk, zh = "Поставте 3 персонажів на поле.", "把3個人物放到版圖上。"
    assert found("Put 4 characters on the board.", uk=uk, zh_Hant=zh) == [("4", "3")]
    assert found("Put 4 characters on the board.", uk=uk, zh_Hant="把4個人物放到版圖上。") == []
    assert found("Take 2 to 4 goal cards.", uk="Візьміть від 2 до 5 карт цілей.") == [("2 to 4", "2–5")]
