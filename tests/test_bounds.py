"""Ends of loops and games: bounds that may and may not be reached, loops left by name, play that ends early."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from agreement import HERE, text_of
from command import ftk

import rulespec
from rulespec.engine.states.log import lines as log_lines
from rulespec.engine.states.log import replay
from rulespec.engine.states.playout import BoundReachedError
from rulespec.engine.states.playout import playout as play_at_random
from rulespec.play.simulate.run import simulate

SLOW = text_of("slow")
COUNTED = """
rulespec: 2
game: {id: counted, version: 1.0.0, title: Counted, players: 1}
values: {a: {type: 0..9, start: START, title: a}, b: {type: 0..9, start: 0, title: b}}
play:
  - id: loop
    title: Loop
    repeat: {REPEAT, do: {set: {a: "min(a + 1, 9)"}}}
  - {id: end, title: End, rank: {among: {p: player}, by: [{high: seat_of(p), title: seat}], left: share}}
"""


@pytest.mark.parametrize(
    ("start", "repeat", "a", "b"),
    [
        (0, "at_most: 3, then: {set: {b: a}}", 3, 3),
        (0, "while: a < 3, at_most: 3, then: {set: {b: a}}", 3, 0),
        (0, "while: a < 4, at_most: 3, then: {set: {b: a}}", 3, 3),
        (0, "until: a == 3, at_most: 3, then: {set: {b: a}}", 3, 0),
        (0, "until: a == 4, at_most: 3, then: {set: {b: a}}", 3, 3),
        (5, "while: a < 3, at_most: 0, then: {set: {b: a}}", 5, 0),
        (5, "while: a < 7, at_most: 0, then: {set: {b: a}}", 5, 5),
    ],
)
def test_then_runs_where_another_round_would_begin(start: int, repeat: str, a: int, b: int) -> None:
    spec = rulespec.loads(COUNTED.replace("START", str(start)).replace("REPEAT", repeat))
    state = spec.game(1).new_initial_state(seed=1)
    assert (state.value("a"), state.value("b")) == (a, b)


@pytest.mark.parametrize(
    ("ends", "none", "decisions"), [("note: On.", "", 60), ("leave: loop", "", 15), ("end: play", "leave", 15)]
)
def test_what_is_done_where_a_loop_ends_counts_once(ends: str, none: str, decisions: int) -> None:
    ask = "choose: {by: seat(1), options: [{says: yes, do: {note: Yes.}}, {says: no, do: {note: No.}}]}"
    last = f"{{says: last, do: [{{each: {{n: 1..5}}, do: {{{ask}}}}}, {{{ends}}}]}}"
    options = f"options: [{{says: on, if: a > 0, do: {{note: On.}}}}, {last}]" + (f", none: {none}" if none else "")
    repeat = f"at_most: 10, then: {{note: Ten.}}, do: {{choose: {{by: seat(1), {options}}}}}"
    text = COUNTED.replace("START", "1").replace('{REPEAT, do: {set: {a: "min(a + 1, 9)"}}}', f"{{{repeat}}}")
    assert rulespec.loads(text).game(1).max_game_length() == decisions


def said(state: rulespec.State, *words: str) -> rulespec.State:
    for word in words:
        player = state.current_player()
        named = {state.action_to_string(player, action): action for action in state.legal_actions(player)}
        state.apply_action(named[word])
    return state


@pytest.mark.parametrize(
    ("words", "turns", "laps"),
    [
        (["inner", "inner", "outer"], 20, 21),
        (["seats", "outer"], 0, 21),
        (["again", "inner", "seats", "seats", "seats"], 11, 70),
        (["again", "inner", "again", "play"], 12, 0),
    ],
)
def test_a_name_leaves_its_loop_and_end_leaves_the_play(words: list[str], turns: int, laps: int) -> None:
    state = said(rulespec.loads(text_of("loop_names")).game(2).new_initial_state(seed=1), *words)
    assert state.is_terminal() and state.ranking() == [2, 1]
    assert (state.value("turns"), state.value("laps")) == (turns, laps)


def test_a_game_that_reaches_such_a_bound_has_no_ranking() -> None:
    game = rulespec.loads(SLOW).game(2)
    state = said(game.new_initial_state(seed=1), *["go 1"] * 4)
    assert state.is_terminal() and state.ranking() == [0, 0] and state.returns() == [0.0, 0.0]
    assert state.stopped() in state.explain_result()[-1] and "`race` does not end in 4 rounds" in state.stopped()
    text = "\n".join(log_lines(state))
    assert '{"event": "stopped", "rule": "race", "rounds": 4}' in text
    assert replay(game, text).stopped() == state.stopped()


def test_a_loop_without_an_id_is_named_without_one() -> None:
    loop = "- {repeat: {until: a == 9, at_most: 2, then: error, do: {set: {a: 0}}}}"
    spec = SLOW.replace("play:\n", f"play:\n  {loop}\n")
    words = rulespec.loads(spec).game(2).new_initial_state(seed=1).stopped()
    assert words == "the game stops without a ranking: a loop does not end in 2 rounds"
    in_setup = SLOW.replace("play:\n", f"setup:\n  {loop}\nplay:\n")
    (found,) = rulespec.check_all([rulespec.Source("slow.yaml", in_setup)]).report.findings
    assert (found.code, found.start.line) == ("RS633", 5)


@pytest.mark.parametrize("engine", HERE)
def test_a_simulation_stops_with_the_log_of_the_first_such_game(engine: str) -> None:
    game = rulespec.loads(SLOW).game(2, engine=engine)
    with pytest.raises(BoundReachedError) as caught:
        simulate(game, 300, 1)
    stopped = [n for n in range(10) if play_at_random(game, 1, n, record=True)[0].stopped()]
    assert caught.value.number == stopped[0]
    assert replay(game, caught.value.log).stopped() == caught.value.words


def test_the_command_keeps_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "slow.yaml").write_text(SLOW, encoding="utf-8")
    result = ftk("simulate", tmp_path / "slow.yaml", "--games", 300, "--seed", 1, "--workers", 1)
    assert result.exit_code == 1 and "does not end in 4 rounds" in result.stderr
    (log,) = re.findall(r"\S+\.log", result.stderr)
    assert ftk("replay", log, "--spec", tmp_path / "slow.yaml").exit_code == 0


def test_a_case_that_reaches_the_bound_fails(tmp_path: Path) -> None:
    (tmp_path / "slow.yaml").write_text(SLOW, encoding="utf-8")
    words = "".join("      - player 1: go 1\n" for _ in range(4))
    case = f"scenario: 2\ngame: slow\ncases:\n  - id: slow\n    title: Slow\n    players: 2\n    do:\n{words}"
    (tmp_path / "cases.yaml").write_text(case, encoding="utf-8")
    result = ftk("test", tmp_path / "cases.yaml")
    assert result.exit_code == 1 and "scenario-failed" in result.stdout and "4 rounds" in result.stdout
