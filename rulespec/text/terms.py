"""The terms of the glossary as a text uses them."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.diagnostics import Finding
from rulespec.text.glossary import Glossary, Status, finder
from rulespec.text.prose import Prose
from rulespec.text.reading import Reading


def check(prose: Prose, reading: Reading, glossary: Glossary) -> Iterator[Finding]:
    """Words the glossary forbids, terms that are misspelt, and readings it knows to be open."""
    yield from forbidden(prose, reading, glossary)
    yield from misspelt(prose, glossary)


def forbidden(prose: Prose, reading: Reading, glossary: Glossary) -> Iterator[Finding]:
    """Words that are wrong for the concept they stand for here."""
    for mention in reading.mentions:
        if mention.status == Status.FORBIDDEN:
            said = prose.text[mention.start : mention.end]
            preferred = glossary.concepts[mention.concept].terms[prose.lang].preferred
            message = f"“{said}” is not the word for this: the glossary forbids it for `{mention.concept}`."
            hint = f"Write “{preferred.text}”." if preferred is not None else "See the glossary."
            yield prose.say("term-forbidden", message, mention.start, mention.end, hint)


def misspelt(prose: Prose, glossary: Glossary) -> Iterator[Finding]:
    """Words one letter away from a term."""
    for miss in finder(glossary, prose.lang).near_misses(prose.text):
        message = f"“{miss.found}” looks like a slip in the term “{miss.term}”."
        yield prose.say("term-misspelt", message, miss.start, miss.end, f"Write “{miss.term}”, in the right form.")
