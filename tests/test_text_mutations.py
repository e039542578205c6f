"""The share of inserted mistakes in rule texts that the checker finds.

A sample of each kind; `benchmarks/text_mutations.py` makes them all and lists what is missed.
"""

from __future__ import annotations

from random import Random

import pytest
from mutation_workshop import workshop
from mutations import OPERATORS, mutants

from rulespec.text.languages import find

SAMPLE = 40

# The minimum share for every language. Consistent mistakes are nearly always found, a mistake in one of several
# mentions less often, and a missing sentence without a fact of the spec may not be found. A contrast that no other
# language and no step states cannot be judged.
ALWAYS = {"rule": 1.0, "order": 1.0, "letter": 1.0, "mark": 1.0}
LEAST = {
    "fortheking": ALWAYS
    | {"number": 0.97, "other number": 0.95, "sign": 1.0, "term": 0.85, "one term": 0.4, "sentence": 0.3}
    | {"contrast": 0.92},
    "kingme": ALWAYS
    | {"number": 0.9, "other number": 0.92, "term": 0.95, "one term": 0.75, "sentence": 0.4, "contrast": 0.95},
    "keyflower_king": ALWAYS
    | {"number": 0.7, "other number": 0.85, "term": 0.85, "one term": 0.8, "sentence": 0.35, "contrast": 0.92},
}
CASES = [
    pytest.param(game, lang, operator, least, id=f"{game}-{lang}-{operator}")
    for game, shares in LEAST.items()
    for lang in workshop(game).texts
    if find(lang).level == 3  # mistakes of other languages are planted by hand: benchmarks/planted.py
    for operator, least in shares.items()
]


@pytest.mark.parametrize(("game", "lang", "operator", "least"), CASES)
@pytest.mark.sample(6)
def test_mistakes_are_found(game: str, lang: str, operator: str, least: float) -> None:
    shop = workshop(game)
    every = list(mutants(shop, lang, operator))
    some = Random(f"{game} {lang} {operator}").sample(every, min(SAMPLE, len(every)))
    missed = [f"{mutant.passage}: {mutant.change}" for mutant in some if not shop.finds(mutant)]
    assert len(some) - len(missed) >= least * len(some), "\n".join(missed)


@pytest.mark.parametrize("operator", OPERATORS)
def test_every_kind_of_mistake_can_be_made(operator: str) -> None:
    assert any(next(mutants(workshop("fortheking"), lang, operator), None) for lang in workshop("fortheking").texts)
