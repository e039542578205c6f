"""Findings about versions: too low for what changed, another one than the name of the file, or a damaged release."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePath

from rulespec.base.diagnostics import Finding, Related, Report, Span, finding
from rulespec.base.messages import Message, counted, say
from rulespec.base.source import Source
from rulespec.games.api import built
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node
from rulespec.language.model.spec import Spec
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS
from rulespec.versions.changes.change import Impact, bump
from rulespec.versions.changes.compare import Changes, compare
from rulespec.versions.changes.words import phrases_of
from rulespec.versions.earlier import Earlier


def raised(source: Source, earlier: Iterable[Earlier]) -> Iterator[Finding]:
    """Findings at the version of a spec if it is too low for what changed since each of these versions, or if one of
    them is a damaged release."""
    new = built(source)[0]
    for one in earlier:
        old, report = built(one.text) if one.text is not None else (None, Report.of(one.unreadable))
        if old is None and one.release:
            yield damaged(source, one.release, report)
        if old is not None and new is not None and old.id == new.id:
            yield from not_raised(old, new, one.name, one.command)


def not_raised(old: Spec, new: Spec, base: str, command: str = "") -> Iterator[Finding]:
    """A finding at the version of `new` if it is too low for the changes since `old`, the spec in the revision `base`.

    It is a warning if the game plays otherwise or the version has fallen, and an info if only texts or data changed.
    `command` lists the changes.
    """
    changes = compare(old, new)
    rise = bump(old.version, new.version, changes.impact)
    if not rise.enough:
        serious = changes.impact >= Impact.PLAY or rise.fell
        name = "version-not-raised" if serious else "version-not-raised-for-texts"
        hint = say("Raise it to {least} at least.", least=rise.least)
        if command:
            hint = say("Raise it to {least} at least. Run: {command}", least=rise.least, command=command)
        yield finding(name, _message(changes, base), new.source, _version(new.source), hint)


def misnamed(release: Spec) -> Iterator[Finding]:
    """A finding about the spec of a released version, `history/GAME/VERSION.yaml`, that has another name."""
    path = PurePath(release.source.path)
    game, version = path.parent.name, path.stem
    if path.parent.parent.name == "history" and (game, version) != (release.id, release.version):
        message = say(
            "The file is version {version} of `{game}` by its path; it holds {held} of `{other}`.",
            version=version,
            game=game,
            held=release.version,
            other=release.id,
        )
        hint = say("Rename it to {release}/{version}.yaml.", release=release.id, version=release.version)
        yield finding("release-misnamed", message, release.source, _version(release.source), hint)


def damaged(source: Source, release: str, report: Report) -> Finding:
    """The finding at the version of a spec that its last release, in the file at a path, is damaged."""
    message = say("The last release, {path}, is damaged, so the version is not compared with it.", path=release)
    hint = say("Restore {path}, for example from version control.", path=release)
    first = [Related(one.message, one.path, one.start, one.end) for one in report.errors[:1]]
    return finding("release-damaged", message, source, _version(source), hint, related=first)


def _message(changes: Changes, base: str) -> Message:
    old, new = changes.old.version, changes.new.version
    still = say("still {new}", new=new) if old == new else say("{new}, and was {old}", new=new, old=old)
    if not changes.every:
        return say("The version is {new}, and was {old} in {base}; the game is the same.", new=new, old=old, base=base)
    number = len(changes.every)
    what = counted(
        "{number} change since {base}, impact {impact}",
        "{number} changes since {base}, impact {impact}",
        number,
        base=base,
        impact=say(str(changes.impact)),
    )
    return say(
        "The version is {still}, but the game has {what}. The first: {first}.",
        still=still,
        what=what,
        first=_first(changes),
    )


def _first(changes: Changes) -> Message:
    one = changes.every[0]
    what, span = say(phrases_of(LANGUAGE_OF_SPECS).kinds[one.kind]), one.after.span
    if span is None:
        return say("{what}, `{name}`", what=what, name=one.name)
    line = changes.new.source.position(span.start).line
    return say("{what}, `{name}` in line {line}", what=what, name=one.name, line=line)


def _version(source: Source) -> Span:
    """The place of the version in a spec."""
    node: Node | None = parse(source)[0]
    for key in ("game", "version"):
        node = node.get(key) if isinstance(node, Mapping) else None
    return node.span if node is not None else Span(0, 0)
