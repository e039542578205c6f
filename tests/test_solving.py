"""Small games are solved by OpenSpiel's algorithms, as OpenSpiel's own games are."""

from __future__ import annotations

from typing import Any

import pytest

import rulespec
from rulespec.play.interop.tree import extensive_form, load_tree

pytestmark = pytest.mark.slow("game trees are solved")

ITERATIONS = (1, 10, 30)
SCALE = {"kuhn_poker": 1, "leduc_poker": 2}
"""What OpenSpiel counts as 1: our Leduc poker counts half chips, so that a shared pot is a whole number."""


@pytest.fixture(scope="module")
def pyspiel() -> Any:
    return pytest.importorskip("pyspiel", reason="open_spiel is not installed: pip install 'ftk[openspiel]'")


@pytest.mark.parametrize("id_", SCALE)
def test_the_exploitability_is_that_of_openspiels_game(id_: str, pyspiel: Any) -> None:
    """CFR+ on both trees: equal after every iteration, because the trees and the utilities are."""
    ours, theirs = load_tree(rulespec.load(id_).game(2)), pyspiel.load_game(id_)
    solvers = pyspiel.CFRPlusSolver(ours), pyspiel.CFRPlusSolver(theirs)
    for iteration in range(1, max(ITERATIONS) + 1):
        for solver in solvers:
            solver.evaluate_and_update_policy()
        if iteration in ITERATIONS:
            mine, wanted = (
                pyspiel.nash_conv(game, solver.average_policy())
                for game, solver in zip((ours, theirs), solvers, strict=True)
            )
            assert mine / SCALE[id_] == pytest.approx(wanted, abs=1e-9)
    assert 0 < wanted < 0.3


def test_the_value_of_kuhn_poker_is_a_loss_of_an_eighteenth(pyspiel: Any) -> None:
    game = load_tree(rulespec.load("kuhn_poker").game(2))
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(500):
        solver.evaluate_and_update_policy()
    values = pyspiel.expected_returns(game.new_initial_state(), solver.average_policy(), -1, False)
    assert values == pytest.approx([-1 / 18, 1 / 18], abs=1e-3)


def test_the_text_of_a_tree() -> None:
    text = extensive_form(rulespec.load("kuhn_poker").game(2))
    assert text.splitlines()[:4] == [
        'EFG 2 R "Kuhn poker" { "player 1" "player 2" }',
        'c "" 1 "" { "1 at place 3 of deck" 1/3 "2 at place 3 of deck" 1/3 "3 at place 3 of deck" 1/3 } 0',
        'c "" 2 "" { "2 at place 2 of deck" 1/2 "3 at place 2 of deck" 1/2 } 0',
        'p "" 1 1 "" { "pass" "bet" } 0',
    ]
    assert text.count("\nt ") == 30 and text.count("\np ") == 24 and text.count("\nc ") == 4


PENNIES = """
rulespec: 2
game: {id: pennies, version: 1.0.0, title: Matching pennies, players: 2}
values:
  shown: {per: player, type: 0..2, start: 0, title: shown}
  same: {is: "shown[seat(1)] == shown[seat(2)]"}
play:
  - id: show
    title: Both show a coin
    secret:
      who: {p: player}
      options: [{says: "show {n}", pick: {n: 1..2}, do: {set: {"shown[p]": n}}}]
      revealed: together
      then: {note: The coins are compared.}
  - id: end
    title: The first player wins equal coins
    rank: {among: {p: player}, by: [{high: "same == (p == seat(1)) ? 1 : 0"}], left: share}
"""


def test_players_who_decide_at_once_do_not_see_each_other() -> None:
    text = extensive_form(rulespec.loads(PENNIES).game())
    assert text.count('p "" 1 1 ""') == 1 and text.count('p "" 2 1 ""') == 2 and text.count("\np ") == 3


def test_a_tree_that_is_too_large_is_refused() -> None:
    with pytest.raises(ValueError, match="more than 500 nodes"):
        extensive_form(rulespec.load("goofspiel").game(2), most=500)
