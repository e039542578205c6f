"""`ftk rename`: gives a name of a spec another one, in all files about the game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, inputs, options
from ftk_cli.output import Rewritten, change_files, differences, note, would_change
from rulespec.base.failure import Refusal
from rulespec.base.messages import counted, reason, say
from rulespec.base.project import find

if TYPE_CHECKING:
    from rulespec.editing.renaming.plan import FileChange, Plan
    from rulespec.editing.renaming.sheet import SheetChange

KINDS = (
    *("enum", "member", "field", "table", "zone", "value", "ruling", "answer"),
    *("rule", "procedure", "parameter"),
)


@click.command()
@click.argument("old")
@click.argument("new")
@click.argument("spec", metavar="GAME")
@click.option("--kind", type=click.Choice(KINDS), help="What OLD is, if several names are written so.")
@click.option("--record/--no-record", default=True, help="Whether the spec lists the old name (default: yes).")
@options.changes_files(help="Write the files. Without it, only the differences are shown.")
def rename(
    old: str,
    new: str,
    spec: str,
    kind: str | None,
    record: bool,
    write: bool,
    format_: str,
    output: str | None,
    quiet: bool,
    verbose: bool,
) -> None:
    """Rename a rule, zone, value, enum, member, card field, table, ruling, answer, procedure or parameter.

    OLD is the name as it is declared; a member of an enum, an answer to a ruling and a parameter are written with their
    owner: office.provisions. The name changes in the spec, the spreadsheet with its cards, its variants, texts,
    glossary, looks, scenarios and decks. Comments and layout stay as they are, and texts that were confirmed stay
    confirmed. The game must be the same but for the name, else nothing is renamed. The spec lists the old name under
    `renamed`, so that logs of its version still replay; --no-record leaves it out.

    \b
    Exit status: 0, or 3 if the name cannot be renamed.

    \b
    Examples:
      ftk rename office.provisions granary fortheking
      ftk rename esteem.lose_card esteem.drop_card fortheking --write
    """
    made = _plan(old, new, spec, kind, record)
    contents: dict[str, str | bytes] = {one.path: one.after for one in made.files}
    if made.sheet is not None:
        contents[made.sheet.path] = made.sheet.after
    said = "" if write and quiet else "".join(_diff(made))
    change_files(contents, _data(made), said, write=write, format_=format_, output=output)
    if not quiet and format_ == "text":
        note(_summary(made, write))


def _plan(old: str, new: str, spec: str, kind: str | None, record: bool) -> Plan:
    from rulespec.editing.renaming.plan import plan

    path = inputs.shown(find(spec))
    if path == inputs.STDIN:
        raise click.UsageError(say("A rename changes files, so GAME cannot be standard input."))
    inputs.source(path)  # ends the command if it cannot be read
    try:
        return plan(path, old, new, kind or "", record)
    except Refusal as refused:
        raise failure.Failure(reason(refused), refused.hint) from None


def _diff(made: Plan) -> Iterator[str]:
    """The differences of all files but new ones: those are kept versions of the spec, which are the spec again. Of a
    spreadsheet the cells are listed."""
    changed = (one for one in made.files if one.before is not None)
    yield from differences(Rewritten(inputs.shown(one.path), one.before or "", one.after) for one in changed)
    yield from (f"{line}\n" for line in (made.sheet.lines if made.sheet is not None else ()))


def _summary(made: Plan, written: bool) -> str:
    number = len(made.files) + (made.sheet is not None)
    if not written:
        return would_change(number)
    return counted(
        "Renamed the {kind} `{name}` to `{new}` in {number} file.",
        "Renamed the {kind} `{name}` to `{new}` in {number} files.",
        number,
        kind=made.target.kind_in_words,
        name=made.target.full,
        new=made.new,
    )


def _data(made: Plan) -> dict[str, object]:
    return {
        "kind": made.target.kind,
        "old": made.target.full,
        "new": made.new,
        "files": [_file(one) for one in made.files],
        "sheet": _sheet(made.sheet) if made.sheet is not None else None,
    }


def _file(one: FileChange) -> dict[str, object]:
    return {"path": Path(inputs.shown(one.path)).as_posix(), "new": one.before is None, "after": one.after}


def _sheet(change: SheetChange) -> dict[str, object]:
    cells = [
        {"cell": change.sheet.place(one.cell), "before": one.cell.text, "after": one.value} for one in change.edits
    ]
    return {"path": Path(inputs.shown(change.path)).as_posix(), "cells": cells}
