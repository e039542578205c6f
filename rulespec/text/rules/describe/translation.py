"""A translation made of descriptions: a draft of the texts of a game, and a test of the checks of texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from rulespec.base.source import Source
from rulespec.language.formats.table import FORMATS
from rulespec.text.reading.translation import Passage
from rulespec.text.rules.book import Book
from rulespec.text.rules.describe.description import Described, Description
from rulespec.text.rules.describe.document import items
from rulespec.text.rules.describe.facts import unstated


def as_translation(description: Description, known: Mapping[str, Passage] | None = None) -> Source:
    """The source of a translation whose texts are the descriptions of the rules, with the facts that they do not state.

    Rules without propositions, and rulings, have the texts in `known`. Without one, a rule has the facts that `states:`
    requires, and a ruling its chosen option.
    """
    spec, known = description.spec, known or {}
    described = {rule.rule: rule for rule in description.rules() if rule.stated}
    lines = [
        FORMATS["translation"].first_line,
        f"game: {spec.id}",
        f"lang: {description.lang}",
        f"title: {_quoted(spec.title)}",
    ]
    lines += ["rules:"]
    for rule in spec.rules.values():
        passage = known.get(rule.id)
        text = _draft(description, described.get(rule.id), rule.id, passage)
        title = passage.title if passage is not None else rule.title or rule.id
        lines += [f"  {rule.id}:", f"    title: {_quoted(title)}", f"    text: {_quoted(text)}"]
    lines += ["rulings:"] if spec.rulings else []
    for ruling in spec.rulings.values():
        text = known[ruling.id].text.text if ruling.id in known else f"`{ruling.id} = {ruling.options[0]}`"
        lines += [f"  {ruling.id}:", f"    text: {_quoted(text)}"]
    return Source(f"{description.lang}.yaml", "\n".join(lines) + "\n")


def _draft(description: Description, described: Described | None, rule: str, passage: Passage | None) -> str:
    if described is None and passage is not None:
        return passage.text.text
    lines = [] if described is None else [items((*described.own, *described.definitions))]
    lines += [f"- {sentence}" for sentence in _facts(description, rule, "\n".join(lines))]
    return "\n".join(lines) or description.say.names.title(rule)


def _facts(description: Description, rule: str, text: str) -> Iterator[str]:
    if description.glossary is not None:
        yield from unstated(text, rule, description.say, Book(description.spec, description.glossary))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
