"""The contrast lexicon of a language, read from `contrasts.yaml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Any

import regex

from rulespec.base import store
from rulespec.proofs.meaning.contrasts import FAMILIES
from rulespec.text.languages.data import listed, mapping, pattern, read_data
from rulespec.text.languages.record import Language, Pattern
from rulespec.text.languages.registry import depends
from rulespec.text.reading.contrasts.predicates import AFFIRMED, DENIED, PREDICATES
from rulespec.text.reading.contrasts.wordings import Wordings


class Role(IntEnum):
    """What a wording does. Of wordings with the same words the earlier role counts."""

    PREDICATE = 0
    IDIOM = 1
    CONTRAST = 2
    NEGATES_NEXT = 3
    NEGATES_PREVIOUS = 4
    EXCEPTION = 5
    CONDITION = 6
    CONDITION_END = 7
    RELATIVE = 8
    RELATIVE_END = 9


@dataclass(frozen=True)
class Wording:
    """Words of a text with a role; `family` and `value` are those of a contrast."""

    role: Role
    text: str
    family: str = ""
    value: str = ""


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The wordings of a language.

    `instead` are patterns of “not A but B”, with A in the group `false`. `reach` is the most words between a negator
    and what it negates, `nearest` the same for values that only a negator near them negates. `concord` is the most
    words between a “nobody” and a negator that repeats its negation, 0 if a second negator counts. `over` are
    conjunctions that negation goes over, `stops` matches words that end it. `copulas` are verbs such as “be” that link
    a prohibition to a state. `opening` matches the end of a text after which a clause begins, `beginning` one after
    which a clause begins that is no condition. Each row of `swaps` has forms that can replace each other.
    """

    wordings: Wordings[Wording]
    instead: tuple[Pattern, ...]
    over: frozenset[str]
    copulas: frozenset[str]
    stops: Pattern
    opening: Pattern
    beginning: Pattern
    reach: int
    nearest: int
    concord: int
    swaps: tuple[tuple[str, ...], ...]


def lexicon_of(language: Language) -> Lexicon | None:
    """The lexicon of a language; None if it has no file.

    Raises ValueError with the file and the key if it is invalid.
    """
    path = language.file("contrasts.yaml")
    return None if path is None else _lexicon(language, str(path))


def compiled_lexicon_of(language: Language) -> Lexicon | None:
    """The lexicon with all its patterns compiled, as they are when used. Raises ValueError for a bad one."""
    known = lexicon_of(language)
    for each in known.wordings.patterns if known is not None else ():
        _ = each.compiled
    return known


@depends
@lru_cache(maxsize=32)
def _lexicon(language: Language, path: str) -> Lexicon:
    key = store.key(language.tag, language.digest, path)
    return store.cached("contrasts", key, lambda: _made(language, path))


def _made(language: Language, path: str) -> Lexicon:
    data, tag, spaced = read_data("contrasts.yaml", language, _KEYS), language.tag, language.spaced
    negation = mapping(data.get("negation", {}), f"{path}: negation", NEGATION)
    reach = _number(negation, "reach", path)
    return Lexicon(
        Wordings(tuple(_wordings(data, negation, path)), tag, path),
        tuple(_instead(negation, spaced, path)),
        frozenset(listed(negation, "over", path)),
        frozenset(listed(negation, "copulas", path)),
        _any(listed(negation, "stops", path), spaced),
        _any([*listed(negation, "stops", path), *language.clause_words], spaced, after=r"\s*$"),
        _any([*language.clause_words], spaced, after=r"\s*$"),
        reach,
        _number(negation, "nearest", path, reach),
        _number(negation, "concord", path),
        tuple(tuple(row) for row in listed(data, "swaps", path)),
    )


_KEYS = {"families", "predicates", "clauses", "negation", "idioms", "swaps"}
NEGATION = {"before", "after", "nearest", "reach", "concord", "over", "copulas", "stops", "instead", "exceptions"}
CLAUSES = {
    "exceptions": Role.EXCEPTION,
    "conditions": Role.CONDITION,
    "conditions_after": Role.CONDITION_END,
    "relatives": Role.RELATIVE,
    "relatives_after": Role.RELATIVE_END,
}
"""The lists of words of clauses by their role."""


_VALUES = dict.fromkeys(PREDICATES, (AFFIRMED, DENIED))


def _wordings(data: Mapping[str, Any], negation: Mapping[str, Any], where: str) -> Iterator[Wording]:
    for key, known, role in (("families", FAMILIES, Role.CONTRAST), ("predicates", _VALUES, Role.PREDICATE)):
        for family, values in mapping(data.get(key, {}), f"{where}: {key}", set(known)).items():
            for value in mapping(values, f"{where}: {family}", set(known[family])):
                for text in listed(values, value, f"{where}: {family}"):
                    yield Wording(role, text, family, value)
                    if (family, value) == ("scope", "only"):
                        yield Wording(Role.EXCEPTION, text)
    clauses = mapping(data.get("clauses", {}), f"{where}: clauses", set(CLAUSES))
    for role, group, key in (
        (Role.IDIOM, data, "idioms"),
        (Role.IDIOM, negation, "exceptions"),
        (Role.NEGATES_NEXT, negation, "before"),
        (Role.NEGATES_PREVIOUS, negation, "after"),
        *((role, clauses, key) for key, role in CLAUSES.items()),
    ):
        for text in listed(group, key, where):
            yield Wording(role, text)


def _number(mapping: Mapping[str, Any], key: str, where: str, default: int = 0) -> int:
    value = str(mapping.get(key, default))
    if not value.isdecimal():
        raise ValueError(f"{where}: {key}: {value!r} is not a whole number")
    return int(value)


def _instead(negation: Mapping[str, Any], spaced: bool, where: str) -> Iterator[Pattern]:
    for text in listed(negation, "instead", where):
        found = pattern(text, spaced, where)
        if "false" not in found.groupindex:
            raise ValueError(f"{where}: instead: {text!r} has no group `false`")
        yield found


def _any(words: list[str], spaced: bool, after: str = "") -> Pattern:
    """A pattern for any of the words. With `after`, also for a mark, in which the text may end as well."""
    edge = r"\b" if spaced else ""
    inner = f"{edge}(?:{'|'.join(map(regex.escape, words)) or '(?!)'}){edge}"
    return regex.compile(rf"(?:{inner}|[^\w\s]|^){after}" if after else inner, regex.IGNORECASE)
