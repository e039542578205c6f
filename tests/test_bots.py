"""Bots: legal, reproducible, fair, and better than random ones."""

from __future__ import annotations

import random
import time
from functools import cache
from itertools import product
from pathlib import Path

import pytest

import rulespec
from rulespec.engine.interpreter.random import Generator
from rulespec.engine.knowledge.possible_worlds import unknown
from rulespec.engine.search.tree_search import EVERYBODY, Search, Tree
from rulespec.engine.states.game import Game
from rulespec.engine.states.state import State
from rulespec.play.bots import bot
from rulespec.play.bots.bot import bot_name
from rulespec.play.bots.games import bot_game, bot_games, players
from rulespec.play.bots.table import BOTS

pytestmark = pytest.mark.slow("bots search")

SPECS = Path(__file__).parent.parent / "specs"
GAMES = sorted([*SPECS.glob("*.yaml"), *SPECS.glob("gallery/*.yaml")])
SIGHT = Path(__file__).parent / "sight"


@cache
def game(name: str, count: int | None = None) -> Game:
    return rulespec.load(next(path for path in GAMES if path.stem == name)).game(players=count)


def some_state(of: Game, seed: int, decisions: int) -> State:
    """A state after random decisions, at which a player has a choice."""
    state, chance = of.new_initial_state(seed), random.Random(seed)
    while not state.is_terminal():
        player = state.deciders()[0]
        legal = state.legal_actions(player)
        if decisions <= 0 and len(legal) > 1:
            break
        state.apply_action(chance.choice(legal), player)
        decisions -= 1
    return state


# names


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("random", "random"),
        ("ismcts", "ismcts:1000"),
        ("flat:50", "flat:50"),
        ("so-ismcts:2s", "so-ismcts:2000ms"),
        ("greedy", "greedy"),
        ("greedy:0.5s", "greedy:500ms"),
        ("quick:1000/0.25s", "quick:1000/250ms"),
        ("hard", "ismcts:20000/5000ms"),
    ],
)
def test_a_bot_is_named_with_its_limit(text: str, written: str) -> None:
    assert str(bot_name(text)) == written


@pytest.mark.parametrize(
    "text",
    [
        *("", "smart", "random:5", "random:1s", "ismcts:", "ismcts:0", "ismcts:-1", "ismcts:1e3", "flat:5m", "flat:0s"),
        *("greedy:5", "greedy:5/1s", "quick:/1s", "quick:1s/5", "quick:5/", "quick:5/700s", "pimc:99999999"),
    ],
)
def test_another_text_names_no_bot(text: str) -> None:
    with pytest.raises(ValueError, match="write"):
        bot_name(text)


def test_bots_are_named_for_all_seats_or_for_each() -> None:
    kuhn = game("kuhn_poker", 2)
    assert players("random", kuhn).to_list() == ["random", "random"]
    assert players("random, flat:9", kuhn).to_list() == ["random", "flat:9"]
    assert players("easy, ismcts:2/1s", kuhn).to_list() == ["ismcts:200", "ismcts:2/1000ms"]
    with pytest.raises(ValueError, match="3 bots are named for 2 players"):
        players("random,random,random", kuhn)


# moves


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
@pytest.mark.sample(3)
def test_bots_play_legal_games(path: Path) -> None:
    for count in {(spec := rulespec.load(path)).players.start, spec.players[-1]}:
        of = spec.game(players=count)
        for kind in BOTS.values():
            state = some_state(of, 3, 12)
            for _ in range(6):
                for seat in state.deciders():
                    name = f"{kind.name}:8" if kind.limit and kind.limit.simulations else kind.name
                    state.apply_action(bot(name, seat, 5).step(state), seat)


@pytest.mark.parametrize("name", [name for name in BOTS if name != "random"])
def test_the_same_seed_gives_the_same_moves(name: str) -> None:
    state = some_state(game("hearts"), 5, 30)
    seat = state.deciders()[0]
    chosen = {bot(name, seat, 11).step(state.clone()) for _ in range(3)}
    assert len(chosen) == 1


def test_a_bot_leaves_the_state_alone() -> None:
    state = some_state(game("hearts"), 5, 30)
    before = state.snapshot()
    bot("ismcts:50", state.deciders()[0]).step(state)
    assert state.snapshot() == before


@pytest.mark.soak
def test_python_searches_like_machine_code() -> None:
    pytest.importorskip("llvmlite")
    for name, decisions in (("kuhn_poker", 0), ("goofspiel", 8), ("gin_rummy", 8), ("fortheking", 8)):
        of = game(name)
        state = some_state(of, 4, decisions)
        seat, trees = state.deciders()[0], []
        for machine in (True, False):
            search = Search(of, machine)
            position = search.position(state.pc, unknown(state, seat))
            tree = Tree(position, of.players, seat, 9, 60, EVERYBODY)
            search.simulate(tree, 12)
            trees.append((tree.tried(), tree.control))
        assert trees[0] == trees[1]


SEARCHING = ("greedy:{}", "quick:{}", "flat:{}", "pimc:{}", "ismcts:{}", "so-ismcts:100000/{}")


@pytest.mark.parametrize("name", ["kingme", "chess", "hearts"])
@pytest.mark.parametrize("machine", [True, False])
def test_a_bot_keeps_its_time(name: str, machine: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without machine code a simulation of chess takes a second, and `greedy` in King Me! more than a thousand."""
    if machine:
        pytest.importorskip("llvmlite")
    of = rulespec.load(next(path for path in GAMES if path.stem == name)).game()
    search = Search(of, machine)
    monkeypatch.setattr("rulespec.play.bots.searches.search_of", lambda _: search)
    state = some_state(of, 3, 12)
    seat = state.deciders()[0]
    for kind in SEARCHING:
        began = time.process_time()
        assert bot(kind.format("0.2s"), seat, 1).step(state) in state.legal_actions(seat)
        assert time.process_time() - began < 2


def test_a_search_whose_rollouts_end_too_late_finds_mate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without machine code no game of chess ends within a second: rollouts stop before, and count what players have."""
    of = game("chess")
    search = Search(of, machine=False)
    monkeypatch.setattr("rulespec.play.bots.searches.search_of", lambda _: search)
    state = of.new_initial_state(1)
    for move in ("f2 f3", "e7 e5", "g2 g4"):
        seat = state.deciders()[0]
        named = {state.action_to_string(seat, action): action for action in state.legal_actions(seat)}
        state.apply_action(named[move], seat)
    best = bot("ismcts:2000/3s", 1, 2).step(state)
    assert state.action_to_string(1, best) == "d8 h4"


@pytest.mark.parametrize("name", ["easy", "medium", "hard", "quick:1s", "pimc:1s", "greedy:1s"])
def test_a_bot_says_how_far_it_is_and_acts_when_it_is_stopped(name: str) -> None:
    state = some_state(game("kingme", 4), 5, 20)
    player = state.deciders()[0]
    thinking = bot(name, player, 7).thinking(state)
    shares = [next(thinking), next(thinking)]
    began = time.monotonic()
    with pytest.raises(StopIteration) as end:
        thinking.send(True)
    assert time.monotonic() - began < 0.1
    assert end.value.value in state.legal_actions(player) and shares == sorted(shares) and 0 <= shares[0] <= 1


def test_a_time_that_is_not_used_up_changes_no_move() -> None:
    pytest.importorskip("llvmlite")
    state = some_state(game("hearts"), 5, 30)
    seat = state.deciders()[0]
    for kind, limit in (("quick", ":90"), ("greedy", ""), ("pimc", ":90"), ("flat", ":90"), ("ismcts", ":300")):
        name = f"{kind}{limit}/600s" if limit else f"{kind}:600s"
        assert bot(name, seat, 4).step(state) == bot(kind + limit, seat, 4).step(state)


def test_whole_games_of_quick_players_are_those_of_single_moves() -> None:
    for name in ("kuhn_poker", "goofspiel", "hearts"):
        of, quick = game(name), players("quick:10", game(name))
        whole, decisions = bot_game(of, 5, 2, quick)
        state = of.new_initial_state(whole.seed)
        seated = quick.seated(5, 2)
        while not state.is_terminal():
            for seat in state.deciders():
                state.apply_action(seated[seat].step(state), seat)
        assert state.choices == whole.choices and len(state.choices) == decisions


def test_bots_that_change_seats_keep_their_row() -> None:
    of = game("connect_four")
    chunk = bot_games(of, 3, range(6), players("flat:60,random", of, rotated=True))
    assert sum(rank == 1 for rank in chunk.ranks[0]) >= 5


# known games


def test_nim_is_won_where_it_can_be_won() -> None:
    of = game("nim")
    for seed in range(5):
        ranks = bot_game(of, seed, 0, players("ismcts:3000,random", of))[0].ranking()
        assert ranks[0] == 1


def test_tic_tac_toe_is_never_lost() -> None:
    of = game("tic_tac_toe")
    for number in range(12):
        named = players("ismcts:2000,random", of, rotated=True)
        state, _ = bot_game(of, 7, number, named)
        assert state.ranking()[named.seat(0, number)] == 1


def test_kuhn_poker_is_not_played_against_certain_loss() -> None:
    """With the best card, never fold; with the worst card, never call."""
    of = game("kuhn_poker")
    for seed in range(40):
        state = of.new_initial_state(seed)
        while not state.is_terminal():
            seat = state.current_player()
            action = bot("ismcts:1000", seat, seed).step(state)
            words, held = state.action_to_string(seat, action), of.card_name(state.zone("hand", seat)[0])
            assert (held, words) not in {("3", "fold"), ("1", "call")}
            state.apply_action(action)


# strength: benchmarks/bots.py measures it with more games


@pytest.mark.parametrize(
    ("name", "games"),
    [
        ("fortheking", 4),
        ("breakthrough", 4),
        ("clobber", 8),
        ("connect_four", 8),
        ("hex", 8),
        ("mancala", 8),
        ("nim", 8),
    ],
)
@pytest.mark.sample(1)
def test_a_search_beats_random_players_and_a_shorter_search(name: str, games: int) -> None:
    pytest.importorskip("llvmlite")
    of = game(name, 2)
    for rival, share in (("random", 0.75), ("ismcts:100", 0.5)):
        chunk = bot_games(of, 1, range(games), players(f"ismcts:1000,{rival}", of, rotated=True))
        won = sum(1 / row.count(1) for row in zip(*chunk.ranks, strict=True) if row[0] == 1)
        assert won >= share * games, rival


@pytest.mark.parametrize("path", sorted(SIGHT.glob("*.yaml")), ids=lambda path: path.stem)
@pytest.mark.parametrize("name", ["quick:20", "greedy", "pimc:24", "ismcts:20"])
def test_bots_play_games_with_values_that_only_some_see(name: str, path: Path) -> None:
    of = rulespec.load(path).game(2)
    state, _ = bot_game(of, 3, 0, players(name, of))
    assert state.is_terminal() and not state.broken_invariants()


# fairness


def another_world(state: State, seat: int, seed: int) -> State:
    """A state that differs only in what a seat cannot know. Zones in sight stay as they are: `quick` may depend on the
    order in which their cards came."""
    other, world = state.clone(), unknown(state, seat).world(Generator(seed))
    zones = zip(state.z, world.z, state.knowledge(seat).visible, strict=True)
    other.r, other.z = [*world.r, *state.r[len(world.r) :]], [[*here] if seen else there for here, there, seen in zones]
    return other


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
@pytest.mark.sample(6)
def test_a_bot_chooses_the_same_whatever_is_hidden(path: Path) -> None:
    of = rulespec.load(path).game()
    for seed in range(4):
        state = some_state(of, seed, 5 * seed)
        for seat in state.deciders():
            worlds = [state, *(another_world(state, seat, number) for number in range(2))]
            for name in ("quick:20", "greedy", "flat:20", "pimc:24", "ismcts:20", "so-ismcts:20"):
                assert len({bot(name, seat, 3).step(world) for world in worlds}) == 1


def test_checked_machine_code_finds_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    monkeypatch.setenv("FTK_CHECKED", "1")
    of = rulespec.load(next(path for path in GAMES if path.stem == "hearts")).game()
    for name, decisions in product(("quick:10", "pimc:24", "ismcts:20", "so-ismcts:20"), (0, 20)):
        state = some_state(of, 2, decisions)
        assert bot(name, seat := state.deciders()[0], 1).step(state) in state.legal_actions(seat)


def test_a_full_tree_takes_no_more_nodes() -> None:
    """A bot that thinks for a time goes on when its tree is full; the table of nodes must keep free slots."""
    of = game("hearts")
    state = some_state(of, 3, 0)
    seat, search = state.deciders()[0], Search(of, machine=False)
    tree = Tree(search.position(state.pc, unknown(state, seat)), of.players, seat, 9, 3, EVERYBODY)
    search.simulate(tree, 20)
    assert tree.control.edge_count == 3
    assert sum(map(bool, tree.keys)) <= 3


def test_a_player_alone_plays_for_points() -> None:
    yacht = game("yacht")
    points = [
        sum(bot_game(yacht, 1, number, players(name, yacht))[0].scores()[0] for number in range(2))
        for name in ("random", "quick:20")
    ]
    assert points[1] > 1.3 * points[0]


ROLES = """
rulespec: 2
game: {id: roles, version: 1.0.0, title: Roles, players: 4}
values:
  s: {per: player, type: 0..9, start: 0, title: s}
  role: {type: 1..4, start: 1, seen_by: nobody}
setup: {id: setup, title: Draw a role, random: {x: 1..4}, seen_by: nobody, do: {set: {role: x}}}
play:
  - id: a
    title: Choose
    choose:
      by: BY
      none: skip
      options:
        - {says: one, if: IF, do: {set: {"s[1]": 1}}}
        - {says: two, if: IF, do: {set: {"s[1]": 2}}}
  - {id: end, title: End, rank: {among: {p: player}, by: [{high: "s[p]", title: s}], left: share}}
"""


@pytest.mark.parametrize(("by", "condition"), [("seat(role)", "true"), ("seat(1)", "role == 2")])
@pytest.mark.parametrize("name", ["ismcts:1", "so-ismcts:30", "flat:1", "pimc:1", "greedy", "quick:3"])
def test_a_bot_moves_where_its_decision_depends_on_something_hidden(name: str, by: str, condition: str) -> None:
    """In a possible world, another player may decide, or nothing may be legal."""
    text = ROLES.replace("BY", by).replace("IF", condition).replace("s[1]", "s[seat(1)]")
    of = rulespec.loads(text).game()
    for number in range(6):
        bot_game(of, 1, number, players(name, of))


def test_a_search_of_a_game_whose_returns_are_always_the_same() -> None:
    text = ROLES.replace("BY", "seat(1)").replace("IF", "true").replace("s[1]", "s[seat(1)]")
    of = rulespec.loads(text.replace("left: share", 'left: share, returns: "3"')).game()
    state, search = of.new_initial_state(1), Search(of, machine=False)
    tree = Tree(search.position(state.pc, unknown(state, 0)), of.players, 0, 9, 9, EVERYBODY)
    search.simulate(tree, 4)
    assert sum(one.visits for one in tree.tried()) == 4
