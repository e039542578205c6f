"""Corrections of findings, as patches of the text that keep comments and layout.

A fix is tried and the file is checked again. It is left out if its finding stays, or if another one appears where it
was made. Safe fixes leave what the file means, or what it can only mean: if the file had a meaning, every digest and
every key is as before (`_keeps`), and if it had none, no other reading of the place is as good (`Fix.sure`). The others
decide which of two places is right, or change what texts were confirmed with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import normalize

from rulespec.base.characters import FORBIDDEN, latin
from rulespec.base.diagnostics import Finding, Severity, Span
from rulespec.base.source import Source
from rulespec.editing.editors.names import PROSE, spec_source
from rulespec.editing.file_kinds import kind_of, schema_of, schema_text
from rulespec.games.api import built
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node, Scalar
from rulespec.language.document.nodes import Sequence as ListNode
from rulespec.language.document.patches import Patch, patched
from rulespec.language.formats.current import lifted
from rulespec.language.model.folds import FOLDS
from rulespec.language.model.names import RESERVED
from rulespec.language.model.operators import OPERATORS
from rulespec.proofs.meaning.digest import digests

__all__ = ["FIXES", "Check", "Fix", "Fixed", "Patch", "fixed", "patch_of"]

ROUNDS = 20
"""Rounds of fixing, at most: a mistake may hide others behind it."""


Find = Callable[[Source, Finding, Span], Patch | None]
Sure = Callable[[Source, Finding, Patch], bool]


@dataclass(frozen=True)
class Fix:
    """How findings of one kind are corrected. `does` says what it does; `patch` is None where nothing is proposed.

    A patch is proposed in editors, and made by `--fix` if it is `sure`: if the place has no other reading.
    """

    name: str
    does: str
    patch: Find
    safe: bool = True
    sure: Sure = lambda source, found, patch: True


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
        possible = [one for one in _possible(source, findings, unsafe) if (one[0].message, one[1]) not in refused]
        todo = [one for one in possible if _is_only_reading(source, *one, findings, check)]
        refused |= {(found.message, patch) for found, patch in possible if (found, patch) not in todo}
        if not todo:
            break
        # One check for all of them is enough in most files. Only if one makes things worse are they tried singly.
        all_at_once = _applied(source, [patch for _, patch in todo])
        after = tuple(check(all_at_once))
        kept = unsafe or _keeps(source, all_at_once, findings)
        if kept and all(_is_better(source, found, patch, findings, after) for found, patch in todo):
            source, findings = all_at_once, after
            done += [found for found, _ in todo]
            continue
        for found, patch in reversed(todo):  # from the end, so that the places of the others stay
            one = _applied(source, [patch])
            after = tuple(check(one))
            kept = unsafe or _keeps(source, one, findings)
            if kept and _is_better(source, found, patch, findings, after):
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
        certain = patch is not None and fix is not None and fix.sure(source, found, patch)
        if patch is not None and certain and patch.span.start >= at:
            yield found, patch
            at = patch.span.end


def _applied(source: Source, patches: Sequence[Patch]) -> Source:
    return Source(source.path, patched(source.text, patches))


def _is_better(
    source: Source, found: Finding, patch: Patch, before: Sequence[Finding], after: Sequence[Finding]
) -> bool:
    """Whether a finding is gone, no error is left and nothing is new where the text was changed, and a file without
    errors has none now.

    A mistake may hide others elsewhere, which are reported from then on.
    """
    new = _counted(after) - _counted(before)
    line = source.position(patch.span.start).line
    there = [one for one in after if one.start.line == line]
    worse = _has_errors(there) or any((one.name, one.message) in new for one in there)
    gone = _counted(after)[found.name, found.message] < _counted(before)[found.name, found.message]
    return gone and not worse and _has_errors(after) <= _has_errors(before)


def _has_errors(findings: Iterable[Finding]) -> bool:
    return any(one.severity is Severity.ERROR for one in findings)


def _counted(findings: Iterable[Finding]) -> Counter[tuple[str, str]]:
    return Counter((one.name, one.message) for one in findings)


# --- what is certain --------------------------------------------------------------------------------------------------


def _keeps(before: Source, after: Source, findings: Iterable[Finding]) -> bool:
    """Whether a file that could be read means the same as before: all rules by their digests, any file by its keys and
    numbers. What a file with errors means is not known yet."""
    return _has_errors(findings) or _meaning(before) == _meaning(after)


def _meaning(source: Source) -> object:
    kind = kind_of(source)
    if kind is None or kind.format is None:
        return None
    model = built(source)[0] if kind.name in ("spec", "overlay") else None
    root, _ = parse(lifted(source, kind.name))
    return digests(model) if model is not None else None, list(_keys_and_numbers(root)) if root is not None else []


def _keys_and_numbers(node: Node) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield from re.findall(r"\d+", node.text)
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            yield key.text
            yield from _keys_and_numbers(value)
    else:
        for item in node.items:
            yield from _keys_and_numbers(item)


def _is_only_reading(source: Source, found: Finding, patch: Patch, findings: Sequence[Finding], check: Check) -> bool:
    """Whether no other name that is as near would do as well as the one that a patch writes."""
    if found.name in _OF_SOUND_FILES:
        return not _has_errors(findings)
    written = source.text[patch.span.start : patch.span.end]
    near = (name for name in _words(source) - {patch.text, written} if _is_slip(written, name))
    others = [Patch(patch.span, name) for name in near] if found.name in _UNKNOWN else []
    return not any(
        _is_better(source, found, other, findings, tuple(check(_applied(source, [other])))) for other in others
    )


@lru_cache(maxsize=2)
def _words(source: Source) -> frozenset[str]:
    """Every word that may stand in a file: of the file, of its spec, and of the format."""
    spec, schema = spec_source(source), schema_of(source)
    texts = (source.text, spec.text if spec is not None else "", schema_text(schema) if schema else "")
    return RESERVED | FOLDS.keys() | OPERATORS.keys() | {word for text in texts for word in _WORD.findall(text)}


_WORD = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")


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


def _is_misspelt(source: Source, found: Finding, patch: Patch) -> bool:
    """Whether a name is written wrong here and nowhere else, and is no other word.

    A name that stands elsewhere as it is written here may be right, and the place that declares it wrong.
    """
    written = source.text[patch.span.start : patch.span.end]
    of_format = found.name in ("unknown-key", "not-allowed")
    if not _is_slip(written, patch.text) or (of_format and written in _format(source)):
        return False
    if found.name not in _OF_GAMES or patch.text in RESERVED:
        return True
    spec = spec_source(source)
    text = source.text + (spec.text if spec is not None and spec != source else "")
    names = (re.escape(name.strip("{}")) for name in (written, patch.text))
    wrong, right = (len(re.findall(rf"(?<!\w){name}(?!\w)", text)) for name in names)
    return wrong == 1 < right


@lru_cache(maxsize=2)
def _format(source: Source) -> frozenset[str]:
    """The words of the format of a file."""
    schema = schema_of(source)
    return frozenset(re.findall(r'"([a-z]\w*)"', schema_text(schema)) if schema else ())


def _is_slip(written: str, meant: str) -> bool:
    """Whether one letter is missing, superfluous, wrong, or in the place of its neighbour; or only capitals differ.

    Names of a letter or two, and names that differ in a digit, are other names.
    """
    if latin(written) == meant or written.lower() == meant.lower():
        return True
    if abs(len(written) - len(meant)) > 1:
        return False
    at = next((at for at, (old, new) in enumerate(zip(written, meant, strict=False)) if old != new), -1)
    old, new = (word[at if at >= 0 else min(len(written), len(meant)) :] for word in (written, meant))
    swapped = old[:2] == new[1::-1] and old[2:] == new[2:]
    slip = swapped or new == old[1:] or old == new[1:] or old[1:] == new[1:]
    return slip and min(len(written), len(meant)) > 2 and _DIGITS.sub("", written) == _DIGITS.sub("", meant)


_DIGITS = re.compile(r"[^\d.]")


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


def _is_text(source: Source, found: Finding, patch: Patch) -> bool:
    """Whether what comes into quotes is one text: an expression with all its brackets, or words that are no keys."""
    text, key = patch.text[1:-1], _KEY_BEFORE.search(source.text, 0, patch.span.start)
    is_value = key is not None or source.text[: patch.span.start].rstrip().endswith(("[", "-"))
    is_indexed = re.fullmatch(r"\w+\[[^\[\]]+\]", text) is not None
    whole = (is_value or is_indexed) and all(
        text.count(opening) == text.count(closing) for opening, closing in ("()", "[]", "{}")
    )
    outside = re.sub(r"\([^()]*\)", "", text)
    conditional = ":" not in outside or re.search(r"\?[^?]*\s:\s", outside) is not None
    others = {word for piece in outside.split(",")[1:] for word in _WORD.findall(piece)[:1] or [""]}
    prose = key is not None and key[1] in PROSE
    return whole and conditional and (not others or (prose and not others & _format(source)))


_KEY_BEFORE = re.compile(r"(\w+)[\"']?:\s*\Z")


def _deleted(source: Source, found: Finding, span: Span) -> Patch | None:
    """Without a character that nobody sees. A ligature is letters."""
    text = source.text[span.start : span.end]
    return Patch(span, normalize("NFKC", text) if text.isalpha() else "")


def _without_controls(source: Source, found: Finding, span: Span) -> Patch:
    """Without all control characters, which have one finding."""
    # The finding is about the first one only, and would come back for each of the others.
    end = max(match.end() for match in FORBIDDEN.finditer(source.text))
    return Patch(Span(span.start, end), FORBIDDEN.sub("", source.text[span.start : end]))


def _are_unseen(source: Source, found: Finding, patch: Patch) -> bool:
    """Whether control characters part no words and stand for no letters: some programs write their quotes and dashes as
    control characters, and others break lines with them."""
    places = FORBIDDEN.finditer(source.text, patch.span.start, patch.span.end)
    return not any(_LOST.match(one[0]) or _BETWEEN.match(source.text, one.start() - 1) for one in places)


_LOST = re.compile("[\x0b\x0c\x1c-\x1f\x80-\x9f\ud800-\udfff\ufffe\uffff]")
_BETWEEN = re.compile(r"\w[\x00-\x1f\x7f]+\w")


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
_OF_GAMES = ("unknown-name", "unknown-type", "unknown-field", "wrong-value")
"""Names that a spec declares itself."""
_OF_SOUND_FILES = ("old-format", "ignore-unused")
"""Findings that follow from errors, too: of the line with the format, or of what hides the finding to be ignored."""

FIXES: dict[str, Fix] = {
    fix.name: fix
    for fix in (
        *(Fix(name, _NAME, _meant, sure=_is_misspelt) for name in _UNKNOWN),
        Fix("old-format", "lift the file to the present format", _lifted),
        Fix("needs-quotes", "put quotes round the text", _in_quotes, sure=_is_text),
        Fix("ambiguous-scalar", "put quotes round the value", _in_quotes),
        Fix("control-character", "delete all control characters", _without_controls, sure=_are_unseen),
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
