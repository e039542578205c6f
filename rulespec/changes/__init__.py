"""What changed in a game between two versions of its spec: every change with its kind, its impact and its words."""

from rulespec.changes.approvals import Approval, ApprovalError, approvals, approved
from rulespec.changes.asked import Asked
from rulespec.changes.change import Change
from rulespec.changes.compare import Changes, compare
from rulespec.changes.data import to_dict
from rulespec.changes.errata import Errata, history_sheet, renamed_rules
from rulespec.changes.errata import texts as errata_texts
from rulespec.changes.kinds import KINDS, Impact, Kind
from rulespec.changes.rise import misnamed, raised
from rulespec.changes.since import since
from rulespec.changes.text_diff import TextDiff
from rulespec.changes.touched import Touched, touched
from rulespec.changes.version import bump
from rulespec.changes.words import Words

__all__ = [
    "KINDS",
    "Approval",
    "ApprovalError",
    "Asked",
    "Change",
    "Changes",
    "Errata",
    "Impact",
    "Kind",
    "TextDiff",
    "Touched",
    "Words",
    "approvals",
    "approved",
    "bump",
    "compare",
    "errata_texts",
    "history_sheet",
    "misnamed",
    "raised",
    "renamed_rules",
    "since",
    "to_dict",
    "touched",
]
