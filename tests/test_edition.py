"""The edition of a text for one number of players."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulespec
from rulespec.games.rulebook import texts_of
from rulespec.text.languages.registry import LANGUAGES
from rulespec.text.output.edition import Edition
from rulespec.text.output.render.book import sections

LIST = "Take cards:\n\n- 2 players: 7 cards\n- 3 or 4 players: 6 cards\n- 5 players: 5 cards\n\nLook at them."

CASES = [
    # language, players, text, its edition
    ("en", 2, LIST, "Take cards:\n\n- 7 cards\n\nLook at them."),
    ("en", 4, LIST, "Take cards:\n\n- 6 cards\n\nLook at them."),
    ("en", 3, "Shuffle. With 2 players skip this. Deal.", "Shuffle."),
    ("en", 2, "Shuffle. With 2 players skip this. Deal.", "Shuffle. With 2 players skip this. Deal."),
    ("en", 3, "**With 2 players** skip this.\nDraw 1 card.\n\nDeal.", "Deal."),
    ("en", 5, "With 2 to 4 players use 5 spaces. With 5 players use 6.", "With 5 players use 6."),
    ("en", 3, "Take 1, and with 5 players 2.", "Take 1, and with 5 players 2."),
    ("en", 3, "Three or more players tie.", "Three or more players tie."),
    ("en", 4, "| 2 players | 7 |\n| 4 players | 5 |", "| 4 players | 5 |"),
    (
        "uk",
        3,
        "Роздайте:\n\n- для 2 гравців — 22;\n- для 3 гравців — 13;\n- для 4 — 8.",
        "Роздайте:\n\n- 13.",
    ),
    ("uk", 3, "Роздайте:\n\n- для 2 гравців — 22;\n- для 3 гравців — 13;\n\nДалі.", "Роздайте:\n\n- 13.\n\nДалі."),
    ("uk", 3, "Тасуйте.\n\nДля 2 гравців це не діє.", "Тасуйте."),
    ("zh-Hant", 4, "張數：\n- 2人遊戲：60張\n- 4人遊戲：80張\n\n傳給起始玩家。", "張數：\n- 80張\n\n傳給起始玩家。"),
    ("zh-Hant", 5, "3人遊戲時，拿1張；5人遊戲時，拿2張。洗牌。", "5人遊戲時，拿2張。洗牌。"),
    ("zh-Hant", 3, "3人遊戲時，拿1張；5人遊戲時，拿2張。", "3人遊戲時，拿1張。"),
]


@pytest.mark.parametrize(("lang", "players", "text", "expected"), CASES)
def test_reduced(lang: str, players: int, text: str, expected: str) -> None:
    assert Edition(text, LANGUAGES[lang], range(2, 6), players).reduced() == expected + "\n"


@pytest.mark.parametrize(("lang", "players", "text", "_"), CASES)
def test_blanks_keep_every_offset(lang: str, players: int, text: str, _: str) -> None:
    blanked = Edition(text, LANGUAGES[lang], range(2, 6), players).blanked()
    assert len(blanked) == len(text)
    assert all(now in (before, " ") for before, now in zip(text, blanked, strict=True))


def test_numbers_about_other_numbers_of_players_are_blank() -> None:
    text = "Deal 3 cards with 2 players, 4 with 3, 5 with 4, and 6 with 5. Of 2 players one pays."
    blanked = Edition(text, LANGUAGES["en"], range(2, 6), 3).blanked()
    assert "4 with 3" in blanked and not {"5", "2", "6"} & set(blanked)


@given(text=st.text(st.sampled_from("25 players\n-:;.|人遊戲，。*—для гравців")), players=st.integers(2, 5))
def test_any_text_has_an_edition(text: str, players: int) -> None:
    for lang in ("en", "uk", "zh-Hant"):
        edition = Edition(text, LANGUAGES[lang], range(2, 6), players)
        assert len(edition.blanked()) == len(text)
        assert len(edition.reduced()) <= len(text) + 1


@pytest.mark.parametrize("game", ["fortheking", "kingme"])
def test_shipped_texts_have_one_amount_for_each_number_of_players(game: str) -> None:
    spec = rulespec.load(game)
    for lang, translation in texts_of(spec).items():
        for players in spec.players:
            for section in sections(translation, spec.game(players).setting):
                edition = Edition(section.text, LANGUAGES[lang], spec.model.players, players)
                assert edition.reduced().strip() == section.text.strip()


def test_the_edition_of_a_spec_has_one_number_of_players() -> None:
    spec = rulespec.load("fortheking").model
    assert list(spec.edition(3).players) == [3]
    with pytest.raises(ValueError, match="2 to 5 players, not for 6"):
        spec.edition(6)
