"""What editors show at a place of a file: pure functions of texts, which a language server sends."""

from rulespec.editing.editors.cells import at_its_name, in_spreadsheet, spreadsheet_at
from rulespec.editing.editors.completion import proposals, typed_before
from rulespec.editing.editors.edits import edits
from rulespec.editing.editors.hints import hints
from rulespec.editing.editors.hover import hover
from rulespec.editing.editors.lenses import Lens, lenses
from rulespec.editing.editors.meanwhile import while_typing
from rulespec.editing.editors.names import Declared, declared, references
from rulespec.editing.editors.outline import Entry, folds, outline
from rulespec.editing.editors.paths import path_at
from rulespec.editing.editors.starts import played_from
from rulespec.editing.editors.symbols import symbols
from rulespec.editing.editors.uses import Token, declarations, tokens

__all__ = [
    "Declared",
    "Entry",
    "Lens",
    "Token",
    "at_its_name",
    "declarations",
    "declared",
    "edits",
    "folds",
    "hints",
    "hover",
    "in_spreadsheet",
    "lenses",
    "outline",
    "path_at",
    "played_from",
    "proposals",
    "references",
    "spreadsheet_at",
    "symbols",
    "tokens",
    "typed_before",
    "while_typing",
]
