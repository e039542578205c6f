"""Names for what expressions are at one moment, and starts that depend on their own indices."""

from __future__ import annotations

from agreement import HERE, shortest, whole

import rulespec
from rulespec.proofs.checks import unparse
from rulespec.proofs.meaning import digests
from rulespec.versions.changes import compare

NAMED = """
rulespec: 2
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
rulespec: 2
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

INSIDE = """
rulespec: 2
game: {id: inside, version: 1.0.0, title: Inside, players: 2..3}
enums: {suit: [red, blue]}
cards: {fields: {suit: suit, value: 1..4?, signs: set of suit}, manifest: [
    {suit: [red, blue], value: 1..4, signs: [red]}, {suit: [red, blue], signs: [blue]}], start: deck}
tables: {worth: {by: suit, red: 2, blue: 5}}
zones:
  deck: {order: stack, seen_by: nobody}
  hand: {per: player, seen_by: everybody}
  row: {order: stack, seen_by: everybody}
values:
  a: {per: {p: player}, type: 0..60, start: "let n = 5 * seat_of(p) in n + n", title: a}
  lead: {type: player?}
  best: {per: {p: player}, is: "let m = max(c.value for c in hand[p]) in (m ?? 0) + (m ?? 1)"}
  even: {per: {p: player, s: suit}, is: "count(c in hand[p] if c.suit == s) % 2 == 0"}
setup: {shuffle: deck}
play:
  - {each: {p: player}, do: {move: {top: 3, from: deck, to: "hand[p]"}}}
  - each: {round: 1..3}
    do:
      each: {p: player}
      do:
        - choose:
            by: p
            options:
              - says: lay {c}
                pick: {c: "hand[p]"}
                if: "let t = top(row) in let high = 3 in t == none or c.suit == t.suit or (c.value ?? 0) > high"
                do: [{move: {card: c, from: "hand[p]", to: row}}, {set: {lead: p}}]
              - says: give {q} {n}
                pick: {q: player, n: 1..3}
                if: |
                  let w = lead ?? p in
                  let left = left_of(w) in q == left and n < best[left_of(left)] and even[left, red]
                do: {set: {"a[q]": "min(a[q] + (let k = n * best[q] in k > 4 ? 4 : k), 60)"}}
              - says: count
                if: |
                  count(q in player if
                    let f = first(c in hand[q] if has(let s = c.signs in s, red)) in
                    f != none and worth[f.suit ?? red] > 2) > 0
                do: {set: {"a[p]": "sum(let w = worth[c.suit] in w > 3 ? w : w + 1 for c in row)"}}
            none: skip
  - id: end
    title: End
    rank: {among: {p: player}, by: [{high: "let l = lead in l == p ? a[p] + 1 : a[p]", title: a}], left: share}
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


def test_names_inside_expressions() -> None:
    state = agree(INSIDE).game(3).new_initial_state(seed=1)
    assert [state.value("a", seat) for seat in (0, 1, 2)] == [10, 20, 30]


def test_a_name_inside_an_expression_changes_no_meaning() -> None:
    plain = INSIDE.replace("let m = max(c.value for c in hand[p]) in (m ?? 0) + (m ?? 1)", "{m} ?? 0) + ({m} ?? 1)")
    plain = plain.replace("{m}", "(max(c.value for c in hand[p])", 1).replace("{m}", "max(c.value for c in hand[p])")
    named, written = (rulespec.loads(text) for text in (INSIDE, plain))
    assert digests(named.model) == digests(written.model)
    assert not compare(named.model, written.model).every
    assert unparse.text(named.model, named.model.values["best"].definition) in INSIDE
