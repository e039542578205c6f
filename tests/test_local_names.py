"""Names for what expressions are at one moment, and starts that depend on their own indices."""

from __future__ import annotations

from agreement import HERE, shortest, whole

import rulespec

NAMED = """
rulespec: 1
game: {id: named, version: 1.0.0, title: Named, players: 2..3}
values:
  a: {per: {p: player}, type: 0..60, start: "10 * seat_of(p)", title: a}
  lead: {type: player, start: seat(1)}
play:
  - each: {p: player}
    do:
      id: share
      title: Share
      let: {third: "a[p] // 3", rest: "max(a[p] - third, 0)", next: left_of(lead), few: "a[p] < 15"}
      do:
        - {set: {"a[p]": rest, lead: next}}
        - choose:
            by: p
            options:
              - {says: give, do: {set: {"a[next]": "min(a[next] + third, 60)"}}}
              - {says: keep, if: few, do: {set: {"a[p]": "min(a[p] + third, 60)"}}}
  - {id: end, title: End, rank: {among: {p: player}, by: [{high: "a[p]", title: a}], left: share}}
"""

WORN = """
rulespec: 1
game: {id: worn, version: 1.0.0, title: Worn, players: 2..3}
enums: {suit: [red, blue]}
cards: {fields: {suit: suit, value: 1..4, spare: 0..1}, face: [suit, value],
        manifest: [{suit: [red, blue], value: 1..4, spare: [0, 1]}], start: deck}
tables: {worth: {by: suit, red: 2, blue: 5}}
zones: {deck: {order: stack, seen_by: nobody}, hand: {per: player, seen_by: owner}, out: {seen_by: everybody}}
values:
  wear: {per: {c: card}, type: 0..9, start: "worth[c.suit] + c.spare", title: wear}
  mark: {per: {p: player, k: suit}, type: 0..9, start: "p == seat(1) ? 9 : worth[k]", title: mark}
setup: {shuffle: deck}
play:
  - {each: {p: player}, do: {move: {top: 4, from: deck, to: "hand[p]"}}}
  - each: {round: 1..3}
    do:
      each: {p: player}
      do:
        choose:
          by: p
          options:
            - {says: "use {c}", pick: {c: "hand[p]"}, if: "wear[c] > 2", do: {set: {"wear[c]": "max(wear[c] - 2, 0)"}}}
            - {says: "throw {c}", pick: {c: "hand[p]"}, do: {move: {card: c, from: "hand[p]", to: out}}}
          none: skip
  - id: end
    title: End
    rank: {among: {p: player}, by: [{high: "sum(wear[c] for c in hand[p]) + mark[p, blue]", title: wear}], left: share}
"""


def agree(text: str) -> rulespec.Spec:
    spec = rulespec.loads(text)
    for players in spec.players:
        games = [spec.game(players, engine=engine) for engine in HERE]
        assert shortest(games, range(12)) is None
        assert whole(games, 200) is None
    return spec


def test_a_name_keeps_what_an_expression_was() -> None:
    state = agree(NAMED).game(2).new_initial_state(seed=1)
    assert [state.value("a", seat) for seat in (0, 1)] == [7, 20]
    assert [state.action_to_string(0, action) for action in state.legal_actions()] == ["give", "keep"]
    state.apply_action(state.legal_actions()[0])
    # The third of the first player's 10, to the player who was to the left of the lead; then 23 are shared.
    assert [state.value("a", seat) for seat in (0, 1)] == [7, 16]
    assert [state.action_to_string(1, action) for action in state.legal_actions()] == ["give"]
    state.apply_action(state.legal_actions()[0])
    assert [state.value("a", seat) for seat in (0, 1)] == [14, 16]


def test_a_start_depends_on_its_index() -> None:
    spec = agree(WORN)
    game = spec.game(2)
    state = game.new_initial_state(seed=1)
    cards = spec.model.deck.cards
    assert [state.value("wear", card) for card in range(len(cards))] == [
        (2, 5)[suit] + spare for suit, _, spare in cards
    ]
    assert [[state.value("mark", seat, suit) for suit in (0, 1)] for seat in (0, 1)] == [[9, 9], [2, 5]]
