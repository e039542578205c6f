"""Card sheets: the cards of a game on pages to print, in any language, for proofs and prototypes."""

from rulespec.text.output.sheets.drawing import SheetError
from rulespec.text.output.sheets.faces import Face, Words, different, faces
from rulespec.text.output.sheets.layout import layout
from rulespec.text.output.sheets.lengths import too_long_texts
from rulespec.text.output.sheets.looks import Look, Looks
from rulespec.text.output.sheets.pages import Page, pages, pdf, png
from rulespec.text.output.sheets.paper import CARD, MOST_BLEED, SIZES, Paper, grid, paper
from rulespec.text.output.sheets.tabletop import saved_object

__all__ = [
    "CARD",
    "MOST_BLEED",
    "SIZES",
    "Face",
    "Look",
    "Looks",
    "Page",
    "Paper",
    "SheetError",
    "Words",
    "different",
    "faces",
    "grid",
    "layout",
    "pages",
    "paper",
    "pdf",
    "png",
    "saved_object",
    "too_long_texts",
]
