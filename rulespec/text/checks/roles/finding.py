"""Roles of a text that contradict its rule."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.base.diagnostics import Span
from rulespec.base.messages import Message
from rulespec.proofs.meaning import Proposition


@dataclass(frozen=True)
class RoleContradiction:
    """Words of the text that the rule excludes, what it does instead, and the proposition that says so."""

    words: Span
    instead: Message
    proposition: Proposition
