"""The rulebook for one number of players as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.base.characters import visible
from rulespec.base.pages.sheet import sections_as_markdown
from rulespec.text.languages.registry import find, labels_of
from rulespec.text.output.render.blocks import in_one_line
from rulespec.text.output.render.book import Rulebook
from rulespec.text.output.render.index import RuleSection


def markdown(rulebook: Rulebook, ids: bool = False) -> str:
    """A rulebook as Markdown; `ids` adds the id of each rule to its heading."""
    labels = labels_of(rulebook.lang)
    parts = [f"# {rulebook.translation.title}", labels["players"].format(n=rulebook.players)]
    parts += (part for section in rulebook.sections for part in _section(section, ids, labels["example"]))
    parts += _under(labels["rulings"], [text.strip() for _, text in rulebook.rulings])
    parts += _changes(rulebook, labels["changes"])
    colon = ": " if find(rulebook.lang).spaced else "："
    entries = "\n".join(f"- {entry.term}{colon}{entry.section.title}" for entry in rulebook.index)
    parts += _under(labels["index"], [entries])
    return visible("\n\n".join(parts)) + "\n"


def _section(section: RuleSection, ids: bool, label: str) -> Iterator[str]:
    yield f"{'#' * min(4, 1 + section.depth)} {section.title}" + f" `{section.id}`" * ids
    yield section.text.strip()
    # In one line: a raw text is read line by line, and what follows an example is no example.
    yield from (f"**{label}** {in_one_line(text)}" for text in section.examples)


def _changes(rulebook: Rulebook, heading: str) -> Iterator[str]:
    since = rulebook.since
    if since.version:
        yield f"## {heading.format(version=since.version)}"
        yield from sections_as_markdown(since.changes)


def _under(heading: str, parts: list[str]) -> list[str]:
    """Parts under a heading; none if they are empty."""
    written = [part for part in parts if part]
    return [f"## {heading}", *written] if written else []
