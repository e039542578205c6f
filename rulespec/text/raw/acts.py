"""Acts: what the words of a text say is done, by any player, from `acts.yaml`.

A writer pulls, draws or takes a card: the acts show that clauses say the same in other words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from rulespec.text.languages import Language, Pattern, depends
from rulespec.text.languages.data import listed, pattern, read_data
from rulespec.text.reading.by_place import ByPlace
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once

ACTS = frozenset(
    {
        *("begin", "follow", "take", "choose", "reveal", "give", "discard", "remove", "pay", "bid", "pass", "put"),
        *("lift", "expel", "vote", "score", "win", "lose", "shuffle", "compare", "become", "look", "exchange"),
    }
)
"""What is done in games."""


LIKEWISE = "likewise"


@dataclass(frozen=True)
class Act:
    """The words at `text[start:end]` for an act."""

    name: str
    start: int
    end: int


LINKS = frozenset({"before", "after", "then", "before_that", "again", LIKEWISE})
"""Words that say in which order acts follow each other: what the clause after `before` says comes later, and what the
clause after `after` says earlier; what stands after `then` comes later, and what stands before `before_that`. `again`
marks an act that is done another time, and `likewise` what holds of another thing as well."""


def acts(part: Reading) -> tuple[Act, ...]:
    """The acts in a part of a text in order; of those that overlap both count."""
    return tuple(one for one in _read(part) if one.name in ACTS)


def links(part: Reading) -> tuple[Act, ...]:
    """The words in a part of a text that say in which order acts follow each other, each with its key as name."""
    return tuple(one for one in _read(part) if one.name in LINKS)


def _read(part: Reading) -> tuple[Act, ...]:
    whole = part.whole or part
    every = once(whole, "acts", lambda: ByPlace(_acts(whole.text, whole.language)))
    return every.inside(part.start, part.end)


def _acts(text: str, language: Language) -> Iterator[Act]:
    found = {Act(name, m.start(), m.end()) for name, each in acts_of(language) for m in each.finditer(text)}
    yield from sorted(found, key=lambda one: (one.start, one.end, one.name))


def acts_of(language: Language) -> tuple[tuple[str, Pattern], ...]:
    """The names of acts and links with their patterns; none if the language has no file.

    Raises ValueError with the file and the key if it is invalid.
    """
    path = language.file("acts.yaml")
    return () if path is None else _rows(language, str(path))


@depends
@lru_cache(maxsize=32)
def _rows(language: Language, path: str) -> tuple[tuple[str, Pattern], ...]:
    data = read_data("acts.yaml", language, {*ACTS, *LINKS})
    return tuple(
        (name, pattern(text, language.spaced, f"{path}: {name}")) for name in data for text in listed(data, name, path)
    )
