"""The pages of a sheet: nine cards of 63 by 88 mm on A4, as SVG made from a template, and all of them as PDF."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from unicodedata import combining, east_asian_width
from xml.etree import ElementTree

import yaml

from rulespec.base import typeset
from rulespec.base.messages import say
from rulespec.base.pages import templates
from rulespec.text.languages import find, writing_of
from rulespec.text.output.sheets.faces import Face

PAGE = (210, 297)
CARD = (63, 88)
"""Sizes in millimetres."""
COLUMNS, ROWS = 3, 3


class SheetError(ValueError):
    """Raised for a template that is wrong."""


@dataclass(frozen=True)
class Page:
    """A page of a sheet as SVG."""

    number: int
    svg: str


def pages(cards: Sequence[Face], title: str, lang: str, template: str = "") -> list[Page]:
    """The pages of a sheet. `template` is SVG for one card, in Jinja: `card` is its `Face`, `width` and `height` are
    its size in millimetres, and `fitted(text, size, width)` is the font size at which a text is not wider than `width`.
    Raises SheetError for a template that is wrong."""
    from jinja2 import StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    # A template that is given may come from anybody; in a sandbox it reaches nothing but its values.
    environment, given = templates(__package__), SandboxedEnvironment(autoescape=True, undefined=StrictUndefined)
    for one in (environment, given):
        one.globals.update(fitted=fitted, width=CARD[0], height=CARD[1], lang=lang, game=title)
    try:
        of_card = given.from_string(template) if template else environment.get_template("card.svg.j2")
        drawn = [_well_formed(of_card.render(card=card)) for card in cards]
    except Exception as error:  # a template may divide by zero, and anything else that an expression can
        raise SheetError(say("The template is wrong: {reason}.", reason=str(error).rstrip("."))) from None
    page, family = environment.get_template("page.svg.j2"), _family(lang, "".join((title, *drawn)))
    left, top = (PAGE[0] - COLUMNS * CARD[0]) / 2, (PAGE[1] - ROWS * CARD[1]) / 2
    parts = [drawn[start : start + COLUMNS * ROWS] for start in range(0, len(drawn), COLUMNS * ROWS)]
    return [
        Page(
            number,
            page.render(
                cards=[
                    (left + at % COLUMNS * CARD[0], top + at // COLUMNS * CARD[1], svg) for at, svg in enumerate(part)
                ],
                page=PAGE,
                columns=[left + at * CARD[0] for at in range(COLUMNS + 1)],
                rows=[top + at * CARD[1] for at in range(ROWS + 1)],
                number=number,
                family=family,
                count=len(parts),
            ),
        )
        for number, part in enumerate(parts, 1)
    ]


def _well_formed(svg: str) -> str:
    """A drawn card if it is XML. Raises ParseError."""
    ElementTree.fromstring(f'<g xmlns:xlink="http://www.w3.org/1999/xlink">{svg}</g>')
    return svg


def _family(lang: str, text: str) -> str:
    """The font families for a text in a language."""
    fonts = yaml.safe_load(files(__package__).joinpath("fonts.yaml").read_text(encoding="utf-8"))
    usual = "wide" if any(_is_wide(sign) for sign in text) else "narrow"
    return str(next((fonts[part] for part in lang.split("-")[1:] if part in fonts), fonts[usual]))


def _is_wide(sign: str) -> bool:
    return east_asian_width(sign) in "WF"


def fitted(text: str, size: float, width: float) -> float:
    """The largest font size up to `size` at which a line of text is about as wide as `width`, all in millimetres."""
    ems = sum(_em(sign) for sign in text)
    return round(min(size, width / ems), 2) if ems else size


def _em(sign: str) -> float:
    """The width of a letter of a usual sans-serif font, in parts of the font size."""
    if combining(sign):
        return 0.0
    return 1.0 if _is_wide(sign) else 0.68 if sign.isupper() else 0.6


def pdf(sheet: Sequence[Page], title: str, lang: str) -> bytes:
    """All pages in one PDF file, each with its words as the text of a picture. Needs the extra `pdf`.

    Raises `rulespec.base.typeset.TypesetError` if no installed font has some letter of them.
    """
    template = files(__package__).joinpath("templates/sheet.typ").read_bytes()
    drawn = [{"svg": page.svg, "words": _words(page.svg)} for page in sheet]
    size = {"width": PAGE[0], "height": PAGE[1]}
    how, words = writing_of(lang), {"title": title, "pages": drawn, **size}
    return typeset.pdf(template, words, lang, find(lang).aliases, script=how.script, direction=how.direction)


def _words(svg: str) -> str:
    texts = (text.strip() for text in ElementTree.fromstring(svg).itertext())
    return ", ".join(text for text in texts if text)
