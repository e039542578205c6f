"""The unseen texts fit the specs. `benchmarks/unseen.py` measures the checker on them."""

from __future__ import annotations

import pytest
from mutation_workshop import workshop
from unseen_texts import PARTS, texts


@pytest.mark.parametrize("part", PARTS)
def test_every_text_is_of_a_rule_and_every_change_changes_it(part: str) -> None:
    for one in texts(part):
        shop = workshop(one.game)
        assert one.rule in shop.texts[one.lang].passages, one.rule
        assert one.text and one.changes, one.rule
        for change in one.changes:
            assert one.text.count(change.was) == 1 and one.changed(change) != one.text, (one.rule, change)
