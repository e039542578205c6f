"""The table of detectors of translations, which `benchmarks/ablation.py --translations` measures."""

from __future__ import annotations

from random import Random

import pytest
from mutation_workshop import with_text, workshop
from mutations import OPERATORS, mutants

from rulespec.text.checks.detectors import DETECTORS, detected
from rulespec.text.checks.page import Page

SAMPLE = 3


def test_rows_have_names_of_their_own_and_give_way_to_earlier_ones() -> None:
    before = {"generated"}
    for one in DETECTORS:
        assert one.name == "generated" or (one.name not in before and before.issuperset(one.rank.after)), one.name
        before |= {one.name, *one.codes}


@pytest.mark.parametrize("lang", ["en", "uk", "zh-Hant"])
@pytest.mark.sample(1)
def test_a_detector_lists_what_it_finds(lang: str) -> None:
    shop = workshop("kingme")
    translation, others = shop.texts[lang], tuple(shop.texts.values())
    for operator in OPERATORS:
        every = [one for one in mutants(shop, lang, operator) if one.text]
        for one in Random(operator).sample(every, min(SAMPLE, len(every))):
            passage = with_text(translation.passages[one.passage], one.text or "")
            titles, spec = translation.titles, shop.book.spec
            page = Page(passage, lang, spec, shop.book, titles, (), translation, others)
            unlisted = {(row.name, it.name) for row, it in detected(page) if row.codes and it.name not in row.codes}
            assert unlisted == set(), one.change
