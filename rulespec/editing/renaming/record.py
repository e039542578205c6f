"""The former name in the spec itself: an entry under `renamed`, by the last version that had the name."""

from __future__ import annotations

from rulespec.base.refusal import Refusal
from rulespec.base.source import Source
from rulespec.editing.renaming.targets import Target
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node
from rulespec.language.model.renamed import KINDS
from rulespec.language.model.spec import Spec

SECTION = "renamed"


def recorded(spec: Source, was: Spec, target: Target, new: str) -> Source:
    """The renamed spec with an entry for the former name; `was` is the spec before.

    A name that was renamed in this version before keeps its entry, which the rename has followed.

    Raises Refusal if the spec is written so that there is no place for an entry. Parameters have no entries, because
    logs do not contain them.
    """
    known = any((one.version, one.kind, one.new) == (was.version, target.kind, target.full) for one in was.renamed)
    if known or target.kind not in KINDS:
        return spec
    node, _ = parse(spec)
    keys = [SECTION, was.version, target.kind, _former(was, target)]
    while len(keys) > 1 and isinstance(node, MapNode) and (inner := node.get(keys[0])) is not None:
        node, keys = inner, keys[1:]
    if isinstance(node, MapNode) and node.get(keys[0]) is not None:
        return spec
    entry = f"{target.owner}.{new}" if target.owner else new
    for key in reversed(keys[1:]):
        entry = f"{{{key}: {entry}}}"
    if keys[0] == SECTION:
        return _with_section(spec, node, entry)
    return _with_entry(spec, node, f"{keys[0]}: {entry}")


def _former(was: Spec, target: Target) -> str:
    """The name that the version had; its owner may have been renamed in this version before."""
    renamed = (one for one in was.renamed if one.version == was.version and one.kind in ("enum", "ruling"))
    owner = next((one.old for one in renamed if one.new == target.owner), target.owner)
    return f"{owner}.{target.name}" if owner else target.name


def _with_section(spec: Source, node: Node | None, entries: str) -> Source:
    """A spec with the section, behind everything else."""
    if not isinstance(node, MapNode) or spec.text[node.span.start] == "{":
        return _with_entry(spec, node, f"{SECTION}: {entries}")
    return Source(spec.path, f"{spec.text.rstrip()}\n\n{SECTION}:\n  {entries[1:-1]}\n")


def _with_entry(spec: Source, node: Node | None, entry: str) -> Source:
    """A mapping with one more entry at its end, in its layout."""
    if not isinstance(node, MapNode) or not node.entries:
        hint = f"Write `{SECTION}` as a mapping of versions, or rename with --no-record."
        raise Refusal("The former name cannot be recorded in this spec.", hint)
    text = spec.text
    if text[node.span.start] == "{":
        at = node.entries[-1][1].span.end
        return Source(spec.path, f"{text[:at]}, {entry}{text[at:]}")
    at = text.find("\n", node.span.end)
    before, after = (f"{text}\n", "") if at < 0 else (text[: at + 1], text[at + 1 :])
    indent = " " * (spec.position(node.entries[0][0].span.start).column - 1)
    return Source(spec.path, f"{before}{indent}{entry}\n{after}")
