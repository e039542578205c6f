"""Loops in an order of values, cards that arrive below others, and what conditions show to be there."""

from __future__ import annotations

import random

import pytest

import rulespec
from rulespec.base.source import Source

HEAD = "rulespec: 2\ngame: {id: tiny, version: 1.0.0, title: Tiny, players: 3}\n"
END = "  - {id: end, title: End, rank: {among: {p: player}, by: [{high: seat_of(p), title: seat}], left: share}}\n"
CARDS = """cards: {fields: {value: 1..5}, manifest: [{value: 1..5}], start: deck}
zones: {deck: {order: stack, seen_by: everybody}, heap: {order: stack, seen_by: everybody}}
"""


def loaded(text: str) -> rulespec.Spec:
    return rulespec.loads(Source("tiny.yaml", HEAD + text))


@pytest.mark.parametrize("seed", range(5))
def test_a_loop_goes_by_its_criteria_then_by_the_seats_from_the_first(seed: int) -> None:
    bids = [random.Random(seed).choice([None, 0, 1]) for _ in range(3)]
    set_ = "".join(
        f"  - set: {{'bid[seat({seat + 1})]': {'none' if b is None else b}}}\n" for seat, b in enumerate(bids)
    )
    turn = (
        "  - {each: {p: player}, from: seat(2), by: [{low: 'bid[p]'}], do: {choose: {by: p, options: [{says: go, do: "
        "{set: {'bid[left_of(p)]': 0}}}]}}}\n"
    )
    state = (
        loaded(f"values: {{bid: {{per: player, type: '0..1?'}}}}\nplay:\n{set_}{turn}{END}").game().new_initial_state(1)
    )
    order = []
    while not state.is_terminal():
        order.append(state.current_player())
        state.apply_action(state.legal_actions()[0])
    assert order == sorted((1, 2, 0), key=lambda p: (bids[p] is None, bids[p]))  # absent values come last


@pytest.mark.parametrize(
    ("moved", "shown"),
    [
        ("{top: 1, from: deck, to: heap, at: {top: 1}}", "top(heap).value == 5"),
        ("{top: 1, from: deck, to: heap, at: {top: 2}}", "top(heap, 2).value == 5"),
        ("{top: 1, from: deck, to: heap, at: {bottom: 1}}", "bottom(heap).value == 5"),
        ("{top: 1, from: deck, to: heap, at: {top: 9}}", "bottom(heap).value == 5"),
        ("{card: bottom(deck), from: deck, to: heap, at: {bottom: 9}}", "top(heap).value == 3"),
        (
            "{bottom: 2, from: deck, to: heap, at: {bottom: 1}}",
            "bottom(heap).value == 4 and bottom(heap, 2).value == 3",
        ),
        ("{card: first(c in deck if c.value == 1), from: deck, to: heap, at: {bottom: 1}}", "size(heap) == 2"),
    ],
)
def test_a_card_becomes_the_one_at_its_place(moved: str, shown: str) -> None:
    setup = f"setup: [{{move: {{bottom: 2, from: deck, to: heap}}}}, {{move: {moved}}}]\n"
    invariants = f'invariants: [{{id: shown, at: setup.end, holds: "{shown} and has(heap, bottom(heap))"}}]\n'
    spec = loaded(f"{CARDS}{setup}play:\n{END}{invariants}")  # raises if the invariant does not hold
    assert spec.report.findings == ()


def test_a_position_must_have_what_the_steps_after_it_rely_on() -> None:
    inside = "{id: taken, title: Taken, set: {best: 'the max(c.value for c in heap if c.value > 2)'}}"
    step = f"  - {{if: any(c in heap if c.value > 2), then: {inside}}}\n"
    spec = loaded(f"{CARDS}values: {{best: {{type: 1..5, start: 1, title: best}}}}\nplay:\n{step}{END}")
    game = spec.game()
    heap, deck = (game.program.zone_base[name] for name in ("heap", "deck"))
    assert game.state_at(rulespec.StartPosition("taken", {}, {heap: (3,)}, deck)).is_terminal()
    with pytest.raises(rulespec.StateError, match="`taken` never begins"):
        game.state_at(rulespec.StartPosition("taken", {}, {heap: (0,)}, deck))
