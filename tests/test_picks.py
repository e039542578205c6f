"""Picks whose domain depends on what the same option has picked before."""

from __future__ import annotations

import pytest
from agreement import HERE, shortest, whole

import rulespec

GAME = """
rulespec: 2
game: {id: dependent, version: 1.0.0, title: Dependent, players: 2..3}
enums: {kind: [fruit, spice]}
cards: {fields: {kind: kind, worth: 1..4}, manifest: [{kind: kind, worth: 1..4, copies: 2}], start: box}
zones:
  box:  {seen_by: nobody, title: box}
  deck: {per: kind, order: stack, seen_by: nobody, title: deck}
  hand: {per: [player, kind], seen_by: owner, title: hand}
  sold: {seen_by: everybody, title: sold cards}
values:
  coins: {per: player, type: 0..24, start: 0, seen_by: owner, title: coins}
setup:
  each: {k: kind}
  do:
    - {id: setup.sort, title: A deck for each kind, move: {every: c, where: c.kind == k, from: box, to: "deck[k]"}}
    - {id: setup.shuffle, title: Shuffle, shuffle: "deck[k]"}
play:
  - id: turn
    title: Buy and sell three times
    each: {turn_of: 1..3}
    do:
      each: {p: player}
      do:
        - id: turn.buy
          title: Buy a card
          choose:
            by: p
            options:
              - says: buy {k}
                pick: {k: kind}
                if: size(deck[k]) > 0
                do: {move: {top: 1, from: "deck[k]", to: "hand[p, k]"}}
            none: skip
        - id: turn.sell
          title: Sell a card, or keep all
          choose:
            by: p
            options:
              - says: sell {c} of {k}
                pick: {k: kind, c: "hand[p, k]"}
                if: c.worth + size(hand[p, k]) > 2
                do:
                  - {set: {"coins[p]": "min(coins[p] + c.worth, 24)"}}
                  - {move: {card: c, from: "hand[p, k]", to: sold}}
              - says: sell two {s} of {k}
                pick: {k: kind, s: {set_of: "hand[p, k]", count: 2}}
                do: {move: {cards: s, from: "hand[p, k]", to: sold}}
              - says: count {n} to {m}
                pick: {n: 1..3, m: 1..n}
                if: m != 2
                do: {set: {"coins[p]": "clamp(coins[p] + n - m, 0, 24)"}}
            none: skip
  - {id: end, title: Most coins, rank: {among: {p: player}, by: [{high: "coins[p]", title: coins}], left: share}}
"""


@pytest.mark.parametrize("engine", HERE)
def test_what_can_be_picked_follows_from_the_picks_before(engine: str) -> None:
    game = rulespec.loads(GAME).game(2, engine=engine)
    state = game.new_initial_state(seed=5)
    offered = set[tuple[str, bool]]()
    while not state.is_terminal():
        player, legal = state.current_player(), state.legal_actions()
        hands = [state.zone("hand", player, kind) for kind in range(2)]
        held = {game.card_name(card): kind for kind, hand in enumerate(hands) for card in hand}
        for action in legal:
            picks = game.picks_of(action)
            if "c" in picks:
                offered.add(("card", ("fruit", "spice")[held[picks["c"]]] == picks["k"]))
            elif "m" in picks:
                offered.add(("number", int(picks["m"]) <= int(picks["n"])))
        state.apply_action(legal[len(state.history()) * 7 % len(legal)])
    assert offered == {("card", True), ("number", True)}


def test_all_engines_agree() -> None:
    games = [rulespec.loads(GAME).game(3, engine=engine) for engine in HERE]
    assert shortest(games, range(12)) is None
    assert whole(games, 300) is None
