"""Card sheets: every card once, in the words of a language, by any template."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command import ftk
from typesetting import needs_pdf

import rulespec
from rulespec.games.looks import usable_looks
from rulespec.games.rulebook import book_of
from rulespec.text.output.sheets.drawing import SheetError, Template, drawn, too_long
from rulespec.text.output.sheets.faces import Words, different, faces
from rulespec.text.output.sheets.measures import fitted
from rulespec.text.output.sheets.pages import pages, pdf
from rulespec.text.output.sheets.paper import CARD

pytestmark = pytest.mark.slow("draws the cards of large games")

SVG = "{http://www.w3.org/2000/svg}"


def texts(path: Path) -> list[str]:
    return ["".join(node.itertext()).strip() for node in ElementTree.parse(path).iter(f"{SVG}text")]


def test_every_card_is_on_a_page_once(tmp_path: Path) -> None:
    done = ftk("cards", "fortheking", "--sheet", tmp_path)
    assert done.exit_code == 0 and "12 files" in done.stderr
    drawn = [text for path in sorted(tmp_path.iterdir()) for text in texts(path)]
    assert sum(text in ("government card", "king card", "gold card") for text in drawn) == 108
    assert [path.name for path in sorted(tmp_path.iterdir())][:2] == ["fortheking-en-01.svg", "fortheking-en-02.svg"]


def test_a_number_of_players_has_its_cards_alone() -> None:
    spec = rulespec.load("fortheking")
    kept = frozenset(spec.game(players=2).setting.cards)
    assert len([*faces(spec.model, Words(spec.model, None, "en"), kept)]) == 82


@pytest.mark.parametrize(("lang", "word"), [("en", "king card"), ("uk", "картка короля"), ("zh-Hant", "國王卡牌")])
def test_words_are_those_of_the_glossary(lang: str, word: str) -> None:
    spec = rulespec.load("fortheking")
    book = book_of(spec)
    assert book is not None
    cards = [*faces(spec.model, Words(spec.model, book.glossary, lang))]
    assert word in {card.title for card in cards}
    without = [*faces(spec.model, Words(spec.model, None, lang))]
    assert {card.kind.word if card.kind else card.title for card in without} == {"government", "king", "gold"}


def test_a_card_says_what_it_is() -> None:
    spec = rulespec.load("fortheking")
    first, *_ = faces(spec.model, Words(spec.model, None, "en"))
    assert (first.title, first.status, first.copy, first.copies) == ("diplomacy", "reconstructed", 1, 1)
    assert first.values == {"kind": "government", "value": "2", "letter": "A"}
    assert (first.kind and first.kind.word, first.index) == ("government", "A")
    assert [one.name for one in first.numbers] == ["value"]


@pytest.mark.parametrize(("lang", "sheet"), [("en", "keyflower_king"), ("uk", "fortheking"), ("uk", "kingme")])
def test_cards_have_no_debris(lang: str, sheet: str) -> None:
    """No lone signs, no label in another language, and every word inside of its card and large enough to be read."""
    spec = rulespec.load(sheet)
    book = book_of(spec)
    words = Words(spec.model, book.glossary if book is not None else None, lang, usable_looks(spec))
    cards = different(faces(spec.model, words))
    assert not too_long(cards, "", lang)
    for svg in drawn(cards, "", lang, Template()):
        lines = [one for one in ElementTree.fromstring(f"<g>{svg}</g>").iter() if one.tag in ("text", "tspan")]
        said = [(one.text or "").strip() for one in lines]
        assert "?" not in said and (lang == "en" or "vote" not in said)
        assert all(0 <= float(one.get("y", 0)) <= CARD[1] - 5 for one in lines)


def test_a_template_draws_each_card(tmp_path: Path) -> None:
    template = tmp_path / "card.svg"
    template.write_text("<text>{{ card.title }} {{ card.values.suit }} &amp; {{ game }}</text>", encoding="utf-8")
    folder = tmp_path / "pages"
    assert ftk("cards", "hearts", "--sheet", folder, "--template", template).exit_code == 0
    assert texts(folder / "hearts-en-1.svg")[0] == "two clubs & Hearts"


@pytest.mark.parametrize(
    "template",
    [
        *("{{ card.none }}", "{% if %}", "{{ card.__class__.__mro__ }}", "{{ nothing }}"),
        *("{{ 1 // 0 }}", "{{ 10.0 ** 999 }}", "<text>", "</g><g>", "<text>&</text>"),
    ],
)
def test_a_template_that_is_wrong(template: str, tmp_path: Path) -> None:
    spec = rulespec.load("kuhn_poker").model
    with pytest.raises(SheetError, match="template is wrong"):
        pages([*faces(spec, Words(spec, None, "en"))], "Kuhn poker", "en", template)
    path = tmp_path / "card.svg"
    path.write_text(template, encoding="utf-8")
    done = ftk("cards", "kuhn_poker", "--sheet", tmp_path / "pages", "--template", path)
    assert done.exit_code == 3 and str(path) in done.stderr and not (tmp_path / "pages").exists()


def test_names_cannot_break_a_page() -> None:
    spec = rulespec.load("kuhn_poker").model
    (page, *_) = pages([*faces(spec, Words(spec, None, "en"))], '<&"', "en")
    ElementTree.fromstring(page.svg)
    assert "&lt;&amp;" in page.svg


def test_a_text_fits_its_width() -> None:
    assert fitted("7", 18, 40) == 18 and fitted("", 4, 10) == 4
    assert fitted("國" * 20, 6, 50) == 2.5 and fitted("a" * 20, 6, 50) > 2.5


def test_fonts_have_the_letters_of_a_language() -> None:
    spec = rulespec.load("kuhn_poker").model
    cards = [*faces(spec, Words(spec, None, "en"))]
    families = {
        lang: re.search('font-family="(.*?)"', pages(cards, title, lang)[0].svg)[1]  # type: ignore[index]
        for lang, title in (("en", "Nim"), ("zh-Hant", "尼姆"), ("zh-Hans", "尼姆"), ("uk", "Нім"))
    }
    assert families["en"] == families["uk"] and len(set(families.values())) == 3


TITLES = {"en": "For the King (and Me)", "uk": "За короля (і за мене)", "zh-Hant": "為了國王（與我）"}


def test_a_sheet_has_the_title_of_the_game_in_its_language(tmp_path: Path) -> None:
    assert ftk("cards", "fortheking", "--sheet", tmp_path, "--lang", ",".join(TITLES)).exit_code == 0
    for lang, title in TITLES.items():
        drawn = texts(tmp_path / f"fortheking-{lang}-01.svg")
        assert drawn[-1] == f"{title} · {lang} · 1/12"


def test_a_sheet_of_a_variant_has_its_title(tmp_path: Path) -> None:
    done = ftk("cards", "fortheking", "--variant", "more_gold", "--sheet", tmp_path, "--lang", "uk")
    assert done.exit_code == 0
    assert texts(tmp_path / "fortheking-uk-01.svg")[-1].startswith("За короля (і за мене): більше золота · uk")


def test_options_of_a_sheet(tmp_path: Path) -> None:
    assert ftk("cards", "kuhn_poker", "--lang", "en").exit_code == 2
    assert ftk("cards", "kuhn_poker", "--sheet", tmp_path, "--lang", "fr").exit_code == 3
    assert ftk("cards", "tic_tac_toe", "--sheet", tmp_path).exit_code == 3


def test_a_pdf_needs_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ftk_cli.card_sheet.missing_typeset", lambda: "PDF needs typst: pip install 'ftk[pdf]'")
    done = ftk("cards", "kuhn_poker", "--sheet", tmp_path / "nim.pdf")
    assert done.exit_code == 3 and "pip install 'ftk[pdf]'" in done.stderr


@needs_pdf
def test_a_pdf_has_all_pages(tmp_path: Path) -> None:
    done = ftk("cards", "kingme", "--sheet", tmp_path / "cards.pdf", "--lang", "en,uk")
    assert done.exit_code == 0 and {path.name for path in tmp_path.iterdir()} == {"cards-en.pdf", "cards-uk.pdf"}
    spec = rulespec.load("kuhn_poker").model
    sheet = pages([*faces(spec, Words(spec, None, "en"))], "Nim", "en")
    assert pdf(sheet, "Nim", "en").startswith(b"%PDF") and pdf(sheet, "Nim", "en") == pdf(sheet, "Nim", "en")


@needs_pdf
def test_a_letter_without_a_font(tmp_path: Path) -> None:
    template = tmp_path / "card.svg"
    template.write_text("<text>\U0001407a</text>", encoding="utf-8")  # an Anatolian hieroglyph
    done = ftk("cards", "kuhn_poker", "--sheet", tmp_path / "nim.pdf", "--template", template)
    assert done.exit_code == 3 and "No installed font has “\U0001407a”. Install" in done.stderr
