"""What a game is worth to its players: as the ranking says, else the winners share 1."""

from __future__ import annotations

import pytest
from agreement import HERE, text_of

import rulespec
from rulespec.engine.states.log import lines as log_lines
from rulespec.engine.states.log import replay
from rulespec.engine.states.playout import playouts
from rulespec.play.simulate.figures import Figures
from rulespec.play.simulate.rows import columns

COINS = text_of("coins")
PAID = '"players * coin[p] - sum(coin[q] for q in player)"'
SHARED = COINS.replace(f",\n      returns: {PAID}", "")


def coins(returns: str) -> rulespec.Spec:
    return rulespec.loads(COINS.replace(PAID, returns))


@pytest.mark.parametrize("players", [2, 3])
def test_the_ranking_says_what_the_game_is_worth(players: int) -> None:
    game = coins(PAID).game(players)
    assert (game.min_utility(), game.max_utility()) == (-players, players)
    for seed in range(20):
        state = game.new_initial_state(seed)
        assert state.returns() == [0.0] * players
        state.apply_action(next(a for a in state.legal_actions() if game.action_to_string(a) == "go"))
        heads = [state.value("coin", p) for p in range(players)]
        assert state.returns() == [players * mine - sum(heads) for mine in heads]
        assert state.returns() == replay(game, "\n".join(log_lines(state))).returns()


def test_without_it_the_winners_share_1() -> None:
    game = rulespec.loads(SHARED).game(3)
    assert (game.min_utility(), game.max_utility()) == (0, 1)
    state = game.new_initial_state(seed=1)
    state.apply_action(next(a for a in state.legal_actions() if game.action_to_string(a) == "go"))
    places = state.ranking()
    assert state.returns() == [(place == 1) / places.count(1) for place in places]


BETS = """
rulespec: 2
game: {id: bets, version: 1.0.0, title: Bets, players: 2..4}
enums: {chip: {members: [red, blue, gold], in_play: chip != gold or players > 2}}
cards: {fields: {value: 1..3}, manifest: [{value: 1..3, copies: 2}], start: box}
zones: {box: {seen_by: everybody}, pot: {seen_by: everybody, holds: 5}}
tables: {ante: {by: players, 2: 1, 3: 2, 4: 5}, worth: {by: [players, chip], 2: [1, 2, 9], 3: [2, 3, 1], 4: [1, 1, 4]}}
rulings: {stake: {question: How high?, answer: low, or: [high]}}
values:
  bet: {per: player, type: 0..9, start: 0}
  pot_of: {per: {n: 0..9}, is: "n * ante[players]"}
play:
  - {id: bid, title: Bid, each: {p: player}, do: {choose: {by: p, options: [
      {says: "bet {n}", pick: {n: 0..9}, do: {set: {"bet[p]": n}}}]}}}
  - {id: end, title: End, rank: {among: {p: player}, by: [{high: "bet[p]", title: bet}], left: share, returns: RETURNS}}
"""


@pytest.mark.parametrize(
    ("returns", "bounds"),
    [
        ("ante[players]", [(1, 1), (2, 2), (5, 5)]),
        ("stake == high ? 3 * bet[p] : bet[p]", [(0, 27)] * 3),
        ("seat_of(p)", [(1, 2), (1, 3), (1, 4)]),
        ("pot_of[min(bet[p], players)]", [(0, 2), (0, 6), (0, 20)]),
        ("sum(worth[players, c] for c in chip)", [(0, 18), (0, 9), (0, 12)]),
        ("worth[players, gold]", [(9, 9), (1, 1), (4, 4)]),
        ("sum(n for n in 1..players)", [(0, 4), (0, 9), (0, 16)]),
        ("size(pot) + count(c in box)", [(0, 11)] * 3),
        ("(let n = players * 2 in n + bet[p])", [(4, 13), (6, 15), (8, 17)]),
        ("players > 2 and bet[p] > 0 ? bet[p] // (players - 2) : 0", [(0, 9), (0, 9), (0, 4)]),
    ],
)
def test_the_bounds_are_those_of_the_setting(returns: str, bounds: list[tuple[int, int]]) -> None:
    spec = rulespec.loads(BETS.replace("RETURNS", f'"{returns}"'))
    games = [spec.game(players, {"stake": "high"}) for players in spec.players]
    assert [(game.min_utility(), game.max_utility()) for game in games] == bounds


def test_the_sum_of_all_players_is_known() -> None:
    spec = coins(f"{PAID}, sum: players - players")
    assert [spec.game(players).utility_sum() for players in spec.players] == [0, 0, 0]
    assert coins(PAID).game(2).utility_sum() is None
    assert rulespec.loads(SHARED).game(2).utility_sum() == 1


def test_another_sum_breaks_an_invariant() -> None:
    game = coins('"coin[p]", sum: 1').game(2)
    state = game.new_initial_state(seed=1)
    while sum(state.value("coin", p) or 0 for p in range(2)) == 1:
        state = game.new_initial_state()
    state.apply_action(next(a for a in state.legal_actions() if game.action_to_string(a) == "go"))
    assert state.broken_invariants() == ["end.sum"]


def test_all_can_lose_together() -> None:
    game = coins('"all(coin[q] == 1 for q in player) ? 1 : 0"').game(2)
    ends = set()
    for seed in range(40):
        state = game.new_initial_state(seed)
        state.apply_action(next(a for a in state.legal_actions() if game.action_to_string(a) == "go"))
        ends.add(tuple(state.returns()))
    assert ends == {(0.0, 0.0), (1.0, 1.0)}


def test_a_game_that_stops_at_a_bound_is_worth_nothing() -> None:
    game = coins('"5 + coin[p]"').game(2)
    state = game.new_initial_state(seed=1)
    state.apply_action(next(a for a in state.legal_actions() if game.action_to_string(a) == "wait"))
    assert state.is_terminal() and state.stopped() and state.returns() == [0.0, 0.0]


@pytest.mark.parametrize("engine", HERE)
def test_many_games_sum_up_what_they_are_worth(engine: str) -> None:
    paid = COINS.replace(PAID, PAID.replace("players", "(1 + players)"))
    game = rulespec.loads(paid.replace("do: {set: {late: 1}}", "do: {note: Wait.}")).game(2, engine=engine)
    chunk = playouts(game, 3, range(50))
    figures = Figures(2)
    figures.add(chunk)
    assert {sum(row) for row in zip(*chunk.returns, strict=True)} == {0, 1, 2}  # the number of heads
    assert [moments.total for moments in figures.returns] == [sum(column) for column in chunk.returns]
    assert Figures.from_record(figures.to_record(), 2, 50).returns == figures.returns
    assert [name for name, _ in columns(chunk)][-2:] == ["returns_1", "returns_2"]


def test_games_whose_winners_share_1_have_no_such_figures() -> None:
    figures = Figures(2)
    figures.add(playouts(rulespec.loads(SHARED).game(2), 1, range(5)))
    assert figures.returns == [] and "returns" not in figures.to_dict()
