"""The rulebook for one number of players as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from rulespec.base.fonts import fonts_for
from rulespec.base.pages import templates
from rulespec.text.languages.writing import writing_of
from rulespec.text.output.render.blocks import marked, rendered
from rulespec.text.output.render.book import DIGITS, Picture, Rulebook, digits, labels


@dataclass(frozen=True)
class Item:
    """A rule or ruling on the page. A chapter is a rule of depth 1 that holds others. `body`, `examples` are HTML;
    `beside` are the pictures of each example."""

    id: str
    anchor: str
    title: str
    depth: int
    body: str
    chapter: bool = False
    examples: tuple[str, ...] = ()
    changed: bool = False
    renamed: bool = False
    pictures: tuple[Picture, ...] = ()
    beside: tuple[tuple[Picture, ...], ...] = ()


def html(rulebook: Rulebook, ids: bool = False) -> str:
    """A rulebook as a self-contained HTML page. Every rule has its id as anchor; `ids` shows the ids."""
    template = templates("rulespec.text.output.render").get_template("page.html.j2")
    return template.render(content(rulebook, ids))


def content(rulebook: Rulebook, ids: bool) -> dict[str, Any]:
    """What the template of the page shows."""
    writing, ten = writing_of(rulebook.lang), digits(rulebook)
    return {
        "lang": rulebook.lang,
        "writing": writing,
        "fonts": fonts_for(writing.script),
        "digits": "" if ten == DIGITS else ten,
        "title": rulebook.translation.title,
        "pictures": rulebook.pictures.get("", ()),
        "version": rulebook.setting.spec.version,
        "labels": labels(rulebook),
        "ids": ids,
        "rules": list(_rules(rulebook)),
        "rulings": list(_rulings(rulebook)),
        "index": rulebook.index,
        "since": rulebook.since,
        "links": _links(rulebook),
    }


def _rules(rulebook: Rulebook) -> Iterator[Item]:
    here, since = rulebook.sections, rulebook.since
    for section, following in zip_longest(here, here[1:]):
        chapter = section.depth == 1 and following is not None and following.depth > 1
        body, *examples = map(rendered, marked(section.parts, since.blocks(section.id)))
        depth, marks = min(section.depth, 4), since.marks.get(section.id)
        renamed = marks is not None and marks.title
        item = Item(section.id, section.id, section.title, depth, body, chapter, tuple(examples))
        shown = [rulebook.pictures.get(f"{section.id}-{number}", ()) for number, _ in enumerate(examples)]
        pictures = rulebook.pictures.get(section.id, ())
        yield replace(item, changed=marks is not None, renamed=renamed, pictures=pictures, beside=tuple(shown))


def _rulings(rulebook: Rulebook) -> Iterator[Item]:
    since = rulebook.since
    for id_, text in rulebook.rulings:
        anchor = f"ruling-{id_}"  # rule ids contain no hyphen, so the anchors are unique
        (body,) = map(rendered, marked((text,), since.blocks(anchor)))
        yield Item(id_, anchor, "", 1, body, changed=anchor in since.marks)


def _links(rulebook: Rulebook) -> dict[str, str]:
    """The anchors of the rules and rulings on the page by their ids, which the list of changes links to."""
    return {id_: f"ruling-{id_}" for id_, _ in rulebook.rulings} | {one.id: one.id for one in rulebook.sections}
