"""Propositions: what each rule does, derived from the sealed model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rulespec
from rulespec.language.model.constants import settings
from rulespec.language.model.folds import FOLDS
from rulespec.language.model.operators import OPERATORS
from rulespec.language.model.phrase import Phrase, Proposition
from rulespec.language.model.spec import Spec
from rulespec.language.model.typed import Fold, Local, Members, Op
from rulespec.language.model.types import BOOL, PLAYER, enum, integer, set_of
from rulespec.proofs.meaning import rules
from rulespec.proofs.meaning.constructors import CONSTRUCTORS
from rulespec.proofs.meaning.expressions import Wording
from rulespec.proofs.meaning.rules import answering, by_default, defined, propositions

GAMES = ("fortheking", "kingme", "keyflower_king")

DOES = {
    ("fortheking", "setup.markers"): ["removed_cards(more(or_else(marker[card], 0), player_count))"],
    ("fortheking", "setup.random_removal"): ["shuffle(deck)", "move_top(22/13/8/0, deck, box, face_down)"],
    ("fortheking", "influence.keep"): ["draft_place(adviser, 1, personal[adviser], face_down)"],
    ("fortheking", "influence.next_adviser"): ["becomes(adviser, left_neighbour(adviser)) if occupied(deck)"],
    ("fortheking", "esteem.lose_card"): [
        "move_random(1, hand[winner], burned, face_down) if winner_cannot_pay & occupied(hand[winner])"
    ],
    ("fortheking", "esteem.empty_hand"): [
        "becomes_false(sits_out[winner]) if winner_cannot_pay & empty(hand[winner])",
        "becomes_true(sits_out[winner]) if winner_cannot_pay & empty(hand[winner])",
    ],
    ("fortheking", "end.letters"): ["tie_first(letter_of[p, o])"],
    ("kingme", "nominate.rise"): [
        "must_choose_such(mover, holds(can_rise[c]), pick(c, members:character))",
        "increase(place[c], 1, limits(0, 6))",
        "unable_leave(mover)",
    ],
    ("kingme", "score.nothing"): ["becomes(earned[now, p], 33) if all_of(is(now, game_round.third), is(gained[p], 0))"],
}


@pytest.mark.parametrize(("game", "rule"), DOES)
def test_a_rule_has_its_propositions(game: str, rule: str) -> None:
    assert [str(one) for one in propositions(spec_of(game))[rule]] == DOES[game, rule]


def test_another_answer_brings_in_its_propositions() -> None:
    stated = propositions(spec_of("fortheking"))["esteem.empty_hand"]
    assert [one.ruling for one in stated] == [None, ("empty_hand", "next_round")]


@pytest.mark.parametrize("game", [*GAMES, *(path.stem for path in sorted(Path("specs/gallery").glob("*.yaml")))])
@pytest.mark.sample(5)
def test_parts_that_do_not_ask_a_ruling_say_the_same_with_each_answer(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = spec_of(game)
    quick = said_of(spec)
    monkeypatch.setattr(rules, "_asks", lambda spec, ruling: lambda part: True)
    assert quick == said_of(replace(spec))


def said_of(spec: Spec) -> tuple[Any, ...]:
    """All that is derived from a spec, and what holds with the default answer to each ruling alone, or with others."""
    answers = [(by_default(spec, id_), [*answering(spec, id_)]) for id_ in spec.rulings]
    return propositions(spec), defined(spec), answers


def test_values_have_definitions() -> None:
    known = defined(spec_of("fortheking"))
    assert str(known["secondary"][0]) == "defined(secondary[o], conditional(is(player_count, 2), 0, half(esteem[o])))"
    assert [str(one) for one in known["esteem"]] == ["starts(esteem[office], 3)", "ranges(esteem[office], 1, 6)"]


@pytest.mark.parametrize("game", GAMES)
def test_every_phrase_follows_the_table(game: str) -> None:
    for phrase in phrases(spec_of(game)):
        row = CONSTRUCTORS[phrase.constructor]
        least = sum(not part.endswith(("*", "?")) for part in row.parts)
        most = 99 if any(part.endswith("*") for part in row.parts) else len(row.parts)
        assert least <= len(phrase.parts) <= most, str(phrase)


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_with_steps_has_propositions(game: str) -> None:
    spec = spec_of(game)
    acts = {step.rule for step in spec.steps() if type(step).__name__ not in ("Note", "Do", "If", "Decide", "Option")}
    assert {rule for rule in acts if rule} <= propositions(spec).keys()


@pytest.mark.parametrize("name", OPERATORS)
def test_every_operator_has_a_phrase(name: str) -> None:
    row = OPERATORS[name]
    offices = {"enum": enum("office"), "set": set_of("office")}
    kinds = {"int": integer(0, 5), "bool": BOOL, "any": integer(0, 5), "player": PLAYER, **offices}
    arguments = tuple(Local(kinds[kind], letter) for kind, letter in zip(row.takes, "abc", strict=False))
    assert wording()(Op(BOOL, name, arguments)).constructor in CONSTRUCTORS


@pytest.mark.parametrize("name", FOLDS)
def test_every_fold_has_a_phrase(name: str) -> None:
    body = Local(BOOL if name in ("any", "all") else integer(0, 5), "x")
    fold = Fold(BOOL, name, "p", Members(PLAYER), None, None if name in ("count", "first", "longest_run") else body)
    assert wording()(fold).constructor in CONSTRUCTORS


def wording() -> Wording:
    spec = spec_of("fortheking")
    return Wording(spec, settings(spec))


def phrases(spec: Spec) -> Iterator[Phrase]:
    return (phrase for stated in everything(spec) for phrase in stated.phrases())


def everything(spec: Spec) -> Iterator[Proposition]:
    for group in (propositions(spec), defined(spec)):
        for stated in group.values():
            yield from stated


def spec_of(game: str) -> Spec:
    return rulespec.load(game).model
