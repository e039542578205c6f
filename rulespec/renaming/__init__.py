"""Renames a name of a spec in all files about its game, so that only the name changes."""

from rulespec.refusal import Refusal
from rulespec.renaming.plan import FileChange, Plan, plan
from rulespec.renaming.targets import Target, candidates, targets

__all__ = ["FileChange", "Plan", "Refusal", "Target", "candidates", "plan", "targets"]
