"""The parts of a workbook, which is a ZIP archive of XML files."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from xml.etree import ElementTree

from rulespec.base.messages import Message, say
from rulespec.base.spreadsheet.sheet import SheetError

MOST_UNPACKED = 32 * 1024 * 1024
"""Bytes of all parts when unpacked: ten times as many as 10,000 rows of ten cells."""
MOST_TAGS = 1_000_000
"""Tags of a part, by its signs `<`: a cell with a value has four. Bytes do not bound the time and the memory that they
take to read: an empty row has ten of them."""
_READ = re.compile(r"(?!xl/(?:pivot|chart|diagram|embed|external)|customXml/|docProps/).*\.(?:xml|rels)")
_GAP = re.compile(rb"<text:(?:line-break|tab)\s*/>")
"""Line breaks and tabs in a cell of ODS, which calamine leaves out."""
_MIMETYPE = "application/vnd.oasis.opendocument.spreadsheet"


class Archive:
    """The parts of a workbook with its cells. Raises SheetError for parts that are too large, and ValueError for one
    with a document type, which a workbook never has, or in UTF-16, in which one would not be found."""

    def __init__(self, data: bytes) -> None:
        packed = zipfile.ZipFile(io.BytesIO(data))
        self.names = frozenset(packed.namelist())
        read = [one for one in packed.infolist() if _READ.fullmatch(one.filename)]
        if sum(one.file_size for one in read) > MOST_UNPACKED:
            raise _too_large(
                say("The file is larger than {most} MiB when it is unpacked.", most=MOST_UNPACKED // 2**20)
            )
        # No more than the stated size is unpacked: a stream that goes on fails its checksum.
        self.parts = {one.filename: packed.read(one) for one in read}
        for name, content in self.parts.items():
            if (number := content.count(b"<")) > MOST_TAGS:
                values = {"part": name, "number": number, "most": MOST_TAGS}
                raise _too_large(say("Its part {part} has {number:,} tags, and at most {most:,} are read.", **values))
            if any(sign in content for sign in (b"<!DOCTYPE", b"<!ENTITY", b"\0")):
                raise ValueError("a part of a workbook has a document type")

    @property
    def is_excel(self) -> bool:
        return "xl/workbook.xml" in self.parts

    def tree(self, name: str) -> ElementTree.Element:
        """The XML of a part. Raises KeyError for one that is missing."""
        return ElementTree.fromstring(self.parts[name])

    @cached_property
    def repacked(self) -> bytes:
        """An archive of these parts alone: a library that unpacks without limits reads what was looked through here."""
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as archive:
            archive.writestr("mimetype", _MIMETYPE)
            for name, content in self.parts.items():
                archive.writestr(name, _GAP.sub(b"\n", content))
        return made.getvalue()


def _too_large(message: Message) -> SheetError:
    return SheetError(message, say("Copy the card list into a new file."), "file-too-large")


@contextmanager
def damage_reported() -> Iterator[None]:
    """Raises SheetError in place of what libraries raise for a damaged file: anything, and a panic in Rust, which is no
    Exception."""
    try:
        yield
    except (SheetError, KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException:
        hint = say("Open it in a spreadsheet program and save it again, or bring it back from version control.")
        raise SheetError(say("The file is damaged: it cannot be read as a workbook."), hint) from None
