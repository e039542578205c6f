"""The parts of a workbook, which is a ZIP archive of XML files."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from xml.etree import ElementTree
from xml.parsers import expat

from rulespec.base.messages import say
from rulespec.base.spreadsheet.sheet import SheetError

MOST_UNPACKED = 32 * 1024 * 1024
"""Bytes of a part when unpacked: ten times as many as 10,000 rows of ten cells."""

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
            message = say("The file is larger than {most} MiB when it is unpacked.", most=MOST_UNPACKED // 2**20)
            raise SheetError(message, say("Copy the card list into a new file."), "file-too-large")
        # No more than the stated size is unpacked: a stream that goes on fails its checksum.
        return self._zip.read(name)

    def xml(self, name: str) -> bytes:
        """The content of a part in XML. Raises ValueError if it has a document type, which a workbook never has."""
        content = self.part(name)
        if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
            raise ValueError("a part of a workbook has a document type")
        return content

    def replaced(self, parts: Mapping[str, bytes]) -> bytes:
        """The archive with other contents of some parts."""
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as after:
            for entry in self._zip.infolist():
                content = parts.get(entry.filename)
                after.writestr(entry, self.part(entry.filename) if content is None else content, entry.compress_type)
        return stream.getvalue()

    def tree(self, name: str) -> ElementTree.Element:
        """The XML of a part."""
        return ElementTree.fromstring(self.xml(name))

    def elements(self, name: str) -> Iterator[tuple[str, ElementTree.Element]]:
        """The starts and ends of the elements of a part. A reader clears what it has read."""
        yield from ElementTree.iterparse(io.BytesIO(self.xml(name)), ("start", "end"))


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
