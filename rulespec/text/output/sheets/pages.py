"""The pages of a sheet, as SVG made from templates, and all of them as PDF or as pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any
from xml.etree import ElementTree

import yaml

from rulespec.base.pages import templates
from rulespec.base.typeset.pdf import Manner
from rulespec.base.typeset.pdf import pdf as pdf_typeset
from rulespec.base.typeset.pdf import png as png_typeset
from rulespec.text.languages.registry import find
from rulespec.text.languages.writing import writing_of
from rulespec.text.output.sheets.drawing import Template, drawn
from rulespec.text.output.sheets.faces import Face
from rulespec.text.output.sheets.measures import is_wide
from rulespec.text.output.sheets.paper import CARD, Paper, paper

_SVG = "http://www.w3.org/2000/svg"

DOTS_PER_INCH = 165
"""The resolution of pictures: ten cards beside each other are 4,092 pixels wide, the most that virtual tables like."""


@dataclass(frozen=True)
class Page:
    """A page of a sheet as SVG; with the backs of the cards on the page of the same number if it is a `back`."""

    number: int
    svg: str
    paper: Paper
    back: bool = False


def pages(
    cards: Sequence[Face],
    title: str,
    lang: str,
    template: str = "",
    on: Paper | None = None,
    back: str | None = None,
) -> list[Page]:
    """The pages of a sheet `on` a paper, by default A4. `template` is SVG for one card, in Jinja: `card` is its
    `Face`, `width`, `height` and `bleed` are its size in millimetres, and `fitted(text, size, width)` is the font size
    at which a text is not wider than `width`. `back` is that of the backs, "" for ours: the page after each has the
    backs of its cards in the order of paper that is turned over. Raises SheetError for a template that is wrong."""
    on = on or paper()
    sides = [Template(template), *([] if back is None else [Template(back, "back")])]
    sheets = [_sheets(drawn(cards, title, lang, one, on.bleed), on, title, lang, one.side == "back") for one in sides]
    return [page for both in zip(*sheets, strict=True) for page in both]


def _sheets(svgs: Sequence[str], on: Paper, title: str, lang: str, back: bool) -> Iterator[Page]:
    """The pages of one side."""
    template = templates(__package__).get_template("page.svg.j2")
    shared = {"on": on, "card": CARD, "game": title, "lang": lang, "family": family(lang, "".join((title, *svgs)))}
    parts = [svgs[start : start + on.capacity] for start in range(0, len(svgs), on.capacity)]
    for number, part in enumerate(parts, 1):
        cards = list(zip(on.places(back), part, strict=False))
        yield Page(number, template.render(cards=cards, number=number, count=len(parts), **shared), on, back)


def family(lang: str, text: str) -> str:
    """The font families for a text in a language."""
    fonts = yaml.safe_load(files(__package__).joinpath("fonts.yaml").read_text(encoding="utf-8"))
    usual = "wide" if any(is_wide(sign) for sign in text) else "narrow"
    return str(next((fonts[part] for part in lang.split("-")[1:] if part in fonts), fonts[usual]))


def pdf(sheet: Sequence[Page], title: str, lang: str) -> bytes:
    """All pages in one PDF file, each with its words as the text of a picture. Needs the extra `pdf`.

    Raises `rulespec.base.typeset.TypesetError` if no installed font has some letter of them.
    """
    return pdf_typeset(*_typesetting(sheet, title, lang))


def png(sheet: Sequence[Page], title: str, lang: str) -> list[bytes]:
    """Each page as a picture, in the format PNG. Needs the extra `pdf`, and raises TypesetError as `pdf` does."""
    return png_typeset(*_typesetting(sheet, title, lang), DOTS_PER_INCH)


def _typesetting(sheet: Sequence[Page], title: str, lang: str) -> tuple[bytes, dict[str, Any], Manner]:
    template = files(__package__).joinpath("templates/sheet.typ").read_bytes()
    drawn = [
        {
            "svg": page.svg,
            "words": _words(page.svg),
            "width": page.paper.width,
            "height": page.paper.height,
            "bleed": page.paper.outside,
        }
        for page in sheet
    ]
    how = writing_of(lang)
    manner = Manner(lang, find(lang).aliases, how.script, how.direction)
    return template, {"title": title, "pages": drawn}, manner


def _words(svg: str) -> str:
    """What is written on a page: the lines of a text together, others apart."""
    texts = (" ".join("".join(one.itertext()).split()) for one in ElementTree.fromstring(svg).iter(f"{{{_SVG}}}text"))
    return ", ".join(text for text in texts if text)
