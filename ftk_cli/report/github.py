"""Findings as workflow commands, which GitHub shows next to the changed lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ftk_cli.report.batch import Batch, Look

if TYPE_CHECKING:
    from rulespec import Finding

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def render(batch: Batch, look: Look) -> str:
    """One command per finding; nothing where nothing was found."""
    return "".join(f"{_command(found)}\n" for found in batch.report.findings)


def _command(found: Finding) -> str:
    places = {"file": found.path, "line": found.start.line, "endLine": found.end.line}
    if found.start.line == found.end.line:  # columns of two lines would be refused
        places |= {"col": found.start.column, "endColumn": max(found.start.column, found.end.column - 1)}
    places["title"] = f"{found.code} {found.name}"
    properties = ",".join(f"{key}={_property(str(value))}" for key, value in places.items())
    return f"::{_COMMANDS[found.severity]} {properties}::{_data(' '.join(filter(None, (found.message, found.hint))))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
