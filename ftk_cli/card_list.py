"""`ftk cards --import`: shows what the cards of a sheet change in a spec, and writes it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, inputs
from ftk_cli.output import Rewritten, differences, emit, replace_all

if TYPE_CHECKING:
    from rulespec import Finding, Source
    from rulespec.base.spreadsheet import Columns
    from rulespec.editing.card_table import CardTable
    from rulespec.language.model import Spec
    from rulespec.text import Translation

REPORTS = ("json", "sarif", "github")
"""The formats in which the findings are the output, in place of the difference."""
_CHOICE = re.compile(r'\s*(\w+)\s*=\s*(?:"([^"]*)"|([^,"]+?))\s*(?:,|\Z)')


@dataclass(frozen=True)
class Options:
    """How a list of cards is read and reported: its sheet, the headings of columns, and the options of the command."""

    write: bool = False
    quiet: bool = False
    format_: str = "text"
    output: str | None = None
    sheet: str = ""
    columns: dict[str, str] = field(default_factory=dict)

    @property
    def reports(self) -> bool:
        """Whether the findings are the output."""
        return self.format_ in REPORTS


def chosen_columns(text: str) -> dict[str, str]:
    """The headings of names in the form copies=Qty,name="Card name". Raises UsageError for another form."""
    found, at = {}, 0
    while at < len(text):
        match = _CHOICE.match(text, at)
        if match is None:
            hint = 'Write names of the spec with headings of the sheet, such as copies=Qty,name="Card name".'
            raise click.UsageError(f"--columns cannot be read from `{text[at:]}` on. {hint}")
        found[match[1]] = match[3] if match[2] is None else match[2]
        at = match.end()
    return found


def update(spec: Spec, path: str, options: Options) -> None:
    """Shows the difference that the cards of a sheet make to a spec, which is written if wanted. Ends the command with
    the findings if there are errors in the list, or in the spec with it."""
    from rulespec.editing.card_rows import WithErrors, updated
    from rulespec.editing.card_texts import with_texts
    from rulespec.language.cards_from import spreadsheet_of

    if sheet := spreadsheet_of(inputs.source(spec.source.path)):
        return _update_texts(spec, sheet, path, options)
    table, remarks = table_of_sheet(spec, path, options)
    texts, wrong = with_texts(spec, table.columns, written_texts(spec))
    _unless_wrong(wrong, options, table.columns)
    try:
        after = updated(spec, table.groups, table.unsaid)
    except WithErrors as error:
        _conclude(remarks, options, table, error.after)
        raise failure.Failure(str(error), "Nothing was written.") from None
    except ValueError as error:
        raise failure.Failure(str(error), "Nothing was written.") from None
    change = Rewritten(spec.source.path, spec.source.text, after.text)
    said = _rewritten(texts)
    _put([change, *said], options)
    if not options.quiet:
        click.echo(_summary(change, sum(table.groups.values()), options.write), err=True)
        click.echo(_texts_summary(said, options.write) if said else "", err=True, nl=bool(said))
    _conclude(remarks, options, table, after)


def _update_texts(spec: Spec, sheet: str, path: str, options: Options) -> None:
    """Shows the difference that the texts in a sheet make to the translations, for a spec whose cards are in one."""
    from rulespec.editing.card_texts import with_texts

    columns = own_columns(spec, path)
    remarks: list[Finding] = []
    if columns is None:
        table, remarks = table_of_sheet(spec, path, options, headings_only=True)
        columns = table.columns
    if not columns.texts:
        raise failure.Failure(
            f"{spec.title} takes its cards from {sheet}, and {path} has no texts of cards.",
            "Change the cards there. Columns such as `text en` have texts.",
        )
    texts, wrong = with_texts(spec, columns, written_texts(spec))
    _unless_wrong(wrong, options, columns)
    changes = _rewritten(texts)
    _put(changes, options)
    if not options.quiet:
        click.echo(_texts_summary(changes, options.write), err=True)
    report(remarks, options, columns.sheet.source)


def own_columns(spec: Spec, path: str) -> Columns | None:
    """The columns of the sheet that a spec takes its cards from, as it reads them; None if another file is meant."""
    from rulespec.language.cards_from import card_list, spreadsheet_of

    source = inputs.source(spec.source.path)
    sheet = spreadsheet_of(source)
    if not sheet or Path(sheet).resolve() != Path(path).resolve():
        return None
    own = card_list(source)
    return own.columns if own is not None else None


def written_texts(spec: Spec) -> dict[str, Translation]:
    """The translations of a game by language, with placeholders as they are written."""
    from rulespec import texts_at

    return texts_at(spec.source.path, spec.id, spec.variant)


def _unless_wrong(findings: list[Finding], options: Options, columns: Columns) -> None:
    """Ends the command with the findings about the texts of a sheet if there are any."""
    if findings:
        report(findings, options, columns.sheet.source)
        raise click.exceptions.Exit(failure.FINDINGS)


def _rewritten(changed: Iterable[tuple[Source, Source]]) -> list[Rewritten]:
    return [Rewritten(inputs.shown(before.path), before.text, after.text) for before, after in changed]


def _put(changes: Iterable[Rewritten], options: Options) -> None:
    """Writes what has changed if it is wanted, and shows the differences."""
    other = [change for change in changes if change.is_other]
    if options.write and other:
        replace_all({change.path: change.after for change in other})
    if not options.reports:
        emit("".join(differences(other)), options.output, data=True)


def _texts_summary(changes: list[Rewritten], written: bool) -> str:
    if not changes:
        return "The translations have these texts already."
    paths = ", ".join(change.path for change in changes)
    return f"{paths}: written." if written else f"{paths}: to change. Write them with: --write"


def table_of_sheet(
    spec: Spec, path: str, options: Options, headings_only: bool = False
) -> tuple[CardTable, list[Finding]]:
    """The cards of a sheet, and findings that are no errors, about all of it or about its headings. Ends the command
    with the findings if there are errors."""
    from rulespec import Report
    from rulespec.editing.card_table import headed_table, names_of, table_of, wanted_by

    if unknown := [name for name in options.columns if name not in names_of(spec)]:
        raise click.UsageError(f"--columns names `{unknown[0]}`; the columns are {', '.join(names_of(spec))}.")
    sheet, findings = inputs.sheet(path, options.sheet, wanted_by(spec, options.columns))
    if sheet is None and inputs.unreadable(findings):
        raise inputs.refused(findings)
    if sheet is not None and not findings:
        table, findings = (headed_table if headings_only else table_of)(spec, sheet, options.columns)
        if Report.of(findings).ok:
            return table, findings
    report(findings, options, sheet.source if sheet is not None else None)
    raise click.exceptions.Exit(failure.FINDINGS)


def _summary(change: Rewritten, cards: int, written: bool) -> str:
    if not change.is_other:
        return f"{cards} cards: {change.path} has them already."
    return f"{cards} cards: {change.path} is written." if written else f"{cards} cards. Write them with: --write"


def _conclude(remarks: list[Finding], options: Options, table: CardTable, after: Source) -> None:
    """Prints remarks about a list and the errors of the spec with its cards, such as a total that is wrong now, which
    end the command."""
    from rulespec import check_source

    errors = check_source(after).errors
    report([*remarks, *errors], options, table.columns.sheet.source, after)
    if errors:
        raise click.exceptions.Exit(failure.FINDINGS)


def report(findings: Iterable[Finding], options: Options, *sources: Source | None) -> None:
    """Prints findings: to standard output in a format for other programs, else to standard error if there are any."""
    from ftk_cli.report import FORMATS, Batch, Look, Sources
    from rulespec import Report

    known = Sources()
    for source in sources:
        known.add(source)
    found = [one for one in findings if one.severity != "info" or not options.quiet]
    paths = tuple(dict.fromkeys(one.path for one in found))
    batch = Batch(Report.of(found), paths, known)
    if options.reports:
        emit(FORMATS[options.format_](batch, Look.of(options.output)), options.output)
    elif found:
        click.echo(FORMATS["text"](batch, Look.of(None, error=True)), err=True, nl=False)
