"""The game a command is about: its spec loaded, its players and rulings chosen, or a clear word why not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, inputs

if TYPE_CHECKING:
    from rulespec import Game, Spec
    from rulespec.diagnostics import Report


def load(name: str) -> Spec:
    """The spec behind a name. Ends the command with its findings where it has errors or cannot be read."""
    from rulespec import Report, SpecError
    from rulespec.api import loads

    source, findings = inputs.read(name)
    report = Report.of(findings)
    if source is not None and report.ok:
        try:
            return loads(source)
        except SpecError as error:
            report = Report.of(findings, error.diagnostics)
    if source is None and inputs.unreadable(findings):
        raise _not_found(name, report)
    _show(report)
    raise click.exceptions.Exit(failure.FINDINGS)


def make(spec: Spec, players: int | None, rulings: Mapping[str, str]) -> Game:
    """The game of a spec in one setting. Raises UsageError for a number of players or a ruling it does not have."""
    try:
        return spec.game(players=players, rulings=rulings)
    except ValueError as error:
        words = str(error)
        raise click.UsageError(f"{words[:1].upper()}{words[1:]}.") from None


def _not_found(name: str, report: Report) -> failure.Failure:
    from rulespec import known_games

    found = report.errors[0]
    close = failure.nearest(name, known_games())
    if found.name != "file-not-found" or ":" in name:
        return failure.Failure(found.message, found.hint)
    known = f"Name a spec file, or a game that comes with ftk: {', '.join(known_games())}."
    return failure.Failure(found.message, f"Did you mean `{close}`?" if close else known)


def _show(report: Report) -> None:
    from ftk_cli.report import FORMATS, Batch, Look

    batch = Batch(report, tuple(sorted({found.path for found in report.findings})))
    click.echo(FORMATS["text"](batch, Look.of(None, error=True)), err=True, nl=False)
