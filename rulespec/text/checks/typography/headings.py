"""Repeated headings, empty headings, and headings on a wrong level."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import regex

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import Message, say
from rulespec.text.checks.typography.folding import folded, language
from rulespec.text.checks.typography.layout import Layout, Line, layout_of
from rulespec.text.languages.dictionaries import is_word
from rulespec.text.reading.prose import Prose

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


def _title(line: Line) -> str:
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
        path.append((line.level, _title(line)))
        yield tuple(title for _, title in path), line


def misspelt_headings(layout: Layout, lang: str) -> list[tuple[Line, Line]]:
    """Pairs (wrong, right) of headings that differ in one letter of one word; the wrong word is in no dictionary."""
    if not lang:
        return []  # one Han character can be a word: 主要… and 次要… are different headings
    lines = headings(layout)
    titles = {_title(line): line for line in reversed(lines)}
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
