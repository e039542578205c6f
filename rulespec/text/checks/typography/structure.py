"""The structure of a text: headings, list markers, the ends of items and paragraphs, and paragraphs that were split."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import regex

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import Message, say
from rulespec.text.checks.typography.layout import Layout, Line, Paragraph, folded, language, layout_of
from rulespec.text.languages.dictionaries import is_word
from rulespec.text.languages.record import Language, Pattern
from rulespec.text.reading.prose import Prose

_BULLETS = frozenset("-+*•·●▪–—")


def list_marks(prose: Prose) -> Iterator[Finding]:
    """Different list markers in one text, and markers without a space after them: one finding per text."""
    lines = [line for line in layout_of(prose.text).lines if line.mark in _BULLETS and line.mark]
    counts = Counter(line.mark for line in lines)
    if not counts:
        return
    usual = max(counts, key=lambda mark: (counts[mark], mark == "-"))
    odd = [line for line in lines if line.mark != usual]
    if odd:
        message = say(
            "The list marker is “{mark}” here and “{usual}” elsewhere in the text.", mark=odd[0].mark, usual=usual
        )
        yield from folded(prose, "list-mark", _marks(odd), message, say("Use one marker throughout, preferably “-”."))
    glued = [line for line in lines if line.mark == usual and not line.text[line.inset - 1].isspace()]
    if glued:
        message = say(
            "No space follows the list marker “{usual}”, so Markdown does not recognise the list.", usual=usual
        )
        yield from folded(prose, "list-mark", _marks(glued), message, say("Insert a space after it."))


_DOUBLE = regex.compile(r"(\d{1,2})[ \t]+(\S{1,4})")


def numbered_bullets(prose: Prose) -> Iterator[Finding]:
    """List items with both a bullet and a number (`- 1 …`, `- 2 …`)."""
    for items in layout_of(prose.text).lists:
        lines = [item.lines[0] for item in items]
        found = [_DOUBLE.match(line.body) if line.mark in _BULLETS else None for line in lines]
        numbers = [int(match[1]) for match in found if match]
        # "- 1 player", "- 2 players" are counts: the words after the numbers begin alike.
        words = {match[2][:3].lower() for match in found if match}
        if len(numbers) > 2 and numbers == list(range(1, len(lines) + 1)) and len(words) * 2 > len(lines):
            message = say("The list item has both a marker and a number: “{lines}”.", lines=lines[0].text.strip()[:4])
            places = [(line.first, line.start + line.inset + 1) for line in lines]
            yield from folded(prose, "list-mark", places, message, say("Write “1.”, “2.”, … without the marker."))


def _marks(lines: list[Line]) -> list[tuple[int, int]]:
    return [(line.first, line.first + 1) for line in lines]


_CREDITS = regex.compile(r"©|®|™|www\.|\.com\b")
_END = regex.compile(r"[.!?…;。！？；؟۔।॥։።။]\s*[)»”’」）]?$")
_BARE = regex.compile(r"[\p{L}\p{M}\d)»”」）]$")


def end_marks(prose: Prose) -> Iterator[Finding]:
    """List items without final punctuation in a list whose other items have it."""
    for items in layout_of(prose.text).lists:
        ends = [(item, item.lines[-1].text.rstrip(" \t*_\\")) for item in items]
        bare = [(item, text) for item, text in ends if _BARE.search(text) and not _END.search(text)]
        closed = [text for _, text in ends if _END.search(text)]
        if bare and len(closed) >= 2 * len(bare) and len(closed) + len(bare) == len(items):
            ends_at = [item.lines[-1].start + len(text) for item, text in bare]
            places = [(end - 1, end) for end in ends_at]
            message = say(
                "The list item has no final punctuation. The other items end with “{closed}”.", closed=closed[0][-1]
            )
            yield from folded(
                prose, "missing-end-mark", places, message, say("End all items of a list in the same way.")
            )


_INNER_END = regex.compile(r"[\p{L}\d)»”」）]{2}(?:[.!?]\s+(?=\p{Lu})|[。！？](?=\p{Han}))")
# Lines of text that is wrapped by hand are shorter than this.
_HAND_BROKEN = 60
_ABBREVIATED = regex.compile(r"(?:^|\s|\()\p{L}{1,3}\.\s+\p{Lu}")


def open_paragraphs(prose: Prose) -> Iterator[Finding]:
    """Paragraphs of several sentences whose last sentence has no final punctuation."""
    layout = layout_of(prose.text)
    joined = {id(first.lines[-1]) for first, _ in continued(layout, language(prose))}
    # A paragraph before a list, a table or an example needs no final punctuation.
    joined |= {id(a.lines[-1]) for a, b in pairwise(layout.paragraphs) if b.lines[0].mark or not b.is_prose}
    # Nor does the title of a text.
    first = layout.paragraphs[0] if len(layout.paragraphs) > 1 else None
    joined |= {id(first.lines[-1])} if first is not None and first.end - first.start < _HAND_BROKEN else set()
    places = []
    for paragraph in _paragraphs(layout, language(prose)):
        text = prose.text[paragraph.start : paragraph.end].rstrip("*_\\")
        if id(paragraph.lines[-1]) in joined or not paragraph.is_prose or not _BARE.search(text) or _END.search(text):
            continue
        if _title(language(prose)).fullmatch(text.strip("*_")):
            continue
        if _INNER_END.search(text) and not _ABBREVIATED.search(text) and not _CREDITS.search(text):
            places.append((paragraph.start + len(text) - 1, paragraph.start + len(text)))
    message = say("The last sentence of the paragraph has no final punctuation.")
    yield from folded(prose, "missing-end-mark", places, message, say("Add it, or restore the missing words."))


@cache
def _title(language: Language) -> Pattern:
    """ "Phase One. Sharing" on its own line: a title in two parts."""
    parts = language.part_titles or "(?!)"
    if language.spaced:
        first = rf"(?:\p{{L}}+\s+){{0,1}}(?:{parts})(?:\s+[\p{{L}}\d]+)?"
        return regex.compile(rf"{first}\.\s+[^.!?,;:\n]{{1,50}}", regex.I)
    number = "[\\d一二三四五六七八九十]*"
    return regex.compile(rf"第?{number}(?:{parts}){number}。[^，。；：！？\n]{{1,15}}", regex.I)


def _paragraphs(layout: Layout, language: Language) -> Iterator[Paragraph]:
    """The paragraphs. In Chinese text that is not wrapped by hand, every line is a paragraph."""
    by_line = not language.spaced and any(len(line.text) > _HAND_BROKEN for line in layout.lines)
    for paragraph in layout.paragraphs:
        yield from (Paragraph((line,)) for line in paragraph.lines) if by_line else (paragraph,)


_CUT = {
    False: (regex.compile(r"[\p{Han}，、]$"), regex.compile(r"[，。、；：）」]|\p{Han}")),
    True: (regex.compile(r"[\p{L}\d,)]$"), regex.compile(r"\p{Ll}[\p{L}'’]*(?=[\s,;.:]\s*\S)|\(\p{Ll}")),
}
_ADDRESS = regex.compile(r"\S*[@/]\S|\p{L}+\.\p{L}")


def broken_paragraphs(prose: Prose) -> Iterator[Finding]:
    """Paragraphs that end in the middle of a sentence."""
    broken = list(continued(layout_of(prose.text), language(prose)))
    if broken:
        message = say("The paragraph ends in the middle of a sentence.")
        places = [(first.end - 1, first.end) for first, _ in broken]
        yield from folded(prose, "broken-paragraph", places, message, say("Join it with the next paragraph."))


def continued(layout: Layout, language: Language) -> Iterator[tuple[Paragraph, Paragraph]]:
    """Pairs of adjacent paragraphs in which the second continues the sentence of the first."""
    ends, begins = _CUT[language.spaced]
    for first, second in pairwise(layout.paragraphs):
        if not (first.is_prose and second.is_prose) or second.lines[0].mark:
            continue
        head = first.lines[-1].text.rstrip().rstrip("*_")
        tail = second.lines[0].text.strip().lstrip("*_")
        if (
            ends.search(head)
            and begins.match(tail)
            and not _ADDRESS.match(tail)
            and _is_sentence(first, head, tail, language)
        ):
            yield first, second


def _is_sentence(first: Paragraph, head: str, tail: str, language: Language) -> bool:
    """Whether the first paragraph can be part of a sentence, rather than a title or a list entry."""
    if not language.spaced:
        # Only commas are evidence: Chinese has no lower case, and titles have no final punctuation.
        return head[-1] in "，、" or tail[0] in "，。、；"
    words = " ".join(line.text for line in first.lines).split()
    return len(words) > 2 or head.endswith(",")


_ENDS = regex.compile(r"[.!?…:;,，。！？：；、]\W*$")
_COLON = regex.compile("[:：]")
_NUMBER = regex.compile(r"^(?:\(?(?:\d+|[IVX]+|\p{L}|[一二三四五六七八九十]+)[.)、．）]|\d+[.\d]*)\s*")
# Longer lines are sentences rather than headings.
_LONGEST = 60
# A bound on the pairs of headings that are compared: a long list of unknown words would take quadratic time.
_MOST = 50


def headings(layout: Layout) -> list[Line]:
    """The Markdown headings of a text. If it has none: the paragraphs that are one short line."""
    marked = [line for line in layout.lines if line.level and line.body]
    return marked or [
        paragraph.lines[0]
        for paragraph in layout.paragraphs
        if len(paragraph.lines) == 1 and _stands_out(paragraph.lines[0])
    ]


def _stands_out(line: Line) -> bool:
    body = line.body.strip().strip("*_")
    if line.mark or line.table or line.skip or len(body) > _LONGEST or _ENDS.search(body) or _COLON.search(body):
        return False
    first = regex.search(r"\p{L}", body)
    return first is not None and not first[0].islower() and not body[0].isdigit()


def _heading_text(line: Line) -> str:
    """The words of a heading in lower case, without its number and Markdown marks."""
    title: str = _NUMBER.sub("", regex.sub(r"[*_`<>]|\s+", " ", line.body).strip())
    return title.strip(" .:：").lower()


def repeated_headings(prose: Prose) -> Iterator[Finding]:
    """Headings that occur twice below the same heading, or differ in one letter."""
    layout = layout_of(prose.text)
    seen: dict[tuple[str, ...], Line] = {}
    recurring = regex.compile(rf"(?:{language(prose).recurring_headings or '(?!)'})\s*\d*", regex.I)
    for path, line in _paths(headings(layout)):
        title = path[-1]
        key = (*path[:-1], regex.sub(r"[\s\W]+", "", title))
        if not title or recurring.fullmatch(title):
            continue
        if key in seen and (line.level or line.body.strip() != seen[key].body.strip()):
            yield _say(prose, line, seen[key], say("The heading “{heading}” is repeated: it is also on line {line}."))
        seen.setdefault(key, line)
    for wrong, right in misspelt_headings(layout, language(prose).lemmatiser):
        message = say("The heading “{heading}” differs in one letter from “{other}” on line {line}.")
        yield _say(prose, wrong, right, message)


def _say(prose: Prose, line: Line, other: Line, message: Message) -> Finding:
    body = line.body.strip()
    number = prose.source.position(prose.place(other.first, other.last).start).line
    text = say(message, heading=body, other=other.body.strip(), line=number)
    start = line.start + line.inset
    return prose.say(
        "repeated-heading", text, start, line.last, say("Rename one of the headings, or correct the spelling.")
    )


def _paths(lines: list[Line]) -> Iterator[tuple[tuple[str, ...], Line]]:
    path: list[tuple[int, str]] = []
    for line in lines:
        while path and path[-1][0] >= line.level:
            path.pop()
        path.append((line.level, _heading_text(line)))
        yield tuple(title for _, title in path), line


def misspelt_headings(layout: Layout, lang: str) -> list[tuple[Line, Line]]:
    """Pairs (wrong, right) of headings that differ in one letter of one word; the wrong word is in no dictionary."""
    if not lang:
        return []  # one Han character can be a word: 主要… and 次要… are different headings
    lines = headings(layout)
    titles = {_heading_text(line): line for line in reversed(lines)}
    # Only headings with an unknown word can be wrong, which keeps the number of pairs small.
    doubtful = [title for title in titles if any(not is_word(word, lang) for word in title.split() if len(word) > 4)]
    pairs = ((wrong, right) for wrong in doubtful[:_MOST] for right in titles)
    return [(titles[a], titles[b]) for a, b in pairs if _is_slip(a.split(), b.split(), lang)]


def _is_slip(words: list[str], others: list[str], lang: str) -> bool:
    from rapidfuzz.distance import DamerauLevenshtein

    differing = [(a, b) for a, b in zip(words, others, strict=False) if a != b]
    if len(words) != len(others) or len(differing) != 1 or min(map(len, differing[0])) < 5:
        return False
    wrong, right = differing[0]
    one = DamerauLevenshtein.distance(wrong, right, score_cutoff=1) == 1
    return one and not is_word(wrong, lang) and is_word(right, lang)


def skipped_levels(prose: Prose) -> Iterator[Finding]:
    """Markdown headings that are two or more levels below the previous one."""
    lines = [line for line in layout_of(prose.text).lines if line.level]
    jumps = [(a, b) for a, b in pairwise(lines) if b.level > a.level + 1]
    if jumps:
        before, line = jumps[0]
        message = say(
            "The heading has level {level}, but the previous heading has level {before}.",
            level=line.level,
            before=before.level,
        )
        places = [(each.first, each.last) for _, each in jumps]
        yield from folded(
            prose, "heading-level", places, message, say("Start it with {marks}.", marks="#" * (before.level + 1))
        )


def empty_headings(prose: Prose) -> Iterator[Finding]:
    """Markdown headings without content or without words."""
    for line, after in layout_of(prose.text).followed:
        if line.level and (after is None or 0 < after.level <= line.level or not regex.search(r"\p{L}", line.body)):
            what = line.body.strip() or "#" * line.level
            message = say("The heading “{heading}” has no content.", heading=what)
            if not regex.search(r"\p{L}", line.body):
                message = say("The heading “{heading}” has no words.", heading=what)
            hint = say("Add the missing content, join the heading with the next one, or delete it.")
            yield prose.say("empty-heading", message, line.first, line.last, hint)
