"""For the King (and Me), written by hand in plain Python, to compare with the engines.

    .venv/bin/python benchmarks/hand_python.py [GAMES]

It plays playouts of uniformly random players only, under the ruling that players cannot bid more than they can pay; all
other rulings have their default option. Game for game the same as `rulespec.engine.states.playout`: the same
random numbers are drawn in the same order for the same choices. Only what is on the cards is read from the spec.

Cards with the same face are equivalent, so a card is the number of its face here: first the government cards, one of
each, letters rising within an office; then king cards, then gold.
"""

from __future__ import annotations

import sys
import time
from array import array
from bisect import bisect_left, insort
from collections.abc import Callable
from typing import NamedTuple

import rulespec
from rulespec.language.model.types import NONE

GAMMA, FACTOR_1, FACTOR_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
MASK, LOW_HALF = 2**64 - 1, 2**32 - 1

KING, GOLD = 1, 2
PLUS, MINUS, EITHER = range(3)
KEEP, CENTRE, FAVOUR = range(3)
NONE_ASKED = -1
START, LEAST, MOST = 3, 1, 6  # of a primary duty
REMOVED = {2: 22, 3: 13, 4: 8, 5: 0}  # cards taken out unseen, by the number of players

# What the cards of each face show; `WORTH` is the value of gold, and 0 for all other cards.
DECK = rulespec.load("fortheking").model.deck
KIND, OFFICE, VALUE, LETTER, FIRST, SECOND, _ = map(
    list, zip(*[DECK.cards[c] for c in DECK.first_of_face], strict=True)
)
FIRST_KING, FIRST_GOLD = KIND.index(KING), KIND.index(GOLD)
WORTH = [value if kind == GOLD else 0 for kind, value in zip(KIND, VALUE, strict=True)]
# The deck before it is shuffled, by the number of players: cards marked for more players are left out.
MARKERS = [(face, card[-1]) for face, card in zip(DECK.faces, DECK.cards, strict=True)]
DECKS = {players: [face for face, marker in MARKERS if marker == NONE or marker <= players] for players in REMOVED}

Choose = Callable[[int], int]
"""Picks one of so many legal actions, counted from 0."""


class Games(NamedTuple):
    """Finished games in columns, one entry per game; `ranks` and `scores` by seat."""

    decisions: array[int]
    ranks: list[array[int]]
    scores: list[array[int]]


class Hand:
    """A player's cards: the faces that are there, rising, and how many there are of every face."""

    __slots__ = ("copies", "faces", "size", "wealth")

    def __init__(self, cards: list[int]) -> None:
        self.faces = sorted(set(cards))
        self.copies = [0] * len(KIND)
        for card in cards:
            self.copies[card] += 1
        self.size = len(cards)
        self.wealth = sum([WORTH[card] for card in cards])

    def take(self, card: int) -> None:
        if not self.copies[card]:
            insort(self.faces, card)
        self.copies[card] += 1
        self.size += 1
        self.wealth += WORTH[card]


# random numbers


def mixed(z: int) -> int:
    """What SplitMix64 makes of a state of the generator."""
    z = (z ^ z >> 30) * FACTOR_1 & MASK
    z = (z ^ z >> 27) * FACTOR_2 & MASK
    return z ^ z >> 31


def stream(seed: int, number: int, which: int) -> int:
    """The state from which the generator deals (0) or chooses (1) in a game."""
    return mixed(mixed((seed & MASK) + GAMMA * (number + 1) & MASK) + GAMMA * (which + 1) & MASK)


def below(state: int, bound: int) -> tuple[int, int]:
    """The next state, and a number below the bound, each as likely."""
    while True:
        state = state + GAMMA & MASK
        product = (mixed(state) >> 32) * bound
        if product & LOW_HALF >= (2**32 - bound) % bound:
            return state, product >> 32


def shuffle(cards: list[int], state: int) -> int:
    """Shuffles in place and gives the next state. The draw is spelt out: a game has far too many of them for a call."""
    for last in range(len(cards) - 1, 0, -1):
        state = state + GAMMA & MASK
        z = (state ^ state >> 30) * FACTOR_1 & MASK
        z = (z ^ z >> 27) * FACTOR_2 & MASK
        product = (z >> 32 ^ z >> 63) * (last + 1)
        other = product >> 32
        if product & LOW_HALF <= last:  # hardly ever: it may have to be drawn again
            state, other = below(state - GAMMA & MASK, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return state


def random_player(state: int) -> tuple[Choose, Callable[[], int]]:
    """What chooses for all players, and what says how often it did."""
    decisions = 0

    def choose(actions: int) -> int:
        nonlocal state, decisions
        decisions += 1
        state = state + GAMMA & MASK
        if actions == 1:  # the draw advances the stream, but its value is not needed
            return 0
        z = (state ^ state >> 30) * FACTOR_1 & MASK
        z = (z ^ z >> 27) * FACTOR_2 & MASK
        product = (z >> 32 ^ z >> 63) * actions
        if product & LOW_HALF < actions:
            state, chosen = below(state - GAMMA & MASK, actions)
            return chosen
        return product >> 32

    return choose, lambda: decisions


# rules


def movable(esteem: list[int], way: int) -> list[int]:
    """The offices whose primary duty can move that way."""
    end = MOST if way == PLUS else LEAST
    return [office for office, duty in enumerate(esteem) if duty != end]


def king_card(card: int, esteem: list[int], choose: Choose) -> None:
    """A king card takes effect: it moves one primary duty, or two different ones."""
    first, second = FIRST[card], SECOND[card]
    if first == EITHER:  # for one duty only
        moves = [(o, step) for o, duty in enumerate(esteem) for step, end in ((1, MOST), (-1, LEAST)) if duty != end]
        office, step = moves[choose(len(moves))]
        esteem[office] += step
        return
    offices, turned = movable(esteem, first), NONE_ASKED
    if second != NONE:
        # Both must move where both can: the only one that can move second is then not moved first.
        seconds = movable(esteem, second)
        if len(seconds) == 1:
            offices = [office for office in offices if office != seconds[0]] or offices
    if offices:
        turned = offices[choose(len(offices))]
        esteem[turned] += 1 if first == PLUS else -1
    if second != NONE:
        offices = [office for office in movable(esteem, second) if office != turned]
        if offices:
            esteem[offices[choose(len(offices))]] += 1 if second == PLUS else -1


def share_out_influence(
    players: int, deck: list[int], esteem: list[int], choose: Choose
) -> tuple[list[list[int]], list[int], int]:
    """Deals out the whole deck; gives the personal decks, the favour deck and the last adviser."""
    personal: list[list[int]] = [[] for _ in range(players)]
    favour: list[int] = []
    adviser = players - 1
    while deck:
        adviser = (adviser + 1) % players
        places, centre = [KEEP, CENTRE, FAVOUR], []
        for _ in range(players + 1):
            card = deck.pop()
            place = places[choose(len(places))]
            if place == CENTRE:
                centre.append(card)
                if len(centre) == players - 1:
                    places.remove(CENTRE)
                continue
            places.remove(place)
            if place == FAVOUR:
                favour.append(card)
            elif FIRST_KING <= card < FIRST_GOLD:
                king_card(card, esteem, choose)
            else:
                personal[adviser].append(card)
        for player in (*range(adviser + 1, players), *range(adviser)):
            faces = sorted(set(centre)) if len(centre) > 1 else centre
            card = faces[choose(len(faces))]
            centre.remove(card)
            if FIRST_KING <= card < FIRST_GOLD:
                king_card(card, esteem, choose)
            else:
                personal[player].append(card)
    return personal, favour, adviser


def auction(bidders: list[int], means: list[int], choose: Choose) -> tuple[int, int]:
    """The winner of the card, or None, and the price. `bidders` bid in order; the list is consumed."""
    winner, price, turn, left = NONE_ASKED, 0, 0, len(bidders)
    while left > 1 or (left and winner == NONE_ASKED):
        bidder = bidders[turn]
        bids = means[bidder] - price
        chosen = choose(bids + 1) if bids > 0 else choose(1)
        if chosen < bids:
            winner = bidder
            price += chosen + 1
            turn += 1
        else:  # to pass is the last action, and for the round
            del bidders[turn]
            left -= 1
        if turn == left:
            turn = 0
    return winner, price


def pay(hand: Hand, price: int, gold_only: bool, choose: Choose) -> None:
    """Pays card by card until the price is covered: by the value of gold, or by the number of cards of any kind."""
    faces, copies = hand.faces, hand.copies
    while price > 0:
        lowest = bisect_left(faces, FIRST_GOLD) if gold_only else 0
        place = lowest + choose(len(faces) - lowest)
        card = faces[place]
        copies[card] -= 1
        if not copies[card]:
            del faces[place]
        hand.size -= 1
        hand.wealth -= WORTH[card]
        price -= WORTH[card] if gold_only else 1


def gain_esteem(hands: list[Hand], favour: list[int], opener: int, esteem: list[int], choose: Choose) -> None:
    """Auctions the favour deck. No bid exceeds what its bidder can pay, so every winner pays."""
    players = len(hands)
    while favour:
        card = favour.pop()
        bidders = [*range(opener, players), *range(opener)]
        opener = (opener + 1) % players
        for_gold = card < FIRST_GOLD  # gold itself is paid for with cards
        means = [hand.wealth for hand in hands] if for_gold else [hand.size for hand in hands]
        winner, price = auction(bidders, means, choose)
        if winner == NONE_ASKED:
            continue
        pay(hands[winner], price, for_gold, choose)
        if FIRST_KING <= card < FIRST_GOLD:
            king_card(card, esteem, choose)
        else:
            hands[winner].take(card)


def victory_points(hands: list[Hand], esteem: list[int]) -> list[int]:
    """Most influence takes the primary duty of an office, the next most the secondary one; the letter nearest A breaks
    ties, so no place is shared."""
    claims: list[list[tuple[int, int, int]]] = [[] for _ in esteem]
    for player, hand in enumerate(hands):
        influence, nearest = [0] * len(esteem), [0] * len(esteem)
        for card in hand.faces:
            if card >= FIRST_GOLD:
                break
            office = OFFICE[card]
            if not influence[office]:
                nearest[office] = LETTER[card]  # the faces rise, so it is the first of its office
            influence[office] += VALUE[card]
        for office, strength in enumerate(influence):
            if strength:
                claims[office].append((-strength, nearest[office], player))
    points = [0] * len(hands)
    for duty, claim in zip(esteem, claims, strict=True):
        claim.sort()
        for (_, _, player), worth in zip(claim, (duty, duty // 2 if len(hands) > 2 else 0), strict=False):
            points[player] += worth
    return points


def ranking(hands: list[Hand], points: list[int], offices: int) -> list[int]:
    """The ranks by points; those who are level by their gold, then office by office by the number of cards and the
    letter nearest A. Who is level in everything shares a rank."""
    if len(set(points)) == len(points):
        return [1 + sum([other > own for other in points]) for own in points]
    keys = []
    for own, hand in zip(points, hands, strict=True):
        key = [own, hand.wealth]
        for office in range(offices):
            letters = [LETTER[card] for card in hand.faces if OFFICE[card] == office]
            key += [len(letters), -letters[0] if letters else NONE]
        keys.append(key)
    return [1 + sum([other > key for other in keys]) for key in keys]


def game(players: int, seed: int, number: int) -> tuple[int, list[int], list[int]]:
    """One game: the number of decisions, and everybody's rank and victory points."""
    choose, decisions = random_player(stream(seed, number, 1))
    esteem = [START] * (6 if players == 5 else 5)
    deck = DECKS[players][:]
    deal = shuffle(deck, stream(seed, number, 0))
    del deck[len(deck) - REMOVED[players] :]
    deal = shuffle(deck, deal)
    personal, favour, adviser = share_out_influence(players, deck, esteem, choose)
    shuffle(favour, deal)
    hands = [Hand(cards) for cards in personal]
    gain_esteem(hands, favour, (adviser + 1) % players, esteem, choose)
    points = victory_points(hands, esteem)
    return decisions(), ranking(hands, points, len(esteem)), points


def play(players: int, seed: int, first: int, count: int) -> Games:
    """So many games of a seed, from number `first` on, for 2 to 5 players."""
    games = Games(array("q"), [array("q") for _ in range(players)], [array("q") for _ in range(players)])
    for number in range(first, first + count):
        decisions, ranks, points = game(players, seed, number)
        games.decisions.append(decisions)
        for seat in range(players):
            games.ranks[seat].append(ranks[seat])
            games.scores[seat].append(points[seat])
    return games


def main(count: int) -> None:
    for players in REMOVED:
        play(players, 1, 0, 10)
        began = time.perf_counter()
        play(players, 1, 0, count)
        print(f"{players} players: {count / (time.perf_counter() - began):,.0f} games/s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
