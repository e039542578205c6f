"""Changes as plain text and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.changes.change import Change, Side
from rulespec.changes.compare import Changes
from rulespec.changes.version import bump
from rulespec.changes.words import Words
from rulespec.characters import visible
from rulespec.model.spec import Spec
from rulespec.text.describe.grammar import capital

__all__ = ["head", "markdown", "places", "plain", "title"]


def head(changes: Changes, words: Words) -> str:
    """The versions and what follows for the version, in one sentence."""
    old, new, phrases = changes.old, changes.new, words.phrases
    versions = f"{words.new.game or new.title} {old.version} → {new.version}"
    if not changes.every:
        return phrases.say("same", versions=versions)
    rise = bump(old.version, new.version, changes.impact)
    return phrases.say(
        "enough" if rise.enough else "rise",
        versions=versions,
        changes=phrases.counted(len(changes.every), "change"),
        impact=phrases.impact(changes.impact),
        made=phrases.levels[rise.made],
        least=rise.least,
    )


def plain(changes: Changes, words: Words) -> str:
    """The changes as text, each with its places, the words before and the words after."""
    blocks = [head(changes, words), *("\n".join(_block(one, changes, words)) for one in changes.every)]
    return visible("\n\n".join(blocks)) + "\n"


def _block(one: Change, changes: Changes, words: Words) -> Iterator[str]:
    phrases = words.phrases
    line = phrases.say("line", impact=phrases.impact(one.impact), title=title(one, words), kind=words.kind(one))
    yield f"{line} [{one.fingerprint}]"
    yield f"  {phrases.say('at', places=places(one, changes))}"
    yield from (f"  - {sentence}" for sentence in words.before(one))
    yield from (f"  + {sentence}" for sentence in words.after(one))


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
    start = spec.source.position(side.span.start)
    return f"{spec.source.path}:{start.line}:{start.column}"


def markdown(changes: Changes, words: Words) -> str:
    """The changes as Markdown, under a heading for each impact."""
    name = words.new.game or changes.new.title
    parts = [f"# {name}: {changes.old.version} → {changes.new.version}", head(changes, words)]
    for impact in sorted({one.impact for one in changes.every}, reverse=True):
        parts.append(f"## {capital(words.phrases.impact(impact))}")
        parts += ["\n".join(_item(one, words)) for one in changes.every if one.impact is impact]
    return visible("\n\n".join(parts)) + "\n"


def _item(one: Change, words: Words) -> Iterator[str]:
    yield f"- **{title(one, words)}**: {words.kind(one)}"
    yield from (f"  - {words.phrases.say('before', text=sentence)}" for sentence in words.before(one))
    yield from (f"  - {words.phrases.say('now', text=sentence)}" for sentence in words.after(one))
