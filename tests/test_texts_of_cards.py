"""The text of a card beside those of the other cards in its language."""

from __future__ import annotations

import pytest
from mutation_workshop import SPECS

from rulespec.base.source import read
from rulespec.games.rulebook import check_translation

TEXTS = SPECS / "gallery" / "translations" / "glass_garden"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lang", "rule", "old", "new", "said"),
    [
        # glass_garden says when a card has its effect in the same words on every card
        ("en", "name.hydrangea", "Now: score 1 point", "Each turn: score 1 point", "income"),
        ("uk", "name.lizard", "Кінець: 1 очко за кожну зелену", "Одразу: 1 очко за кожну зелену", "built"),
        ("zh-Hant", "name.tree_frog", "每回合：拿取1顆綠色", "立即：拿取1顆綠色", "built"),
        # of the cards that draw every one names the deck
        ("en", "name.daffodil", "draw 2 cards from the deck", "draw 2 cards", "“deck”"),
    ],
)
def test_a_card_worded_unlike_the_others(lang: str, rule: str, old: str, new: str, said: str) -> None:
    source, _ = read(str(TEXTS / f"{lang}.yaml"))
    assert source is not None
    start = source.text.index(f"\n  {rule}:")
    end = source.text.index("confirmed:", start)
    entry = source.text[start:end]
    assert entry.count(old) == 1, entry
    wrong = type(source)(source.path, source.text[:start] + entry.replace(old, new) + source.text[end:])
    found = check_translation(wrong).findings
    assert {one.rule for one in found} == {rule}
    assert [one for one in found if one.name in ("fact-contradicted", "language-lacks") and said in one.message], found
