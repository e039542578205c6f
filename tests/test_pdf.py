"""The rulebook as PDF: tagged for screen readers, with bookmarks, in every language, and the same at every run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from command import ftk
from test_rulebook_page import BOOKS, HOSTILE, TINY, book, with_text
from typesetting import needs_pdf

import rulespec
from rulespec.games.rulebook import book_of
from rulespec.play.living.illustrated import illustrations
from rulespec.text.languages.registry import find, labels_of
from rulespec.text.output.render.book import Rulebook
from rulespec.text.output.render.pdf import pdf


def read(content: bytes) -> Any:
    import pypdf

    return pypdf.PdfReader(BytesIO(content))


def elements(node: Any) -> Iterator[Any]:
    """The structure elements of a tagged PDF, in the order of reading."""
    node = node.get_object() if hasattr(node, "get_object") else node
    if isinstance(node, list):
        for one in node:
            yield from elements(one)
    elif isinstance(node, dict):
        if "/S" in node:
            yield node
        if "/K" in node:
            yield from elements(node["/K"])


def tags(reader: Any) -> Counter[str]:
    return Counter(str(one["/S"]) for one in elements(reader.root_object["/StructTreeRoot"]))


def titles(outline: Any) -> list[str]:
    return [title for one in outline for title in (titles(one) if isinstance(one, list) else [one.title])]


def rulebook(game: str, lang: str) -> Rulebook:
    translation, settings = book(game, lang)
    return Rulebook(translation, next(iter(settings)), book_of(rulespec.load(game)), with_rulings=True)


@needs_pdf
@pytest.mark.parametrize(("game", "lang"), BOOKS)
@pytest.mark.sample(3)
def test_a_rulebook_is_accessible(game: str, lang: str) -> None:
    made = rulebook(game, lang)
    reader = read(pdf(made))
    root, here = reader.root_object, tags(reader)
    language = find(lang)
    assert root["/Lang"] in (lang, *language.aliases) and root["/MarkInfo"]["/Marked"]
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert reader.metadata.title.startswith(made.translation.title)
    assert "<pdfuaid:part>1</pdfuaid:part>" in root["/Metadata"].get_object().get_data().decode()
    headings = [section.title for section in made.sections]
    ends = [labels_of(lang)["rulings"], labels_of(lang)["index"]]
    assert titles(reader.outline) == [*headings, *ends]
    assert sum(number for tag, number in here.items() if tag[:2] == "/H") == len([*headings, *ends, "contents"])
    assert here["/Title"] == 1 and here["/TOCI"] > 5 and here["/L"] > 1
    links = [note.get_object() for page in reader.pages for note in page.get("/Annots", [])]
    assert len(links) >= len(made.index) and all(link["/Contents"] and "/StructParent" in link for link in links)


@needs_pdf
def test_the_words_are_those_of_the_book() -> None:
    made = rulebook("fortheking", "uk")
    text = "".join(page.extract_text() for page in read(pdf(made, ids=True)).pages)
    assert all("".join(section.title.split()) in "".join(text.split()) for section in made.sections)
    assert all(section.id in text for section in made.sections)


@needs_pdf
def test_the_same_book_has_the_same_bytes() -> None:
    assert pdf(rulebook("kingme", "en")) == pdf(rulebook("kingme", "en"))


TABLE = """\
| cards | players |
|---|---|
| 4 | 2 |
| 5 |  |

3. third
4. fourth

> aside

***

```
code
```
a\\
b
"""


@needs_pdf
def test_pictures_stand_by_their_rules_and_say_what_they_show() -> None:
    spec = rulespec.load("kingme")
    plain, game = rulebook("kingme", "uk"), spec.game(players=3)
    plain = replace(plain, setting=game.setting)
    found = illustrations(spec, game, plain)
    assert {*found} == {"", "setup.components"}
    made = elements(read(pdf(replace(plain, pictures=found))).root_object["/StructTreeRoot"])
    shown = [str(one["/Alt"]) for one in made if one["/S"] == "/Figure"]
    assert len(shown) == sum(map(len, found.values())) and all(shown) and f"{plain.translation.title} · " in shown[0]


@needs_pdf
def test_a_table_has_header_cells() -> None:
    here = tags(read(pdf(Rulebook(with_text(TABLE), TINY))))
    assert (here["/Table"], here["/TH"], here["/TD"]) == (1, 2, 4)
    assert here["/LI"] == 2 and here["/BlockQuote"] == 1


@needs_pdf
def test_hostile_text_is_only_text() -> None:
    text = "\n\n".join([*HOSTILE, "#panic()", "$x$", "@label", "\\u{0}", "= x", "\u202e", '#read("/etc/passwd")'])
    reader = read(pdf(Rulebook(with_text(text, "#panic() <x>"), TINY)))
    words = "".join(page.extract_text() for page in reader.pages)
    assert "#panic()" in words and "\\u202e" in words and "#read(" in words
    assert titles(reader.outline) == ["#panic() <x>"]


@needs_pdf
def test_a_rule_whose_outer_rule_has_no_text_has_the_next_heading() -> None:
    made = rulebook("fortheking", "en")
    outer = next(one for one, two in pairwise(made.sections) if two.depth > one.depth)
    rules = {id_: one for id_, one in made.translation.rules.items() if id_ != outer.id}
    less = Rulebook(replace(made.translation, rules=rules), made.setting)
    depths = [0, *(section.depth for section in less.sections)]
    assert all(after <= before + 1 for before, after in pairwise(depths))
    assert pdf(less)


@needs_pdf
def test_letters_without_a_font_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import typst

    monkeypatch.setattr(typst, "compile", partial(typst.compile, ignore_system_fonts=True))
    path = tmp_path / "rules.pdf"
    done = ftk("text", "render", "kingme", "--lang", "zh-Hant", "--format", "pdf", "--output", path)
    assert done.exit_code == 3 and "No installed font has “" in done.stderr
    assert "Install Noto Sans CJK TC." in done.stderr and not path.exists()
    # Letters of Latin and Cyrillic come with typst.
    assert ftk("text", "render", "kingme", "--lang", "uk", "--format", "pdf", "--output", path).exit_code == 0
    assert path.read_bytes().startswith(b"%PDF")


def test_a_pdf_needs_a_file_and_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("text", "render", "kingme", "--lang", "en", "--format", "pdf")
    assert ftk(*command).exit_code == 2 and ftk(*command, "--output", "-").exit_code == 2
    monkeypatch.setattr("ftk_cli.text.render.missing_typeset", lambda: "PDF needs typst: pip install 'ftk[pdf]'")
    done = ftk(*command, "--output", tmp_path / "rules.pdf")
    assert done.exit_code == 3 and "pip install 'ftk[pdf]'" in done.stderr
