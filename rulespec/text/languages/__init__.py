"""The languages of rule text: one folder of data for each, with a record and, where it has them, its numerals.

A language is added by a folder next to these (`languages/<tag>/language.yaml`), or by `add(folder)` for one elsewhere.
"""

from rulespec.text.languages.record import Language, Pattern, matches
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS, LANGUAGES, add, added, find, labels_of, unknown

__all__ = [
    "LANGUAGES",
    "LANGUAGE_OF_SPECS",
    "Language",
    "Pattern",
    "add",
    "added",
    "find",
    "labels_of",
    "matches",
    "unknown",
]
