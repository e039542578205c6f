"""The contrast lexicon of a language, read from `contrasts.yaml`, and the predicates of texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import takewhile
from typing import Any, Self

import regex

from rulespec.base import store
from rulespec.base.messages import Catalog, Message, say, translated
from rulespec.base.wording import unmarked
from rulespec.proofs.meaning.constructors import FAMILIES
from rulespec.text.languages.data import listed, mapping, pattern, read_data
from rulespec.text.languages.record import Language, Pattern
from rulespec.text.languages.registry import depends
from rulespec.text.reading.contrasts.wordings import Wordings

AFFIRMED, DENIED = "affirmed", "denied"

PREDICATES = frozenset(
    {
        *("look", "show", "effect", "matter", "count", "back", "stay", "join", "part", "get", "draw", "refund", "lose"),
        *("use", "succeed", "left", "move", "have", "bid", "pass", "pay", "score"),
        *("obligation", "permission", "promptness"),
    }
)
"""What every game may affirm or deny, as families with the values `AFFIRMED` and `DENIED`: `en/contrasts.yaml` explains
each."""

STATED: Mapping[tuple[str, str], tuple[str, str]] = {
    ("duty", "binding"): ("obligation", AFFIRMED),
    ("duty", "optional"): ("obligation", DENIED),
    ("modality", "must"): ("obligation", AFFIRMED),
    ("modality", "may"): ("permission", AFFIRMED),
    ("modality", "may_not"): ("permission", DENIED),
    ("moment", "at_once"): ("promptness", AFFIRMED),
    ("moment", "later"): ("promptness", DENIED),
}
"""The predicates that the words of a value affirm or deny."""

MODALS = frozenset({"obligation", "permission", "promptness"})
"""The predicates that qualify another one. Only a word right before them or a “nobody” negates them: “who cannot go on
has to pass”."""


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


_PLAIN = (
    *(say("left"), say("right"), say("top"), say("bottom"), say("nearest"), say("farthest")),
    *(say("most"), say("fewest"), say("more"), say("less"), say("at least"), say("at most"), say("exactly")),
    *(say("first"), say("last"), say("before"), say("after"), say("at once"), say("later")),
    *(say("open"), say("secret"), say("all"), say("some"), say("rest"), say("none"), say("all of"), say("any of")),
    *(say("half"), say("third"), say("double"), say("increase"), say("decrease")),
    *(say("may"), say("must"), say("may not"), say("binding"), say("optional"), say("not")),
    *(say("pay"), say("receive"), say("take"), say("lose"), say("lost"), say("shared"), say("alone")),
    *(say("only"), say("also"), say("same"), say("different"), say("random"), say("chosen")),
    *(say("empty"), say("full")),
)
"""The values that are the same in words."""
_WORDS: Mapping[str, Message] = {word.replace(" ", "_"): word for word in _PLAIN} | {
    "early": say("at the start"),
    "with": say("included"),
    "without": say("left out"),
}
_OF_FAMILIES: Mapping[tuple[str, str], Message] = {
    ("face", "up"): say("face up"),
    ("face", "down"): say("face down"),
    ("rounding", "up"): say("rounded up"),
    ("rounding", "down"): say("rounded down"),
}
"""Values of several families."""


def value_in_words(family: str, value: str) -> Message:
    """A value of a family of contrasts in words."""
    return _OF_FAMILIES.get((family, value)) or _WORDS.get(value) or say("{text}", text=value.replace("_", " "))


class Gloss(Message):
    """Words of a text in quotation marks with their meaning, unless a reader would use the same words for it."""

    __slots__ = ()

    def __new__(cls, said: str, meaning: str) -> Self:
        return super().__new__(cls, _form(said, meaning), {"said": said, "meaning": meaning})

    def __reduce__(self) -> tuple[Any, ...]:
        # What `Message` gives here would be read as a message, which always has the meaning or never.
        return Gloss, (self.values["said"], self.values["meaning"])

    def translated(self, catalog: Catalog) -> str:
        """The words with their meaning in the language of a catalog."""
        form = _form(self.values["said"], translated(self.values["meaning"], catalog))
        return Message(form, self.values).translated(catalog)


def _form(said: str, meaning: str) -> str:
    return say("“{said}”") if _are_same(said.casefold(), meaning.casefold()) else say("“{said}” ({meaning})")


def _are_same(said: str, meaning: str) -> bool:
    """Whether words differ in their endings only, or one has the other in it."""
    stem = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(said, meaning, strict=False)))
    return meaning in said or 2 * stem >= max(len(meaning), 6)


def says_instead(said: str, meaning: Message, value: Message | None, sentence: str) -> Message:
    """The message that words of a text have another meaning than the spec, which says a value, a sentence or both."""
    wanted = say("“{sentence}”", sentence=unmarked(sentence).removesuffix(".").removesuffix("。"))
    if value is not None:
        value = say("“{value}”", value=value)
        wanted = say("{value}: {sentence}", value=value, sentence=wanted) if sentence else value
    return say("The text says {said}; the spec says {wanted}.", said=Gloss(said, meaning), wanted=wanted)
