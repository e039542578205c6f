"""Freely worded texts: only what is wrong in a sentence is reported, not its numbers and terms that are right."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from mutation_workshop import Mutant, workshop

SENTENCES = yaml.safe_load(Path(__file__).with_name("free_wording.yaml").read_text(encoding="utf-8"))
ABOUT = {
    "numbers": {"number-unaccounted", "fact-contradicted"},
    "terms": {"language-lacks", "language-adds", "term-misspelt"},
    "spelling": {"term-misspelt"},
}


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda sentence: sentence["of"])
def test_only_what_is_wrong_is_reported(sentence: dict[str, str]) -> None:
    game, lang, rule = sentence["of"].split()
    found = workshop(game).findings(Mutant(lang, rule, "sentence", sentence["text"], ""))
    names = ABOUT[sentence.get("about", "numbers")]
    reported = [finding.message for finding in found if finding.name in names]
    if "wrong" in sentence:
        assert any(f"“{sentence['wrong']}”" in message for message in reported)
    else:
        assert reported == []
