"""The public JSON form of a diff, version 1."""

from __future__ import annotations

from typing import Any

from rulespec.text.output.diff.result import Detail, Diff, NumberMention, RuleDiff, Side


def to_dict(diff: Diff) -> dict[str, Any]:
    """The diff as JSON data. Offsets count code points of the side's Markdown `text`, null if it has none."""
    return {
        "version": 1,
        "game": diff.game,
        "languages": list(diff.langs),
        "unread": list(diff.unread),
        "rules": [_rule(rule) for rule in diff.rules],
        "findings": [found.to_dict() for found in diff.findings],
        "summary": diff.summary(),
    }


def _rule(rule: RuleDiff) -> dict[str, Any]:
    return {
        "id": rule.id,
        "title": rule.title,
        "kind": "ruling" if rule.ruling else "rule",
        "differs": rule.differs,
        "facts": [str(fact) for fact in rule.facts],
        "sides": [_side(side) for side in rule.sides],
    }


def _side(side: Side) -> dict[str, Any]:
    return {
        "lang": side.column.lang,
        "label": side.column.label,
        "title": side.title,
        "text": side.text,
        "facts": [str(judgement) for judgement in side.judged],
        "lacks": [_detail(lack) for lack in side.lacks if not lack.number],
        "adds": [_detail(added) for added in side.adds],
        "lacks_numbers": [lack.what for lack in side.lacks if lack.number],
        "numbers": [_figure(figure) for figure in side.numbers],
        "concepts": list(dict.fromkeys(said.concept for said in side.said)),
        "findings": [placed.finding.to_dict() for placed in side.findings],
    }


def _detail(detail: Detail) -> dict[str, Any]:
    return {"what": detail.what, "others": [*detail.others]}


def _figure(figure: NumberMention) -> dict[str, Any]:
    return {
        "start": figure.start,
        "end": figure.end,
        "text": figure.text,
        "kind": figure.kind,
        "value": str(figure),
        "accounted": figure.accounted,
        "adds": figure.odd,
    }
