"""A small game for tests of runs, and small chunks to play it in."""

import pytest

from rulespec.play.balance import run as balance
from rulespec.play.simulate import run as simulate

SPEC = """
rulespec: 2
game: {id: high_card, version: 1.0.0, title: High card, players: 2..4}
cards: {fields: {value: 1..13}, manifest: [{value: 1..13, copies: 4}], start: deck}
zones: {deck: {order: stack, seen_by: nobody}, hand: {per: player, seen_by: owner}, discard: {seen_by: everybody}}
rulings: {tied: {question: Who wins a tie?, answer: all, or: [first], silent: []}}
setup: {id: setup, title: Shuffle, shuffle: deck}
play:
  - {id: deal, title: Draw a card, each: {p: player}, do: {move: {top: 1, from: deck, to: "hand[p]"}}}
  - id: swap
    title: Keep or swap
    each: {p: player}
    do:
      choose:
        by: p
        options:
          - {says: keep it, do: {note: It stays.}}
          - says: swap it
            do: [{move: {every: c, from: "hand[p]", to: discard}}, {move: {top: 1, from: deck, to: "hand[p]"}}]
  - id: end
    title: The highest card wins
    rank:
      among: {p: player}
      by: [{high: "hand[p].value", title: card}, {low: seat_of(p), title: seat, only_if: tied == first}]
      left: share
"""
SIZE = 10
GAMES = 95
SEED = 3


def size_of_chunks(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Sets the number of games per chunk."""
    for module in (simulate, balance):
        monkeypatch.setattr(module, "chunk_size", lambda games, fewest=0: size)
