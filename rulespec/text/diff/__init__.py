"""Language against language, whole: every text of a rule beside the others, with its facts between them.

result = diff(spec, glossary, [Told("uk", ukrainian), Told("en", english)])
to_dict(result), html(result, glossary)
"""

from rulespec.text.diff.compare import Told, diff
from rulespec.text.diff.data import to_dict
from rulespec.text.diff.page import html
from rulespec.text.diff.result import Column, Diff, Figure, Judgement, Lack, Placed, RuleDiff, Said, Side
from rulespec.text.diff.runs import Run

__all__ = [
    "Column",
    "Diff",
    "Figure",
    "Judgement",
    "Lack",
    "Placed",
    "RuleDiff",
    "Run",
    "Said",
    "Side",
    "Told",
    "diff",
    "html",
    "to_dict",
]
