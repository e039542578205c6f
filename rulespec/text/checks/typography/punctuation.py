"""Doubled punctuation, punctuation of the wrong width, and spaces around punctuation."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import say
from rulespec.text.checks.typography.folding import Offsets, folded, language
from rulespec.text.checks.typography.layout import Layout, Line, layout_of
from rulespec.text.languages.dictionaries import is_word
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
            lines[line.index] = _begin_and_clause(line)
        begin, clause = lines[line.index]
        if clause is None or _at_emphasis(layout, start, end):
            continue
        # Up to 8 characters before the first mark of a sentence are a label.
        label = start <= clause and start - begin <= _LONGEST_LABEL
        if not label and not _COUNTED.search(layout.text[max(begin, start - _LONGEST_COUNT) : start]):
            yield start, end


def _begin_and_clause(line: Line) -> tuple[int, int | None]:
    """Where the text of a line begins, and where its first mark stands that ends a clause; None where it has none."""
    first = _CLAUSE.search(line.text)
    indent = len(line.body) - len(line.body.lstrip())
    return line.start + line.inset + indent, line.start + first.start() if first else None


def _at_emphasis(layout: Layout, start: int, end: int) -> bool:
    """Whether a space is next to a Markdown mark, which may require it: `**貴族。** 每位`."""
    around = layout.text[max(0, start - 1) : end + 1]
    return around.strip("*_>< ") != around
