"""Writes files of rule text, and prints findings about them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ftk_cli.output import replace_all
from rulespec.base.diagnostics import Report

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Finding
    from rulespec.base.source import Source


def save(path: str, before: str, text: str, kept: Mapping[Path, str | None]) -> None:
    """Writes a file of rule text if the text is another one, and what is `kept` with it (see `rulespec.keeping`).

    Raises Failure.
    """
    replace_all({str(place): content for place, content in kept.items()} | ({path: text} if text != before else {}))


def show(found: list[Finding], *sources: Source) -> None:
    """Prints findings as text on standard error."""
    from ftk_cli.report import FORMATS
    from ftk_cli.report.batch import Batch, Look, Sources

    known = Sources()
    for source in sources:
        known.add(source)
    batch = Batch(Report.of(found), tuple(sorted({one.path for one in found})), known)
    click.echo(FORMATS["text"](batch, Look.of(None, error=True)), err=True, nl=False)
