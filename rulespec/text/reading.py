"""What a stretch of text says, read by value and by concept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from rulespec.text.glossary import Finder, Mention
from rulespec.text.language import Language
from rulespec.text.quantity import Quantity
from rulespec.text.quantity import read as read_quantities
from rulespec.text.tables import TableRow, player_counts, rows


@dataclass(frozen=True)
class Reading:
    """`text[start:end]` with its quantities and the concepts it mentions; places are offsets in the whole `text`."""

    text: str
    language: Language
    quantities: tuple[Quantity, ...]
    mentions: tuple[Mention, ...]
    players: range
    start: int
    end: int

    def part(self, start: int, end: int) -> Reading:
        """What a stretch of this text says by itself."""
        return Reading(
            self.text,
            self.language,
            tuple(q for q in self.quantities if start <= q.start and q.end <= end),
            tuple(m for m in self.mentions if start <= m.start and m.end <= end),
            self.players,
            start,
            end,
        )

    @cached_property
    def places(self) -> Mapping[str, tuple[Mention, ...]]:
        """Where each concept is mentioned, those included that share a term."""
        found: dict[str, tuple[Mention, ...]] = {}
        for mention in self.mentions:
            for concept in (mention.concept, *mention.also):
                found[concept] = (*found.get(concept, ()), mention)
        return found

    @cached_property
    def counts(self) -> Mapping[int, tuple[int, ...]]:
        """The quantities that are numbers of players, by where they start."""
        return player_counts(self.text, self.language, self.quantities, self.players)

    @cached_property
    def rows(self) -> tuple[TableRow, ...]:
        """The numbers by number of players."""
        return tuple(rows(self.text, self.language, self.quantities, self.players, self.start, self.end))


def read(
    text: str, language: Language, finder: Finder, players: range, groups: Mapping[str, tuple[str, ...]]
) -> Reading:
    """What a text says to a game for so many players; `groups` tells what is spoken of with a concept."""
    return Reading(
        text,
        language,
        tuple(read_quantities(text, language.tag)),
        tuple(_with_groups(mention, groups) for mention in finder.find(text)),
        players,
        0,
        len(text),
    )


def _with_groups(mention: Mention, groups: Mapping[str, tuple[str, ...]]) -> Mention:
    more = [group for concept in (mention.concept, *mention.also) for group in groups.get(concept, ())]
    return replace(mention, also=tuple(dict.fromkeys((*mention.also, *more)))) if more else mention
