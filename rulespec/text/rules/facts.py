"""The facts of a rule: what its text must or may state in every language."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from functools import lru_cache

from rulespec.language.model import spec as m
from rulespec.language.model.constants import Setting, settings
from rulespec.language.model.phrase import Phrase, Proposition
from rulespec.language.model.spec import Spec
from rulespec.language.model.typed import Domain, Members, Range
from rulespec.language.model.types import NONE
from rulespec.proofs.meaning.expressions import tested
from rulespec.proofs.meaning.rules import propositions
from rulespec.text.rules import derived
from rulespec.text.rules.content import (
    ByKey,
    ByPlayers,
    Choices,
    Content,
    Extent,
    Faces,
    Fact,
    Number,
    Said,
    Sequence,
    Words,
    by_players,
)
from rulespec.text.rules.subjects import within


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
    yield from (Fact(content, derived=True) for content in required_contents(spec, id_) if content not in known)
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
    return ByKey(rows, stated.of, derived.key_of_table(spec, stated.value))


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


Pairs = tuple[tuple[str, str], ...]


def required_contents(spec: Spec, id_: str) -> Iterator[Content]:
    """What the text of a rule must say, without repetition and without what its `unsaid` lists."""
    silent, passed_on = frozenset(_unsaid(spec, id_)), frozenset(_passed_on(spec, id_))
    own = (one for one in _own(spec, id_) if passed_on.isdisjoint(_zones(one)[-1:]))
    found = (content for one in own for content in _of(one))
    yield from (one for one in dict.fromkeys(found) if not (isinstance(one, Said) and silent & {*one.names}))


def _passed_on(spec: Spec, id_: str) -> Iterator[str]:
    """The zones between two moves of a rule: where cards end up is said, not how the steps take them there."""
    yield from (zone for one in _own(spec, id_) for zone in _zones(one)[:-1])
    # Where cards go that later ones replace: who swaps a card need not say where the old one goes.
    own = list(_own(spec, id_))
    for at, one in enumerate(own):
        filled = {zone for later in own[at + 1 :] for zone in _zones(later)[-1:]}
        if filled & {*_zones(one)[:-1]}:
            yield from _zones(one)[-1:]
    inner = [zone for other in within(spec, id_) for one in _own(spec, other) for zone in _zones(one)[-1:]]
    yield from (zone for one in _own(spec, id_) if {*_zones(one)[:-1]} & {*inner} for zone in _zones(one)[-1:])


def _unsaid(spec: Spec, id_: str) -> Iterator[str]:
    return (name for one in spec.states.get(id_, ()) if isinstance(one, m.Unsaid) for name in one.names)


def _own(spec: Spec, id_: str) -> Iterator[Proposition]:
    """The propositions with the default answers; of a rule that only other answers bring in, all."""
    every = propositions(spec).get(id_, ())
    by_default = [one for one in every if one.ruling is None]
    return iter(by_default or every)


def _zones(one: Proposition) -> list[str]:
    """The zones that an act moves cards from and to."""
    moved = one.act.constructor.startswith("move_")
    return [part.name for part in one.act.parts if part.constructor == "zone"] if moved else []


def _of(one: Proposition) -> Iterator[Content]:
    act = one.act
    for counted in (act, *act.parts):
        if counted.constructor in _COUNTED:
            yield from _amounts(counted)
    read = _ACTS.get(act.constructor)
    for said in read(act) if read is not None else ():
        kinds = tuple(_kinds(one)) if said.names and act.constructor.startswith("move_") else ()
        yield replace(said, names=(*said.names, *kinds))
    # The direction round the table.
    for phrase in act.walk():
        if phrase.constructor in _NEIGHBOURS:
            yield Said((), (("side", _NEIGHBOURS[phrase.constructor]),))


def _kinds(one: Proposition) -> Iterator[str]:
    """The kinds of cards that an act is about: who speaks of a kind may imply where its cards go."""
    for condition in (*one.conditions, one.act):
        yield from (phrase.parts[1].name for phrase in condition.walk() if phrase.constructor == "is_kind")


# --- amounts ---------------------------------------------------------------------------------------------------------

_COUNTED = frozenset(
    {
        *("move_top", "move_bottom", "move_random", "draft", "draft_place", "opening", "raise", "bid_limit"),
        *("increase", "decrease", "transfer", "transfer_each", "pick_exactly", "pick_up_to", "pick_between"),
    }
)
"""The acts, and picks in acts, whose amounts a text gives. Those of loops and procedures may be technical."""


def _amounts(act: Phrase) -> Iterator[Content]:
    """The amounts of an act. One of a thing, and nothing, may go unsaid."""
    for part in act.parts:
        if part.constructor == "number" and part.number is None:
            yield ByPlayers(dict(part.amount))
        elif part.constructor == "number" and part.number is not None and part.number > 1:
            yield Number(part.number)


# --- zones, values and criteria --------------------------------------------------------------------------------------

_FACES: Mapping[str, Pairs] = {
    "face_up": (("face", "up"), ("sight", "open")),
    "face_down": (("face", "down"), ("sight", "secret")),
}


def _moved(act: Phrase) -> Iterator[Said]:
    """Where something goes: by the name of the place, by who gets or loses it, by the face it shows."""
    faces = [part.constructor for part in act.parts if part.constructor in _FACES]
    *_, source, target = [part for part in act.parts if part.constructor == "zone"]
    yield Said((target.name,), (*_transfer(source, target), *(pair for face in faces for pair in _FACES[face])))


def _transfer(source: Phrase, target: Phrase) -> Pairs:
    """Whether a player gets or loses what moves."""
    if target.parts:
        return (("possession", "take"), ("transfer", "receive"))
    return (("possession", "lose"), ("transfer", "pay")) if source.parts else ()


def _tokens(act: Phrase) -> Iterator[Said]:
    """Where tokens go: by the name of the place, or by who gets or loses them."""
    source, target = [part for part in act.parts if part.kind == "place"]
    yield Said((target.name,), _transfer(*(replace(one, parts=tuple(_players(one))) for one in (source, target))))


def _players(place: Phrase) -> Iterator[Phrase]:
    """The players whose place it is."""
    named = ("seat", "left_neighbour", "right_neighbour")
    yield from (part for part in place.parts if part.kind == "player" or part.constructor in named)


def _at_random(act: Phrase) -> Iterator[Said]:
    yield from _moved(act)
    yield Said((), (("selection", "random"), ("sight", "secret")))


def _placed(act: Phrase) -> Iterator[Said]:
    *_, target, face = act.parts
    yield Said((target.name,))
    yield Said((), _FACES[face.constructor])


def _changed(act: Phrase) -> Iterator[Said]:
    """Who gets a role, and what changes by an amount of either sign. Values that are set may be technical."""
    value = act.parts[0]
    if act.constructor == "changes_by" or value.kind == "player":
        yield Said((value.name,))


def _grown(act: Phrase) -> Iterator[Said]:
    """Whether something becomes more or less, which may be implied: who scores points has more of them."""
    yield Said((), (("change", act.constructor),), implied=True)


def _criterion(act: Phrase) -> Iterator[Said]:
    """What is compared. Whether most or fewest of it is better may be implied; a condition is met or not."""
    names = tuple(dict.fromkeys(phrase.name for phrase in act.walk() if phrase.constructor in ("value", "field")))
    if names:
        yield Said(names)
    if names and tested(act.parts[0]) is None:
        yield Said((), _BETTER[act.constructor.partition("_")[2]], implied=True)


_BETTER: Mapping[str, Pairs] = {
    "most": (("extreme", "most"), ("comparison", "more")),
    "fewest": (("extreme", "fewest"), ("comparison", "less")),
    "first": (("sequence", "first"), ("distance", "nearest")),
    "last": (("sequence", "last"), ("distance", "farthest")),
}


def _bound(act: Phrase) -> Iterator[Said]:
    yield Said((), _BOUNDS[act.constructor])


_BOUNDS: Mapping[str, Pairs] = {
    "opening": (("comparison", "at_least"), ("comparison", "exactly"), ("extreme", "fewest"), ("sequence", "first")),
    "raise": (("comparison", "at_least"), ("comparison", "more")),
}


def _prize(act: Phrase) -> Iterator[Said]:
    names = tuple(part.name for part in act.parts if part.constructor == "value")
    yield Said(names)


def _shared(act: Phrase) -> Iterator[Said]:
    yield Said((), (("result", "shared"),), implied=True)


_NEIGHBOURS = {"left_neighbour": "left", "right_neighbour": "right"}

_ACTS: Mapping[str, Callable[[Phrase], Iterator[Said]]] = {
    **dict.fromkeys(("move_top", "move_bottom", "move_card", "move_cards", "move_all", "move_matching"), _moved),
    **dict.fromkeys(("transfer", "transfer_each"), _tokens),
    "move_random": _at_random,
    "draft_place": _placed,
    **dict.fromkeys(("becomes", "changes_by"), _changed),
    **dict.fromkeys(("increase", "decrease"), _grown),
    **dict.fromkeys((f"{kind}_{better}" for kind in ("best", "tie") for better in _BETTER), _criterion),
    **dict.fromkeys(_BOUNDS, _bound),
    **dict.fromkeys(("prize", "prize_next", "prize_shared", "prize_shared_next"), _prize),
    "left_share": _shared,
}
"""What the text says of an act, by its constructor. Acts without a row need not be mentioned."""
