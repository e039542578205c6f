"""The parts of a workbook, which is a ZIP archive of XML files."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from xml.etree import ElementTree
from xml.parsers import expat

from rulespec.base.messages import Message, say
from rulespec.base.spreadsheet.sheet import SheetError

MOST_UNPACKED = 32 * 1024 * 1024
"""Bytes of a part when unpacked: ten times as many as 10,000 rows of ten cells."""
MOST_TAGS = 1_000_000
"""Tags of a part, by its signs `<`: a cell with a value has four. Bytes do not bound the time and the memory that they
take to read: an empty row has ten of them."""

_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, ElementTree.ParseError, expat.ExpatError, EOFError, LookupError, ValueError),
    *(RuntimeError, NotImplementedError, OSError, TypeError, AttributeError, OverflowError),
)
"""What the standard library raises for a damaged archive or part, and what follows from a part that is missing."""


class Archive:
    """The parts of a workbook by path."""

    def __init__(self, data: bytes) -> None:
        self._zip = zipfile.ZipFile(io.BytesIO(data))
        self.names = frozenset(self._zip.namelist())

    def part(self, name: str) -> bytes:
        """The content of a part. Raises SheetError for one that is too large, and KeyError for one that is missing."""
        if self._zip.getinfo(name).file_size > MOST_UNPACKED:
            raise _too_large(
                say("The file is larger than {most} MiB when it is unpacked.", most=MOST_UNPACKED // 2**20)
            )
        # No more than the stated size is unpacked: a stream that goes on fails its checksum.
        return self._zip.read(name)

    def xml(self, name: str) -> bytes:
        """The content of a part in XML. Raises SheetError for one with too many tags, and ValueError for one with a
        document type, which a workbook never has."""
        content = self.part(name)
        if (number := content.count(b"<")) > MOST_TAGS:
            values = {"part": name, "number": number, "most": MOST_TAGS}
            raise _too_large(say("Its part {part} has {number:,} tags, and at most {most:,} are read.", **values))
        if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
            raise ValueError("a part of a workbook has a document type")
        return content

    def tree(self, name: str) -> ElementTree.Element:
        """The XML of a part."""
        return ElementTree.fromstring(self.xml(name))


def _too_large(message: Message) -> SheetError:
    return SheetError(message, say("Copy the card list into a new file."), "file-too-large")


@contextmanager
def damage_reported() -> Iterator[None]:
    """Raises SheetError in place of what a damaged file raises."""
    try:
        yield
    except _BROKEN:
        hint = say("Open it in a spreadsheet program and save it again, or bring it back from version control.")
        raise SheetError(say("The file is damaged: it cannot be read as a workbook."), hint) from None


def local(element: ElementTree.Element) -> str:
    """The name of an element without its namespace, of which there are several for the same format."""
    return element.tag.rpartition("}")[2]
