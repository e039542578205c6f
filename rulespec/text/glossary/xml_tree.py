"""Reads XML of unknown origin into a tree whose elements know their place. No entity is ever expanded."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from rulespec.base.source import Source


class XmlError(Exception):
    """Why a text cannot be read, at an offset.

    `kind` is `syntax`, `depth`, `doctype` or `entity`; `detail` the words of the parser, or the name of the entity.
    """

    def __init__(self, kind: str, offset: int, detail: str = "") -> None:
        super().__init__(kind)
        self.kind, self.offset, self.detail = kind, offset, detail


def read(source: Source, most_depth: int, doctype: str = "") -> tuple[Element, dict[Element, int]]:
    """The root of an XML text, and the offset of every element; names are in Clark notation. Raises XmlError.

    A text may name the document type `doctype`, which is not loaded, and declare none.
    """
    reader = _Reader(source, most_depth, doctype)
    return reader.read(), reader.places


class _Reader:
    def __init__(self, source: Source, most_depth: int, doctype: str) -> None:
        # The text is already decoded, so the encoding in the XML declaration is ignored.
        self._bytes = source.text.encode("utf-8", "surrogatepass")
        self._most_depth, self._doctype = most_depth, doctype
        self._seen = (0, 0)  # the same offset in bytes and in code points
        self._depth = 0
        self.places: dict[Element, int] = {}
        self._tree: Any = TreeBuilder()
        # The sign between namespace and name, so that `{` in front makes Clark notation of both.
        self._expat = expat.ParserCreate("utf-8", "}")
        self._expat.buffer_text = True
        self._expat.StartDoctypeDeclHandler = self._document_type
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._tree.data
        self._expat.SkippedEntityHandler = self._entity

    def read(self) -> Element:
        try:
            self._expat.Parse(self._bytes, True)
        except expat.ExpatError as error:
            offset = self._offset(self._expat.ErrorByteIndex)
            raise XmlError("syntax", offset, expat.ErrorString(error.code)) from None
        root: Element = self._tree.close()
        return root

    def _document_type(self, name: str, _system: str | None, _public: str | None, declares: int) -> None:
        if declares or name != self._doctype:
            raise XmlError("doctype", self._here())

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > self._most_depth:
            raise XmlError("depth", self._here())
        element = self._tree.start(_clark(tag), {_clark(name): value for name, value in attributes.items()})
        self.places[element] = self._here()

    def _end(self, tag: str) -> None:
        self._depth -= 1
        self._tree.end(_clark(tag))

    def _entity(self, name: str, *_: Any) -> None:
        raise XmlError("entity", self._here(), name)

    def _here(self) -> int:
        return self._offset(self._expat.CurrentByteIndex)

    def _offset(self, byte: int) -> int:
        # Elements come in order, so only the text since the last one is decoded: from the start it would be quadratic.
        seen, offset = self._seen if byte >= self._seen[0] else (0, 0)
        offset += len(self._bytes[seen:byte].decode("utf-8", "ignore"))
        self._seen = (byte, offset)
        return offset


def _clark(name: str) -> str:
    return "{" + name if "}" in name else name
