"""What a language says of numbers and the nouns that they count, read from `counted.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import regex

from rulespec.text.languages import Language, Pattern, depends
from rulespec.text.languages.data import mapping, read_data

SAME = "same"
"""The case of the number itself, in `forms`."""

LISTS = (
    *("collective", "alone", "particles", "pronouns", "conjunctions", "genitive", "containers", "ordinal", "labels"),
    *("rare", "mass", "before", "after"),
)
TABLES = ("forms", "adjectives", "genders", "prepositions", "like")


@dataclass(frozen=True, eq=False)
class CountedLexicon:
    """The data of `counted.yaml`; docs/text.md explains its keys. Words are in lower case."""

    forms: Mapping[str, tuple[bool, str]]
    """For each plural category of a number in the nominative or accusative: if the noun is plural, and its case."""
    adjectives: Mapping[str, tuple[bool, str]]
    genders: Mapping[str, frozenset[str]]
    prepositions: Mapping[str, frozenset[str]]
    like: Mapping[str, str]
    words: Mapping[str, frozenset[str]]
    """The lists, by their keys."""
    comparative: Pattern | None

    @property
    def is_inflected(self) -> bool:
        """Whether numbers of the language decide the case of their nouns."""
        return bool(self.forms)


def lexicon_of(language: Language) -> CountedLexicon | None:
    """The lexicon of a language; None if it has none. Raises ValueError with the file if it is invalid."""
    path = language.file("counted.yaml")
    return _lexicon(language, str(path)) if path is not None else None


@depends
@lru_cache(maxsize=32)
def _lexicon(language: Language, path: str) -> CountedLexicon:
    data = read_data("counted.yaml", language, {*LISTS, *TABLES, "comparative"})
    table = {key: mapping(data.get(key, {}), f"{path}: {key}") for key in TABLES}
    return CountedLexicon(
        forms=_forms(table["forms"], path),
        adjectives=_forms(table["adjectives"], path),
        genders={word: frozenset(str(genders).split()) for word, genders in table["genders"].items()},
        prepositions=_by_word(table["prepositions"]),
        like={word: str(other) for word, other in table["like"].items()},
        words={key: frozenset(_words(data.get(key, ""))) for key in LISTS},
        comparative=regex.compile(str(data["comparative"])) if "comparative" in data else None,
    )


def _words(value: Any) -> list[str]:
    """The words of a list, or of a text with spaces between them."""
    texts = value if isinstance(value, list) else [value]
    return [word for text in texts for word in str(text).split()]


def _forms(table: Mapping[str, Any], path: str) -> Mapping[str, tuple[bool, str]]:
    found: dict[str, tuple[bool, str]] = {}
    for category, form in table.items():
        number, _, case = str(form).partition(" ")
        if number not in ("sing", "plur") or not case:
            raise ValueError(f"{path}: {category}: {form!r} is not `sing` or `plur` and a case")
        found[category] = number == "plur", case
    return found


def _by_word(table: Mapping[str, Any]) -> Mapping[str, frozenset[str]]:
    """The cases that each preposition governs."""
    found: dict[str, frozenset[str]] = {}
    for cases, words in table.items():
        for word in str(words).split():
            found[word] = found.get(word, frozenset()) | frozenset(cases.split())
    return found
