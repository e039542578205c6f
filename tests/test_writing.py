"""Rulebooks and reports in the scripts of the world: direction, fonts, digits, and labels in another language."""

from __future__ import annotations

import re
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from command import ftk
from test_rulebook_page import TINY, Page, with_text
from typesetting import needs_pdf

import rulespec
from rulespec.base.fonts import fonts_for
from rulespec.base.pages import sheet
from rulespec.base.pages.sheet import Entry, Line, Run, Section, Sheet
from rulespec.base.typeset.pdf import TypesetError
from rulespec.games.rulebook import book_of, examples_of, texts_of
from rulespec.text.glossary.finder import finder
from rulespec.text.languages.registry import find
from rulespec.text.languages.writing import writing_of
from rulespec.text.output.render.blocks import in_one_line
from rulespec.text.output.render.book import Rulebook, digits, labels
from rulespec.text.output.render.markdown import markdown
from rulespec.text.output.render.page import html
from rulespec.text.output.render.pdf import pdf

ROOT = Path(__file__).parents[1]
STYLES = [*ROOT.glob("rulespec/text/output/render/templates/*.css"), *ROOT.glob("rulespec/base/pages/templates/*.css")]

WRITINGS = [
    ("en", "Latn", "ltr", True),
    ("uk", "Cyrl", "ltr", True),
    ("ja", "Jpan", "ltr", False),
    ("zh-Hant", "Hant", "ltr", False),
    ("ko", "Kore", "ltr", True),
    ("th", "Thai", "ltr", False),
    ("hi", "Deva", "ltr", True),
    ("ar", "Arab", "rtl", True),
    ("fa", "Arab", "rtl", True),
    ("he", "Hebr", "rtl", True),
    ("yi", "Hebr", "rtl", True),
    ("dv", "Thaa", "rtl", True),
    ("az", "Latn", "ltr", True),
    ("az-Arab", "Arab", "rtl", True),
]

DIGITS = [
    ("7 Karten", "0123456789"),
    ("٧ أوراق", "٠١٢٣٤٥٦٧٨٩"),
    ("۷ کارت", "۰۱۲۳۴۵۶۷۸۹"),
    ("७ पत्ते", "०१२३४५६७८९"),
    ("７枚", "0123456789"),
    ("no number", "0123456789"),
    ("٧ أوراق و٢ من 1", "٠١٢٣٤٥٦٧٨٩"),
    ("7 2 و ٣", "0123456789"),
]


def rulebook(lang: str) -> Rulebook:
    spec = rulespec.load("yacht")
    setting = spec.game(2).setting
    return Rulebook(texts_of(spec)[lang], setting, book_of(spec), examples=examples_of(spec, lang, setting))


def tiny(lang: str, text: str = "x") -> Rulebook:
    return Rulebook(with_text(text, "x", lang), TINY)


def read(content: bytes) -> Any:
    import pypdf

    return pypdf.PdfReader(BytesIO(content))


@pytest.mark.parametrize(("tag", "script", "direction", "spaced"), WRITINGS)
def test_a_page_is_written_as_its_language(tag: str, script: str, direction: str, spaced: bool) -> None:
    how = writing_of(tag)
    assert (how.script, how.direction) == (script, direction) and how.spaced == spaced
    kind, attributes = Page(html(tiny(tag))).tags[0]
    assert kind == "html" and (attributes["lang"], attributes["dir"]) == (tag, direction)
    assert attributes.get("class") == (None if spaced else "unspaced")


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_styles_know_no_left_and_right(path: Path) -> None:
    rules = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert re.findall(r"(?:[a-z]+-)?\b(?:left|right)\b[^;]*;", rules) == []
    # Four values of a shorthand with another left than right.
    sides = re.findall(r"(?:margin|padding|inset): ((?:[^ ;()]+ ){3}[^ ;()]+);", rules)
    assert [one for one in sides if one.split()[1] != one.split()[3]] == []


# --- labels and digits -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "ten"), DIGITS)
def test_parts_are_counted_in_the_digits_of_the_text(text: str, ten: str) -> None:
    assert digits(tiny("ar", text)) == ten
    style = "".join(Page(html(tiny("ar", f"{text}\n\n1. x"))).style)
    assert ("@counter-style digits" in style) == (ten != "0123456789")
    assert ten == "0123456789" or " ".join(f'"{digit}"' for digit in ten) in style


@pytest.mark.parametrize("lang", ["ar", "ja"])
def test_labels_of_another_language_are_marked(lang: str) -> None:
    book = rulebook(lang)
    page = Page(html(book))
    marked = [how for tag, how in page.tags if tag == "span" and "lang" in how]
    assert marked and all((how["lang"], how["dir"]) == ("en", "ltr") for how in marked)
    # The list of contents, the index, two worked examples; the number of players stands at the top and at the end.
    assert len(marked) == len(["Contents", "Index", "Index", "Example:", "Example:", "Players", "Players", "Back"])


@pytest.mark.parametrize("lang", ["en", "uk", "zh-Hant"])
def test_labels_of_the_language_are_not_marked(lang: str) -> None:
    assert {one.lang for one in labels(tiny(lang)).values()} == {""} and "<span lang" not in html(tiny(lang))


def test_an_id_reads_from_left_to_right() -> None:
    page = Page(html(rulebook("ar"), ids=True))
    assert {how.get("dir") for _, how in page.tags if how.get("class") == "id"} == {"ltr"}


def test_the_index_without_an_alphabet_follows_unicode() -> None:
    terms = [entry.term for entry in rulebook("ja").index]
    assert terms[:2] == ["１の目", "２の目"] and terms[-2:] == ["ヨット", "ラージストレート"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("one\ntwo", "one two"),
        ("  one  two\n\nthree ", "one two three"),
        ("目です。\n次に", "目です。次に"),
        ("目は 5\nです", "目は 5 です"),
        ("1個 圖板\n。", "1個 圖板。"),
        ("", ""),
    ],
)
def test_lines_are_joined_as_the_script_does(text: str, line: str) -> None:
    assert in_one_line(text) == line


def test_an_example_in_markdown_has_no_spaces_between_sentences() -> None:
    assert "５です。「フルハウス」なら" in markdown(rulebook("ja"))


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("サイコロを五個すべて振ります。", ["die", "roll"]),
        ("好きなサイコロを二回まで振り直す。", ["die", "roll_again"]),
        ("ヨットハーバーで役を選ぶ。", ["category"]),
        ("５の目とヨットなら", ["fives", "yacht"]),
        ("得点表に得点を書く。", ["score_sheet", "point"]),
    ],
)
def test_terms_stand_next_to_particles(text: str, terms: list[str]) -> None:
    book = book_of(rulespec.load("yacht"))
    assert book is not None
    assert [mention.concept for mention in finder(book.glossary, "ja").find(text)] == terms


# --- fonts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("script", ["Hant", "Hans", "Jpan", "Kore", "Arab", "Hebr", "Deva", "Thai", "Ethi"])
def test_a_script_has_fonts_and_one_to_install(script: str) -> None:
    fonts = fonts_for(script)
    assert fonts.is_special and fonts.install in {*fonts.body, *fonts.display} and fonts.latin
    assert f'--body: "{fonts.body[0]}"' in html(tiny({"Jpan": "ja", "Arab": "ar"}.get(script, f"und-{script}")))


@pytest.mark.parametrize("script", ["Latn", "Cyrl", "Grek", ""])
def test_other_scripts_have_those_of_typst(script: str) -> None:
    assert not fonts_for(script).is_special and fonts_for(script).latin == ("Libertinus Serif",)


def test_every_script_that_is_written_from_right_to_left_today_has_fonts() -> None:
    tags = ["ar", "ckb", "dv", "fa", "ff-Adlm", "he", "nqo", "ps", "rhg", "sd", "syr", "ug", "ur", "yi"]
    assert [tag for tag in tags if not fonts_for(writing_of(tag).script).is_special] == []


@needs_pdf
@pytest.mark.parametrize(("lang", "font"), [("ja", "Noto Sans CJK JP"), ("ar", "Noto Naskh Arabic")])
def test_a_script_without_fonts_is_reported(
    lang: str, font: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import typst

    monkeypatch.setattr(typst, "Fonts", partial(typst.Fonts, include_system_fonts=False))
    monkeypatch.setattr(typst, "compile", partial(typst.compile, ignore_system_fonts=True))
    path = tmp_path / "rules.pdf"
    done = ftk("text", "render", "yacht", "--lang", lang, "--players", 2, "--format", "pdf", "--output", path)
    assert f"Install {font}." in done.stderr
    # Typst itself has a font with Arabic letters, which is for code, and none with Japanese ones.
    assert (done.exit_code, path.exists()) == ((0, True) if lang == "ar" else (3, False))
    done = ftk("text", "render", "yacht", "--lang", "en", "--players", 2, "--format", "pdf", "--output", path)
    assert (done.exit_code, done.stderr) == (0, "")


# --- PDF and reports -------------------------------------------------------------------------------------------------


@needs_pdf
@pytest.mark.parametrize(("lang", "direction"), [("ar", "/R2L"), ("ja", "/L2R")])
def test_a_pdf_has_a_direction_and_marks_other_languages(lang: str, direction: str) -> None:
    try:
        reader = read(pdf(rulebook(lang)))
    except TypesetError as error:
        pytest.skip(str(error))
    root = reader.root_object
    assert (root["/Lang"], root["/ViewerPreferences"]["/Direction"]) == (lang, direction)
    others = [lang for lang in languages(root["/StructTreeRoot"]) if lang != root["/Lang"]]
    assert len(others) >= 4 and set(others) == {"en"}


def languages(node: Any) -> list[str]:
    """The languages that elements of a tagged PDF name."""
    node = node.get_object() if hasattr(node, "get_object") else node
    if isinstance(node, list):
        return [lang for one in node for lang in languages(one)]
    if not isinstance(node, dict):
        return []
    here = [str(node["/Lang"])] if "/Lang" in node else []
    return here + languages(node.get("/K"))


def test_a_report_from_right_to_left() -> None:
    lines = (Line("-", "was:", (Run("ست أوراق"),)), Line("+", "now:", (Run("سبع أوراق", True),)))
    made = Sheet("ar", "1.0.0 → 1.1.0", "", (Section("x", (Entry("x", lines, ("note",)),)),), find("ar").direction)
    page = Page(sheet.html(made))
    assert page.tags[0] == ("html", {"lang": "ar", "dir": "rtl"})
    assert "1.0.0 ← 1.1.0" in page.words and "1.0.0 → 1.1.0" in sheet.markdown(made)
    assert [tag for tag, _ in page.tags].count("bdi") == len([*lines, *lines, "note"])
