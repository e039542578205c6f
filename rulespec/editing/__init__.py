"""What editors show at a place of a file: pure functions of texts, which a language server sends."""

from rulespec.editing.completion import proposals
from rulespec.editing.hints import hints
from rulespec.editing.hover import hover
from rulespec.editing.lenses import Lens, lenses
from rulespec.editing.names import Declared, declared, references
from rulespec.editing.outline import Entry, folds, outline
from rulespec.editing.paths import path_at
from rulespec.editing.starts import played_from
from rulespec.editing.symbols import symbols
from rulespec.editing.uses import Token, declarations, tokens

__all__ = [
    "Declared",
    "Entry",
    "Lens",
    "Token",
    "declarations",
    "declared",
    "folds",
    "hints",
    "hover",
    "lenses",
    "outline",
    "path_at",
    "played_from",
    "proposals",
    "references",
    "symbols",
    "tokens",
]
