"""What a raw text leaves out is reported once, and not where a sentence says it in other words or says it wrongly."""

from __future__ import annotations

from functools import cache

import pytest

import rulespec
from rulespec.base.source import Source
from rulespec.games.api import Spec
from rulespec.games.rulebook import check_raw, texts_of

pytestmark = pytest.mark.slow("reads whole raw texts")


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
