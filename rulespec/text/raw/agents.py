"""Who does what: the acts of a sentence, each with the player who does it, as far as the sentence says so.

A player is read by position: before the act, or after it in a language whose subjects have a form of their own. One
after a preposition, or in another case, does nothing. The next acts have the same player until another one is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rulespec.diagnostics import Span
from rulespec.text.checks.roles import Placed, Role, read_places, roles_of
from rulespec.text.raw.acts import Act, acts
from rulespec.text.raw.marks import denies
from rulespec.text.raw.values import DOER, NEIGHBOURS, PLAYERS, Value, values
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.rules.book import Book

CLOSE = 12
"""The most characters between the words for a neighbour and the player beside whom the neighbour sits."""


@dataclass(frozen=True)
class Agent:
    """A player who does something, at `words`.

    `names` are the concepts of the player, or none. `beside`: a neighbour of that player is meant. `rank` is which one
    of several it is, such as the last, `doing` are the acts by which the text describes the player, and `having` what
    the player has by it.
    """

    names: frozenset[str]
    beside: bool
    rank: str
    doing: frozenset[str]
    having: frozenset[str]
    words: tuple[Span, ...] = field(compare=False)

    @property
    def is_known(self) -> bool:
        """Whether the words say more than that it is a player."""
        return self.beside or self._is_described

    @property
    def is_named(self) -> bool:
        """Whether the words say more than what the player does."""
        return self.beside or bool(self.names or self.having)

    @property
    def _is_described(self) -> bool:
        return bool(self.names or self.doing or self.having)

    def excludes(self, other: Agent) -> bool:
        """Whether the two are different players."""
        if self.beside != other.beside:
            return self._is_described or not other.doing
        if self.names and other.names:
            return not self.names & other.names or bool(self.rank and other.rank and self.rank != other.rank)
        if self.doing and other.doing:
            return not self.doing & other.doing and not (self.doing & MOVES and other.doing & MOVES)
        return bool(self.names and other.doing and not self.beside)


@dataclass(frozen=True)
class Deed:
    """An act of a sentence and the player who does it, None if the sentence does not say."""

    act: Act
    agent: Agent | None
    sentence: Reading = field(repr=False, compare=False)


def deeds(sentence: Reading, book: Book) -> tuple[Deed, ...]:
    """The acts of a sentence in order, each with its agent."""
    whole = sentence.whole or sentence
    return once(whole, ("deeds", sentence.start, sentence.end), lambda: tuple(_Sentence(sentence, book).deeds()))


@dataclass(frozen=True, eq=False)
class _Player:
    value: Value
    agent: Agent
    role: Role
    """That of an agent, of one that may be an agent by its position (`EITHER`), or neither."""
    since: int
    """Where the words begin that show its role."""


EITHER = Role.BECOMES
MOVES = frozenset({"put", "lift", "give", "take", "choose", "become", "follow", "remove"})
"""Acts that move something. Two descriptions by these may be of one player: who lifted it, who put it there."""

PASSED_ON = "follow"
"""The act that another player does than the one before: the turn passes."""

TURNS = frozenset({"begin", PASSED_ON})
"""The acts after which others do what follows as well: the first player begins, and each draws a card."""

KEEPER = "keeper"
"""The sort of players who have a marker."""


class _Sentence:
    def __init__(self, sentence: Reading, book: Book) -> None:
        self.reading, self.whole, self.book = sentence, sentence.whole or sentence, book
        self.spaced = self.whole.language.spaced
        self._used: set[_Player] = set()

    def deeds(self) -> Iterator[Deed]:
        agent: Agent | None = None
        since = self.reading.start
        for at, act in enumerate(self.acts):
            found = self._agent(since, act, self._until(at))
            if found is not None and self._is_relative(found, act):
                self._used.discard(found)
                continue
            changed = self._is_changed(since, act.start) or act.name == PASSED_ON
            agent = found.agent if found is not None else None if changed else agent
            yield Deed(act, agent, self.reading)
            agent = None if act.name in TURNS else agent
            since = max(since, act.end)

    def _is_changed(self, start: int, end: int) -> bool:
        """Whether another player, or anybody, is named between two acts."""
        lexicon = roles_of(self.whole.language)
        anybody = lexicon.anybody if lexicon is not None else ()
        named = any(start <= one.value.start and one.value.end <= end for one in self.players)
        return named or any(each.search(self.whole.text, start, end) for each in anybody)

    @cached_property
    def acts(self) -> Sequence[Act]:
        """The acts outside the words for players."""
        spans = [one.value for one in self.players]
        return [one for one in acts(self.reading) if not any(s.start < one.end and one.start < s.end for s in spans)]

    def _until(self, at: int) -> int:
        end = self.acts[at].end
        return next((one.start for one in self.acts[at + 1 :] if one.start >= end), self.reading.end)

    def _agent(self, since: int, act: Act, until: int) -> _Player | None:
        ahead = [one for one in self._free if since <= one.value.start and one.value.end <= act.start]
        agents = [one for one in ahead if one.role in (Role.AGENT, EITHER)]
        behind = [one for one in self._free if act.end <= one.value.start and one.value.end <= until]
        behind = [one for one in behind if self.spaced or one.since <= act.end]
        agents = agents[-1:] or [one for one in behind if one.role is Role.AGENT][:1]
        self._used.update(agents)
        return agents[0] if agents else None

    @property
    def _free(self) -> Sequence[_Player]:
        """The players that are not yet the agent of an act."""
        return [one for one in self.players if one not in self._used]

    def _is_relative(self, player: _Player, act: Act) -> bool:
        """Whether an act is the one by which its player is described: the player who lifted …"""
        return self.spaced and act.name in player.agent.doing and player.value.end <= act.start

    # --- players

    @cached_property
    def players(self) -> Sequence[_Player]:
        every = [one for one in values(self.reading, self.book) if one.sort == PLAYERS]
        free = _apart([*every, *self._keepers])
        spans = [one.span for one in free]
        placed = read_places(self.whole.text, self.whole.language, spans, "agents") if spans else ()
        bases = {one: self._base(one, free) for one in free}
        used = set(bases.values())
        return [
            _Player(one, self._agent_of(one, bases[one]), self._role(one, place), place.words.start)
            for one, place in zip(free, placed, strict=True)
            if one not in used
        ]

    @cached_property
    def _keepers(self) -> Sequence[Value]:
        """The players by a marker that they have."""
        known = self.book
        over = self.whole.mentions_from(self.reading.start, self.reading.end)
        signs = [
            m for m in over if m.status.is_term and known.sort(m.concept) == PLAYERS and known.is_component(m.concept)
        ]
        spans = [Span(m.start, m.end) for m in signs]
        placed = read_places(self.whole.text, self.whole.language, spans, "keepers") if spans else ()
        found = [(sign, place.words) for sign, place in zip(signs, placed, strict=True) if place.role is Role.HOLDER]
        return [Value(KEEPER, (m.concept,), Role.NEITHER, words.start, words.end, False) for m, words in found]

    def _role(self, one: Value, place: Placed) -> Role:
        if place.role is Role.AGENT:
            return Role.AGENT
        if one.role is Role.EXCEPT or place.words != one.span:
            return Role.NEITHER
        lexicon = roles_of(self.whole.language)
        if lexicon is None or lexicon.subject is None:
            return EITHER
        return Role.AGENT if lexicon.subject.search(self.whole.text[one.start : one.end]) else Role.NEITHER

    def _agent_of(self, one: Value, base: Value | None) -> Agent:
        beside = one.names[0] in NEIGHBOURS
        meant = base if beside else self._named(one)
        words = (one.span,) if base is None else (one.span, base.span)
        none = frozenset[str]()
        if meant is None:
            return Agent(none, beside, "", none, none, words)
        if meant.sort == KEEPER:
            return Agent(none, beside, "", none, frozenset(meant.names), words)
        if meant.names[0] == DOER:
            return Agent(none, beside, "", self._doing(meant), none, words)
        return Agent(self._names(meant), beside, self._rank(meant), none, none, words)

    def _named(self, one: Value) -> Value:
        """The player whose term follows: “the player who was the last adviser”."""
        after = (other for other in self._terms if one.names[0] == DOER and one.end <= other.start <= one.end + CLOSE)
        return next(after, one)

    @cached_property
    def _terms(self) -> Sequence[Value]:
        every = values(self.reading, self.book)
        return [one for one in every if one.sort == PLAYERS and one.names[0] not in {DOER, *NEIGHBOURS}]

    def _names(self, one: Value) -> frozenset[str]:
        """The concepts of a player that are names of the spec; those whose terms are part of each other are one."""
        known = self.book.glossary.concepts
        return frozenset(
            other for name in one.names if name in known and known[name].names for other in self._same(name)
        )

    def _same(self, name: str) -> Iterator[str]:
        """The players whose terms are part of a term, and the reverse: the adviser, the last adviser."""
        term = self._term(name)
        for other in self.book.glossary.concepts:
            if self.book.sort(other) == PLAYERS and (words := self._term(other)) and (words in term or term in words):
                yield other

    def _term(self, name: str) -> str:
        terms = self.book.glossary.concepts[name].terms.get(self.whole.language.tag)
        return terms.preferred.text if terms is not None and terms.preferred is not None else ""

    def _doing(self, one: Value) -> frozenset[str]:
        """The acts by which a player is described: in the words themselves, or the next one."""
        inside = acts(self.whole.part(one.start, one.end))
        if inside or not self.spaced:
            return frozenset(act.name for act in inside)
        after = [act for act in acts(self.reading) if act.start >= one.end]
        if not after or any(denies(each) for each in self.whole.contrasts_from(one.end, after[0].start)):
            return frozenset()
        return frozenset(act.name for act in after if act.start < after[0].end)

    def _base(self, one: Value, every: Sequence[Value]) -> Value | None:
        """The player whose neighbour is meant."""
        if one.names[0] not in NEIGHBOURS:
            return None
        others = [other for other in every if other.names[0] not in NEIGHBOURS]
        near = (o for o in others if -CLOSE <= o.start - one.end <= CLOSE or -CLOSE <= one.start - o.end <= CLOSE)
        return next((o for o in near if o.is_beside or o.names[0] == DOER or o.sort == KEEPER), None)

    def _rank(self, one: Value) -> str:
        """The first or the last, in the words for a player or right before them."""
        for contrast in self.reading.contrasts:
            if contrast.family == "sequence" and contrast.start < one.end and contrast.end >= one.start - 2:
                return contrast.value
        return ""


def _apart(every: Sequence[Value]) -> list[Value]:
    """The longest values of those that overlap, in order."""
    found: list[Value] = []
    for one in sorted(every, key=lambda each: (each.start - each.end, each.start)):
        if not any(one.start < other.end and other.start < one.end for other in found):
            found.append(one)
    return sorted(found, key=lambda each: each.start)
