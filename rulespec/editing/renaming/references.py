"""References to a renamed name: once its declaration has the new name, the checks report each of them at its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from rulespec.base.diagnostics import Finding, Severity, Span
from rulespec.base.failure import Refusal
from rulespec.base.messages import say
from rulespec.base.source import Source
from rulespec.editing.renaming.targets import Target
from rulespec.language.document.patches import Patch, patched

ROUNDS = 40
"""Rounds of replacing what the checks report, at most. A mistake may hide others behind it; games need two to five."""

Check = Callable[[Source], Sequence[Finding]]


def followed(source: Source, target: Target, new: str, check: Check) -> Source:
    """The file, in which each reference that the check reports has the new name.

    Raises Refusal for a finding that is not about a reference: the new name is taken, or is no name.
    """
    for _ in range(ROUNDS):
        errors = [one for one in check(source) if one.severity is Severity.ERROR and one.path == source.path]
        if not errors:
            return source
        spans = {span for one in errors for span in _named(source, one, target)}
        if not spans:
            raise refused(errors[0], target, new)
        source = replaced(source, spans, new)
    raise Refusal(
        say("`{full}` is referred to in more ways than can be followed in {path}.", full=target.full, path=source.path)
    )


def replaced(source: Source, spans: Iterable[Span], new: str) -> Source:
    """The file with a text in place of each span."""
    return Source(source.path, patched(source.text, (Patch(span, new) for span in spans)))


def _named(source: Source, found: Finding, target: Target) -> Iterator[Span]:
    """The places of the old name in what a finding is about; a field with the name of an enum is none, and neither is
    what stands in a row of the manifest that lacks the field with its new name."""
    if found.name == "field-missing" or (found.name == "unknown-field" and target.kind != "field"):
        return
    start, end = (source.line_start(place.line) + place.column - 1 for place in (found.start, found.end))
    # The name may begin in front of what is reported: the finding may be about the part behind a dot.
    found_there = list(_places(source, target, max(start - len(target.owner) - 1, 0), start, end))
    if not found_there and f"`{target.name}`" in found.message:
        line = source.line_start(found.start.line)  # the finding names a neighbour of the reference
        found_there = list(_places(source, target, line, line, line + len(source.line(found.start.line))))
    yield from found_there


def _places(source: Source, target: Target, search: int, start: int, end: int) -> Iterator[Span]:
    """The references between two offsets, searched from a third one."""
    for match in target.pattern.finditer(source.text, search, end):
        if match.end() > start:
            yield Span(match.end(1), match.end())


def refused(found: Finding, target: Target, new: str) -> Refusal:
    """The refusal of a name with which a file has an error."""
    place = found.place
    return Refusal(
        say(
            "`{full}` cannot be called `{new}`: {message} ({place})",
            full=target.full,
            new=new,
            message=found.message,
            place=place,
        ),
        found.hint,
    )
