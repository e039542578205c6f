"""Comments that no check reads are left out of a text, and nothing else."""

from __future__ import annotations

import pytest

from rulespec.base.source import Source
from rulespec.language.document.comments import without_comments

TEXT = 'a: 1\nb: "c # d"\ne: |\n  f\n  # g\nh: [i, j]\n'

SAME = (
    "# first\n" + TEXT,
    TEXT + "# last",
    TEXT.replace("a: 1", "a: 1  # one"),
    TEXT.replace("b:", "  # two\n# three\nb:"),
    TEXT.replace("h:", "# four\nh:"),
    TEXT.replace("[i, j]", "[i, j] #\tfive"),
)
OTHER = (
    TEXT.replace("a: 1", "a: 2"),
    TEXT.replace("c # d", "c # e"),
    TEXT.replace("# g", "# k"),
    TEXT.replace("h:", "\nh:"),
    TEXT.replace("a: 1", "a: 1  # ftk: ignore RS001 it is right"),
    TEXT + "# yaml-language-server: $schema=scenario-2.schema.json\n",
    TEXT + "# \u200b\n",
    "#a\n" + TEXT,
)


def left(text: str) -> tuple[str, ...] | None:
    return without_comments(Source("a.yaml", text))


@pytest.mark.parametrize("text", SAME)
def test_plain_comments_are_left_out(text: str) -> None:
    assert left(text) == left(TEXT) is not None


@pytest.mark.parametrize("text", OTHER)
def test_everything_else_counts(text: str) -> None:
    assert left(text) != left(TEXT)


def test_a_comment_that_ends_a_text_counts() -> None:
    kept = "a: |+\n  b\n\n{}\nc: 1\n"
    assert left(kept.format("# d\n")) != left(kept.format(""))


@pytest.mark.parametrize("text", ["a: [1", "- a\n", "a: 1\ra: 2", "a: 1\nrenamed: {}\n", "a: b #c\n"])
def test_a_text_whose_comments_may_count_is_compared_whole(text: str) -> None:
    assert left(text) is None
