"""The rulebook for one number of players as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from rulespec.characters import visible
from rulespec.model.constants import Setting
from rulespec.text.book import Book
from rulespec.text.languages import labels_of
from rulespec.text.render.book import Section, rulings, sections
from rulespec.text.render.index import index
from rulespec.text.translation import Translation


def markdown(
    translation: Translation,
    setting: Setting,
    book: Book | None = None,
    with_rulings: bool = False,
    ids: bool = False,
    examples: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> str:
    """The rulebook as Markdown: the rules that are in the game in this setting, in the order of play.

    A `book` adds an index of its terms, `with_rulings` the texts of the rulings whose default option this setting uses,
    `ids` the id of each rule to its heading, `examples` worked examples to the rules.
    """
    here = list(sections(translation, setting, examples))
    label = labels_of(translation.lang)["example"]
    parts = [*_head(translation, setting), *(part for section in here for part in _section(section, ids, label))]
    if with_rulings:
        parts += _under("rulings", translation, (text.strip() for _, text in rulings(translation, setting)))
    if book is not None:
        entries = (f"- {entry.term}: {entry.section.title}" for entry in index(book, translation.lang, here))
        parts += _under("index", translation, ["\n".join(entries)])
    return visible("\n\n".join(parts)) + "\n"


def _head(translation: Translation, setting: Setting) -> Iterator[str]:
    yield f"# {translation.title}"
    yield labels_of(translation.lang)["players"].format(n=setting.players)


def _section(section: Section, ids: bool, label: str) -> Iterator[str]:
    yield f"{'#' * min(4, 1 + section.depth)} {section.title}" + f" `{section.id}`" * ids
    yield section.text.strip()
    # In one line: a raw text is read line by line, and what follows an example is no example.
    yield from (f"**{label}** {' '.join(text.split())}" for text in section.examples)


def _under(label: str, translation: Translation, parts: Iterable[str]) -> list[str]:
    """Parts under a heading; none if they are empty."""
    written = [part for part in parts if part]
    return [f"## {labels_of(translation.lang)[label]}", *written] if written else []
