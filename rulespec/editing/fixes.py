"""Corrections of findings, as patches of the text that keep comments and layout.

A fix is tried and the file is checked again. It is left out if its finding stays, or if another one appears where it
was made. Safe fixes follow from the finding alone and leave every digest as it is, so that texts stay confirmed; the
others decide which of two places is right, or change what texts were confirmed with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulespec.base.characters import FORBIDDEN
from rulespec.base.diagnostics import Finding, Severity, Span
from rulespec.base.source import Source
from rulespec.editing.file_kinds import kind_of
from rulespec.language.document import Mapping, Node, parse
from rulespec.language.document import Sequence as ListNode
from rulespec.language.document.patches import Patch, patched
from rulespec.language.formats import lifted

__all__ = ["FIXES", "Check", "Fix", "Fixed", "Patch", "fixed", "patch_of"]

ROUNDS = 20
"""Rounds of fixing, at most: a mistake may hide others behind it."""


Find = Callable[[Source, Finding, Span], Patch | None]


@dataclass(frozen=True)
class Fix:
    """How findings of one kind are corrected. `does` says what it does; `patch` is None where that is not certain."""

    name: str
    does: str
    patch: Find
    safe: bool = True


@dataclass(frozen=True)
class Fixed:
    """A file after its fixes, and the findings that they corrected."""

    source: Source
    findings: tuple[Finding, ...]


Check = Callable[[Source], Iterable[Finding]]


def patch_of(source: Source, found: Finding) -> Patch | None:
    """The patch that corrects a finding about a file, if there is one. It has not been tried."""
    fix = FIXES.get(found.name)
    if fix is None or found.path != source.path or found.end.line > source.line_count:
        return None
    ends = (source.line_start(at.line) + at.column - 1 for at in (found.start, found.end))
    return fix.patch(source, found, Span(*ends))


def fixed(source: Source, check: Check, unsafe: bool = False) -> Fixed:
    """The file with all fixes that can be made; `check` returns the findings of a text of it."""
    done: list[Finding] = []
    refused: set[tuple[str, Patch]] = set()
    findings = tuple(check(source))
    for _ in range(ROUNDS):
        todo = [one for one in _possible(source, findings, unsafe) if (one[0].message, one[1]) not in refused]
        if not todo:
            break
        # One check for all of them is enough in most files. Only if one makes things worse are they tried singly.
        all_at_once = _applied(source, [patch for _, patch in todo])
        after = tuple(check(all_at_once))
        if all(_is_better(source, found, patch, findings, after) for found, patch in todo):
            source, findings = all_at_once, after
            done += [found for found, _ in todo]
            continue
        for found, patch in reversed(todo):  # from the end, so that the places of the others stay
            one = _applied(source, [patch])
            after = tuple(check(one))
            if _is_better(source, found, patch, findings, after):
                source, findings = one, after
                done.append(found)
            else:
                refused.add((found.message, patch))
    return Fixed(source, tuple(done))


def _possible(source: Source, findings: Sequence[Finding], unsafe: bool) -> Iterator[tuple[Finding, Patch]]:
    """The patches of findings from the start of the file, without those that overlap one before."""
    at = 0
    for found in sorted(findings, key=lambda one: one.start):
        fix = FIXES.get(found.name)
        patch = patch_of(source, found) if fix is not None and (fix.safe or unsafe) else None
        if patch is not None and patch.span.start >= at:
            yield found, patch
            at = patch.span.end


def _applied(source: Source, patches: Sequence[Patch]) -> Source:
    return Source(source.path, patched(source.text, patches))


def _is_better(
    source: Source, found: Finding, patch: Patch, before: Sequence[Finding], after: Sequence[Finding]
) -> bool:
    """Whether a finding is gone and none is new where the text was changed, and a file without errors has none now.

    A mistake may hide others elsewhere, which are reported from then on.
    """
    new = _counted(after) - _counted(before)
    line = source.position(patch.span.start).line
    there = any(one.start.line == line and (one.name, one.message) in new for one in after)
    gone = _counted(after)[found.name, found.message] < _counted(before)[found.name, found.message]
    return gone and not there and _has_errors(after) <= _has_errors(before)


def _has_errors(findings: Iterable[Finding]) -> bool:
    return any(one.severity is Severity.ERROR for one in findings)


def _counted(findings: Iterable[Finding]) -> Counter[tuple[str, str]]:
    return Counter((one.name, one.message) for one in findings)


# --- names -----------------------------------------------------------------------------------------------------------

_MEANT = re.compile(r"Did you mean [`“](?P<name>[^`“”]+)[`”]\?")
_NAMED = re.compile(r"[`“]([^`“”]+)[`”]")


def _meant(source: Source, found: Finding, span: Span) -> Patch | None:
    """The one near name instead of the wrong one, which the finding names."""
    meant = _MEANT.fullmatch(found.hint)
    for wrong in _NAMED.findall(found.message) if meant is not None else ():
        name = re.compile(rf"(?<!\w){re.escape(wrong)}(?!\w)")
        places = list(name.finditer(source.text, span.start, span.end))
        if len(places) == 1 and meant is not None:
            return Patch(Span(*places[0].span()), meant["name"])
    return None


# --- formats --------------------------------------------------------------------------------------------------------


def _lifted(source: Source, found: Finding, span: Span) -> Patch | None:
    """The whole file in the present format of its kind."""
    kind = kind_of(source)
    if kind is None or kind.format is None:
        return None  # a log is lifted beside its game
    return Patch(Span(0, len(source.text)), lifted(source, kind.name).text)


# --- YAML ------------------------------------------------------------------------------------------------------------

_QUOTED = re.compile(r'(?:Write|Put quotes round it:) (?P<text>".*")\.')


def _in_quotes(source: Source, found: Finding, span: Span) -> Patch | None:
    quoted = _QUOTED.fullmatch(found.hint)
    return Patch(span, quoted["text"]) if quoted is not None and "…" not in found.hint else None


def _deleted(source: Source, found: Finding, span: Span) -> Patch:
    return Patch(span, "")


def _without_controls(source: Source, found: Finding, span: Span) -> Patch:
    """Without all control characters, which have one finding."""
    # The finding is about the first one only, and would come back for each of the others.
    end = max(match.end() for match in FORBIDDEN.finditer(source.text))
    return Patch(Span(span.start, end), FORBIDDEN.sub("", source.text[span.start : end]))


def _without_entry(source: Source, found: Finding, span: Span) -> Patch | None:
    """Without the lines of an entry in block layout."""
    root, _ = parse(source)
    entry = next(_entries_at(root, span), None) if root is not None else None
    if entry is None:
        return None
    first, last = (source.position(at).line for at in (entry.start, entry.end))
    start = source.line_start(first)
    end = source.line_start(last + 1) if last < source.line_count else len(source.text)
    alone = not source.text[start : entry.start].strip() and source.text[entry.end : end].strip()[:1] in ("", "#")
    about = source.line_start(_comment_above(source, first, last))
    return Patch(Span(about, end), "") if alone else None


def _comment_above(source: Source, first: int, last: int) -> int:
    """The first line of the comment about an entry, or its own. A comment after a blank line is about the whole group,
    if others follow."""
    own = len(source.line(first)) - len(source.line(first).lstrip())
    comment = re.compile(rf" {{{own}}}#")
    line = first
    while line > 1 and comment.match(source.line(line - 1)):
        line -= 1
    follows = last < source.line_count and re.match(rf" {{{own}}}[^\s#]", source.line(last + 1)) is not None
    before = source.line(line - 1).strip() if line > 1 else ""
    is_heading = follows and (not before or len(source.line(line - 1)) - len(source.line(line - 1).lstrip()) < own)
    return first if is_heading else line


def _entries_at(node: Node, span: Span) -> Iterator[Span]:
    """The whole of an entry whose key a finding is about, if its mapping has others."""
    if isinstance(node, Mapping):
        for key, value in node.entries:
            if key.span.start == span.start and len(node.entries) > 1:
                yield Span(key.span.start, max(key.span.end, value.span.end))
            yield from _entries_at(value, span)
    elif isinstance(node, ListNode):
        for item in node.items:
            yield from _entries_at(item, span)


def _without_comment(source: Source, found: Finding, span: Span) -> Patch:
    """Without a comment, and without its line if it stands alone."""
    line = source.position(span.start).line
    start = source.line_start(line)
    if source.text[start : span.start].strip():
        return Patch(Span(len(source.text[: span.start].rstrip(" \t")), span.end), "")
    return Patch(Span(start, source.line_start(line + 1) if line < source.line_count else span.end), "")


# --- numbers ---------------------------------------------------------------------------------------------------------

_COUNTED = re.compile(r"[Tt]he manifest has (?P<number>\d+) cards?\b")


def _counted_cards(source: Source, found: Finding, span: Span) -> Patch | None:
    """The number of cards that the manifest has, for a stated total."""
    counted = _COUNTED.match(found.message)
    return Patch(span, counted["number"]) if counted and source.text[span.start : span.end].isdigit() else None


# --- typography ------------------------------------------------------------------------------------------------------


def _without_spaces(source: Source, found: Finding, span: Span) -> Patch | None:
    text = source.text[span.start : span.end]
    return Patch(span, text.strip(" \t")) if "\n" not in text else None


def _spaced(source: Source, found: Finding, span: Span) -> Patch:
    text = source.text[span.start : span.end]
    return Patch(span, f" {text}" if text == "(" else f"{text} ")


def _single(source: Source, found: Finding, span: Span) -> Patch | None:
    """One of equal marks."""
    text = source.text[span.start : span.end]
    return Patch(span, text[0]) if len(set(text)) == 1 else None


def _once(source: Source, found: Finding, span: Span) -> Patch | None:
    """The first of two equal words on one line."""
    twice = re.fullmatch(r"(\S+)[ \t]+(\S+)", source.text[span.start : span.end])
    return Patch(span, twice[1]) if twice and twice[1].lower() == twice[2].lower() else None


_MARKS = re.compile(r"\((?P<marks>\S(?: \S)*)\)")
_WIDE = re.compile(r"Use full-width marks: (?P<marks>\S+)\.")


def _wide(source: Source, found: Finding, span: Span) -> Patch | None:
    """The full-width form of a mark."""
    marks, wide = _MARKS.search(found.message), _WIDE.fullmatch(found.hint)
    if marks is None or wide is None:
        return None
    forms = dict(zip(marks["marks"].split(" "), wide["marks"], strict=False))
    text = source.text[span.start : span.end]
    new = "".join(forms.get(sign, sign) for sign in text)
    return Patch(span, new) if new != text else None


_WRITE = re.compile(r"Write “(?P<form>[^“”]+)”\.")
_FOUND = re.compile(r"“[^“”]+”, “(?P<form>[^“”]+)”")


def _agreeing(source: Source, found: Finding, span: Span) -> Patch | None:
    """The one form that agrees with the number, for the form that the finding names."""
    right, wrong = _WRITE.match(found.hint), _FOUND.search(found.message)
    is_there = wrong is not None and source.text[span.start : span.end] == wrong["form"]
    return Patch(span, right["form"]) if right is not None and is_there else None


# --- the table -------------------------------------------------------------------------------------------------------

_NAME = "write the name that is meant"
_UNKNOWN = (
    *("unknown-key", "not-allowed", "unknown-name", "unknown-type", "unknown-field", "unknown-function", "wrong-value"),
    *("scenario-unknown-name", "scenario-no-game", "deck-no-game", "overlay-no-base", "text-no-game", "text-extra"),
    *("glossary-name-unknown", "glossary-rule-unknown", "look-unknown-name"),
)

FIXES: dict[str, Fix] = {
    fix.name: fix
    for fix in (
        *(Fix(name, _NAME, _meant) for name in _UNKNOWN),
        Fix("old-format", "lift the file to the present format", _lifted),
        Fix("needs-quotes", "put quotes round the text", _in_quotes),
        Fix("ambiguous-scalar", "put quotes round the value", _in_quotes),
        Fix("control-character", "delete all control characters", _without_controls),
        Fix("hidden-character", "delete the character", _deleted),
        Fix("stray-space", "delete the space", _without_spaces),
        Fix("missing-space", "insert the space", _spaced),
        Fix("doubled-mark", "delete one of the marks", _single),
        Fix("doubled-word", "delete one of the words", _once),
        Fix("half-width-mark", "write the full-width mark", _wide),
        Fix("number-agreement", "write the form that agrees with the number", _agreeing),
        Fix("ignore-unused", "delete the comment", _without_comment),
        Fix("wrong-total", "write the number that the manifest has", _counted_cards, safe=False),
        Fix("never-used", "delete the declaration", _without_entry, safe=False),
    )
}
"""Every fix by the kind of finding that it corrects."""
