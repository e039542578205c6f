"""Reviews at the desk in a real browser, with the network off: two people, and the file that they save."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from chromium import needs, visited

from rulespec.base.source import Source
from rulespec.text.review.kept import Declined, Remark, read

pytestmark = [needs("playwright-core", "axe-core", "pyodide"), pytest.mark.soak]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("review")


@pytest.fixture(scope="module")
def seen(site: Path, folder: Path) -> Any:
    """What two reviewers saw."""
    return visited("review.mjs", site, folder)


def test_nothing_goes_wrong_and_nothing_else_is_asked_for(seen: Any) -> None:
    assert seen["complaints"] == [] and len(set(seen["asked"])) == 1


def test_everybody_can_use_it(seen: Any) -> None:
    assert seen["violations"] == [] and seen["wide"] == []


def test_a_remark_needs_words_of_the_text(seen: Any) -> None:
    assert seen["before"] == "not read by a reviewer"
    assert "“13 лицарів” does not stand in the passage." in seen["refused"]
    assert seen["selected"] == "13 персонажів", "what is selected in the text is taken"


def test_a_remark_is_shown_with_its_reviewer(seen: Any) -> None:
    assert "Olena · 2" in seen["remark"] and "wrong: 13 персонажів nominate.rise" in seen["remark"]
    assert "Їх 12." in seen["remark"]
    assert seen["listed"] == "confirmed · read by a reviewer"
    assert seen["own"] == 0, "nobody declines their own remark"


def test_disagreement_and_declined_remarks_are_shown(seen: Any) -> None:
    assert seen["disagreed"] == "read by a reviewer · The reviewers disagree."
    assert "Declined by Danylo, 2" in seen["declined"] and "Є 13." in seen["declined"]


def test_what_is_saved_is_a_review_of_the_project(seen: Any, folder: Path) -> None:
    assert seen["status"] == "uk.review.yaml is saved. It belongs in specs/reviews/kingme."
    review, found = read(Source("uk.review.yaml", (folder / "uk.review.yaml").read_text(encoding="utf-8")))
    assert review is not None and not found
    (passage,) = review.passages
    assert [one.by for one in passage.read] == ["Olena", "Danylo"] and passage.rule == "setup.components"
    (remark,) = passage.read[0].remarks
    assert remark.declined is not None
    declined = Declined("Danylo", remark.declined.date, "Є 13.")
    assert remark == Remark("13 персонажів", "nominate.rise", "wrong", "Їх 12.", declined)


def test_a_saved_review_is_opened_again(seen: Any) -> None:
    assert "Declined by Danylo" in seen["again"]
    assert seen["unread"] == "not read by a reviewer"
    assert seen["changed"] == "changed since it was read"
