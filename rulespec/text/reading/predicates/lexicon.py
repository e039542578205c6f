"""The predicate lexicon of a language, read from `predicates.yaml`, with the negation of its contrast lexicon."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Any

from rulespec.text.languages import Language, depends
from rulespec.text.languages.data import listed, mapping, read_data
from rulespec.text.reading.contrasts import lexicon as contrasts
from rulespec.text.reading.contrasts.wordings import Wordings

PREDICATES = frozenset(
    {
        *("look", "show", "effect", "matter", "count", "back", "stay", "join", "part", "get", "draw", "change", "lose"),
        *("use", "succeed", "left", "move", "have", "bid", "pass", "pay", "score", "duty", "permission", "moment"),
    }
)
"""What every game may affirm or deny: `en/predicates.yaml` explains each."""

MODALS = frozenset({"duty", "permission", "moment"})
"""The predicates that qualify another one. Only a word right before them or a “nobody” negates them: “who cannot go on
has to pass”."""


class Role(IntEnum):
    """What words do. Of words of the same length the earlier role counts."""

    PREDICATE = 0
    NEGATIVE = 1
    IDIOM = 2
    EXCEPTION = 3
    CONDITION = 4
    CONDITION_END = 5
    RELATIVE = 6
    RELATIVE_END = 7


@dataclass(frozen=True)
class Wording:
    """Words with a role. Those of a predicate affirm it, or deny it; `negative` ones also negate what they stand by."""

    role: Role
    text: str
    predicate: str = ""
    affirmed: bool = True
    negative: bool = False


@dataclass(frozen=True, eq=False)
class PredicateLexicon:
    """The wordings of a language. With `concord`, “nobody” and a negator in one clause are one negation."""

    wordings: Wordings[Wording]
    concord: bool


_CONTRASTS: Mapping[tuple[str, str], tuple[str, bool, bool]] = {
    ("duty", "binding"): ("duty", True, False),
    ("duty", "optional"): ("duty", False, False),
    ("modality", "must"): ("duty", True, False),
    ("modality", "may"): ("permission", True, False),
    ("modality", "may_not"): ("permission", False, True),
    ("moment", "at_once"): ("moment", True, False),
    ("moment", "later"): ("moment", False, False),
}
"""The contrasts that are predicates as well: the predicate, whether it is affirmed, and whether its words negate."""

_NEGATIVE = {("quantity", "none"), ("truth", "not")}
"""The contrasts that negate what they stand by."""


def predicates_of(language: Language) -> PredicateLexicon | None:
    """The lexicon of a language; None if it has no file.

    Raises ValueError with the file and the key if it is invalid.
    """
    path = language.file("predicates.yaml")
    return None if path is None else _lexicon(language, str(path))


@depends
@lru_cache(maxsize=32)
def _lexicon(language: Language, where: str) -> PredicateLexicon:
    data = read_data("predicates.yaml", language, {"predicates", *ROLES})
    known = contrasts.lexicon_of(language)
    listed_here = tuple(_listed(data, where))
    texts = {each.text for each in listed_here}
    inherited = () if known is None else (each for each in _negation(known) if each.text not in texts)
    tag = language.tag
    return PredicateLexicon(
        Wordings((*listed_here, *inherited), tag, where),
        known is not None and known.concord > 0,
    )


def _listed(data: Mapping[str, Any], where: str) -> Iterator[Wording]:
    groups = mapping(data.get("predicates", {}), f"{where}: predicates", set(PREDICATES))
    for name, group in groups.items():
        for key in mapping(group, f"{where}: {name}", {"affirmed", "denied"}):
            for text in listed(group, key, f"{where}: {name}"):
                yield Wording(Role.PREDICATE, text, name, key == "affirmed")
    for key, role in ROLES.items():
        for text in listed(data, key, where):
            yield Wording(role, text)


ROLES = {
    "exceptions": Role.EXCEPTION,
    "conditions": Role.CONDITION,
    "conditions_after": Role.CONDITION_END,
    "relatives": Role.RELATIVE,
    "relatives_after": Role.RELATIVE_END,
    "negators": Role.NEGATIVE,
}
"""The lists of words by their role."""


def _negation(known: contrasts.Lexicon) -> Iterator[Wording]:
    """The idioms and negators of the contrast lexicon, and the contrasts that affirm or deny."""
    for each in known.wordings.each:
        predicate = _CONTRASTS.get((each.family, each.value))
        if predicate is not None:
            yield Wording(Role.PREDICATE, each.text, *predicate)
        elif (each.family, each.value) == ("scope", "only"):
            yield Wording(Role.EXCEPTION, each.text)
        elif (each.family, each.value) in _NEGATIVE:
            # For a negative wording, any predicate means that it is a “nobody”.
            yield Wording(Role.NEGATIVE, each.text, "none")
        elif each.role is contrasts.Role.IDIOM:
            yield Wording(Role.IDIOM, each.text)
        elif each.role is not contrasts.Role.CONTRAST:
            yield Wording(Role.NEGATIVE, each.text)
