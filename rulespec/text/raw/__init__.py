"""A publisher's raw text: taken apart, aligned to the rules, checked."""

from rulespec.text.raw.alignment import Alignment, align
from rulespec.text.raw.check import check

__all__ = ["Alignment", "align", "check"]
