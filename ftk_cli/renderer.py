"""The modules of JavaScript that draw a table, which every page with a table has a copy of."""

from __future__ import annotations

from pathlib import Path

FILES = (
    "cards.js",
    "choice.js",
    "drag.js",
    "game.js",
    "keys.js",
    "living.js",
    "moves.js",
    "squares.js",
    "table.css",
    "table.js",
    "view.js",
    "zoom.js",
)
"""What draws a table: `drawTable` of table.js, with its styles, and what plays a rulebook: `begin` of living.js."""


def javascript() -> Path:
    """The folder `js` of this installation, or of the checkout that this module is in."""
    here = Path(__file__).parent
    return here / "js" if (here / "js").is_dir() else here.parent / "js"


def table() -> list[Path]:
    """The files that draw a table."""
    return [javascript() / name for name in FILES]
