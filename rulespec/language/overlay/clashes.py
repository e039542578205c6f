"""Edits of one thing by two overlays, neither of which builds on the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulespec.base.diagnostics import Finding, finding
from rulespec.base.messages import say
from rulespec.language.document.nodes import Node
from rulespec.language.overlay.file import MANIFEST, Edit, Overlay
from rulespec.language.overlay.merge import beside, place
from rulespec.language.overlay.patch import Path, paths


def clashes(overlays: Sequence[Overlay]) -> Iterator[Finding]:
    """One finding for each place that two independent overlays write. The later one has the finding."""
    for number, overlay in enumerate(overlays):
        for other in overlays[:number]:
            known = {one.id: one for one in overlays}
            found: set[str] = set()
            waiting = list(overlay.below)
            while waiting:
                id_ = waiting.pop()
                if id_ not in found:
                    found.add(id_)
                    waiting += known[id_].below if id_ in known else ()
            if other.id not in found:
                yield from _between(overlay, other)


def _between(overlay: Overlay, other: Overlay) -> Iterator[Finding]:
    written = [(path, node) for edit in other.edits for path, node in _paths(edit)]
    for edit in overlay.edits:
        for path, node in _paths(edit):
            # Edits meet where one path is the beginning of the other: the whole contains the part.
            met = next((there for known, there in written if known[: len(path)] == path[: len(known)]), None)
            if met is not None:
                message = say(
                    "`{overlay}` and `{other}` both edit {label}; the other does at {met}.",
                    overlay=overlay.id,
                    other=other.id,
                    label=edit.label,
                    met=place(met),
                )
                hint = say("Let one extend the other: `extends: {game}+{other}`.", game=overlay.game, other=other.id)
                others = [beside(met, edit.label)]
                yield finding("overlay-clash", message, node.source, node.span, hint, related=others)


def _paths(edit: Edit) -> Iterator[tuple[Path, Node]]:
    """The paths that an edit writes, each with its place. Steps that are inserted stand beside those of others."""
    name = (edit.section, edit.name)
    if edit.verb != "change" or edit.value is None or edit.section == MANIFEST:
        yield from [(name, edit.key)] if edit.beside is None else ()
        return
    yield from (((*name, *path), node) for path, node in paths(edit.value))
