"""The rulebook for one number of players as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from types import MappingProxyType

from rulespec.model.constants import Setting
from rulespec.pages import templates
from rulespec.text.book import Book
from rulespec.text.languages import labels_of
from rulespec.text.render.book import Section, rulings, sections
from rulespec.text.render.index import index
from rulespec.text.translation import Translation


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


def html(
    translation: Translation,
    setting: Setting,
    book: Book | None = None,
    with_rulings: bool = False,
    ids: bool = False,
    examples: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> str:
    """The rulebook as a self-contained HTML page: the rules that are in the game in this setting, in the order of play.

    Every rule has its id as anchor; `ids` shows the ids. A `book` adds an index of its terms, `with_rulings` the texts
    of the rulings whose default option this setting uses, `examples` worked examples to the rules.
    """
    here = list(sections(translation, setting, examples))
    environment = templates("rulespec.text.render")
    return environment.get_template("page.html.j2").render(
        lang=translation.lang,
        title=translation.title,
        version=setting.spec.version,
        players=setting.players,
        labels=labels_of(translation.lang),
        ids=ids,
        rules=list(_rules(here)),
        rulings=list(_rulings(translation, setting)) if with_rulings else [],
        index=index(book, translation.lang, here) if book is not None else [],
    )


def _rules(here: list[Section]) -> Iterator[_Item]:
    from rulespec.text.render.prose import converter

    markdown = converter()
    for section, following in zip_longest(here, here[1:]):
        chapter = section.depth == 1 and following is not None and following.depth > 1
        body = markdown.render(section.text)
        examples = tuple(markdown.render(text) for text in section.examples)
        yield _Item(section.id, section.id, section.title, min(section.depth, 4), body, chapter, examples)


def _rulings(translation: Translation, setting: Setting) -> Iterator[_Item]:
    from rulespec.text.render.prose import converter

    markdown = converter()
    for id_, text in rulings(translation, setting):
        # Rule ids contain no hyphen, so the anchors are unique.
        yield _Item(id_, f"ruling-{id_}", "", 1, markdown.render(text))
