"""Every kind of finding: a table that loads fast, and a page of data per kind that is read on demand."""

from rulespec.base.findings.kind import FindingKind
from rulespec.base.findings.table import GROUPS

__all__ = ["KINDS", "kind_called", "names_in"]

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
