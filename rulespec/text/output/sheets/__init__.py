"""Card sheets: the cards of a game on pages to print, in any language, for proofs and prototypes."""

from rulespec.text.output.sheets.faces import Face, Words, different, faces
from rulespec.text.output.sheets.layout import layout
from rulespec.text.output.sheets.pages import CARD, Page, SheetError, pages, pdf

__all__ = ["CARD", "Face", "Page", "SheetError", "Words", "different", "faces", "layout", "pages", "pdf"]
