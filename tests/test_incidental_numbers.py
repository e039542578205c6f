"""Numbers in freely worded texts: tables as prose, worked examples, counts of what is listed, stock of the game."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from mutation_workshop import Mutant, workshop

SENTENCES = yaml.safe_load(Path(__file__).with_name("incidental_numbers.yaml").read_text(encoding="utf-8"))
ABOUT_NUMBERS = {"number-unaccounted", "number-repeated", "fact-contradicted"}


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda sentence: sentence["of"])
def test_only_wrong_numbers_are_reported(sentence: dict[str, str]) -> None:
    game, lang, rule = sentence["of"].split()
    found = workshop(game).findings(Mutant(lang, rule, "sentence", sentence["text"], ""))
    reported = [finding.message for finding in found if finding.name in ABOUT_NUMBERS]
    if "wrong" in sentence:
        assert any(f"“{sentence['wrong']}”" in message for message in reported)
    else:
        assert reported == []
