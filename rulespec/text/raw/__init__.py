"""A publisher's raw text: taken apart, aligned to the rules, checked."""

from rulespec.text.raw.alignment import Alignment, align
from rulespec.text.raw.check import ENOUGH, check, share
from rulespec.text.raw.draft import draft

__all__ = ["ENOUGH", "Alignment", "align", "check", "draft", "share"]
