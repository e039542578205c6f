"""The languages of rule text: every one that CLDR knows, with what it says of them.

A record, a folder of data, adds to that: in this package, or in the folder `languages` of a project.
"""

from rulespec.text.languages.record import Language, Pattern, match_end, matches
from rulespec.text.languages.registry import (
    LANGUAGE_OF_SPECS,
    LANGUAGES,
    PACKAGE,
    add,
    added,
    depends,
    find,
    labels_of,
    nearest,
    outdated,
    read_in,
    read_unproved,
    still_in_use,
    unknown,
    use,
    validated,
)
from rulespec.text.languages.tags import parents
from rulespec.text.languages.writing import Writing, writing_of

__all__ = [
    "LANGUAGES",
    "LANGUAGE_OF_SPECS",
    "PACKAGE",
    "Language",
    "Pattern",
    "Writing",
    "add",
    "added",
    "depends",
    "find",
    "labels_of",
    "match_end",
    "matches",
    "nearest",
    "outdated",
    "parents",
    "read_in",
    "read_unproved",
    "still_in_use",
    "unknown",
    "use",
    "validated",
    "writing_of",
]
