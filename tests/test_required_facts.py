"""What a text must and may say, derived from the acts of its rule."""

from __future__ import annotations

import pytest

import rulespec
from rulespec.games.rulebook import book_of
from rulespec.language.model.spec import Spec
from rulespec.text.judging.justified import is_stated
from rulespec.text.rules import derived, facts
from rulespec.text.rules.content import ByKey, ByPlayers, Content, Extent, Fact, Number, Said
from rulespec.text.rules.evidence import judge

SPEC = """
rulespec: 2
game: {{id: rows, version: 1.0.0, title: Rows, players: 2..4}}
enums: {{colour: [red, blue]}}
cards:
  fields: {{colour: colour, value: 1..5}}
  manifest: [{{colour: [red, blue], value: 1..5, copies: 3}}]
  start: deck
tables: {{dealt: {{by: players, 2: 5, 3: 4, 4: 3}}}}
zones:
  deck: {{order: stack, seen_by: nobody}}
  pile: {{seen_by: everybody}}
  hand: {{per: player, seen_by: owner}}
values:
  seller: {{type: player, start: seat(1), title: seller}}
  level: {{type: 0..6, start: 3, title: level}}
  half: {{is: "level // 2", title: half level}}
play:
  - {{id: rule, title: A rule, {act}}}
  - {{id: end, title: The end, rank: {{among: {{p: player}}, by: [{{high: "size(hand[p])"}}], left: share}}}}
states: {{{states}}}
"""

LEFT, RIGHT = Said((), (("side", "left"),)), Said((), (("side", "right"),))

REQUIRED: list[tuple[str, list[Content]]] = [
    (
        'each: {p: player}, do: [{move: {top: "dealt[players]", from: deck, to: "hand[p]"}}]',
        [ByPlayers({2: 5, 3: 4, 4: 3}), Said(("hand",), (("possession", "take"), ("transfer", "receive")))],
    ),
    ("move: {top: 3, from: deck, to: pile}", [Number(3), Said(("pile",), (("face", "up"), ("sight", "open")))]),
    (
        "move: {top: 1, from: deck, to: pile}",
        [Said(("pile",), (("face", "up"), ("sight", "open")))],
    ),  # one may go unsaid
    ("set: {seller: left_of(seller)}", [Said(("seller",)), LEFT]),
    ("set: {seller: right_of(seller)}", [Said(("seller",)), RIGHT]),
    ("set: {level: 2}", []),  # a value that is set may be technical
    ('set: {level: "clamp(level - 2, 0, 6)"}', [Number(2), Said((), (("change", "decrease"),), implied=True)]),
    ("shuffle: deck", []),
]

ALLOWED: list[tuple[str, Content]] = [
    ("move: {top: 3, from: deck, to: pile}", Number(3)),
    ('set: {level: "clamp(level - 2, 0, 6)"}', Extent("0", "6")),
    ("set: {level: half}", ByKey({0: 0, 1: 0, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3})),
    ('set: {level: "clamp(level + size(pile), 0, 6)"}', Number(1)),  # 1 for each card
]


def model(act: str, states: str = "") -> Spec:
    return rulespec.loads(SPEC.format(act=act, states=states)).model


@pytest.mark.parametrize(("act", "wanted"), REQUIRED, ids=[act for act, _ in REQUIRED])
def test_what_a_text_must_say(act: str, wanted: list[Content]) -> None:
    assert list(facts.required_contents(model(act), "rule")) == wanted


@pytest.mark.parametrize(("act", "allowed"), ALLOWED, ids=[act for act, _ in ALLOWED])
def test_what_a_text_may_say(act: str, allowed: Content) -> None:
    assert allowed in list(derived.of_rule(model(act), "rule"))


STATED: list[tuple[str, str, bool]] = [
    ("name.boathouse", "1 point for every 2 boats that you own", True),
    ("name.boathouse", "1 point for every 3 boats that you own", False),
    ("name.bell_ringer", "players with 4 or more cards in hand", True),  # it is `about` the rule that has the number
    ("name.bell_ringer", "players with 5 or more cards in hand", False),
]


@pytest.mark.parametrize(("rule", "text", "known"), STATED, ids=[text for _, text, _ in STATED])
def test_numbers_beside_what_they_are_about(rule: str, text: str, known: bool) -> None:
    book = book_of(rulespec.load("ferry_town"))
    assert book is not None
    reading = book.read(text, "en")
    assert is_stated(reading.quantities[-1], rule, reading, book) == known


def test_what_is_unsaid_is_not_required() -> None:
    act = "move: {top: 3, from: deck, to: pile}"
    assert list(facts.required_contents(model(act, "rule: [{unsaid: [pile]}]"), "rule")) == [Number(3)]


def test_a_zone_between_two_moves_is_not_required() -> None:
    act = "do: [{move: {top: 1, from: deck, to: pile}}, {move: {every: c, from: pile, to: deck}}]"
    assert list(facts.required_contents(model(act), "rule")) == []


SAID: list[tuple[Said, str, bool]] = [
    (LEFT, "Go on clockwise.", True),
    (LEFT, "The player to your right is next.", False),
    (LEFT, "Another player is next.", False),
    (Said(("discard",), (("face", "up"),)), "Put it on the face-up discards.", True),
    (Said(("discard",), (("face", "up"),)), "Lay it face up on the table.", True),
    (Said(("discard",), (("face", "up"),)), "It has no effect.", False),
    (Said(("turned",)), "It has no effect.", True),  # the glossary has no concept for it
    (Said((), (("extreme", "most"),), implied=True), "Compare your gold.", True),
    (Said((), (("extreme", "most"),), implied=True), "Whoever has the fewest wins.", False),
]


@pytest.mark.parametrize(("said", "text", "stated"), SAID, ids=[text for _, text, _ in SAID])
def test_signs_of_what_is_said(said: Said, text: str, stated: bool) -> None:
    book = book_of(rulespec.load("fortheking"))
    assert book is not None
    assert judge(Fact(said, derived=True), book.read(text, "en"), book.concepts).stated == stated
