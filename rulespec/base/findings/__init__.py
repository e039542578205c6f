"""Every kind of finding: a table that loads fast, and a page of data per kind that is read on demand."""

from typing import TYPE_CHECKING

from rulespec.base.findings.kind import FindingKind, Group, Severity
from rulespec.base.findings.table import GROUPS, RETIRED
from rulespec.base.lazy import importer

if TYPE_CHECKING:
    from rulespec.base.findings.catalog import LANGUAGES, catalog_of, known_language, language_of, text_in
    from rulespec.base.findings.pages import help_uri, page_of

__all__ = [
    "GROUPS",
    "KINDS",
    "LANGUAGES",
    "RETIRED",
    "FindingKind",
    "Group",
    "Severity",
    "catalog_of",
    "help_uri",
    "kind_called",
    "known_language",
    "language_of",
    "names_in",
    "page_of",
    "text_in",
]
__getattr__ = importer(
    __name__,
    {
        "rulespec.base.findings.catalog": "LANGUAGES catalog_of known_language language_of text_in",
        "rulespec.base.findings.pages": "help_uri page_of",
    },
)

KINDS: dict[str, FindingKind] = {kind.name: kind for group in GROUPS for kind in group.kinds}
"""All kinds of finding by name, in the order of their codes."""


def kind_called(word: str) -> FindingKind | None:
    """The kind with this code or name, in any letter case."""
    word = word.casefold()
    return next((kind for kind in KINDS.values() if word in (kind.code.casefold(), kind.name)), None)


def names_in(*groups: str) -> set[str]:
    """The names of the kinds in these groups, given by id. Raises KeyError for an unknown group."""
    by_id = {group.id: group.kinds for group in GROUPS}
    return {kind.name for group in groups for kind in by_id[group]}
