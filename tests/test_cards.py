"""Tests of cards by their place, computed cards, and groups of cards."""

from __future__ import annotations

import random
from pathlib import Path

from events_of_cards import moved

import rulespec
from rulespec.engine.interpreter.evaluate import evaluator
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.rules import propositions

GAMES = Path(__file__).parent / "cards"


def moves(state: rulespec.State, rule: str) -> list[tuple[int, int]]:
    """The positions that cards leave under a rule, and the sizes of the zones just before."""
    size: dict[int, int] = {}
    rules, found = state.game.program.rules, []
    size[state.game.program.start_zone] = len(state.game.program.cards)
    for source, target, cards, event in moved(state.events):
        found += [(event[4], size[source])] if event[0] == "move" and rules[event[1]] == rule else []
        size[source] -= len(cards)
        size[target] = size.get(target, 0) + len(cards)
    return found


def test_cards_come_from_the_place_that_is_named() -> None:
    state = rulespec.load(str(GAMES / "cut.yaml")).game(2).new_initial_state(seed=3)
    assert all(position == 0 for rule in ("cut", "deal") for position, _ in moves(state, rule))
    assert moves(state, "third") == [(13, 16)]
    assert moves(state, "low") == [(1, 15)]
    assert moves(state, "far") == []


def test_a_cut_keeps_the_order() -> None:
    """The packet from below lies on the rest in the same order."""
    state = rulespec.load(str(GAMES / "cut.yaml")).game(2).new_initial_state(seed=3)
    shuffled = next(list(event[3:]) for event in state.events or () if event[0] == "shuffle")
    cut = next(event[3] for event in state.events or () if event[0] == "random")
    packet = next(list(event[4:]) for event in state.events or () if event[0] == "move_all")
    assert packet == shuffled[:cut]


def test_players_follow_cards_from_below() -> None:
    """They saw the order in which the cards went to the deck, so they know which card left it from below."""
    state = rulespec.load(str(GAMES / "below.yaml")).game(2).new_initial_state(seed=1)
    own = state.observation_string(0)
    assert "hand of player 2: 1 card, bottom to top: 8" in own
    assert "deck: 7 cards, bottom to top: 7, 6, 5, 4, 3, 2, 1" in own


def test_groups_are_those_that_python_finds() -> None:
    game = rulespec.load(str(GAMES / "groups.yaml")).game(3)
    state, dice = game.new_initial_state(seed=5), random.Random(2)
    while not state.is_terminal():
        for seat in range(3):
            hand = [game.card_name(card).split()[0] for card in state.zone("hand", seat)]
            held = [rank in hand for rank in RANKS]
            begins = state.value("begins") or 0
            assert derived(state, "run", seat) == longest(held)
            assert derived(state, "ring", seat) == longest(held[begins:] + held[:begins])
            best = max(RANKS[1:], key=lambda rank: (hand.count(rank), -RANKS.index(rank)))
            assert RANKS[derived(state, "best", seat)] == best
        state.apply_action(dice.choice(state.legal_actions()))


def derived(state: rulespec.State, name: str, seat: int) -> int:
    """What a titled value that is computed is now."""
    titled = (one for one in state.game.viewers.titled_values if (one.value, one.cell) == (name, seat))
    return evaluator(next(titled).expression)(state.r, state.z)


RANKS = ("two", "three", "four", "five", "six", "seven", "eight")


def longest(held: list[bool]) -> int:
    return max((len(run) for run in "".join(".x"[one] for one in held).split(".")), default=0)


def test_propositions_name_the_place() -> None:
    said = {rule: [str(one) for one in stated] for rule, stated in propositions(spec_of("cut")).items()}
    assert any(one.startswith("move_bottom(1, deck, hand[p]") for one in said["deal"])
    assert any(one.startswith("move_card(nth_from_top(3, deck)") for one in said["third"])
    assert any(one.startswith("move_card(nth_from_bottom(n, deck)") for one in said["low"])


def spec_of(name: str) -> Spec:
    return rulespec.load(str(GAMES / f"{name}.yaml")).model
