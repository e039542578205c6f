"""List items and paragraphs: their marks, their ends, and where conversion broke them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import regex

from rulespec.diagnostics import Finding
from rulespec.text.prose import Prose
from rulespec.text.typography.folding import folded, language
from rulespec.text.typography.layout import Layout, Line, Paragraph, layout_of

_BULLETS = frozenset("-+*•·●▪–—")


def list_marks(prose: Prose) -> Iterator[Finding]:
    """List marks of several kinds, and marks that are glued to their text: one finding for the text."""
    lines = [line for line in layout_of(prose.text).lines if line.mark in _BULLETS and line.mark]
    counts = Counter(line.mark for line in lines)
    if not counts:
        return
    usual = max(counts, key=lambda mark: (counts[mark], mark == "-"))
    odd = [line for line in lines if line.mark != usual]
    if odd:
        message = f"The list mark here is “{odd[0].mark}”, elsewhere in the text “{usual}”."
        yield from folded(prose, "list-mark", _marks(odd), message, "Use one mark throughout, best “-”.")
    glued = [line for line in lines if line.mark == usual and not line.text[line.inset - 1].isspace()]
    if glued:
        message = f"No space follows the list mark “{usual}”, so Markdown does not see a list."
        yield from folded(prose, "list-mark", _marks(glued), message, "Put a space behind it.")


_DOUBLE = regex.compile(r"(\d{1,2})[ \t]+(\S{1,4})")


def numbered_bullets(prose: Prose) -> Iterator[Finding]:
    """Items with a bullet and a bare number (- 1 …, - 2 …), left of a numbered list."""
    for items in layout_of(prose.text).lists:
        lines = [item.lines[0] for item in items]
        found = [_DOUBLE.match(line.body) if line.mark in _BULLETS else None for line in lines]
        numbers = [int(match[1]) for match in found if match]
        # "- 1 player", "- 2 players" count a thing: the words behind their numbers begin alike.
        words = {match[2][:3].lower() for match in found if match}
        if len(numbers) > 2 and numbers == list(range(1, len(lines) + 1)) and len(words) * 2 > len(lines):
            message = f"This item has both a list mark and a number: “{lines[0].text.strip()[:4]}”."
            places = [(line.first, line.start + line.inset + 1) for line in lines]
            yield from folded(prose, "list-mark", places, message, "Write “1.” and so on, without the other mark.")


def _marks(lines: list[Line]) -> list[tuple[int, int]]:
    return [(line.first, line.first + 1) for line in lines]


_CREDITS = regex.compile(r"©|®|™|www\.|\.com\b")
_END = regex.compile(r"[.!?…;。！？；][)»”」）]?$")
_BARE = regex.compile(r"[\p{L}\d)»”」）]$")


def end_marks(prose: Prose) -> Iterator[Finding]:
    """List items without a mark at their end, where those of the same list have one."""
    for items in layout_of(prose.text).lists:
        ends = [(item, item.lines[-1].text.rstrip(" \t*_\\")) for item in items]
        bare = [(item, text) for item, text in ends if _BARE.search(text) and not _END.search(text)]
        closed = [text for _, text in ends if _END.search(text)]
        if bare and len(closed) >= 2 * len(bare) and len(closed) + len(bare) == len(items):
            places = [(_end(item, text) - 1, _end(item, text)) for item, text in bare]
            message = f"This list item ends without a mark; the others end with “{closed[0][-1]}”."
            yield from folded(prose, "missing-end-mark", places, message, "End all items of a list alike.")


_INNER_END = regex.compile(r"[\p{L}\d)»”」）]{2}(?:[.!?]\s+(?=\p{Lu})|[。！？](?=\p{Han}))")
_HAND_BROKEN = 60
# "Phase One. Sharing", on a line of its own: a title in two parts.
_TITLE = regex.compile(
    r"(?:\p{L}+\s+){0,1}(?:phase|step|part|chapter|stage|round|section|фаза|крок|частина|розділ|етап|раунд)(?:\s+[\p{L}\d]+)?"
    r"\.\s+[^.!?,;:\n]{1,50}|第?[\d一二三四五六七八九十]*(?:階段|阶段|步驟|步骤|部分|章)[\d一二三四五六七八九十]*。[^，。；：！？\n]{1,15}",
    regex.I,
)
_ABBREVIATED = regex.compile(r"(?:^|\s|\()\p{L}{1,3}\.\s+\p{Lu}")


def open_paragraphs(prose: Prose) -> Iterator[Finding]:
    """Paragraphs of several sentences of which the last one has no mark at its end."""
    layout = layout_of(prose.text)
    joined = {id(first.lines[-1]) for first, _ in continued(layout, language(prose))}
    # What a list, a table or an example goes on with needs no mark.
    joined |= {id(a.lines[-1]) for a, b in pairwise(layout.paragraphs) if b.lines[0].mark or not b.is_prose}
    places = []
    for paragraph in _paragraphs(layout, language(prose)):
        text = prose.text[paragraph.start : paragraph.end].rstrip("*_\\")
        if id(paragraph.lines[-1]) in joined or not paragraph.is_prose or not _BARE.search(text) or _END.search(text):
            continue
        if _TITLE.fullmatch(text.strip("*_")):
            continue
        if _INNER_END.search(text) and not _ABBREVIATED.search(text) and not _CREDITS.search(text):
            places.append((paragraph.start + len(text) - 1, paragraph.start + len(text)))
    message = "The last sentence of this paragraph has no mark at its end."
    yield from folded(prose, "missing-end-mark", places, message, "Close it, or bring back what is lost.")


def _paragraphs(layout: Layout, lang: str) -> Iterator[Paragraph]:
    """The paragraphs; in Chinese that is not broken into lines by hand, every line is one."""
    by_line = lang == "zh" and any(len(line.text) > _HAND_BROKEN for line in layout.lines)
    for paragraph in layout.paragraphs:
        yield from (Paragraph((line,)) for line in paragraph.lines) if by_line else (paragraph,)


def _end(item: Paragraph, text: str) -> int:
    return item.lines[-1].start + len(text)


_CUT = {
    "zh": (regex.compile(r"[\p{Han}，、]$"), regex.compile(r"[，。、；：）」]|\p{Han}")),
    "": (regex.compile(r"[\p{L}\d,)]$"), regex.compile(r"\p{Ll}[\p{L}'’]*(?=[\s,;.:]\s*\S)|\(\p{Ll}")),
}
_ADDRESS = regex.compile(r"\S*[@/]\S|\p{L}+\.\p{L}")


def broken_paragraphs(prose: Prose) -> Iterator[Finding]:
    """Paragraphs that end in the middle of a sentence, which goes on in the next."""
    broken = list(continued(layout_of(prose.text), language(prose)))
    if broken:
        message = "The paragraph ends in the middle of a sentence, which goes on in the next."
        places = [(first.end - 1, first.end) for first, _ in broken]
        yield from folded(prose, "broken-paragraph", places, message, "Join the two.")


def continued(layout: Layout, lang: str) -> Iterator[tuple[Paragraph, Paragraph]]:
    """Neighbouring paragraphs of which the second goes on with the sentence of the first."""
    ends, begins = _CUT.get(lang, _CUT[""])
    for first, second in pairwise(layout.paragraphs):
        if not (first.is_prose and second.is_prose) or second.lines[0].mark:
            continue
        head = first.lines[-1].text.rstrip().rstrip("*_")
        tail = second.lines[0].text.strip().lstrip("*_")
        if (
            ends.search(head)
            and begins.match(tail)
            and not _ADDRESS.match(tail)
            and _is_sentence(first, head, tail, lang)
        ):
            yield first, second


def _is_sentence(first: Paragraph, head: str, tail: str, lang: str) -> bool:
    """Whether the first paragraph can be the first part of a sentence, and not a title or an entry of a list."""
    if lang == "zh":
        # Nothing but a comma tells: Chinese has no small letters, and titles end without a mark.
        return head[-1] in "，、" or tail[0] in "，。、；"
    words = " ".join(line.text for line in first.lines).split()
    return len(words) > 2 or head.endswith(",")
