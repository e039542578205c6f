"""Players of a text against those of its rule: who becomes first player, whose hand it is, who gets which prize."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rulespec.base.diagnostics import Span
from rulespec.base.messages import say
from rulespec.proofs.meaning import Phrase, Proposition, propositions
from rulespec.text.checks.roles.finding import RoleContradiction
from rulespec.text.checks.roles.lexicon import Role, roles_of
from rulespec.text.checks.roles.reader import Person, Placed, read_people
from rulespec.text.checks.roles.said import Said
from rulespec.text.glossary import Mention
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.rules.book import Book
from rulespec.text.rules.claims import nearby, own
from rulespec.text.rules.subjects import beside, within


def people_contradictions(said: Said, rule: str) -> Iterator[RoleContradiction]:
    """The players in the text of a rule that the rule excludes."""
    rules, reading = _Rule(rule, said.book), said.reading
    every = once(reading.alone, "people", lambda: tuple(read_people(reading.text, reading.language)))
    people = [one for one in every if reading.start <= one.start < reading.end]
    yield from _holders(said, people, rules)
    yield from _owners(said, people, rules)
    yield from _prizes(said, rules)
    yield from _strangers(said, people, rules)


_NEIGHBOURS = {"left_neighbour", "right_neighbour"}


@dataclass(frozen=True, eq=False)
class _Rule:
    """A rule with what it says of players."""

    id: str
    book: Book

    @cached_property
    def own(self) -> tuple[Proposition, ...]:
        return own(self.book.spec, self.id)

    @cached_property
    def inside(self) -> tuple[Proposition, ...]:
        """The propositions of the rules inside it."""
        stated = propositions(self.book.spec)
        return tuple(one for inner in within(self.book.spec, self.id) for one in stated.get(inner, ()))

    @cached_property
    def near(self) -> tuple[Proposition, ...]:
        """Its propositions and those near it, definitions left out."""
        every = (*self.close, *nearby(self.book.spec, self.id))
        return tuple(one for one in every if not one.definition and one.rule)

    @cached_property
    def close(self) -> tuple[Proposition, ...]:
        """Its propositions, those of the rules inside it, and those of the rules before and after it."""
        stated = propositions(self.book.spec)
        others = (one for other in beside(self.book.spec, self.id, 1) for one in stated.get(other, ()))
        return (*self.own, *self.inside, *others)

    def passing(self, name: str, stated: Sequence[Proposition]) -> Proposition | None:
        """The proposition by which a neighbour becomes what has a name, such as the first player."""
        acts = (one for one in stated if one.act.constructor == "becomes" and one.act.parts[0].name == name)
        return next((one for one in acts if one.act.parts[1].constructor in _NEIGHBOURS), None)

    def is_role(self, name: str) -> bool:
        """Whether a name of the spec is a player that changes in play, such as the first player."""
        value = self.book.spec.values.get(name)
        return value is not None and value.type.kind == "player" and value.definition is None


# --- who becomes what ------------------------------------------------------------------------------------------------


def _holders(said: Said, people: Sequence[Person], rule: _Rule) -> Iterator[RoleContradiction]:
    """Players that by the text become what by the rule a neighbour becomes."""
    changes = any(one.act.constructor == "becomes" for one in (*rule.own, *rule.inside))
    for mention, placed in said.read("holders", lambda m: rule.is_role(said.name(m))) if changes else ():
        clause, name = said.clause_at(placed.start), said.name(mention)
        if clause is not None and placed.role is not Role.NEITHER and not said.is_denied(clause):
            wrong = _kept(name, placed.role, rule) or _unsaid(name, placed, said, people, rule)
            if wrong is not None:
                term = said.book.term(mention.concept, said.reading.language.tag)
                instead = say("{who} becomes {tag}", who=say("a neighbour"), tag=term)
                yield RoleContradiction(placed.words, instead, wrong)


def _kept(name: str, role: Role, rule: _Rule) -> Proposition | None:
    """The change of a value that by the text stays as it is, or is handed to the player who has it."""
    return rule.passing(name, {Role.REMAINS: (*rule.own, *rule.inside), Role.RECEIVES: rule.own}.get(role, ()))


def _unsaid(name: str, placed: Placed, said: Said, people: Sequence[Person], rule: _Rule) -> Proposition | None:
    """The change to a neighbour of a value that a player gets by the text, if it has no word of who comes next.

    For a change that the rule itself makes, the sentence and the one before it must have such a word; for one inside
    the rule, the text.
    """
    if placed.role is not Role.BECOMES:
        return None
    text = Span(said.reading.start, said.reading.end)
    for stated, span in ((rule.own, said.sentences_to(placed.start)), (rule.inside, text)):
        change = rule.passing(name, stated)
        if change is not None:
            return None if _says_who(span, said, people) else change
    return None


def _says_who(span: Span, said: Said, people: Sequence[Person]) -> bool:
    """Whether a part of the text has words for a neighbour, a side or the next player."""
    sided = any(each.family == "side" for each in said.reading.contrasts_from(span.start, span.end))
    return sided or any(span.start <= each.start < span.end for each in people)


# --- whose place it is -----------------------------------------------------------------------------------------------


def _owners(said: Said, people: Sequence[Person], rule: _Rule) -> Iterator[RoleContradiction]:
    """Places of a neighbour, of a kind that only other players have in the moves of the rule and near it."""
    neighbours = [one for one in people if one.relation in _NEIGHBOURS]
    for mention, _ in said.read("places", said.zone) if neighbours else ():
        owner = next((one for one in neighbours if _owns(said, one, mention)), None)
        owned = _owned(said.zone(mention), rule.near)
        if owner is not None and owned and not any(_may_be_neighbour(*each) for each in owned):
            words = Span(min(owner.start, mention.start), max(owner.end, mention.end))
            yield RoleContradiction(words, say("it is the place of another player"), owned[0][1])


def _owns(said: Said, person: Person, place: Mention) -> bool:
    """Whether the words for a player stand right before or after a place as its owner."""
    return once(said.reading.alone, (person, place), lambda: _stand_together(said.reading, person, place))


def _stand_together(reading: Reading, person: Person, place: Mention) -> bool:
    lexicon, text = roles_of(reading.language), reading.text
    if lexicon is None:
        return False
    if person.end <= place.start:
        return any(pattern.fullmatch(text, person.end, place.start) for pattern in lexicon.owned)
    return any(pattern.fullmatch(text, place.end, person.start) for pattern in lexicon.owner)


def _owned(zone: str, stated: Sequence[Proposition]) -> list[tuple[Phrase, Proposition]]:
    """The owners of a zone, each with the proposition that says so."""
    return [
        (phrase.parts[0], one)
        for one in stated
        for phrase in one.phrases()
        if phrase.constructor == "zone" and phrase.name == zone and phrase.parts
    ]


def _may_be_neighbour(owner: Phrase, stated: Proposition) -> bool:
    """Whether the owner may be the neighbour of a player: it is one, or any player of a loop or of a procedure."""
    bound = {loop.parts[0].name for loop in stated.within if loop.parts}
    bound |= {part.name for loop in stated.within if loop.constructor == "procedure_is" for part in loop.parts}
    return owner.constructor in _NEIGHBOURS or owner.name in bound


# --- who gets which prize --------------------------------------------------------------------------------------------


def _prizes(said: Said, rule: _Rule) -> Iterator[RoleContradiction]:
    """Prizes of the best player that the second gets by the text."""
    first, others = (_given(name, (*rule.own, *rule.near)) for name in ("prize", "prize_next"))
    only = {name: one for name, one in first.items() if name not in others}
    for mention, placed in said.read("prizes", lambda m: said.name(m) in only) if others else ():
        if placed.role is Role.SECOND:
            yield RoleContradiction(placed.words, say("the best player gets it"), only[said.name(mention)])


def _given(constructor: str, stated: Sequence[Proposition]) -> dict[str, Proposition]:
    """The names of the prizes of a constructor, with what they are worth."""
    prizes = (one for one in stated if one.act.constructor == constructor)
    return {part.name: one for one in prizes for part in one.act.parts if part.name}


# --- neighbours of whom the rule says nothing ------------------------------------------------------------------------


_IN_SEAT_ORDER = {*_NEIGHBOURS, "each_from", "bidding_order", "auctioned_again"}
"""Constructors that are about a neighbour, or go round the table."""


def _strangers(said: Said, people: Sequence[Person], rule: _Rule) -> Iterator[RoleContradiction]:
    """Neighbours in the text of a rule that nothing in it and near it is about, and that `states:` does not list."""
    neighbours = [one for one in people if one.relation in _NEIGHBOURS and not _is_listed(one, said, rule)]
    if neighbours and rule.own and not any(map(_goes_round, (*rule.own, *rule.near))):
        for one in neighbours:
            yield RoleContradiction(Span(one.start, one.end), say("no neighbour takes part"), rule.own[0])


def _goes_round(stated: Proposition) -> bool:
    """Whether a proposition is about a neighbour, or goes round the table."""
    phrases = (phrase for part in (stated.act, *stated.conditions, *stated.within) for phrase in part.walk())
    return any(phrase.constructor in _IN_SEAT_ORDER for phrase in phrases)


def _is_listed(person: Person, said: Said, rule: _Rule) -> bool:
    """Whether the facts of the rule list the concept of a mention in the words for a player."""
    over = said.reading.mentions_over(person.start, person.end)
    return any(concept in rule.book.needs(rule.id) for m in over for concept in (m.concept, *m.also))
