"""Lists of names in a raw text contradict an order only where their sentence is about it."""

from __future__ import annotations

from raw_unseen_texts import findings, summaries

LISTED = (
    "Картки уряду представляють різні сфери: дипломатію, військову справу, архітектуру, тваринництво, розваги та "
    "придворну кухню."
)
ORDERED = (
    "Якщо нічия лишається, вирішує літера, найближча до А: спершу дипломатії, потім військової справи, архітектури, "
    "тваринництва, розваг і придворної кухні."
)


def _contradicted(sentence: str) -> bool:
    summary = next(one for one in summaries("development") if one.name == "uk/fortheking-guide")
    found = findings(summary, f"{summary.text}\n\n{sentence}\n")
    return any((one.name, one.rule) == ("order-contradicted", "end.tie_letter") for one in found)


def test_a_set_that_is_listed_has_no_order() -> None:
    assert not _contradicted(LISTED)


def test_an_order_of_the_rules_is_contradicted() -> None:
    assert _contradicted(ORDERED)
