"""Cards for other programs: lists for those that lay out cards, sheets to print, and decks for virtual tables."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from command import ftk

import rulespec
from rulespec.text.output.sheets import Words, faces, layout
from rulespec.text.output.sheets.layout import safe


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize(("lang", "king"), [("en", "king card"), ("uk", "картка короля"), ("zh-Hant", "國王卡牌")])
def test_a_list_for_layout_has_each_face_once(lang: str, king: str, tmp_path: Path) -> None:
    path = tmp_path / "cards.csv"
    assert ftk("cards", "fortheking", "--format", "layout", "--lang", lang, "--output", path).exit_code == 0
    rows = table(path.read_text(encoding="utf-8"))
    assert list(rows[0])[:3] == ["qty", "name", "kind"] and king in {row["name"] for row in rows}
    assert sum(int(row["qty"]) for row in rows) == 108
    shown = [tuple(value for name, value in row.items() if name != "qty") for row in rows]
    assert len({*shown}) == len(shown)


def test_a_list_for_layout_has_the_cards_in_play_in_one_language() -> None:
    rows = table(ftk("cards", "fortheking", "--format", "layout", "--players", 2).stdout)
    assert sum(int(row["qty"]) for row in rows) == 82
    assert ftk("cards", "fortheking", "--format", "layout", "--lang", "en,uk").exit_code == 2


def test_a_field_keeps_its_name_in_a_list_for_layout() -> None:
    spec = rulespec.load("nim").model
    heading = layout(faces(spec, Words(spec, None, "en")), ["qty", "name"]).split("\n")[0]
    assert heading == "quantity,title,qty,name"


@pytest.mark.parametrize(
    ("cell", "written"),
    [("=1+1", "'=1+1"), ("@a", "'@a"), ("+1 card", "'+1 card"), ("-3", "-3"), ("+2,5", "+2,5"), ("a=b", "a=b")],
)
def test_no_cell_is_a_formula(cell: str, written: str) -> None:
    assert safe(cell) == written
