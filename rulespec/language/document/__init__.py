"""Parses YAML text into nodes with source positions, and findings."""

from __future__ import annotations

import re
from collections import abc
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from unicodedata import normalize

import yaml

from rulespec.base.characters import IMPOSTORS
from rulespec.base.diagnostics import Finding, Related, Span, finding, related
from rulespec.base.messages import Message, say
from rulespec.base.source import Source, control_characters
from rulespec.language.document import places
from rulespec.language.document.loader import LOADER
from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence
from rulespec.language.document.places import short
from rulespec.language.document.scalars import bounded, resolve, value_findings
from rulespec.language.document.slips import as_meant, impostor, impostors, slips
from rulespec.language.document.syntax import mark, syntax_finding
from rulespec.language.document.text_checks import escaped_controls
from rulespec.language.document.unquoted import rejoined, unquoted, where_it_stopped

__all__ = ["MAX_DEPTH", "MAX_NODES", "parse"]

MAX_DEPTH = 64
MAX_NODES = 200_000
_USUAL = 400_000
"""Characters of a text that is remembered, at most: the nodes of a larger one take much memory."""

_NUMBER_SIGN = re.compile(r"[ \t]+#\w[^\n]*")  # a comment has a space after the sign, or another sign
# YAML 1.1 breaks lines at these, and editors do not: every line number after one would be wrong.
_SEPARATOR = re.compile("[\x85\u2028\u2029]")


def parse(source: Source) -> tuple[Node | None, list[Finding]]:
    """The root node of a YAML text and everything wrong with its YAML. Never raises for bad text.

    The node is None if further checks would only report consequences: after a syntax error, an alias, a merge key,
    control characters, too many levels or nodes, or if the file has no value. The texts read last are remembered: a
    check reads a file more than once, an editor at every keystroke.
    """
    root, found = _remembered(source) if len(source.text) <= _USUAL else _parsed(source)
    # A copy: callers add findings to it, and the list that is remembered is shared.
    return root, list(found)


@lru_cache(maxsize=24)
def _remembered(source: Source) -> tuple[Node | None, list[Finding]]:
    return _parsed(source)


def _parsed(source: Source) -> tuple[Node | None, list[Finding]]:
    unusable = [*control_characters(source), *_line_separators(source)]
    if unusable:
        return None, unusable
    builder = _Builder(source)
    try:
        for event in yaml.parse(source.text, Loader=LOADER):
            builder.take(event)
    except _StopReading:
        pass
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # the last two: the Python loader on wild escapes
        builder.fail(error)
    return builder.result(), builder.findings


def _line_separators(source: Source) -> abc.Iterator[Finding]:
    places = [found.start() for found in _SEPARATOR.finditer(source.text)]
    if places:
        what = say("The invisible line separator U+{code:04X} is here", code=ord(source.text[places[0]]))
        more = say(", and {number} more follow.", number=len(places) - 1) if len(places) > 1 else say(".")
        hint = say("Replace it with a line break or a space.")
        yield finding("line-separator", what + more, source, Span(places[0], places[0] + 1), hint)


# --- from YAML events to nodes -------------------------------------------------------------------------------------


class _StopReading(Exception):
    """Raised to stop parsing: what follows cannot be parsed reliably."""


@dataclass
class _Open:
    """A list or mapping that the parser has not finished."""

    event: Any
    children: list[Node] = field(default_factory=list)


class _Builder:
    """Builds nodes from parser events on a stack of its own.

    PyYAML's composer would follow aliases into cycles and, in its Python form, recurse once per bracket.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.findings: list[Finding] = []
        self.stopped = False
        self._root: Node | None = None
        self._stack: list[_Open] = []
        self._documents = 0
        self._nodes = 0

    def result(self) -> Node | None:
        empty = self._root is None or (isinstance(self._root, Scalar) and self._root.text == self._root.style == "")
        if self.stopped or not empty:
            return None if self.stopped else self._root
        hint = say("Write the spec here; perhaps everything is commented out.")
        self._say("empty-document", say("The file holds no value, only comments or blank lines."), Span(0, 0), hint)
        return None

    def fail(self, error: Exception) -> None:
        """Stores the finding for an exception of the parser. The most frequent cause is a text without quotes."""
        self.stopped = True
        opened = next((item.event.start_mark.index for item in self._stack if item.event.flow_style), None)
        wrong = mark(error, "problem_mark")
        found = [*impostors(self.source, wrong)] or [*slips(self.source, wrong, opened)]
        found = found or where_it_stopped(self.source, wrong, opened)
        self.findings.extend(found or [syntax_finding(self.source, error)])

    def take(self, event: Any) -> None:
        if isinstance(event, yaml.DocumentStartEvent):
            self._document(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._close(event)
        elif isinstance(event, yaml.NodeEvent):
            self._count(event)
            self._refuse_marks(event)
            if isinstance(event, yaml.CollectionStartEvent):
                self._stack.append(_Open(event))
            else:
                self._add(self._scalar(event))

    def _say(self, name: str, message: Message, span: Span, hint: Message, others: abc.Iterable[Related] = ()) -> None:
        self.findings.append(finding(name, message, self.source, span, hint, related=others))

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            hint = say("Move it to a file of its own, or delete the line.")
            place = places.span(event)
            self._say("multiple-documents", say("A second document begins here; one file holds one spec."), place, hint)
            raise _StopReading

    def _count(self, event: Any) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            hint = say("Check that this is the right file; equal cards are written once, with a number of copies.")
            self._give_up(
                "too-many-nodes",
                say("The file holds more than {max_nodes:,} values.", max_nodes=MAX_NODES),
                event,
                hint,
            )
        if len(self._stack) >= MAX_DEPTH and isinstance(event, yaml.CollectionStartEvent):
            message = say("Lists and mappings are nested more than {max_depth} levels deep here.", max_depth=MAX_DEPTH)
            self._give_up("nested-too-deep", message, event, say("Give the inner parts names of their own."))

    def _give_up(self, name: str, message: Message, event: Any, hint: Message) -> None:
        self.stopped = True
        self._say(name, message, Span(event.start_mark.index, event.start_mark.index + 1), hint)
        raise _StopReading

    def _refuse_marks(self, event: Any) -> None:
        if isinstance(event, yaml.AliasEvent):
            message = say("The alias *{short} is not allowed in a spec.", short=short(event.anchor or ""))
            self._say("yaml-alias", message, places.span(event), say("Write the value out."))
            self.stopped = True
        elif event.anchor is not None:
            message = say("The anchor &{anchor} is not allowed in a spec.", anchor=short(event.anchor))
            place = places.mark_span(self.source.text, event, "&")
            self._say("yaml-anchor", message, place, say("Delete it; a text that begins with & needs quotes."))
        if getattr(event, "tag", None) is not None:
            place = places.mark_span(self.source.text, event, "!")
            self._say(
                "yaml-tag",
                say(
                    "The tag {source} is not allowed in a spec.",
                    source=short(self.source.text[place.start : place.end]),
                ),
                place,
                say("Delete it; to make something a text, put it in quotes."),
            )

    def _add(self, node: Node) -> None:
        if self._stack:
            self._stack[-1].children.append(node)
        else:
            self._root = node

    def _scalar(self, event: Any) -> Scalar:
        if isinstance(event, yaml.AliasEvent):
            return Scalar(places.span(event), f"*{event.anchor}", f"*{event.anchor}", "'", self.source)
        span = places.scalar_span(self.source.text, event)
        style = event.style or ""
        if style or event.tag is not None:
            scalar = Scalar(span, event.value, event.value, style, self.source)
            self.findings.extend(escaped_controls(scalar))
            return scalar
        self.findings.extend(self._cut_by_a_comment(span))
        value = resolve(event.value)
        self.findings.extend(value_findings(value, event.value, span, self.source))
        return Scalar(span, bounded(value), event.value, style, self.source)

    def _cut_by_a_comment(self, span: Span) -> abc.Iterator[Finding]:
        """The finding for a text of block style that a number sign ends, as in `title: Player #1`."""
        cut = _NUMBER_SIGN.match(self.source.text, span.end)
        if cut and span.start < span.end and not any(item.event.flow_style for item in self._stack):
            whole = Span(span.start, cut.end() - len(cut[0]) + len(cut[0].rstrip()))
            yield unquoted(self.source, whole, " #")

    def _close(self, event: Any) -> None:
        opened = self._stack.pop()
        children = tuple(opened.children)
        if opened.event.flow_style:
            children = tuple(self._rejoined(children, "{" if isinstance(event, yaml.MappingEndEvent) else "["))
        if opened.event.flow_style or not children:
            span = Span(opened.event.start_mark.index, event.end_mark.index)
        else:  # the parser ends a block only where the next token begins, after blank lines and comments
            span = Span(opened.event.start_mark.index, children[-1].span.end)
        if isinstance(event, yaml.SequenceEndEvent):
            self._add(Sequence(span, children, self.source))
        else:
            self._add(Mapping(span, tuple(self._entries(children)), self.source))

    def _rejoined(self, children: tuple[Node, ...], inside: str) -> abc.Iterator[Node]:
        width = 2 if inside == "{" else 1
        for entry in rejoined(children, inside):
            if len(entry) > width:
                # A text that its comma ends lacks quotes, unless what follows would be an
                # entry of its own if a character did not look like another
                span = entry[width - 1].span
                found = IMPOSTORS.search(self.source.text, span.start, span.end)
                meant = as_meant(self.source.text[span.start : span.end]) if found is not None else ""
                if found is not None and not parse(Source("", f"{{a: {meant}}}" if inside == "{" else f"[{meant}]"))[1]:
                    self.stopped = True
                    self.findings.append(impostor(self.source, found.start()))
                else:
                    self.findings.append(unquoted(self.source, span, ",", inside))
            yield from entry[:width]

    def _entries(self, children: tuple[Node, ...]) -> abc.Iterator[tuple[Scalar, Node]]:
        first: dict[str, Scalar] = {}
        for key, value in zip(children[::2], children[1::2], strict=True):
            if not isinstance(key, Scalar) or not _is_name(key):
                self._refuse_key(key)
            elif key.text == "<<" and key.style == "":
                self._refuse_merge(key)
            else:
                # In one Unicode form, as `Mapping.get` looks keys up: both forms of a letter look the same.
                self._compare(key, first.setdefault(normalize("NFC", key.text), key))
                yield key, value

    def _compare(self, key: Scalar, first: Scalar) -> None:
        if key is not first:
            line = self.source.position(first.span.start).line
            message = say("The key {key} is already at line {line} of this mapping.", key=short(key.text), line=line)
            others = [related(say("The first `{name}`.", name=short(key.text)), self.source, first.span)]
            self._say("duplicate-key", message, key.span, say("Delete one of the two, or join them."), others)

    def _refuse_key(self, key: Node) -> None:
        message = say("A list or mapping cannot be a key.")
        if isinstance(key, Scalar):
            message = (
                say("The key {key} is not a text.", key=short(key.text)) if key.text else say("The key is missing.")
            )
        self._say("key-not-text", message, key.span, say("Use a name, or put quotes round it."))

    def _refuse_merge(self, key: Scalar) -> None:
        self._say(
            "yaml-merge-key", say("The merge key << is not allowed in a spec."), key.span, say("Write the entries out.")
        )
        self.stopped = True


def _is_name(key: Scalar) -> bool:
    # Tables are keyed by player count. A whole number written the usual way can only be meant as that name.
    whole = isinstance(key.value, int) and not isinstance(key.value, bool) and str(key.value) == key.text
    return isinstance(key.value, str) or whole
