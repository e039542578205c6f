"""Edits of a YAML file that change single values and keep everything else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Mapping as Texts
from dataclasses import dataclass

from rulespec.base.diagnostics import Span
from rulespec.base.source import Source
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Scalar, at
from rulespec.language.document.nodes import Sequence as List
from rulespec.language.document.patches import Patch, after, column, is_flow, line_break, patched
from rulespec.text.output.exchange.units import EXAMPLES, keys

_PARTS = ("title", "text", "status")


def written(source: Source, known: Texts[str, str], changed: Texts[str, str]) -> str:
    """The text of a translation file with `changed` texts by unit id; `known` are its present texts.

    A new key is added at the end of its passage, a new passage at the end of its block.
    """
    root, _ = parse(source)
    assert isinstance(root, Mapping), "a translation has been read from it"
    edits = [_change(source, root, keys(id_), text) for id_, text in changed.items() if id_ in known]
    new = {keys(id_): text for id_, text in changed.items() if id_ not in known}
    # These leave `new`, so that what is left are passages that the file does not have.
    there = [path for path in new if "/".join([*path[:2], "text"]) in known]
    edits += [_line(source, root, path, new.pop(path)) for path in there]
    edits += [_addition(source, root, block, new) for block in ("rules", "rulings") if any(p[0] == block for p in new)]
    return patched(source.text, edits)


def _change(source: Source, root: Mapping, path: tuple[str, ...], text: str) -> Patch:
    steps = _steps(root, path)
    parents = [at(root, steps[:depth]) for depth in range(len(steps))]
    old, parent = at(root, steps), parents[-1]
    assert isinstance(old, Scalar) and isinstance(parent, Mapping)
    flow = any(is_flow(source, node) for node in parents)
    # Whether a line break follows decides how YAML reads the end of a block.
    follows = source.text[old.span.end : old.span.end + 1] and "\n"
    place = ScalarContext(flow, _indent(source, old, parent, str(steps[-1])), line_break(source), follows)
    return Patch(old.span, rewritten(old, text, place))


def _steps(root: Mapping, path: tuple[str, ...]) -> tuple[str | int, ...]:
    """The keys and indices that lead to a value: to the text of an example by its place in the list."""
    if EXAMPLES not in path[2:3]:
        return path
    examples = at(root, path[:3])
    assert isinstance(examples, List), "an example has been read from it"
    cases = (at(one, ("case",)) for one in examples.items)
    return (*path[:3], [one.text for one in cases if isinstance(one, Scalar)].index(path[3]), "text")


def _indent(source: Source, old: Scalar, parent: Mapping, name: str) -> int:
    """The indentation of a literal block: as before, or two more than its key."""
    first = next((i for i, sign in enumerate(old.text) if sign != "\n"), 0)
    key = parent.key(name)
    assert key is not None
    deeper = column(source, key) + 2
    depth = source.position(old.offset(first)).column - 1
    return depth if old.style == "|" and old.offset(first) > old.span.start and depth else deeper


def _line(source: Source, root: Mapping, path: tuple[str, ...], value: str) -> Patch:
    """Adds a one-line key to a passage."""
    passage = at(root, path[:2])
    assert isinstance(passage, Mapping)
    flow = any(is_flow(source, at(root, path[:depth])) for depth in range(3))
    line = f"{path[-1]}: {fresh(value, ScalarContext(flow, 0, line_break(source)), block=False)}"
    if flow:
        return Patch(_before_bracket(passage), _comma(source, passage) + line)
    return Patch(after(source, passage), line_break(source) + " " * column(source, passage.entries[0][0]) + line)


def _addition(source: Source, root: Mapping, block: str, new: dict[tuple[str, ...], str]) -> Patch:
    """Adds passages to a block, or the whole block if the file has none."""
    passages: dict[str, dict[str, str]] = {}
    for path, text in new.items():
        if path[0] == block:
            passages.setdefault(path[1], {})[path[2]] = text
    there = root.get(block)
    node = there if isinstance(there, Mapping) else root
    if is_flow(source, root) or is_flow(source, node):
        return _in_brackets(source, node, "" if node is there else block, passages)
    lines = [] if node is there else ["", f"{block}:"]
    depth = column(source, node.entries[0][0]) + (0 if node is there else 2)
    for id_, parts in passages.items():
        lines += [""] if node is there and _is_airy(source, node) else []
        lines += _passage(source, id_, parts, depth)
    return Patch(after(source, node), "".join(line_break(source) + line for line in lines))


def _passage(source: Source, id_: str, parts: dict[str, str], depth: int) -> Iterator[str]:
    place = ScalarContext(False, depth + 4, line_break(source))
    yield " " * depth + fresh(id_, place, block=False) + ":"
    for part in sorted(parts, key=_PARTS.index):
        yield " " * (depth + 2) + f"{part}: " + fresh(parts[part], place, block=part == "text")


def _in_brackets(source: Source, node: Mapping, block: str, passages: dict[str, dict[str, str]]) -> Patch:
    place = ScalarContext(True, 0, line_break(source))
    written = ", ".join(
        f"{fresh(id_, place, block=False)}: {{"
        + ", ".join(f"{part}: {fresh(parts[part], place, block=False)}" for part in _PARTS if part in parts)
        + "}"
        for id_, parts in passages.items()
    )
    return Patch(_before_bracket(node), _comma(source, node) + (f"{block}: {{{written}}}" if block else written))


def _before_bracket(node: Mapping) -> Span:
    return Span(node.span.end - 1, node.span.end - 1)


def _comma(source: Source, node: Mapping) -> str:
    return "" if source.text[: node.span.end - 1].rstrip().endswith(("{", ",")) else ", "


def _is_airy(source: Source, node: Mapping) -> bool:
    """Whether a blank line precedes the last entry of a block."""
    line = source.position(node.entries[-1][0].span.start).line
    return len(node.entries) > 1 and not source.line(line - 1).strip()


_ESCAPED = re.compile('[\\\\"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]')
_HEADER = re.compile(r"[|>][-+0-9]*(?P<comment>[ \t]+#[^\r\n]*)?")
_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


@dataclass(frozen=True)
class ScalarContext:
    """The context of a scalar: inside flow brackets or not, the indentation, the line break, and what follows it."""

    flow: bool
    indent: int
    line_break: str
    after: str = "\n"


def rewritten(old: Scalar, text: str, place: ScalarContext) -> str:
    """`text` as a replacement for a scalar, in the same style if that style can represent it."""
    rest = re.match(r"[^\r\n]*", old.source.text[old.span.end :])
    if place.flow or ("\n" not in text and old.style not in ("|", ">")):
        return _first(text, place, _one_line(text, old.style))
    if old.style not in ("|", ">") and rest and rest[0].strip():
        return quoted(text)  # a comment follows: it would become part of the block
    header = _HEADER.match(old.source.text, old.span.start)
    return _first(text, place, literal(text, place, (header and header["comment"]) or ""))


def fresh(text: str, place: ScalarContext, block: bool) -> str:
    """`text` as a new scalar; as a literal block if `block`."""
    if block and not place.flow:
        return _first(text, place, literal(text, place, ""))
    return _first(text, place, text)


def literal(text: str, place: ScalarContext, comment: str) -> str:
    """A literal block with `comment` after its indicator."""
    lines = text.removesuffix("\n").split("\n")
    body = [" " * place.indent + line if line else "" for line in lines]
    return place.line_break.join([("|" if text.endswith("\n") else "|-") + comment, *body])


def quoted(text: str) -> str:
    """A text in double quotes on one line, the style that can represent every text."""
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    sign = found[0]
    return _SHORT.get(sign) or (f"\\x{ord(sign):02x}" if ord(sign) < 256 else f"\\u{ord(sign):04x}")


def _one_line(text: str, style: str) -> str:
    if style == "'":
        return "'" + text.replace("'", "''") + "'"
    return quoted(text) if style == '"' else text


def _first(text: str, place: ScalarContext, wanted: str) -> str:
    return wanted if _says(wanted, text, place) else quoted(text)


def _says(written: str, text: str, place: ScalarContext) -> bool:
    """Whether YAML reads `written` as the text, without findings."""
    line = f"{{k: {written}}}" if place.flow else f"k: {written}{place.after}"
    root, found = parse(Source("", line))
    value = root.get("k") if isinstance(root, Mapping) and not found and len(root.entries) == 1 else None
    return isinstance(value, Scalar) and value.value == value.text == text
