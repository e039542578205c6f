"""Pages of wikis are read like Markdown, with everything at its offset."""

from __future__ import annotations

import pytest

from rulespec.text.raw.alignment import as_markdown

PAGE = "== Setup ==\n# Shuffle the deck.\n# Deal:\n## five cards each;\n** or six.\n=== Then ===\n'''#1''' wins.\n"
READ = "## Setup   \n- Shuffle the deck.\n- Deal:\n - five cards each;\n - or six.\n### Then    \n'''#1''' wins.\n"


def test_headings_and_lists_of_a_wiki() -> None:
    assert as_markdown(PAGE) == READ
    assert len(READ) == len(PAGE)


@pytest.mark.parametrize("text", ["# Setup\n\n## Cards\n", "a = b\n== c\n", "", "== \n", "=====\n# One\n"])
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert as_markdown(text) == text
