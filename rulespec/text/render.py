"""The rulebook of one number of players, from the texts."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.model.constants import Setting
from rulespec.model.spec import Rule
from rulespec.text.translation import Translation


def markdown(translation: Translation, setting: Setting) -> str:
    """The rulebook in Markdown, in the order of the spec: only the rules that are in the game in this setting."""
    return "\n\n".join([f"# {translation.title}", *_sections(translation, setting)]) + "\n"


def _sections(translation: Translation, setting: Setting) -> Iterator[str]:
    rules = list(setting.spec.rules.values())
    for rule in rules:
        passage = translation.rules.get(rule.id)
        around = [r for r in rules if r.span.start <= rule.span.start and rule.span.end <= r.span.end]
        if passage is not None and all(_present(r, setting) for r in around):
            yield f"{'#' * min(4, 1 + len(around))} {passage.title}"
            yield passage.text.text.strip()


def _present(rule: Rule, setting: Setting) -> bool:
    return setting.present(rule.only_if)
