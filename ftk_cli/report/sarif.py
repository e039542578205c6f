"""Findings as SARIF 2.1.0, for code scanning services and editors."""

from __future__ import annotations

import os
from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ftk_cli.output import to_json
from ftk_cli.report.batch import Batch, Look, Sources
from rulespec import __version__

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Finding, Related
    from rulespec.base.findings.kind import FindingKind

_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(batch: Batch, look: Look) -> str:
    """One run with the kinds of finding that occur, and every finding; what deep searches have covered as notes."""
    kinds = sorted({found.kind for found in batch.report.findings}, key=lambda kind: kind.code)
    places = {kind.code: number for number, kind in enumerate(kinds)}
    repeats: Counter[str] = Counter()
    run = {
        "tool": {
            "driver": {
                "name": "ftk",
                "semanticVersion": __version__,
                "rules": [_rule(kind, look.lang) for kind in kinds],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(found.in_language(look.lang), places[found.code], _fingerprint(found, batch.sources, repeats))
            for found in batch.report.findings
        ],
    }
    if batch.explored:
        said = [{"level": "note", "message": {"text": one}} for _, one in batch.coverage_of_searches(look)]
        run["invocations"] = [{"executionSuccessful": True, "toolExecutionNotifications": said}]
    return to_json({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(kind: FindingKind, lang: str) -> dict[str, Any]:
    from rulespec.base.findings.pages import help_uri, page_of

    page = page_of(kind, lang)
    return {
        "id": kind.code,
        "name": kind.name,
        "shortDescription": {"text": page.title},
        "help": {"text": page.text()},
        "helpUri": help_uri(kind),
        "defaultConfiguration": {"level": _LEVELS[kind.severity]},
    }


def _result(found: Finding, place: int, fingerprint: str) -> dict[str, Any]:
    return {
        "ruleId": found.code,
        "ruleIndex": place,
        "level": _LEVELS[found.severity],
        "message": {"text": found.advice},
        "locations": [{"physicalLocation": _location(found)}],
        "relatedLocations": [
            {"physicalLocation": _location(one), "message": {"text": one.message}} for one in found.related
        ],
        "partialFingerprints": {"ftk/v1": fingerprint},
    }


def _location(place: Finding | Related) -> dict[str, Any]:
    start, end = place.start, place.end
    region = {"startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column}
    return {"artifactLocation": {"uri": uri(place.path)}, "region": region}


def uri(path: str) -> str:
    """A path as a relative URI reference, seen from the current folder."""
    relative = os.path.relpath(path) if os.path.isabs(path) else path
    return quote(relative.replace(os.sep, "/"), safe="/")


def _fingerprint(found: Finding, sources: Sources, repeats: Counter[str]) -> str:
    # Neither line nor column: the same mistake keeps its fingerprint when lines are added above it.

    line = (sources.line(found.path, found.start.line) or "").strip()
    words = "\0".join((found.code, uri(found.path), found.rule, found.lang, found.message, line))
    repeats[words] += 1
    return sha256(f"{words}\0{repeats[words]}".encode("utf-8", "replace")).hexdigest()[:32]
