"""Texts that are too long for their cards, as findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulespec.base.diagnostics import Finding, finding
from rulespec.base.messages import counted, say
from rulespec.text.output.sheets.drawing import too_long
from rulespec.text.output.sheets.faces import Face, Words


def too_long_texts(words: Words, cards: Sequence[Face], title: str, lang: str, template: str = "") -> Iterator[Finding]:
    """A finding for each text that would be too small to read on the cards of a template: at its term, else at the
    first cards of the spec. Raises SheetError for a template that is wrong."""
    for text, number in too_long(cards, title, lang, template).items():
        message = counted(
            "“{text}” is {number} character too long for its card.",
            "“{text}” is {number} characters too long for its card.",
            number,
            text=text,
        )
        hint = say("Give the term a shorter `label:`, or the text more room in a template of your own.")
        if any(text == card.text for card in cards):
            hint = say("Shorten it, or give it more room in a template of your own.")
        yield finding("card-text-too-long", message, *words.place(text), hint, lang=lang)
