"""Predicates in texts: verbs and phrases by which a clause affirms or denies something, in any language.

The wordings of a language are in its folder, in `predicates.yaml`.
"""

from rulespec.text.reading.predicates.disagreements import Denial, denials
from rulespec.text.reading.predicates.lexicon import PREDICATES, PredicateLexicon, predicates_of
from rulespec.text.reading.predicates.reader import Statement, statements

__all__ = ["PREDICATES", "Denial", "PredicateLexicon", "Statement", "denials", "predicates_of", "statements"]
