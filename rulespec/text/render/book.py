"""The rules of one number of players, in the order of the spec."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.characters import visible
from rulespec.model.constants import Setting
from rulespec.model.spec import Rule
from rulespec.text.translation import Passage, Translation


@dataclass(frozen=True)
class Section:
    """One rule of a rulebook. `depth` is 1 for a rule that is not inside another."""

    id: str
    passage: Passage
    depth: int


def sections(translation: Translation, setting: Setting) -> Iterator[Section]:
    """The rules that are in the game in this setting and have a text, in the order of the spec."""
    rules = list(setting.spec.rules.values())
    for rule in rules:
        passage = translation.rules.get(rule.id)
        around = [r for r in rules if r.span.start <= rule.span.start and rule.span.end <= r.span.end]
        if passage is not None and all(_present(r, setting) for r in around):
            yield Section(rule.id, passage, len(around))


def markdown(translation: Translation, setting: Setting) -> str:
    """The rulebook as Markdown: the rules that are in the game in this setting, in the order of the spec."""
    return visible("\n\n".join([f"# {translation.title}", *_parts(translation, setting)])) + "\n"


def _parts(translation: Translation, setting: Setting) -> Iterator[str]:
    for section in sections(translation, setting):
        yield f"{'#' * min(4, 1 + section.depth)} {section.passage.title}"
        yield section.passage.text.text.strip()


def _present(rule: Rule, setting: Setting) -> bool:
    return setting.present(rule.only_if)
