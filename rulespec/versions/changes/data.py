"""The public JSON form of changes, version 1."""

from __future__ import annotations

from typing import Any

from rulespec.language.model.spec import Spec
from rulespec.versions.changes import follow
from rulespec.versions.changes.change import Change, Side
from rulespec.versions.changes.compare import Changes
from rulespec.versions.changes.touched import Touched
from rulespec.versions.changes.version import bump
from rulespec.versions.changes.words import Words


def to_dict(changes: Changes, words: Words, found: Touched | None = None) -> dict[str, Any]:
    """The changes, and what they touch, as JSON data. Lines and columns count code points from 1."""
    rise = bump(changes.old.version, changes.new.version, changes.impact)
    return {
        "version": 1,
        "game": changes.new.id,
        "lang": words.new.lang,
        "old": _version(changes.old),
        "new": _version(changes.new),
        "impact": str(changes.impact),
        "bump": {"needed": rise.needed, "made": rise.made, "least": rise.least, "enough": rise.enough},
        "changes": [_change(one, changes, words) for one in changes.every],
        **({} if found is None else {"touches": follow.to_dict(found)}),
    }


def _version(spec: Spec) -> dict[str, str]:
    variant = {"variant": spec.variant} if spec.variant else {}
    return {"path": spec.source.path, **variant, "version": spec.version, "digest": spec.digest}


def _change(one: Change, changes: Changes, words: Words) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "says": words.kind(one),
        "name": one.name,
        "title": words.title(one),
        "rules": list(one.rules),
        "impact": str(one.impact),
        "fingerprint": one.fingerprint,
        "before": words.before(one),
        "after": words.after(one),
        "examples": words.examples(one),
        "old": _place(one.before, changes.old),
        "new": _place(one.after, changes.new),
    }


def _place(side: Side, spec: Spec) -> dict[str, Any] | None:
    """Where a side is; with its file if that is an overlay."""
    if side.span is None:
        return None
    path, start, _ = spec.source.located(side.span)
    return start.to_dict() | ({"path": path} if path != spec.source.path else {})
