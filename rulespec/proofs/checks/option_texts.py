"""Checks of the texts of options: every legal action must read differently."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import all_of, quoted, say
from rulespec.language.model import spec as m
from rulespec.language.model.spec import field_of
from rulespec.language.model.typed import CardField, Cards, Domain, Local, Op, Sets, TExpr, ZoneRef, children, constant
from rulespec.language.model.types import BOOL, Type
from rulespec.proofs.checks import locations
from rulespec.proofs.checks.assignments import everything
from rulespec.proofs.checks.implications import implied, locals_of

Choice = m.Option | m.Place


def options(spec: m.Spec) -> Iterator[Finding]:
    """Options whose text does not identify a pick, and options of one choice with the same text."""
    for step in spec.steps():
        if isinstance(step, m.Option):
            yield from _unknown_picks(spec, step, [name for name, _ in step.picks])
        elif isinstance(step, m.Auction):
            yield from _unknown_picks(spec, step.bid, ["amount"])
            yield from _same_texts(spec, (step.bid, step.passing))
        elif isinstance(step, m.Choose | m.Secret):
            yield from _same_texts(spec, step.options)
        elif isinstance(step, m.Draft):
            yield from _same_texts(spec, step.places)


def _unknown_picks(spec: m.Spec, option: m.Option, picks: list[str]) -> Iterator[Finding]:
    unnamed = [name for name in picks if f"{{{name}}}" not in option.says]
    known = identified(spec, option) if unnamed else set()
    if missing := [name for name in unnamed if name not in known]:
        names = all_of(quoted([f"{{{name}}}" for name in missing]))
        message = say(
            "The text of this option does not contain {names}, so different actions read the same.", names=names
        )
        yield locations.report(
            spec, "unsaid-pick", message, locations.of(spec, option), say("Add {names} to `says:`.", names=names)
        )


def _same_texts(spec: m.Spec, choices: Sequence[Choice]) -> Iterator[Finding]:
    for at, option in enumerate(choices):
        if any(option.says == other.says and _together(spec, option, other) for other in choices[:at]):
            message = say("Another option of this choice has the same text.")
            hint = say("Change `says:` of one of them.")
            yield locations.report(spec, "same-words", message, locations.of(spec, option, "says"), hint)


def _together(spec: m.Spec, one: Choice, other: Choice) -> bool:
    """Whether some setting has both."""
    if one.only_if is None or other.only_if is None:
        return True
    return everything(spec).known(Op(BOOL, "and", (one.only_if, other.only_if))) is not False


def identified(spec: m.Spec, option: m.Option) -> set[str]:
    """The names of the picks that players know from the text of an option."""
    named = {name for name, _ in option.picks if f"{{{name}}}" in option.says}
    words = CardWords(spec)
    while more := {*_equal(option, named, words), *_places(option, named, words)} - named:
        named |= more
    return named


def _equal(option: m.Option, named: set[str], words: CardWords) -> Iterator[str]:
    """The picks that equal something which the named ones determine."""
    picks = dict(option.picks)
    for part in implied(option.condition) if option.condition is not None else ():
        if isinstance(part, Op) and part.operator == "==":
            for one, other in (part.arguments, part.arguments[::-1]):
                if isinstance(one, Local) and one.name in picks and _follows(other, picks, named, words):
                    yield one.name


def _follows(node: TExpr | Domain, picks: dict[str, Domain], named: set[str], words: CardWords) -> bool:
    """Whether a part of an expression is the same for all actions with the same text."""
    if isinstance(node, CardField) and isinstance(node.card, Local) and node.card.name in named:
        return words.distinct or node.field in words.shown
    if isinstance(node, Local) and node.name in picks:
        return node.name in named and (words.distinct or not _is_card(node.type))
    return all(_follows(child, picks, named, words) for child in children(node))


def _is_card(type_: Type) -> bool:
    return type_.kind == "card" or (type_.of is not None and type_.of.kind == "card")


def _places(option: m.Option, named: set[str], words: CardWords) -> Iterator[str]:
    """The picks that say in which zone a named card, or a named set with a card, lies."""
    picks = dict(option.picks)
    for zone in (zone for name in named if (zone := _zone(picks[name])) is not None):
        for position, index in enumerate(zone.indices):
            if isinstance(index, Local) and index.name in picks and words.say(zone.name, position):
                yield index.name


def _zone(domain: Domain) -> ZoneRef | None:
    """The zone that at least one card is picked from."""
    of = domain.of if isinstance(domain, Sets) and domain.type.low > 0 else domain
    return of.zone if isinstance(of, Cards) else None


class Sorted(NamedTuple):
    """The zones of a name, one for each content of the index at `position`, which is `field` of every card there."""

    zone: str
    position: int
    field: str


@dataclass(frozen=True)
class CardWords:
    """What the words of cards say of them."""

    spec: m.Spec

    @cached_property
    def _words(self) -> tuple[tuple[object, ...], ...]:
        """What is the same for two cards if they read the same."""
        return tuple(map(self._read, self.spec.deck.cards))

    def _read(self, card: tuple[int, ...]) -> tuple[object, ...]:
        deck = self.spec.deck
        face = {field: card[deck.column(field)] for field in deck.face}
        name = deck.names.get(face[deck.face[0]]) if deck.face else None
        return (name, *(value for field, value in face.items() if name is None or f"{{{field_of(field)}}}" in name))

    @cached_property
    def distinct(self) -> bool:
        """Whether no two cards read the same, so that a card is known by its words."""
        return len({*self._words}) == len(self._words)

    @cached_property
    def shown(self) -> set[str]:
        """The fields that are known by the words of a card."""
        deck = self.spec.deck
        pairs = ({*zip(self._words, column, strict=True)} for column in zip(*deck.cards, strict=True))
        return {field for field, pair in zip(deck.fields, pairs, strict=False) if len(pair) == len({*self._words})}

    def say(self, zone: str, position: int) -> bool:
        """Whether a card among the zones of a name says by its words the index of its zone at a position."""
        return self.distinct or any((zone, position, field) in self._sorted for field in self.shown)

    @cached_property
    def _sorted(self) -> set[Sorted]:
        """The zones in which cards are sorted by a field: by induction, since no card comes there otherwise."""
        deck, found = self.spec.deck, set[Sorted]()
        for zone in self.spec.zones.values():
            for position, index in enumerate(zone.per):
                found |= {Sorted(zone.name, position, f) for f, type_ in deck.fields.items() if type_.comparable(index)}
        flows = [flow for step in self.spec.steps() for flow in step.flows()]
        while wrong := {one for one in found for flow in flows if not _keeps(one, flow, found)}:
            found -= wrong
        return found


def _keeps(one: Sorted, flow: m.Flow, known: set[Sorted]) -> bool:
    """Whether zones stay sorted when cards flow."""
    if flow.target.name != one.zone:
        return True
    index = flow.target.indices[one.position]
    if not constant(index, tuple(locals_of(index))):
        return False  # a move may change it
    if any((flow.source.name, at, one.field) in known and own == index for at, own in enumerate(flow.source.indices)):
        return True
    return flow.card is not None and _is_field(CardField(index.type, flow.card, one.field), index, flow.where)


def _is_field(field: TExpr, index: TExpr, where: TExpr | None) -> bool:
    """Whether a field of a card is an index of the zone that it comes to: by what the index says, or by a condition."""
    parts = implied(where) if where is not None else ()
    equal = ({*part.arguments} for part in parts if isinstance(part, Op) and part.operator == "==")
    return field == index or {field, index} in equal
