"""Edits of things that have changed in the game since the version that an overlay was written for."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.base.diagnostics import Finding, finding
from rulespec.base.messages import Message, say
from rulespec.base.project import of
from rulespec.base.source import Source, read
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node, Scalar, plain
from rulespec.language.formats.current import lifted
from rulespec.language.overlay.file import WHOLE, Edit, Overlay
from rulespec.language.overlay.merge import declared, place
from rulespec.language.overlay.patch import paths


def outdated(overlay: Overlay, root: Mapping, base: Source) -> Iterator[Finding]:
    """One finding for each edit of a thing that has changed; one in all if the old version is not kept."""
    now = _version(root)
    if now == overlay.version:
        return
    old = [spec for spec in _kept(overlay, base) if _version(spec) == overlay.version]
    node = overlay.node("version")
    if not old:
        message = say(
            "This overlay was written for version {version}, but the game has version {now}.",
            version=overlay.version,
            now=now,
        )
        hint = say("Compare its edits with the game, then correct `version:`.")
        yield finding("overlay-other-version", message, node.source, node.span, hint)
        return
    for edit in overlay.edits:
        there = _target(root, edit)
        # Several files with this version may be kept: the overlay may have been written for any of them.
        if there is not None and all(_differs(there, _target(spec, edit), edit) for spec in old):
            yield edit.report("overlay-outdated", _message(edit, there, overlay.version), _HINT)


_HINT = say("Compare the edit with the new rule, then raise `version:`.")


def _message(edit: Edit, there: Node, version: str) -> Message:
    label = say("`{name}`", name=edit.beside.text) if edit.beside is not None else edit.label
    return say(
        "Since version {version}, {label} has changed, at {place}.", version=version, label=label, place=place(there)
    )


def _target(root: Mapping, edit: Edit) -> Node | None:
    """What an edit is about, as the game has it; None for something new."""
    name = edit.beside.text if edit.beside is not None else edit.name
    return declared(root, edit.section).get(name)


def _differs(now: Node, old: Node | None, edit: Edit) -> bool:
    """Whether something has changed that an edit is about: its contents, or, for a whole section, what is written."""
    if edit.beside is not None:
        return old is None
    if edit.section not in WHOLE or old is None or edit.value is None:
        return old is None or plain(now) != plain(old)
    return any(_at(now, path) != _at(old, path) for path, _ in paths(edit.value))


def _at(node: Node, path: tuple[str, ...]) -> object:
    for key in path:
        below = node.get(key) if isinstance(node, Mapping) else None
        if below is None:
            return None
        node = below
    return plain(node)


def _kept(overlay: Overlay, base: Source) -> Iterator[Mapping]:
    """The versions of the game that are kept beside its spec, released or confirmed."""
    for path in of(base.path).kept(overlay.game, overlay.version):
        source, _ = read(str(path))
        # Lifted like the game, so that a new format of files is no change of a rule.
        root = parse(lifted(source, "spec"))[0] if source is not None else None
        if isinstance(root, Mapping):
            yield root


def _version(root: Mapping) -> str:
    game = root.get("game")
    version = game.get("version") if isinstance(game, Mapping) else None
    return version.text if isinstance(version, Scalar) else ""
