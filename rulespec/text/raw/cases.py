"""Cases: the words of a text that say how many it takes, or how little is meant, from `cases.yaml`.

A case is what a condition turns on: one rejection is enough, or a majority is needed. Contrasts do not say it, as the
same words also bound numbers and name groups.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from rulespec.text.languages import Language, Pattern, depends
from rulespec.text.languages.data import listed, mapping, pattern, read_data

FAMILIES: Mapping[str, frozenset[str]] = {
    "how many": frozenset({"none", "one", "some", "majority"}),
    "how little": frozenset({"nothing", "fewer"}),
    "together": frozenset({"together", "in turn"}),
    "when": frozenset({"at once", "later"}),
}
"""What a condition may turn on: how many do something or are of a kind, whether it takes nothing at all or only less
than something. How something is done: by players at the same time or one after another, at once or after the rest of a
round."""

ON_NOTHING = frozenset({"how many", "how little"})
"""The families whose words stand in sentences that need not name what the rule is about."""

EXCLUDES = frozenset(
    {("majority", "one"), ("one", "majority"), ("one", "none"), ("some", "none"), ("none", "one"), ("none", "some")}
    | {("majority", "none"), ("fewer", "nothing")}
    | {("together", "in turn"), ("in turn", "together"), ("later", "at once")}
)
"""Pairs of a value that a text says and one of ours that excludes it. That nobody bids and that all pass is the same;
“nothing” stands in many sentences that state no case."""


@dataclass(frozen=True)
class Case:
    """The words at `text[start:end]` for a value of a family."""

    family: str
    value: str
    start: int
    end: int


def cases(text: str, language: Language) -> Iterator[Case]:
    """The cases in a text in order, the longest of those that overlap; none if the language has no file."""
    rows = cases_of(language)
    found = [Case(family, value, m.start(), m.end()) for family, value, each in rows for m in each.finditer(text)]
    end = 0
    for case in sorted(found, key=lambda one: (one.start, -one.end)):
        if case.start >= end:
            yield case
            end = case.end


def cases_of(language: Language) -> tuple[tuple[str, str, Pattern], ...]:
    """The families and values with their patterns; none if the language has no file.

    Raises ValueError with the file and the key if it is invalid.
    """
    path = language.file("cases.yaml")
    return () if path is None else _rows(language, str(path))


@depends
@lru_cache(maxsize=32)
def _rows(language: Language, path: str) -> tuple[tuple[str, str, Pattern], ...]:
    return tuple(_patterns(path, language))


def _patterns(path: str, language: Language) -> Iterator[tuple[str, str, Pattern]]:
    """Raises ValueError with the file and the key if it is invalid."""
    data = read_data("cases.yaml", language, {name.replace(" ", "_") for name in FAMILIES})
    for family, values in FAMILIES.items():
        key = family.replace(" ", "_")
        group = mapping(data.get(key, {}), f"{path}: {key}", {value.replace(" ", "_") for value in values})
        for value in group:
            for text in listed(group, value, f"{path}: {key}"):
                yield family, value.replace("_", " "), pattern(text, language.spaced, f"{path}: {key}: {value}")
