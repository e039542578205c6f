"""Findings as JSON, version 1 of the format of ftk."""

from __future__ import annotations

from dataclasses import asdict

from ftk_cli.output import to_json
from ftk_cli.report.batch import Batch, Look
from rulespec.base.worklist import Worklist


def render(batch: Batch, look: Look) -> str:
    """The findings and a summary with the work for an editor; for scenarios also every case and the coverage,
    for deep searches what they have covered."""
    work = Worklist.of(batch.report.findings)
    value = batch.report.in_language(look.lang).to_dict()
    value["summary"]["files"] = len(batch.checked)
    if work.said() is not None:
        value["summary"]["work"] = asdict(work)
    if batch.blocked:
        value["summary"]["not_checked"] = [{"spec": one.spec, "files": list(one.files)} for one in batch.blocked]
    if sum(batch.reviewed.values()):
        value["summary"]["passages"] = {str(state): number for state, number in batch.reviewed.items()}
    if batch.covered:
        value["rules"] = [
            {"path": path, **asdict(one), "state": str(one.state)}
            for path, every in batch.covered.items()
            for one in every
        ]
    if batch.cases:
        value["cases"] = [
            {"path": case.path, "id": case.id, "title": case.title, "passed": case.passed} for case in batch.cases
        ]
        value["summary"]["cases"] = len(batch.cases)
        value["summary"]["failed"] = sum(not case.passed for case in batch.cases)
    if batch.coverage:
        value["coverage"] = {one.game: {"rules": one.rules, "never": list(one.never)} for one in batch.coverage}
    if batch.explored:
        value["explored"] = [one.to_dict(look.said) for one in batch.explored]
    return to_json(value)
