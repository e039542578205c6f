"""The wordings by which a language says where cards come from, where they go, and who acts, from `roles.yaml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any

from rulespec.text.languages import Language, Pattern, find
from rulespec.text.languages.data import listed, mapping, pattern, read_data


class Role(StrEnum):
    """What a place is to the cards that a clause moves."""

    SOURCE = "source"
    TARGET = "target"
    NEITHER = "neither"


FIRST_MASK = 0xE000
"""The first of the private characters that stand for the words of a place. A word never has one."""


@dataclass(frozen=True, eq=False)
class RoleLexicon:
    """The patterns of a language.

    Each pattern of `places` has a group `zone`, which is the words of a place, masked. `forms` are matched against
    these words; the first that matches is their grammatical form, else `basic`. A pattern can ask for it; a term
    with the form `act` is no place. `joins` match
    what is between two places with the same role. `people` are patterns for people by their relation to another player.
    """

    forms: tuple[Pattern, ...]
    places: tuple[tuple[Role, Pattern], ...]
    joins: tuple[Pattern, ...]
    people: tuple[tuple[str, Pattern], ...]

    def mask(self, words: str, odd: bool) -> str:
        """The mask for the words of a place, as long as they are. Neighbouring places alternate in `odd`."""
        form = next((i for i, form in enumerate(self.forms, start=1) if form.search(words)), 0)
        return chr(FIRST_MASK + 2 * form + odd) * len(words)


def roles_of(language: Language) -> RoleLexicon | None:
    """The patterns of a language; None if it has no file.

    Raises ValueError with the file and the key if it is invalid.
    """
    path = language.file("roles.yaml")
    return None if path is None else _lexicon(path, language.tag)


PEOPLE = frozenset({"left_neighbour", "right_neighbour"})
"""The relations of people to another player."""


@lru_cache(maxsize=32)
def _lexicon(path: Path, tag: str) -> RoleLexicon:
    language, where = find(tag), str(path)
    data = read_data(path, language.han_form, {"forms", "places", "joins", "people"})
    forms = mapping(data.get("forms", {}), f"{where}: forms")
    masks = {name: _masks(number) for number, name in enumerate(("basic", *forms))}
    masks["zone"] = "|".join(mask for name, mask in masks.items() if name != "act")
    people = mapping(data.get("people", {}), f"{where}: people", set(PEOPLE))
    return RoleLexicon(
        tuple(pattern(text, False, f"{where}: forms") for text in forms.values()),
        tuple(_places(data, masks, language.spaced, where)),
        tuple(pattern(text, False, f"{where}: joins") for text in listed(data, "joins", where)),
        tuple(
            (relation, pattern(text, language.spaced, where))
            for relation in people
            for text in listed(people, relation, f"{where}: people")
        ),
    )


def _masks(form: int) -> str:
    """A pattern for the words of one place in a grammatical form."""
    return "|".join(f"{chr(FIRST_MASK + 2 * form + odd)}++" for odd in (0, 1))


def _places(
    data: Mapping[str, Any], masks: Mapping[str, str], spaced: bool, where: str
) -> Iterator[tuple[Role, Pattern]]:
    places = mapping(data.get("places", {}), f"{where}: places", set(Role))
    for role in places:
        for text in listed(places, role, f"{where}: places"):
            filled = text.replace("{other}", f"(?:{masks['zone']})")
            for name, mask in masks.items():
                filled = filled.replace(f"{{{name}}}", f"(?P<zone>{mask})")
            if "(?P<zone>" not in filled:
                raise ValueError(f"{where}: places: {text!r} has no place")
            yield Role(role), pattern(filled, spaced, where)
