"""Small files in the format ODS, written by hand."""

from __future__ import annotations

import io
import zipfile
from html import escape

SPACES = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "calcext": "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0",
}


def ods(
    sheets: dict[str, list[list[str]]], repeated: int = 1, mimetype: str = "", content: str = "content.xml"
) -> bytes:
    """A file with these sheets, whose cells are texts or elements. Each row is repeated."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("mimetype", mimetype or "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr(content, _content(sheets, repeated))
    return stream.getvalue()


def _content(sheets: dict[str, list[list[str]]], repeated: int) -> str:
    spaces = " ".join(f'xmlns:{prefix}="{space}"' for prefix, space in SPACES.items())
    tables = "".join(_table(name, rows, repeated) for name, rows in sheets.items())
    body = f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
    return f"<office:document-content {spaces}>{body}</office:document-content>"


def _table(name: str, rows: list[list[str]], repeated: int) -> str:
    made = "".join(
        f'<table:table-row table:number-rows-repeated="{repeated}">{_row(row)}</table:table-row>' for row in rows
    )
    blank = '<table:table-cell table:number-columns-repeated="16384"/>'
    rest = f'<table:table-row table:number-rows-repeated="1048000">{blank}</table:table-row>'
    return f'<table:table table:name="{name}">{made}{rest}</table:table>'


def _row(row: list[str]) -> str:
    return "".join(cell if cell.startswith("<table:") else text_cell(cell) for cell in row)


def text_cell(text: str) -> str:
    """A cell with a text."""
    lines = "".join(f"<text:p>{escape(line)}</text:p>" for line in text.split("\n"))
    return f'<table:table-cell office:value-type="string">{lines}</table:table-cell>'
