"""Reads XML into a tree with line numbers, escapes text without losing characters, and describes a version of XLIFF."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import Message, say
from rulespec.base.source import Source
from rulespec.text.glossary import xml_tree

# XLIFF files have about 6 levels.
MAX_DEPTH = 100

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def line_at(source: Source, offset: int) -> Span:
    """The span of the line of an offset, without leading and trailing blanks."""
    number = source.position(offset).line
    start, line = source.line_start(number), source.line(number)
    return Span(start + len(line) - len(line.lstrip()), start + len(line.rstrip()))


def read(source: Source) -> tuple[Element | None, dict[Element, Span], list[Finding]]:
    """The root of an XML text and the span of every element; None and findings if it is not valid."""
    try:
        root, places = xml_tree.read(source, MAX_DEPTH)
    except xml_tree.XmlError as error:
        return None, {}, [_refused(source, error)]
    return root, {element: line_at(source, offset) for element, offset in places.items()}, []


def _refused(source: Source, error: xml_tree.XmlError) -> Finding:
    place, hint = line_at(source, error.offset), say("Export the text again.")
    if error.kind == "doctype":
        message = say("The file declares a document type, which XLIFF does not need and which can be dangerous.")
        return finding("exchange-dtd", message, source, place, say("Delete the line that begins with <!DOCTYPE."))
    if error.kind == "depth":
        message = say("Elements are nested more than {max_depth} levels deep here.", max_depth=MAX_DEPTH)
    else:
        message = say("The file is not XML: {code} here.", code=error.detail)
    return finding("exchange-broken", message, source, place, hint)


def attribute(text: str) -> str:
    """An attribute value with quotes."""
    return quoteattr(_NO_XML.sub("\ufffd", text))


def words(text: str) -> str:
    """Escaped text without elements: characters that XML does not allow become U+FFFD."""
    return _escaped(_NO_XML.sub("\ufffd", text))


def _escaped(text: str) -> str:
    # XML parsers read a bare carriage return as a line feed.
    return escape(text, {"\r": "&#13;"})


def lossless(text: str, element: Callable[[int, str], str]) -> str:
    """Escaped text in which characters that XML does not allow become elements.

    `element` makes one from its number in the text and the hexadecimal number of the character.
    """
    pieces = _NO_XML.split(text)
    between = [element(index, f"{ord(sign):04X}") for index, sign in enumerate(_NO_XML.findall(text), 1)]
    return "".join(_escaped(a) + b for a, b in zip(pieces, [*between, ""], strict=True))


class Problem(NamedTuple):
    """Why a unit cannot be imported: the name of the finding, its message and its hint."""

    name: str
    message: Message
    hint: Message


INLINE_CODE = Problem(
    "exchange-inline-code",
    say("The text has an inline code, which Markdown cannot represent."),
    say("Write Markdown instead, such as ** for bold."),
)


@dataclass(frozen=True)
class Version:
    """The elements of one version: functions of `<file>`, of the root and `<file>`, and of a unit.

    `text` is None for an untranslated unit. `status` is that of a translated one, "" if it has one of MARKS.
    """

    namespace: str
    unit: str
    game: Callable[[Element], str]
    language: Callable[[Element, Element], str]
    id: Callable[[Element], str]
    problem: Callable[[Element], Problem | None]
    source: Callable[[Element], str]
    text: Callable[[Element], str | None]
    status: Callable[[Element], str]
    hint: Message
    """Which attributes say which game and language a file is for."""


def character(code: str) -> str | None:
    """The character with a hexadecimal number; None if there is none."""
    # Digits alone: `int` also takes signs, blanks and underscores.
    number = int(code, 16) if 0 < len(code) <= 8 and set(code) <= set("0123456789abcdefABCDEF") else -1
    return chr(number) if 0 <= number < 0xD800 or 0xDFFF < number < 0x110000 else None
