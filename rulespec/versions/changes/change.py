"""One change of a game."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.base.diagnostics import Span
from rulespec.language.model.phrase import Proposition
from rulespec.versions.changes.kinds import KINDS, Impact, Kind
from rulespec.versions.changes.proofs import Example

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
    def of(self) -> Kind:
        return KINDS[self.kind]

    @property
    def fingerprint(self) -> str:
        """Twelve hexadecimal digits of what changed from what to what, wherever it is written."""
        said = [self.kind, self.name, *self.before.content(), "→", *self.after.content()]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:12]
