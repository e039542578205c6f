"""The rulebook for one number of players as PDF/UA: with bookmarks, page numbers and an index."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from rulespec.base.typeset.pdf import Manner
from rulespec.base.typeset.pdf import pdf as pdf_typeset
from rulespec.text.languages.registry import find
from rulespec.text.languages.writing import writing_of
from rulespec.text.output.render.blocks import marked
from rulespec.text.output.render.book import Rulebook, digits, labels

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode


def pdf(rulebook: Rulebook, ids: bool = False) -> bytes:
    """A rulebook as PDF/UA-1; `ids` shows the ids of rules. Needs the extra `pdf`.

    Raises `rulespec.base.typeset.TypesetError` if no installed font has some letter of it.
    """
    template = files(__package__).joinpath("templates/book.typ").read_bytes()
    lang, how = rulebook.lang, writing_of(rulebook.lang)
    words = _words(rulebook, ids)
    return pdf_typeset(template, words, Manner(lang, find(lang).aliases, how.script, how.direction))


def _words(rulebook: Rulebook, ids: bool) -> dict[str, Any]:
    """All words of a rulebook, as the template reads them."""
    return {
        "title": rulebook.translation.title,
        "pictures": _pictures(rulebook, ""),
        "version": rulebook.setting.spec.version,
        "labels": {key: asdict(label) for key, label in labels(rulebook).items()},
        "digits": digits(rulebook),
        "spaced": find(rulebook.lang).spaced,
        "rules": list(_rules(rulebook, ids)),
        "rulings": list(_rulings(rulebook, ids)),
        "index": [{"term": one.term, "title": one.section.title, "id": one.section.id} for one in rulebook.index],
        "since": rulebook.since.version,
        "changes": [asdict(section) for section in rulebook.since.changes],
    }


def _rules(rulebook: Rulebook, ids: bool) -> Iterator[dict[str, Any]]:
    since = rulebook.since
    for one in rulebook.sections:
        body, *examples = _trees(one.parts, since.blocks(one.id))
        marks = since.marks.get(one.id)
        yield {
            "id": one.id,
            "title": one.title,
            "shown": one.id * ids,
            "depth": min(one.depth, 4),
            "body": body,
            "examples": [
                {"body": example, "pictures": _pictures(rulebook, f"{one.id}-{number}")}
                for number, example in enumerate(examples)
            ],
            "pictures": _pictures(rulebook, one.id),
            "changed": marks is not None,
            "renamed": marks is not None and marks.title,
        }


def _pictures(rulebook: Rulebook, name: str) -> list[dict[str, Any]]:
    return [asdict(picture) for picture in rulebook.pictures.get(name, ())]


def _rulings(rulebook: Rulebook, ids: bool) -> Iterator[dict[str, Any]]:
    since = rulebook.since
    for id_, text in rulebook.rulings:
        (body,) = _trees((text,), since.blocks(f"ruling-{id_}"))
        yield {"id": id_, "shown": id_ * ids, "body": body, "changed": f"ruling-{id_}" in since.marks}


def _trees(parts: Sequence[str], changed: Collection[int] = ()) -> Iterator[list[dict[str, Any]]]:
    """Each text as the nodes that its Markdown makes."""
    from markdown_it.tree import SyntaxTreeNode

    for tokens in marked(parts, changed):
        yield [_node(one) for one in SyntaxTreeNode(tokens).children]


def _node(node: SyntaxTreeNode) -> dict[str, Any]:
    """A node with its kind in Markdown, its text if it has no parts, its parts, and whether it is marked."""
    text = "" if node.children else node.content
    parts = [_node(one) for one in node.children]
    start, changed = node.attrs.get("start", 1), "class" in node.attrs
    return {"kind": node.type, "text": text, "start": start, "parts": parts, "changed": changed}
