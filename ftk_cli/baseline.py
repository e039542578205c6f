"""Findings that are known already: a file that lists them, so that only new ones count."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, inputs
from ftk_cli.output import write

if TYPE_CHECKING:
    from ftk_cli.report import Batch
    from rulespec import Finding

Known = Counter[tuple[str, str, str, str]]
"""How often each finding is known, by path, code, rule and message; lines move, so they do not count."""

option = click.option("--baseline", metavar="FILE", help="Set aside the findings that this file lists.")
write_option = click.option(
    "--write-baseline", metavar="FILE", help="List the findings of this run in a file, to set them aside from now on."
)


def apply(batch: Batch, path: str | None, written: str | None) -> Batch:
    """The run without the findings a baseline lists; with `written`, a baseline of this run is written instead.

    Raises Failure where the file cannot be read or written, or is no baseline.
    """
    from dataclasses import replace

    from rulespec import Report

    if written is not None:
        listed = sorted(_entry(found) for found in batch.report.findings)
        keys = ("path", "code", "rule", "message")
        content = {"version": 1, "findings": [dict(zip(keys, entry, strict=True)) for entry in listed]}
        write(written, json.dumps(content, ensure_ascii=False, indent=1) + "\n")
        click.echo(f"{len(listed)} findings are listed in {written} and set aside.", err=True)
        return replace(batch, report=Report(()))
    if path is None:
        return batch
    known = _read(path)
    left = [found for found in batch.report.findings if not _take(known, found)]
    return replace(batch, report=Report.of(left, _gone(known, path)))


def _entry(found: Finding) -> tuple[str, str, str, str]:
    return (found.path, found.code, found.rule, found.message)


def _take(known: Known, found: Finding) -> bool:
    """Whether a finding is listed, as often as it is listed."""
    entry = _entry(found)
    listed = known[entry] > 0
    known[entry] -= listed
    return listed


def _read(path: str) -> Known:
    from rulespec import read_source

    source, found = read_source(path)
    if source is None:
        raise inputs.refused(found)
    try:
        content = json.loads(source.text)
        return Counter((one["path"], one["code"], one["rule"], one["message"]) for one in content["findings"])
    except (ValueError, KeyError, TypeError, RecursionError):
        hint = "Write it with `ftk text check … --write-baseline FILE`."
        raise failure.Failure(f"{path} is no baseline.", hint) from None


def _gone(known: Known, path: str) -> Iterator[Finding]:
    """What a baseline lists and this run did not find: left in, it would hide the next mistake of the kind."""
    from rulespec import Finding, Position

    gone = sum(count for count in known.values() if count > 0)
    if gone:
        first = next(entry for entry, count in known.items() if count > 0)
        what = f"{gone} finding{'s' * (gone > 1)} no longer there, such as {first[1]} in {first[0]}"
        message = f"The baseline lists {what}."
        hint = f"Write it anew with --write-baseline {path}."
        yield Finding("baseline-unused", message, path, Position(1, 1), Position(1, 1), hint)
