"""Which cards moved between two positions of a table, as `moves` of js/moves.js finds it."""

from __future__ import annotations

import json
from typing import Any

from chromium import needs, node

from ftk_cli.renderer import javascript

pytestmark = needs(browser=False)

CASES: dict[str, tuple[dict[int, list[int | None]], dict[int, list[int | None]], list[Any]]] = {
    "a card is played": ({1: [5, 6]}, {1: [6], 2: [5]}, [[1, 2, [5]]]),
    "a card is drawn from a deck": ({0: [None, None], 1: [5]}, {0: [None], 1: [5, 7]}, [[0, 1, [7]]]),
    "another player draws": ({0: [None, None]}, {0: [None], 2: [None]}, [[0, 2, [None]]]),
    "a card is laid face down": ({1: [5, 6]}, {1: [5], 3: [None]}, [[1, 3, [6]]]),
    "equal cards are two cards": ({1: [5, 5]}, {2: [5, 5]}, [[1, 2, [5, 5]]]),
    "one zone to two": ({1: [5, 6]}, {2: [5], 3: [6]}, [[1, 2, [5]], [1, 3, [6]]]),
    "a card is only turned": ({1: [None, 5]}, {1: [7, 5]}, []),
    "a card is turned and another one comes": ({0: [4], 1: [None]}, {1: [7, 4]}, [[0, 1, [4]]]),
    "a card that leaves the table": ({1: [5]}, {}, []),
    "nothing": ({}, {}, []),
}
"""The faces in zones by their numbers, before and after, and the moves: from, to and faces."""


def test_what_moved() -> None:
    given = json.dumps([[before, after] for before, after, _ in CASES.values()])
    found = node("moves.mjs", javascript() / "moves.js", given)
    moves = [[[one["from"], one["to"], one["faces"]] for one in case] for case in found]
    assert dict(zip(CASES, moves, strict=True)) == {name: wanted for name, (_, _, wanted) in CASES.items()}
