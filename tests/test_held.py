"""What the sides of an invariant are in games."""

from __future__ import annotations

import high_card

import rulespec
from rulespec.play.held import GAMES, Held, held

SPEC = high_card.SPEC.rstrip() + (
    "\ninvariants:\n"
    "  - {id: all_there, holds: size(deck) == 52, at: setup.end}\n"
    "  - {id: few_out, holds: 'size(discard) <= players', at: always}\n"
    "  - {id: none_left, holds: 'size(deck) == 0 or players > 2', at: end}\n"
)


def test_the_sides_of_an_invariant_are_those_of_its_games() -> None:
    spec = rulespec.loads(SPEC).model
    setup, always, end = (list(held(spec, one)) for one in spec.invariants)
    assert setup == [Held(players, 1, 1, 0, ((52, 52), (52, 52))) for players in spec.players]
    assert [(one.sides[0][0], one.sides[1]) for one in always] == [(0, (n, n)) for n in spec.players]
    assert all(1 <= one.sides[0][1] <= one.players for one in always)
    assert all(1 <= one.games <= GAMES and one.times > one.games and not one.broken for one in always)
    assert [one.broken for one in end] == [end[0].games, *[0] * (len(spec.players) - 1)]
    assert end[0].sides[1] == (0, 0) and end[1].sides == (), "`or players > 2` is known to hold with three players"
