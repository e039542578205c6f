"""Reads XML into a tree with line numbers, and escapes text without losing characters."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from rulespec.diagnostics import Finding, Span, finding
from rulespec.messages import say
from rulespec.source import Source

# XLIFF files have about 6 levels.
MAX_DEPTH = 100

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _Refused(Exception):
    """Stops reading. Carries the finding."""

    def __init__(self, found: Finding) -> None:
        self.finding = found


class _Reader:
    """Builds the tree with expat, and stops at a document type before any entity is declared."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.places: dict[Element, Span] = {}
        self._depth = 0
        self._tree: Any = TreeBuilder()
        # The text is already decoded, so the encoding in the XML declaration is ignored.
        self._expat = expat.ParserCreate("utf-8", "}")
        self._expat.buffer_text = True
        self._expat.StartDoctypeDeclHandler = self._document_type
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._tree.data

    def read(self) -> Element:
        self._expat.Parse(self.source.text.encode("utf-8", "surrogatepass"), True)
        root: Element = self._tree.close()
        return root

    def _document_type(self, *_: Any) -> None:
        hint = say("Delete the line that begins with <!DOCTYPE.")
        message = say("The file declares a document type, which XLIFF does not need and which can be dangerous.")
        raise _Refused(finding("exchange-dtd", message, self.source, self._here(), hint))

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            message = say("Elements are nested more than {max_depth} levels deep here.", max_depth=MAX_DEPTH)
            raise _Refused(
                finding("exchange-broken", message, self.source, self._here(), say("Export the text again."))
            )
        element = self._tree.start(_clark(tag), {_clark(name): value for name, value in attributes.items()})
        self.places[element] = self._here()

    def _end(self, tag: str) -> None:
        self._depth -= 1
        self._tree.end(_clark(tag))

    def _here(self) -> Span:
        return line_span(self.source, self._expat.CurrentLineNumber)


def _clark(name: str) -> str:
    return "{" + name if "}" in name else name


def line_span(source: Source, number: int) -> Span:
    """The span of a line without leading and trailing blanks. Numbers outside the file are clamped."""
    number = max(1, min(number, source.line_count))
    start, line = source.line_start(number), source.line(number)
    return Span(start + len(line) - len(line.lstrip()), start + len(line.rstrip()))


def read(source: Source) -> tuple[Element | None, dict[Element, Span], list[Finding]]:
    """The root of an XML text and the span of every element; None and findings if it is not valid."""
    reader = _Reader(source)
    try:
        return reader.read(), reader.places, []
    except _Refused as refused:
        return None, {}, [refused.finding]
    except expat.ExpatError as error:
        message = say("The file is not XML: {code} here.", code=expat.ErrorString(error.code))
        place = line_span(source, error.lineno)
        return None, {}, [finding("exchange-broken", message, source, place, say("Export the text again."))]


def attribute(text: str) -> str:
    """An attribute value with quotes."""
    return quoteattr(_NO_XML.sub("\ufffd", text))


def words(text: str) -> str:
    """Escaped text without elements: characters that XML does not allow become U+FFFD."""
    return escape(_NO_XML.sub("\ufffd", text), {"\r": "&#13;"})


def lossless(text: str, element: Callable[[int, str], str]) -> str:
    """Escaped text in which characters that XML does not allow become elements.

    `element` makes one from its number in the text and the hexadecimal number of the character.
    """
    pieces = _NO_XML.split(text)
    between = [element(index, f"{ord(sign):04X}") for index, sign in enumerate(_NO_XML.findall(text), 1)]
    # XML parsers read a bare carriage return as a line feed.
    return "".join(escape(a, {"\r": "&#13;"}) + b for a, b in zip(pieces, [*between, ""], strict=True))
