"""Contrast swaps: a text in which one contrast has another value of its family, in a proper inflected form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from rulespec.proofs.meaning.constructors import FAMILIES
from rulespec.text.languages.record import Language
from rulespec.text.reading.contrasts.lexicon import lexicon_of
from rulespec.text.reading.contrasts.negation import Contrast
from rulespec.text.reading.contrasts.reader import read


@dataclass(frozen=True)
class Swap:
    """A contrast and another value of its family. `text` is the whole text with that value; None if the language has no
    form for it, so that the swap is counted and skipped."""

    contrast: Contrast
    value: str
    text: str | None


def swaps(text: str, language: Language) -> Iterator[Swap]:
    """Every contrast of a text with every other value of its family, in order."""
    for contrast in read(text, language):
        found = {after.value: swapped for swapped, after in _rewritten(text, contrast, language)}
        for value in FAMILIES[contrast.family]:
            if value != contrast.value:
                yield Swap(contrast, value, found.get(value))


def _rewritten(text: str, contrast: Contrast, language: Language) -> Iterator[tuple[str, Contrast]]:
    """The texts with another form in place of the contrast that are read as another value, each with what is read."""
    words = text[contrast.start : contrast.end]
    for form in _forms(words, language):
        swapped = text[: contrast.start] + form + text[contrast.end :]
        end = contrast.start + len(form)
        # The paragraph alone: negation and idioms do not go beyond it, and a rulebook is long.
        low, high = swapped.rfind("\n\n", 0, contrast.start) + 1, swapped.find("\n\n", end)
        for after in read(swapped[low : high if high >= 0 else None], language):
            inside = contrast.start <= low + after.start and low + after.end <= end
            other = after.family == contrast.family and after.value != contrast.value
            if inside and other and not (_are_universal(contrast, after) and _same_negations(text, swapped, language)):
                yield swapped, after


def _are_universal(one: Contrast, other: Contrast) -> bool:
    """Whether these are “none” and “all”. They say the same if a negation remains: «жоден не платить», «кожен не»."""
    return {one.value, other.value} == {"none", "all"}


def _same_negations(one: str, other: str, language: Language) -> bool:
    return _negations(one, language) == _negations(other, language)


def _negations(text: str, language: Language) -> int:
    found = read(text, language)
    return sum(c.negator is not None or c.family == "truth" or c.value in ("none", "may_not") for c in found)


def _forms(words: str, language: Language) -> Iterator[str]:
    """The words with one of the forms in them replaced. The longest forms come last, so that they are preferred."""
    lexicon = lexicon_of(language)
    rows = lexicon.swaps if lexicon is not None else ()
    within = " ".join(words.replace("*", " ").replace("_", " ").split()).casefold()
    # Rows are many: only those with a form that is in the words are worth a pattern.
    near = (row for row in rows if any(form.casefold() in within for form in row))
    pairs = ((one, other) for row in near for one in row for other in row if one != other)
    for one, other in sorted(pairs, key=lambda pair: len(pair[0])):
        edge = r"(?<!\w){}(?!\w)" if language.spaced else "{}"
        pattern = edge.format(regex.escape(one).replace(r"\ ", r"[\s*_]+"))
        for match in regex.finditer(pattern, words, regex.IGNORECASE):
            new = other[0].upper() + other[1:] if match[0][0].isupper() else other
            yield words[: match.start()] + new + words[match.end() :]
