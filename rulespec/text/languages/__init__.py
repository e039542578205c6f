"""The languages of rule text: every one that CLDR knows, with what it says of them.

A record, a folder of data, adds to that: in this package, or in the folder `languages` of a project.
"""

from rulespec.text.languages.record import Language, Pattern, match_end, matches
from rulespec.text.languages.registry import (
    LANGUAGE_OF_SPECS,
    LANGUAGES,
    add,
    added,
    find,
    labels_of,
    nearest,
    outdated,
    read_in,
    read_unproved,
    unknown,
    use,
)
from rulespec.text.languages.tags import parents

__all__ = [
    "LANGUAGES",
    "LANGUAGE_OF_SPECS",
    "Language",
    "Pattern",
    "add",
    "added",
    "find",
    "labels_of",
    "match_end",
    "matches",
    "nearest",
    "outdated",
    "parents",
    "read_in",
    "read_unproved",
    "unknown",
    "use",
]
