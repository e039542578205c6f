"""Renames a name of a spec in all files about its game, so that only the name changes."""

from rulespec.base.refusal import Refusal
from rulespec.editing.renaming.plan import FileChange, Plan, plan
from rulespec.editing.renaming.sheet import SheetChange
from rulespec.editing.renaming.targets import Target, candidates, targets

__all__ = ["FileChange", "Plan", "Refusal", "SheetChange", "Target", "candidates", "plan", "targets"]
