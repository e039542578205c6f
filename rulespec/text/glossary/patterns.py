"""Patterns of terms for the finder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.text.glossary import tokens
from rulespec.text.glossary.concepts import Glossary, Status
from rulespec.text.glossary.matcher import Piece, Word
from rulespec.text.languages.registry import find

GAP = re.compile(r"\s*(?:…+|\.{3,})\s*")
"""The gap in an allowed term, a vague phrase or a cue, which stands for a few words."""


@dataclass(frozen=True)
class Pattern:
    """A term of a concept as pieces of words. Gaps are between the pieces."""

    concept: str
    status: Status
    term: str
    pieces: tuple[Piece, ...]


def patterns(glossary: Glossary, lang: str) -> Iterator[Pattern]:
    """The patterns of a glossary in a language. Terms without a word have none, and labels are not searched for."""
    every = (
        (one.id, *each) for one in glossary.concepts.values() if lang in one.terms for each in one.terms[lang].each()
    )
    for concept, status, term in every:
        pieces = tuple(_piece(piece, lang) for piece in GAP.split(term.text))
        if all(pieces) and status != Status.LABEL:
            yield Pattern(concept, status, term.text, pieces)


def _piece(text: str, lang: str) -> Piece:
    language = find(lang)
    return tuple(Word(token.raw, tokens.term_keys(token, language)) for token in tokens.read(text, lang))
