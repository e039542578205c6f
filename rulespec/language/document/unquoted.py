"""Texts that should have quotes: inside {…} and […] a comma ends a text, and a bracket begins a list."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.base.diagnostics import Finding, Span, finding
from rulespec.base.messages import say
from rulespec.base.source import Source
from rulespec.language.document.nodes import Node, Scalar

_KEY = re.compile(r"[A-Za-z_]\w*(?::|\Z)|\d+\Z")
_OPENING, _CLOSING = "“”„«‘‚", "“”»’‘"
_FOLD = re.compile(r"[ \t]*[\r\n]+[ \t]*")


def unquoted(source: Source, span: Span, sign: str, inside: str = "") -> Finding:
    """The finding for a text with a sign that has another meaning without quotes, `inside` a `{` or `[`."""
    text = _straight(source.text[span.start : span.end])
    brackets = "{…}" if inside == "{" else "[…]"
    message = (
        say("Inside {brackets} a text with `{sign}` needs quotes.", brackets=brackets, sign=sign)
        if inside
        else say("A text with `{sign}` needs quotes.", sign=sign)
    )
    simple = len(text) <= 60 and not re.search(r'["\\\n]', text)
    hint = say('Write "{text}".', text=text) if simple else say("Put quotes round all of it.")
    return finding("needs-quotes", message, source, span, hint)


def _straight(text: str) -> str:
    """A text without the typographic quotes around it, which YAML does not know as quotes."""
    return text[1:-1] if len(text) > 1 and text[0] in _OPENING and text[-1] in _CLOSING else text


# --- texts that the parser split without an error --------------------------------------------------------------------


def rejoined(children: tuple[Node, ...], inside: str) -> Iterator[tuple[Node, ...]]:
    """The entries of a flow mapping or list; texts that a comma has cut into several are whole again.

    A mapping comes as keys and values in turn. An entry that was put together holds its text as one more, last item.
    """
    width = 2 if inside == "{" else 1
    entries = [children[i : i + width] for i in range(0, len(children), width)]
    at = 0
    while at < len(entries):
        entry, last = entries[at], _last_piece(entries, at)
        yield entry if last == at else (*entry[:-1], *2 * (_whole(entry[-1], entries[last][0]),))
        at = last + 1


def _last_piece(entries: list[tuple[Node, ...]], at: int) -> int:
    """Where the text that begins as the value of an entry ends: in that entry, or as one of the keys after it."""
    first = entries[at][-1]
    depth = _depth(first)
    while at + 1 < len(entries) and _is_piece(entries[at + 1]) and _cut_off(first, depth, entries[at + 1]):
        at += 1
        depth += _depth(entries[at][0])
    return at


def _depth(node: Node) -> int:
    return node.text.count("(") - node.text.count(")") if isinstance(node, Scalar) else 0


def _cut_off(first: Node, depth: int, following: tuple[Node, ...]) -> bool:
    """Whether what follows must belong to the text: a bracket is open, or it could not be the name of a key, with a
    colon that lacks its space or without one."""
    text = isinstance(first, Scalar) and isinstance(first.value, str)
    no_key = isinstance(following[0], Scalar) and len(following) == 2 and not _KEY.match(following[0].text)
    return _plain(first) and (depth > 0 or (text and no_key))


def _is_piece(entry: tuple[Node, ...]) -> bool:
    return _plain(entry[0]) and (len(entry) == 1 or _without_value(*entry))


def _plain(node: Node) -> bool:
    return isinstance(node, Scalar) and node.style == "" and node.text != ""


def _without_value(key: Node, value: Node) -> bool:
    empty = isinstance(value, Scalar) and value.text == value.style == ""
    return empty and ":" not in key.source.text[key.span.end : value.span.end]


def _whole(first: Node, last: Node) -> Scalar:
    span, source = Span(first.span.start, last.span.end), first.source
    text = _FOLD.sub(" ", source.text[span.start : span.end])
    return Scalar(span, text, text, "", source)


# --- where the parser stopped ----------------------------------------------------------------------------------------

_END = r"[\s\[\]{},]"
# Possessive where a run of blanks could match in several ways, so that time does not grow with its square.
_TOKEN = re.compile(
    r"(?P<gap>\s+|(?<=\s)#[^\n]*)"
    r"""|(?P<quoted>"(?:\\.|[^"\\])*"|'(?:''|[^'])*')"""
    r"|(?P<sign>[\[\]{},])"
    rf"|(?P<colon>:(?={_END}|$))"
    rf"|(?P<plain>(?:[^\s\[\]{{}},:]|:(?!{_END}|$)|[ \t]++(?=[^\s\[\]{{}},:#]))+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_AHEAD = re.compile(r"[ \t]*(.?)")
_COLON = re.compile(rf":(?:{_END}|$)")
_FIRST_BRACKET = re.compile(r"(?:^|[-:] )[ ]*([\[{])")
_VALUE = re.compile(r"[ ]*(?:- +)*[^\s:#]+[ ]*:[ ]+(?=[^\s\"'#{\[&*!|>])")


def where_it_stopped(source: Source, wrong: int, opened: int | None) -> list[Finding]:
    """The texts without quotes on the line where the parser gave up, at offset `wrong`; often empty.

    `opened` is the offset of the outermost bracket that is known to be open there.
    """
    position = source.position(wrong)
    begin, line = source.line_start(position.line), source.line(position.line)
    bracket = _FIRST_BRACKET.search(line)
    start = opened if opened is not None else begin + bracket.start(1) if bracket else None
    if start is not None:
        # Only on that line: the parser has read the lines above without an error.
        return [found for found in _in_brackets(source, start, begin + len(line)) if found.start.line == position.line]
    value = _VALUE.match(line)
    return list(_question(source, begin + value.end(), wrong)) if value else []


def _question(source: Source, start: int, wrong: int) -> Iterator[Finding]:
    """A condition that the parser has cut at its colon, in a value on a line of its own."""
    line = source.line(source.position(start).line)
    text = line[source.position(start).column - 1 :].partition(" #")[0].rstrip()
    if "?" in text[: max(0, wrong - start)]:
        yield unquoted(source, Span(start, start + len(text)), "? :")


def _in_brackets(source: Source, start: int, end: int) -> Iterator[Finding]:
    text, at, last, brackets, value = source.text, start, "", [""], False
    while at < end and (token := _TOKEN.match(text, at)):
        kind, at = str(token.lastgroup), token.end()
        if kind == last == "plain":
            return  # a text over two lines is rather the sign of a bracket that was never closed
        if kind == "plain" and (sign := _cut(text, token, value)):
            at = _end(text, token.start())
            yield unquoted(source, Span(token.start(), at), sign, brackets[-1])
        elif kind == "sign" and token[0] in "[{":
            brackets.append(token[0])
        elif kind == "sign" and token[0] in "]}" and len(brackets) > 1:
            brackets.pop()
        value = kind == "colon" or (value and kind != "sign")
        last = last if kind == "gap" else kind


def _cut(text: str, token: re.Match[str], value: bool) -> str:
    """The sign that ends a text too early, "" if there is none; `value` says that it follows a colon."""
    ahead = _AHEAD.match(text, token.end())
    rest = ahead[1] if ahead else ""
    if rest in ("[", "{"):
        return rest
    if rest == "," and token[0].count("(") > token[0].count(")"):
        return ","
    return "? :" if value and rest == ":" and "?" in token[0] else ""


def _end(text: str, start: int) -> int:
    """The likely intended end of a text: at a comma or colon outside all its brackets."""
    depth, question, at = 0, False, start
    while at < len(text) and text[at] not in "\r\n":
        sign = text[at]
        question |= sign == "?"
        depth += (sign in "([{") - (sign in ")]}")
        colon = not question and _COLON.match(text, at) is not None
        if depth < 0 or (depth == 0 and (sign == "," or colon)):
            break
        at += 1
    return start + len(text[start:at].rstrip())
