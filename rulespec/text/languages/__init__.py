"""The languages of rule text. Each is a folder of data: `language.yaml`, and its numerals.

To add a language, add a folder `languages/<tag>/`, or register a folder elsewhere with `add(folder)`.
"""

from rulespec.text.languages.record import Language, Pattern, match_end, matches
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS, LANGUAGES, SHIPPED, add, added, find, labels_of, unknown

__all__ = [
    "LANGUAGES",
    "LANGUAGE_OF_SPECS",
    "SHIPPED",
    "Language",
    "Pattern",
    "add",
    "added",
    "find",
    "labels_of",
    "match_end",
    "matches",
    "unknown",
]
