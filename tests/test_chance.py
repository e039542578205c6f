"""Explicit chance nodes: their probabilities, the size of game trees, and the same games as sampled ones."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import pytest

import rulespec
from rulespec.engine.interpreter.running import StateError
from rulespec.engine.states.game import Game
from rulespec.engine.states.openspiel import CHANCE
from rulespec.engine.states.state import State

pytestmark = pytest.mark.slow("whole game trees are visited")

GALLERY = Path(__file__).parents[1] / "specs" / "gallery"
GAMES = ["fortheking", "keyflower_king", "kingme", *sorted(path.stem for path in GALLERY.glob("*.yaml"))]
LONGEST = 400

SPEC = """
rulespec: 2
game: {id: bag, version: 1.0.0, title: Bag, players: 2}
enums: {colour: [red, blue]}
cards:
  fields: {colour: colour, worth: 1..2}
  face: [colour, worth]
  manifest: [{colour: red, worth: 1, copies: 3}, {colour: blue, worth: 2, copies: 2}]
  start: bag
zones:
  bag: {order: stack, seen_by: nobody, title: bag}
  hand: {per: player, seen_by: owner, title: hand}
  row: {order: stack, seen_by: everybody, title: row}
values:
  points: {per: {p: player}, is: "sum(c.worth for c in hand[p])"}
setup: {id: setup.shuffle, title: Shuffle, shuffle: bag}
play:
  - {id: row, title: A row, move: {top: 1, from: bag, to: row}}
  - {id: deal, title: A random card each, each: {p: player}, do: {move: {random: 1, from: bag, to: "hand[p]"}}}
  - id: die
    title: A die
    random: {n: 1..3}
    do:
      if: n == 3
      then: {move: {top: 1, from: row, to: "hand[seat(1)]"}}
  - {id: end, title: The most points win, rank: {among: {p: player}, by: [{high: "points[p]"}], left: share}}
"""


@pytest.fixture(scope="module")
def bag() -> Game:
    return rulespec.loads(SPEC).game()


def tree(state: State, visit: Callable[[State, float], None], chance: float = 1.0) -> None:
    """Visits every state of the tree with the probability that chance and players who choose evenly lead there."""
    visit(state, chance)
    outcomes = state.chance_outcomes() if state.is_chance_node() else []
    even = [(action, 1 / len(state.legal_actions())) for action in state.legal_actions()]
    for action, probability in outcomes or even:
        tree(state.child(action), visit, chance * probability)


def sizes(game: Game) -> tuple[int, int, int, int]:
    """The chance nodes, decisions and ends of the game tree, and the information states of the players to act."""
    counted: Counter[str] = Counter()
    known = set()

    def visit(state: State, chance: float) -> None:
        kind = "chance" if state.is_chance_node() else "end" if state.is_terminal() else "decision"
        counted[kind] += 1
        if kind == "decision":
            known.add((state.current_player(), state.information_state_string(state.current_player())))

    tree(game.new_initial_state(chance="explicit"), visit)
    return counted["chance"], counted["decision"], counted["end"], len(known)


@pytest.mark.parametrize(
    ("id_", "players", "wanted"),
    [
        ("kuhn_poker", 2, (4, 24, 30, 12)),
        ("kuhn_poker", 3, (17, 288, 312, 48)),
        ("leduc_poker", 2, (157, 3780, 5520, 936)),
    ],
)
def test_a_game_tree_has_the_size_of_openspiels(id_: str, players: int, wanted: tuple[int, ...]) -> None:
    """The numbers are those of open_spiel/integration_tests/api_test.py."""
    assert sizes(rulespec.load(id_).game(players)) == wanted


def results(game: Game) -> Counter[tuple[int, ...]]:
    """The probability of each result."""
    found: Counter[tuple[int, ...]] = Counter()

    def visit(state: State, chance: float) -> None:
        if state.is_terminal():
            found[tuple(state.scores())] += chance

    tree(game.new_initial_state(chance="explicit"), visit)
    return found


def test_the_outcomes_of_a_node_are_faces_with_their_probabilities(bag: Game) -> None:
    state = bag.new_initial_state(chance="explicit")
    assert state.current_player() == CHANCE and state.is_chance_node() and not state.is_terminal()
    assert state.chance_outcomes() == [(0, 0.6), (1, 0.4)] and state.legal_actions(0) == []
    assert [state.action_to_string(CHANCE, a) for a in (0, 1)] == [
        "red 1 at place 5 of bag",
        "blue 2 at place 5 of bag",
    ]
    assert state.legal_actions_mask() == [1, 1, 0, 0, 0] and bag.max_chance_outcomes() == 5
    assert sum(results(bag).values()) == pytest.approx(1)


def test_sampled_games_have_the_same_distribution(bag: Game) -> None:
    wanted, games = results(bag), 20_000
    found = Counter(tuple(bag.new_initial_state(seed, record=False).scores()) for seed in range(games))
    assert found.keys() == wanted.keys()
    chi_square = sum((found[r] - games * p) ** 2 / (games * p) for r, p in wanted.items())
    assert chi_square < 4 * len(wanted)


@pytest.mark.parametrize("id_", GAMES)
@pytest.mark.sample(6)
def test_every_game_plays_with_chosen_chance(id_: str) -> None:
    """Both kinds of chance know the same actions; a copy, a pickle and a saved state are the same state."""
    spec = rulespec.load(id_)
    for players in {min(spec.players), max(spec.players)}:
        game, chooser = spec.game(players), random.Random(players)
        state, nodes = game.new_initial_state(chance="explicit"), 0
        for _ in range(LONGEST):
            if state.is_terminal():
                break
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                assert sum(weights) == pytest.approx(1) and max(outcomes) < game.max_chance_outcomes()
                state.apply_action(chooser.choices(outcomes, weights)[0])
                nodes += 1
            else:
                state.apply_actions({p: chooser.choice(state.legal_actions(p)) for p in state.deciders()})
        assert nodes <= game.max_chance_nodes_in_history() and len(state.choices) - nodes <= game.max_game_length()
        for other in (deepcopy(state), pickle.loads(pickle.dumps(state)), game.deserialize_state(state.serialize())):
            assert other.to_json() == state.to_json() and other.legal_actions() == state.legal_actions()


@pytest.mark.parametrize("engine", ["interpreter", "compiled", "native"])
@pytest.mark.parametrize("id_", ["kingme", "gin_rummy"])
@pytest.mark.sample(2)
def test_a_state_is_pickled_and_its_actions_are_undone(id_: str, engine: str) -> None:
    if engine == "native":
        pytest.importorskip("llvmlite", reason="llvmlite is not installed: pip install 'ftk[native]'")
    state, chooser = rulespec.load(id_).game(engine=engine).new_initial_state(seed=3), random.Random(3)
    for _ in range(12):
        before, known = state.to_json(), state.observation_string(0)
        player = state.deciders()[0]
        action = chooser.choice(state.legal_actions(player))
        after = state.clone()
        after.apply_action(action, player)
        again = pickle.loads(pickle.dumps(after))
        assert again.to_json() == after.to_json() and again.events == after.events
        if len(state.deciders()) == 1 and not state.asked:
            again.undo_action(player, action)
            assert again.to_json() == before and again.observation_string(0) == known
        state = after
        for _ in range(4):
            state.apply_actions({p: chooser.choice(state.legal_actions(p)) for p in state.deciders()})


def test_an_undo_names_what_was_done_last(bag: Game) -> None:
    game = rulespec.load("kuhn_poker").game()
    state = game.new_initial_state(seed=1)
    with pytest.raises(StateError, match="nothing has been done"):
        state.undo_action(0, 0)
    state.apply_action(1)
    with pytest.raises(StateError, match="seat 0 took action 1 last"):
        state.undo_action(1, 1)
    chance = bag.new_initial_state(chance="explicit")
    chance.apply_action(1)
    chance.undo_action(CHANCE, 1)
    assert chance.to_json() == bag.new_initial_state(chance="explicit").to_json()


def test_rewards_are_the_returns_at_the_end() -> None:
    state = rulespec.load("kuhn_poker").game().new_initial_state(seed=1)
    assert state.rewards() == [0.0, 0.0] and state.legal_actions_mask() == [1, 1, 0, 0] and state.is_player_node()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.rewards() == state.returns() == [state.player_return(p) for p in range(2)] != [0.0, 0.0]
    assert state.player_reward(1) == state.returns()[1] and state.legal_actions_mask() == [0, 0, 0, 0]


def test_explicit_chance_refuses_what_has_no_meaning(bag: Game) -> None:
    with pytest.raises(ValueError, match="has no seed"):
        bag.new_initial_state(seed=1, chance="explicit")
    with pytest.raises(ValueError, match="unknown chance `dice`"):
        bag.new_initial_state(chance="dice")
    state = bag.new_initial_state(chance="explicit")
    with pytest.raises(StateError, match="this is a chance node"):
        state.apply_action(0, 1)
    with pytest.raises(StateError, match="action 7 cannot be taken"):
        state.apply_action(7)
    with pytest.raises(StateError, match="no chance node"):
        rulespec.load("kuhn_poker").game().new_initial_state(seed=1).chance_outcomes()
