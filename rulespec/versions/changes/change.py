"""One change of a game: its kind and the impact of it, and what each version says."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from rulespec.base.diagnostics import Span
from rulespec.base.project import version_numbers
from rulespec.language.model.phrase import Proposition
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.rules import defined, propositions
from rulespec.versions.changes.both import Both, Piece, written
from rulespec.versions.changes.both import differing as pieces
from rulespec.versions.changes.proofs import Example


class Impact(IntEnum):
    """What a change does to games, from nothing to most.

    `DATA` concerns what is known about components, `TEXT` what players read. `PLAY` leaves every move of an old game
    legal and changes what comes of it. After a `BREAKING` change old games are illegal or mean something else.
    """

    NONE = 0
    DATA = 1
    TEXT = 2
    PLAY = 3
    BREAKING = 4

    def __str__(self) -> str:
        return self.name.lower()


DECLARED = ("enum", "field", "table", "value", "zone", "procedure")
"""The kinds of declarations, in the order in which they are compared."""

_BY_EFFECT = None
"""Follows from the program: breaking if a decision can come after what has changed, else play."""

KINDS: Mapping[str, Impact | None] = {
    "players-added": Impact.PLAY,
    "players-removed": Impact.BREAKING,
    "game-renamed": Impact.DATA,
    "title-changed": Impact.TEXT,
    "builds-on-changed": Impact.DATA,
    "component-changed": Impact.DATA,
    "cards-changed": _BY_EFFECT,
    "faces-changed": Impact.BREAKING,
    "start-changed": Impact.BREAKING,
    "status-changed": Impact.DATA,
    "member-renamed": Impact.DATA,
    **{
        f"{name}-{what}": Impact.DATA if what == "renamed" else _BY_EFFECT
        for name in (*DECLARED, "rule")
        for what in ("added", "removed", "renamed", "changed")
    },
    "statement-added": _BY_EFFECT,
    "statement-removed": _BY_EFFECT,
    "statement-changed": _BY_EFFECT,
    "order-changed": _BY_EFFECT,
    "sight-changed": Impact.PLAY,
    "words-changed": Impact.TEXT,
    "facts-changed": Impact.TEXT,
    "ruling-added": Impact.PLAY,
    "ruling-removed": Impact.BREAKING,
    "ruling-renamed": Impact.DATA,
    "answer-changed": _BY_EFFECT,
    "answer-added": Impact.PLAY,
    "answer-removed": Impact.BREAKING,
    "question-changed": Impact.TEXT,
    "silence-changed": Impact.DATA,
    "invariant-changed": Impact.DATA,
}
"""Every kind of change with its impact. What it is in words is data of each language (`phrases`)."""


Card = tuple[tuple[str, str], ...]
"""What a card shows: fields with a content, in the order of the spec, and these contents, as a spec writes them."""


@dataclass(frozen=True)
class Side:
    """What one version says: `text` as the spec has it, or the propositions; `span` is its place there.

    `cards` are the cards that `text` lists, with how many of each there are.
    """

    text: str = ""
    span: Span | None = None
    stated: tuple[Proposition, ...] = ()
    cards: tuple[tuple[int, Card], ...] = ()

    def content(self) -> Iterator[str]:
        """What it says, without its place and its language."""
        yield self.text
        yield from (f"{one} {one.ruling}" for one in self.stated)


@dataclass(frozen=True)
class Change:
    """A change: its kind, the name of what changed, the rules that it concerns, and both versions of it.

    Names are those of the new version where it has them; `face` is what the cards of the name `name` show.
    `examples` are positions in which both versions differ.
    """

    kind: str
    name: str
    rules: tuple[str, ...]
    before: Side
    after: Side
    impact: Impact = Impact.NONE
    face: Card = ()
    examples: tuple[Example, ...] = ()

    @property
    def fingerprint(self) -> str:
        """Twelve hexadecimal digits of what changed from what to what, wherever it is written."""
        said = [self.kind, self.name, *self.before.content(), "→", *self.after.content()]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:12]


class Spanned(Protocol):
    @property
    def span(self) -> Span: ...


def declared(spec: Spec, kind: str, name: str) -> Side:
    """A declaration, rule or ruling in one version: what it means in words, or what it lists."""
    span = _span(spec, kind, name)
    if kind == "rule":
        said = propositions(spec).get(name, ())
        return Side("" if said or span is None else spec.rules[name].title, span, said)
    if kind == "ruling":
        return Side(" ".join(spec.rulings[name].question.split()), span)
    if kind == "enum":
        return Side(", ".join(spec.enums[name].members), span)
    if kind == "field":
        return Side(str(spec.deck.per_member.get(name) or spec.deck.declared[name]), span)
    return Side("", span, defined(spec).get(name, ()))


def stated(*statements: Proposition | None) -> Side:
    there = tuple(one for one in statements if one is not None)
    return Side("", there[0].span, there) if there else Side()


def as_written(spec: Spec, part: Spanned | None) -> Side:
    """A declaration as it is written, in one line."""
    return Side() if part is None else Side(written(spec.source, part.span), part.span)


def differing(both: Both, name: str, other: str) -> tuple[Side, Side]:
    """What differs between both versions of a rule, as it is written, at its first place."""
    old, new = both.old.rules.get(name), both.new.rules.get(other)
    if old is None or new is None:
        return as_written(both.old, old), as_written(both.new, new)
    before, after = pieces(both.old.source, old.span, both.new.source, new.span)
    return _of_pieces(before, old.span), _of_pieces(after, new.span)


def _of_pieces(found: Sequence[Piece], rule: Span) -> Side:
    return Side(" · ".join(one.text for one in found), found[0].span if found else rule)


def came_or_went(both: Both, kind: str) -> Iterator[Change]:
    """The parts of a kind that only one version has."""
    gone, added, _ = both.of_kind(kind)
    for name in gone:
        yield Change(f"{kind}-removed", name, _users(both, kind, name, False), declared(both.old, kind, name), Side())
    for name in added:
        yield Change(f"{kind}-added", name, _users(both, kind, name, True), Side(), declared(both.new, kind, name))


def _users(both: Both, kind: str, name: str, new: bool) -> tuple[str, ...]:
    return (name,) if kind == "rule" else both.users((kind, name), new)


def renamed(both: Both, kind: str, name: str, other: str) -> Change:
    """A part with another name, each name at its place."""
    users = _users(both, kind, other, True)
    before, after = Side(name, _span(both.old, kind, name)), Side(other, _span(both.new, kind, other))
    return Change(f"{kind}-renamed", other, users, before, after)


def _span(spec: Spec, kind: str, name: str) -> Span | None:
    part = getattr(spec, f"{kind}s", {}).get(name)
    return part.span if part is not None else None


LEVELS = ("none", "patch", "minor", "major")
"""How far a version rises, from not at all to most."""

_NEEDED = {Impact.NONE: 0, Impact.DATA: 1, Impact.TEXT: 1, Impact.PLAY: 2, Impact.BREAKING: 3}


@dataclass(frozen=True)
class Bump:
    """How far a version must rise and has risen, the least version that is enough, and whether it has fallen."""

    needed: str
    made: str
    least: str
    fell: bool = False

    @property
    def enough(self) -> bool:
        return not self.fell and LEVELS.index(self.made) >= LEVELS.index(self.needed)


def bump(old: str, new: str, impact: Impact) -> Bump:
    """Compares two versions `major.minor.patch`. Before 1.0.0 a breaking change needs a minor version only.

    A version that falls is never enough, even if the game is the same: an older game had that version.
    """
    was, now = (version_numbers(version) or (0, 0, 0) for version in (old, new))
    needed = _NEEDED[impact]
    if was[0] == 0 and needed == len(LEVELS) - 1:
        needed -= 1
    place = next((i for i, (a, b) in enumerate(zip(was, now, strict=True)) if a != b), None)
    made = 0 if place is None or now < was else len(LEVELS) - 1 - place
    return Bump(LEVELS[needed], LEVELS[made], _raised(was, needed), now < was)


def _raised(was: tuple[int, ...], needed: int) -> str:
    if not needed:
        return ".".join(map(str, was))
    at = len(LEVELS) - 1 - needed
    return ".".join(map(str, (*was[:at], was[at] + 1, *(0,) * (2 - at))))
