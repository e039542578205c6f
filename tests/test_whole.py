"""Whole checks as a newcomer sees them: one mistake is one finding, and its hint says what to write."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import expectations, places, samples

import rulespec
from rulespec.base.diagnostics import Finding
from rulespec.base.source import Source
from rulespec.games import api

HEAD = """rulespec: 2
game: {id: tiny, version: 1.0.0, players: 2..4}
enums: {colour: [red, green]}
cards: {fields: {colour: colour, value: 1..3}, manifest: [{colour: [red, green], value: 1..3}], start: deck}
zones: {deck: {seen_by: nobody}, row: {seen_by: everybody}, hand: {per: player, seen_by: owner}}
values: {v: {type: 0..9, start: 0}, turn: {type: player, start: seat(1)}}
procedures: {give: {with: {p: player}, do: {note: Given.}}}
"""


def only(step: str) -> Finding:
    report = api.check_spec(Source("x", f"{HEAD}play: [{step}]\n"))
    found = [finding for finding in report.errors if finding.name != "no-end"]
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize("path", samples("whole"), ids=lambda path: path.stem)
def test_bad_samples(path: Path) -> None:
    assert places(rulespec.check(path).findings) == expectations(path)


@pytest.mark.parametrize(
    ("step", "hint"),
    [
        ("{set: {v: min(v + 1, 9)}}", 'Write "min(v + 1, 9)".'),
        ("{move: {top: 1, from: deck, to: hand[turn]}}", 'Write "hand[turn]".'),
        ("{if: v == 1, then: {set: {v: v > 3 ? 1 : 2}}}", 'Write "v > 3 ? 1 : 2".'),
        ("{repeat: {times: 3}}", "Did you mean `at_most`?"),
        ("{move: {top: 1}, from: deck, to: row}", "Write `move: {…, from: …, to: …}`."),
        ("{if: v == 1, do: {note: x}}", "After `if:` write `then:` instead of `do:`."),
        ("{each: {p: player}, shuffle: deck}", "Write `shuffle` inside the `do:` of `each`."),
        ("{while: v == 1, do: {note: x}}", "Move `while` into `repeat:`."),
        ("{run: give, p: seat(1)}", "Write the parameters of a procedure under `with:`."),
        ("{set: {turn: 1}}", "Write `seat(1)`."),
        ("{each: {c: row}, do: {if: c.suit == red, then: {note: x}}}", "A card has `colour`, `value`."),
        (
            "{each: {c: row}, do: {if: c == red, then: {note: x}}}",
            "Add a field of the card: `….colour`.",
        ),
        ("{move: {top: 1, from: deck, to: hand}}", "Write `hand[p]`."),
        ("{each: {q: player}, do: {move: {top: 1, from: deck, to: hand}}}", "Write `hand[q]`."),
        ("{each: {player: p}, do: {note: x}}", "Write the name before the domain: `{p: player}`."),
        ("{each: {p: players}, do: {note: x}}", "Write `player` for all players."),
    ],
)
def test_hints(step: str, hint: str) -> None:
    assert only(step).hint == hint
