"""The rulebook for one number of players as Markdown, with the rules in the order of play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.characters import visible
from rulespec.model.constants import Setting
from rulespec.text.render.order import rules_in_order
from rulespec.text.translation import Passage, Translation


@dataclass(frozen=True)
class Section:
    """One rule of a rulebook. `depth` is 1 for a rule that is not inside another."""

    id: str
    passage: Passage
    depth: int


def sections(translation: Translation, setting: Setting) -> Iterator[Section]:
    """The rules that are in the game in this setting and have a text, in the order of play."""
    for id_, depth in rules_in_order(setting):
        passage = translation.rules.get(id_)
        if passage is not None:
            yield Section(id_, passage, depth)


def markdown(translation: Translation, setting: Setting) -> str:
    """The rulebook as Markdown: the rules that are in the game in this setting, in the order of play."""
    return visible("\n\n".join([f"# {translation.title}", *_parts(translation, setting)])) + "\n"


def _parts(translation: Translation, setting: Setting) -> Iterator[str]:
    for section in sections(translation, setting):
        yield f"{'#' * min(4, 1 + section.depth)} {section.passage.title}"
        yield section.passage.text.text.strip()
