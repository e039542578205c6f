"""Findings as JUnit XML, which every build server shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from ftk_cli.report.batch import Batch, Case, Look
from rulespec.base.characters import visible

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Finding


def render(batch: Batch, look: Look) -> str:
    """One suite per file. Its tests are the scenarios in it, and one for all other findings; what a deep search
    has covered is output of the suite."""
    by_path: dict[str, list[Finding]] = defaultdict(list, {path: [] for path in batch.checked})
    for found in batch.report.findings:
        by_path[found.path].append(found)
    covered = dict(batch.coverage_of_searches(look))
    suites = [
        _suite(path, found, [case for case in batch.cases if case.path == path], look.lang, covered.get(path, ""))
        for path, found in by_path.items()
    ]
    return '<?xml version="1.0" encoding="utf-8"?>\n<testsuites name="ftk">\n' + "".join(suites) + "</testsuites>\n"


def _suite(path: str, findings: list[Finding], cases: list[Case], lang: str, covered: str) -> str:
    shown = {found for case in cases for found in case.findings}
    rest = [found for found in findings if found not in shown]
    tests = [_test(path, case.id, _failures(case.findings, lang)) for case in cases]
    if rest or not cases:
        tests.append(_test(path, "check", _failures(rest, lang)))
    failed = sum("<failure" in test for test in tests)
    said = f"<system-out>{_content(covered)}</system-out>\n" if covered else ""
    head = f'<testsuite name={_attribute(path)} tests="{len(tests)}" failures="{failed}">'
    return f"{head}\n{''.join(tests)}{said}</testsuite>\n"


def _test(path: str, name: str, failures: str) -> str:
    return f"<testcase classname={_attribute(path)} name={_attribute(name)}>{failures}</testcase>\n"


def _failures(findings: Iterable[Finding], lang: str) -> str:
    """Errors fail a test. JUnit has nothing between passed and failed, so that all else is output of the test."""
    return "".join(_failure(found.in_language(lang)) for found in findings)


def _failure(found: Finding) -> str:
    words = f"{found.place}: {found.message} {found.hint}".strip()
    if found.severity != "error":
        return f"<system-out>{_content(words)}</system-out>"
    kind = _attribute(f"{found.code} {found.name}")
    return f"<failure type={kind} message={_attribute(found.message)}>{_content(words)}</failure>"


def _attribute(text: str) -> str:
    return quoteattr(_xml(text))


def _content(text: str) -> str:
    return escape(_xml(text))


def _xml(text: str) -> str:
    return visible(text)  # what XML cannot hold is among what it escapes
