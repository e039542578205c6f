"""A game at a table, without the table: what every interface to a game shares, from the terminal to a page."""

from typing import TYPE_CHECKING

from rulespec.base.lazy import importer

if TYPE_CHECKING:
    from rulespec.play.table.arrangement import Arrangement, arranged
    from rulespec.play.table.automated import Automated, sentence
    from rulespec.play.table.behind import Why, why
    from rulespec.play.table.choice import FEW, Choice, Question, Row, choice_of
    from rulespec.play.table.finding import Found, find
    from rulespec.play.table.hosts import hosted
    from rulespec.play.table.lexicon import Lexicon, lexicon_of
    from rulespec.play.table.moments import moment
    from rulespec.play.table.scene import Scene, action_of, position_of
    from rulespec.play.table.still import picture_of
    from rulespec.play.table.story import Story
    from rulespec.play.table.table import Table
    from rulespec.play.table.values import Board, Square, Values, values_of
    from rulespec.play.table.words import PLAIN, Words, is_spoken, languages_of, words_in

__all__ = [
    "FEW",
    "PLAIN",
    "Arrangement",
    "Automated",
    "Board",
    "Choice",
    "Found",
    "Lexicon",
    "Question",
    "Row",
    "Scene",
    "Square",
    "Story",
    "Table",
    "Values",
    "Why",
    "Words",
    "action_of",
    "arranged",
    "choice_of",
    "find",
    "hosted",
    "is_spoken",
    "languages_of",
    "lexicon_of",
    "moment",
    "picture_of",
    "position_of",
    "sentence",
    "values_of",
    "why",
    "words_in",
]
__getattr__ = importer(
    __name__,
    {
        "rulespec.play.table.arrangement": "Arrangement arranged",
        "rulespec.play.table.automated": "Automated sentence",
        "rulespec.play.table.choice": "FEW Choice Question Row choice_of",
        "rulespec.play.table.finding": "Found find",
        "rulespec.play.table.hosts": "hosted",
        "rulespec.play.table.moments": "moment",
        "rulespec.play.table.lexicon": "Lexicon lexicon_of",
        "rulespec.play.table.scene": "Scene action_of position_of",
        "rulespec.play.table.still": "picture_of",
        "rulespec.play.table.story": "Story",
        "rulespec.play.table.table": "Table",
        "rulespec.play.table.behind": "Why why",
        "rulespec.play.table.values": "Board Square Values values_of",
        "rulespec.play.table.words": "PLAIN Words is_spoken languages_of words_in",
    },
)
