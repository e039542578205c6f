"""Values that say what happens beyond the bounds of their type: a game that would leave them stops."""

from __future__ import annotations

import pytest
from agreement import HERE, text_of

import rulespec
from rulespec.base.source import Source
from rulespec.engine.states.log import lines as log_lines
from rulespec.engine.states.log import replay
from rulespec.games.api import check_spec
from rulespec.language.model.steps.set_ import Set
from rulespec.versions.changes.compare import compare

GAME = text_of("beyond")


def played(engine: str, *moves: str) -> rulespec.State:
    game = rulespec.loads(GAME).game(engine=engine)
    state = game.new_initial_state(seed=1)
    for move in moves:
        state.apply_action(next(a for a in state.legal_actions() if game.action_to_string(a) == move))
    return state


@pytest.mark.parametrize("engine", HERE)
def test_a_game_that_leaves_the_bounds_stops(engine: str) -> None:
    state = played(engine, "add 4", "clear", "add 4")
    assert state.is_terminal() and state.ranking() == [0, 0]
    assert state.stopped() == "the game stops without a ranking: `pile` would be -4, not -3 to 9"
    assert replay(state.game, "\n".join(log_lines(state))).stopped() == state.stopped()


@pytest.mark.parametrize(
    ("written", "stops"), [("flag + n", True), ("flag + 10", False), ("9", False), ("n > 1 ? none : n + 8", False)]
)
def test_a_number_that_may_leave_its_range_may_stop_the_game(written: str, stops: bool) -> None:
    text = GAME.replace("values:\n", "values:\n  flag: {type: 0..9, start: 0}\n")
    setup = f'setup: {{each: {{n: 1..9}}, do: {{set: {{flag: "{written}"}}}}}}\nplay:\n'
    hints = [found.hint for found in check_spec(Source("beyond.yaml", text.replace("play:\n", setup))).findings]
    words = "Or write `beyond: error` at the value `flag`: a game that exceeds it stops."
    assert any(hint.endswith(words) for hint in hints) == stops


def test_what_is_proved_is_not_tested() -> None:
    text = GAME.replace("total: total + k", 'total: "min(total + k, 20)"').replace('"pile[p] - k // 2"', "k")
    assert not any(step.limited for step in rulespec.loads(text).model.steps() if isinstance(step, Set))


def test_the_setup_reports_what_it_leaves() -> None:
    setup = "setup: {each: {n: 1..5}, do: {set: {total: total + 5}}}\nplay:\n"
    report = check_spec(Source("beyond.yaml", GAME.replace("play:\n", setup)))
    (found,) = (one for one in report.findings if one.name == "bound-reached")
    assert found.message == "With 2 players, the setup sets `total` to 25, outside of 0 to 20."


def test_the_bounds_are_a_part_of_what_a_value_is() -> None:
    text = GAME.replace("total: total + k", 'total: "min(total + k, 20)"')
    old, new = rulespec.loads(text.replace("20, start: 0, beyond: error", "20, start: 0")), rulespec.loads(text)
    assert [change.kind for change in compare(old.model, new.model).every] == ["value-changed"]
