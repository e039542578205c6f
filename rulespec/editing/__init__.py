"""What editors show at a place of a file: pure functions of texts, which a language server sends."""

from rulespec.editing.completion import Proposal, proposals
from rulespec.editing.hover import hover
from rulespec.editing.names import Declared, Reference, declared, references
from rulespec.editing.outline import Entry, folds, outline

__all__ = [
    "Declared",
    "Entry",
    "Proposal",
    "Reference",
    "declared",
    "folds",
    "hover",
    "outline",
    "proposals",
    "references",
]
