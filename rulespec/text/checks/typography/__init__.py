"""Typography checks: mistakes in letters, marks, numbers, headings and spelling that need no spec to be found."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulespec.base.diagnostics import Finding
from rulespec.text.checks.typography.han import other_han_forms
from rulespec.text.checks.typography.numbering import (
    lost_icons,
    missing_tables,
    mixed_numbering,
    nothing_after_colon,
    numbering_gaps,
    page_references,
    sibling_levels,
)
from rulespec.text.checks.typography.punctuation import doubled_marks, narrow_marks, spacing, unbalanced_marks
from rulespec.text.checks.typography.residue import (
    broken_characters,
    doubled_words,
    hidden_characters,
    leftover_markup,
    lone_fragments,
)
from rulespec.text.checks.typography.scripts import (
    fullwidth_letters,
    lookalike_letters,
    mixed_digits,
    mixed_scripts,
)
from rulespec.text.checks.typography.spelling import Spelling, misspelt_words
from rulespec.text.checks.typography.structure import (
    broken_paragraphs,
    empty_headings,
    end_marks,
    list_marks,
    numbered_bullets,
    open_paragraphs,
    repeated_headings,
    skipped_levels,
)
from rulespec.text.checks.typography.styles import apostrophes, dashes, dots, minus_signs, quotes, two_spellings
from rulespec.text.reading.prose import Prose

CHECKS: tuple[Callable[[Prose], Iterator[Finding]], ...] = (
    mixed_scripts,
    mixed_digits,
    fullwidth_letters,
    other_han_forms,
    mixed_numbering,
    numbering_gaps,
    sibling_levels,
    skipped_levels,
    repeated_headings,
    empty_headings,
    page_references,
    missing_tables,
    nothing_after_colon,
    lost_icons,
    narrow_marks,
    doubled_marks,
    spacing,
    quotes,
    apostrophes,
    dashes,
    dots,
    minus_signs,
    two_spellings,
    list_marks,
    numbered_bullets,
    end_marks,
    open_paragraphs,
    broken_paragraphs,
    unbalanced_marks,
    lone_fragments,
    broken_characters,
    hidden_characters,
    leftover_markup,
    doubled_words,
)
"""The checks that need only the text. `lookalike_letters` and `misspelt_words` take more; `check` calls them."""


def check(
    prose: Prose,
    spelling: Spelling | None = None,
    letters: frozenset[str] = frozenset(),
    is_term: Callable[[str], bool] | None = None,
) -> Iterator[Finding]:
    """The findings of all typography checks, in no particular order.

    `spelling` is a dictionary of the language (`spelling_of`). Without one, a word is reported only if it differs from
    another word in one letter. `letters` are the Latin letters on the game's cards. `is_term` says whether a word
    belongs to a term of the glossary: no dictionary lists all of these.
    """
    for each in CHECKS:
        yield from each(prose)
    yield from lookalike_letters(prose, letters)
    yield from misspelt_words(prose, spelling, is_term)
