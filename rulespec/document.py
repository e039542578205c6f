"""YAML text to nodes that know their place; whatever is wrong comes back as findings."""

from __future__ import annotations

import math
import re
from collections import abc
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias
from unicodedata import normalize

import yaml

from rulespec.catalogue.syntax import UNCLOSED, WORDINGS, Wording
from rulespec.diagnostics import Finding, Span, finding
from rulespec.source import Source, control_characters

MAX_DEPTH = 64
MAX_NODES = 200_000
INT_MIN, INT_MAX = -(2**63), 2**63 - 1

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Value: TypeAlias = str | int | float | bool | None
Node: TypeAlias = "Scalar | Sequence | Mapping"


@dataclass(frozen=True)
class Scalar:
    """A single value. `text` is what was written, without quotes and escapes; `style` is one of '', ', ", | and >."""

    span: Span
    value: Value
    text: str
    style: str
    source: Source = field(repr=False, compare=False)

    @cached_property
    def _offsets(self) -> list[int] | None:
        offsets = _offsets_of(self.source, self.span, self.text, self.style)
        # Better no map than a wrong one: a caret under another character misleads more than one at the start.
        return offsets if len(offsets) == len(self.text) + 1 else None

    def offset(self, index: int) -> int:
        """The source offset of character `index` of `text`; `len(text)` gives the place just after the last.

        Text folded with ">" has no such map: every index gives the start of the scalar.
        """
        if self._offsets is None:
            return self.span.start
        return self._offsets[max(0, min(index, len(self.text)))]

    def value_span(self, start: int, end: int) -> Span:
        """The source span of `text[start:end]`; the whole scalar where there is no exact map."""
        return self.span if self._offsets is None else Span(self.offset(start), self.offset(max(start, end)))


@dataclass(frozen=True)
class Sequence:
    """A list of nodes."""

    span: Span
    items: tuple[Node, ...]
    source: Source = field(repr=False, compare=False)


@dataclass(frozen=True)
class Mapping:
    """Keys and values in the order of the file. Keys are looked up by their text, in Unicode form NFC."""

    span: Span
    entries: tuple[tuple[Scalar, Node], ...]
    source: Source = field(repr=False, compare=False)

    @cached_property
    def _by_key(self) -> dict[str, tuple[Scalar, Node]]:
        return {normalize("NFC", entry[0].text): entry for entry in reversed(self.entries)}

    def get(self, key: str) -> Node | None:
        """The value under `key`; the first one where the key is (wrongly) repeated."""
        entry = self._by_key.get(normalize("NFC", key))
        return entry[1] if entry else None

    def key(self, key: str) -> Scalar | None:
        """The node of the key itself."""
        entry = self._by_key.get(normalize("NFC", key))
        return entry[0] if entry else None

    def items(self) -> abc.Iterator[tuple[str, Node]]:
        return ((key.text, value) for key, value in self.entries)


def parse(source: Source) -> tuple[Node | None, list[Finding]]:
    """The root node of a YAML text and everything wrong with its YAML. Never raises for bad text.

    There is no node where going on would only raise false alarms: after a syntax error, an alias, a merge key,
    nesting or size beyond the limits, control characters, or when the file holds no value.
    """
    unusable = [*control_characters(source), *_line_separators(source)]
    if unusable:
        return None, unusable
    builder = _Builder(source)
    try:
        for event in yaml.parse(source.text, Loader=_LOADER):
            builder.take(event)
    except _StopReading:
        pass
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # the last two: the Python loader on wild escapes
        builder.stopped = True
        builder.findings.append(_syntax_finding(source, error))
    return builder.result(), builder.findings


def plain(node: Node) -> Any:
    """The node as ordinary dicts, lists and values; keys are always text, of repeated keys the first counts."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    result: dict[str, Any] = {}
    for key, value in node.entries:
        result.setdefault(key.text, plain(value))
    return result


def at(node: Node, path: abc.Iterable[str | int]) -> Node:
    """The node a path of keys and list indexes (as jsonschema gives them) leads to, or the deepest that exists."""
    for step in path:
        below = _step(node, step)
        if below is None:
            return node
        node = below
    return node


def key_at(node: Node, path: abc.Iterable[str | int]) -> Node:
    """Like `at`, but the node of the last key rather than of its value; for a list item the item."""
    steps = list(path)
    parent = at(node, steps[:-1])
    if steps and isinstance(parent, Mapping):
        return parent.key(str(steps[-1])) or parent
    return at(node, steps)


def _step(node: Node, step: str | int) -> Node | None:
    if isinstance(node, Mapping):
        return node.get(str(step))
    if isinstance(node, Sequence) and isinstance(step, int) and 0 <= step < len(node.items):
        return node.items[step]
    return None


# --- from YAML events to nodes -------------------------------------------------------------------------------------


class _StopReading(Exception):
    """Nothing after this place can be trusted."""


@dataclass
class _Open:
    """A list or mapping whose end has not come yet."""

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
        hint = "Write the spec here; perhaps everything is commented out."
        self._say("empty-document", "The file holds no value, only comments or blank lines.", Span(0, 0), hint)
        return None

    def take(self, event: Any) -> None:
        if isinstance(event, yaml.DocumentStartEvent):
            self._document(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._close(event)
        elif isinstance(event, yaml.NodeEvent):
            self._count(event)
            self._refuse_marks(event)
            self._open(event)

    def _say(self, name: str, message: str, span: Span, hint: str) -> None:
        self.findings.append(finding(name, message, self.source, span, hint))

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            hint = "Move it to a file of its own, or delete the line."
            place = _span(event)
            self._say("multiple-documents", "A second document begins here; one file holds one spec.", place, hint)
            raise _StopReading

    def _count(self, event: Any) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            hint = "Check that this is the right file; equal cards are written once, with a number of copies."
            self._give_up("too-many-nodes", f"The file holds more than {MAX_NODES:,} values.", event, hint)
        if len(self._stack) >= MAX_DEPTH and isinstance(event, yaml.CollectionStartEvent):
            message = f"Lists and mappings are nested more than {MAX_DEPTH} levels deep here."
            self._give_up("nested-too-deep", message, event, "Give the inner parts names of their own.")

    def _give_up(self, name: str, message: str, event: Any, hint: str) -> None:
        self.stopped = True
        self._say(name, message, Span(event.start_mark.index, event.start_mark.index + 1), hint)
        raise _StopReading

    def _refuse_marks(self, event: Any) -> None:
        if isinstance(event, yaml.AliasEvent):
            message = f"The alias *{_short(event.anchor or '')} is not allowed in a spec."
            self._say("yaml-alias", message, _span(event), "Write the value out.")
            self.stopped = True
        elif event.anchor is not None:
            message = f"The anchor &{_short(event.anchor)} is not allowed in a spec."
            place = self._mark_span(event, "&")
            self._say("yaml-anchor", message, place, "Delete it; a text that begins with & needs quotes.")
        if getattr(event, "tag", None) is not None:
            place = self._mark_span(event, "!")
            self._say(
                "yaml-tag",
                f"The tag {_short(self.source.text[place.start : place.end])} is not allowed in a spec.",
                place,
                "Delete it; to make something a text, put it in quotes.",
            )

    def _mark_span(self, event: Any, sign: str) -> Span:
        start = max(self.source.text.find(sign, event.start_mark.index), event.start_mark.index)
        found = _MARK.match(self.source.text, start)
        return Span(start, found.end() if found else start + 1)

    def _open(self, event: Any) -> None:
        if isinstance(event, yaml.CollectionStartEvent):
            self._stack.append(_Open(event))
        else:
            self._add(self._scalar(event))

    def _add(self, node: Node) -> None:
        if self._stack:
            self._stack[-1].children.append(node)
        else:
            self._root = node

    def _scalar(self, event: Any) -> Scalar:
        if isinstance(event, yaml.AliasEvent):
            return Scalar(_span(event), f"*{event.anchor}", f"*{event.anchor}", "'", self.source)
        span = _scalar_span(self.source.text, event)
        style = event.style or ""
        if style or event.tag is not None:
            return Scalar(span, event.value, event.value, style, self.source)
        value = resolve(event.value)
        self.findings.extend(_value_findings(value, event.value, span, self.source))
        return Scalar(span, _bounded(value), event.value, style, self.source)

    def _close(self, event: Any) -> None:
        opened = self._stack.pop()
        children = tuple(opened.children)
        if opened.event.flow_style or not children:
            span = Span(opened.event.start_mark.index, event.end_mark.index)
        else:  # the parser ends a block only where the next token begins, after blank lines and comments
            span = Span(opened.event.start_mark.index, children[-1].span.end)
        if isinstance(event, yaml.SequenceEndEvent):
            self._add(Sequence(span, children, self.source))
        else:
            self._add(Mapping(span, tuple(self._entries(children)), self.source))

    def _entries(self, children: tuple[Node, ...]) -> abc.Iterator[tuple[Scalar, Node]]:
        first: dict[str, Scalar] = {}
        for key, value in zip(children[::2], children[1::2], strict=True):
            if not isinstance(key, Scalar) or not _is_name(key):
                self._refuse_key(key)
            elif key.text == "<<" and key.style == "":
                self._refuse_merge(key)
            else:
                self._compare(key, first.setdefault(normalize("NFC", key.text), key))
                yield key, value

    def _compare(self, key: Scalar, first: Scalar) -> None:
        if key is not first:
            line = self.source.position(first.span.start).line
            message = f'The key {_short(key.text)} already stands at line {line} in the same mapping.'
            self._say("duplicate-key", message, key.span, "Delete one of the two, or join them.")

    def _refuse_key(self, key: Node) -> None:
        message = "A list or mapping cannot be a key."
        if isinstance(key, Scalar):
            message = f"The key {_short(key.text)} is not a text." if key.text else "The key is missing."
        self._say("key-not-text", message, key.span, "Use a name, or put quotes round it.")

    def _refuse_merge(self, key: Scalar) -> None:
        self._say("yaml-merge-key", "The merge key << is not allowed in a spec.", key.span, "Write the entries out.")
        self.stopped = True


def _is_name(key: Scalar) -> bool:
    # Tables are keyed by player count. A whole number written the usual way can only be meant as that name.
    whole = isinstance(key.value, int) and not isinstance(key.value, bool) and str(key.value) == key.text
    return isinstance(key.value, str) or whole


# --- the values of plain scalars (YAML 1.2 core schema) --------------------------------------------------------------

_CONSTANTS: dict[str, Value] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
# The core schema would also read 010 as ten; YAML 1.1 reads eight, so it stays a text and is warned about.
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]*)|0x[0-9a-fA-F]+|0o[0-7]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_MAX_DIGITS = 40  # more than any 64-bit number has, fewer than Python refuses to read

_IN_WORDS = {"bool": "true or false", "int": "a whole number", "float": "a number", "null": "nothing", "str": "a text"}
_OLDER_IN_WORDS = {**_IN_WORDS, "timestamp": "a date", "value": "a special sign"}
_TYPE_NAMES = {str: "str", int: "int", float: "float", bool: "bool", type(None): "null"}


def resolve(text: str) -> Value:
    """The value of a plain scalar. Whole numbers may lie beyond 64 bits, other numbers may be infinite or NaN."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INT.fullmatch(text):
        return int(text if text[:2] in ("0x", "0o") else text[:_MAX_DIGITS], 0)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _NOT_FINITE.fullmatch(text):
        return float(text.replace(".", ""))
    return text


def _bounded(value: Value) -> Value:
    # A number of the right type keeps the schema from complaining a second time about the same value.
    if isinstance(value, float):
        return value if math.isfinite(value) else 0.0
    if isinstance(value, int) and not isinstance(value, bool):
        return max(INT_MIN, min(value, INT_MAX))
    return value


def _value_findings(value: Value, text: str, span: Span, source: Source) -> abc.Iterator[Finding]:
    shown = _short(text)
    if isinstance(value, float) and not math.isfinite(value):
        hint = "Leave it out, or write the largest number that can occur."
        yield finding("number-not-finite", f"{shown} is not a finite number.", source, span, hint)
    elif value != _bounded(value):
        hint = "If it is a name made of digits, put quotes round it."
        yield finding("number-too-large", f"The number {shown} does not fit in 64 bits.", source, span, hint)
    else:
        yield from _ambiguity(value, text, span, source)


def _ambiguity(value: Value, text: str, span: Span, source: Source) -> abc.Iterator[Finding]:
    shown, ours, older = _short(text), _TYPE_NAMES[type(value)], _older_type(text)
    if ours != older and older in _OLDER_IN_WORDS:
        message = f"{shown} is {_IN_WORDS[ours]} here, but tools of YAML 1.1 read it as {_OLDER_IN_WORDS[older]}."
        hint = f'Put quotes round it: "{shown}".' if ours == "str" else "Write it as an ordinary decimal number."
        yield finding("ambiguous-scalar", message, source, span, hint)


def _older_type(text: str) -> str:
    for tag, pattern in yaml.SafeLoader.yaml_implicit_resolvers.get(text[:1], ()):
        if pattern.match(text):
            return str(tag).rpartition(":")[2]
    return "str"


# --- places ----------------------------------------------------------------------------------------------------------

_MARK = re.compile(r"[&!][^\s,\[\]{}]*")
_MARKS = re.compile(r"(?:[&!]\S*\s*)*")
_SEPARATOR = re.compile("[\x85\u2028\u2029]")

_BR = r"(?:\r\n|\r|\n)"
_BREAK = re.compile(_BR)
_FOLD = rf"(?P<fold>[ \t]*+(?:{_BR}[ \t]*+)++)"
_PIECES = {
    "": re.compile(rf"{_FOLD}|(?P<run>[ \t]++|[^ \t\r\n]++)"),
    "'": re.compile(rf"{_FOLD}|(?P<escape>'')|(?P<run>[ \t]++|[^ \t\r\n']++)"),
    '"': re.compile(
        rf"(?P<join>\\(?:{_BR}[ \t]*+)++)|{_FOLD}"
        r"|(?P<escape>\\(?:x.{2}|u.{4}|U.{8}|.))|(?P<run>[ \t]++|[^ \t\r\n\\]++)"
    ),
}


def _span(event: Any) -> Span:
    return Span(event.start_mark.index, event.end_mark.index)


def _scalar_span(text: str, event: Any) -> Span:
    start, end = event.start_mark.index, event.end_mark.index
    if event.anchor is not None or event.tag is not None:  # the parser counts them in
        found = _MARKS.match(text, start, end)
        start = found.end() if found else start
    if event.style in ("|", ">"):  # the parser counts in the line breaks after it
        end = start + len(text[start:end].rstrip())
    return Span(start, max(start, end))


def _offsets_of(source: Source, span: Span, text: str, style: str) -> list[int]:
    if style == "|":
        return _literal_offsets(source, span.start, text)
    if style in _PIECES:
        quote = len(style)
        return list(_flow_offsets(source.text, Span(span.start + quote, span.end - quote), _PIECES[style]))
    return []


def _flow_offsets(text: str, span: Span, pieces: re.Pattern[str]) -> abc.Iterator[int]:
    for piece in pieces.finditer(text, span.start, span.end):
        if piece.lastgroup == "run":
            yield from range(piece.start(), piece.end())
        elif piece.lastgroup == "escape":
            yield piece.start()
        else:  # one line break reads as a space (or, after a backslash, as nothing), each further one as a break
            breaks = [found.start() for found in _BREAK.finditer(text, piece.start(), piece.end())]
            yield from breaks[1:] or breaks[: piece.lastgroup == "fold"]
    yield span.end


def _literal_offsets(source: Source, start: int, text: str) -> list[int]:
    # Every line of the value is the tail of its line in the source, whatever the indentation.
    offsets: list[int] = []
    first = source.position(start).line + 1
    for number, line in enumerate(text.removesuffix("\n").split("\n") if text else [], first):
        raw = source.line(number) if number <= source.line_count else ""
        if not raw.endswith(line):
            return []
        begin = source.line_start(number) + len(raw) - len(line)
        offsets.extend(range(begin, begin + len(line) + 1))
    if len(offsets) == len(text):
        offsets.append(offsets[-1] + 1 if offsets else start)
    return offsets


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:39] + "…"


def _line_separators(source: Source) -> abc.Iterator[Finding]:
    places = [found.start() for found in _SEPARATOR.finditer(source.text)]
    if places:
        what = f"The invisible line separator U+{ord(source.text[places[0]]):04X} stands here"
        more = f", and {len(places) - 1} more further on." if len(places) > 1 else "."
        hint = "Replace it with a line break or a space."
        yield finding("line-separator", what + more, source, Span(places[0], places[0] + 1), hint)


# --- syntax errors in plain words ------------------------------------------------------------------------------------


def _syntax_finding(source: Source, error: Exception) -> Finding:
    said = f"{getattr(error, 'context', '')}: {getattr(error, 'problem', error)}"
    wrong, begun = _mark(error, "problem_mark"), _mark(error, "context_mark")
    if source.text[wrong : wrong + 1] == "\t" and "quoted" not in said:
        said = "tab character"
    wording = next(row for row in WORDINGS if re.search(row.needle, said))
    if "',' or" in said and source.position(begun).line != source.position(wrong).line:
        wording = UNCLOSED
    return _syntax_at(source, begun if wording.at_start else wrong, wording)


def _syntax_at(source: Source, offset: int, wording: Wording) -> Finding:
    sign = source.text[offset : offset + 1].strip("\r\n")
    span = Span(offset, offset + len(sign))
    return finding("yaml-syntax", wording.message.format(sign=sign), source, span, wording.hint)


def _mark(error: Exception, name: str) -> int:
    mark = getattr(error, name, None) or getattr(error, "problem_mark", None)
    return int(mark.index) if mark else 0
