"""A list of the different faces for programs that lay out cards, such as nanDECK and Squib: CSV."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from rulespec.base.spreadsheet.writing import new_csv
from rulespec.text.output.sheets.faces import Face, different


def layout(cards: Iterable[Face], fields: Collection[str]) -> str:
    """A row for each different face: the number of its cards, its title, the contents of its fields in words, and what
    it does if any card does something.

    The number has the heading that Squib multiplies rows by, `qty`. A field of that name keeps it, so the number is
    then called `quantity`; likewise `name` and `title`, `text` and `rule`.
    """
    faces = different(cards)
    text = [_free(fields, "text", "rule")] if any(face.text for face in faces) else []
    headings = [_free(fields, "qty", "quantity"), _free(fields, "name", "title"), *fields, *text]
    return new_csv([headings, *([*_row(face, fields), *([face.text] * len(text))] for face in faces)]).decode()


def _free(fields: Collection[str], name: str, other: str) -> str:
    return name if name not in fields else other


def _row(face: Face, fields: Iterable[str]) -> Iterator[str]:
    contents = {shown.name: shown.word for shown in face.shown}
    yield str(face.copies)
    yield face.title
    yield from (contents.get(name, "") for name in fields)
