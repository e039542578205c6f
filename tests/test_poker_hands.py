"""Poker hands of the gallery's five-card draw, beside a ranking of our own in Python."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

import rulespec

Hand = tuple[tuple[int, int], ...]
"""Cards, each a rank of 2 to 14 and a suit."""

KINDS = (
    *("nothing", "pair", "two_pairs", "three_alike", "straight", "flush"),
    *("full_house", "four_alike", "straight_flush"),
)
SHAPES = {(2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}


def ranked(hand: Hand) -> tuple[int, list[int]]:
    """The kind of a hand, and its ranks in the order in which they are compared."""
    counts = Counter(rank for rank, _ in hand)
    ranks = sorted(counts, key=lambda rank: (-counts[rank], -rank))
    if ranks == [14, 5, 4, 3, 2]:
        ranks = [5, 4, 3, 2, 1]
    flush = len({suit for _, suit in hand}) == 1
    straight = len(ranks) == 5 and ranks[0] - ranks[4] == 4
    if flush or straight:
        return (8 if flush and straight else 5 if flush else 4), ranks
    return SHAPES.get(tuple(counts[rank] for rank in ranks), 0), ranks


def dealt(dice: random.Random) -> tuple[Hand, Hand]:
    """Two hands from a few ranks, or of a few suits, so that all kinds occur."""
    low, wide, suits = dice.randint(2, 14), dice.choice((3, 5, 6, 13)), dice.choice((1, 2, 4, 4))
    ranks = sorted({(low + at - 2) % 13 + 2 for at in range(max(wide, -(-10 // suits)))})
    cards = dice.sample([(rank, suit) for rank in ranks for suit in range(suits)], 10)
    return tuple(cards[:5]), tuple(cards[5:])


@pytest.fixture(scope="module")
def game() -> rulespec.Game:
    return rulespec.load("five_card_draw").game(2)


def shown(game: rulespec.Game, hands: tuple[Hand, Hand]) -> rulespec.State:
    """The end of a game in which both players show their hands."""
    number = {game.card_name(card): card for card in game.program.cards}
    suits = ("clubs", "diamonds", "hearts", "spades")
    held = {
        game.program.zone("hand", seat): tuple(number[f"{rank} {suits[suit]}"] for rank, suit in hand)
        for seat, hand in enumerate(hands)
    }
    return game.state_at(rulespec.StartPosition("show", {}, held, game.program.zone("deck")))


def test_hands_are_ranked_as_in_python(game: rulespec.Game) -> None:
    dice, seen = random.Random(1), set()
    for _ in range(600):
        hands = dealt(dice)
        one, other = map(ranked, hands)
        seen |= {one[0], other[0]}
        assert shown(game, hands).returns() == [(one > other) - (one < other), (other > one) - (other < one)], hands
    assert seen == set(range(9)), "the deals must make every kind"


def test_the_ranking_in_python_counts_every_hand() -> None:
    """Hands of two suits and the lower ranks: as many of each kind as combinatorics say."""
    cards = [(rank, suit) for rank in range(2, 9) for suit in range(2)]
    counts = Counter(KINDS[ranked(hand)[0]] for hand in combinations(cards, 5))
    assert counts["straight_flush"] == 3 * 2
    assert counts["straight"] == 3 * (2**5 - 2)
    assert counts["flush"] == 2 * (21 - 3)
    assert counts["two_pairs"] == 21 * 5 * 2 and counts["full_house"] == 0
    assert sum(counts.values()) == 2002
