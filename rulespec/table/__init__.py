"""A game at a table, without the table: what every interface to a game shares, from the terminal to a page."""

from typing import TYPE_CHECKING

from rulespec.lazy import importer

if TYPE_CHECKING:
    from rulespec.table.automated import Automated, sentence
    from rulespec.table.behind import Why, why
    from rulespec.table.choice import FEW, Choice, Item, Part, Question, Row, choice_of
    from rulespec.table.finding import Found, find
    from rulespec.table.moment import Moment, moment
    from rulespec.table.story import Story
    from rulespec.table.table import Table
    from rulespec.table.words import PLAIN, Words, WordsIn, languages_of, words_in

__all__ = [
    "FEW",
    "PLAIN",
    "Automated",
    "Choice",
    "Found",
    "Item",
    "Moment",
    "Part",
    "Question",
    "Row",
    "Story",
    "Table",
    "Why",
    "Words",
    "WordsIn",
    "choice_of",
    "find",
    "languages_of",
    "moment",
    "sentence",
    "why",
    "words_in",
]
__getattr__ = importer(
    __name__,
    {
        "rulespec.table.automated": "Automated sentence",
        "rulespec.table.choice": "FEW Choice Item Part Question Row choice_of",
        "rulespec.table.finding": "Found find",
        "rulespec.table.moment": "Moment moment",
        "rulespec.table.story": "Story",
        "rulespec.table.table": "Table",
        "rulespec.table.behind": "Why why",
        "rulespec.table.words": "PLAIN Words WordsIn languages_of words_in",
    },
)
