"""Comparison of languages: the texts of every rule side by side, with the facts of the rule.

result = diff(spec, glossary, [LabelledText("uk", ukrainian), LabelledText("en", english)])
to_dict(result), html(result)
"""

from rulespec.text.output.diff.compare import LabelledText, diff
from rulespec.text.output.diff.data import to_dict
from rulespec.text.output.diff.page import html
from rulespec.text.output.diff.result import (
    Column,
    ConceptMention,
    Detail,
    Diff,
    Judgement,
    NumberMention,
    PlacedFinding,
    RuleDiff,
    Side,
)
from rulespec.text.output.diff.runs import Run

__all__ = [
    "Column",
    "ConceptMention",
    "Detail",
    "Diff",
    "Judgement",
    "LabelledText",
    "NumberMention",
    "PlacedFinding",
    "RuleDiff",
    "Run",
    "Side",
    "diff",
    "html",
    "to_dict",
]
