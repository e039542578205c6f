"""The table of detectors of translations, which `benchmarks/ablation.py --translations` measures."""

from __future__ import annotations

from rulespec.text.checks.detectors import DETECTORS


def test_rows_have_names_of_their_own_and_give_way_to_earlier_ones() -> None:
    before: set[str] = set()
    for one in DETECTORS:
        assert one.name not in before and before.issuperset(one.rank.after), one.name
        before |= {one.name, *one.codes}
