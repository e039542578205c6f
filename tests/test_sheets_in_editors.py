"""The language server and a spec whose cards are in a spreadsheet: findings at cells, rename, completion."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from language_server import Client
from ods_files import ods
from test_cards_from import spec_in
from test_language_server import place, running
from test_rename_in_sheets import workbook

from ftk_cli.page.workbench import check_file
from rulespec.base.source import Source
from rulespec.editing.editors.completion import proposals

pytestmark = pytest.mark.skipif(find_spec("pygls") is None, reason="needs the extra lsp")
ROWS: list[list[object]] = [["suit", "value", "Qty"], ["sun", "1-3", 2], ["moon", 4, 1]]
CARDS = "from: {name}\n  columns: {{copies: Qty}}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sheets")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[Client]:
    with running(folder) as made:
        yield made


def csv(path: Path, rows: list[list[object]]) -> None:
    path.write_text("\n".join(",".join(map(str, row)) for row in rows), encoding="utf-8")


def write(path: Path, rows: list[list[object]]) -> None:
    if path.suffix == ".ods":
        path.write_bytes(ods({"Main": [[str(cell) for cell in row] for row in rows]}))
    else:
        (csv if path.suffix == ".csv" else workbook)(path, rows)


@pytest.mark.parametrize("ending", ["xlsx", "ods"])
def test_what_is_wrong_in_a_cell_is_at_the_name_of_the_workbook(client: Client, folder: Path, ending: str) -> None:
    sheet = folder / f"cards.{ending}"
    write(sheet, ROWS)
    path = spec_in(folder, CARDS.format(name=sheet.name))
    assert client.diagnostics(path) == []
    write(sheet, [*ROWS, ["sunn", 9, 1]])
    assert client.registered == ["workspace/didChangeWatchedFiles"]
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": sheet.as_uri(), "type": 2}]})
    found = client.published(path)
    assert [one["message"].partition("\n")[0] for one in found] == [
        f"cards.{ending}, Main!A4: `sunn` is not one of `sun`, `moon`.",
        f"cards.{ending}, Main!B4: This is 9, but must be from 1 to 6.",
    ]
    line, column = place(path, "from: ¦cards")
    assert {(one["range"]["start"]["line"], one["range"]["start"]["character"]) for one in found} == {(line, column)}
    sheet.write_bytes(b"PK\x03\x04 damaged")
    client.notify("textDocument/didSave", {"textDocument": {"uri": path.as_uri()}})
    (damaged,) = client.published(path)
    assert "The file is damaged" in damaged["message"] and damaged["range"] == found[0]["range"]
    context: dict[str, Any] = {"textDocument": {"uri": path.as_uri()}, "range": found[0]["range"]}
    assert client.request("textDocument/codeAction", {**context, "context": {"diagnostics": found}}) == []


def test_what_is_wrong_in_csv_is_in_that_file(client: Client, folder: Path) -> None:
    sheet = folder / "cards.csv"
    csv(sheet, [*ROWS, ["😀", 4, 1]])
    path = spec_in(folder, CARDS.format(name=sheet.name))
    other = folder / "brook.yaml"
    other.write_text(path.read_text(encoding="utf-8").replace("id: river", "id: brook"), encoding="utf-8")
    assert client.diagnostics(path) == []
    (found,) = client.published(sheet)
    assert found["range"] == {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 2}}
    client.diagnostics(other)
    assert client.published(sheet) == [found, found]
    client.notify("textDocument/didClose", {"textDocument": {"uri": other.as_uri()}})
    assert client.published(sheet) == [found]
    csv(sheet, ROWS)
    client.notify("textDocument/didSave", {"textDocument": {"uri": path.as_uri()}})
    assert client.published(sheet) == []
    other.unlink()


def test_a_rename_changes_csv_and_names_the_command_for_a_workbook(client: Client, folder: Path) -> None:
    csv(folder / "cards.csv", ROWS)
    workbook(folder / "cards.xlsx", ROWS)
    path = spec_in(folder, CARDS.format(name="cards.csv"))
    client.diagnostics(path)
    position = dict(zip(("line", "character"), place(path, "suit: [su¦n"), strict=True))
    params = {"textDocument": {"uri": path.as_uri()}, "position": position, "newName": "star"}
    changes = client.request("textDocument/rename", params)["changes"]
    assert changes[(folder / "cards.csv").as_uri()][0]["newText"] == "star"
    path = spec_in(folder, CARDS.format(name="cards.xlsx"))
    client.diagnostics(path)
    with pytest.raises(AssertionError, match=r"Run: ftk rename suit\.sun star river\.yaml --write"):
        client.request("textDocument/rename", params)


@pytest.mark.parametrize(
    ("listed", "proposed"),
    [
        ("from: ¦", {"cards.xlsx", "cards.csv"}),
        ("from: cards.xlsx\n  sheet: ¦", {"Main"}),
        ("from: cards.xlsx\n  columns: {cop¦: Qty}", {"copies", "status", "source"}),
        ("from: cards.xlsx\n  columns: {copies: ¦}", {"Qty"}),
    ],
)
def test_words_of_the_spreadsheet_are_proposed(listed: str, proposed: set[str], tmp_path: Path) -> None:
    csv(tmp_path / "cards.csv", ROWS)
    workbook(tmp_path / "cards.xlsx", ROWS)
    text = spec_in(tmp_path, listed).read_text(encoding="utf-8")
    source = Source(str(tmp_path / "river.yaml"), text.replace("¦", ""))
    assert {one.text for one in proposals(source, text.index("¦"))} == proposed


def test_the_name_of_the_spreadsheet_leads_to_it_and_says_what_is_read(client: Client, folder: Path) -> None:
    workbook(folder / "sun.xlsx", [[*ROWS[0], "note"], *ROWS[1:]])
    path = spec_in(folder, CARDS.format(name="sun.xlsx"))
    client.diagnostics(path)
    here = place(path, "from: su¦n.xlsx")
    assert client.at("definition", path, *here)["uri"] == (folder / "sun.xlsx").as_uri()
    shown = client.at("hover", path, *here)["contents"]["value"]
    assert "2 rows of cards" in shown and "| Qty | `copies` |" in shown and "| note | not used |" in shown
    assert client.at("hover", path, *place(path, "copies: Q¦ty")) is None  # a heading is no name of the game


def test_the_workbench_shows_what_is_wrong_in_cells_at_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "specs").mkdir()
    csv(tmp_path / "specs/cards.csv", [*ROWS, ["sunn", 4, 1]])
    text = spec_in(tmp_path / "specs", CARDS.format(name="cards.csv")).read_text(encoding="utf-8")
    checked = check_file("specs/river.yaml", text)
    (found,) = checked["report"]["findings"]
    assert (found["path"], found["start"]["line"], checked["fixes"]) == ("specs/river.yaml", 6, [None])
    assert found["message"] == "specs/cards.csv:4:1: `sunn` is not one of `sun`, `moon`."
