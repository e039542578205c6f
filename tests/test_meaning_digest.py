"""Every change of play changes the digest of a rule, and a change of layout changes none.

A sample of mutants; `benchmarks/spec_mutations.py` makes them all.
"""

from __future__ import annotations

import re
from functools import cache
from random import Random
from typing import Any

import pytest
import yaml
from doc_games import GAMES
from program_fingerprint import same_play
from spec_mutations import SpecMutation, sample

import rulespec
from rulespec.base.source import Source, read
from rulespec.language.document import parse
from rulespec.language.document.nodes import plain
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.digest import digest, digests
from rulespec.text.seals.confirmation import confirmation, due

pytestmark = pytest.mark.slow("changes large games")

SHIPPED = {"fortheking": 10, "kingme": 5, "keyflower_king": 2}
"""Mutants of each shipped game. The last one is five times as large, and mutants take as much longer."""
QUICK = frozenset({"number", "comparison", "zone", "member", "variable", "condition", "neighbour", "value", "card"})
"""Kinds of change for the largest game. Others need its whole text read again."""
EACH = 4
"""Mutants of each game in the documentation."""

SOURCES: dict[str, Source] = {block.file: block.source for block in GAMES}


@cache
def source_of(game: str) -> Source:
    if game in SOURCES:
        return SOURCES[game]
    source, _ = read(f"specs/{game}.yaml")
    assert source is not None
    return source


@cache
def spec_of(game: str) -> Spec:
    return rulespec.loads(source_of(game)).model


@cache
def mutants_of(game: str) -> tuple[SpecMutation, ...]:
    kinds = QUICK if game == "keyflower_king" else None
    return tuple(sample(source_of(game), SHIPPED.get(game, EACH), seed=7, kinds=kinds))


ALL = [*SHIPPED, *SOURCES]


@pytest.mark.parametrize("game", ALL)
@pytest.mark.sample(4)
def test_every_change_of_play_changes_a_digest(game: str) -> None:
    before = digests(spec_of(game))
    mutants = mutants_of(game)
    assert len(mutants) == SHIPPED.get(game, EACH)
    unnoticed = [mutant for mutant in mutants if digests(mutant.spec) == before]
    assert unnoticed == []
    elsewhere = [m for m in mutants if m.rule and digests(m.spec).get(m.rule) == before[m.rule]]
    assert elsewhere == []
    old = spec_of(game)
    for mutant in (one for one in mutants if old.rules.keys() == one.spec.rules.keys()):
        at = [id_ for group in due(old, mutant.spec) for id_ in group]
        assert at, f"no text is due: {mutant}"
        assert [id_ for id_ in at if confirmation(old, id_) == confirmation(mutant.spec, id_)] == [], mutant


@pytest.mark.parametrize("game", ["kingme", "high_card.yaml"])
def test_mutants_are_sound_specs_that_play_differently(game: str) -> None:
    for mutant in mutants_of(game):
        loaded = rulespec.loads(mutant.text).model
        assert digests(loaded) == digests(mutant.spec), mutant
        assert not same_play(loaded, spec_of(game)), mutant
        assert 1 <= mutant.line <= len(source_of(game).text.splitlines())


ORDERED = frozenset({"set", "let", "pick", "per", "with", "fields", "enum", "members", "grid"})
"""Mappings whose order has a meaning."""


def shuffled(node: Any, chance: Random, key: str = "") -> Any:
    """The same content with the keys of mappings in another order, where the order has no meaning."""
    if isinstance(node, list):
        return [shuffled(item, chance, key) for item in node]
    if not isinstance(node, dict):
        return node
    keys = list(node)
    if key not in ORDERED:
        chance.shuffle(keys)
    return {k: shuffled(node[k], chance, "enum" if key == "enums" else k) for k in keys}


def commented(text: str) -> str:
    return "# another comment\n\n" + text.replace("\nplay:\n", "\n# the course of play\nplay:\n")


@pytest.mark.parametrize("game", ALL)
@pytest.mark.sample(8)
def test_layout_changes_no_digest(game: str) -> None:
    root, _ = parse(source_of(game))
    assert root is not None
    written = yaml.safe_dump(shuffled(plain(root), Random(game)), sort_keys=False, allow_unicode=True, width=10**6)
    other = rulespec.loads(written).model
    assert digests(other) == digests(spec_of(game))
    assert not due(spec_of(game), other)
    assert same_play(spec_of(game), other)
    assert digests(rulespec.loads(commented(source_of(game).text)).model) == digests(spec_of(game))


@pytest.mark.parametrize("game", ["kingme", "fruit.yaml"])
def test_titles_and_notes_change_no_digest(game: str) -> None:
    text = source_of(game).text
    other = re.sub(r"\b(title|question): ([A-Za-z])", r"\1: New \2", text)
    assert other.count("New ") > 5
    assert digests(rulespec.loads(other).model) == digests(spec_of(game))


def changed(before: str, after: str, game: str = "fortheking") -> set[str]:
    """The rules and rulings whose digest changes if this part of the text is replaced."""
    text = source_of(game).text
    assert text.count(before) == 1
    other, known = digests(rulespec.loads(text.replace(before, after)).model), digests(spec_of(game))
    return {id_ for id_ in known if other[id_] != known[id_]}


def test_a_rule_covers_its_own_steps_only() -> None:
    assert changed("set: {opener: left_of(adviser)}", "set: {opener: right_of(adviser)}") == {"esteem.first_player"}
    assert changed("gold_tie == value ? wealth[p] : gold_held[p]", "gold_tie == value ? gold_held[p] : wealth[p]") == {
        "end.tie_gold",
        "gold_tie",
    }


def test_a_rule_covers_what_its_steps_refer_to() -> None:
    step = "step:           {by: arrow, plus: 1, minus: -1, either: 0}"
    assert changed(step, step.replace("minus: -1", "minus: -2")) == {"king.first", "king.second"}
    burned = "burned:   {seen_by: nobody"
    assert changed(burned, burned.replace("nobody", "everybody")) == {"esteem.auction", "esteem.lose_card"}


def test_a_ruling_covers_its_default() -> None:
    rules = changed("answer: paid_first\n    or: [taken_first]", "answer: taken_first\n    or: [paid_first]")
    assert "own_lot" in rules and "overbid" not in rules


def test_the_remainder_belongs_to_one_rule() -> None:
    assert changed("players: 2..4}", "players: 2..3}", "frogs.yaml") == {"race"}
    copies = "worth: 5, copies: 2"
    assert "setup.markers" in changed(copies, "worth: 4, copies: 2", "fruit.yaml")


def test_names_of_variables_do_not_matter() -> None:
    text = source_of("gardens.yaml").text
    renamed = text.replace("c.height for c in garden[p] if c.flower", "x.height for x in garden[p] if x.flower")
    assert renamed != text
    assert digests(rulespec.loads(renamed).model) == digests(spec_of("gardens.yaml"))


def test_a_variable_in_another_block_may_have_the_same_name() -> None:
    before, after = "offer[q] >= offer[p]) == 1", "offer[p] >= offer[p]) == 1"
    assert changed(before, after, "offers.yaml") == {"lots.sold"}


def test_an_unknown_id_has_no_digest() -> None:
    with pytest.raises(KeyError):
        digest(spec_of("fortheking"), "no.such.rule")
