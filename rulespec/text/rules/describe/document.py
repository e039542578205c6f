"""Descriptions as Markdown, plain text and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulespec.base.characters import visible
from rulespec.language.model.phrase import Phrase, Proposition
from rulespec.text.rules.describe.description import Described, Description
from rulespec.text.rules.describe.lines import Line


def markdown(description: Description, rules: Iterable[Described], whole: bool = True) -> str:
    """Rules as Markdown: a heading for each, with its id. A whole game has its title, aim and rulings as well."""
    parts = [f"# {description.game or description.spec.title}", *description.aim()] if whole else []
    for rule in rules:
        heading = f"## {rule.title} (`{rule.rule}`)" if rule.rule else f"## {rule.title}"
        parts += [heading, *paragraphs(description, rule)]
    rulings = list(_rulings(description)) if whole else []
    parts += [f"## {description.say.grammar.labels['rulings']}", "\n".join(rulings)] if rulings else []
    return visible("\n\n".join(parts)) + "\n"


def plain(description: Description, rules: Iterable[Described], whole: bool = True) -> str:
    """Rules as plain text: the id and the title, then the sentences. A whole game begins with its aim."""
    blocks = [*description.aim()] if whole else []
    for rule in rules:
        head = f"{rule.rule}: {rule.title}" if rule.rule else rule.title
        blocks.append("\n".join([head, *(f"  {line}" for line in body(description, rule))]))
    return visible("\n\n".join(blocks)) + "\n"


def body(description: Description, rule: Described) -> list[str]:
    """The lines of a rule and its definitions, indented by depth."""
    found = items(rule.lines).split("\n")
    if rule.definitions:
        found += [description.say.grammar.labels["definitions"], *items(rule.definitions).split("\n")]
    return found


def paragraphs(description: Description, rule: Described) -> Iterator[str]:
    """A rule and its definitions as paragraphs and lists in Markdown."""
    yield items(rule.lines)
    if rule.definitions:
        yield description.say.grammar.labels["definitions"]
        yield items(rule.definitions)


def items(lines: Iterable[Line]) -> str:
    """Lines as a nested list in Markdown."""
    return "\n".join(f"{'  ' * line.depth}- {line.text}" for line in lines)


def as_json(rules: Iterable[Described]) -> list[dict[str, Any]]:
    """Rules as JSON: their sentences, and their propositions as trees."""
    return [
        {
            "rule": rule.rule,
            "title": rule.title,
            "sentences": [{"text": line.text, "depth": line.depth} for line in rule.lines],
            "definitions": [{"text": line.text, "depth": line.depth} for line in rule.definitions],
            "propositions": [_proposition(one) for one in rule.stated],
        }
        for rule in rules
    ]


def _rulings(description: Description) -> Iterator[str]:
    for ruling in description.spec.rulings.values():
        yield f"- {description.ruling(ruling.id, ruling.options[0])}"


def _proposition(one: Proposition) -> dict[str, Any]:
    found: dict[str, Any] = {"act": _tree(one.act)}
    if one.conditions:
        found["if"] = [_tree(phrase) for phrase in one.conditions]
    if one.within:
        found["within"] = [_tree(phrase) for phrase in one.within]
    if one.ruling is not None:
        found["ruling"] = {one.ruling[0]: one.ruling[1]}
    return found


def _tree(phrase: Phrase) -> dict[str, Any]:
    """A phrase as JSON: its constructor with what it names, counts and consists of."""
    found: dict[str, Any] = {"is": phrase.constructor}
    if phrase.name:
        found["name"] = phrase.name
    if phrase.kind:
        found["kind"] = phrase.kind
    if phrase.amount:
        known = phrase.number
        found["amount"] = known if known is not None else {str(count): value for count, value in phrase.amount}
    if phrase.parts:
        found["parts"] = [_tree(part) for part in phrase.parts]
    return found
