"""A diff as one self-contained HTML page."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from rulespec.base.diagnostics import Finding
from rulespec.base.pages import templates
from rulespec.text.languages.registry import find
from rulespec.text.languages.writing import writing_of
from rulespec.text.output.diff.result import Diff, Judgement, RuleDiff, Side
from rulespec.text.output.diff.runs import Run, sections

_SEVERITIES = ("error", "warning", "info")


def html(diff: Diff) -> str:
    """The diff as a self-contained HTML page. Every rule and ruling has its id as anchor."""
    environment = templates("rulespec.text.output.diff")
    # The content security policy allows only this script, so texts cannot run others.
    script = environment.get_template("diff.js").render()
    return environment.get_template("diff.html.j2").render(
        diff=diff,
        summary=diff.summary(),
        severities=_SEVERITIES,
        script=script,
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        in_words=_in_words,
        sections=sections,
        name=lambda lang: find(lang).name or lang,
        writing=writing_of,
        facts_of=_facts,
        unsaid=_unsaid,
        verdict=lambda judgement: "left out" if judgement == Judgement.SILENT else judgement,
        glyph=_GLYPHS,
        worst=_worst,
        concepts_in=lambda rule: sorted({said.concept for side in rule.sides for said in side.said}),
        look=_look,
    )


_GLYPHS = {"stated": "✓", "lacking": "✗", "contradicted": "≠", "silent": "·"}


@dataclass(frozen=True)
class _Fact:
    """A fact in words, with the judgement of each text by label."""

    words: str
    optional: bool
    judged: tuple[tuple[str, str], ...]

    @property
    def alike(self) -> str:
        """The judgement of all texts, or "" if they differ."""
        made = {judgement for _, judgement in self.judged}
        return made.pop() if len(made) == 1 else ""


def _facts(rule: RuleDiff) -> tuple[list[_Fact], list[_Fact]]:
    """The facts of a rule in two lists: the second has the optional facts that no text states."""
    sides = [side for side in rule.sides if side.text is not None]
    each = [
        _Fact(str(fact.content), fact.optional, tuple((side.column.label, str(side.judged[i])) for side in sides))
        for i, fact in enumerate(rule.facts)
    ]
    return [f for f in each if f.alike != Judgement.SILENT], [f for f in each if f.alike == Judgement.SILENT]


def _unsaid(rule: RuleDiff) -> int:
    """The number of required facts that some text does not state."""
    return sum(not fact.optional and fact.alike != Judgement.STATED for fact in _facts(rule)[0])


def _worst(findings: Iterable[Finding]) -> str:
    """The highest severity of the findings, or "" if there are none."""
    return max((found.severity for found in findings), default="")


def _in_words(concept: str) -> str:
    return concept.replace("_", " ")


@dataclass(frozen=True)
class _Look:
    """How a run of text is displayed: the ids of its concepts, whether it differs, and its tooltip."""

    concepts: str
    differs: str
    against: str
    severity: str
    note: str


def _look(side: Side, run: Run) -> _Look:
    said = [side.said[i] for i in run.said]
    numbers = [side.numbers[i] for i in run.numbers]
    found = [side.findings[i].finding for i in run.findings]
    contrasts = [one for one in numbers if one.not_in]
    notes = [f"{one.code} {one.severity}: {one.message}" for one in found]
    notes += [f"number {one}: not in {', '.join(one.not_in)}" for one in contrasts]
    if not notes:
        notes = [_in_words(one.concept) for one in said] + [f"number {one}" for one in numbers if not said]
    return _Look(
        concepts=" ".join(one.concept for one in said),
        differs="" if not contrasts else "odd" if any(one.odd for one in contrasts) else "even",
        against="|".join(dict.fromkeys(label for one in contrasts for label in one.not_in)),
        severity=_worst(found),
        note="; ".join(notes),
    )
