"""The rulebook for one number of players as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from rulespec.pages import templates
from rulespec.text.languages import labels_of
from rulespec.text.render.book import Rulebook
from rulespec.text.render.sections import Section


@dataclass(frozen=True)
class _Item:
    """A rule or ruling on the page. A chapter is a rule of depth 1 that holds others. `body`, `examples` are HTML."""

    id: str
    anchor: str
    title: str
    depth: int
    body: str
    chapter: bool = False
    examples: tuple[str, ...] = ()


def html(rulebook: Rulebook, ids: bool = False) -> str:
    """A rulebook as a self-contained HTML page. Every rule has its id as anchor; `ids` shows the ids."""
    return (
        templates("rulespec.text.render")
        .get_template("page.html.j2")
        .render(
            lang=rulebook.lang,
            title=rulebook.translation.title,
            version=rulebook.setting.spec.version,
            players=rulebook.setting.players,
            labels=labels_of(rulebook.lang),
            ids=ids,
            rules=list(_rules(rulebook.sections)),
            rulings=list(_rulings(rulebook)),
            index=rulebook.index,
        )
    )


def _rules(here: list[Section]) -> Iterator[_Item]:
    from rulespec.text.render.prose import converter

    markdown = converter()
    for section, following in zip_longest(here, here[1:]):
        chapter = section.depth == 1 and following is not None and following.depth > 1
        body = markdown.render(section.text)
        examples = tuple(markdown.render(text) for text in section.examples)
        yield _Item(section.id, section.id, section.title, min(section.depth, 4), body, chapter, examples)


def _rulings(rulebook: Rulebook) -> Iterator[_Item]:
    from rulespec.text.render.prose import converter

    markdown = converter()
    for id_, text in rulebook.rulings:
        # Rule ids contain no hyphen, so the anchors are unique.
        yield _Item(id_, f"ruling-{id_}", "", 1, markdown.render(text))
