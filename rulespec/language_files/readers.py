"""The readers of the data files of a language."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulespec.changes.phrases import phrases_in
from rulespec.text.contrasts.lexicon import lexicon_of
from rulespec.text.counted.lexicon import lexicon_of as counted_of
from rulespec.text.describe.grammar import grammar_in
from rulespec.text.languages import Language
from rulespec.text.predicates.lexicon import predicates_of
from rulespec.text.quantity.patterns import numerals_of
from rulespec.text.raw.acts import acts_of
from rulespec.text.raw.cases import cases_of
from rulespec.text.roles.lexicon import roles_of

READERS: Mapping[str, Callable[[Language], object]] = {
    "numerals": numerals_of,
    "contrasts": lexicon_of,
    "roles": roles_of,
    "predicates": predicates_of,
    "cases": cases_of,
    "acts": acts_of,
    "counted": counted_of,
    "describe": grammar_in,
    "changes": phrases_in,
}
"""A reader by the name of its file. It raises ValueError with the file if that is invalid."""
