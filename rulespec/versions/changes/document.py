"""Documents about what differs: the changes between two versions of a game as data, and as a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulespec.base.characters import capital, visible
from rulespec.base.pages import sheet
from rulespec.base.pages.sheet import Entry, Section
from rulespec.language.model.spec import Spec
from rulespec.text.languages.registry import find
from rulespec.versions.changes import follow
from rulespec.versions.changes.change import Change, Side, bump
from rulespec.versions.changes.compare import Changes
from rulespec.versions.changes.follow import sections
from rulespec.versions.changes.touched import Touched
from rulespec.versions.changes.words import Words


def head(changes: Changes, words: Words) -> str:
    """The versions and what follows for the version, in one sentence."""
    old, new, phrases = changes.old, changes.new, words.phrases
    versions = f"{words.new.game or new.title} {old.version} → {new.version}"
    if not changes.every:
        return phrases.say("same", versions=versions)
    if old.variant != new.variant:
        counted, impact = phrases.counted(len(changes.every), "change"), phrases.impact(changes.impact)
        return phrases.say("variant", versions=versions, changes=counted, impact=impact)
    rise = bump(old.version, new.version, changes.impact)
    return phrases.say(
        "enough" if rise.enough else "rise",
        versions=versions,
        changes=phrases.counted(len(changes.every), "change"),
        impact=phrases.impact(changes.impact),
        made=phrases.levels[rise.made],
        least=rise.least,
    )


def plain(changes: Changes, words: Words, found: Touched | None = None) -> str:
    """The changes as text, each with its places, the words before and the words after, and what they touch."""
    blocks = [head(changes, words), *("\n".join(_block(one, changes, words)) for one in changes.every)]
    blocks += ["\n".join(_section(one)) for one in (sections(found, words) if found is not None else ())]
    return visible("\n\n".join(blocks)) + "\n"


def _section(section: Section) -> Iterator[str]:
    yield section.title
    for entry in section.entries:
        yield f"  {entry.title}"
        yield from (f"    {note}" for note in entry.notes)
        yield from (f"    | {' '.join(line.text.split())}" for line in entry.lines)


def _block(one: Change, changes: Changes, words: Words) -> Iterator[str]:
    phrases = words.phrases
    line = phrases.say("line", impact=phrases.impact(one.impact), title=title(one, words), kind=words.kind(one))
    yield f"{line} [{one.fingerprint}]"
    yield f"  {phrases.say('at', places=places(one, changes))}"
    yield from (f"  - {sentence}" for sentence in words.before(one))
    yield from (f"  + {sentence}" for sentence in words.after(one))
    yield from (f"  {sentence}" for sentence in words.examples(one))


def title(one: Change, words: Words) -> str:
    """The title of what changed, with its name in the spec if that is another one."""
    said = words.title(one)
    return said if said == one.name else f"{said} (`{one.name}`)"


def places(one: Change, changes: Changes) -> str:
    """The places of a change in both versions."""
    found = [_place(side, spec) for side, spec in ((one.before, changes.old), (one.after, changes.new))]
    return " → ".join(place for place in found if place) or changes.new.source.path


def _place(side: Side, spec: Spec) -> str:
    if side.span is None:
        return ""
    path, start, _ = spec.source.located(side.span)
    return f"{path}:{start.line}:{start.column}"


def markdown(changes: Changes, words: Words, found: Touched | None = None, play: Iterable[Section] = ()) -> str:
    """The changes as Markdown, under a heading for each impact, and sections about both versions in play."""
    return sheet.markdown(_sheet(changes, words, found, play))


def html(changes: Changes, words: Words, found: Touched | None = None, play: Iterable[Section] = ()) -> str:
    """The changes as one self-contained page, and sections about both versions in play."""
    return sheet.html(_sheet(changes, words, found, play))


def _sheet(changes: Changes, words: Words, found: Touched | None, play: Iterable[Section]) -> sheet.Sheet:
    name = words.new.game or changes.new.title
    follows = sections(found, words) if found is not None else ()
    return sheet.Sheet(
        words.new.lang,
        f"{name} {changes.old.version} → {changes.new.version}",
        head(changes, words),
        (*_by_impact(changes, words), *follows, *play),
        find(words.new.lang).direction,
    )


def _by_impact(changes: Changes, words: Words) -> Iterator[Section]:
    for impact in sorted({one.impact for one in changes.every}, reverse=True):
        some = (one for one in changes.every if one.impact is impact)
        yield Section(capital(words.phrases.impact(impact)), tuple(_entry(one, changes, words) for one in some))


def _entry(one: Change, changes: Changes, words: Words) -> Entry:
    say = words.phrases.phrases
    lines = list(sheet.compared(words.before(one), words.after(one), say["before"], say["now"]))
    lines = [*lines, *map(sheet.plain, words.examples(one))]
    said = words.title(one)
    notes = (words.kind(one), *([one.name] if said != one.name else []), places(one, changes))
    return Entry(said, tuple(lines), notes, one.fingerprint)


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
        "old": _found_at(one.before, changes.old),
        "new": _found_at(one.after, changes.new),
    }


def _found_at(side: Side, spec: Spec) -> dict[str, Any] | None:
    """Where a side is; with its file if that is an overlay."""
    if side.span is None:
        return None
    path, start, _ = spec.source.located(side.span)
    return start.to_dict() | ({"path": path} if path != spec.source.path else {})
