"""Names for what expressions are at one moment, and starts that depend on their own indices."""

from __future__ import annotations

from agreement import text_of

import rulespec
from rulespec.proofs.checks import unparse
from rulespec.proofs.meaning.digest import digests
from rulespec.versions.changes.compare import compare

INSIDE = text_of("let_inside")


def test_a_name_keeps_what_an_expression_was() -> None:
    state = rulespec.loads(text_of("let")).game(2).new_initial_state(seed=1)
    assert [state.value("a", seat) for seat in (0, 1)] == [7, 20]
    assert [state.action_to_string(0, action) for action in state.legal_actions()] == ["give", "keep"]
    state.apply_action(state.legal_actions()[0])
    # The third of the first player's 10, to the player who was to the left of the lead; then 23 are shared.
    assert [state.value("a", seat) for seat in (0, 1)] == [7, 16]
    assert [state.action_to_string(1, action) for action in state.legal_actions()] == ["give"]
    state.apply_action(state.legal_actions()[0])
    assert [state.value("a", seat) for seat in (0, 1)] == [14, 16]


def test_a_start_depends_on_its_index() -> None:
    spec = rulespec.loads(text_of("starts"))
    game = spec.game(2)
    state = game.new_initial_state(seed=1)
    cards = spec.model.deck.cards
    assert [state.value("wear", card) for card in range(len(cards))] == [
        (2, 5)[suit] + spare for suit, _, spare in cards
    ]
    assert [[state.value("mark", seat, suit) for suit in (0, 1)] for seat in (0, 1)] == [[9, 9], [2, 5]]


def test_names_inside_expressions() -> None:
    state = rulespec.loads(INSIDE).game(3).new_initial_state(seed=1)
    assert [state.value("a", seat) for seat in (0, 1, 2)] == [10, 20, 30]


def test_a_name_inside_an_expression_changes_no_meaning() -> None:
    plain = INSIDE.replace("let m = max(c.value for c in hand[p]) in (m ?? 0) + (m ?? 1)", "{m} ?? 0) + ({m} ?? 1)")
    plain = plain.replace("{m}", "(max(c.value for c in hand[p])", 1).replace("{m}", "max(c.value for c in hand[p])")
    named, written = (rulespec.loads(text) for text in (INSIDE, plain))
    assert digests(named.model) == digests(written.model)
    assert not compare(named.model, written.model).every
    assert unparse.text(named.model, named.model.values["best"].definition) in INSIDE
