"""Cards drawn by a template: SVG in Jinja, sizes in millimetres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal
from xml.etree import ElementTree

from rulespec.base.messages import say
from rulespec.base.pages import templates
from rulespec.text.output.sheets.bounded import LARGEST, BoundedEnvironment
from rulespec.text.output.sheets.faces import Face
from rulespec.text.output.sheets.measures import SMALLEST, Block, ems, fitted, most, wrapped
from rulespec.text.output.sheets.paper import CARD

Side = Literal["card", "back"]


class SheetError(ValueError):
    """Raised for a template that is wrong; `side` is the side of the cards that it draws."""

    def __init__(self, reason: str, side: Side) -> None:
        self.message = say("The template is wrong: {reason}.", reason=reason.rstrip("."))
        super().__init__(self.message)
        self.side = side


@dataclass(frozen=True)
class Template:
    """A template of one side of cards: its text, or "" for ours."""

    text: str = ""
    side: Side = "card"


@dataclass
class _Drawn:
    """The drawn cards, and the texts that are too long for them, with the number of characters too many."""

    svgs: list[str] = field(default_factory=list)
    long: dict[str, int] = field(default_factory=dict)

    def fitted(self, text: str, size: float, width: float) -> float:
        """`fitted` for templates, which notes the texts that are too long."""
        fits = fitted(text, size, width)
        if fits < min(size, SMALLEST):
            self.long[text] = len(text) - most(text, width / SMALLEST)
        return fits

    def wrapped(self, text: str, size: float, width: float, height: float) -> Block:
        """`wrapped` for templates, which notes the texts that are too long."""
        block = wrapped(text, size, width, height)
        if block.excess:
            self.long[text] = block.excess
        return block


def drawn(cards: Sequence[Face], title: str, lang: str, template: Template, bleed: float = 0) -> list[str]:
    """The SVG of each card. Raises SheetError for a template that is wrong."""
    return _draw(cards, title, lang, template, bleed).svgs


def too_long(cards: Sequence[Face], title: str, lang: str, template: str = "") -> dict[str, int]:
    """The texts that would be smaller than `SMALLEST` on cards drawn by a template, with the number of their
    characters that are too many. Raises SheetError for a template that is wrong."""
    return _draw(cards, title, lang, Template(template), 0).long


def _draw(cards: Sequence[Face], title: str, lang: str, template: Template, bleed: float) -> _Drawn:
    environment, given = templates(__package__), BoundedEnvironment()
    made = _Drawn()
    for one in (environment, given):
        one.globals.update(
            fitted=made.fitted,
            wrapped=made.wrapped,
            ems=ems,
            width=CARD[0],
            height=CARD[1],
            bleed=bleed,
            lang=lang,
            game=title,
        )
    try:
        own = environment.get_template(f"{template.side}.svg.j2")
        draws = given.from_string(template.text) if template.text else own
        for card in cards:
            given.left = LARGEST
            made.svgs.append(_well_formed(draws.render(card=card)))
    except Exception as error:  # a template may divide by zero, and anything else that an expression can
        raise SheetError(str(error), template.side) from None
    return made


def document(svg: str) -> str:
    """A drawn card as a document of its own."""
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f'<svg {spaces} viewBox="0 0 {CARD[0]} {CARD[1]}">{svg}</svg>'


def _well_formed(svg: str) -> str:
    """A drawn card if it is XML. Raises ParseError."""
    ElementTree.fromstring(f'<g xmlns:xlink="http://www.w3.org/1999/xlink">{svg}</g>')
    return svg
