"""Writes files of rule text, and prints findings about them."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ftk_cli.output import write

if TYPE_CHECKING:
    from rulespec import Finding, Source


def save(path: str, text: str) -> None:
    """Writes a file of rule text; it keeps its byte order mark. Raises Failure."""
    target = Path(path)
    marked = target.is_file() and target.open("rb").read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8
    write(path, "\ufeff" * marked + text, in_place=True)


def show(found: list[Finding], *sources: Source) -> None:
    """Prints findings as text on standard error."""
    from ftk_cli.report import FORMATS, Batch, Look, Sources
    from rulespec import Report

    known = Sources()
    for source in sources:
        known.add(source)
    batch = Batch(Report.of(found), tuple(sorted({one.path for one in found})), known)
    click.echo(FORMATS["text"](batch, Look.of(None, error=True)), err=True, nl=False)
