"""Roles that contradict a rule, and what the spec says instead."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.diagnostics import Span
from rulespec.meaning import Proposition
from rulespec.text import describe
from rulespec.text.book import Book


@dataclass(frozen=True)
class RoleContradiction:
    """Words of the text that the rule excludes, what it does instead, and the proposition that says so."""

    words: Span
    instead: str
    proposition: Proposition


def by_spec(found: RoleContradiction, lang: str, book: Book) -> str:
    """What the spec says instead, with its sentence if the language has descriptions."""
    if lang not in describe.languages():
        return f"by the spec {found.instead}."
    sentence = describe.Description(book.spec, lang, book.glossary).sentence(found.proposition)
    return f"by the spec {found.instead}: {sentence}"
