"""Findings as text, as compilers print errors: the place, the message, the marked line, a hint."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ftk_cli.report.batch import NARROWEST, Batch, Look, Sources
from ftk_cli.report.display import excerpt, harmless, width
from ftk_cli.terminal import style
from rulespec.base.messages import Message, counted, say
from rulespec.base.worklist import Worklist, in_order, shown

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Finding, Related
    from rulespec.text.raw.alignment import Covered

_COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}


def render(batch: Batch, look: Look) -> str:
    """All findings, the rules not reached, a line with the counts and the work that they are; with `quiet` a line per
    finding only."""
    lines: list[str] = []
    findings, more = shown(in_order(batch.report.findings))
    for found in findings:
        lines += finding_lines(found, batch.sources, look)
    lines += [harmless(look.said(one)) for one in more]
    if look.verbose:
        said = look.said
        lines += [said(say("checked {path}", path=harmless(path))) for path in batch.checked]
        outcomes = {True: said(say("passed")), False: said(say("failed"))}
        lines += [f"{outcomes[case.passed]}: {case.id}: {harmless(case.title)}" for case in batch.cases]
    lines += [look.said(str(one)) for one in batch.coverage]
    if not look.quiet:
        work = Worklist.of(batch.report.findings).said()
        lines += [*_blocked(batch, look), summary(batch, look), *([look.said(work)] if work is not None else [])]
        lines += [look.said(one) for one in _reviewed(batch)]
        lines += [harmless(line) for _, said in batch.coverage_of_searches(look) for line in said.splitlines()]
        lines += [line for path, every in batch.covered.items() if every for line in _covered(path, every, look)]
    return "".join(f"{line}\n" for line in lines)


PLACES = 200
"""The most other places of a finding that are shown; `--format json` has all."""


def finding_lines(found: Finding, sources: Sources, look: Look) -> Iterator[str]:
    """One finding."""
    found, said = found.in_language(look.lang), look.said
    place = _place(found)
    severity = str(found.severity)
    if look.colour:
        place, severity = style(place, bold=True), style(severity, fg=_COLOURS[severity], bold=True)
    yield f"{place} {severity} {found.code} {found.name}: {harmless(found.message)}"
    if look.quiet:
        return
    yield from _snippet(found, sources, look, "^", _COLOURS[str(found.severity)])
    for other in found.related[:PLACES]:
        yield "  " + said(say("see {place} {message}", place=_place(other), message=harmless(other.message)))
        if (other.path, other.start.line) != (found.path, found.start.line):
            yield from _snippet(other, sources, look, "-", "cyan")
    if len(found.related) > PLACES:
        left = len(found.related) - PLACES
        yield "  " + said(counted("and {number:,} more place", "and {number:,} more places", left))
    if found.hint:
        yield "  " + said(say("hint: {hint}", hint=harmless(found.hint)))
    yield ""


def _blocked(batch: Batch, look: Look) -> Iterator[str]:
    """The files that depend on a broken spec."""
    for one in batch.blocked:
        yield look.said(say("Not checked because {spec} has errors:", spec=harmless(one.spec)))
        yield from (f"  {harmless(path)}" for path in one.files)


def _reviewed(batch: Batch) -> Iterator[Message]:
    """How much of the texts is read by a reviewer, and what of the rest was read before."""
    number = {str(state): number for state, number in batch.reviewed.items()}
    total = sum(number.values())
    if total:
        every = counted("{number:,} passage", "{number:,} passages", total)
        message = say("Read by a reviewer: {read:,} of {passages}", read=number.get("read", 0), passages=every)
        if changed := number.get("changed", 0):
            message += say("; {number:,} changed since", number=changed)
        if changed := number.get("rule-changed", 0):
            message += say("; rules of {number:,} changed since", number=changed)
        yield message + say(".")


def _covered(path: str, every: Sequence[Covered], look: Look) -> Iterator[str]:
    """The rules that a raw text states, as a table: each with the sentence that states it best."""
    said, number = look.said, Counter(str(one.state) for one in every)
    states = {"stated": say("stated"), "partly": say("partly"), "not found": say("not found")}
    words = {state: said(one) for state, one in states.items()}
    counts = [say("{number:,} {state}", number=number[state], state=one) for state, one in states.items()]
    yield ""
    yield said(say("Rules in {path}: {counts}.", path=harmless(path), counts=counts))
    head = [said(one) for one in (say("State"), say("Score"), say("Line"), say("Rule"), say("Best sentence"))]
    rows = [[words[str(one.state)], f"{one.score:.0%}", str(one.line or ""), one.rule, one.sentence] for one in every]
    wide = [max(width(row[at]) for row in (head, *rows)) for at in range(len(head) - 1)]
    for row in (head, *rows):
        start = "  ".join(cell + " " * (most - width(cell)) for cell, most in zip(row, wide, strict=False)) + "  "
        part, _, _ = excerpt(row[-1], 0, 0, max(NARROWEST // 2, look.width - width(start)))
        yield f"{start}{harmless(part)}".rstrip()


def summary(batch: Batch, look: Look) -> str:
    """The numbers of files and of findings, in one line."""
    counts = batch.report.to_dict()["summary"]
    words = [noun(counts[name]) for name, noun in NOUNS.items() if counts[name]]
    if blocked := sum(len(one.files) for one in batch.blocked):
        words.append(say("{number:,} not checked", number=blocked))
    looked = counted("{number:,} file", "{number:,} files", len(batch.checked))
    if batch.cases:
        cases = counted("{number:,} scenario", "{number:,} scenarios", len(batch.cases))
        if batch.of_samples:
            cases = counted("{number:,} sample", "{number:,} samples", len(batch.cases))
        failed = sum(not case.passed for case in batch.cases)
        looked = say("{scenarios} in {files}, {failed} failed", scenarios=cases, files=looked, failed=failed)
    found = say("{counts}", counts=words) if words else say("nothing wrong")
    return look.said(say("{files}: {found}.", files=looked, found=found))


NOUNS: Mapping[str, Callable[[int], Message]] = {
    "error": lambda number: counted("{number:,} error", "{number:,} errors", number),
    "warning": lambda number: counted("{number:,} warning", "{number:,} warnings", number),
    "info": lambda number: counted("{number:,} remark", "{number:,} remarks", number),
}


def _place(found: Finding | Related) -> str:
    return f"{harmless(found.place)}:"


def _snippet(found: Finding | Related, sources: Sources, look: Look, sign: str, colour: str) -> Iterator[str]:
    """The line of a place, and under it a mark made of a sign."""
    line = sources.line(found.path, found.start.line)
    if line is None:
        return
    gutter = f"{found.start.line:>5} | "
    end = found.end.column - 1 if found.end.line == found.start.line else len(line)
    part, before, size = excerpt(line, found.start.column - 1, end, max(20, look.width - len(gutter)))
    yield gutter + part
    mark = sign * size
    if look.colour:
        mark = style(mark, fg=colour, bold=True)
    yield " " * (len(gutter) - 2) + "| " + " " * before + mark
