"""Cards of a spec in a spreadsheet: what is read, where findings are, and who learns of a change."""

from __future__ import annotations

import subprocess
from pathlib import Path

import openpyxl
import pytest
from command import ftk

import rulespec
from ftk_cli.failure import Failure
from ftk_cli.page.archive import spreadsheets_beside
from rulespec.base.source import Source
from rulespec.language.cards_from import spreadsheet_of, with_cards

SHEETS = Path(__file__).parent / "spreadsheets"
SPEC = """rulespec: 2
game: {id: river, version: 1.0.0, title: River, players: 2}
enums: {suit: [sun, moon], gem: [red, green]}
cards:
  fields: {suit: suit, value: 1..6, marks: "set of gem?", cost: {per: gem, type: 0..3}}
  CARDS
  start: deck
zones: {deck: {seen_by: everybody}}
play: {id: end, title: End, rank: {among: {p: player}, by: [{high: "0", title: nothing}], left: share}}
"""
PLAIN = SPEC.replace(', marks: "set of gem?", cost: {per: gem, type: 0..3}', "").replace(", gem: [red, green]", "")


def spec_in(folder: Path, cards: str, text: str = PLAIN) -> Path:
    path = folder / "river.yaml"
    path.write_text(text.replace("CARDS", cards), encoding="utf-8")
    return path


def workbook(path: Path, *rows: list[object], above: int = 0) -> Path:
    book = openpyxl.Workbook()
    book.active.title = "Main"
    for row in [["River, a list of cards"], *[[]] * above][: above and above + 1]:
        book.active.append(row)
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def cards(path: Path) -> list[tuple[int, ...]]:
    return list(rulespec.load(path).model.deck.cards)


@pytest.mark.parametrize("name", ["extra_columns", "ids_first", "semicolons", "utf16", "other_headers"])
def test_lists_as_people_bring_them(name: str, tmp_path: Path) -> None:
    (tmp_path / f"{name}.csv").write_bytes((SHEETS / f"{name}.csv").read_bytes())
    more = ", columns: {copies: Qty}" if name == "other_headers" else ""
    listed = f"from: {name}.csv" + more.replace(", ", "\n  ")
    found = cards(spec_in(tmp_path, listed))
    assert found == [(suit, value) for suit in range(2) for value in range(1, 7) for _ in range(3)]
    report = rulespec.load(tmp_path / "river.yaml").report
    assert [one.code for one in report.findings] == ["RS306"] and str(report.findings[0].severity) == "info"


def test_a_cell_means_what_a_row_of_the_manifest_means(tmp_path: Path) -> None:
    rows = [["Suit", "VALUE", "marks", "Cost green", "copies"]]
    rows += [
        ["Sun", "1-3", "red green", 2, "2x"],
        ["moon", "4, 6", None, None, None],
        [],
        ["Total", None, None, None, 8],
    ]
    workbook(tmp_path / "cards.xlsx", *rows, above=2)
    sheet = cards(spec_in(tmp_path, "from: cards.xlsx", SPEC))
    first = "{suit: sun, value: 1..3, marks: [red, green], cost: {green: 2}, copies: 2}"
    assert sheet == cards(spec_in(tmp_path, f"manifest: [{first}, {{suit: moon, value: [4, 6], cost: {{}}}}]", SPEC))


def test_findings_are_at_their_cells(tmp_path: Path) -> None:
    workbook(tmp_path / "cards.xlsx", ["suit", "value", "copies"], ["sun", 9, 1], ["sunn", 1, 0], ["moon", "=1/0", 1])
    path = spec_in(tmp_path, "from: cards.xlsx\n  sheet: Main")
    said = [(one.start.cell, one.code) for one in rulespec.check(path).findings]
    assert said == [("Main!B4", "RS404")]
    workbook(tmp_path / "cards.xlsx", ["suit", "value", "copies"], ["sun", 9, 1], ["sunn", 1, 0], ["moon", 1, 1])
    said = [(one.start.cell, one.code) for one in rulespec.check(path).findings]
    assert said == [("Main!B2", "RS323"), ("Main!A3", "RS404"), ("Main!C3", "RS209")]
    result = ftk("check", path, "--format", "github")
    assert "cards.xlsx,line=2,endLine=2,col=2" in result.stdout and "Main!B2: " in result.stdout


@pytest.mark.parametrize(
    ("listed", "code", "line"),
    [
        ("from: no.csv", "RS001", 6),
        ("from: cards.txt", "RS206", 6),
        ("from: cards.csv\n  manifest: [{suit: sun, value: 1}]", "RS212", 6),
        ("from: cards.csv\n  columns: {copies: Nr}", "RS306", 1),
        ("from: cards.csv\n  columns: {coppies: Nr}", "RS306", 7),
        ("from: cards.csv\n  columns: {suit red: value}", "RS306", 7),
        ("from: cards.csv\n  columns: [Nr]", "RS204", 7),
        ("from: cards.csv\n  sheet: 2", "RS204", 7),
        ("sheet: Main", "RS202", 4),
    ],
)
def test_what_cannot_be_read(listed: str, code: str, line: int, tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text("suit,value\nsun,1\n", encoding="utf-8")
    found = rulespec.check(spec_in(tmp_path, listed)).errors
    assert (code, line) in {(one.code, one.start.line) for one in found}


def test_an_edited_sheet_is_read_again(tmp_path: Path) -> None:
    sheet = tmp_path / "cards.csv"
    sheet.write_text("suit,value\nsun,1\n", encoding="utf-8")
    path = spec_in(tmp_path, "from: cards.csv")
    before = rulespec.load(path).model
    assert not ftk("check", path).exit_code
    sheet.write_text("suit,value\nsun,1\nmoon,8\n", encoding="utf-8")
    assert ftk("check", path).exit_code == 1
    sheet.write_text("suit,value\nsun,1\nmoon,2\n", encoding="utf-8")
    after = rulespec.load(path).model
    assert (len(before.deck.cards), len(after.deck.cards)) == (1, 2) and before.digest != after.digest


def test_the_text_with_the_cards_stands_alone(tmp_path: Path) -> None:
    """Kept versions and releases have no spreadsheet beside them."""
    (tmp_path / "cards.csv").write_text("suit;value;copies\nsun;1,0;3\n", encoding="utf-8")
    for listed in (
        "from: cards.csv",
        "from: cards.csv\n  columns: {suit: suit}",
        "columns: {suit: suit}\n  from: cards.csv",
    ):
        path = spec_in(tmp_path, listed)
        whole, found = with_cards(Source(str(path), path.read_text(encoding="utf-8")))
        assert whole is not None and not found
        assert spreadsheet_of(Source("", whole.text)) == "" and "columns" not in whole.text
        assert rulespec.loads(whole.text).model.deck.cards == rulespec.load(path).model.deck.cards


def test_a_revision_has_its_own_sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sheet = tmp_path / "cards.csv"
    sheet.write_text("suit,value,copies\nsun,1,2\n", encoding="utf-8")
    spec_in(tmp_path, "from: cards.csv")
    git = ["git", "-c", "user.name=n", "-c", "user.email=e@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "First"]):
        subprocess.run([*git, *words], check=True)
    sheet.write_text("suit,value,copies\nsun,1,5\n", encoding="utf-8")
    result = ftk("diff", "HEAD:river.yaml", "river.yaml")
    assert "at HEAD:cards.csv:2:1 → cards.csv:2:1" in result.stdout and "+ 5 × suit sun" in result.stdout


def test_lists_of_nothing_and_long_lines(tmp_path: Path) -> None:
    """A cell with commas alone is a value that the field does not have; a long line is searched once."""
    (tmp_path / "cards.csv").write_text('suit,value\n"; ;",1\n', encoding="utf-8")
    assert [one.code for one in rulespec.check(spec_in(tmp_path, "from: cards.csv")).findings] == ["RS404"]
    long = Source("long.yaml", "a" * 2_000_000)
    assert with_cards(long) == (long, [])


def test_an_import_leaves_a_spec_with_a_sheet_alone(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text("suit,value\nsun,1\n", encoding="utf-8")
    (tmp_path / "other.csv").write_text("suit,value\nsun,2\n", encoding="utf-8")
    path = spec_in(tmp_path, "from: cards.csv")
    before = path.read_bytes()
    result = ftk("cards", path, "--import", tmp_path / "other.csv", "--write")
    assert result.exit_code == 3 and "Change the cards there" in result.stderr and path.read_bytes() == before


def test_an_import_of_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text("suit,value\nsun,1\n", encoding="utf-8")
    path = spec_in(tmp_path, "from: cards.csv")
    result = ftk("cards", path, "--import", tmp_path / "missing.csv")
    assert result.exit_code == 3 and "missing.csv" in result.stderr


def test_an_export_leaves_the_sheet_of_a_spec_alone(tmp_path: Path) -> None:
    sheet = tmp_path / "cards.csv"
    sheet.write_text("suit,value\nsun,1-3\n", encoding="utf-8")
    path = spec_in(tmp_path, "from: cards.csv")
    result = ftk("cards", path, "--export", sheet, "--write")
    assert result.exit_code == 0 and "has the cards already" in result.stderr
    assert sheet.read_text(encoding="utf-8") == "suit,value\nsun,1-3\n"
    assert ftk("cards", path, "--export", tmp_path / "other.csv", "--write").exit_code == 0
    assert len((tmp_path / "other.csv").read_text(encoding="utf-8").splitlines()) == 4


def test_members_that_are_a_range_of_letters(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text("suit,cost A,cost c\nSun,1,2\n", encoding="utf-8")
    text = SPEC.replace("[red, green]", "A..D").replace(', marks: "set of gem?"', "").replace(", value: 1..6", "")
    path = spec_in(tmp_path, "from: cards.csv", text)
    assert cards(path) == cards(spec_in(tmp_path, "manifest: [{suit: sun, cost: {A: 1, C: 2}}]", text))


def test_no_number_of_copies_is_read_in_part(tmp_path: Path) -> None:
    wrong = ["2 + 1", '"1,5"', "4 or 5", "1 per player", "~2", "two", "٢", "1e3", "1.000", "1-3", "50%", "TRUE", "-2"]
    path = spec_in(tmp_path, "from: cards.csv")
    (tmp_path / "cards.csv").write_text("suit,value,copies\n" + "".join(f"sun,1,{one}\n" for one in wrong), "utf-8")
    found = rulespec.check(path).errors
    assert [(one.code, one.start.line) for one in found] == [("RS404", at) for at in range(2, len(wrong) + 2)]


ROWS: list[list[object]] = [["suit", "value", "copies"], ["sun", "1-3", "2x"], ["moon", 2, "3,0"]]
OTHER: list[list[object]] = [["suit", "value", "copies"], ["moon", 6, 9]]
ORDERS: dict[str, dict[str, tuple[list[list[object]], str]]] = {
    "a hidden one first": {"A": (OTHER, "hidden"), "B": (ROWS, "visible")},
    "a very hidden one first": {"A": (OTHER, "veryHidden"), "B": (ROWS, "visible")},
    "an empty one first": {"A": ([], "visible"), "B": (ROWS, "visible")},
    "notes first": {"A": ([["notes"]], "visible"), "B": (ROWS, "visible")},
    "a pivot first": {"A": ([["Suit", "Sum of copies"], ["sun", 3]], "visible"), "B": (ROWS, "visible")},
    "two lists": {"A": (ROWS, "visible"), "B": (OTHER, "visible")},
}
TOTALS: list[list[object]] = [
    *(["Total", None, "=SUM(C2:C3)"], ["Total:", None, 5], ["Summe", 5, "5 cards"], [None, "Total", 5]),
    *([None, None, 5, "Total"], ["Grand total", "=B2/2", "#REF!"], ["合計 5", None, None], [None, None, 5]),
]
"""Rows below the list that have no card."""
BOOKS = [*ORDERS.values(), *({"A": ([*ROWS, total, [], ["* moon is rare"]], "visible")} for total in TOTALS)]


@pytest.mark.parametrize("sheets", BOOKS)
def test_every_reader_takes_the_same_cards(
    sheets: dict[str, tuple[list[list[object]], str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, (rows, state) in sheets.items():
        page = book.create_sheet(name)
        page.sheet_state = state
        for row in rows:
            page.append(row)
    book.save("cards.xlsx")
    assert len(cards(spec_in(tmp_path, "from: cards.xlsx"))) == 9
    path = spec_in(tmp_path, "manifest: [{suit: sun, value: 1..3, copies: 2}, {suit: moon, value: 2, copies: 3}]")
    for way in ("--import", "--export"):
        assert "already" in ftk("cards", path, way, "cards.xlsx").stderr


def test_a_number_below_the_totals_is_a_card(tmp_path: Path) -> None:
    path = spec_in(tmp_path, "from: cards.csv")
    (tmp_path / "cards.csv").write_text("suit,value,copies\nsun,1,2\nTotal,,2\n,3,\n", "utf-8")
    assert [one.start.line for one in rulespec.check(path).errors] == [4]


def test_a_sheet_without_the_columns_names_the_others(tmp_path: Path) -> None:
    workbook(tmp_path / "cards.xlsx", ["suit"], ["sun"])
    book = openpyxl.load_workbook(tmp_path / "cards.xlsx")
    book.create_sheet("Other")
    book.save(tmp_path / "cards.xlsx")
    (found,) = rulespec.check(spec_in(tmp_path, "from: cards.xlsx")).errors
    assert "by `sheet:` in the spec" in found.hint and "`Main` and `Other`" in found.hint


OVERLAY = """overlay: 2
id: short
extends: river
version: 1.0.0
title: Short
change: {manifest: [{suit: moon, value: 2..3, copies: 5}]}
add: {manifest: [{suit: sun, value: 6}]}
"""


def test_variants_decks_and_copies_of_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "specs/variants/river").mkdir(parents=True)
    rows = [["suit", "value", "Qty", "status"], ["sun", 1, 2, None], ["moon", "2-3", 1, "reconstructed"]]
    workbook(tmp_path / "specs/cards.xlsx", *rows)
    path = spec_in(tmp_path / "specs", "from: cards.xlsx\n  columns: {copies: Qty}")
    overlay, deck = tmp_path / "specs/variants/river/short.yaml", tmp_path / "specs/mine.yaml"
    overlay.write_text(OVERLAY, encoding="utf-8")
    deck.write_text("deck: 1\ngame: river\nreplaces: {suit: moon}\ncards: [{value: 4, copies: 2}]\n", encoding="utf-8")
    assert not ftk("check").stdout.count("error")
    assert len(rulespec.load("river", variant="short").model.deck.cards) == 2 + 10 + 1
    assert sorted(rulespec.load("river", deck).model.deck.cards) == [(0, 1), (0, 1), (1, 4), (1, 4)]
    assert ftk("new", "brook", "--from", "river").exit_code == 0
    assert (tmp_path / "specs/brook.xlsx").read_bytes() == (tmp_path / "specs/cards.xlsx").read_bytes()
    assert (
        cards(path) == cards(tmp_path / "specs/brook.yaml")
        and "from: brook.xlsx" in Path("specs/brook.yaml").read_text()
    )
    assert ftk("rename", "suit.moon", "star", "river", "--write").exit_code == 0
    assert "suit: star, value: 2..3" in overlay.read_text() and "{suit: star}" in deck.read_text()
    assert not ftk("check").stdout.count("error")


def test_the_archive_of_the_page_has_sheets_that_are_beside_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "games" / "river"
    (project / "specs").mkdir(parents=True)
    monkeypatch.chdir(project)
    for folder in (project, tmp_path):
        (folder / "cards.csv").write_text("suit,value\nsun,1\n", encoding="utf-8")
    spec_in(project / "specs", "from: ../cards.csv")
    assert [inside for inside, _ in spreadsheets_beside()] == ["project/cards.csv"]
    spec_in(project / "specs", "from: ../../../cards.csv")
    with pytest.raises(Failure, match="too far away"):
        list(spreadsheets_beside())


@pytest.mark.parametrize(
    "cards",
    [
        "cards:\n  # a list\n\n  from: a.csv\n",
        "cards:\r\n  from: a.csv\r\n",
        "cards: {\n  from: a.csv\n}\n",
        '"cards":\n  from: "a.csv"\n',
        "{cards: {from: a.csv}}\n",
    ],
)
def test_a_spec_names_its_spreadsheet_in_any_layout(cards: str) -> None:
    after = "" if cards.startswith("{") else "play: []\nb.csv: 1\n"
    assert spreadsheet_of(Source("specs/game.yaml", cards + after)) == "specs/a.csv"


def test_a_spreadsheet_named_elsewhere_has_no_cards() -> None:
    assert spreadsheet_of(Source("game.yaml", "cards:\n  manifest: []\nnotes:\n  from: a.csv\n")) == ""
