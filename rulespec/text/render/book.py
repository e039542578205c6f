"""The rules of one number of players, in the order of play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from rulespec.characters import visible
from rulespec.model.constants import Setting
from rulespec.model.spec import Note, Rule, Spec
from rulespec.text.translation import Passage, Translation


@dataclass(frozen=True)
class Section:
    """One rule of a rulebook. `depth` is 1 for a rule that is not inside another."""

    id: str
    passage: Passage
    depth: int


def sections(translation: Translation, setting: Setting) -> Iterator[Section]:
    """The rules that are in the game in this setting and have a text, in the order of play."""
    rules = in_order(setting.spec)
    for rule in rules:
        passage = translation.rules.get(rule.id)
        around = [r for r in rules if r.span.start <= rule.span.start and rule.span.end <= r.span.end]
        if passage is not None and all(_present(r, setting) for r in around):
            yield Section(rule.id, passage, len(around))


def in_order(spec: Spec) -> list[Rule]:
    """The rules in the order of the spec, but `leave_out` of the cards at its place in the setup.

    It comes after the notes that open the setup, such as the aim of the game and what is in the box, and before the
    first step that needs the cards.
    """
    out = spec.deck.leave_out_rule
    opening = [step.rule for step in takewhile(lambda step: isinstance(step, Note), spec.setup) if step.rule]
    others = [rule for rule in spec.rules.values() if rule.id != out]
    if out:
        after = [rule.id for rule in others].index(opening[-1]) + 1 if opening else 0
        others.insert(after, spec.rules[out])
    return others


def markdown(translation: Translation, setting: Setting) -> str:
    """The rulebook as Markdown: the rules that are in the game in this setting, in the order of play."""
    return visible("\n\n".join([f"# {translation.title}", *_parts(translation, setting)])) + "\n"


def _parts(translation: Translation, setting: Setting) -> Iterator[str]:
    for section in sections(translation, setting):
        yield f"{'#' * min(4, 1 + section.depth)} {section.passage.title}"
        yield section.passage.text.text.strip()


def _present(rule: Rule, setting: Setting) -> bool:
    return setting.present(rule.only_if)
