"""The rulebook for one number of players as Markdown, with the rules in the order of play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.characters import visible
from rulespec.model.constants import Setting
from rulespec.text.edition import Edition
from rulespec.text.languages import LANGUAGES, labels_of
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


def sections(translation: Translation, setting: Setting) -> Iterator[Section]:
    """The rules that are in the game in this setting and whose texts concern it, in the order of play."""
    for id_, depth in rules_in_order(setting):
        passage = translation.rules.get(id_)
        if passage is None:
            continue
        text = for_players(passage.text.text, translation.lang, setting)
        if text.strip() or not passage.text.text.strip():  # a text may be about other numbers of players only
            yield Section(id_, passage.title, text, depth)


def for_players(text: str, lang: str, setting: Setting) -> str:
    """What a text says for the number of players of a setting."""
    language = LANGUAGES.get(lang)
    return Edition(text, language, setting.spec.players, setting.players).reduced() if language is not None else text


def markdown(translation: Translation, setting: Setting, ids: bool = False) -> str:
    """The rulebook as Markdown: the rules that are in the game in this setting, in the order of play.

    `ids` adds the id of each rule to its heading.
    """
    players = labels_of(translation.lang)["players"].format(n=setting.players)
    head = [f"# {translation.title}", players]
    return visible("\n\n".join([*head, *_parts(translation, setting, ids)])) + "\n"


def _parts(translation: Translation, setting: Setting, ids: bool) -> Iterator[str]:
    for section in sections(translation, setting):
        yield f"{'#' * min(4, 1 + section.depth)} {section.title}" + f" `{section.id}`" * ids
        yield section.text.strip()
