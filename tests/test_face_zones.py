"""Cards that leave a zone by their face leave its order as it was."""

import pytest

import rulespec
from rulespec.engine.backend.analyses.faces import by_face
from rulespec.engine.backend.forms.machine_playout import MachinePlayout, TallyLayout
from rulespec.engine.backend.forms.playout import PlayoutWriter
from rulespec.engine.program import ir
from rulespec.engine.states.playout import playouts

SPEC = """
rulespec: 2
game: {id: trays, version: 1.0.0, title: Trays, players: 2}
cards:
  fields: {value: 1..5}
  manifest: [{value: 1..5, copies: 4}]
  start: deck
zones:
  deck: {order: stack, seen_by: nobody}
  hand: {per: player, seen_by: owner}
  line: {per: player, order: stack, seen_by: everybody}
  spent: {seen_by: everybody}
  gone: {seen_by: everybody}
setup: {id: setup, title: Shuffle, shuffle: deck}
play:
  - id: rounds
    title: Forty rounds
    each: {n: 1..40}
    do:
      - id: turn
        title: Draw two, play one, lose one
        each: {p: player}
        do:
          - {id: again, title: The spent cards, if: "size(deck) < 2", then: {move: {every: c, from: spent, to: deck}}}
          - {id: draw, title: Draw two, move: {top: 2, from: deck, to: "hand[p]"}}
          - id: play
            title: Play a card of any value, or a low one, or one for good
            choose:
              by: p
              none: skip
              options:
                - {says: "play {c}", pick: {c: "hand[p]"}, do: {move: {card: c, from: "hand[p]", to: spent}}}
                - says: "low {d}"
                  pick: {d: "hand[p]"}
                  if: d.value < 3
                  do: {move: {card: d, from: "hand[p]", to: spent}}
                - says: "line {e}"
                  pick: {e: "hand[p]"}
                  do: {move: {card: e, from: "hand[p]", to: "line[p]"}}
                - {says: nothing, if: "size(hand[p]) == 0", do: {note: Nothing.}}
          - {id: lose, title: Lose a card, if: "n % 3 != 0", then: {move: {random: 1, from: "hand[p]", to: spent}}}
      - {id: mix, title: Mix a hand, if: "n % 7 == 0", then: {shuffle: "hand[seat(1)]"}}
      - id: give
        title: Give a hand
        if: "n % 5 == 0"
        then: {move: {every: c, from: "hand[seat(1)]", to: "hand[seat(2)]"}}
      - {id: clear, title: Clear a line, if: "n % 9 == 0", then: {move: {every: c, from: "line[seat(1)]", to: spent}}}
      - {id: out, title: A card is out, if: "n == 30", then: {move: {every: c, from: "line[seat(2)]", to: gone}}}
  - id: ends
    title: The rest is in line
    each: {p: player}
    do: {move: {every: c, from: "hand[p]", to: "line[p]"}}
  - id: end
    title: The highest top card wins
    rank:
      among: {p: player}
      by: [{high: "top(line[p]).value ?? 0", title: top card}, {high: "sum(c.value for c in line[p])", title: sum}]
      left: share
"""


@pytest.fixture(scope="module")
def spec() -> rulespec.Spec:
    return rulespec.loads(SPEC)


def test_all_engines_play_alike(spec: rulespec.Spec) -> None:
    games = [spec.game(2, None, engine) for engine in ("interpreter", "compiled", "native")]
    first, *others = [playouts(game, 3, range(300)) for game in games]
    assert all(other == first for other in others)


def test_hands_are_put_in_order_when_that_matters_and_spent_cards_are_numbers_alone(spec: rulespec.Spec) -> None:
    program = spec.game(2, None, "interpreter").program
    named = {number: name for number, (name, _) in enumerate(program.zones)}

    def zones(played: ir.Program, only_placed: bool) -> tuple[set[str], set[str]]:
        w = MachinePlayout(played, only_placed, frozenset(), TallyLayout())
        PlayoutWriter(w, played).write()
        return {named[zone] for zone in w.lazy}, {named[zone] for zone in w.unordered}

    assert by_face(program, zones) == ({"hand"}, {"gone"})
