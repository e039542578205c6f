"""The sections of the rulebook for one number of players, in the order of play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rulespec.model.constants import Setting
from rulespec.text.edition import Edition
from rulespec.text.languages import LANGUAGES
from rulespec.text.render.order import rules_in_order
from rulespec.text.translation import Translation


@dataclass(frozen=True)
class Section:
    """One rule of a rulebook, with what its text says for the number of players. `depth` is 1 for a rule that is not
    inside another."""

    id: str
    title: str
    text: str
    depth: int
    examples: tuple[str, ...] = ()


def sections(
    translation: Translation, setting: Setting, examples: Mapping[str, tuple[str, ...]] = MappingProxyType({})
) -> Iterator[Section]:
    """The rules that are in the game in this setting and whose texts concern it, in the order of play, each with its
    `examples`."""
    for id_, depth in rules_in_order(setting):
        passage = translation.rules.get(id_)
        if passage is None:
            continue
        text = for_players(passage.text.text, translation.lang, setting)
        if text.strip() or not passage.text.text.strip():  # a text may be about other numbers of players only
            yield Section(id_, passage.title, text, depth, examples.get(id_, ()))


def for_players(text: str, lang: str, setting: Setting) -> str:
    """What a text says for the number of players of a setting."""
    language = LANGUAGES.get(lang)
    return Edition(text, language, setting.spec.players, setting.players).reduced() if language is not None else text


def rulings(translation: Translation, setting: Setting) -> Iterator[tuple[str, str]]:
    """The ids and texts of the rulings with their default option, which is the one that their texts state."""
    for id_ in setting.spec.rulings:
        passage = translation.rulings.get(id_)
        if passage is not None and setting.chosen[id_] == 0:
            yield id_, for_players(passage.text.text, translation.lang, setting)
