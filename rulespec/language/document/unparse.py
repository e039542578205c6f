"""Writes a tree of nodes as YAML again, with a source map. The nodes may come from several files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from rulespec.base.diagnostics import Span
from rulespec.base.source import MappedSource, Piece, Source
from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence

_INDENT = 2
_WORD = re.compile(r"[A-Za-z0-9_.]+")
_BLOCK_HEAD = re.compile(r"(?P<head>[|>][+-]?)[ \t]*(?:#.*)?")


def unparse(root: Node, files: tuple[Source, ...], variant: str = "", kept: Iterable[Node] = ()) -> MappedSource:
    """The YAML text of a tree in block layout, without comments. Its path is that of the first file.

    Lists and mappings in brackets are copied with their layout if they are nodes of `kept`, the trees of the files.
    """
    # By identity: nodes are equal whatever file they are of, and only those of a file have a text to copy.
    writer = _Writer(frozenset(id(node) for tree in kept for node in _flow(tree)))
    writer.node(root, 0)
    writer.put("\n")
    return MappedSource(files[0].path, "".join(writer.parts), files, variant, tuple(writer.pieces), writer.spans)


def _flow(node: Node) -> Iterator[Node]:
    """The outermost lists and mappings in brackets, and those in block layout around them."""
    if isinstance(node, Scalar):
        return
    if node.source.text[node.span.start] in "{[":
        yield node
        return
    for child in node.items if isinstance(node, Sequence) else (value for _, value in node.entries):
        yield from _flow(child)


class _Writer:
    """Collects the parts of the text, and for each the place it comes from. `copied` are nodes by identity."""

    def __init__(self, copied: frozenset[int]) -> None:
        self.copied = copied
        self.parts: list[str] = []
        self.pieces: list[Piece] = []
        self.spans: dict[Span, tuple[Source, Span]] = {}
        self.length = 0

    def put(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def node(self, node: Node, indent: int) -> None:
        """Writes a node. The text so far ends where its first character belongs."""
        start = self.length
        if isinstance(node, Scalar):
            self.scalar(node, indent)
        elif id(node) in self.copied:
            self._lines(node.source, node.span, indent)
        elif isinstance(node, Mapping):
            if not node.entries:
                self.put("{}")
            for number, (key, value) in enumerate(node.entries):
                self._line(number, indent)
                self.node(key, indent)
                self.put(":")
                if isinstance(value, Scalar) or not _children(value) or id(value) in self.copied:
                    self.put(" " * bool(not isinstance(value, Scalar) or value.text or value.style))
                    self.node(value, indent + _INDENT)
                else:
                    self._line(1, indent + _INDENT)
                    self.node(value, indent + _INDENT)
        else:
            if not node.items:
                self.put("[]")
            for at, item in enumerate(node.items):
                self._line(at, indent)
                self.put("- ")
                self.node(item, indent + _INDENT)
        self.spans.setdefault(Span(start, self.length), (node.source, node.span))

    def _line(self, number: int, indent: int) -> None:
        if number:
            self.put(f"\n{' ' * indent}")

    def scalar(self, node: Scalar, indent: int) -> None:
        """Writes a scalar as it stands in its file, with its lines at another indentation."""
        written = node.source.text[node.span.start : node.span.end]
        if not node.style and "\n" not in written and written != node.text:
            # A value that is in no file, at the place that it is about.
            written = node.text if _WORD.fullmatch(node.text) else json.dumps(node.text, ensure_ascii=False)
            self._piece(node.source, node.span.start, written)
        elif node.style in ("|", ">"):
            self._block(node, indent)
        else:
            self._lines(node.source, node.span, indent)

    def _lines(self, source: Source, span: Span, indent: int) -> None:
        """Copies lines at another indentation, which means nothing inside a scalar and inside brackets."""
        first, *rest = re.split(r"(?<=\n)|(?<=\r)(?!\n)", source.text[span.start : span.end])
        self._piece(source, span.start, first.rstrip("\r\n"))
        at = span.start + len(first)
        for line in rest:
            bare = line.strip(" \t\r\n") if line is not rest[-1] else line.lstrip(" \t")
            self.put(f"\n{' ' * (indent if bare else 0)}")
            self._piece(source, at + len(line) - len(line.lstrip(" \t")), bare)
            at += len(line)

    def _block(self, node: Scalar, indent: int) -> None:
        first, *lines = node.source.text[node.span.start : node.span.end].splitlines(keepends=True)
        head = _BLOCK_HEAD.fullmatch(first.rstrip("\r\n"))
        if head is None or "+" in head["head"]:  # an explicit indentation, or blank lines after the end
            self._piece(node.source, node.span.start, json.dumps(node.text, ensure_ascii=False))
            return
        self._piece(node.source, node.span.start, head["head"])
        margin = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
        at = node.span.start + len(first)
        for line in lines:
            bare = line.rstrip("\r\n")[margin:]
            self.put(f"\n{' ' * (indent if bare else 0)}")
            self._piece(node.source, at + min(margin, len(line)), bare)
            at += len(line)

    def _piece(self, source: Source, origin: int, text: str) -> None:
        self.pieces.append(Piece(self.length, self.length + len(text), source, origin))
        self.put(text)


def _children(node: Mapping | Sequence) -> bool:
    return bool(node.entries if isinstance(node, Mapping) else node.items)
