"""Contrasts in texts: words that give one of several mutually exclusive values, such as left or right.

`rulespec.proofs.meaning.contrasts` has the families. The wordings of a language are in its folder, in `contrasts.yaml`.
"""

from rulespec.text.reading.contrasts.lexicon import Lexicon, lexicon_of
from rulespec.text.reading.contrasts.negation import Contrast
from rulespec.text.reading.contrasts.reader import read
from rulespec.text.reading.contrasts.statements import statements

__all__ = ["Contrast", "Lexicon", "lexicon_of", "read", "statements"]
