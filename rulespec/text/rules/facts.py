"""The facts of a rule: what its text must or may state in every language."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import fields, replace
from functools import lru_cache

from rulespec.language.model import spec as m
from rulespec.language.model.constants import Setting, settings
from rulespec.language.model.spec import Spec
from rulespec.language.model.typed import Domain, Members, Range
from rulespec.language.model.types import NONE
from rulespec.text.rules import derived, keys, required
from rulespec.text.rules.content import (
    ByKey,
    ByPlayers,
    Choices,
    Content,
    Extent,
    Faces,
    Fact,
    Number,
    Sequence,
    Words,
    by_players,
)


@lru_cache(maxsize=4096)
def of_rule(spec: Spec, id_: str) -> tuple[Fact, ...]:
    """The facts of a rule or ruling; those that follow from what it does are optional."""
    return tuple(_facts(spec, id_))


def listed(spec: Spec, id_: str) -> tuple[Fact, ...]:
    """The facts that `states:` lists for a rule or ruling."""
    return tuple(_listed(spec, id_))


def _facts(spec: Spec, id_: str) -> Iterator[Fact]:
    """The facts under `states:`, then those that follow from what the rule does."""
    listed = list(_listed(spec, id_))
    known = {_uncounted(fact.content) for fact in listed if not fact.optional}
    yield from listed
    for name in derived.listed(spec, id_):
        if name in spec.states and name not in spec.values:  # a rule may have the name of a value
            yield from (Fact(fact.content, True) for fact in _listed(spec, name))
    yield from (Fact(content, derived=True) for content in required.of_rule(spec, id_) if content not in known)
    yield from (Fact(content, True, True) for content in derived.of_rule(spec, id_) if content not in known)


def _uncounted(content: Content) -> Content:
    """A content without the concept that it counts, as steps state it."""
    return replace(content, of="") if isinstance(content, Number | ByPlayers) else content


def _listed(spec: Spec, id_: str) -> Iterator[Fact]:
    for stated in spec.states.get(id_, ()):
        if not isinstance(stated, m.About | m.Unsaid):
            yield Fact(_content(spec, _settings(spec, id_), stated), stated.optional)


def contents(spec: Spec, id_: str) -> list[Content]:
    """The contents of the facts of a rule or ruling, optional ones included."""
    return [fact.content for fact in of_rule(spec, id_)]


def digest(spec: Spec, id_: str) -> str:
    """A digest of the facts that `states:` lists for a rule, eight hexadecimal digits: it changes with any of them.

    Facts that follow from what the rule does are left out: they change with rules that it merely mentions.
    """
    facts = listed(spec, id_)
    stated = [[type(fact.content).__name__, fact.optional, _compared(fact.content)] for fact in facts]
    # Sets are sorted, because their order differs from run to run.
    return hashlib.sha256(json.dumps(stated, default=sorted).encode()).hexdigest()[:8]


def _compared(content: Content) -> dict[str, object]:
    return {one.name: getattr(content, one.name) for one in fields(content) if one.compare}


def _settings(spec: Spec, id_: str) -> list[Setting]:
    """The settings in which the rule is in the game; all settings if only other rulings bring it in."""
    rule = spec.rules.get(id_)
    every = settings(spec)
    return [one for one in every if rule is None or one.present(rule.only_if)] or every


def _content(spec: Spec, among: list[Setting], stated: m.Fact) -> Content:
    if isinstance(stated, m.Amount):
        return _amount(spec, among, stated)
    if isinstance(stated, m.CardCount):
        return by_players({one.players: _cards(one, stated) for one in among}, stated.of)
    if isinstance(stated, m.MemberCount):
        return by_players({one.players: len(one.in_play(stated.enum)) for one in among}, stated.of)
    if isinstance(stated, m.PartCount):
        return Number(len(stated.names), stated.of)
    if isinstance(stated, m.Bounds):
        return Extent(stated.low, stated.high)
    if isinstance(stated, m.Which):
        return Choices({one.players: _which(one, stated) for one in among})
    if isinstance(stated, m.Signs):
        return Faces(stated.faces)
    if isinstance(stated, m.Order):
        return Sequence(stated.names)
    assert isinstance(stated, m.StatedTerms)
    return Words(stated.concepts)


def _amount(spec: Spec, among: list[Setting], stated: m.Amount) -> Content:
    if stated.over is None:
        return by_players({one.players: one.value(stated.value) for one in among}, stated.of)
    name, domain = stated.over
    # The setting with the most players: others may lack keys of the table.
    widest = among[-1]
    rows = {_key(spec, domain, index): widest.value(stated.value, {name: index}) for index in _indices(widest, domain)}
    return ByKey(rows, stated.of, keys.of_table(spec, stated.value))


def _indices(setting: Setting, domain: Domain) -> list[int]:
    if isinstance(domain, Range):
        return list(range(setting.value(domain.low), setting.value(domain.high) + 1))
    assert isinstance(domain, Members)
    return list(setting.in_play(domain.type.name)) if domain.type.kind == "enum" else list(range(setting.players))


def _key(spec: Spec, domain: Domain, index: int) -> int | str:
    return f"{domain.type.name}.{spec.member(domain.type, index)}" if domain.type.kind == "enum" else index


def _cards(setting: Setting, stated: m.CardCount) -> int:
    cards = setting.cards if stated.in_play else range(len(setting.spec.deck.cards))
    return sum(bool(setting.value(stated.condition, {}, card)) for card in cards)


def _which(setting: Setting, stated: m.Which) -> frozenset[int]:
    deck = setting.spec.deck
    column = deck.column(stated.field)
    held = (card[column] for c, card in enumerate(deck.cards) if setting.value(stated.condition, {}, c))
    return frozenset(value for value in held if value != NONE)
