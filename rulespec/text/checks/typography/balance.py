"""Unbalanced brackets, quotation marks and Markdown marks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping

import regex

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import say
from rulespec.text.checks.typography.folding import Offsets, folded
from rulespec.text.checks.typography.folding import language as language_of
from rulespec.text.checks.typography.layout import Layout, Paragraph, layout_of
from rulespec.text.checks.typography.lists import continued
from rulespec.text.languages.record import Language
from rulespec.text.reading.prose import Prose

_PAIRS = dict(zip("([{（【「『《«“„", ")]}）】」』》»”“", strict=True))
_CLOSERS = {close: open_ for open_, close in _PAIRS.items()}
_TWIN = {"(": "（", "（": "("}
_LIST_NUMBER = regex.compile(r"(?m)^[ \t>#*_-]*(?:\d{1,3}|\p{L}|[IVXivx]{1,5})(?=[)）])")
_INLINE_NUMBER = regex.compile(r"(?<=[\s;,:])(?:\d|\p{Ll})(?=\))")
_REVERSED = {"»": "«»", "”": "”", "’": "’"}
"""Marks that close a quotation, but open one in some languages, with the marks that then close it."""
_OPENS = regex.compile(r"(?<![^\s(\[（—–-])[»”’](?=[\p{L}\p{N}¿¡])")
_SMILEY = regex.compile(r"[:;]-?[()]")
_INCHES = regex.compile(r"\d\"")


def unbalanced_marks(prose: Prose) -> Iterator[Finding]:
    """Unbalanced marks: one finding per mark."""
    layout, turned = layout_of(prose.text), _reversed(language_of(prose))
    by_mark: dict[str, list[Offsets]] = {}
    for start, end in _sentence_groups(layout, language_of(prose)):
        for place in [*_unmatched(layout, start, end, turned), *_markdown(prose.text, start, end)]:
            by_mark.setdefault(prose.text[slice(*place)], []).append(place)
    for mark, places in by_mark.items():
        yield from folded(
            prose,
            "unbalanced-mark",
            places,
            say("“{mark}” has no partner.", mark=mark),
            say("Add the missing mark, or delete this one."),
        )


def _sentence_groups(layout: Layout, language: Language) -> Iterator[Offsets]:
    """The ranges of paragraphs and list items. A paragraph that conversion has split counts as one."""
    follows = {id(second): first for first, second in continued(layout, language)}
    start: int | None = None
    previous: Paragraph | None = None
    for paragraph in layout.paragraphs:
        if paragraph.lines[0].skip:
            continue
        if previous is not None and start is not None and follows.get(id(paragraph)) is not previous:
            yield start, previous.end
            start = None
        start = paragraph.start if start is None else start
        previous = paragraph
    if previous is not None and start is not None:
        yield start, previous.end


def _reversed(language: Language) -> Mapping[str, str]:
    """The marks that may open a quotation as well: those between which the language has its quotations, and those of
    guillemets, which several languages write both ways."""
    opening = language.quotes.show[:1]
    return {mark: close for mark, close in _REVERSED.items() if mark == "»" or mark == opening}


def _unmatched(layout: Layout, start: int, end: int, turned: Mapping[str, str]) -> Iterator[Offsets]:
    first, last = bisect_left(layout.at, start), bisect_left(layout.at, end)
    text = layout.plain[first:last]
    ignored = set(_numbered(text))
    ignored |= {i for match in _SMILEY.finditer(text) for i in range(*match.span())}
    opening = {match.start() for match in _OPENS.finditer(text) if match[0] in turned}
    stack: list[tuple[str, int]] = []
    for i, char in enumerate(text):
        if i in opening:
            stack.append((char, i))
        elif _closes(char, stack) or (stack and char in turned.get(stack[-1][0], "")):
            stack.pop()
        elif i in ignored:
            continue  # "1)" numbers an item, ":)" smiles
        elif char in _PAIRS:
            stack.append((char, i))
        elif char in _CLOSERS:
            if stack and stack[-1][0] == _TWIN.get(_CLOSERS[char]):
                stack.pop()  # （ and ) are a pair with two widths: report the closing mark only
            yield layout.place(first + i, first + i + 1)
    for _, i in stack:
        yield layout.place(first + i, first + i + 1)
    yield from _straight(layout, first, text)


def _numbered(text: str) -> Iterator[int]:
    """Offsets of the brackets of item numbers: `1)` at the start of a line, or `2)` in a line with `1)` or `3)`."""
    heads = list(_LIST_NUMBER.finditer(text))
    yield from (match.end() for match in heads)
    inline = list(_INLINE_NUMBER.finditer(text))
    signs = {match[0].lstrip(" \t>#*_-").lower() for match in (*heads, *inline)}
    for match in inline:
        if {chr(ord(match[0]) - 1), chr(ord(match[0]) + 1)} & signs or (match[0] == "в" and "б" in signs):
            yield match.end()


def _closes(char: str, stack: list[tuple[str, int]]) -> bool:
    # Both „…“ and „…” are used.
    return bool(stack) and (_PAIRS.get(stack[-1][0]) == char or (stack[-1][0] == "„" and char == "”"))


def _straight(layout: Layout, first: int, text: str) -> Iterator[Offsets]:
    at = [i for i, char in enumerate(text) if char == '"']
    if len(at) % 2 and not _INCHES.search(text):
        yield layout.place(first + at[-1], first + at[-1] + 1)


_CODE = regex.compile(r"`[^`\n]*`")
_STARS = regex.compile(r"(?<![*\\])\*{2,3}(?!\*)")
_UNDERSCORE = regex.compile(r"(?<![\w\\])_{1,2}(?=[^\s_])|(?<=[^\s_])_{1,2}(?!\w)|(?<=\p{Han})_(?!\w)")
_TICK = regex.compile(r"(?<![`\\])`(?!`)")


def _markdown(text: str, start: int, end: int) -> Iterator[Offsets]:
    """Emphasis marks and backquotes that occur an odd number of times."""
    piece = text[start:end]
    without_code = _CODE.sub(lambda match: " " * len(match[0]), piece)
    for pattern, where in ((_STARS, without_code), (_UNDERSCORE, without_code), (_TICK, piece)):
        places = [match.span() for match in pattern.finditer(where)]
        if len(places) % 2:
            first, last = places[0], places[-1]
            # A mark before a space cannot open, so it is the unbalanced one.
            wrong = first if piece[first[1] : first[1] + 1].isspace() else last
            yield start + wrong[0], start + wrong[1]
