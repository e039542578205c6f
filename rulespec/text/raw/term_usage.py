"""Checks of the terms in a raw text: forbidden and misspelt ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import NOTHING, counted
from rulespec.text.checks import terms
from rulespec.text.glossary import Mention, Status
from rulespec.text.raw.alignment import Alignment
from rulespec.text.reading.prose import Prose


def check(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    """All findings about the terms of a raw text.

    A text in words of its own keeps to no glossary: what looks like a wrong or a misspelt term is another word.
    """
    if not alignment.is_in_own_words:
        yield from _forbidden(prose, alignment)
        yield from terms.slips(prose, alignment.reading, alignment.book)


def _forbidden(prose: Prose, alignment: Alignment) -> Iterator[Finding]:
    """Words that the glossary forbids for a concept, each reported once with all of its lines.

    A text of others may use such a word throughout: that is one choice, not one mistake per line.
    """
    found: defaultdict[tuple[str, str], list[Mention]] = defaultdict(list)
    for mention in alignment.reading.mentions:
        if mention.status == Status.FORBIDDEN:
            found[mention.concept, mention.term].append(mention)
    for same in found.values():
        yield terms.forbidden(prose, same[0], alignment.book.glossary, _more(prose, same))


def _more(prose: Prose, found: list[Mention]) -> str:
    lines = sorted({prose.source.position(prose.place(m.start, m.end).start).line for m in found[1:]})
    also = counted("; also on line {lines}", "; also on lines {lines}", len(lines), lines=lines)
    return also if lines else NOTHING
