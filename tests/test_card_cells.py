"""Any list brought up to date with any cards has these cards, and all its other cells as they were."""

from __future__ import annotations

from functools import cache

from card_lists import sheet_of, table_in
from hypothesis import given, settings
from hypothesis import strategies as st

import rulespec
from rulespec import Spec
from rulespec.base.spreadsheet import edited, new_csv, new_workbook
from rulespec.editing.card_cells import edits_of, table_rows
from rulespec.editing.card_table import headed_table

GAME = """\
rulespec: 2
game: {id: river, version: 1.0.0, title: River, players: 2}
enums: {suit: [sun, moon]}
cards:
  fields: {suit: suit, value: 1..3?}
  manifest: [ROWS]
  start: deck
zones: {deck: {order: stack, seen_by: nobody}}
play:
  - {id: end, title: End, rank: {among: {p: player}, by: [{high: seat_of(p), title: seat}], left: share}}
"""
CARDS = st.tuples(st.sampled_from(["sun", "moon"]), st.sampled_from(["", 1, 2, 3]))


@cache
def spec_with(cards: tuple[tuple[str, str | int], ...]) -> Spec:
    rows = [f"{{suit: {suit}" + (f", value: {value}" if value else "") + "}" for suit, value in cards]
    return rulespec.loads(GAME.replace("ROWS", ", ".join(rows)))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(CARDS, min_size=1, max_size=6).map(tuple),
    st.lists(st.tuples(CARDS, st.integers(1, 3), st.sampled_from(["", "a note"])), min_size=1, max_size=6),
    st.booleans(),
    st.booleans(),
)
def test_a_list_has_the_cards_of_the_spec(
    cards: tuple[tuple[str, str | int], ...],
    rows: list[tuple[tuple[str, str | int], int, str]],
    with_copies: bool,
    as_csv: bool,
) -> None:
    spec = spec_with(cards)
    headings = ["Notes", "SUIT", "Copies", "Value"] if with_copies else ["Notes", "SUIT", "Value"]
    lines = [[note, suit, *([copies] if with_copies else []), value] for (suit, value), copies, note in rows]
    data = new_csv([headings, *lines]) if as_csv else new_workbook([headings, *lines], "Main")
    table, _ = headed_table(spec.model, sheet_of(data), {})
    after, locked = edited(data, table.columns.sheet, edits_of(table))
    assert not locked and not edits_of(table_in(spec, after))
    wanted = table_in(spec, new_csv(table_rows(spec.model, {}))).groups
    assert table_in(spec, after).groups == wanted
    notes = [row[0].text for row in sheet_of(after).rows if row[0].text]
    assert notes == ["Notes", *(note for *_, note in rows if note)]
