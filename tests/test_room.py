"""Zones that hold only so many cards: what the checker knows of them, and games that move too many there."""

from __future__ import annotations

from pathlib import Path

import pytest
from agreement import text_of
from command import ftk

import rulespec
from rulespec.engine.states.log import lines as log_lines
from rulespec.engine.states.log import replay
from rulespec.games.api import SpecError
from rulespec.language.model.steps.move import Move
from rulespec.versions.changes.compare import compare

PLAIN = text_of("room")


def limited(spec: rulespec.Spec) -> list[str]:
    """The moves that may be too many."""
    return [step.how for step in spec.model.steps() if isinstance(step, Move) and step.limited]


def test_conditions_and_intervals_prove_that_cards_fit() -> None:
    assert limited(rulespec.loads(PLAIN)) == ["card", "cards", "every", "card"]
    assert limited(rulespec.loads(PLAIN.replace("if: size", "if: size(row) < 5 and size"))) == [
        "cards",
        "every",
        "card",
    ]


def test_a_game_stops_where_a_zone_is_full() -> None:
    game = rulespec.loads(PLAIN).game(2)
    state = game.new_initial_state(seed=1)
    for _ in range(3):
        pair = next(
            a for a in state.legal_actions() if state.action_to_string(state.current_player(), a).count(",") == 1
        )
        state.apply_action(pair)
    assert state.is_terminal() and state.ranking() == [0, 0]
    assert state.stopped() == "the game stops without a ranking: `row` cannot hold more than 5 cards"
    assert len(state.zone("row")) == 4
    text = "\n".join(log_lines(state))
    assert '"zone": "row", "holds": 5' in text
    assert replay(game, text).stopped() == state.stopped()


def test_the_setup_must_not_move_too_many() -> None:
    text = PLAIN.replace("setup: {shuffle: deck}", "setup: {move: {top: 6, from: deck, to: row}}")
    (found,) = rulespec.check_all([rulespec.Source("room.yaml", text)]).report.findings
    assert (found.code, found.start.line) == ("RS633", 9) and "more than 5 cards to `row`" in found.message


def test_the_cards_start_in_a_zone_for_all_of_them() -> None:
    with pytest.raises(SpecError) as error:
        rulespec.loads(PLAIN.replace("deck: {order: stack, seen_by: nobody}", "deck: {seen_by: nobody, holds: 9}"))
    assert [(one.name, one.start.line) for one in error.value.diagnostics] == [("out-of-range", 4)]


def test_the_number_is_part_of_what_a_zone_is() -> None:
    old, new = rulespec.loads(PLAIN), rulespec.loads(PLAIN.replace("holds: 5", "holds: 6"))
    assert [(one.kind, one.name) for one in compare(old.model, new.model).every] == [("zone-changed", "row")]


CASE = """
scenario: 2
game: room
cases:
  - id: full
    title: Full
    players: 2
    given: {at: turns, zones: {row: [CARDS]}, rest: REST}
    expect: {zones: {row: [CARDS]}}
"""
FIVE, SIX = "'1', '1', '2', '2', '3'", "'1', '1', '2', '2', '3', '3'"


@pytest.mark.parametrize(
    ("cards", "rest", "words"),
    [
        (FIVE, "deck", ""),
        (SIX, "deck", "`row` holds 5 cards, not 6."),
        (FIVE, "'hand[1]'", "`hand` holds 4 cards, not 13."),
    ],
)
def test_a_position_fits_into_its_zones(tmp_path: Path, cards: str, rest: str, words: str) -> None:
    folder = tmp_path / "specs" / "scenarios" / "room"
    folder.mkdir(parents=True)
    (tmp_path / "specs" / "room.yaml").write_text(PLAIN, encoding="utf-8")
    (folder / "full.yaml").write_text(CASE.replace("CARDS", cards).replace("REST", rest), encoding="utf-8")
    result = ftk("test", tmp_path / "specs" / "room.yaml")
    assert result.exit_code == bool(words) and words in result.output, result.output


BY_PLAYERS = (
    PLAIN.replace("tables: {", "tables: {limit: {by: players, 2: 4, 3: 2}, ")
    .replace("holds: 4}", "holds: 'limit[players]'}")
    .replace("4 - size(hand[p])", "max(limit[players] - size(hand[p]), 0)")
    .replace("holds: 5}", "holds: 'long == far ? players + 3 : 2'}")
    .replace("values: {", "rulings: {long: {question: Is it long?, answer: near, or: [far]}}\nvalues: {")
)


def test_the_room_may_depend_on_players_and_rulings() -> None:
    spec = rulespec.loads(BY_PLAYERS)
    assert limited(spec) == ["card", "cards", "every", "card"]  # what fills the hand up is not
    for players, long, most in ((2, "far", 5), (3, "far", 6), (2, "near", 2), (3, "near", 2)):
        sizes = [len(state.zone("row")) for state in played(spec.game(players, {"long": long}))]
        assert max(sizes) == most


def played(game: rulespec.Game) -> list[rulespec.State]:
    """All states of some random games."""
    states = []
    for seed in range(30):
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[seed % len(state.legal_actions())])
            states.append(state.clone())
    return states


@pytest.mark.parametrize(
    ("room", "message"),
    [
        ("0", "but must be 1 to"),
        ("limit[players] - 4", "but must be 1 to"),
        ("size(deck)", "not known before the game begins"),
        ("true", "but a number"),
    ],
)
def test_the_room_is_a_number_that_is_constant_for_a_game(room: str, message: str) -> None:
    with pytest.raises(SpecError) as error:
        rulespec.loads(BY_PLAYERS.replace("holds: 'limit[players]'", f"holds: '{room}'"))
    assert any(message in one.message for one in error.value.diagnostics)


def test_a_table_of_rooms_is_no_smaller_than_what_starts_there() -> None:
    with pytest.raises(SpecError) as error:
        rulespec.loads(
            BY_PLAYERS.replace("start: deck", "start: out").replace(
                "out: {seen_by: everybody}", "out: {seen_by: everybody, holds: '9 * (players - 1)'}"
            )
        )
    assert any("holds 9 cards, but all 18 start there" in one.message for one in error.value.diagnostics)
