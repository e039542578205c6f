"""Values of a text that another of their sort can replace: terms of one sort, players, and places with their role."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rulespec.diagnostics import Span
from rulespec.text.checks.roles import Person, Role, read_doers, read_people
from rulespec.text.checks.roles.said import Said
from rulespec.text.glossary import Mention
from rulespec.text.languages import Language
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.rules.book import Book

FACING, PLAYERS, PLACES = "facing", "role", "place"
"""The sort of face up and face down, which are contrasts, and those of players and of places."""

DOER, PASSING = "doer", "passing"
"""The relation of a player to what the player has done, as in: whoever has won the bid. That of a turn to the table."""

NEIGHBOURS = frozenset({"left_neighbour", "right_neighbour", "next"})
"""The relations of players who sit beside another one."""


@dataclass(frozen=True)
class Value:
    """The words at `text[start:end]` for one of several things of a sort.

    `names` are the concepts that they may mean, or a relation between players such as `next`. `role` is that of a place
    or of a player in its clause. `denied`: the clause says that something is not so. `listed` are the other members of
    the list of terms in which it is.
    """

    sort: str
    names: tuple[str, ...]
    role: Role
    start: int
    end: int
    denied: bool
    listed: frozenset[str] = field(default=frozenset(), compare=False)

    @property
    def span(self) -> Span:
        """Its words."""
        return Span(self.start, self.end)

    @property
    def is_beside(self) -> bool:
        """Whether it is a player whose neighbour is meant."""
        return self.role is Role.BESIDE

    def means(self, other: Value) -> bool:
        """Whether two values of one sort may be the same."""
        return not set(self.names).isdisjoint(other.names)


def values(part: Reading, book: Book) -> tuple[Value, ...]:
    """The values in a part of a text, in order."""
    whole = part.whole or part
    every = once(whole, "values", lambda: tuple(_listed(tuple(_values(whole, book)), whole)))
    return tuple(one for one in every if part.start <= one.start and one.end <= part.end)


def _values(whole: Reading, book: Book) -> Iterator[Value]:
    said = Said(whole, book)
    people = tuple(read_people(whole.text, whole.language))
    found = [*_terms(said, people), *_people(said, people)]
    yield from sorted(found, key=lambda one: (one.start, one.end))


def _terms(said: Said, people: tuple[Person, ...]) -> Iterator[Value]:
    """The terms that have a sort; a term for a neighbour has the relation instead of its concept."""
    roles = _roles(said, people)
    for mention in said.terms:
        sort = said.book.sort(mention.concept)
        if sort not in ("", FACING, PLAYERS) or _is_player(mention, said, people):
            names = (mention.concept, *(one for one in mention.also if said.book.sort(one) == sort))
            role = roles.get(mention, Role.NEITHER)
            yield Value(sort, names, role, mention.start, mention.end, _is_denied(said, mention.start))


def _roles(said: Said, people: tuple[Person, ...]) -> dict[Mention, Role]:
    """The roles of the places and players; that a neighbour is meant comes first."""
    found = {mention: placed.role for mention, placed in said.read("places", said.zone)}
    for group in ("holders", "standing"):
        for mention, placed in said.read(group, lambda one: _is_player(one, said, people)):
            if placed.role is not Role.NEITHER:
                found[mention] = placed.role
    return found


def _is_player(mention: Mention, said: Said, people: tuple[Person, ...]) -> bool:
    """Whether a term is for a player, but not one by a relation. A marker that shows a player is a thing."""
    over = any(one.start < mention.end and mention.start < one.end for one in people)
    return said.book.sort(mention.concept) == PLAYERS and not over and not said.book.is_component(mention.concept)


def _people(said: Said, people: tuple[Person, ...]) -> Iterator[Value]:
    """The neighbours, and the players by what they have done, unless the words for these have another value."""
    taken: list[Person | Mention] = [m for m in said.terms if said.book.sort(m.concept) == PLAYERS]
    taken += people
    doers = read_doers(said.reading.text, said.reading.language)
    free = [one for one in doers if not any(each.start < one.end and one.start < each.end for each in taken)]
    for one in (*people, *free):
        if one.relation != PASSING:
            names = _NEIGHBOURS.get(one.relation, (one.relation,))
            yield Value(PLAYERS, names, Role.NEITHER, one.start, one.end, _is_denied(said, one.start))


_NEIGHBOURS = {name: (name, "next") for name in ("left_neighbour", "right_neighbour")} | {
    "next": ("next", "left_neighbour", "right_neighbour")
}
"""The relations that each relation may mean: the next player is a neighbour."""


def _is_denied(said: Said, at: int) -> bool:
    clause = said.clause_at(at)
    return clause is not None and said.is_denied(clause)


def _listed(every: tuple[Value, ...], whole: Reading) -> Iterator[Value]:
    """The values, each with the names of the others in its list."""
    lists: list[list[Value]] = []
    for one, run in zip(every, [None, *every], strict=False):
        joined = run is not None and run.sort == one.sort and _join(whole.text[run.end : one.start], whole.language)
        if joined:
            lists[-1].append(one)
        else:
            lists.append([one])
    for members in lists:
        for one in members:
            others = frozenset(name for other in members if other is not one for name in other.names)
            yield Value(one.sort, one.names, one.role, one.start, one.end, one.denied, others)


def _join(between: str, language: Language) -> bool:
    either = language.either
    comma = between.strip() in (",", "，")
    return comma or bool(language.enumeration.fullmatch(between)) or bool(either and either.fullmatch(between))
