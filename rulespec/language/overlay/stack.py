"""Variants: a spec with one overlay or several, found by their ids, as one source with a source map."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from types import MappingProxyType

from rulespec.base.diagnostics import Finding, Severity, finding
from rulespec.base.messages import NOTHING, Message, quoted, say, sentences
from rulespec.base.project import JOINT, known_variants, of, overlay_for, playable_games, shown, spec_for
from rulespec.base.source import MappedSource, Reading, Source, read
from rulespec.language.cards_from import with_cards
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node, Scalar, plain
from rulespec.language.document.unparse import unparse
from rulespec.language.formats.current import current, lifted
from rulespec.language.model.names import suggest
from rulespec.language.overlay.clashes import clashes
from rulespec.language.overlay.file import WHOLE, Edit, Overlay, read_overlay
from rulespec.language.overlay.merge import declared, merged, place
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


Joined = tuple[MappedSource | None, list[Finding]]
_OVERLAY = re.compile(r"""^["']?(?:(overlay)|rulespec)["']?\s*:""", re.MULTILINE)
_IDS = re.compile(r"[a-z][a-z0-9_]*(\+[a-z][a-z0-9_]*)*")


class VariantError(ValueError):
    """Raised for a variant that a game does not have."""


def is_overlay(source: Source) -> bool:
    """Whether a file is an overlay, as opposed to a spec."""
    first = _OVERLAY.search(source.text)
    return first is not None and first[1] is not None


def with_variant(base: Source, variant: str, given: AbstractMapping[str, Source] = MappingProxyType({})) -> Joined:
    """The spec with the overlays of a variant: an id, or several joined by `+`. `given` are texts that take the place
    of overlays on disk, by path.

    None if the files cannot be read as a spec and overlays; then there are findings. Raises VariantError for a variant
    that the game does not have.
    """
    game = _game(parse(base)[0]) or PurePath(base.path).stem
    loader = _Loader(game, given)
    if not _IDS.fullmatch(variant):
        raise VariantError(
            say(
                "`{variant}` is no id of a variant, and not several joined by `{joint}`.",
                variant=variant[:60],
                joint=JOINT,
            )
        )
    for id_ in dict.fromkeys(variant.split(JOINT)):
        path = shown(overlay_for(game, id_, base.path))
        if not path:
            missing = say("`{game}` has no variant `{id}`.", game=game, id=id_)
            raise VariantError(sentences(missing, _known(game, id_, base.path)))
        loader.open(path)
    return _joined(base, loader)


def stacked(source: Source) -> Joined:
    """The spec that an overlay extends, with it and the overlays it builds on. Never raises for bad input."""
    overlay, found = read_overlay(source)
    if overlay is None:
        return None, found
    base, unreadable = base_of(overlay)
    if base is not None and (folder := _folder_of_other_game(overlay)) is not None:
        return None, [*found, folder]
    if base is None:
        return None, [*found, *unreadable]
    loader = _Loader(overlay.game)
    loader.add(overlay)
    joined, wrong = _joined(base, loader)
    return joined, [*unreadable, *wrong]


def base_of(overlay: Overlay) -> Reading:
    """The spec that an overlay or a deck is for, and the findings about it; if it cannot be read, about its name."""
    base, unreadable = read(shown(spec_for(overlay.game, overlay.source.path)))
    if base is not None:
        return base, unreadable
    if unreadable[0].name != "file-not-found":
        return None, [unsound(overlay, unreadable[0].path)]
    hint = suggest(overlay.game, playable_games())
    hint = hint or say("Correct the id, or save the spec as `{game}.yaml`.", game=overlay.game)
    return None, [_no_base(overlay, say("There is no spec for the game `{game}`.", game=overlay.game), hint)]


def unsound(overlay: Overlay, path: str) -> Finding:
    """The finding that a spec has errors, so that an overlay or a deck cannot be merged into it."""
    message = say("The spec of `{game}` has errors, so this file cannot be checked.", game=overlay.game)
    return _no_base(overlay, message, say("Run `ftk check {path}` and put them right first.", path=path))


def _folder_of_other_game(overlay: Overlay) -> Finding | None:
    """The finding for an overlay in the folder of the variants of another game, which is searched for those alone."""
    folder = Path(overlay.source.path).absolute().parent
    path = spec_for(folder.name, overlay.source.path)
    if folder.parent.name != "variants" or folder.name == overlay.game or not Path(path).is_file():
        return None
    message = say("This overlay extends `{other}`, not `{game}`.", other=overlay.game, game=folder.name)
    hint = say("Correct `extends:`, or move the file to the folder `variants/{game}`.", game=overlay.game)
    return _no_base(overlay, message, hint)


def _known(game: str, id_: str, path: str) -> Message:
    known = known_variants(game, path)
    return suggest(id_, known) or (say("It has {names}.", names=quoted(list(known))) if known else say("It has none."))


def _game(root: Node | None) -> str:
    game = root.get("game") if isinstance(root, Mapping) else None
    id_ = game.get("id") if isinstance(game, Mapping) else None
    return id_.text if isinstance(id_, Scalar) else ""


def _no_base(overlay: Overlay, message: Message, hint: Message = NOTHING) -> Finding:
    name = {"overlay": "overlay-no-base", "deck": "deck-no-game"}[overlay.kind]
    return finding(name, message, overlay.source, overlay.base.span, hint or say("Correct `extends:`."))


# --- the overlays of a variant ---------------------------------------------------------------------------------------


@dataclass
class _Loader:
    """Reads overlays, each after those that it builds on."""

    game: str
    given: AbstractMapping[str, Source] = field(default_factory=dict)
    overlays: list[Overlay] = field(default_factory=list)
    found: list[Finding] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    _opening: list[Overlay] = field(default_factory=list)

    def open(self, path: str) -> None:
        source, unreadable = (self.given[path], []) if path in self.given else read(path)
        overlay, found = read_overlay(source) if source is not None else (None, [])
        self.found += unreadable
        if overlay is None:
            self.found += found
        elif overlay.id != PurePath(path).stem:
            message = say(
                "The id of this overlay is `{overlay}`, but its file is called {path}.",
                overlay=overlay.id,
                path=PurePath(path).name,
            )
            hint = say("Rename the file to {overlay}.yaml, or change the id.", overlay=overlay.id)
            node = overlay.node("id")
            self.found.append(finding("overlay-other-id", message, node.source, node.span, hint))
        else:
            self.add(overlay)

    def add(self, overlay: Overlay) -> None:
        # Two overlays may build on the same one.
        if any(one.source == overlay.source for one in self.overlays):
            return
        self.found += overlay.findings
        if overlay.game != self.game:
            self.found.append(
                _no_base(
                    overlay, say("This overlay extends `{other}`, not `{game}`.", other=overlay.game, game=self.game)
                )
            )
            return
        self._opening.append(overlay)
        for id_ in overlay.below:
            self._below(overlay, id_)
        self._opening.pop()
        self.overlays.append(overlay)

    def _below(self, overlay: Overlay, id_: str) -> None:
        around = next((one for one in self._opening if one.id == id_), None)
        path = shown(overlay_for(self.game, id_, overlay.source.path))
        if around is not None:
            self.found.append(_cycle(overlay, around))
        elif not path:
            hint = _known(self.game, id_, overlay.source.path)
            self.found.append(_no_base(overlay, say("`{game}` has no variant `{id}`.", game=self.game, id=id_), hint))
        else:
            self.open(path)


def _cycle(overlay: Overlay, around: Overlay) -> Finding:
    node, other = overlay.node("extends"), around.node("extends")
    path, start, _ = other.source.located(other.span)
    message = say(
        "`{overlay}` extends `{around}`, which extends `{overlay}` at {path}:{line}.",
        overlay=overlay.id,
        around=around.id,
        path=path,
        line=start.line,
    )
    if overlay is around:
        message = say("`{overlay}` extends itself.", overlay=overlay.id)
    return finding("overlay-cycle", message, node.source, node.span, say("Let one of them extend the game alone."))


# --- one source of them all ------------------------------------------------------------------------------------------


def _joined(base: Source, loader: _Loader) -> Joined:
    together, unread = with_cards(base)
    now, newer = current(together, "spec") if together is not None else (None, unread)
    if now is None:
        return None, newer
    base = now  # that it is of an older number is found in the game itself
    root, found = parse(base)
    found += loader.found
    if not isinstance(root, Mapping) or not loader.overlays:
        return None, found
    found += _edited(root, base, loader.overlays)
    # As they are in their files, before any edit: their nodes have a layout that can be kept.
    trees = [root, *(overlay.root for overlay in loader.overlays)]
    for overlay in loader.overlays:
        root, misfits = merged(root, overlay)
        found += misfits
    if any(one.severity == Severity.ERROR for one in found):
        return None, found  # what else would be found may follow from these
    variant = JOINT.join(overlay.id for overlay in loader.overlays)
    files = (base, *(overlay.source for overlay in loader.overlays))
    return unparse(_titled(root, loader.overlays), files, variant, trees), found


def _edited(root: Mapping, base: Source, overlays: Iterable[Overlay]) -> Iterator[Finding]:
    yield from clashes(list(overlays))
    for overlay in overlays:
        yield from outdated(overlay, root, base)


def _titled(root: Mapping, overlays: list[Overlay]) -> Mapping:
    """The document with the titles of the overlays after that of the game, unless one of them writes a title."""
    game = root.get("game")
    title = game.get("title") if isinstance(game, Mapping) else None
    if not isinstance(game, Mapping) or not isinstance(title, Scalar) or title.source in [o.source for o in overlays]:
        return root
    text = f"{title.text}: {', '.join(overlay.title for overlay in overlays)}"
    new = Scalar(title.span, text, text, "", title.source)
    entries = tuple((key, new if value is title else value) for key, value in game.entries)
    titled = Mapping(game.span, entries, game.source)
    return Mapping(root.span, tuple((k, titled if v is game else v) for k, v in root.entries), root.source)
