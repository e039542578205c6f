"""Approvals: changes, named by their fingerprints, that need no higher version, each with a reason and a last day."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass

from rulespec.base.source import Source
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node, Scalar, Sequence
from rulespec.versions.changes.change import Change


@dataclass(frozen=True)
class Approval:
    """Approves the change with a fingerprint until the end of a day."""

    fingerprint: str
    reason: str
    until: datetime.date


class ApprovalError(ValueError):
    """Raised for a file that is no list of approvals. The message begins with the place of the mistake."""


def approvals(source: Source) -> list[Approval]:
    """The approvals in a YAML file: a list of mappings with `fingerprint`, `reason` and `until`.

    Raises ApprovalError with the place, the number of the entry and what it must have.
    """
    root, found = parse(source)
    first = next((one for one in found if one.name not in _OF_VALUES), None)
    if first is not None:
        raise ApprovalError(f"{first.place}: {first.message}")
    if not isinstance(root, Sequence):
        raise _error(
            "the file must be a list of approvals, each with `fingerprint`, `reason` and `until`", root, source
        )
    return [_approval(f"approval {number}", entry) for number, entry in enumerate(root.items, 1)]


_OF_VALUES = {"ambiguous-scalar", "number-not-finite", "number-too-large"}
"""Findings about what a value may be: all values are read as texts, so a fingerprint may look like a number."""

_KEYS = {"fingerprint", "reason", "until"}


def _approval(name: str, entry: Node) -> Approval:
    values = dict(entry.items()) if isinstance(entry, MapNode) else {}
    scalars = {key: value for key, value in values.items() if isinstance(value, Scalar)}
    if scalars.keys() != _KEYS or values.keys() != _KEYS:
        raise _error(f"{name} must have exactly `fingerprint`, `reason` and `until`", entry, entry.source)
    fingerprint, reason, until = (scalars[key] for key in ("fingerprint", "reason", "until"))
    if not reason.text.strip():
        raise _error(f"{name} has no reason", reason, entry.source)
    try:
        return Approval(fingerprint.text, reason.text, datetime.date.fromisoformat(until.text))
    except ValueError:
        message = f"{name}: `until` must be a day such as 2027-01-31, not {until.text!r}"
        raise _error(message, until, entry.source) from None


def _error(message: str, node: Node | None, source: Source) -> ApprovalError:
    place = source.position(node.span.start if node is not None else 0)
    return ApprovalError(f"{source.path}:{place.line}:{place.column}: {message}")


def approved(change: Change, known: Mapping[str, Approval], today: datetime.date) -> bool:
    """Whether a change is approved on a day."""
    approval = known.get(change.fingerprint)
    return approval is not None and today <= approval.until
