"""A publisher's raw text: taken apart, aligned to the rules, checked."""

from rulespec.text.raw.alignment import Alignment, align
from rulespec.text.raw.check import ENOUGH, align_source, check
from rulespec.text.raw.draft import draft
from rulespec.text.raw.stating import share

__all__ = ["ENOUGH", "Alignment", "align", "align_source", "check", "draft", "share"]
