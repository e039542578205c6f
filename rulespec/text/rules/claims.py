"""Claims: the contrasts that the propositions of a rule state, with the names around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import chain
from weakref import WeakKeyDictionary

from rulespec.language.model.phrase import Phrase, Proposition, Says
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.constructors import CONSTRUCTORS
from rulespec.proofs.meaning.rules import answering, defined, propositions, related
from rulespec.text.rules.subjects import around, within


class Nearness(IntEnum):
    """How near the proposition of a claim is to a rule.

    `NEAR` are the rules inside and around it, the procedures that it runs, and definitions. `FAR` is the rest of the
    game.
    """

    FAR = 0
    NEAR = 1
    OWN = 2


@dataclass(frozen=True)
class Claim:
    """One value of a contrast family that a proposition states, or implies if `stated` is false.

    `acting` are the names of the spec in the act of the proposition, `conditional` those only in its conditions,
    `named` those of the phrase that says it. `numbers` are the bounds of a comparison by players, `constructor` that of
    the phrase.
    """

    family: str
    value: str
    acting: frozenset[str]
    conditional: frozenset[str]
    named: frozenset[str]
    numbers: frozenset[int]
    constructor: str
    nearness: Nearness
    proposition: Proposition = field(repr=False)
    stated: bool = True

    @property
    def own(self) -> bool:
        """Whether the rule itself states it. Other rules and definitions only explain what else its text may say."""
        return self.nearness is Nearness.OWN


def claims(spec: Spec, rule: str) -> tuple[Claim, ...]:
    """All claims that the text of a rule or ruling may state, its own first."""
    known = _KNOWN.setdefault(spec, {})
    if rule not in known:
        known[rule] = tuple(dict.fromkeys(_claims(spec, rule)))
    return known[rule]


def everywhere(spec: Spec) -> tuple[Claim, ...]:
    """The claims of all rules and definitions of a game."""
    known = _KNOWN.setdefault(spec, {})
    if _EVERYWHERE not in known:
        every = chain.from_iterable((*propositions(spec).values(), *defined(spec).values()))
        known[_EVERYWHERE] = tuple(dict.fromkeys(_of(every, Nearness.FAR)))
    return known[_EVERYWHERE]


_KNOWN: WeakKeyDictionary[Spec, dict[str, tuple[Claim, ...]]] = WeakKeyDictionary()
_EVERYWHERE = "*"
"""A key that is the id of no rule."""


def own(spec: Spec, rule: str) -> tuple[Proposition, ...]:
    """The propositions of a rule; of a ruling, those that its other answers bring in."""
    return tuple(answering(spec, rule)) if rule in spec.rulings else propositions(spec).get(rule, ())


def nearby(spec: Spec, rule: str) -> Iterator[Proposition]:
    """What the text of a rule may also speak of: rules inside it and around it, procedures it runs, definitions."""
    stated, mine = propositions(spec), own(spec, rule)
    rules = [rule] if rule in spec.rules else list(dict.fromkeys(one.rule for one in mine))
    close = dict.fromkeys(near for one in rules if one for near in _close(spec, one))
    others = [one for near in close if near != rule for one in stated.get(near, ())]
    yield from others
    for group in related(spec, (*mine, *others)).values():
        yield from group


def _close(spec: Spec, rule: str) -> Iterator[str]:
    """The rules inside a rule and its parent, the parent itself, and the procedures that the rule runs."""
    for container in around(spec, rule)[:2]:
        yield container
        yield from within(spec, container)
    for one in propositions(spec).get(rule, ()):
        yield from (phrase.name for phrase in one.phrases() if phrase.constructor == "procedure")


def _claims(spec: Spec, rule: str) -> Iterator[Claim]:
    mine = own(spec, rule)
    yield from _of(mine, Nearness.OWN)
    yield from _of(nearby(spec, rule), Nearness.NEAR)


def _of(every: Iterable[Proposition], nearness: Nearness) -> Iterator[Claim]:
    for one in every:
        acting = _names(one.act)
        conditional = frozenset(name for phrase in one.conditions for name in _names(phrase)) - acting
        # The names of the zone that the act puts cards into, which its face is about.
        zones = [part for part in one.act.parts if part.constructor == "zone"]
        laid = _names(zones[-1]) if zones else frozenset()
        for phrase in one.phrases():
            about = laid if phrase.constructor in _FACES and laid else acting
            row = CONSTRUCTORS[phrase.constructor]
            for pairs, stated in (((*row.says, *_moved(phrase)), True), ((*row.implies, *_leaves_out(phrase)), False)):
                for family, value in pairs:
                    yield Claim(
                        *(family, value, about, conditional, _names(phrase), _bounds(phrase), phrase.constructor),
                        *(nearness, one, stated),
                    )


_FACES = ("face_up", "face_down")


def _names(phrase: Phrase) -> frozenset[str]:
    return frozenset(part.name for part in phrase.walk() if part.name)


def _moved(phrase: Phrase) -> Says:
    """Whether the owner of a zone takes or loses the cards of a move. What one player loses another may take.

    A player who lays a card from one of their zones face up into another one, such as their discard pile, does neither.
    """
    zones = [part for part in phrase.parts if part.constructor == "zone"]
    if not phrase.constructor.startswith("move_") or len(zones) != 2:  # from one zone to another
        return ()
    source, target = (zone.parts for zone in zones)
    if source and source == target:
        return () if any(part.constructor == "face_up" for part in phrase.parts) else (("possession", "take"),)
    return (*((("possession", "take"),) if target else ()), ("possession", "lose"))


def _leaves_out(phrase: Phrase) -> Says:
    """“None” for those that a loop leaves out, and for what a test of more than 0 rejects."""
    but = _EXCEPT.get(phrase.constructor, len(phrase.parts)) < len(phrase.parts)
    any_at_all = phrase.constructor in ("more", "at_least") and phrase.parts[-1].number in (0, 1)
    return (("quantity", "none"), ("quantity", "some")) if any_at_all else (("quantity", "none"),) if but else ()


_EXCEPT = {"each": 2, "each_from": 2, "each_count": 2, "each_in_order": 2}
"""The number of parts of a loop for all."""


def _bounds(phrase: Phrase) -> frozenset[int]:
    """The numbers that a comparison compares with."""
    return frozenset(value for part in phrase.parts[-1:] for _, value in part.amount)
