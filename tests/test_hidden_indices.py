"""Players are not shown what another player has picked in secret; `benchmarks/hidden_indices.py` plays more specs."""

import sys
from pathlib import Path
from typing import Any

import pytest

import rulespec
from rulespec.engine.knowledge.observer import Observer

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))

import hidden_worlds  # found through the line above
from hidden_indices import Measure
from hidden_specs import Maker

pytestmark = pytest.mark.slow("worlds are compared at every decision")


@pytest.mark.parametrize("seed", [2, 49, 50, 51, 72, 86, 90, 101, 138])
def test_nobody_is_shown_what_another_player_picks_in_secret(seed: int) -> None:
    assert list(Measure().differences(Maker(seed).spec(), seed)) == []


def test_what_everybody_is_told_would_be_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    def told_all(game: rulespec.Game, _: int) -> Any:
        return Observer(game, None)

    monkeypatch.setattr(hidden_worlds, "Observer", told_all)
    assert any("other events" in line for line in Measure().differences(Maker(2).spec(), 2))
