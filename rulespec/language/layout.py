"""The canonical layout of YAML files: the same nodes, styles and comments, with even indentation and short lines.

Alignment in columns stays: it is how people write tables. A pass that would change a node or a comment is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rulespec.base.diagnostics import Span
from rulespec.base.failure import Refusal
from rulespec.base.source import Source
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence

__all__ = ["WIDTH", "Refusal", "comments", "formatted"]

WIDTH = 120
"""The length of a line in code points, at most. Comments, literal texts and long words may be longer."""

_INDENT = 2
_LONGEST_ENTRY = WIDTH // 2
"""The characters of an entry of a row, at most: a mapping with a longer one has a line for each."""
_BREAK = re.compile(r"\r\n|\r|\n")
_NO_START = frozenset("#-?:,[]{}&*!|>'\"%@`")
"""Characters that a line inside a plain scalar does not begin with: they may mean something there."""

Edit = tuple[int, int, str]
"""The offsets of a piece of text, and what takes its place."""


def formatted(source: Source) -> Source:
    """The file in canonical layout. Formatting it again changes nothing. Raises Refusal if it is no correct YAML."""
    root, found = parse(source)
    if root is None:
        place = f"{source.path}:{found[0].start.line}:{found[0].start.column}" if found else source.path
        reason = found[0].message if found else "The file has no value."
        raise Refusal(f"{place}: {reason}", found[0].hint if found else "")
    end = _BREAK.search(source.text)
    for change in _PASSES:
        for _ in range(_MOST_ROUNDS):
            after = _kept(source, change)
            if after.text == source.text:
                break
            source = after
    return Source(source.path, source.text.replace("\n", "\r\n")) if end and end[0] == "\r\n" else source


_MOST_ROUNDS = 64
"""How often a pass is repeated, at most: it opens the levels of a node one by one, and there are 64 of them."""


def _kept(source: Source, change: Callable[[Node], str]) -> Source:
    """The file after a pass, or as it is if the pass would change more than the layout."""
    root, _ = parse(source)
    assert root is not None
    after = Source(source.path, change(root))
    now, _ = parse(after)
    # What a pass takes for layout may be content in a corner of YAML; the parser decides.
    same = now is not None and _said(now) == _said(root) and comments(now) == comments(root)
    return after if same else source


def _said(node: Node) -> object:
    """The content of a node, without its layout. A plain scalar may be one line or several."""
    if isinstance(node, Scalar):
        return node.style, node.text
    if isinstance(node, Sequence):
        return [_said(item) for item in node.items]
    return [(_said(key), _said(value)) for key, value in node.entries]


def comments(root: Node) -> list[str]:
    """The comments around the nodes of a document, in order."""
    text, at, found = root.source.text, 0, []
    # Only between scalars: inside of one, `#` is part of its text.
    for scalar in (*_scalars(root), None):
        end = scalar.span.start if scalar is not None else len(text)
        found += [match[0].rstrip() for match in re.finditer(r"#[^\r\n]*", text[at:end])] if end > at else []
        at = max(at, scalar.span.end) if scalar is not None else at
    return found


def _scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    else:
        for child in _children(node):
            yield from _scalars(child)


def _children(node: Mapping | Sequence) -> Iterator[Node]:
    if isinstance(node, Sequence):
        yield from node.items
    else:
        for entry in node.entries:
            yield from entry


def _is_flow(node: Node) -> bool:
    return not isinstance(node, Scalar) and node.source.text[node.span.start : node.span.start + 1] in ("{", "[")


def _edited(text: str, edits: list[Edit]) -> str:
    # From the end of the text, so that the offsets of the edits before stay right.
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


# --- lines -----------------------------------------------------------------------------------------------------------


def _clean_lines(root: Node) -> str:
    """No spaces at the ends of lines, no two blank lines in a row, and one line break at the end, outside of texts."""
    inside = _inner_lines(root)
    lines: list[str] = []
    for number, line in enumerate(_BREAK.split(root.source.text), 1):
        line = line if number in inside else line.rstrip(" \t")
        if line or number in inside or (lines and lines[-1]):
            lines.append(line)
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join(lines) + "\n"


def _inner_lines(root: Node) -> set[int]:
    """The lines of scalars but their first ones."""
    position = root.source.position
    spans = [one.span for one in _scalars(root)]
    return {n for span in spans for n in range(position(span.start).line + 1, position(span.end).line + 1)}


# --- indentation -----------------------------------------------------------------------------------------------------


def _indented(root: Node) -> str:
    """Two spaces for each level; a list in a mapping is one level deeper than its key."""
    source = root.source
    wanted: dict[int, int] = {}
    edits = list(_levels(root, 0, wanted))
    inside = _inner_lines(root)
    lines = [source.line(number) for number in range(1, source.line_count + 1)]
    now = {number: len(line) - len(line.lstrip(" ")) for number, line in enumerate(lines, 1)}
    for number, line in enumerate(lines, 1):
        if line.strip():
            indent = wanted.get(number, _beside(number, line, now, wanted, number in inside))
            start = source.line_start(number)
            edits.append((start, start + now[number], " " * indent))
    return _edited(source.text, [edit for edit in edits if source.text[edit[0] : edit[1]] != edit[2]])


def _levels(node: Node, indent: int, wanted: dict[int, int]) -> Iterator[Edit]:
    """Notes the indentation of the lines that begin with an entry or an item of a node in block layout; and edits that
    put an item one space behind its dash."""
    if isinstance(node, Scalar) or _is_flow(node):
        return
    text, position = node.source.text, node.source.position
    starts = [key.span.start for key, _ in node.entries] if isinstance(node, Mapping) else []
    if isinstance(node, Sequence):
        for item in node.items:
            dash = text.rfind("-", 0, max(item.span.start, 1))
            starts.append(dash)
            if text[dash + 1 : item.span.start].strip(" ") == "" and item.span.end > item.span.start:
                yield dash + 1, item.span.start, " "
    for start in starts:
        line = position(start).line
        if not text[node.source.line_start(line) : start].strip():
            wanted[line] = indent
    for value in node.items if isinstance(node, Sequence) else [value for _, value in node.entries]:
        yield from _levels(value, indent + _INDENT, wanted)


def _beside(number: int, line: str, now: dict[int, int], wanted: dict[int, int], inside: bool) -> int:
    """The indentation of a line without an entry: it moves with the entry it continues, or that a comment is about."""
    before = [one for one in wanted if one < number]
    after = [one for one in wanted if one > number]
    owner = max(before, default=min(after, default=number))
    if line.lstrip().startswith("#") and not inside:
        same = [one for one in (*after[:1], *reversed(before)) if now[one] == now[number]]
        owner = next(iter(same), min(after, default=owner))
    return max(0, now[number] + wanted.get(owner, now[owner]) - now[owner])


# --- brackets --------------------------------------------------------------------------------------------------------


def _spaced(root: Node) -> str:
    """In brackets: no space inside of them, none before a comma, one at least behind a comma and a colon."""
    return _edited(root.source.text, [edit for edit in _gaps(root) if edit[0] <= edit[1]])


def _gaps(node: Node) -> Iterator[Edit]:
    if isinstance(node, Scalar):
        return
    if _is_flow(node) and (children := list(_children(node))):
        text = node.source.text
        edges = [node.span.start + 1, *(end for one in children for end in (one.span.start, one.span.end))]
        edges.append(node.span.end - 1)
        for number, (start, end) in enumerate(zip(edges[::2], edges[1::2], strict=True)):
            new = _gap(text[start:end], number == 0, number == len(children))
            if new != text[start:end]:
                yield start, end, new
    for child in _children(node):
        yield from _gaps(child)


def _gap(text: str, first: bool, last: bool) -> str:
    """What stands between two nodes in brackets; anything with a line break or a comment stays."""
    bare = text.strip(" ")
    if any(sign in text for sign in "\r\n#\t") or bare not in ("", ",", ":"):
        return text
    if first or last:
        return bare
    behind = len(text) - len(text.rstrip(" "))
    return bare + " " * max(1, behind) if bare else text


# --- long lines ------------------------------------------------------------------------------------------------------


def _short_lines(root: Node) -> str:
    """Brackets and texts in lines that are too long, on several lines."""
    edits = (_wrapped(node, indent) for node, indent in _values(root, 0) if _is_wide(node))
    return _edited(root.source.text, [edit for edit in edits if edit is not None])


def _values(node: Node, indent: int) -> Iterator[tuple[Node, int]]:
    """The scalars and brackets in block layout, each with the indentation of what stands below it."""
    if isinstance(node, Scalar) or _is_flow(node):
        yield node, indent
    else:
        for value in node.items if isinstance(node, Sequence) else [value for _, value in node.entries]:
            yield from _values(value, indent + _INDENT)


def _is_wide(node: Node) -> bool:
    first, last = (node.source.position(at).line for at in (node.span.start, node.span.end))
    return any(len(node.source.line(number)) > WIDTH for number in range(first, last + 1))


def _wrapped(node: Node, indent: int) -> Edit | None:
    """The edit that puts a node on several lines; None if it has to stay as it is."""
    if isinstance(node, Scalar):
        # A scalar with its words on other lines, which reads the same. Blank lines and escaped breaks are part of it.
        text = re.sub(r"(?<![\\\n]) *\n *(?!\n)", " ", _slice(node, indent))
        if node.style in ("|", ">") or "\n" in text:
            return None
        at = node.source.position(node.span.start).column - 1
        words = re.split(r"(?<=[^ \\]) (?=[^ ])", text)
        new = _joined(words, at, indent, lambda before, after: bool(node.style) or _may_break(before, after))
        return (node.span.start, node.span.end, new) if new != _slice(node, indent) else None
    if any("#" in text for text in _texts_between(node)):
        return None
    return _filled(node, indent) if _is_row(node) else _opened(node, indent)


def _texts_between(node: Node) -> Iterator[str]:
    """What stands between the scalars of a node: brackets, commas and comments."""
    text, at = node.source.text, node.span.start
    for scalar in _scalars(node):
        yield text[at : scalar.span.start]
        at = scalar.span.end
    yield text[at : node.span.end]


def _is_row(node: Mapping | Sequence) -> bool:
    """Whether a list, or a mapping in a list, has plain values and lists of them only, such as a row of cards."""
    if isinstance(node, Sequence):
        return all(isinstance(one, Scalar) or _is_short(one) for one in node.items)
    in_list = node.source.text[: node.span.start].rstrip(" ").endswith("-")
    short = all(value.span.end - key.span.start <= _LONGEST_ENTRY for key, value in node.entries)
    return in_list and short and all(isinstance(value, Scalar) or _is_short(value) for _, value in node.entries)


def _is_short(node: Node) -> bool:
    return isinstance(node, Sequence) and all(isinstance(one, Scalar) for one in node.items)


def _opened(node: Mapping | Sequence, indent: int) -> Edit | None:
    """A node in brackets as one in block layout."""
    margin = "\n" + " " * indent
    if isinstance(node, Sequence):
        parts = [f"- {_slice(item, indent)}" for item in node.items]
    else:
        parts = [f"{_slice(key, indent)}: {_slice(value, indent)}".rstrip() for key, value in node.entries]
    before = node.source.text[: node.span.start].rstrip(" ")
    if before.endswith(":"):
        return len(before), node.span.end, margin + margin.join(parts)
    return (node.span.start, node.span.end, margin.join(parts)) if parts else None


def _filled(node: Mapping | Sequence, indent: int) -> Edit:
    """A node in brackets with as many elements on each line as there is room for."""
    if isinstance(node, Sequence):
        parts, (opening, closing) = [_slice(one, indent) for one in node.items], "[]"
    else:
        parts = [f"{_slice(key, indent)}: {_slice(value, indent)}".rstrip() for key, value in node.entries]
        opening, closing = "{}"
    parts = [f"{part}{',' if number < len(parts) else closing}" for number, part in enumerate(parts, 1)]
    at = node.source.position(node.span.start).column - 1
    return node.span.start, node.span.end, opening + _joined(parts, at + 1, indent, lambda before, after: True)


def _may_break(before: str, after: str) -> bool:
    """Whether a plain scalar may have a line break between two words."""
    return after[0] not in _NO_START and before[-1] not in ":#"


def _joined(parts: list[str], at: int, indent: int, may_break: Callable[[str, str], bool]) -> str:
    """Parts with spaces and line breaks between them; the first line begins at a column, the others at `indent`."""
    lines = [parts[0]]
    room = WIDTH - at
    for part in parts[1:]:
        if len(lines[-1]) + 1 + len(part) > room and may_break(lines[-1], part):
            lines.append(part)
            room = WIDTH - indent
        else:
            lines[-1] += f" {part}"
    return ("\n" + " " * indent).join(lines)


def _slice(node: Node, indent: int) -> str:
    """The text of a node, whose lines but the first are indented more than a level."""
    span: Span = node.span
    first, *others = node.source.text[span.start : span.end].split("\n")
    return ("\n" + " " * (indent + _INDENT)).join([first, *(line.strip(" ") for line in others)])


# Long lines last: the other passes change how long a line is.
_PASSES: tuple[Callable[[Node], str], ...] = (_clean_lines, _indented, _spaced, _short_lines)
