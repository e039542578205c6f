"""`ftk cards` and `ftk rulings`: output, export and import of card lists."""

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from command import ftk
from ods_files import ods

import rulespec
from rulespec.base.spreadsheet.reading import read
from rulespec.base.spreadsheet.sheet import Sheet

pytestmark = pytest.mark.slow("reads and writes the cards of large games")

SPEC = Path(__file__).parent.parent / "specs" / "fortheking.yaml"

EXPECTED = {
    2: ({"government": 45, "king": 10, "gold": 27}, 82, 22, 60),
    3: ({"government": 45, "king": 10, "gold": 30}, 85, 13, 72),
    4: ({"government": 45, "king": 10, "gold": 33}, 88, 8, 80),
    5: ({"government": 54, "king": 15, "gold": 39}, 108, 0, 108),
}


@pytest.mark.parametrize("players", EXPECTED)
def test_json_counts_what_each_number_of_players_uses(players: int) -> None:
    result = ftk("cards", "fortheking", "--players", players, "--format", "json")
    data = json.loads(result.stdout)
    assert list(data) == ["players", "by_kind", "total", "removed_at_random", "deck", "cards"]
    by_kind, total, removed, deck = EXPECTED[players]
    assert (data["players"], data["by_kind"]) == (players, by_kind)
    assert (data["total"], data["removed_at_random"], data["deck"]) == (total, removed, deck)
    assert sum(card["count"] for card in data["cards"]) == total
    assert set(data["cards"][0]) == {*rulespec.load(SPEC).model.deck.fields, "count", "status", "source"}


def test_text_shows_all_player_counts_side_by_side() -> None:
    rows = {line[:18].strip(): line[18:].split() for line in ftk("cards", "fortheking").stdout.splitlines()[:10]}
    assert rows["players"] == ["2", "3", "4", "5"]
    assert rows["kept"] == ["82", "85", "88", "108"]
    assert rows["left out"] == ["26", "23", "20", "0"]
    assert rows["removed at random"] == ["22", "13", "8", "0"]
    assert rows["deck"] == ["60", "72", "80", "108"]


def test_reconstructed_cards_are_said_once_beside_the_result() -> None:
    result = ftk("cards", "fortheking", "--players", "5")
    assert result.stderr.count("reconstructed") == 1
    assert "of 108 cards are reconstructed" in result.stderr
    assert ftk("cards", "fortheking", "-q").stderr == ""


@pytest.mark.parametrize("game", [*rulespec.known_games(), "hearts", "gin_rummy", "hanabi"])
def test_a_list_that_is_not_edited_changes_nothing(game: str, tmp_path: Path) -> None:
    path = tmp_path / "cards.csv"
    assert ftk("cards", game, "--format", "csv", "--output", path).exit_code == 0
    result = ftk("cards", game, "--import", path)
    assert (result.exit_code, result.stdout) == (0, "") and "has them already" in result.stderr


GAME = """\
rulespec: 2
game: {id: fruits, version: 1.0.0, title: Fruits, players: 2, sources: {box: The box, sheet: A sheet}}
enums: {fruit: [apple, pear, fig]}
cards:
  fields: {fruit: fruit, value: 1..9?, ripe: bool, likes: set of fruit?}
  manifest:
    # the common fruits
    - {fruit: [apple, pear], value: 1..3, ripe: true, copies: 2, source: [box]}   # on the box
    - fruit: fig      # a row in a block
      ripe: false
      status: derived
    - {ripe: true, fruit: fig, value: 9, likes: [apple, pear]}                  # the only one

  start: deck
zones: {deck: {order: stack, seen_by: nobody}}
play:
  - {id: end, title: End, rank: {among: {p: player}, by: [{high: seat_of(p), title: seat}], left: share}}
"""

EDITS = {
    "a number of copies": (
        [("fig,9,true,apple pear,1", "fig,9,true,apple pear,3")],
        [("value: 9, likes: [apple, pear]}", "value: 9, likes: [apple, pear], copies: 3}")],
    ),
    "copies of a row for several cards": (
        [("true,,2", "true,,4")],
        [("ripe: true, copies: 2, source: [box]}", "ripe: true, copies: 4, source: [box]}")],
    ),
    "one of them": (
        [("apple,2,true,,2", "apple,2,true,,1")],
        [
            (
                "{fruit: [apple, pear], value: 1..3, ripe: true, copies: 2, source: [box]}   # on the box",
                "{fruit: apple, value: 1, ripe: true, copies: 2, source: [box]}   # on the box\n"
                "    - {fruit: apple, value: 2, ripe: true, source: [box]}\n"
                "    - {fruit: apple, value: 3, ripe: true, copies: 2, source: [box]}\n"
                "    - {fruit: pear, value: 1..3, ripe: true, copies: 2, source: [box]}",
            )
        ],
    ),
    "a value": ([("fig,9,", "fig,8,")], [("value: 9, likes: [apple, pear]}", "value: 8, likes: [apple, pear]}")]),
    "a set": ([("apple pear,1", "pear,1")], [("likes: [apple, pear]", "likes: [pear]")]),
    "the status and the source": (
        [("1,derived,", "1,printed,box sheet")],
        [
            (
                "ripe: false\n      status: derived",
                "ripe: false\n      status: printed\n      source: [box, sheet]",
            )
        ],
    ),
    "the number of a row in a block": (
        [("fig,,false,,1,derived", "fig,,false,,4,derived")],
        [("status: derived\n", "status: derived\n      copies: 4\n")],
    ),
    "the last card for another": (
        [("fig,9,true,apple pear,1,printed,\n", "pear,7,false,fig,5,reconstructed,sheet\n")],
        [
            (
                "{ripe: true, fruit: fig, value: 9, likes: [apple, pear]}",
                "{fruit: pear, value: 7, ripe: false, likes: [fig], status: reconstructed, source: [sheet], copies: 5}",
            )
        ],
    ),
    "a card less": (
        [("fig,9,true,apple pear,1,printed,\n", "")],
        [("    - {ripe: true, fruit: fig, value: 9, likes: [apple, pear]}                  # the only one\n", "")],
    ),
    "a new card": (
        [("1,printed,\n", "1,printed,\npear,7,false,fig,5,reconstructed,sheet\n")],
        [
            (
                "# the only one\n",
                "# the only one\n    - {fruit: pear, value: 7, ripe: false, likes: [fig], status: reconstructed, "
                "source: [sheet], copies: 5}\n",
            )
        ],
    ),
}


def edited(text: str, edits: list[tuple[str, str]]) -> str:
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    return text


def as_is(text: str) -> str:
    return text


def as_spreadsheets_write(text: str) -> str:
    head, *lines = text.splitlines()
    cells = [";".join(f'"{cell}"' for cell in line.split(",")) for line in lines]
    cells = [line.replace('"true"', "TRUE").replace('"2"', '"2,0"') for line in cells]
    return "\ufeffsep=;\r\n" + "".join(f"{line};;\r\n" for line in [head.replace(",", ";"), *cells, ";;"])


@pytest.fixture
def fruits(tmp_path: Path) -> Path:
    path = tmp_path / "fruits.yaml"
    path.write_text(GAME, encoding="utf-8")
    return path


def with_brackets(text: str) -> str:
    """The spec with its manifest in brackets."""
    rows = [
        "manifest: [ # the common fruits",
        "      {fruit: [apple, pear], value: 1..3, ripe: true, copies: 2, source: [box]}, # on the box, low",
        "      {fruit: fig, ripe: false, # not, yet",
        "       status: derived}, # in brackets, too",
        "      {ripe: true, fruit: fig, value: 9, likes: [apple, pear]} ]",
    ]
    start, end = text.index("manifest:"), text.index("\n  start:")
    return text[:start] + "\n".join(rows) + text[end:]


@pytest.mark.parametrize("edit", EDITS)
def test_line_ends_stay(fruits: Path, tmp_path: Path, edit: str) -> None:
    cells, rows = EDITS[edit]
    table = tmp_path / "cards.csv"
    table.write_text(edited(ftk("cards", fruits, "--format", "csv").stdout, cells), encoding="utf-8")
    fruits.write_text(GAME, encoding="utf-8", newline="\r\n")
    assert ftk("cards", fruits, "--import", table, "--write").exit_code == 0
    assert fruits.read_bytes().decode() == edited(GAME, rows).replace("\n", "\r\n")


@pytest.mark.parametrize("edit", EDITS)
def test_a_manifest_in_brackets_keeps_its_comments(fruits: Path, tmp_path: Path, edit: str) -> None:
    fruits.write_text(with_brackets(GAME), encoding="utf-8")
    table, before = tmp_path / "cards.csv", ftk("cards", fruits, "--format", "csv").stdout
    table.write_text(edited(before, EDITS[edit][0]), encoding="utf-8")
    assert ftk("cards", fruits, "--import", table, "--write").exit_code == 0
    after = fruits.read_text(encoding="utf-8")
    assert all(comment in after for comment in ("# on the box, low", "# not, yet", "# in brackets, too"))
    assert ftk("cards", fruits, "--import", table).stdout == ""


@pytest.mark.parametrize("gone", range(7, 0, -1))
def test_the_last_rows_can_go(gone: int, fruits: Path, tmp_path: Path) -> None:
    table = tmp_path / "cards.csv"
    for text in (GAME, with_brackets(GAME)):
        fruits.write_text(text, encoding="utf-8")
        lines = ftk("cards", fruits, "--format", "csv").stdout.splitlines(keepends=True)
        for kept in (lines[:-gone], lines[:1] + lines[1 + gone :]):
            table.write_text("".join(kept), encoding="utf-8")
            fruits.write_text(text, encoding="utf-8")
            assert ftk("cards", fruits, "--import", table, "--write").exit_code == 0
            assert ftk("cards", fruits, "--format", "csv").stdout == "".join(kept)


def test_rows_keep_their_origin_if_the_list_does_not_say_it(fruits: Path, tmp_path: Path) -> None:
    table = tmp_path / "cards.csv"
    without = [line.split(",")[:5] for line in ftk("cards", fruits, "--format", "csv").stdout.splitlines()]
    table.write_text("\n".join(map(",".join, without)), encoding="utf-8")
    assert ftk("cards", fruits, "--import", table).stdout == ""
    text = "\n".join(map(",".join, [*without, ["pear", "9", "false", "pear", "1"]]))
    table.write_text(text.replace("fig,,false,,1", "fig,2,false,,3"), encoding="utf-8")
    assert ftk("cards", fruits, "--import", table, "--write").exit_code == 0
    rows = ftk("cards", fruits, "--format", "csv").stdout.splitlines()
    assert {"fig,2,false,,3,derived,", "apple,1,true,,2,printed,box", "pear,9,false,pear,1,printed,"} < {*rows}


def test_nothing_is_written_that_is_not_what_was_wanted(
    fruits: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "cards.csv"
    text = ftk("cards", fruits, "--format", "csv").stdout.replace("true,,2", "true,,4")
    table.write_text(text, encoding="utf-8")
    for wrong in (GAME, "a: [", GAME.replace("copies: 2", "copies: 4").replace("Fruits", "Vegetables")):
        monkeypatch.setattr("rulespec.editing.card_rows._Text.patched", lambda self, wrong=wrong: wrong)
        result = ftk("cards", fruits, "--import", table, "--write")
        assert result.exit_code == 3 and "Nothing was written" in result.stderr
        assert fruits.read_text(encoding="utf-8") == GAME


def test_cards_with_which_a_spec_has_errors_are_not_written(fruits: Path, tmp_path: Path) -> None:
    small = GAME.replace("seen_by: nobody", "seen_by: nobody, holds: 14")
    table = tmp_path / "cards.csv"
    table.write_text("fruit,value,ripe,likes,copies\nfig,,true,,15\n", encoding="utf-8")
    fruits.write_text(small, encoding="utf-8")
    result = ftk("cards", fruits, "--import", table, "--write")
    assert result.exit_code == 1 and "out-of-range" in result.stderr
    assert fruits.read_text(encoding="utf-8") == small


def test_a_game_without_cards_takes_none(tmp_path: Path) -> None:
    table = tmp_path / "cards.csv"
    table.write_text("kind\ngold\n", encoding="utf-8")
    result = ftk("cards", "tic_tac_toe", "--import", table)
    assert result.exit_code == 3 and "has no cards" in result.stderr


@pytest.mark.parametrize("habits", [as_is, as_spreadsheets_write])
@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_list_changes_its_rows_alone(
    fruits: Path, tmp_path: Path, edit: str, habits: Callable[[str], str]
) -> None:
    cells, rows = EDITS[edit]
    table = tmp_path / "cards.csv"
    exported = ftk("cards", fruits, "--format", "csv").stdout
    table.write_text(habits(edited(exported, cells)), encoding="utf-8", newline="")
    shown = ftk("cards", fruits, "--import", table)
    assert shown.exit_code == 0 and shown.stdout.startswith("--- a/") and "--write" in shown.stderr
    assert fruits.read_text(encoding="utf-8") == GAME
    assert ftk("cards", fruits, "--import", table, "--write").exit_code == 0
    assert fruits.read_text(encoding="utf-8") == edited(GAME, rows)
    assert ftk("cards", fruits, "--format", "csv").stdout.splitlines()[0] == exported.splitlines()[0]
    assert ftk("cards", fruits, "--import", table).stdout == ""


def test_errors_of_the_spec_with_the_new_cards_are_shown(fruits: Path, tmp_path: Path) -> None:
    fruits.write_text(GAME.replace("  start: deck", "  totals: {fruit: {fig: 2}}\n  start: deck"), encoding="utf-8")
    table = tmp_path / "cards.csv"
    table.write_text("fruit,value,ripe,likes,copies\nfig,,true,,5\n", encoding="utf-8")
    result = ftk("cards", fruits, "--import", table)
    assert result.exit_code == 1 and "wrong-total" in result.stderr and "+    - " in result.stdout


def test_options_of_an_import(fruits: Path, tmp_path: Path) -> None:
    assert ftk("cards", fruits, "--write").exit_code == 2
    assert ftk("cards", fruits, "--format", "sarif").exit_code == 2
    assert ftk("cards", fruits, "--import", tmp_path / "x.csv", "--variant", "v").exit_code in (2, 3)
    table = tmp_path / "cards.csv"
    table.write_text("rank\n1\n", encoding="utf-8")
    packaged = ftk("cards", "kuhn_poker", "--import", table)
    assert packaged.exit_code in (0, 1) and "-  manifest" in packaged.stdout


def test_csv_of_one_player_count_has_its_cards() -> None:
    rows = list(csv.DictReader(io.StringIO(ftk("cards", "fortheking", "--format", "csv", "--players", "2").stdout)))
    assert sum(int(row["copies"]) for row in rows) == 82


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_import_points_at_every_wrong_cell(tmp_path: Path, delimiter: str) -> None:
    rows = [
        ["kind", "value", "ofice", "copies", "status", "source"],
        ["gold", "2", "", "9", "derived", "sheet"],
        ["gols", "2", "", "1", "", ""],
        ["gold", "x", "", "0", "guessed", "sheet nowhere"],
        ["", "", "", "", "", "", "more"],
    ]
    path = tmp_path / "cards.csv"
    path.write_text("\n".join(delimiter.join(row) for row in rows), encoding="utf-8-sig")
    result = ftk("cards", "fortheking", "--import", path)
    assert result.exit_code == 1
    places = [line.split(": ")[0:2] for line in result.stderr.splitlines() if line.startswith(str(path))]
    assert [(place.removeprefix(f"{path}:"), what.split()[-1]) for place, what in places] == [
        ("1:1", "field-missing"),
        ("1:12", "unknown-field"),
        ("3:1", "wrong-value"),
        ("4:6", "wrong-value"),
        ("4:9", "too-few"),
        ("4:11", "not-allowed"),
        ("4:26", "unknown-source"),
        ("5:7", "unknown-field"),
    ]
    assert "add --columns office=ofice" in result.stderr


@pytest.mark.parametrize(("content", "status"), [(b"", 1), (b"kind\n", 1), (b"\xff\xff", 3), (b"a\0b", 1), (b'"', 1)])
def test_import_of_hostile_files(tmp_path: Path, content: bytes, status: int) -> None:
    path = tmp_path / "cards.csv"
    path.write_bytes(content)
    assert ftk("cards", "fortheking", "--import", path).exit_code == status
    assert ftk("cards", "fortheking", "--import", tmp_path).exit_code == 3
    assert ftk("cards", "fortheking", "--import", tmp_path / "no.csv").exit_code == 3


def test_specs_that_cannot_be_used(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("rulespec: 2\n", encoding="utf-8")
    assert ftk("cards", broken).exit_code == 1
    assert ftk("cards", tmp_path).exit_code == 3
    missing = ftk("cards", "fortheknig")
    assert (missing.exit_code, "Did you mean `fortheking`?" in missing.output) == (3, True)
    assert ftk("cards", "-", stdin=SPEC.read_text(encoding="utf-8")).exit_code == 0


def test_a_number_of_players_the_game_is_not_for() -> None:
    result = ftk("cards", "fortheking", "--players", "6")
    assert result.exit_code == 2
    assert "is for 2 to 5 players, not 6" in result.output


def test_rulings_as_json_and_text() -> None:
    data = json.loads(ftk("rulings", "fortheking", "--format", "json").output)
    (overbid,) = [ruling for ruling in data["rulings"] if ruling["id"] == "overbid"]
    assert set(overbid) == {"id", "question", "answer", "or", "silent"}
    assert (overbid["answer"], overbid["or"], overbid["silent"]) == ("allowed", ["forbidden"], ["en"])
    text = ftk("rulings", "fortheking").output
    assert all(ruling["question"] in text for ruling in data["rulings"])


def test_a_column_that_some_cards_fill_must_not_be_left_out(tmp_path: Path) -> None:
    rows = list(csv.reader(io.StringIO(ftk("cards", "fortheking", "--format", "csv", "-q").stdout)))
    at = rows[0].index("marker")
    table = tmp_path / "without_marker.csv"
    table.write_text("\n".join(",".join(row[:at] + row[at + 1 :]) for row in rows) + "\n", encoding="utf-8")
    result = ftk("cards", "fortheking", "--import", table)
    assert result.exit_code == 1
    assert "There is no column for `marker`, which cards of the game have." in result.output


def test_a_cell_may_have_a_line_break(fruits: Path, tmp_path: Path) -> None:
    table = tmp_path / "cards.csv"
    table.write_text('fruit,value,ripe,likes,copies,notes\nfig,,true,"apple\npear",15,"a\nb"\nfog,,true,,1,\n')
    result = ftk("cards", fruits, "--import", table)
    assert result.exit_code == 1 and "1 file: 1 error, 1 remark." in result.output
    assert f"{table}:5:1: error RS404 wrong-value: " in result.output and "Did you mean `fig`?" in result.output


RIVER = """\
rulespec: 2
game: {id: river, version: 1.0.0, title: River, players: 2}
enums: {suit: [sun, moon, star]}
cards:
  fields: {suit: suit, value: 1..6}
  manifest:
    - {suit: sun..moon, value: 1..6, copies: 3}   # the river
    - {suit: suit, value: [1, 3, 4, 5]}
  start: deck
zones: {deck: {order: stack, seen_by: nobody}}
play:
  - {id: end, title: End, rank: {among: {p: player}, by: [{high: seat_of(p), title: seat}], left: share}}
"""


@pytest.fixture
def river(tmp_path: Path) -> Path:
    path = tmp_path / "river.yaml"
    path.write_text(RIVER.replace("    - {suit: suit, value: [1, 3, 4, 5]}\n", ""), encoding="utf-8")
    return path


def test_a_column_that_is_called_otherwise_is_named_by_an_option(river: Path) -> None:
    path = Path(__file__).parent / "spreadsheets" / "other_headers.csv"
    result = ftk("cards", river, "--import", path)
    assert result.exit_code == 1 and "There is no column `copies`, and `Qty` is not used." in result.stderr
    assert "--columns copies=Qty" in result.stderr
    assert ftk("cards", river, "--import", path, "--columns", "copis=Qty").exit_code == 2
    assert ftk("cards", river, "--import", path, "--columns", "copies").exit_code == 2
    assert ftk("cards", river, "--columns", "copies=Qty").exit_code == 2
    absent = ftk("cards", river, "--import", path, "--columns", 'copies="Number of"')
    assert absent.exit_code == 1 and "There is no column `Number of`, which `copies` is read from." in absent.stderr


RANGES = {
    "a number of copies": (
        "sun,3,3",
        "sun,3,4",
        ["{suit: sun, value: 1..2, copies: 3}   # the river", "sun, value: 4..6"],
    ),
    "a card less": ("moon,6,3\n", "", ["{suit: sun, value: 1..6, copies: 3}", "{suit: moon, value: 1..5, copies: 3}"]),
    "a member less": (
        "star,5,1\n",
        "",
        ["suit: sun..moon, value: 1..6", "{suit: moon, value: [1, 3, 4, 5]}", "{suit: star, value: [1, 3, 4]}"],
    ),
}


@pytest.mark.parametrize("edit", RANGES)
def test_ranges_stay_ranges(edit: str, tmp_path: Path) -> None:
    spec, table = tmp_path / "river.yaml", tmp_path / "cards.csv"
    spec.write_text(RIVER, encoding="utf-8")
    before, after, rows = RANGES[edit]
    lines = [",".join(line.split(",")[:3]) for line in ftk("cards", spec, "--format", "csv").stdout.splitlines()]
    table.write_text(edited("\n".join([*lines, ""]), [(before, after)]), encoding="utf-8")
    assert ftk("cards", spec, "--import", table, "--write").exit_code == 0
    text = spec.read_text(encoding="utf-8")
    assert all(row in text for row in rows)


def test_a_card_listed_twice_is_a_warning_at_both_rows(river: Path, tmp_path: Path) -> None:
    table = tmp_path / "cards.csv"
    table.write_text("suit,value,copies\nsun,1,3\nmoon,1,2\nsun,1,2\nmoon,1,2\n", encoding="utf-8")
    result = ftk("cards", river, "--import", table)
    assert result.exit_code == 0
    assert (
        result.stderr.count("This card is listed twice, with 3 and with 2 copies: 5 in all. The other row is 4.") == 1
    )
    assert (
        result.stderr.count("This card is listed twice, with 2 and with 3 copies: 5 in all. The other row is 2.") == 1
    )


def workbook(path: Path, *rows: list[Any], **more: list[list[Any]]) -> Path:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "Main"
    for row in rows:
        book.active.append(row)
    for name, lines in more.items():
        sheet = book.create_sheet(name)
        for row in lines:
            sheet.append(row)
    book.save(path)
    return path


def test_findings_at_cells_of_a_workbook(river: Path, tmp_path: Path) -> None:
    rows = [["Suit", "Value", "Copies"], ["sun", date(2026, 1, 2), 1], ["#REF!", 1, "=1+1"], ["sum", 7.5, 0]]
    path = workbook(tmp_path / "cards.xlsx", *rows)
    result = ftk("cards", river, "--import", path)
    assert result.exit_code == 1
    lines = [line for line in result.stderr.splitlines() if line.startswith(str(path))]
    said = [re.sub(r"error RS\d+ [a-z-]+: ", "", line.removeprefix(f"{path}, ")) for line in lines]
    assert said == [
        "Main!B2: The cell contains the date 2026-01-02, not a value.",
        "Main!A3: The cell contains the error #REF!, not a value.",
        "Main!C3: The formula of this cell has not been calculated, so it has no value.",
        "Main!A4: `sum` is not one of `sun`, `moon`, `star`.",
        "Main!B4: `7.5` is not a number from 1 to 6.",
        "Main!C4: `copies` must be at least 1, not 0.",
    ]
    assert "for a date" in result.stderr
    data = json.loads(ftk("cards", river, "--import", path, "--format", "json").stdout)
    assert data["findings"][0]["start"] == {"line": 2, "column": 2, "cell": "Main!B2"}
    sarif = json.loads(ftk("cards", river, "--import", path, "--format", "sarif").stdout)
    assert len(sarif["runs"][0]["results"]) == 6
    assert "line=2,endLine=2,col=2" in ftk("cards", river, "--import", path, "--format", "github").stdout


def test_a_sheet_of_a_workbook(river: Path, tmp_path: Path) -> None:
    rows = [["suit", "value", "copies"], ["star", 6, 2]]
    path = workbook(tmp_path / "cards.xlsx", ["Notes"], Deck=rows)
    result = ftk("cards", river, "--import", path, "--sheet-name", "Main")
    assert "none of the headings" in result.stderr and "`--sheet-name`: there are `Main` and `Deck`." in result.stderr
    result = ftk("cards", river, "--import", path, "--sheet-name", "Deck")
    assert result.exit_code == 0 and "+    - {suit: star, value: 6, copies: 2}" in result.stdout
    wrong = ftk("cards", river, "--import", path, "--sheet-name", "Dock")
    assert wrong.exit_code == 3 and "Did you mean `Deck`?" in wrong.stderr


# --- export -----------------------------------------------------------------------------------------------------------


def with_notes(text: str) -> list[list[str]]:
    """A list with a column of notes before the others, and a row of notes below the cards."""
    rows = [["notes", *row] for row in csv.reader(io.StringIO(text))]
    return [rows[0], *([f"note {number}", *row[1:]] for number, row in enumerate(rows[1:])), ["below"]]


def saved_as(path: Path, rows: list[list[str]]) -> Path:
    if path.suffix == ".xlsx":
        return workbook(path, *([int(cell) if cell.isdigit() else cell for cell in row] for row in rows), Art=[["x"]])
    path.write_text("".join(";".join(row) + "\n" for row in rows), encoding="utf-8-sig")
    return path


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
@pytest.mark.parametrize("edit", EDITS)
def test_a_list_is_brought_up_to_date(edit: str, ending: str, fruits: Path, tmp_path: Path) -> None:
    rows = with_notes(ftk("cards", fruits, "--format", "csv").stdout)
    path = saved_as(tmp_path / f"cards{ending}", rows)
    before = path.read_bytes()
    assert ftk("cards", fruits, "--export", path, "--write").stdout == ""
    fruits.write_text(edited(GAME, EDITS[edit][1]), encoding="utf-8")
    shown = ftk("cards", fruits, "--export", path)
    assert shown.exit_code == 0 and shown.stdout and "--write" in shown.stderr and path.read_bytes() == before
    assert ftk("cards", fruits, "--export", path, "--write").exit_code == 0
    again = ftk("cards", fruits, "--import", path)
    assert (again.exit_code, again.stdout) == (0, ""), again.stderr
    assert "already" in ftk("cards", fruits, "--export", path).stderr
    notes = [row[0].text for row in sheet_at(path).rows if row[0].text]
    assert notes == [row[0] for row in rows]


def sheet_at(path: Path) -> Sheet:
    sheet, findings = read(path)
    assert sheet is not None and not findings
    return sheet


LIST = [
    *(["River"], ["Suit", "Value", "Qty", "Art"], ["sun", "1-6", "3", "a b"], ["moon", "1-6", "3x", "é"]),
    *([], ["Sum", "", "36"]),
]
CHANGED = {
    ("sun..moon, value: 1..6, copies: 3",): ([], []),
    ("sun, value: 1..6, copies: 5", "moon, value: 1..6, copies: 3"): (["3 → 5"], []),
    ("sun, value: [1, 2, 4, 5], copies: 3", "moon, value: 1..6, copies: 3"): (["1-6 → 1-2, 4-5"], []),
    ("sun..moon, value: 1..6, copies: 3", "star, value: 2, copies: 2"): ([], ["star", "2", "2"]),
    ("sun..moon, value: 1..6, copies: 3", "moon, value: 6"): (["1-6 → 1-5"], ["moon", "6", "4"]),
}
"""Rows of a manifest, with the cells of the list that they change and those of a new row."""


@pytest.mark.parametrize("ending", ["csv", "xlsx", "ods"])
@pytest.mark.parametrize("rows", CHANGED)
def test_an_export_keeps_ranges_and_totals(rows: tuple[str, ...], ending: str, river: Path, tmp_path: Path) -> None:
    changed, added = CHANGED[rows]
    text, old = river.read_text(encoding="utf-8"), "sun..moon, value: 1..6, copies: 3"
    river.write_text(text.replace(old, "}\n    - {suit: ".join(rows)), encoding="utf-8")
    path = tmp_path / f"cards.{ending}"
    if ending == "ods":
        path.write_bytes(ods({"Main": LIST}))
    else:
        saved_as(path, LIST)
    before = path.read_bytes()
    result = ftk("cards", river, "--export", path, "--write", "--columns", "copies=Qty")
    said = [line.rpartition(": ")[2] for line in result.stdout.splitlines()]
    assert said == [*changed, *(f"(empty) → {one}" for one in added)]
    written = path if ending != "ods" or not said else path.with_suffix(".csv")
    assert written != path or ending == "csv" or said or path.read_bytes() == before
    texts = [[cell.text for cell in row] for row in sheet_at(written).rows]
    assert texts[0] == ["River"] and texts[-1] == LIST[-1] and texts[-2][: len(added) or 1] == (added or ["moon"])
    assert "already" in ftk("cards", river, "--import", written, "--columns", "copies=Qty").stderr


def test_a_workbook_that_would_lose_a_chart_is_not_touched(river: Path, tmp_path: Path) -> None:
    path = workbook(tmp_path / "cards.xlsx", ["suit", "value", "copies"], ["sun", 1, 3])
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.load_workbook(path)
    book.active.add_chart(openpyxl.chart.BarChart(), "F2")
    book.save(path)
    before = path.read_bytes()
    result = ftk("cards", river, "--export", path, "--write")
    assert result.exit_code == 0 and "is not changed" in result.stderr and path.read_bytes() == before
    assert "already" in ftk("cards", river, "--import", path.with_suffix(".csv")).stderr


def test_an_export_changes_no_formula(river: Path, tmp_path: Path) -> None:
    rows: list[list[Any]] = [["suit", "value", "copies"], ["sun", 1, "=1+2"], *(["sun", at, 3] for at in range(2, 7))]
    path = workbook(tmp_path / "cards.xlsx", *rows, *(["moon", at, 4] for at in range(1, 7)))
    result = ftk("cards", river, "--export", path, "--write")
    assert result.exit_code == 1 and "Main!C2: error RS404 wrong-value: The spec has `3` here." in result.stderr
    assert [line.partition(", ")[2] for line in result.stdout.splitlines()] == [
        f"Main!C{at}: 4 → 3" for at in range(8, 14)
    ]
    assert "Main!C2" in ftk("cards", river, "--export", path, "--format", "json").stdout


def test_a_list_without_copies_has_a_row_for_each_card(river: Path, tmp_path: Path) -> None:
    path = tmp_path / "cards.csv"
    path.write_text("Suit,Value\nsun,1\nsun,1\nsun,1\nsun,1\nstar,1\n", encoding="utf-8")
    assert ftk("cards", river, "--export", path, "--write").exit_code == 0
    assert len(path.read_text(encoding="utf-8").splitlines()) == 37
    assert ftk("cards", river, "--import", path).stdout == ""


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_a_new_list(ending: str, fruits: Path, tmp_path: Path) -> None:
    path = tmp_path / f"new.{ending}"
    assert ftk("cards", fruits, "--export", path).exit_code == 0 and not path.exists()
    assert ftk("cards", fruits, "--export", path, "--write", "--columns", "copies=Qty").exit_code == 0
    assert ftk("cards", fruits, "--import", path, "--columns", "copies=Qty").stdout == ""
    assert [cell.text for cell in sheet_at(path).header][4] == "Qty"
    if ending == "xlsx":
        assert pytest.importorskip("openpyxl").load_workbook(path)["Cards"]["A1"].value == "fruit"


def test_lists_that_are_not_written(river: Path, tmp_path: Path) -> None:
    path = tmp_path / "cards.ods"
    assert ftk("cards", river, "--export", path).exit_code == 3
    path.write_bytes(ods({"Main": [["suit", "value", "copies"], ["sun", "1", "2"]]}))
    before = path.read_bytes()
    result = ftk("cards", river, "--export", path, "--write")
    assert result.exit_code == 0 and "read, but not written" in result.stderr and path.read_bytes() == before
    assert ftk("cards", river, "--import", path.with_suffix(".csv")).stdout == ""
    path.with_suffix(".csv").write_text("mine", encoding="utf-8")
    assert ftk("cards", river, "--export", path, "--write").exit_code == 3
    assert ftk("cards", river, "--export", path, "--import", path).exit_code == 2
