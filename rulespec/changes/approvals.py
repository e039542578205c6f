"""Approvals: changes, named by their fingerprints, that need no higher version, each with a reason and a last day."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulespec.changes.change import Change


@dataclass(frozen=True)
class Approval:
    """Approves the change with a fingerprint until the end of a day."""

    fingerprint: str
    reason: str
    until: datetime.date


def approvals(data: Any) -> Iterator[Approval]:
    """The approvals in the data of a YAML file: a list of mappings with `fingerprint`, `reason` and `until`.

    Raises ValueError with the number of the entry and what it must have.
    """
    if not isinstance(data, list):
        raise ValueError("the file must be a list of approvals, each with `fingerprint`, `reason` and `until`")
    for number, entry in enumerate(data, 1):
        yield _approval(number, entry)


_KEYS = {"fingerprint", "reason", "until"}


def _approval(number: int, entry: Any) -> Approval:
    if not isinstance(entry, Mapping) or set(entry) != _KEYS:
        raise ValueError(f"approval {number} must have exactly `fingerprint`, `reason` and `until`")
    fingerprint, reason, until = str(entry["fingerprint"]), entry["reason"], entry["until"]
    if not isinstance(reason, str) or not reason.strip():
        raise ValueError(f"approval {number} has no reason")
    if not isinstance(until, datetime.date) or isinstance(until, datetime.datetime):
        raise ValueError(f"approval {number}: `until` must be a day such as 2027-01-31, not {until!r}")
    return Approval(fingerprint, reason, until)


def approved(change: Change, known: Mapping[str, Approval], today: datetime.date) -> bool:
    """Whether a change is approved on a day."""
    approval = known.get(change.fingerprint)
    return approval is not None and today <= approval.until
