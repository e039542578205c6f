"""What the propositions of a rule say about places: where cards come from, where they go, and which kinds of card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning import Phrase, Proposition, propositions
from rulespec.text.rules.claims import nearby, own
from rulespec.text.rules.subjects import beside


@dataclass(frozen=True)
class MoveClaim:
    """A proposition moves cards from `source` to `target`, which are zones; "" if it leaves one open.

    `kinds` are the kinds of card that it moves, such as `kind.king`, by the enumeration they belong to; an enumeration
    that it does not restrict is missing. `own`: the rule itself states it, not one near it.
    """

    source: str
    target: str
    kinds: tuple[tuple[str, frozenset[str]], ...]
    distance: int
    proposition: Proposition = field(repr=False)

    @property
    def own(self) -> bool:
        """Whether the rule itself states it."""
        return self.distance == 0

    def excludes(self, kind: str) -> bool:
        """Whether cards of a kind are not moved."""
        group = kind.partition(".")[0]
        return any(group == enum and kind not in members for enum, members in self.kinds)


def move_claims(spec: Spec, rule: str) -> tuple[MoveClaim, ...]:
    """All moves that the text of a rule or ruling may speak of, its own first."""
    known = _KNOWN.setdefault(spec, {})
    if rule not in known:
        known[rule] = tuple(dict.fromkeys(_claims(spec, rule)))
    return known[rule]


_KNOWN: WeakKeyDictionary[Spec, dict[str, tuple[MoveClaim, ...]]] = WeakKeyDictionary()

PICKS = frozenset({"pick", "pick_exactly", "pick_up_to", "pick_between"})
"""The constructors of what an option picks: one thing, or several."""

_BESIDE = 3
"""How many rules before and after a rule its text may speak of: what has happened, and what happens next."""


def _claims(spec: Spec, rule: str) -> Iterator[MoveClaim]:
    yield from _moves(own(spec, rule), 0, spec)
    for distance, number in ((1, 1), (2, _BESIDE)):
        others = [one for near in beside(spec, rule, number) for one in propositions(spec).get(near, ())]
        yield from _moves(others, distance, spec)
    yield from _moves(nearby(spec, rule), 2, spec)


def _moves(stated: Iterable[Proposition], distance: int, spec: Spec) -> Iterator[MoveClaim]:
    for one in stated:
        for source, target in _ways(one.act):
            kinds = tuple(sorted(_kinds(one, source, spec).items()))
            yield MoveClaim(source, target, kinds, distance, one)


def _ways(act: Phrase) -> Iterator[tuple[str, str]]:
    """Pairs of a source and a target in an act."""
    zones = [part.name for part in act.parts if part.constructor == "zone"]
    if act.constructor.startswith("move_") and len(zones) == 2:
        yield zones[0], zones[1]
    elif act.constructor in ("draft", "draft_place") and zones:
        yield ("", zones[0]) if act.constructor == "draft_place" else (zones[0], "")
    elif act.constructor.startswith(("must_choose", "may_choose")):
        picks = [part for part in act.parts if part.constructor in PICKS]
        for domain in (pick.parts[1] for pick in picks):
            if domain.constructor == "cards_in":
                yield domain.parts[0].name, ""


def _kinds(one: Proposition, source: str, spec: Spec) -> dict[str, frozenset[str]]:
    """The kinds that the conditions leave for the card that is moved."""
    left: dict[str, frozenset[str]] = {}
    for test in _tests((*one.conditions, *one.act.parts)):
        card, member = test.parts[0], test.parts[-1].name
        if not _is_moved(card, one.act, source) or "." not in member:
            continue
        enum = member.partition(".")[0]
        every = frozenset(f"{enum}.{name}" for name in spec.enums[enum].members)
        allowed = frozenset({member}) if test.constructor == "is_kind" else every - {member}
        left[enum] = left.get(enum, every) & allowed
    return left


def _tests(phrases: Iterable[Phrase]) -> Iterator[Phrase]:
    """The tests of a kind that must all hold."""
    for phrase in phrases:
        if phrase.constructor in ("is_kind", "is_not_kind"):
            yield phrase
        elif phrase.constructor == "all_of":
            yield from _tests(phrase.parts)


def _is_moved(card: Phrase, act: Phrase, source: str) -> bool:
    """Whether a card of a condition is the one that the act moves."""
    if card.constructor in ("card_in", "top_card", "bottom_card"):
        return card.parts[0].name == source
    variables = {part.name for part in act.parts if part.constructor == "variable"}
    chosen = {pick.parts[0].name for pick in act.parts if pick.constructor in PICKS}
    return card.constructor == "variable" and card.name in variables | chosen
