"""What changed in a game between two versions of its spec: every change with its kind, its impact and its words."""

from rulespec.versions.changes.approvals import Approval, ApprovalError, approvals, approved
from rulespec.versions.changes.asked import Asked
from rulespec.versions.changes.change import Change
from rulespec.versions.changes.compare import Changes, compare
from rulespec.versions.changes.data import to_dict
from rulespec.versions.changes.errata import Errata, history_sheet, renamed_rules
from rulespec.versions.changes.errata import texts as errata_texts
from rulespec.versions.changes.kinds import KINDS, Impact, Kind
from rulespec.versions.changes.rise import misnamed, raised
from rulespec.versions.changes.since import since
from rulespec.versions.changes.text_diff import TextDiff
from rulespec.versions.changes.touched import Touched, touched
from rulespec.versions.changes.version import bump
from rulespec.versions.changes.words import Words

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
