"""Punctuation that is doubled, of the wrong width or beside a wrong space; brackets, quotation marks and Markdown marks
without their other half.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping

import regex

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import say
from rulespec.text.checks.typography.layout import Layout, Offsets, Paragraph, folded, language, layout_of
from rulespec.text.checks.typography.structure import continued
from rulespec.text.languages.dictionaries import is_word
from rulespec.text.languages.record import Language
from rulespec.text.reading.prose import Prose

_WIDE = dict(zip(",.:;!?()", "，。：；！？（）", strict=True))
# Only marks next to Chinese characters: "(King Me!)" after a title, "3:1" and "A1." keep half-width marks.
_NARROW = (
    regex.compile(
        r"(?<=[\p{Han}）」』”》)])(?:[,;!?](?![,;!?])|:(?!\d)|\.(?=[\p{Han}\s]|$)(?!\.))(?=[\p{Han}\s「『（(“\d*A-Za-z]|$)",
        regex.M,
    ),
    regex.compile(r"[,;!?](?=\p{Han})(?<=[\p{L}\d)][,;!?])"),
)
_NARROW_BRACKETS = regex.compile(r"\((?=[^()\n]*\p{Han})[^()\n]*\)")


def narrow_marks(prose: Prose) -> Iterator[Finding]:
    """Half-width marks in Chinese sentences: one finding per text."""
    if language(prose).spaced:
        return
    layout = layout_of(prose.text)
    places = {place for pattern in _NARROW for place in layout.found(pattern)}
    for match in _NARROW_BRACKETS.finditer(layout.plain):
        places |= {layout.place(match.start(), match.start() + 1), layout.place(match.end() - 1, match.end())}
    if places:
        marks = sorted({prose.text[start] for start, _ in places})
        wide = "".join(_WIDE[mark] for mark in marks)
        message = say("Half-width marks ({marks}) are used in Chinese sentences.", marks=" ".join(marks))
        yield from folded(prose, "half-width-mark", places, message, say("Use full-width marks: {wide}.", wide=wide))


# By whether spaces part words.
_DOUBLED = {
    False: regex.compile(
        r"([，；：、])\1+|(?<!。)。。(?!。)|[，；：、][，。；：、]|。[，；：、]|(?<!\.)\.\.(?!\.)|,,+"
    ),
    True: regex.compile(
        r"([,;:])\1+|(?<![./\d])\.\.(?![./\d])|[,;:](?=[.,;:])(?![:;,]\))[.,;:]|\.[;:](?=\s|$)(?<!\b\p{L}{1,4}\.[;:])|[?!][.,](?=\s|$)|!\?!"
    ),
}


def doubled_marks(prose: Prose) -> Iterator[Finding]:
    """Two marks where one is correct."""
    places = layout_of(prose.text).found(_DOUBLED[language(prose).spaced])
    if places:
        message = say("“{prose}”: two marks where one is correct.", prose=prose.text[slice(*places[0])])
        yield from folded(prose, "doubled-mark", places, message, say("Delete one of them."))


_BEFORE = regex.compile(r"(?<=[\p{L}\p{M})»”\"])[ \t]+(?:[,;:!?،؛؟।]|\.(?!\.))(?=\s|$)")
_SPACED = frozenset(";:!?")
"""The marks before which some languages write a space."""
_AFTER = regex.compile(
    r"(?<=[\p{L}\d)»”])[,;](?=\p{L})|(?<=\p{L}{2})[,](?=\d)|(?<=\p{Ll}{2})[.!?:](?=\p{Lu}\p{Ll})|(?<=\p{Ll}{3}):(?=\p{Ll}{2})"
    r"|(?<=[\p{Ll}\d])[)](?=\p{L}{3})(?<=\([^()]{3,}\))"
)
_GLUED_BRACKET = regex.compile(r"(?<=\p{Ll}{2})\((?=[^()\s]+ [^()]*\)|\p{L}{6,}\))")
_BETWEEN_HAN = regex.compile(r"(?<=\p{Han})[ \t]+(?=\p{Han})")
_BEFORE_HAN_MARK = regex.compile(
    r"(?<=[\p{Han}）」』”])[ \t]+(?=[，。；：？！、）」』])|(?<=[，。；：？！、（「『])[ ]+(?=\p{Han})"
)
_LONGEST_LABEL = 8
"""Labels such as 「遊戲準備」 have two to six characters; two more are for brackets."""

_LONGEST_COUNT = 12
"""Characters of a counted thing with its number: 一百二十三個 and the like, with some to spare."""

_CLAUSE = regex.compile(r"[，。；！？]")
_COUNTED = regex.compile(r"[：:]$|(?:\d+|[一二三四五六七八九十百两兩]+)\s?\p{Han}$")


def spacing(prose: Prose) -> Iterator[Finding]:
    """Missing and superfluous spaces next to punctuation, and spaces between Han characters."""
    layout = layout_of(prose.text)
    if not language(prose).spaced:
        places = [
            *_between_han(layout),
            *(one for one in _spans(layout, _BEFORE_HAN_MARK) if not _at_emphasis(layout, *one)),
        ]
        yield from folded(
            prose, "stray-space", places, say("There is a space inside a Chinese sentence."), say("Delete it.")
        )
        return
    before = list(_spans(layout, _BEFORE))
    if language(prose).before_colon:
        before = [one for one in before if prose.text[one[1] - 1] not in _SPACED]
    yield from folded(
        prose, "stray-space", before, say("There is a space before the punctuation mark."), say("Delete it.")
    )
    after = [*_spans(layout, _AFTER, language(prose).lemmatiser), *_spans(layout, _GLUED_BRACKET)]
    message = say("A space is missing after a punctuation mark or before a bracket.")
    yield from folded(prose, "missing-space", after, message, say("Insert a space."))


def _spans(layout: Layout, pattern: regex.Pattern[str], lemmatiser: str = "") -> Iterator[Offsets]:
    for match in pattern.finditer(layout.plain):
        if layout.line_at(layout.at[match.start()]).table:
            continue
        if not (lemmatiser and match[0] == "," and _is_listed(layout.plain, match.start(), lemmatiser)):
            yield layout.place(*match.span())


def _is_listed(plain: str, comma: int, lemmatiser: str) -> bool:
    """Whether a dictionary lists the words around a comma as one, such as ό,τι."""
    start, end = comma, comma + 1
    while start and plain[start - 1].isalpha():
        start -= 1
    while end < len(plain) and plain[end].isalpha():
        end += 1
    return is_word(plain[start:end], lemmatiser)


def _between_han(layout: Layout) -> Iterator[Offsets]:
    """Spaces inside sentences. In titles, labels and counts ("1個 圖板") a space is intended."""
    lines: dict[int, tuple[int, int | None]] = {}
    for start, end in _spans(layout, _BETWEEN_HAN):
        line = layout.line_at(start)
        if line.index not in lines:
            # Where the text of the line begins, and where its first mark stands that ends a clause.
            first = _CLAUSE.search(line.text)
            inset = line.inset + len(line.body) - len(line.body.lstrip())
            lines[line.index] = line.start + inset, line.start + first.start() if first else None
        begin, clause = lines[line.index]
        if clause is None or _at_emphasis(layout, start, end):
            continue
        # Up to 8 characters before the first mark of a sentence are a label.
        label = start <= clause and start - begin <= _LONGEST_LABEL
        if not label and not _COUNTED.search(layout.text[max(begin, start - _LONGEST_COUNT) : start]):
            yield start, end


def _at_emphasis(layout: Layout, start: int, end: int) -> bool:
    """Whether a space is next to a Markdown mark, which may require it: `**貴族。** 每位`."""
    around = layout.text[max(0, start - 1) : end + 1]
    return around.strip("*_>< ") != around


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
    layout = layout_of(prose.text)
    # The marks that may open a quotation as well: those between which the language has its quotations, and those of
    # guillemets, which several languages write both ways.
    turned = {mark: close for mark, close in _REVERSED.items() if mark in ("»", language(prose).quotes.show[:1])}
    by_mark: dict[str, list[Offsets]] = {}
    for start, end in _sentence_groups(layout, language(prose)):
        for place in [*_unmatched(layout, start, end, turned), *_markdown(prose.text, start, end)]:
            by_mark.setdefault(prose.text[slice(*place)], []).append(place)
    for mark, places in by_mark.items():
        message, hint = say("“{mark}” has no partner.", mark=mark), say("Add the missing mark, or delete this one.")
        yield from folded(prose, "unbalanced-mark", places, message, hint)


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


def _unmatched(layout: Layout, start: int, end: int, turned: Mapping[str, str]) -> Iterator[Offsets]:
    first, last = bisect_left(layout.at, start), bisect_left(layout.at, end)
    text = layout.plain[first:last]
    ignored = set(_numbered(text))
    ignored |= {i for match in _SMILEY.finditer(text) for i in range(*match.span())}
    opening = {match.start() for match in _OPENS.finditer(text) if match[0] in turned}
    stack: list[tuple[str, int]] = []
    for i, char in enumerate(text):
        top = stack[-1][0] if stack else ""
        # Both „…“ and „…” are used.
        closers = _PAIRS.get(top, "") + turned.get(top, "") + "”" * (top == "„")
        if i in opening:
            stack.append((char, i))
        elif char in closers:
            stack.pop()
        elif i in ignored:
            continue  # "1)" numbers an item, ":)" smiles
        elif char in _PAIRS:
            stack.append((char, i))
        elif char in _CLOSERS:
            if stack and top == _TWIN.get(_CLOSERS[char]):
                stack.pop()  # （ and ) are a pair with two widths: report the closing mark only
            yield layout.place(first + i, first + i + 1)
    for _, i in stack:
        yield layout.place(first + i, first + i + 1)
    at = [i for i, char in enumerate(text) if char == '"']
    if len(at) % 2 and not _INCHES.search(text):
        yield layout.place(first + at[-1], first + at[-1] + 1)


def _numbered(text: str) -> Iterator[int]:
    """Offsets of the brackets of item numbers: `1)` at the start of a line, or `2)` in a line with `1)` or `3)`."""
    heads = list(_LIST_NUMBER.finditer(text))
    yield from (match.end() for match in heads)
    inline = list(_INLINE_NUMBER.finditer(text))
    signs = {match[0].lstrip(" \t>#*_-").lower() for match in (*heads, *inline)}
    for match in inline:
        if {chr(ord(match[0]) - 1), chr(ord(match[0]) + 1)} & signs or (match[0] == "в" and "б" in signs):
            yield match.end()


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
