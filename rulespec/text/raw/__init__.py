"""A publisher's raw text: taken apart, aligned to the rules, checked."""

from rulespec.text.raw.alignment import Alignment, align
from rulespec.text.raw.check import align_source, check
from rulespec.text.raw.coverage import Covered, Stated, coverage, is_of_game, share
from rulespec.text.raw.draft import draft

__all__ = [
    "Alignment",
    "Covered",
    "Stated",
    "align",
    "align_source",
    "check",
    "coverage",
    "draft",
    "is_of_game",
    "share",
]
