"""Cards for other programs: lists for those that lay out cards, sheets to print, and decks for virtual tables."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import struct
from base64 import b64decode, b64encode
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlparse

import jsonschema
import pytest
import yaml
from command import ftk
from samples import expectations, places, samples
from typesetting import needs_pdf

import rulespec
from rulespec.base.spreadsheet.delimited import uncalculated
from rulespec.games.looks import looks_of
from rulespec.language.schema.validate import text as schema_text
from rulespec.text.output.sheets.colours import READABLE, contrast, ink
from rulespec.text.output.sheets.drawing import too_long
from rulespec.text.output.sheets.faces import Face, Words, faces
from rulespec.text.output.sheets.icons import icons
from rulespec.text.output.sheets.layout import layout
from rulespec.text.output.sheets.pages import pages
from rulespec.text.output.sheets.paper import CARD, grid, paper
from rulespec.text.output.sheets.pictures import unsafe
from rulespec.text.output.sheets.tabletop import saved_object

pytestmark = pytest.mark.slow("draws the cards of large games")


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
    spec = rulespec.load("kuhn_poker").model
    heading = layout(faces(spec, Words(spec, None, "en")), ["qty", "name"]).split("\n")[0]
    assert heading == "quantity,title,qty,name"


@pytest.mark.parametrize(
    ("cell", "written"),
    [("=1+1", "'=1+1"), ("@a", "'@a"), ("+1 card", "'+1 card"), ("-3", "-3"), ("+2,5", "+2,5"), ("a=b", "a=b")],
)
def test_no_cell_is_a_formula(cell: str, written: str) -> None:
    assert uncalculated(cell) == written


# --- pages to print --------------------------------------------------------------------------------------------------


def cards(number: int) -> list[Face]:
    spec = rulespec.load("fortheking").model
    return list(faces(spec, Words(spec, None, "en")))[:number]


@pytest.mark.parametrize(
    ("name", "bleed", "size", "grid_"),
    [
        ("a4", 0, (210, 297), (3, 3)),
        ("a4", 3, (297, 210), (4, 2)),
        ("letter", 0, (215.9, 279.4), (3, 3)),
        ("letter", 3, (279.4, 215.9), (3, 2)),
        ("card", 3, (63, 88), (1, 1)),
    ],
)
def test_a_page_holds_as_many_cards_as_fit(
    name: str, bleed: float, size: tuple[float, float], grid_: tuple[int, int]
) -> None:
    page = paper(name, bleed)
    assert ((page.width, page.height), (page.columns, page.rows)) == (size, grid_)
    for starts, length, card in ((page.xs, page.width, CARD[0]), (page.ys, page.height, CARD[1])):
        assert starts[0] >= 5 * page.margins and starts[-1] + card <= length - 5 * page.margins
        assert all(two - one >= card + 2 * bleed - 0.01 for one, two in pairwise(starts))


def drawn_at(svg: str) -> list[str]:
    return re.findall(r"translate\((.+?)\)", svg)


def test_backs_lie_behind_their_cards_when_the_page_is_turned_over() -> None:
    front, back = pages(cards(4), "Game", "en", back="")
    assert (front.back, back.back, front.number, back.number) == (False, True, 1, 1)
    places, width = [[float(one.split()[0]) for one in drawn_at(page.svg)] for page in (front, back)], front.paper.width
    assert [round(width - x - CARD[0], 2) for x in places[1]] == places[0]


def test_a_card_is_drawn_beyond_its_edges() -> None:
    (page,) = pages(cards(1), "Game", "en", on=paper("a4", 3))
    assert '<rect x="-3" y="-3" width="69" height="94"' in page.svg


@needs_pdf
@pytest.mark.parametrize(
    ("options", "number", "boxes"),
    [
        ((), 12, {"/MediaBox": (0, 0, 210, 297)}),
        (("--backs",), 24, {"/MediaBox": (0, 0, 210, 297)}),
        (("--bleed", "3mm", "--paper", "letter"), 18, {"/MediaBox": (0, 0, 279.4, 215.9)}),
        (("--bleed", "3", "--paper", "card"), 108, {"/MediaBox": (0, 0, 69, 94), "/TrimBox": (3, 3, 66, 91)}),
    ],
)
def test_a_pdf_has_pages_of_a_size(
    options: tuple[str, ...], number: int, boxes: dict[str, tuple[float, ...]], tmp_path: Path
) -> None:
    import pypdf

    assert ftk("cards", "fortheking", "--sheet", tmp_path / "cards.pdf", *options).exit_code == 0
    read = pypdf.PdfReader(tmp_path / "cards.pdf").pages
    assert len(read) == number
    for name, box in boxes.items():
        assert [round(float(value) * 25.4 / 72, 1) for value in read[0][name]] == list(box)


def test_a_template_draws_the_backs(tmp_path: Path) -> None:
    (template := tmp_path / "back.svg").write_text("<text>{{ game }}, {{ bleed }}</text>", encoding="utf-8")
    done = ftk("cards", "kuhn_poker", "--sheet", tmp_path / "pages", "--back-template", template, "--bleed", "2mm")
    back = (tmp_path / "pages" / "kuhn_poker-en-1-back.svg").read_text(encoding="utf-8")
    assert done.exit_code == 0 and "Kuhn poker, 2.0" in back
    template.write_text("<text>", encoding="utf-8")
    done = ftk("cards", "kuhn_poker", "--sheet", tmp_path / "pages", "--back-template", template)
    assert done.exit_code == 3 and f"{template}: The template is wrong" in done.stderr


@pytest.mark.parametrize(
    "options",
    [
        *(("--backs",), ("--paper", "a4"), ("--bleed", "3mm"), ("--template", "a.svg"), ("--tts-url", "https://a.b")),
        *(
            ("--sheet", "a.pdf", "--tts", "a.json"),
            ("--sheet", "a.png", "--bleed", "3mm"),
            ("--tts", "a.json", "--backs"),
        ),
        *(
            ("--sheet", "a.pdf", "--bleed", "3cm"),
            ("--sheet", "a.pdf", "--bleed", "11mm"),
            ("--sheet", "a", "--paper", "a5"),
        ),
    ],
)
def test_options_that_do_not_go_together(options: tuple[str, ...]) -> None:
    assert ftk("cards", "kuhn_poker", *options).exit_code == 2


# --- pictures, and a deck for a virtual table ------------------------------------------------------------------------


def size(png: Path) -> tuple[int, int]:
    content = png.read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", content[16:24])


@pytest.mark.parametrize(("number", "columns", "rows"), [(1, 1, 1), (9, 9, 1), (11, 10, 2), (70, 10, 7), (71, 10, 7)])
def test_a_picture_holds_up_to_seventy_cards(number: int, columns: int, rows: int) -> None:
    found = grid(number)
    assert (found.columns, found.rows) == (columns, rows) and not found.margins
    assert (found.width, found.height) == (columns * CARD[0], rows * CARD[1])


@needs_pdf
def test_pictures_have_each_face_once(tmp_path: Path) -> None:
    assert ftk("cards", "fortheking", "--sheet", tmp_path / "cards.png", "--backs").exit_code == 0
    sizes = {path.name: size(path) for path in tmp_path.iterdir()}
    assert set(sizes) == {"cards-1.png", "cards-2.png", "cards-back.png"}
    assert sizes["cards-1.png"] == sizes["cards-2.png"] == (4093, 4002)
    assert all(abs(long * 10 - wide) < 10 for long, wide in [(sizes["cards-back.png"][0], sizes["cards-1.png"][0])])


@needs_pdf
@pytest.mark.parametrize(("lang", "king"), [("en", "king card"), ("uk", "картка короля")])
def test_a_deck_for_tabletop_simulator(lang: str, king: str, tmp_path: Path) -> None:
    path = tmp_path / "deck.json"
    assert ftk("cards", "fortheking", "--tts", path, "--lang", lang).exit_code == 0
    made = json.loads(path.read_text(encoding="utf-8"))
    schema = yaml.safe_load((Path(__file__).parent / "tabletop_schema.yaml").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(made)
    (deck,) = made["ObjectStates"]
    assert len(deck["DeckIDs"]) == 108 and deck["DeckIDs"] == [one["CardID"] for one in deck["ContainedObjects"]]
    assert king in {one["Nickname"] for one in deck["ContainedObjects"]}
    sheets = deck["CustomDeck"]
    assert {card // 100 for card in deck["DeckIDs"]} == {1, 2} == {int(one) for one in sheets}
    assert all(
        card % 100 < sheets[str(card // 100)]["NumWidth"] * sheets[str(card // 100)]["NumHeight"]
        for card in deck["DeckIDs"]
    )
    for sheet in sheets.values():
        for address in (sheet["FaceURL"], sheet["BackURL"]):
            assert Path(unquote(urlparse(address).path)).exists() and address.startswith("file:///")


@needs_pdf
def test_pictures_of_a_deck_may_be_on_the_web(tmp_path: Path) -> None:
    path = tmp_path / "deck.json"
    assert ftk("cards", "kuhn_poker", "--tts", path, "--tts-url", "https://example.org/nim/").exit_code == 0
    (deck,) = json.loads(path.read_text(encoding="utf-8"))["ObjectStates"]
    (sheet,) = deck["CustomDeck"].values()
    assert (sheet["FaceURL"], sheet["BackURL"]) == tuple(f"https://example.org/nim/deck-{n}.png" for n in ("1", "back"))


def test_one_card_is_no_deck() -> None:
    (card,) = saved_object(cards(1), "Game", grid(1), ["a"], "b")["ObjectStates"]
    assert (card["Name"], card["CardID"]) == ("Card", 100)


# --- texts that are too long for their cards -------------------------------------------------------------------------


def test_a_text_that_is_too_long_is_reported_at_its_term(tmp_path: Path) -> None:
    (template := tmp_path / "card.svg").write_text("<text>{{ fitted(card.title, 5, 3) }}</text>", encoding="utf-8")
    done = ftk("cards", "fortheking", "--sheet", tmp_path / "pages", "--template", template)
    assert done.exit_code == 0
    assert "RS891" in done.stderr and "“king card” is 7 characters too long for its card." in done.stderr
    assert "glossaries/fortheking.yaml" in done.stderr


def test_shipped_games_fit_their_cards() -> None:
    assert not too_long(cards(108), "For the King (and Me)", "en")
    assert too_long(cards(108)[-1:], "K" * 300, "en") == {"K" * 300: 300 - 27}


# --- looks -----------------------------------------------------------------------------------------------------------

LOOKS = """\
looks: 1
game: fortheking
members:
  kind:
    king: {colour: "#b22222", symbol: "♔", picture: king.png}
    gold: {colour: "#e8c33a", path: "M12 2a10 10 0 1 0 0.1 0z"}
  office:
    diplomacy: {colour: "#2a6f97"}
"""
PIXEL = b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the game and its looks."""
    specs = tmp_path / "specs"
    (specs / "looks").mkdir(parents=True)
    shutil.copy(rulespec.load("fortheking").model.source.path, specs / "fortheking.yaml")
    (specs / "looks" / "fortheking.yaml").write_text(LOOKS, encoding="utf-8")
    (specs / "looks" / "king.png").write_bytes(PIXEL)
    return specs


def test_cards_have_the_looks_of_their_members(project: Path) -> None:
    spec = rulespec.load(project / "fortheking.yaml")
    looks, report = looks_of(spec)
    assert report.findings == ()
    made = {face.title: face for face in faces(spec.model, Words(spec.model, None, "en", looks))}
    king, gold = made["king"], made["gold"]
    assert king.tint is not None and (king.tint.colour, king.tint.ink) == ("#b22222", "#fff")
    assert gold.tint is not None and gold.tint.ink == "#000" and gold.title_look.path.startswith("M12")
    assert king.picture == f"data:image/png;base64,{b64encode(PIXEL).decode()}" and not gold.picture
    first = next(iter(faces(spec.model, Words(spec.model, None, "en", looks))))
    assert first.tint is not None and first.tint.colour == "#2a6f97"  # of its office: its kind has none


@needs_pdf
def test_looks_are_drawn(project: Path) -> None:
    folder = project.parent / "pages"
    assert ftk("cards", project / "fortheking.yaml", "--sheet", folder).exit_code == 0
    drawn = "".join(path.read_text(encoding="utf-8") for path in folder.iterdir())
    assert all(part in drawn for part in ("#b22222", "♔", "data:image/png;base64,", "M12 2a10 10 0 1 0 0.1 0z"))
    assert ftk("cards", project / "fortheking.yaml", "--sheet", project.parent / "cards.pdf").exit_code == 0


def test_looks_name_the_template_of_cards(project: Path) -> None:
    (project / "looks" / "card.svg.j2").write_text("<text>Ours: {{ card.title }}</text>", encoding="utf-8")
    (project / "looks" / "fortheking.yaml").write_text(f"{LOOKS}card: card.svg.j2\n", encoding="utf-8")
    (given := project / "card.svg").write_text("<text>Theirs</text>", encoding="utf-8")
    for more, words in ((), "Ours: "), (("--template", given), "Theirs"):
        folder = project.parent / "pages"
        assert ftk("cards", project / "fortheking.yaml", "--sheet", folder, *more).exit_code == 0
        assert words in (folder / "fortheking-en-01.svg").read_text(encoding="utf-8")


def test_a_name_that_is_meant_is_written(project: Path) -> None:
    path = project / "looks" / "fortheking.yaml"
    path.write_text(LOOKS.replace("king: {", "knig: {").replace("office:", "ofice:"), encoding="utf-8")
    assert ftk("check", path, "--fix").exit_code == 0
    assert path.read_text(encoding="utf-8") == LOOKS


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        ("office:", "ofice:", "look-unknown-name"),
        ("king: {", "queen: {", "look-unknown-name"),
        ("king.png", "gone.png", "look-picture-unusable"),
        ("king.png", "fortheking.jpg", "look-picture-unusable"),
        ("game: fortheking", "game: no_game", "text-no-game"),
        ('"#b22222"', "red", "bad-name"),
    ],
)
def test_looks_are_checked(project: Path, before: str, after: str, name: str) -> None:
    path = project / "looks" / "fortheking.yaml"
    shutil.copy(path, project / "looks" / "fortheking.jpg")
    path.write_text(LOOKS.replace(before, after), encoding="utf-8")
    assert [one.name for one in rulespec.check(path).findings] == [name]


@pytest.mark.parametrize(
    ("old", "new", "before", "after"),
    [("kind.king", "monarch", "king: {", "monarch: {"), ("office.diplomacy", "talks", "diplomacy:", "talks:")],
)
def test_looks_follow_a_renamed_member(project: Path, old: str, new: str, before: str, after: str) -> None:
    assert ftk("rename", old, new, project / "fortheking.yaml", "--write").exit_code == 0
    path = project / "looks" / "fortheking.yaml"
    assert path.read_text(encoding="utf-8") == LOOKS.replace(before, after)
    assert rulespec.check(path).findings == ()


def test_looks_with_errors_are_not_drawn(project: Path) -> None:
    (project / "looks" / "king.png").unlink()
    done = ftk("cards", project / "fortheking.yaml", "--sheet", project / "pages")
    assert done.exit_code == 1 and "RS893" in done.stderr and not (project / "pages").exists()


def test_a_picture_has_at_most_four_megabytes(project: Path) -> None:
    (project / "looks" / "king.png").write_bytes(PIXEL + bytes(4_000_000))
    found = rulespec.check(project / "looks" / "fortheking.yaml").findings
    assert [one.message for one in found] == ["The picture `king.png` has more than 4 MB."]


@pytest.mark.parametrize("made", [os.mkfifo, lambda path: path.symlink_to("/dev/zero"), Path.mkdir])
def test_only_plain_files_are_opened(project: Path, made: Callable[[Path], None]) -> None:
    (project / "looks" / "king.png").unlink()
    for name in ("king.png", "card.svg.j2"):
        made(project / "looks" / name)
    (project / "looks" / "fortheking.yaml").write_text(f"{LOOKS}card: card.svg.j2\n", encoding="utf-8")
    found = rulespec.check(project / "looks" / "fortheking.yaml").findings
    assert {one.name for one in found} == {"look-picture-unusable", "look-template-wrong"}


GROWING = ("[n.x, n.x]", "n.x ~ n.x", "n.x + n.x", "n.x * 9", "n.x | replace('a', 'aaa')", "n.x.replace('a', 'aaa')")
TOO_MUCH = (
    "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
    "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(40) }}",
    "{% set x = [0] * 10 ** 9 %}",
    "{{ 'x' | center(1000000000) }}",
    "{{ 'x'.ljust(1000000000) }}",
    "{{ '%1000000000d' % 1 }}",
    "{{ '{:1000000000}'.format(1) }}",
    *(f"{{% set n = namespace(x='a') %}}{{% for i in range(60) %}}{{% set n.x = {one} %}}{{% endfor %}}{{{{ n.x }}}}"
      for one in GROWING),
)  # fmt: skip


@pytest.mark.parametrize("template", TOO_MUCH)
def test_a_template_computes_no_more_than_a_card_needs(project: Path, template: str) -> None:
    (project / "looks" / "card.svg.j2").write_text(template, encoding="utf-8")
    (project / "looks" / "fortheking.yaml").write_text(f"{LOOKS}card: card.svg.j2\n", encoding="utf-8")
    found = rulespec.check(project / "looks" / "fortheking.yaml").findings
    assert [one.message for one in found] == ["The template is wrong: it computes too much for one card."]


@pytest.mark.parametrize("path", samples("looks"), ids=lambda path: path.stem)
def test_bad_looks_say_what_is_wanted(path: Path) -> None:
    assert places(rulespec.check(path).findings) == expectations(path)


def test_two_zones_do_not_share_a_board(tmp_path: Path) -> None:
    (tmp_path / "looks").mkdir()
    spec = (Path(__file__).parent / "findings" / "sample.yaml").read_text(encoding="utf-8")
    spec = spec.replace("enums:\n", "enums:\n  square: {grid: {column: a..c, row: 1..3}}\n")
    zones = "".join(f"  {name}: {{per: square, seen_by: everybody}}\n" for name in ("floor", "roof"))
    (tmp_path / "sample.yaml").write_text(spec.replace("zones:\n", f"zones:\n{zones}"), encoding="utf-8")
    path = tmp_path / "looks" / "sample.yaml"
    path.write_text("looks: 1\ngame: sample\nzones: {floor: {place: board}, roof: {place: board}}\n", encoding="utf-8")
    assert "The zones `roof` and `floor` cannot both lie on one board." in [
        one.message for one in rulespec.check(path).findings
    ]


SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">{}</svg>'
DRAWN = (
    '<defs><path id="a" d="M0 0h9v9z"/></defs><use xlink:href="#a" fill="url(#b)" style="filter: url(&quot;#c&quot;)"/>'
)


def test_a_drawing_may_refer_to_itself() -> None:
    assert unsafe(SVG.format(DRAWN).encode()) is None
    assert unsafe(SVG.format('<image href="data:image/png;base64,AA=="/>').encode()) is None


@pytest.mark.parametrize(
    ("drawing", "words"),
    [
        (SVG.format("<script/>"), "element `script`"),
        (SVG.format("<foreignObject/>"), "element `foreignObject`"),
        (SVG.format('<set attributeName="href" to="#a"/>'), "element `set`"),
        (SVG.format('<b xmlns="http://www.w3.org/1999/xhtml"/>'), "element `b`"),
        (SVG.format('<g onclick="go()"/>'), "attribute `onclick`"),
        (SVG.format('<a xlink:href=" java&#10;script:go()"/>'), "attribute `href`"),
        (SVG.format('<image href="https://example.org/a.png"/>'), "attribute `href`"),
        (SVG.format('<image href="data:image/svg+xml;base64,AA=="/>'), "attribute `href`"),
        (SVG.format('<g style="fill: url( https://example.org/a )"/>'), "attribute `style`"),
        (SVG.format('<style>@import "a.css";</style>'), "style loads"),
        (SVG.format("<style>g { fill: u\\72l(a) }</style>"), "style loads"),
        ('<!DOCTYPE svg [<!ENTITY a "b">]>' + SVG.format("&a;"), "document type"),
        ("<?xml-stylesheet href='a.css'?>" + SVG.format(""), "processing instruction"),
        ("<?xml version='1.0' encoding='iso-2022-jp'?>" + SVG.format(""), "encoding"),
        ("<svg/>", "root"),
        (SVG.format("<g>"), "no XML"),
    ],
)
def test_a_drawing_that_runs_or_loads_something_is_refused(drawing: str, words: str) -> None:
    assert words in str(unsafe(drawing.encode()))


def test_icons_are_paths_with_plain_names() -> None:
    assert [*icons()] == sorted(icons()) and 80 <= len(icons()) <= 200
    pattern = json.loads(schema_text("looks-1"))["$defs"]["look"]["properties"]["path"]["pattern"]
    assert all(re.fullmatch("[a-z][a-z0-9_]*", name) and re.search(pattern, path) for name, path in icons().items())


@pytest.mark.parametrize("colour", ["#000000", "#ffffff", "#777777", "#b22222", "#e8c33a", "#0072b2"])
def test_words_on_a_colour_are_readable(colour: str) -> None:
    assert contrast(ink(colour), colour) >= READABLE


def test_a_layout_has_values_for_members_in_one_column() -> None:
    rows = list(csv.DictReader(io.StringIO(ftk("cards", "gem_traders", "--format", "layout").stdout)))
    assert list(rows[0]) == ["qty", "name", "level", "bonus", "points", "cost"]
    assert rows[0]["cost"] == "1 blue 1 green 1 red 1 black"
