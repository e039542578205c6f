"""`ftk cards` and `ftk rulings`: output, export and import of card lists."""

import csv
import io
import json
from pathlib import Path

import pytest
from command import ftk

import rulespec
from rulespec.source import from_text

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


def test_csv_comes_back_as_the_same_cards(tmp_path: Path) -> None:
    path = tmp_path / "cards.csv"
    assert ftk("cards", "fortheking", "--format", "csv", "--output", path).exit_code == 0
    result = ftk("cards", "fortheking", "--import", path)
    assert result.exit_code == 0
    assert "108 cards" in result.stderr
    text = SPEC.read_text(encoding="utf-8")
    start, end = text.index("  manifest:"), text.index("  totals:")
    manifest = "".join(f"  {line}\n" for line in result.stdout.splitlines())
    source, _ = from_text(text[:start] + manifest + text[end:], "again.yaml")
    assert source is not None
    before, after = rulespec.load(SPEC).model.deck, rulespec.loads(source).model.deck
    assert sorted(after.cards) == sorted(before.cards)
    assert {entry.status for entry in after.rows} == {entry.status for entry in before.rows}


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
        ("1:12", "unknown-field"),
        ("3:1", "wrong-value"),
        ("4:6", "wrong-value"),
        ("4:9", "wrong-value"),
        ("4:11", "wrong-value"),
        ("4:19", "unknown-source"),
        ("5:1", "field-missing"),
        ("5:7", "unknown-field"),
    ]
    assert "Did you mean `office`?" in result.stderr


@pytest.mark.parametrize(("content", "status"), [(b"", 1), (b"kind\n", 3), (b"\xff\xff", 3), (b"a\0b", 1), (b'"', 1)])
def test_import_of_hostile_files(tmp_path: Path, content: bytes, status: int) -> None:
    path = tmp_path / "cards.csv"
    path.write_bytes(content)
    assert ftk("cards", "fortheking", "--import", path).exit_code == status
    assert ftk("cards", "fortheking", "--import", tmp_path).exit_code == 3
    assert ftk("cards", "fortheking", "--import", tmp_path / "no.csv").exit_code == 3


def test_specs_that_cannot_be_used(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("rulespec: 1\n", encoding="utf-8")
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
