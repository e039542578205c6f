"""Findings as workflow commands, which GitHub shows next to the changed lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ftk_cli.report.batch import Batch, Look
from rulespec.base.characters import visible
from rulespec.base.worklist import shown

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Finding

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def render(batch: Batch, look: Look) -> str:
    """One command per finding that is shown, and one for what each deep search has covered."""
    findings, more = shown(batch.report.findings)
    commands = [_command(found.in_language(look.lang)) for found in findings]
    commands += [workflow_command("notice", {}, one) for one in more]
    commands += [workflow_command("notice", {"file": path}, one) for path, one in batch.coverage_of_searches(look)]
    return "".join(f"{line}\n" for line in commands)


def workflow_command(name: str, properties: Mapping[str, object], message: str) -> str:
    """A workflow command (`error`, `warning`, `notice`). It has escapes of its own."""
    listed = ",".join(f"{key}={_escaped(str(value), ':,')}" for key, value in properties.items())
    return visible(f"::{name} {listed}::{_escaped(message)}")


def _command(found: Finding) -> str:
    places: dict[str, object] = {"file": found.path, "line": found.start.line, "endLine": found.end.line}
    if found.start.line == found.end.line:  # columns of two lines would be refused
        places |= {"col": found.start.column, "endColumn": max(found.start.column, found.end.column - 1)}
    places["title"] = f"{found.code} {found.name}"
    return workflow_command(_COMMANDS[found.severity], places, found.advice)


def _escaped(text: str, more: str = "") -> str:
    for sign in f"%\r\n{more}":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text
