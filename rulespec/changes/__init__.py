"""What changed in a game between two versions of its spec: every change with its kind, its impact and its words."""

from rulespec.changes.approvals import Approval, ApprovalError, approvals, approved
from rulespec.changes.change import Change, Side
from rulespec.changes.compare import Changes, compare
from rulespec.changes.data import to_dict
from rulespec.changes.kinds import KINDS, Impact, Kind
from rulespec.changes.rise import not_raised
from rulespec.changes.touched import Touched, touched
from rulespec.changes.version import Bump, bump
from rulespec.changes.words import Words

__all__ = [
    "KINDS",
    "Approval",
    "ApprovalError",
    "Bump",
    "Change",
    "Changes",
    "Impact",
    "Kind",
    "Side",
    "Touched",
    "Words",
    "approvals",
    "approved",
    "bump",
    "compare",
    "not_raised",
    "to_dict",
    "touched",
]
