"""`ftk cards --export`: shows which cells of a sheet differ from the cards of a spec, and writes them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ftk_cli import failure
from ftk_cli.card_list import Options, read_list, report, written_texts
from ftk_cli.language import localized
from ftk_cli.output import emit, note, replace_all
from rulespec.base.messages import Message, counted, reason, say, sentences
from rulespec.base.spreadsheet.sheet import SheetError
from rulespec.base.spreadsheet.writing import edited, edited_csv, new_csv, new_workbook
from rulespec.editing.card_cells import edits_of, table_rows
from rulespec.editing.card_texts import text_edits, texts_in

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Finding
    from rulespec.base.spreadsheet.sheet import Edit, Sheet
    from rulespec.language.model.spec import Spec


def export(spec: Spec, path: str, options: Options) -> None:
    """Shows the cells of a file in which a spec has other cards, and writes them if wanted; makes a file that is not
    there. Ends the command with the findings about cells that cannot be written."""
    if not Path(path).exists():
        return _make(spec, path, options)

    columns, table, remarks = read_list(spec, path, options, headings_only=True)
    sheet, edits = columns.sheet, edits_of(table) if table is not None else []
    edits += text_edits(texts_in(spec, columns, edits), written_texts(spec))
    target = path
    try:
        content, made, locked = edited(Path(path).read_bytes(), columns, edits)
    except SheetError as error:
        target, content = str(Path(path).with_suffix(".csv")), edited_csv(sheet, edits)
        made, locked = edits, []
        if Path(target).exists() and Path(target).read_bytes() != content:
            hint = say(
                "The list would be written to {target}, which is there. Delete it, or export into it.", target=target
            )
            raise failure.Failure(
                say("{path} cannot be written: {message}", path=path, message=error.message), hint
            ) from None
        said = say(
            "{path} is not changed: {message} Its list goes to {target}.",
            path=path,
            message=error.message,
            target=target,
        )
        _say(said, options)
    if options.write and made:
        replace_all({target: content})
    if not options.reports:
        emit("".join(f"{_line(sheet, edit)}\n" for edit in made), options.output, data=True)
    _say(_summary(path, target, len(made), len(locked), options.write), options)
    report([*remarks, *(_locked(sheet, edit) for edit in locked)], options, sheet.source)
    if locked:
        raise click.exceptions.Exit(failure.FINDINGS)


def _make(spec: Spec, path: str, options: Options) -> None:
    headings, *rows = table_rows(spec, written_texts(spec))
    rows = [tuple(options.columns.get(str(name), name) for name in headings), *rows]
    ending = Path(path).suffix.lower()
    if ending not in (".csv", ".xlsx"):
        raise failure.Failure(say("There is no {path}.", path=path), say("A new list is written as .csv or .xlsx."))
    if options.write:
        try:
            replace_all({path: new_csv(rows) if ending == ".csv" else new_workbook(rows, options.sheet or "Cards")})
        except ValueError as error:  # a name that no sheet can have
            raise failure.Failure(say("{path} cannot be written: {reason}.", path=path, reason=reason(error))) from None
    number = len(rows) - 1
    _say(_written(path, number) if options.write else _unwritten(path, number), options)


def _written(path: str, rows: int) -> Message:
    return counted("{path} is written: {number} row.", "{path} is written: {number} rows.", rows, path=path)


def _unwritten(path: str, rows: int) -> Message:
    return counted(
        "There is no {path}. Make it, with {number} row, with: --write",
        "There is no {path}. Make it, with {number} rows, with: --write",
        rows,
        path=path,
    )


def _say(text: str, options: Options) -> None:
    if not options.quiet:
        note(text)


def _summary(path: str, target: str, made: int, locked: int, written: bool) -> str:
    if not made:
        return (
            say("{path} has the cards already.", path=path)
            if not locked
            else say("No cell of {path} can be written.", path=path)
        )
    if written:
        return counted("{path} is written: {number} cell.", "{path} is written: {number} cells.", made, path=target)
    return counted(
        "{number} cell to change. Write them with: --write",
        "{number} cells to change. Write them with: --write",
        made,
    )


def _line(sheet: Sheet, edit: Edit) -> str:
    before, after = (str(value) if value != "" else localized(say("(empty)")) for value in (edit.cell.text, edit.value))
    return f"{sheet.place(edit.cell)}: {before} → {after}"


def _locked(sheet: Sheet, edit: Edit) -> Finding:
    wanted = say("The spec has no such card.")
    if edit.value != "":
        wanted = say("The spec has `{value}` here.", value=edit.value)
    kept = say("The cell is not changed, because it has a formula or is merged with another.")
    hint = say("Change the formula, or write the value in its place.")
    return sheet.finding("wrong-value", sentences(wanted, kept), edit.cell, hint)
