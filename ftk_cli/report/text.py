"""Findings as text, as compilers print errors: the place, the message, the marked line, a hint."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ftk_cli.report.batch import Batch, Look, Sources
from ftk_cli.report.display import excerpt, harmless

if TYPE_CHECKING:
    from rulespec import Finding, Related

_COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}


def render(batch: Batch, look: Look) -> str:
    """All findings, the rules not reached and a closing line with the counts; with `quiet` a line per finding only."""
    lines: list[str] = []
    for found in batch.report.findings:
        lines += finding_lines(found, batch.sources, look)
    if look.verbose:
        lines += [f"checked {harmless(path)}" for path in batch.checked]
        lines += [f"{'passed' if case.passed else 'failed'}: {case.id}: {harmless(case.title)}" for case in batch.cases]
    lines += map(str, batch.coverage)
    if not look.quiet:
        lines += [*_blocked(batch), summary(batch)]
    return "".join(f"{line}\n" for line in lines)


def finding_lines(found: Finding, sources: Sources, look: Look) -> Iterator[str]:
    """One finding."""
    yield _head(found, look)
    if look.quiet:
        return
    yield from _snippet(found, sources, look, "^", _COLOURS[str(found.severity)])
    for other in found.related:
        yield f"  see {_place(other)} {harmless(other.message)}"
        yield from _snippet(other, sources, look, "-", "cyan")
    if found.hint:
        yield f"  hint: {harmless(found.hint)}"
    yield ""


def _blocked(batch: Batch) -> Iterator[str]:
    """The files that depend on a broken spec."""
    for one in batch.blocked:
        yield f"Not checked because {harmless(one.spec)} has errors:"
        yield from (f"  {harmless(path)}" for path in one.files)


def summary(batch: Batch) -> str:
    """The numbers of files and of findings, in one line."""
    counts = batch.report.to_dict()["summary"]
    words = [
        counted(counts[name], noun)
        for name, noun in (("error", "error"), ("warning", "warning"), ("info", "remark"))
        if counts[name]
    ]
    looked = counted(len(batch.checked), "file")
    if batch.cases:
        failed = sum(not case.passed for case in batch.cases)
        looked = f"{counted(len(batch.cases), 'scenario')} in {looked}, {failed} failed"
    blocked = sum(len(one.files) for one in batch.blocked)
    words += [f"{blocked:,} not checked"] if blocked else []
    return f"{looked}: {', '.join(words) if words else 'nothing wrong'}."


def counted(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _head(found: Finding, look: Look) -> str:
    place = _place(found)
    severity = str(found.severity)
    if look.colour:
        from ftk_cli.terminal import style

        place, severity = style(place, bold=True), style(severity, fg=_COLOURS[severity], bold=True)
    return f"{place} {severity} {found.code} {found.name}: {harmless(found.message)}"


def _place(found: Finding | Related) -> str:
    return f"{harmless(found.path)}:{found.start.line}:{found.start.column}:"


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
        from ftk_cli.terminal import style

        mark = style(mark, fg=colour, bold=True)
    yield " " * (len(gutter) - 2) + "| " + " " * before + mark
