"""Contrasts of texts against what their rules do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from mutation_workshop import workshop

from rulespec.proofs.meaning.constructors import CONSTRUCTORS, FAMILIES
from rulespec.text.judging.contradictions import EXCLUSIONS, contradictions

SAMPLES: list[dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("contradictions.yaml").read_text(encoding="utf-8")
)


def _found(sample: dict[str, Any], key: str) -> list[str]:
    book = workshop(sample["game"]).book
    reading = book.read(sample[key], sample["lang"])
    return [f"{one.contrast.family} {one.contrast.value}" for one in contradictions(reading, sample["rule"], book)]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample['rule']}-{sample['lang']}")
def test_false_sentences_are_contradicted_and_true_ones_are_not(sample: dict[str, Any]) -> None:
    assert _found(sample, "good") == []
    assert _found(sample, "bad") == sample["finds"]


def test_constructors_state_values_of_the_families() -> None:
    for row in CONSTRUCTORS.values():
        for family, value in (*row.says, *row.implies):
            assert value in FAMILIES[family], (row.name, family, value)


def test_exclusions_are_between_values_of_a_family() -> None:
    for family, claimed, said in EXCLUSIONS:
        assert claimed != said and {claimed, said} <= set(FAMILIES[family]), (family, claimed, said)
