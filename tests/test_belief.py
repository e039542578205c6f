"""Possible worlds with weights: what is to be believed of a game, if the others follow a policy."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import prod, sqrt

import pytest
from agreement import HERE

import rulespec
from rulespec.engine.interpreter.running import StateError
from rulespec.engine.search.belief import Policy, uniform, weighted_worlds
from rulespec.engine.states.game import Game
from rulespec.engine.states.state import State
from rulespec.play.bots.policies import mostly

pytestmark = pytest.mark.slow("hundreds of games are played for each world")

SECRETS = """
rulespec: 2
game: {id: secrets, version: 1.0.0, title: Secrets, players: 2..3}
cards: {fields: {rank: 1..5}, manifest: [{rank: 1..5}, {rank: 2}], start: deck}
zones:
  deck: {order: stack, seen_by: nobody, title: deck}
  hand: {per: player, seen_by: owner, title: hand}
  laid: {per: player, order: stack, seen_by: nobody, title: card laid face down}
  table: {seen_by: everybody, title: table}
values:
  sum: {type: 0..15, start: 0, title: sum of the cards laid}
setup: {id: shuffle, title: Shuffle, shuffle: deck}
play:
  - {id: deal, title: Two cards each, each: {p: player}, do: {move: {top: 2, from: deck, to: "hand[p]"}}}
  - id: lay
    title: Lay a card face down
    each: {p: player}
    do:
      choose:
        by: p
        options:
          - id: lay.card
            title: Lay
            says: "lay {c}"
            pick: {c: "hand[p]"}
            do: {move: {card: c, from: "hand[p]", to: "laid[p]"}}
        none: skip
  - {id: add, title: Add the cards up, set: {sum: "sum(laid[p].rank ?? 0 for p in player)"}}
  - {id: open, title: Open a card, move: {random: 1, from: "hand[seat(2)]", to: table}}
  - id: guess
    title: Pass or not
    choose: {by: seat(1), options: [{says: pass, do: {note: Nothing.}}, {says: go, do: {note: Nothing.}}]}
  - {id: end, title: The highest wins, rank: {among: {p: player}, by: [{high: "sum", title: sum}], left: share}}
"""

VOTES = """
rulespec: 2
game: {id: votes, version: 1.0.0, title: Votes, players: 2..3}
cards: {fields: {rank: 1..4}, manifest: [{rank: 1..4, copies: 2}], start: deck}
zones:
  deck: {order: stack, seen_by: nobody, title: deck}
  hand: {per: player, seen_by: owner, title: hand}
  ballot: {per: player, seen_by: owner, title: ballot}
  box: {seen_by: nobody, title: box}
values:
  sum: {type: 0..32, start: 0, title: sum of the cards in the box}
setup: {id: shuffle, title: Shuffle, shuffle: deck}
play:
  - {id: deal, title: Two cards each, each: {p: player}, do: {move: {top: 2, from: deck, to: "hand[p]"}}}
  - id: vote
    title: Put a card into the box
    secret:
      who: {p: player}
      options: [{says: "vote {c}", pick: {c: "hand[p]"}, do: [{move: {card: c, from: "hand[p]", to: "ballot[p]"}}]}]
      none: skip
      revealed: together
      then: {each: {p: player}, do: {move: {every: c, from: "ballot[p]", to: box}}}
  - {id: add, title: Add the cards up, set: {sum: "sum(c.rank for c in box)"}}
  - {id: mix, title: Mix, shuffle: deck}
  - id: guess
    title: Pass or not
    choose: {by: seat(1), options: [{says: pass, do: {note: Nothing.}}, {says: go, do: {note: Nothing.}}]}
  - {id: end, title: The highest wins, rank: {among: {p: player}, by: [{high: "sum", title: sum}], left: share}}
"""


EARLY = """
rulespec: 2
game: {id: early, version: 1.0.0, title: Early, players: 2}
cards: {fields: {rank: 1..4}, manifest: [{rank: 1..4}], start: deck}
zones:
  deck: {order: stack, seen_by: nobody, title: deck}
  hand: {per: player, seen_by: owner, title: hand}
  table: {seen_by: everybody, title: table}
setup: {id: shuffle, title: Shuffle, shuffle: deck}
play:
  - {id: deal, title: A card, move: {top: 1, from: deck, to: "hand[seat(2)]"}}
  - id: bet
    title: Pass or bet
    choose: {by: seat(2), options: [{says: pass, do: {note: Nothing.}}, {says: bet, do: {note: Nothing.}}]}
  - {id: draw, title: Another card, move: {top: 1, from: deck, to: "hand[seat(2)]"}}
  - {id: open, title: Open a card, move: {random: 1, from: "hand[seat(2)]", to: table}}
  - id: guess
    title: Pass or not
    choose: {by: seat(1), options: [{says: pass, do: {note: Nothing.}}, {says: go, do: {note: Nothing.}}]}
  - {id: end, title: Even, rank: {among: {p: player}, by: [{high: "0", title: nothing}], left: share}}
"""
"""A card is seen that was dealt before or after the bet: nobody else can say which."""


def whimsical(state: State, player: int) -> Mapping[int, float]:
    """A policy that depends on all that a player knows: probabilities drawn from their key, some of them 0."""
    dice, legal = random.Random(state.information_state_key(player)), state.legal_actions(player)
    weights = [dice.choice([0, 1, 2, 5]) for _ in legal]
    weights[dice.randrange(len(legal))] += 1
    return {action: weight / sum(weights) for action, weight in zip(legal, weights, strict=True)}


def hidden(state: State) -> tuple[object, ...]:
    """What a state holds, with cards by face and zones without order sorted."""
    game = state.game
    faces = [[game.program.faces[card] for card in cards] for cards in state.z]
    zones = [cards if game.ordered[zone] else sorted(cards) for zone, cards in enumerate(faces)]
    skipped = {game.names.zone_number("deck")} if "deck" in game.spec.zones else set()
    bases = game.program.value_base.items()
    stored = [state.r[base + n] for name, base in bases for n in range(game.setting.cells(game.spec.values[name]))]
    return (*stored, *(tuple(cards) for zone, cards in enumerate(zones) if zone not in skipped))


def nodes(state: State, policy: Policy, viewer: int, left: int, likely: float = 1.0) -> Iterator[tuple[State, float]]:
    """All positions after a number of decisions in the tree of a game with explicit chance nodes, each with the product
    of the probabilities of chance and of the others."""
    if state.is_terminal() or (left == 0 and not state.is_chance_node()):
        yield state, likely
        return
    if state.is_chance_node():
        for outcome, probability in state.chance_outcomes():
            yield from nodes(state.child(outcome), policy, viewer, left, likely * probability)
        return
    seats = state.deciders()
    each = [state.legal_actions(seat) if seat == viewer else policy(state, seat) for seat in seats]
    for actions in product(*each):
        more = prod(way[action] for way, action in zip(each, actions, strict=True) if isinstance(way, Mapping))
        if more > 0:
            child = state.clone()
            child.apply_actions(dict(zip(seats, actions, strict=True)))
            yield from nodes(child, policy, viewer, left - len(seats), likely * more)


def posteriors(game: Game, policy: Policy, viewer: int, decisions: int) -> dict[bytes, dict[object, float]]:
    """By key of what a player knows: the probability of everything that a state holds, by Bayes' rule."""
    found: dict[bytes, dict[object, float]] = defaultdict(lambda: defaultdict(float))
    for state, likely in nodes(game.new_initial_state(chance="explicit"), policy, viewer, decisions):
        found[state.information_state_key(viewer)][hidden(state)] += likely
    return {key: {held: n / sum(all_.values()) for held, n in all_.items()} for key, all_ in found.items()}


def played(game: Game, seed: int, policy: Policy, decisions: int) -> State:
    state, dice = game.new_initial_state(seed), random.Random(seed)
    while len(state.choices) < decisions and not state.is_terminal():
        for seat in state.deciders():
            ways = policy(state, seat)
            state.apply_action(dice.choices([*ways], [*ways.values()])[0], seat)
    return state


GAMES: dict[str, tuple[Callable[[], Game], Sequence[int]]] = {
    "kuhn": (lambda: rulespec.load("kuhn_poker").game(3), (1, 2, 4)),
    "leduc": (lambda: rulespec.load("leduc_poker").game(2), (1, 3)),
    "dice": (lambda: rulespec.load("liars_dice").game(2, {"dice": "one"}), (1, 2)),
    "secrets": (lambda: rulespec.loads(SECRETS).game(2), (1, 2)),
    "votes": (lambda: rulespec.loads(VOTES).game(2), (2,)),
    "early": (lambda: rulespec.loads(EARLY).game(2), (1,)),
}
"""Small games, and after how many decisions their worlds are compared."""


def test_a_bet_in_kuhn_poker_makes_a_high_card_likely() -> None:
    """Seat 2 bets always with a 3 and once in four times with a 1. Who holds the 2 believes 4 to 1 in the 3."""

    def bluffing(state: State, player: int) -> Mapping[int, float]:
        bets = {"3": 1.0, "2": 0.0, "1": 0.25}[state.game.card_name(state.zone("hand", player)[0])]
        return {0: 1 - bets, 1: bets}

    game = rulespec.load("kuhn_poker").game(2)
    seeds = (seed for seed in range(99) if game.card_name(game.new_initial_state(seed).zone("hand", 0)[0]) == "2")
    state = game.new_initial_state(next(seeds))
    for action in (0, 1):
        state.apply_action(action)
    worlds = weighted_worlds(state, 0, 2000, policy=bluffing)
    high = sum(world.weight for world in worlds if game.card_name(world.state.zone("hand", 1)[0]) == "3")
    assert high == pytest.approx(0.8, abs=0.03)
    evenly = weighted_worlds(state, 0, 2000)
    assert sum(w.weight for w in evenly if game.card_name(w.state.zone("hand", 1)[0]) == "3") == pytest.approx(
        0.5, abs=0.04
    )


@pytest.mark.parametrize(("name", "decisions"), [(name, n) for name, (_, each) in GAMES.items() for n in each])
@pytest.mark.sample(3)
def test_weights_are_those_of_bayes_rule(name: str, decisions: int) -> None:
    """Every probability is the one in the whole tree, within five standard errors of as many independent draws."""
    game = GAMES[name][0]()
    for viewer in range(2):
        state = played(game, decisions, whimsical, decisions)
        wanted = posteriors(game, whimsical, viewer, decisions)[state.information_state_key(viewer)]
        worlds = weighted_worlds(state, viewer, 600, 1, whimsical)
        enough = 1 / sum(world.weight**2 for world in worlds)
        found: dict[object, float] = defaultdict(float)
        for world in worlds:
            assert world.state.information_state_key(viewer) == state.information_state_key(viewer)
            found[hidden(world.state)] += world.weight
        assert {*found} <= {*wanted} and sum(found.values()) == pytest.approx(1)
        for held, p in wanted.items():
            assert abs(found[held] - p) < 5 * sqrt(p * (1 - p) / enough) + 0.005, held


def test_worlds_do_not_depend_on_what_is_hidden() -> None:
    """Seat 2 bets on a high first card. A 4 is opened: in one state the first card, in the other the second."""
    game = rulespec.loads(EARLY).game(2)

    def bold(state: State, player: int) -> Mapping[int, float]:
        first = int(game.card_name(state.zone("hand", 1)[0])) if player else 1
        return {0: 1 - (first - 1) / 3, 1: (first - 1) / 3}

    found: dict[bool, dict[str, float]] = {}
    for seed in range(80):
        state = game.new_initial_state(seed)
        first = game.card_name(state.zone("hand", 1)[0])
        state.apply_action(1)
        if game.card_name(state.zone("table")[0]) == "4" and (first == "4") not in found:
            held: dict[str, float] = defaultdict(float)
            for world in weighted_worlds(state, 0, 1500, policy=bold):
                held[game.card_name(world.state.zone("hand", 1)[0])] += world.weight
            found[first == "4"] = held
    for card, bets in (("1", 0), ("2", 1), ("3", 2)):  # the 4 was first, or this card was, and made the bet
        wanted = (3 + bets) / 12
        assert [each[card] for each in found.values()] == [pytest.approx(wanted, abs=0.05)] * 2


def test_a_count_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1, not 0"):
        weighted_worlds(rulespec.load("kuhn_poker").game(2).new_initial_state(1), 0, 0)


LENGTHS = {"fortheking": 4, "kingme": 12, "gin_rummy": 3, "goofspiel": 12, "hanabi": 1, "yacht": 12}
"""Games, and decisions after which some of 200 possible games look the same."""


@pytest.mark.parametrize("name", LENGTHS)
@pytest.mark.sample(1)
def test_a_world_looks_the_same_and_can_be_played(name: str) -> None:
    game, dice = rulespec.load(name).game(), random.Random(3)
    state = game.new_initial_state(5)
    for _ in range(LENGTHS[name]):
        for seat in state.deciders():
            state.apply_action(dice.choice(state.legal_actions(seat)), seat)
    if state.asked:
        state.apply_action(state.legal_actions(state.deciders()[0])[0], state.deciders()[0])
    for player in range(game.players):
        for world, weight in weighted_worlds(state, player, 200)[:12]:
            assert 0 < weight <= 1 and known(world, player) == known(state, player)
            while not world.is_terminal():
                seat = dice.choice(world.deciders())
                world.apply_action(dice.choice(world.legal_actions(seat)), seat)
            assert all(world.observation_string(seat) for seat in range(game.players))


def known(state: State, player: int) -> tuple[object, ...]:
    tensor = state.information_state_tensor(player)
    return state.information_state_key(player), state.observation_string(player), tensor, state.legal_actions(player)


def test_the_same_seed_gives_the_same_worlds_on_every_engine() -> None:
    found = []
    for engine in HERE:
        state = rulespec.load("kingme").game(3, engine=engine).new_initial_state(2)
        for _ in range(12):
            for seat in state.deciders():
                state.apply_action(state.legal_actions(seat)[0], seat)
        found.append([(world.snapshot(), weight) for world, weight in weighted_worlds(state, 1, 8, seed=4)])
    assert all(one == found[0] for one in found)


def test_the_policy_of_a_bot_weighs_worlds() -> None:
    game = rulespec.load("leduc_poker").game(2)
    state = played(game, 3, uniform, 2)
    policy = mostly("flat:30", mistakes=0.2)
    assert sum(policy(state, state.current_player()).values()) == pytest.approx(1)
    assert weighted_worlds(state, 0, 5, policy=policy)
    with pytest.raises(ValueError, match="above 0 and at most 1, not 0"):
        mostly("random", mistakes=0)


def test_what_has_no_weights() -> None:
    game = rulespec.load("kuhn_poker").game(2)
    state = game.new_initial_state(1)
    with pytest.raises(StateError, match="keeps no events"):
        weighted_worlds(game.new_initial_state(1, record=False), 0, 1)
    with pytest.raises(StateError, match="has no beginning"):
        weighted_worlds(state.resample_from_infostate(0, 1), 0, 1)
    with pytest.raises(StateError, match="whose draws come from a seed"):
        weighted_worlds(game.new_initial_state(chance="explicit"), 0, 1)
    state.apply_action(1)
    with pytest.raises(StateError, match="none of 9 games could have looked like this to seat 1"):
        weighted_worlds(state, 1, 9, policy=lambda state, player: {0: 1.0})
