"""A picture of each game for the door of the page."""

from __future__ import annotations

from hashlib import sha256
from html import escape

_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 90">'
    '<rect width="160" height="90" fill="hsl({hue} 45% 38%)"/>'
    '<text x="80" y="64" font-family="Georgia, serif" font-size="56" text-anchor="middle" fill="#fff">{letter}</text>'
    "</svg>\n"
)


def picture(game: str) -> str:
    """The picture as SVG: the first letter of the title, on a colour that the id determines."""
    from ftk_cli.page.titles import of_game

    hue = int.from_bytes(sha256(game.encode()).digest()[:2], "big") % 360
    return _SVG.format(hue=hue, letter=escape(of_game(game, "en")[:1].upper()))
