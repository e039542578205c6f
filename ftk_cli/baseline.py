"""Baselines: files that list known findings, so that only new findings count."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ftk_cli import failure, inputs
from ftk_cli.options import held
from ftk_cli.output import note, write
from rulespec.base.diagnostics import Finding, Position, Report
from rulespec.base.messages import counted, say
from rulespec.base.source import read as read_source

if TYPE_CHECKING:
    from ftk_cli.report.batch import Batch, Sources

Entry = tuple[str, str, str, str, str]
KEYS = ("path", "code", "at", "rule", "message")
Known = Counter[Entry]
"""How often each finding is known: by its file, its code, the keys that lead to it, its rule and its message. Lines
move, so they do not count, in messages neither."""

_VERSION = 2
"""Version 1 had no keys, and its messages were worded otherwise: its entries are known by file, code and rule."""

_LINES = re.compile(r"(\blines? |\.yaml:)\d+(?:(?:, | and )\d+)*")

option = click.option("--baseline", metavar="FILE", help="Ignore the findings that this file lists.")
write_option = click.option(
    "--write-baseline",
    metavar="FILE",
    callback=held,
    help="Write the findings of this run to a file for --baseline.",
)


def apply(batch: Batch, path: str | None, written: str | None) -> Batch:
    """The batch without the findings that a baseline lists. With `written`, a baseline of it is written instead.

    Raises Failure if the file cannot be read or written, or is not a baseline.
    """
    if written is not None:
        listed = sorted(_entry(found, batch.sources) for found in batch.report.findings)
        content = {"version": _VERSION, "findings": [dict(zip(KEYS, entry, strict=True)) for entry in listed]}
        write(written, json.dumps(content, ensure_ascii=False, indent=1) + "\n")
        note(
            counted(
                "{number} finding written to {path}.", "{number} findings written to {path}.", len(listed), path=written
            )
        )
        # What has just been listed is known, and fails nothing.
        return replace(batch, report=Report(()))
    if path is None:
        return batch
    known, version = _read(path)
    entries = ((found, _entry(found, batch.sources)) for found in batch.report.findings)
    left = [found for found, entry in entries if not _take(known, entry if version == _VERSION else _loose(entry))]
    return replace(batch, report=Report.of(left, _gone(known, path)))


def _entry(found: Finding, sources: Sources) -> Entry:
    return (found.path, found.code, _keys(found, sources), found.rule, _LINES.sub(r"\1…", found.message))


def _keys(found: Finding, sources: Sources) -> str:
    """The keys that lead to the place of a finding; "" in a file that has none."""
    from rulespec.editing.editors.paths import path_at

    source = sources.get(found.path)
    return path_at(source, found.start) if source is not None else ""


def _loose(entry: Entry) -> Entry:
    """What version 1 knows of a finding."""
    path, code, _, rule, _ = entry
    return (path, code, "", rule, "")


def _take(known: Known, entry: Entry) -> bool:
    """Whether a finding is listed; each entry of the list is used once."""
    listed = known[entry] > 0
    known[entry] -= listed
    return listed


def _read(path: str) -> tuple[Known, int]:
    source, found = read_source(path)
    if source is None:
        raise inputs.refused(found)
    try:
        content = json.loads(source.text)
        version = content.get("version", _VERSION)
        if version == 1:
            return Counter(_loose(_listed({"at": "", **one})) for one in content["findings"]), 1
        return Counter(_listed(one) for one in content["findings"]), _VERSION
    except (AttributeError, ValueError, KeyError, TypeError, RecursionError):
        hint = say("Write it anew with `--write-baseline FILE`.")
        raise failure.Failure(say("{path} is not a baseline.", path=path), hint) from None


def _listed(one: Mapping[str, str]) -> Entry:
    return one["path"], one["code"], one["at"], one["rule"], one["message"]


def _gone(known: Known, path: str) -> Iterator[Finding]:
    """A finding for baseline entries that no longer occur. Such an entry would hide the next mistake of its kind."""
    gone = sum(count for count in known.values() if count > 0)
    if gone:
        first = next(entry for entry, count in known.items() if count > 0)
        message = counted(
            "The baseline lists {number} finding that no longer occurs, such as {code} in {path}.",
            "The baseline lists {number} findings that no longer occur, such as {code} in {path}.",
            gone,
            code=first[1],
            path=first[0],
        )
        hint = say("Update it with --write-baseline {path}.", path=path)
        yield Finding("baseline-unused", message, path, Position(1, 1), Position(1, 1), hint)
