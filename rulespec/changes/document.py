"""Changes as plain text and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.changes.change import Change, Side
from rulespec.changes.compare import Changes
from rulespec.changes.kinds import Impact
from rulespec.changes.version import bump
from rulespec.changes.words import Words
from rulespec.characters import visible
from rulespec.model.spec import Spec

__all__ = ["github", "markdown", "plain"]


def head(changes: Changes) -> str:
    """The versions and what follows for the version, in one sentence."""
    old, new = changes.old, changes.new
    versions = f"{new.title} {old.version} → {new.version}"
    if not changes.every:
        return f"{versions}: the game is the same."
    rise = bump(old.version, new.version, changes.impact)
    number = f"{len(changes.every)} change{'s' * (len(changes.every) != 1)}, impact {changes.impact}"
    if rise.enough:
        return f"{versions}: {number}; the version has risen enough ({rise.made})."
    return f"{versions}: {number}; the version must be at least {rise.least}."


def plain(changes: Changes, words: Words) -> str:
    """The changes as text, each with its places, the words before and the words after."""
    blocks = [head(changes), *("\n".join(_block(one, changes, words)) for one in changes.every)]
    return visible("\n\n".join(blocks)) + "\n"


def _block(one: Change, changes: Changes, words: Words) -> Iterator[str]:
    yield f"{one.impact}: {_title(one, words)}: {one.of.says} [{one.fingerprint}]"
    places = [_place(side, spec) for side, spec in ((one.before, changes.old), (one.after, changes.new))]
    yield f"  at {' → '.join(place for place in places if place) or changes.new.source.path}"
    yield from (f"  - {sentence}" for sentence in words.before(one))
    yield from (f"  + {sentence}" for sentence in words.after(one))


def _title(one: Change, words: Words) -> str:
    """The title of what changed, with its name in the spec if that is another one."""
    title = words.title(one)
    return title if title == one.name else f"{title} (`{one.name}`)"


def _place(side: Side, spec: Spec) -> str:
    if side.span is None:
        return ""
    start = spec.source.position(side.span.start)
    return f"{spec.source.path}:{start.line}:{start.column}"


def markdown(changes: Changes, words: Words) -> str:
    """The changes as Markdown, under a heading for each impact."""
    parts = [f"# {changes.new.title}: {changes.old.version} → {changes.new.version}", head(changes)]
    for impact in sorted({one.impact for one in changes.every}, reverse=True):
        parts.append(f"## {str(impact).capitalize()}")
        parts += ["\n".join(_item(one, words)) for one in changes.every if one.impact is impact]
    return visible("\n\n".join(parts)) + "\n"


def _item(one: Change, words: Words) -> Iterator[str]:
    yield f"- **{_title(one, words)}**: {one.of.says}"
    yield from (f"  - before: {sentence}" for sentence in words.before(one))
    yield from (f"  - now: {sentence}" for sentence in words.after(one))


def github(changes: Changes, words: Words) -> str:
    """A workflow command for each change, which GitHub shows at its place in the new version."""
    return "".join(f"{_command(one, changes, words)}\n" for one in changes.every)


_LEVELS = {Impact.BREAKING: "error", Impact.PLAY: "warning"}


def _command(one: Change, changes: Changes, words: Words) -> str:
    side, spec = (one.after, changes.new) if one.after.span is not None else (one.before, changes.old)
    start = spec.source.position(side.span.start if side.span is not None else 0)
    places = {"file": spec.source.path, "line": str(start.line), "col": str(start.column), "title": one.of.says}
    properties = ",".join(f"{key}={_escaped(value, ':,')}" for key, value in places.items())
    said = " / ".join(words.after(one) or words.before(one))
    level = _LEVELS.get(one.impact, "notice")
    return f"::{level} {properties}::{_escaped(f'{one.impact}: {words.title(one)}: {said}')}"


def _escaped(text: str, more: str = "") -> str:
    """A text for a workflow command, which has its own escapes."""
    for sign in f"%\r\n{more}":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return visible(text)
