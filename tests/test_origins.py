"""Where rules come from: the rulebook, the base game, components, or ourselves."""

from __future__ import annotations

import pytest
from command import ftk

import rulespec


def test_origins_of_the_packaged_games() -> None:
    model = rulespec.load("keyflower_king").model
    assert model.builds_on == "Keyflower"
    assert {rule.origin for rule in model.rules.values()} == {"rulebook", "base_game", "component", "ours"}
    assert model.rules["e1.raise"].in_rulebook and not model.rules["b.bid"].in_rulebook


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("b.bid", "a rule of Keyflower, which this game builds on"),
        ("g1.boat_gold", "stated on a component, not in the rulebook"),
        ("d2.new_row", "ours: no rulebook states it"),
    ],
)
def test_explain_says_where_a_rule_comes_from(rule: str, said: str) -> None:
    assert f"  {said}\n" in ftk("explain", rule, "--spec", "keyflower_king").output
    assert "ours" not in ftk("explain", "e1.raise", "--spec", "keyflower_king").output
