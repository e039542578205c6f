"""The texts of cards: placeholders with numbers, in texts that are checked, printed and exported."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from command import ftk
from doc_games import GAMES

import rulespec
from rulespec.base.source import Source
from rulespec.games.rulebook import check_raw, check_translation, texts_of
from rulespec.text.output.sheets.measures import SMALLEST, fitted, wrapped

MARKET = next(block.text for block in GAMES if block.file == "village_market.yaml")
GLOSSARY = """glossary: 1
game: village_market
concepts:
  card: {names: card, en: {preferred: card}, uk: {preferred: карта}, zh-Hant: {preferred: 牌}}
"""
TEXTS = {
    "en": "Draw {draws, plural, one {# card} other {# cards}}.",
    "uk": "Візьміть {draws, plural, one {# карту} few {# карти} many {# карт}}.",
    "zh-Hant": "抽 {draws} 張牌。",
}


def text(lang: str, smithy: str, title: str = "Smithy") -> str:
    head = f"translation: 3\ngame: village_market\nlang: {lang}\ntitle: Market\nrules:\n"
    return head + f"  name.smithy: {{title: {title}, text: {json.dumps(smithy, ensure_ascii=False)}}}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for at, content in {
        "specs/village_market.yaml": MARKET,
        "specs/glossaries/village_market.yaml": GLOSSARY,
        **{f"specs/translations/village_market/{lang}.yaml": text(lang, one) for lang, one in TEXTS.items()},
    }.items():
        path = tmp_path / at
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def findings(folder: Path, lang: str, smithy: str) -> list[tuple[str, int, str]]:
    path = folder / f"specs/translations/village_market/{lang}.yaml"
    found = check_translation(Source(str(path), text(lang, smithy))).findings
    return [(one.name, one.start.column, one.message) for one in found if one.name != "text-missing"]


@pytest.mark.parametrize(
    ("draws", "en", "uk"),
    [
        (1, "Draw 1 card.", "Візьміть 1 карту."),
        (2, "Draw 2 cards.", "Візьміть 2 карти."),
        (5, "Draw 5 cards.", "Візьміть 5 карт."),
    ],
)
def test_numbers_take_the_forms_of_the_language(folder: Path, draws: int, en: str, uk: str) -> None:
    path = folder / "specs" / "village_market.yaml"
    path.write_text(MARKET.replace("draws: 2", f"draws: {draws}"), encoding="utf-8")
    texts = texts_of(rulespec.load(path))
    said = {lang: one.rules["name.smithy"].text.text for lang, one in texts.items()}
    assert said == {"en": en, "uk": uk, "zh-Hant": f"抽 {draws} 張牌。"}


@pytest.mark.parametrize("lang", TEXTS)
def test_a_filled_text_is_held_to_the_effect(folder: Path, lang: str) -> None:
    assert findings(folder, lang, TEXTS[lang]) == []


AT = len("  name.smithy: {title: Smithy, text: ") + 2
"""The column where the text begins."""


@pytest.mark.parametrize(
    ("smithy", "name", "column", "message"),
    [
        ("Draw {drawn} cards.", "placeholder-wrong", AT + 5, "The card has no number `drawn`."),
        ("Draw {draws cards.", "placeholder-wrong", AT + 5, "This brace belongs to no placeholder."),
        (
            "Draw {draws, plural, one {# card}}.",
            "placeholder-wrong",
            AT + 5,
            "`draws` is 2 and needs the form `other`.",
        ),
        ("Draw {cost} cards.", "fact-contradicted", AT + 5, "The text says “3”"),
        ("Draw {draws} cards, then {copies} cards.", "number-unaccounted", AT + 25, ""),
    ],
)
def test_findings_are_at_the_placeholder(folder: Path, smithy: str, name: str, column: int, message: str) -> None:
    found = [one for one in findings(folder, "en", smithy) if one[0] == name]
    assert [(one[0], one[1]) for one in found] == [(name, column)] and found[0][2].startswith(message)


def test_braces_in_other_texts_are_no_placeholders(folder: Path) -> None:
    path = folder / "specs/translations/village_market/en.yaml"
    source = Source(str(path), text("en", TEXTS["en"]) + "  final: {title: The end, text: 'Most {points} win.'}\n")
    assert "placeholder-wrong" not in {one.name for one in check_translation(source).findings}


def test_a_rule_that_is_only_called_like_a_member_is_on_no_card(folder: Path) -> None:
    spec = MARKET.replace("enums:\n", "enums:\n  part: [last]\n").replace("id: final,", "id: part.last,")
    (folder / "specs/village_market.yaml").write_text(spec, encoding="utf-8")
    assert "part.last" in rulespec.load("specs/village_market.yaml").model.rules
    path = folder / "specs/translations/village_market/en.yaml"
    source = Source(str(path), text("en", TEXTS["en"]) + "  part.last: {title: The end, text: 'Most {points} win.'}\n")
    assert "placeholder-wrong" not in {one.name for one in check_translation(source).findings}


def test_a_glossary_with_errors_is_no_reason_for_silence(folder: Path) -> None:
    wrong = GLOSSARY.replace("en: {preferred: card}", "en: card")
    (folder / "specs/glossaries/village_market.yaml").write_text(wrong, encoding="utf-8")
    (found,) = [one for one in findings(folder, "en", "Draw 9 cards.") if one[0] == "glossary-unusable"]
    assert "village_market.yaml cannot be used: " in found[2]
    with pytest.raises(ValueError, match="cannot be used"):
        check_raw(Source("rules.txt", "Draw 9 cards."), "en", rulespec.load("specs/village_market.yaml"))


def test_placeholders_are_exported_as_written(folder: Path) -> None:
    done = ftk("text", "export", "specs/village_market.yaml", "--lang", "uk")
    assert "{draws, plural, one {# карту}" in done.stdout.replace('"\n"', "")


def test_texts_are_printed_and_listed(folder: Path) -> None:
    ftk("cards", "specs/village_market.yaml", "--sheet", "proofs", "--lang", "uk")
    page = (folder / "proofs" / "village_market-uk-4.svg").read_text(encoding="utf-8")
    words = " ".join(re.sub(r"<[^>]*>", " ", page).split())
    assert "Візьміть 2 карти." in words and "Smithy" in words
    done = ftk("cards", "specs/village_market.yaml", "--format", "layout", "--lang", "uk")
    assert "6,Smithy,Smithy,Візьміть 2 карти." in done.stdout.splitlines()


def test_a_text_too_long_for_its_card_is_reported_at_the_text(folder: Path) -> None:
    path = folder / "specs/translations/village_market/en.yaml"
    path.write_text(text("en", "Draw 2 cards. " + 120 * "Then think. "), encoding="utf-8")
    done = ftk("cards", "specs/village_market.yaml", "--sheet", "proofs")
    assert f"en.yaml:6:{AT - 1}: info RS891" in done.stderr and "characters too long for its card" in done.stderr


@pytest.mark.parametrize(("said", "lines"), [("Draw 2 cards.", 1), ("Draw 2 cards. " * 4, 3), ("抽兩張牌。" * 6, 3)])
def test_lines_are_no_wider_than_their_room(said: str, lines: int) -> None:
    block = wrapped(said, 3.8, 51, 40)
    assert len(block.lines) == lines and block.size == 3.8 and not block.excess
    assert all(fitted(line, block.size, 51) == block.size for line in block.lines)


def test_a_number_stays_beside_its_noun() -> None:
    lines = wrapped("Візьміть 12 карт зі своєї колоди. +1 монета. " * 3, 3.8, 30, 60).lines
    assert not any(line.rstrip().endswith(("12", "+1")) for line in lines)


def test_the_number_of_characters_too_many() -> None:
    block = wrapped("word " * 400, 3.8, 51, 40)
    assert block.size < SMALLEST and 1000 < block.excess < 2000


# spreadsheets


def sheet_of(folder: Path) -> dict[str, dict[str, str]]:
    """The exported list: the cells of each card by their headings."""
    rows = csv.DictReader((folder / "cards.csv").read_text(encoding="utf-8").splitlines())
    return {row["name"]: row for row in rows}


def test_texts_go_to_a_sheet_and_back(folder: Path) -> None:
    ftk("cards", "specs/village_market.yaml", "--export", "cards.csv", "--write")
    assert sheet_of(folder)["smithy"]["text uk"] == TEXTS["uk"] and sheet_of(folder)["copper"]["text uk"] == ""
    path = folder / "cards.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("抽 {draws} 張牌。", "'+{draws} 張牌。"), encoding="utf-8")
    shown = ftk("cards", "specs/village_market.yaml", "--import", "cards.csv")
    assert '+  name.smithy: {title: Smithy, text: "+{draws} 張牌。"}' in shown.stdout and shown.exit_code == 0
    ftk("cards", "specs/village_market.yaml", "--import", "cards.csv", "--write")
    written = (folder / "specs/translations/village_market/zh-Hant.yaml").read_text(encoding="utf-8")
    assert written == text("zh-Hant", "+{draws} 張牌。")
    done = ftk("cards", "specs/village_market.yaml", "--export", "cards.csv")
    assert "has the cards already" in done.stderr


def test_the_texts_of_new_rows_are_written_with_them(folder: Path) -> None:
    (folder / "cards.csv").write_text("name,copies,artist,Text EN\ncopper,30,Olha,\n", encoding="utf-8")
    ftk("cards", "specs/village_market.yaml", "--export", "cards.csv", "--write")
    assert (folder / "cards.csv").read_text(encoding="utf-8").splitlines()[:3] == [
        "name,copies,artist,Text EN",
        "copper,30,Olha,",
        f'smithy,6,,"{TEXTS["en"]}"',
    ]


@pytest.mark.parametrize(
    ("sheet", "name", "place", "message"),
    [
        ("name,copies,text de\ncopper,30,Ein\n", "language-unknown", "1:13", "The game has no text in de."),
        ("name,copies,text en\ncopper,3,One\ncopper,27,Two\n", "wrong-value", "3:11", "another text in row 2"),
    ],
)
def test_wrong_texts_are_reported_at_their_cells(folder: Path, sheet: str, name: str, place: str, message: str) -> None:
    (folder / "cards.csv").write_text(sheet, encoding="utf-8")
    done = ftk("cards", "specs/village_market.yaml", "--import", "cards.csv", "--write")
    assert (
        done.exit_code == 1 and f"cards.csv:{place}: " in done.stderr and name in done.stderr and message in done.stderr
    )
    assert (folder / "specs/village_market.yaml").read_text(encoding="utf-8") == MARKET


def test_a_spec_with_a_sheet_takes_texts_alone(folder: Path) -> None:
    ftk("cards", "specs/village_market.yaml", "--export", "specs/cards.csv", "--write")
    path = folder / "specs" / "village_market.yaml"
    manifest = "manifest: [{name: name, copies: name.copies}]"
    assert manifest in MARKET
    path.write_text(MARKET.replace(manifest, "from: cards.csv"), encoding="utf-8")
    list_ = folder / "specs" / "cards.csv"
    list_.write_text(list_.read_text(encoding="utf-8").replace("抽", "請抽"), encoding="utf-8")
    done = ftk("cards", path, "--import", list_, "--write")
    assert done.exit_code == 0, done.stderr
    assert "請抽 {draws}" in (folder / "specs/translations/village_market/zh-Hant.yaml").read_text(encoding="utf-8")
    assert "Not used" not in ftk("check", path).stdout


# renaming


def test_the_text_of_a_renamed_member_stays_its_text(folder: Path) -> None:
    done = ftk("rename", "name.smithy", "forge", "specs/village_market.yaml", "--write")
    assert done.exit_code == 0, done.stderr
    spec = rulespec.load("specs/village_market.yaml")
    assert {"name.forge"} <= spec.model.rules.keys()
    # The attribute is read in its own effect by the name of the member.
    assert "forge.draws" in (folder / "specs/village_market.yaml").read_text(encoding="utf-8")
    assert {lang: [*one.rules] for lang, one in texts_of(spec).items()} == {lang: ["name.forge"] for lang in TEXTS}


def test_placeholders_follow_a_renamed_field(folder: Path) -> None:
    rows = "manifest: [{name: name, copies: name.copies}]"
    spec = MARKET.replace("fields: {name: name}", "fields: {name: name, worth: 1..2}").replace(
        rows, "manifest: [{name: name, worth: 2, copies: name.copies}]"
    )
    (folder / "specs/village_market.yaml").write_text(spec, encoding="utf-8")
    path = folder / "specs/translations/village_market/en.yaml"
    path.write_text(text("en", "Draw {worth} cards, or {worth, plural, other {#}}."), encoding="utf-8")
    done = ftk("rename", "worth", "value", "specs/village_market.yaml", "--kind", "field", "--write")
    assert done.exit_code == 0, done.stderr
    assert path.read_text(encoding="utf-8") == text("en", "Draw {value} cards, or {value, plural, other {#}}.")
