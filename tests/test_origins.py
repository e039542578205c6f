"""Where rules come from: a publisher's raw text need not state those of the base game, of components, or of ours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from command import ftk

import rulespec
from rulespec.diagnostics import Finding
from rulespec.model.spec import Origin
from rulespec.rulebook import book_of, texts_of
from rulespec.source import Source, read
from rulespec.text import raw

GAME = rulespec.load("kingme")
TEXT, _ = read(Path(__file__).parent / "raw_unseen" / "development" / "en" / "kingme-bullets.txt")
assert TEXT is not None
GONE = ("crown", "33", "secret")
CUT = Source(TEXT.path, "\n".join(line for line in TEXT.text.split("\n") if not any(word in line for word in GONE)))


def findings(rules: Iterable[str], origin: Origin) -> list[Finding]:
    book = book_of(GAME)
    assert book is not None
    changed = {id_: replace(book.spec.rules[id_], origin=origin) for id_ in rules}
    book = replace(book, spec=replace(book.spec, rules={**book.spec.rules, **changed}))
    return list(raw.check(CUT, "en", book, texts_of(GAME)["en"]))


@pytest.mark.parametrize("origin", ["base_game", "component", "ours"])
def test_a_raw_text_need_not_state_a_rule_of_another_origin(origin: Origin) -> None:
    lacking = {one.rule for one in findings((), "rulebook") if one.name in ("text-missing", "fact-missing")}
    assert lacking
    marked = findings(lacking, origin)
    assert not lacking & {one.rule for one in marked}


def test_origins_of_the_packaged_games() -> None:
    model = rulespec.load("keyflower_king").model
    assert model.builds_on == "Keyflower"
    assert {rule.origin for rule in model.rules.values()} == {"rulebook", "base_game", "component", "ours"}
    assert model.rules["e1.raise"].in_rulebook and not model.rules["b.bid"].in_rulebook


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("b.bid", "a rule of Keyflower, which this game builds on"),
        ("g1.boat_gold", "stated on a component, not in the rulebook"),
        ("d2.new_row", "ours: no rulebook states it"),
    ],
)
def test_explain_says_where_a_rule_comes_from(rule: str, said: str) -> None:
    assert f"  {said}\n" in ftk("explain", rule, "--spec", "keyflower_king").output
    assert "ours" not in ftk("explain", "e1.raise", "--spec", "keyflower_king").output
