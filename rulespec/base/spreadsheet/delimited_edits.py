"""CSV written again: rows without an edit stay as they are, and so do the other cells of a row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from rulespec.base.spreadsheet.delimited import delimiter_of, rows_of, uncalculated
from rulespec.base.spreadsheet.sheet import Cell, Edit


def edited_text(text: str, edits: Sequence[Edit]) -> str:
    """A text with new values in some cells. A row that has no value any more is deleted; new rows stand in front of
    the row that has the number of the first of them."""
    sign, start = delimiter_of(text)
    end = "\r\n" if "\r\n" in text else "\r" if "\r" in text and "\n" not in text else "\n"
    values, new = (defaultdict[int, dict[int, str]](dict) for _ in range(2))
    for edit in edits:
        (new if edit.cell.is_new else values)[edit.cell.row][edit.cell.column] = str(edit.value)
    rows = [*rows_of(text)]
    before = [row for row in rows if not new or row[0].row < min(new)]
    made = [
        text[:start],
        *_rows(text, before, _start(rows[len(before)][0]) if rows[len(before) :] else len(text), values, sign),
    ]
    width = max((len(row) for row in rows), default=0)
    for number in sorted(new):
        made.append("" if not made[-1] or made[-1].endswith(("\r", "\n")) else end)
        made.append(sign.join(_written(new[number].get(column, ""), sign) for column in range(1, width + 1)) + end)
    return "".join([*made, *_rows(text, rows[len(before) :], len(text), values, sign)])


def _rows(
    text: str, rows: Sequence[tuple[Cell, ...]], end: int, values: Mapping[int, Mapping[int, str]], sign: str
) -> Iterator[str]:
    """Rows of a text with new values, each with its line break. `end` is where they end."""
    starts = [_start(row[0]) for row in rows] + [end]
    for row, start, end in zip(rows, starts, starts[1:], strict=False):
        new = values.get(row[0].row)
        if new is None:
            yield text[start:end]
        elif any(new.get(cell.column, cell.text) for cell in row) or any(new.values()):
            yield _row(text, row, new, sign) + text[_end(row[-1]) : end]


def _row(text: str, row: tuple[Cell, ...], new: Mapping[int, str], sign: str) -> str:
    old = [text[_start(cell) : _end(cell)] for cell in row]
    old += [""] * (max(new) - len(old))
    return sign.join(
        _written(new[column], sign, quoted=cell.startswith('"')) if column in new else cell
        for column, cell in enumerate(old, 1)
    )


def _start(cell: Cell) -> int:
    return cell.span.start if cell.span is not None else 0


def _end(cell: Cell) -> int:
    return cell.span.end if cell.span is not None else 0


def _written(value: str, sign: str, quoted: bool = False) -> str:
    """A value as CSV has it, in quotation marks where it needs them or where the value before had them."""
    value = uncalculated(value)
    if quoted or any(one in value for one in (sign, '"', "\n", "\r")):
        return '"' + value.replace('"', '""') + '"'
    return value
