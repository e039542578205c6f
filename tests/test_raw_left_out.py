"""What a raw text leaves out is reported once, and not where a sentence says it in other words or says it wrongly."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import yaml

import rulespec
from rulespec.api import Spec
from rulespec.rulebook import check_raw, texts_of
from rulespec.source import Source

SAID_ONCE = Path(__file__).with_name("said_once.yaml")


@cache
def _king_me() -> Spec:
    return rulespec.load("kingme")


def _found(lang: str, rule: str, instead: str) -> set[tuple[str, str]]:
    """The findings about a rule in our own text with other words in its place, by name and words of the text."""
    passages = texts_of(_king_me())[lang].rules
    texts = [instead if id_ == rule else one.text.text for id_, one in passages.items()]
    found = check_raw(Source("text.md", "\n\n".join(filter(None, texts))), lang, _king_me()).findings
    return {(one.name, one.rule) for one in found if one.rule == rule}


IN_OTHER_WORDS = (
    ("en", "setup.silence", "Keep secret how many ballots you still hold."),
    ("en", "round.starter", "The player to the left of the last owner of the crown begins the next round."),
    ("uk", "setup.silence", "Скільки карток голосування лишилося в руці, нікому не кажіть."),
    ("zh-Hant", "nominate.next", "人物被驅逐後，由王冠持有者左邊的玩家繼續把人物往上推。"),
)


@pytest.mark.parametrize(("lang", "rule", "text"), IN_OTHER_WORDS)
def test_a_rule_in_other_words_is_not_left_out(lang: str, rule: str, text: str) -> None:
    assert _found(lang, rule, text) == set()


def test_a_contradicted_rule_is_not_left_out_as_well() -> None:
    false = "If your favourites bring you 0 points in all in the third round, you gain 23 points."
    names = {name for name, _ in _found("en", "score.nothing", false)}
    assert names and names <= {"fact-contradicted", "number-unaccounted"}


WITHOUT_A_LIST = {row["lang"]: row["text"] for row in yaml.safe_load(SAID_ONCE.read_text(encoding="utf-8"))}
IN_PASSING = """\
Everybody draws 1 of the 26 goal cards. It shows 6 of the 13 characters, who are your favourites in this round. You also
have vote cards: an approval, and rejections, whose number depends on the number of players.

The board shows a castle. In turn, everybody puts 1 character on a floor from 1 to 4, which holds 4 characters at most.
The rest start on floor 0. Then move a character up by 1 floor on your turn. When a character reaches the throne on
floor 6, all players vote. One rejection expels it. If all approve, it is king, and the round is over.
"""
LIST = "In the box are 1 crown, 6 score markers, 6 approvals, 26 goal cards and 13 characters.\n\n"


@pytest.mark.parametrize(
    ("lang", "text", "left_out"),
    [
        ("en", IN_PASSING, []),
        ("en", LIST + IN_PASSING, ["Missing fact of `setup.components`: 12 (“rejection”)."]),
        ("uk", WITHOUT_A_LIST["uk"], []),
        ("zh-Hant", WITHOUT_A_LIST["zh-Hant"], []),
    ],
    ids=["en", "en with a list", "uk", "zh-Hant"],
)
def test_what_is_counted_in_passing_is_no_list_of_what_is_in_the_box(lang: str, text: str, left_out: list[str]) -> None:
    found = check_raw(Source("text.md", text), lang, _king_me()).findings
    about = [one for one in found if (one.name, one.rule) == ("fact-missing", "setup.components")]
    assert [one.message for one in about] == left_out
