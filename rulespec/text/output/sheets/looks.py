"""How a game looks, from a file `looks: 1`: colours, symbols and pictures of members, where zones lie, how values are
drawn, the colours of players, and a template for cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from rulespec.base.diagnostics import Finding, Report, Span
from rulespec.base.source import Source
from rulespec.base.source import read as read_file
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Sequence, plain
from rulespec.language.formats.current import document
from rulespec.text.output.sheets import colours, pictures
from rulespec.text.output.sheets.icons import icons

KeyPath = tuple[str, ...]
"""The keys that lead to a place of a file; the items of a list are numbered from 0."""


@dataclass(frozen=True)
class Look:
    """How a member of an enum looks: a colour, a symbol or the path that draws it, and the file of a picture; each ""
    if it has none. Initials stand for its word only where that has no room."""

    colour: str = ""
    symbol: str = ""
    path: str = ""
    file: Path | None = None
    initials: str = ""

    @property
    def ink(self) -> str:
        """The colour of words on the colour: the one of black and white with more contrast; black if it has none."""
        return colours.ink(self.colour) if self.colour else "#000"

    @cached_property
    def picture(self) -> str:
        """The picture as an address with its content, "" if there is none that can be used."""
        return pictures.address(self.file) if self.file is not None else ""


PLAIN = Look()


@dataclass(frozen=True)
class Looks:
    """The looks of members by their names in a spec, such as `suit.hearts`; the `place` and the `shape` of zones, how
    values are drawn, the colours of players, and the template of cards.

    `keys` are the spans of the keys of the file, `contents` those of what stands at them.
    """

    game: str
    members: Mapping[str, Look]
    source: Source = field(repr=False)
    keys: Mapping[KeyPath, Span] = field(repr=False)
    contents: Mapping[KeyPath, Span] = field(repr=False)
    icons: Mapping[str, str] = field(default_factory=dict)
    zones: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    seats: tuple[str, ...] = ()
    card: Path | None = None

    @cached_property
    def template(self) -> str:
        """The template of cards, "" if there is none that can be read."""
        source, _ = read_file(self.card) if self.card is not None else (None, [])
        return source.text if source is not None else ""


def read(source: Source) -> tuple[Looks | None, list[Finding]]:
    """The looks in a source, or None with findings if they are not valid. Never raises for bad input."""
    root, found = document(source, "looks")
    if not isinstance(root, MapNode) or not Report.of(found).ok:
        return None, found
    return _looks(plain(root), source, root), found


def _looks(data: Mapping[str, Any], source: Source, root: Node) -> Looks:
    folder, nodes = Path(source.path).parent, [*_nodes(root)]
    members = {f"{enum}.{one}": look for enum, looks in data.get("members", {}).items() for one, look in looks.items()}
    return Looks(
        data["game"],
        {name: _look(look, folder) for name, look in members.items()},
        source,
        {path: key.span for path, key, _ in nodes},
        {path: node.span for path, _, node in nodes},
        {name: look["icon"] for name, look in members.items() if "icon" in look},
        data.get("zones", {}),
        {name: value["draw"] for name, value in data.get("values", {}).items()},
        tuple(data.get("seats", ())),
        folder / data["card"] if "card" in data else None,
    )


def _nodes(node: Node, above: KeyPath = ()) -> Iterator[tuple[KeyPath, Node, Node]]:
    """Every path of a document with its key and its content; an item of a list is its own key."""
    for name, key, below in _entries(node):
        yield (*above, name), key, below
        yield from _nodes(below, (*above, name))


def _entries(node: Node) -> Iterable[tuple[str, Node, Node]]:
    if isinstance(node, Sequence):
        return [(str(at), item, item) for at, item in enumerate(node.items)]
    return [(key.text, key, below) for key, below in node.entries] if isinstance(node, MapNode) else ()


def _look(data: Mapping[str, str], folder: Path) -> Look:
    file = folder / data["picture"] if "picture" in data else None
    path = data.get("path", "") or icons().get(data.get("icon", ""), "")
    return Look(data.get("colour", ""), data.get("symbol", ""), path, file)
