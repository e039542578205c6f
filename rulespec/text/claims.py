"""Claims: the contrasts that the propositions of a rule state, with the names around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from rulespec.meaning import CONSTRUCTORS, Phrase, Proposition, answering, propositions, related
from rulespec.model.spec import Spec
from rulespec.text.subjects import around


@dataclass(frozen=True)
class Claim:
    """One value of a contrast family that a proposition states.

    `acting` are the names of the spec in the act of the proposition, `conditional` those only in its conditions.
    `numbers` are the bounds of a comparison by players, `constructor` that of the phrase that says it.
    `own`: the rule itself states it. Other rules and definitions only explain what else its text may say.
    """

    family: str
    value: str
    acting: frozenset[str]
    conditional: frozenset[str]
    numbers: frozenset[int]
    constructor: str
    own: bool
    proposition: Proposition = field(repr=False)


def claims(spec: Spec, rule: str) -> tuple[Claim, ...]:
    """All claims that the text of a rule or ruling may state, its own first."""
    known = _KNOWN.setdefault(spec, {})
    if rule not in known:
        known[rule] = tuple(dict.fromkeys(_claims(spec, rule)))
    return known[rule]


_KNOWN: WeakKeyDictionary[Spec, dict[str, tuple[Claim, ...]]] = WeakKeyDictionary()


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
    """The rules that contain a rule, those inside these, and those of the procedures they run."""
    outer = [one for one in around(spec, rule) if one in spec.rules]
    for container in outer[:2] or [rule]:
        span = spec.rules[container].span
        yield from (r.id for r in spec.rules.values() if span.start <= r.span.start and r.span.end <= span.end)
    for one in propositions(spec).get(rule, ()):
        yield from (phrase.name for phrase in one.phrases() if phrase.constructor == "procedure")


def _claims(spec: Spec, rule: str) -> Iterator[Claim]:
    mine = own(spec, rule)
    yield from _of(mine, True)
    yield from _of(nearby(spec, rule), False)


def _of(stated: Iterable[Proposition], own: bool) -> Iterator[Claim]:
    for one in stated:
        acting = _names(one.act)
        conditional = frozenset(name for phrase in one.conditions for name in _names(phrase)) - acting
        laid = _laid(one.act)
        for phrase in one.phrases():
            about = laid if phrase.constructor in _FACES and laid else acting
            for family, value in CONSTRUCTORS[phrase.constructor].says:
                yield Claim(family, value, about, conditional, _bounds(phrase), phrase.constructor, own, one)


_FACES = ("face_up", "face_down")


def _names(phrase: Phrase) -> frozenset[str]:
    return frozenset(part.name for part in phrase.walk() if part.name)


def _laid(act: Phrase) -> frozenset[str]:
    """The names of the zone that the act puts cards into, which its face is about."""
    zones = [part for part in act.parts if part.constructor == "zone"]
    return _names(zones[-1]) if zones else frozenset()


def _bounds(phrase: Phrase) -> frozenset[int]:
    """The numbers that a comparison compares with."""
    return frozenset(value for part in phrase.parts[-1:] for _, value in part.amount)
