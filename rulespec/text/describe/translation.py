"""A translation made of descriptions: the draft of the texts of a game, and a test of the checks of texts."""

from __future__ import annotations

import json
from collections.abc import Mapping

from rulespec.source import Source
from rulespec.text.describe.description import Description
from rulespec.text.describe.document import items
from rulespec.text.translation import Passage


def as_translation(description: Description, known: Mapping[str, Passage] | None = None) -> Source:
    """The source of a translation whose texts are the descriptions of the rules.

    Rules without propositions, and rulings, have the texts in `known`, else their title or question.
    """
    spec, known = description.spec, known or {}
    described = {rule.rule: items(rule.lines) for rule in description.rules() if rule.lines}
    lines = ["translation: 1", f"game: {spec.id}", f"lang: {description.lang}", f"title: {_quoted(spec.title)}"]
    lines += ["rules:"]
    for rule in spec.rules.values():
        title = known[rule.id].title if rule.id in known else rule.title or rule.id
        text = described.get(rule.id) or (known[rule.id].text.text if rule.id in known else f"{title}.")
        lines += [f"  {rule.id}:", f"    title: {_quoted(title)}", f"    text: {_quoted(text)}"]
    lines += ["rulings:"] if spec.rulings else []
    for ruling in spec.rulings.values():
        text = known[ruling.id].text.text if ruling.id in known else description.ruling(ruling.id, ruling.options[0])
        lines += [f"  {ruling.id}:", f"    text: {_quoted(text)}"]
    return Source(f"{description.lang}.yaml", "\n".join(lines) + "\n")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
