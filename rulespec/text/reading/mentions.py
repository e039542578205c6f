"""The reading of a text: its quantities by value, its mentions by concept and its contrasts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

from rulespec.base.diagnostics import Span
from rulespec.text.glossary.finder import Finder, Mention
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.languages.quantity.reader import read as read_quantities
from rulespec.text.languages.record import Language
from rulespec.text.reading.clauses import Clause, clauses, passages
from rulespec.text.reading.contrasts.lexicon import Role, lexicon_of
from rulespec.text.reading.contrasts.negation import Contrast
from rulespec.text.reading.contrasts.reader import found_in
from rulespec.text.reading.contrasts.reader import read as read_contrasts
from rulespec.text.reading.once import once
from rulespec.text.reading.tables.lines import rows
from rulespec.text.reading.tables.row import Table, TableRow, player_counts


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
    player: str = ""
    """The concept of players, in a language whose record has no pattern for them."""
    whole: Reading | None = field(default=None, compare=False, repr=False)
    """The reading of the whole text; None for that itself."""

    def part(self, start: int, end: int) -> Reading:
        """The reading of a part of this text. It is kept, since a line is asked for once for each of its numbers."""

        def part() -> Reading:
            quantities, mentions = self._quantities.inside(start, end), self._mentions.inside(start, end)
            whole = self.whole or self
            return replace(self, quantities=quantities, mentions=mentions, start=start, end=end, whole=whole)

        return once(self, ("part", start, end), part)

    def quantities_from(self, start: int, end: int) -> tuple[Quantity, ...]:
        """The quantities that start in `text[start:end]`."""
        return self._quantities.starting(start, end)

    def mentions_from(self, start: int, end: int) -> tuple[Mention, ...]:
        """The mentions that start in `text[start:end]`."""
        return self._mentions.starting(start, end)

    def mentions_over(self, start: int, end: int) -> Iterator[Mention]:
        """The mentions that share a character with `text[start:end]`."""
        return self._mentions.over(start, end)

    @cached_property
    def contrasts(self) -> tuple[Contrast, ...]:
        """The contrasts in order, each with the concept whose term contains it."""
        if self.whole is None:
            return tuple(self._placed(contrast) for contrast in read_contrasts(self.text, self.language))
        return self.whole._contrasts.inside(self.start, self.end)

    @cached_property
    def predicates(self) -> tuple[Contrast, ...]:
        """What the text affirms and denies, in order."""
        if self.whole is None:
            return tuple(statements(self.text, self.language, self.clauses))
        return self.whole._predicates.inside(self.start, self.end)

    def contrasts_from(self, start: int, end: int) -> tuple[Contrast, ...]:
        """The contrasts that start in `text[start:end]`."""
        return self._contrasts.starting(start, end)

    def _placed(self, contrast: Contrast) -> Contrast:
        over = self.mentions_over(contrast.start, contrast.end)
        terms = (m for m in over if m.status.is_term and m.start <= contrast.start and contrast.end <= m.end)
        term = next(terms, None)
        return contrast if term is None else replace(contrast, within=term.concept)

    @cached_property
    def _quantities(self) -> ByPlace[Quantity]:
        return ByPlace(self.quantities)

    @cached_property
    def _mentions(self) -> ByPlace[Mention]:
        return ByPlace(self.mentions)

    @cached_property
    def _contrasts(self) -> ByPlace[Contrast]:
        return ByPlace(self.contrasts)

    @cached_property
    def _predicates(self) -> ByPlace[Contrast]:
        return ByPlace(self.predicates)

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """The places of the sentences and list items."""
        return tuple(passages(self.text, self.language, self.start, self.end))

    @cached_property
    def places(self) -> Mapping[str, tuple[Mention, ...]]:
        """The mentions of each concept; a mention of a shared term counts for all its concepts."""
        found: dict[str, list[Mention]] = {}
        for mention in self.mentions:
            for concept in (mention.concept, *mention.also):
                found.setdefault(concept, []).append(mention)
        return {concept: tuple(mentions) for concept, mentions in found.items()}

    @cached_property
    def named(self) -> frozenset[str]:
        """The concepts mentioned by a term, not only by a cue or a vague phrase."""
        return frozenset(c for m in self.mentions if m.status.is_term for c in (m.concept, *m.also))

    @cached_property
    def counts(self) -> Mapping[int, tuple[int, ...]]:
        """The numbers of players, by the start offset of their quantity."""
        return player_counts(self.text, self.language, self.quantities, self.players, self._people)

    @cached_property
    def rows(self) -> tuple[TableRow, ...]:
        """The rows of tables by number of players."""
        return tuple(rows((self.whole or self)._table, self.start, self.end))

    @cached_property
    def _table(self) -> Table:
        return Table(self.text, self.language, self.quantities, self.players, self._people)

    @cached_property
    def _people(self) -> Mapping[int, int]:
        return {mention.start: mention.end for mention in self.places.get(self.player, ())}

    @cached_property
    def row_of(self) -> Mapping[Quantity, TableRow]:
        """For every quantity in a row, key or value, the first row that contains it."""
        found: dict[Quantity, TableRow] = {}
        for row in self.rows:
            for quantity in (*row.keys, *row.values):
                found.setdefault(quantity, row)
        return found

    @cached_property
    def row_counts(self) -> frozenset[int]:
        """All numbers of players in rows."""
        return frozenset(count for row in self.rows for count in row.counts)

    @cached_property
    def derived(self) -> dict[object, Any]:
        """Cache of other modules: what they derived from this reading and the game, by a key of their own."""
        return {}

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses in order."""
        return tuple(clauses(self.text, self.language, self.start, self.end))


def read(
    text: str,
    language: Language,
    finder: Finder,
    players: range,
    groups: Mapping[str, tuple[str, ...]],
    player: str = "",
) -> Reading:
    """The reading of a text of a game for a range of players. `groups` maps a concept to those it implies; `player` is
    the concept of players."""
    return Reading(
        text,
        language,
        tuple(_absolute(quantity, players) for quantity in read_quantities(text, language.tag)),
        tuple(_with_groups(mention, groups) for mention in finder.find(text)),
        players,
        0,
        len(text),
        player if language.players is None else "",
    )


def _absolute(quantity: Quantity, players: range) -> Quantity:
    """With a single number of players, a number relative to it is a plain number."""
    if quantity.kind == Kind.RELATIVE and len(players) == 1:
        return replace(quantity, kind=Kind.CARDINAL, value=quantity.value + players[0])
    return quantity


def _with_groups(mention: Mention, groups: Mapping[str, tuple[str, ...]]) -> Mention:
    more = [group for concept in (mention.concept, *mention.also) for group in groups.get(concept, ())]
    return replace(mention, also=tuple(dict.fromkeys((*mention.also, *more)))) if more else mention


def statements(text: str, language: Language, clauses: Sequence[Clause]) -> Iterator[Contrast]:
    """The predicates of a text in order, each in its clause; none if the lexicon of the language has none."""
    lexicon = lexicon_of(language)
    if lexicon is None or not any(one.role is Role.PREDICATE for one in lexicon.wordings.each):
        return
    found = found_in(text, language)
    for clause in clauses:
        here = [one for one in found.predicates if clause.start <= one.start < clause.end]
        words = [(start, role) for start, role in found.clause_words if clause.start <= start < clause.end]
        # The mark may be the last character of the clause, or the one behind it.
        asks = not _ASKS.isdisjoint(text[clause.end - 1 : clause.end + 1])
        certain = not asks and all(role is not Role.EXCEPTION for _, role in words)
        for one in here:
            conditional = clause.is_condition or _is_case(one.start, here, words)
            yield replace(one, clause=clause, certain=certain, conditional=conditional)


_ASKS = {"?", "？"}


def _is_case(start: int, predicates: Sequence[Contrast], words: Sequence[tuple[int, Role]]) -> bool:
    """Whether a predicate of a clause states a case: it stands after words that begin a condition or before those that
    end one, or next to a relative."""
    marks = [word for word in words if word[1] is not Role.EXCEPTION]
    marks += ((one.start, Role.PREDICATE) for one in predicates)
    before, after = [mark for mark in marks if mark[0] < start], [mark for mark in marks if mark[0] > start]
    if any(role is Role.CONDITION for _, role in before) or any(role is Role.CONDITION_END for _, role in after):
        return True
    return max(before, default=_NONE)[1] is Role.RELATIVE or min(after, default=_NONE)[1] is Role.RELATIVE_END


_NONE = (0, Role.PREDICATE)


class Placed(Protocol):
    """Something at `text[start:end]`."""

    @property
    def start(self) -> int:
        """The offset of the first character."""

    @property
    def end(self) -> int:
        """The offset after the last character."""


_T = TypeVar("_T", bound=Placed)


class ByPlace(Generic[_T]):
    """Things in the order of their starts. A search takes a time that does not grow with the text."""

    def __init__(self, every: Iterable[_T]) -> None:
        self.every = tuple(sorted(every, key=lambda one: one.start))

    def starting(self, start: int, end: int) -> tuple[_T, ...]:
        """Those that start in `text[start:end]`."""
        return self.every[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def inside(self, start: int, end: int) -> tuple[_T, ...]:
        """Those that start and end in `text[start:end]`."""
        return tuple(one for one in self.starting(start, end) if one.end <= end)

    def over(self, start: int, end: int) -> Iterator[_T]:
        """Those that share a character with `text[start:end]`."""
        # Nothing that starts earlier is long enough to reach `start`.
        return (one for one in self.starting(start - self._longest, end) if start < one.end)

    @cached_property
    def _starts(self) -> list[int]:
        return [one.start for one in self.every]

    @cached_property
    def _longest(self) -> int:
        return max((one.end - one.start for one in self.every), default=0)
