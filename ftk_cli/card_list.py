"""`ftk cards --import`: shows what the cards of a sheet change in a spec, and writes it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, inputs
from ftk_cli.language import localized
from ftk_cli.output import Rewritten, differences, emit, note, replace_all
from ftk_cli.report import FORMATS
from ftk_cli.report.batch import Batch, Look, Sources
from rulespec.base.diagnostics import Report
from rulespec.base.messages import counted, reason, say, sentences
from rulespec.editing.card_rows import WithErrors, updated
from rulespec.editing.card_table import headed_table, names_of, table_of, wanted_by
from rulespec.editing.card_texts import with_texts
from rulespec.editing.file_kinds import check_source
from rulespec.games.rulebook import texts_at
from rulespec.language.cards_from import card_list, spreadsheet_of

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Finding
    from rulespec.base.source import Source
    from rulespec.base.spreadsheet.columns import Columns
    from rulespec.editing.card_table import CardTable
    from rulespec.language.model.spec import Spec
    from rulespec.text.reading.translation import Translation

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
            said = say("--columns cannot be read from `{text}` on.", text=text[at:])
            hint = say('Write names of the spec with headings of the sheet, such as copies=Qty,name="Card name".')
            raise click.UsageError(sentences(said, hint))
        found[match[1]] = match[3] if match[2] is None else match[2]
        at = match.end()
    return found


def update(spec: Spec, path: str, options: Options) -> None:
    """Shows the difference that a sheet makes to the cards of a spec and their texts, which is written if wanted. Of a
    spec whose cards are in a sheet only the texts are read. Ends the command with the findings if there are errors in
    the list, or in the spec with it."""
    sheet = spreadsheet_of(inputs.source(spec.source.path))
    columns, table, remarks = read_list(spec, path, options, headings_only=bool(sheet))
    if sheet and not columns.texts:
        raise failure.Failure(
            say(
                "{title} takes its cards from {sheet}, and {path} has no texts of cards.",
                title=spec.title,
                sheet=sheet,
                path=path,
            ),
            say("Change the cards there. Columns such as `text en` have texts."),
        )
    texts, wrong = with_texts(spec, columns, written_texts(spec))
    if wrong:
        report(wrong, options, columns.sheet.source)
        raise click.exceptions.Exit(failure.FINDINGS)
    changes = [Rewritten(inputs.shown(before.path), before.text, after.text) for before, after in texts]
    if sheet or table is None:
        _put(changes, options, [_texts_summary(changes, options.write)])
        return report(remarks, options, columns.sheet.source)
    try:
        after = updated(spec, table.groups, table.unsaid)
    except ValueError as error:
        if isinstance(error, WithErrors):
            _conclude(remarks, options, table, error.after)
        raise failure.Failure(reason(error), say("Nothing was written.")) from None
    change = Rewritten(spec.source.path, spec.source.text, after.text)
    summary = [_summary(change, sum(table.groups.values()), options.write)]
    _put([change, *changes], options, summary + [_texts_summary(changes, options.write)] * bool(changes))
    _conclude(remarks, options, table, after)


def read_list(
    spec: Spec, path: str, options: Options, headings_only: bool
) -> tuple[Columns, CardTable | None, list[Finding]]:
    """The columns of a sheet, its cards, and remarks. The sheet that a spec takes its cards from is read as the spec
    does, and not for cards. Ends the command with the findings if there are errors."""
    source = inputs.source(spec.source.path)
    named = spreadsheet_of(source)
    own = card_list(source) if named and Path(named).resolve() == Path(path).resolve() else None
    if own is not None:
        return own.columns, None, []
    if unknown := [name for name in options.columns if name not in names_of(spec)]:
        raise click.UsageError(
            say("--columns names `{name}`; the columns are {names}.", name=unknown[0], names=tuple(names_of(spec)))
        )
    sheet, findings = inputs.sheet(path, options.sheet, wanted_by(spec, options.columns))
    if sheet is None and inputs.unreadable(findings):
        raise inputs.refused(findings)
    if sheet is not None and not findings:
        table, findings = (headed_table if headings_only else table_of)(spec, sheet, options.columns)
        if Report.of(findings).ok:
            return table.columns, table, findings
    report(findings, options, sheet.source if sheet is not None else None)
    raise click.exceptions.Exit(failure.FINDINGS)


def written_texts(spec: Spec) -> dict[str, Translation]:
    """The translations of a game by language, with placeholders as they are written."""
    return texts_at(spec.source.path, spec.id, spec.variant)


def _put(changes: Iterable[Rewritten], options: Options, summary: Iterable[str]) -> None:
    """Writes what has changed if it is wanted, and shows the differences and a summary."""
    other = [change for change in changes if change.is_other]
    if options.write and other:
        replace_all({change.path: change.after for change in other})
    if not options.reports:
        emit("".join(differences(other)), options.output, data=True)
    if not options.quiet:
        note("\n".join(map(localized, summary)))


def _texts_summary(changes: list[Rewritten], written: bool) -> str:
    if not changes:
        return say("The translations have these texts already.")
    paths = [change.path for change in changes]
    if written:
        return say("{paths}: written.", paths=paths)
    return say("{paths}: to change. Write them with: --write", paths=paths)


def _summary(change: Rewritten, cards: int, written: bool) -> str:
    if not change.is_other:
        return counted(
            "{number} card: {path} has them already.",
            "{number} cards: {path} has them already.",
            cards,
            path=change.path,
        )
    if written:
        return counted(
            "{number} card: {path} is written.", "{number} cards: {path} is written.", cards, path=change.path
        )
    return counted("{number} card. Write them with: --write", "{number} cards. Write them with: --write", cards)


def _conclude(remarks: list[Finding], options: Options, table: CardTable, after: Source) -> None:
    """Prints remarks about a list and the errors of the spec with its cards, such as a total that is wrong now, which
    end the command."""
    errors = check_source(after).errors
    report([*remarks, *errors], options, table.columns.sheet.source, after)
    if errors:
        raise click.exceptions.Exit(failure.FINDINGS)


def report(findings: Iterable[Finding], options: Options, *sources: Source | None) -> None:
    """Prints findings: to standard output in a format for other programs, else to standard error if there are any."""
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
