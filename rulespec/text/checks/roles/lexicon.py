"""The wordings by which a language says where cards come from, where they go, and who acts, from `roles.yaml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from rulespec.text.languages import Language, Pattern, depends
from rulespec.text.languages.data import listed, mapping, pattern, read_data


class Role(StrEnum):
    """What a clause says of a term.

    Of a place: cards come from it or go there. Of a player such as the first player: who becomes one, stays one or is
    handed something. Of a prize: the second player gets it.
    """

    SOURCE = "source"
    TARGET = "target"
    BECOMES = "becomes"
    REMAINS = "remains"
    RECEIVES = "receives"
    SECOND = "second"
    NEITHER = "neither"


GROUPS = {
    "places": {Role.SOURCE, Role.TARGET, Role.NEITHER},
    "holders": {Role.BECOMES, Role.REMAINS, Role.RECEIVES, Role.NEITHER},
    "prizes": {Role.SECOND, Role.NEITHER},
}
"""The roles that terms of each group may have."""


FIRST_MASK = 0xE000
"""The first of the private characters that stand for the words of a place. A word never has one."""


@dataclass(frozen=True, eq=False)
class RoleLexicon:
    """The patterns of a language.

    `patterns` are those of each group. Each has a group `zone`, which is the words of a term, masked. `forms` are
    matched against these words; the first that matches is their grammatical form, else `basic`. A pattern can ask for
    it; a term with the form `act` is no place. `joins` match what is between two places with the same role. `people`
    are patterns for players by their relation to another one. `owned` matches what is between a player and a place of
    that player, `owner` the reverse.
    """

    forms: tuple[Pattern, ...]
    patterns: Mapping[str, tuple[tuple[Role, Pattern], ...]]
    joins: tuple[Pattern, ...]
    people: tuple[tuple[str, Pattern], ...]
    owned: tuple[Pattern, ...]
    owner: tuple[Pattern, ...]

    def mask(self, words: str, odd: bool) -> str:
        """The mask for the words of a place, as long as they are. Neighbouring places alternate in `odd`."""
        form = next((i for i, form in enumerate(self.forms, start=1) if form.search(words)), 0)
        return chr(FIRST_MASK + 2 * form + odd) * len(words)


def roles_of(language: Language) -> RoleLexicon | None:
    """The patterns of a language; None if it has no file.

    Raises ValueError with the file and the key if it is invalid.
    """
    path = language.file("roles.yaml")
    return None if path is None else _lexicon(language, str(path))


PEOPLE = frozenset({"left_neighbour", "right_neighbour", "next", "passing"})
"""The relations of people to another player: a neighbour, or who comes next. `passing` are words for a turn that goes
round the table."""

_KEYS = {"forms", "joins", "people", "owned", "owner", *GROUPS}


@depends
@lru_cache(maxsize=32)
def _lexicon(language: Language, where: str) -> RoleLexicon:
    data = read_data("roles.yaml", language, _KEYS)
    forms = mapping(data.get("forms", {}), f"{where}: forms")
    masks = {name: _masks(number) for number, name in enumerate(("basic", *forms))}
    masks["zone"] = "|".join(mask for name, mask in masks.items() if name != "act")
    people = mapping(data.get("people", {}), f"{where}: people", set(PEOPLE))
    return RoleLexicon(
        tuple(pattern(text, False, f"{where}: forms") for text in forms.values()),
        {group: tuple(_patterns(data, group, masks, language.spaced, where)) for group in GROUPS},
        tuple(pattern(text, False, f"{where}: joins") for text in listed(data, "joins", where)),
        tuple(
            (relation, pattern(text, language.spaced, where))
            for relation in people
            for text in listed(people, relation, f"{where}: people")
        ),
        tuple(pattern(text, False, where) for text in listed(data, "owned", where)),
        tuple(pattern(text, False, where) for text in listed(data, "owner", where)),
    )


def _masks(form: int) -> str:
    """A pattern for the words of one place in a grammatical form."""
    return "|".join(f"{chr(FIRST_MASK + 2 * form + odd)}++" for odd in (0, 1))


def _patterns(
    data: Mapping[str, Any], group: str, masks: Mapping[str, str], spaced: bool, where: str
) -> Iterator[tuple[Role, Pattern]]:
    given = mapping(data.get(group, {}), f"{where}: {group}", set(GROUPS[group]))
    for role in given:
        for text in listed(given, role, f"{where}: {group}"):
            filled = text.replace("{other}", f"(?:{masks['zone']})")
            for name, mask in masks.items():
                filled = filled.replace(f"{{{name}}}", f"(?P<zone>{mask})")
            if "(?P<zone>" not in filled:
                raise ValueError(f"{where}: {group}: {text!r} has no place")
            yield Role(role), pattern(filled, spaced, where)
