"""The rulebook for one number of players as PDF/UA: with bookmarks, page numbers and an index."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import asdict
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from rulespec import typeset
from rulespec.text.languages import find, labels_of
from rulespec.text.render.book import Rulebook

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode


def pdf(rulebook: Rulebook, ids: bool = False) -> bytes:
    """A rulebook as PDF/UA-1; `ids` shows the ids of rules. Needs the extra `pdf`.

    Raises `rulespec.typeset.TypesetError` if no installed font has some letter of it.
    """
    template = files(__package__).joinpath("templates/book.typ").read_bytes()
    return typeset.pdf(template, _words(rulebook, ids), rulebook.lang, find(rulebook.lang).aliases)


def _words(rulebook: Rulebook, ids: bool) -> dict[str, Any]:
    """All words of a rulebook, as the template reads them."""
    labels = labels_of(rulebook.lang)
    return {
        "title": rulebook.translation.title,
        "players": labels["players"].format(n=rulebook.setting.players),
        "version": rulebook.setting.spec.version,
        "labels": dict(labels),
        "spaced": find(rulebook.lang).spaced,
        "rules": list(_rules(rulebook, ids)),
        "rulings": list(_rulings(rulebook, ids)),
        "index": [{"term": one.term, "title": one.section.title, "id": one.section.id} for one in rulebook.index],
        "since": rulebook.since.version,
        "changes": [asdict(section) for section in rulebook.since.changes],
    }


def _rules(rulebook: Rulebook, ids: bool) -> Iterator[dict[str, Any]]:
    changed = rulebook.since.blocks
    for one in rulebook.sections:
        yield {
            "id": one.id,
            "title": one.title,
            "shown": one.id * ids,
            "depth": min(one.depth, 4),
            "body": _tree(one.text, changed.get(one.id, ())),
            "examples": [_tree(text) for text in one.examples],
            "changed": one.id in changed,
        }


def _rulings(rulebook: Rulebook, ids: bool) -> Iterator[dict[str, Any]]:
    for id_, text in rulebook.rulings:
        changed = rulebook.since.blocks.get(f"ruling-{id_}", ())
        yield {"id": id_, "shown": id_ * ids, "body": _tree(text, changed), "changed": bool(changed)}


def _tree(text: str, changed: Collection[int] = ()) -> list[dict[str, Any]]:
    """A text as the nodes that its Markdown makes."""
    from markdown_it.tree import SyntaxTreeNode

    from rulespec.text.render.blocks import marked

    return [_node(one) for one in SyntaxTreeNode(marked(text, changed)).children]


def _node(node: SyntaxTreeNode) -> dict[str, Any]:
    """A node with its kind in Markdown, its text if it has no parts, its parts, and whether it is marked."""
    text = "" if node.children else node.content
    parts = [_node(one) for one in node.children]
    start, changed = node.attrs.get("start", 1), "class" in node.attrs and node.type != "fence"
    return {"kind": node.type, "text": text, "start": start, "parts": parts, "changed": changed}
