"""A game at a table, without the table: what every interface to a game shares, from the terminal to a page."""

from typing import TYPE_CHECKING

from rulespec.lazy import importer

if TYPE_CHECKING:
    from rulespec.table.automated import Automated, sentence
    from rulespec.table.behind import Why, why
    from rulespec.table.choice import FEW, Choice, Question, Row, choice_of
    from rulespec.table.finding import Found, find
    from rulespec.table.lexicon import Lexicon, lexicon_of
    from rulespec.table.moments import moment
    from rulespec.table.story import Story
    from rulespec.table.table import Table
    from rulespec.table.values import Board, Square, Values, values_of
    from rulespec.table.words import PLAIN, Words, languages_of, words_in

__all__ = [
    "FEW",
    "PLAIN",
    "Automated",
    "Board",
    "Choice",
    "Found",
    "Lexicon",
    "Question",
    "Row",
    "Square",
    "Story",
    "Table",
    "Values",
    "Why",
    "Words",
    "choice_of",
    "find",
    "languages_of",
    "lexicon_of",
    "moment",
    "sentence",
    "values_of",
    "why",
    "words_in",
]
__getattr__ = importer(
    __name__,
    {
        "rulespec.table.automated": "Automated sentence",
        "rulespec.table.choice": "FEW Choice Question Row choice_of",
        "rulespec.table.finding": "Found find",
        "rulespec.table.moments": "moment",
        "rulespec.table.lexicon": "Lexicon lexicon_of",
        "rulespec.table.story": "Story",
        "rulespec.table.table": "Table",
        "rulespec.table.behind": "Why why",
        "rulespec.table.values": "Board Square Values values_of",
        "rulespec.table.words": "PLAIN Words languages_of words_in",
    },
)
