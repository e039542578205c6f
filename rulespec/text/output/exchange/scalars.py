"""YAML scalars: writes a text in the style that the file already uses."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulespec.base.source import Source
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Scalar

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
