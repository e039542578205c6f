"""Deep search: planted faults are found, sound games have no findings, and logs replay."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from planted_faults import HALVES, Planted, planted, search

import rulespec
from ftk_cli.main import main
from rulespec.base.diagnostics import Severity
from rulespec.base.project import playable_games
from rulespec.base.source import Source
from rulespec.engine.backend.engines.table import ENGINES
from rulespec.engine.states.game import Game, setting
from rulespec.engine.states.playout import playout, playouts
from rulespec.play.deep.cells import CoveredGame
from rulespec.play.deep.leaks import distinguished_by
from rulespec.play.deep.lines import Line, line_of, played, shortened, until
from rulespec.play.deep.report import findings as findings_deep
from rulespec.play.deep.run import search as search_deep

pytestmark = pytest.mark.slow("games are explored")

QUICK = {"tic_tac_toe", "kuhn_poker", "oh_hell", "leduc_poker"}
"""Games whose faults few games show."""

MISSED = {
    "mancala: an option that gives a seed away": "in rollouts, it is the best option now and then",
    "gin_rummy: the first upcard is taken by a pass, too": "too few positions: a game takes a tenth of a second",
}
"""Planted faults that a search of half a minute does not find, and why."""

FAULTS = [fault for half in HALVES for fault in planted(half)]
TO_FIND = [fault for fault in FAULTS if str(fault) not in MISSED]

STUCK = """
rulespec: 2
game: {id: stuck, version: 1.0.0, title: Stuck, players: 2}
values: {left: {type: 0..5, start: 5, title: stones left}, turn: {type: player, start: seat(1), title: turn}}
play:
  - id: turns
    title: Take two or three stones
    repeat:
      while: left > 0
      at_most: 50
      then: {note: The game is broken off.}
      do:
        - choose:
            by: turn
            options:
              - {says: take two, if: left >= 2, do: {set: {left: "max(left - 2, 0)"}}}
              - {says: take three, if: left >= 3, do: {set: {left: "max(left - 3, 0)"}}}
            none: skip
        - {set: {turn: left_of(turn)}}
  - {id: end, title: Fewest, rank: {among: {p: player}, by: [{high: "p == turn ? 0 : 1", title: last}], left: share}}
"""


def test_there_are_twenty_sorts_of_faults() -> None:
    assert len(FAULTS) >= 24 and len({fault.found for fault in FAULTS}) >= 8
    assert len({str(fault) for fault in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_none_that_ftk_check_finds(fault: Planted) -> None:
    assert [one for one in fault.spec.report.findings if one.severity != Severity.INFO] == []


@pytest.mark.parametrize("fault", [fault for fault in TO_FIND if fault.game in QUICK], ids=str)
@pytest.mark.sample(2)
def test_few_games_show_a_planted_fault(fault: Planted) -> None:
    assert fault.is_in(search(fault.spec, seconds=30, games=60))


@pytest.mark.parametrize("fault", [fault for fault in TO_FIND if fault.game not in QUICK], ids=str)
@pytest.mark.soak
def test_a_search_of_half_a_minute_finds_a_planted_fault(fault: Planted) -> None:
    assert fault.is_in(search(fault.spec, seconds=30))


@pytest.mark.parametrize("game", ["kuhn_poker", "nim", "tic_tac_toe"])
def test_a_sound_game_has_no_findings(game: str) -> None:
    assert search(rulespec.load(game), games=60) == []


def test_the_same_number_of_games_finds_the_same() -> None:
    fault = next(one for one in FAULTS if one.game == "oh_hell")
    first, again = (list(findings_deep(search_deep(fault.spec, games=12, seed=3))) for _ in range(2))
    assert first == again and any(one.log for one in first)


@pytest.mark.parametrize("name", ["goofspiel", "kuhn_poker", "liars_dice", "pig"])
@pytest.mark.sample(1)
def test_any_number_of_processes_finds_the_same(name: str) -> None:
    planted = {fault.game: fault.spec for fault in FAULTS}
    one, two = (search_deep(planted[name], games=10, seed=5, workers=workers) for workers in (1, 2))
    assert one.games == two.games and len(one.grounds) == len(two.grounds) > 1
    found = list(findings_deep(one))
    assert found and found == list(findings_deep(two))


def test_a_game_that_is_stuck_has_a_short_log() -> None:
    found = search_deep(rulespec.loads(Source("stuck.yaml", STUCK)), games=40)
    (one,) = [one for one in findings_deep(found) if one.finding.name == "endless-rounds"]
    assert one.finding.rule == "turns" and "after 2 choices" in one.finding.message


VOTES = """
rulespec: 2
game: {id: votes, version: 1.0.0, title: Votes, players: 2}
values: {vote: {per: player, type: 0..2, start: 0, title: vote, seen_by: owner}}
play:
  - id: vote
    title: Vote in secret
    each: {p: player}
    do: {choose: {by: p, options: [{says: "yes", do: {set: {"vote[p]": 2}}}, {says: "no", do: {set: {"vote[p]": 1}}}]}}
  - {id: end, title: End, rank: {among: {p: player}, by: [{high: "vote[p]", title: vote}], left: share}}
"""


@pytest.mark.parametrize(("seen", "reported"), [("", True), ("nobody", False), ("everybody", False)])
def test_a_choice_of_hidden_things_is_announced(seen: str, reported: bool) -> None:
    text = VOTES.replace(", do: {set", f", seen_by: {seen}, do: {{set") if seen else VOTES
    found = findings_deep(search_deep(rulespec.loads(text), games=20))
    assert ("options-reveal" in {one.finding.name for one in found}) == reported


@pytest.mark.parametrize("name", playable_games())
@pytest.mark.sample(4)
def test_what_is_picked_tells_nobody_what_they_do_not_see(name: str) -> None:
    spec, dice = rulespec.load(name), random.Random(3)
    state = spec.game(max(spec.players)).new_initial_state(seed=3)
    for _ in range(120):
        for seat in state.deciders():
            legal = state.legal_actions(seat)
            one, other = dice.choice(legal), dice.choice(legal)
            same = state.game.actions.option(one) is state.game.actions.option(other)
            assert state.asked or not same or [*distinguished_by(state, one, other)] == []
            state.apply_action(one, seat)


def test_a_line_is_shortened_to_the_choices_it_needs() -> None:
    game = CoveredGame(setting(rulespec.load("tic_tac_toe").model, 2, {}))
    line = Line(1, tuple(range(3, 12)))
    ended = until(game, line, lambda state: state.is_terminal())
    assert ended is not None and len(ended) <= 9
    short = shortened(game, line, lambda state: state.is_terminal(), range(2_000))
    assert 5 <= len(short) <= 7 and played(game, short).is_terminal()


@pytest.mark.parametrize("name", ["go_fish", "liars_dice", "kingme", "goofspiel"])
@pytest.mark.parametrize("engine", [one.name for one in ENGINES.values() if not one.missing])
def test_games_with_cells_are_the_same_games(name: str, engine: str) -> None:
    spec = rulespec.load(name)
    one = setting(spec.model, max(spec.players), {})
    covered, usual = CoveredGame(one, engine), Game(one)
    chunk, start = playouts(covered, 7, range(3)), len(usual.program.start)
    for number, cells in enumerate(zip(*chunk.returns, strict=True)):
        state, decisions = playout(usual, 7, number, record=True)
        end = played(covered, line_of(covered, state.seed, state.choices))
        assert ([*end.r[:start]], [*map(list, end.z)], end.choices) == (state.r[:start], state.z, state.choices)
        assert cells == tuple(end.r[slot] for slot in covered.cells.values())
        assert decisions == chunk.decisions[number] and state.scores() == [column[number] for column in chunk.scores]
        wrong = {e[2] for e in state.events or () if e[0] == "broken"}
        assert wrong == {about for kind, about in covered.faults(end) if kind == "broken"}


def test_an_engine_that_differs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulespec.play.deep.engines.situation", _wrong_situation)
    names = [one.finding.name for one in findings_deep(search_deep(rulespec.load("nim"), games=10))]
    assert names.count("engines-differ") == len([one for one in ENGINES.values() if not one.missing]) - 1


def _wrong_situation(state: rulespec.State) -> tuple[object, ...]:
    wrong = state.game.engine != "interpreter" and len(state.choices) > 1
    return (state.pc, state.legal_actions(), wrong)


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def stuck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "stuck.yaml"
    path.write_text(STUCK, encoding="utf-8")
    yield path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments])


def test_the_command_writes_a_log_that_replays(stuck: Path) -> None:
    done = run("check", "stuck.yaml", "--deep", "--games", "20", "--into", "logs", "--fail-on", "warning")
    assert done.exit_code == 1 and "endless-rounds" in done.stdout
    assert "stuck, explored in 1 setting: 45 games" in done.stdout and "Too little was played" in done.stdout
    command = re.search(r"Replay: ftk (replay .*)", done.stdout)
    assert command is not None
    again = run(*command[1].split())
    assert again.exit_code == 0 and "every line agrees" in again.stdout


def test_without_a_folder_the_log_is_a_temporary_file(stuck: Path) -> None:
    done = run("check", "stuck.yaml", "--deep", "--games", "20")
    (path,) = re.findall(r"ftk replay (\S+)", done.stdout)
    assert Path(path).read_text(encoding="utf-8").startswith('{"format"')
    Path(path).unlink()


def test_a_comment_hides_what_a_search_finds_and_is_not_unused_without_one(stuck: Path) -> None:
    stuck.write_text(STUCK.replace("repeat:\n", "repeat:   # ftk: ignore RS653 a joke\n"), encoding="utf-8")
    for options in (["--deep", "--games", "20"], []):
        done = run("check", "stuck.yaml", *options, "--fail-on", "info")
        assert done.exit_code == 0, done.stdout


@pytest.mark.parametrize(
    "options",
    [["--games", "9"], ["--deep", "--games", "9", "--budget", "9"], ["--deep", "--watch"], ["--deep", "--fix"]],
)
def test_options_that_do_not_go_together(stuck: Path, options: list[str]) -> None:
    assert run("check", "stuck.yaml", *options).exit_code == 2


def test_a_spec_with_errors_is_not_explored(stuck: Path) -> None:
    stuck.write_text(STUCK.replace("left >= 3", "lift >= 3"), encoding="utf-8")
    done = run("check", "stuck.yaml", "--deep", "--games", "20")
    assert done.exit_code == 1 and "explored" not in done.stdout


@pytest.mark.parametrize(
    ("form", "lang", "words"),
    [
        ("text", "uk", "гілки 2 з 2"),
        ("sarif", "zh", "分支2／2"),
        ("github", "en", "branches 2 of 2"),
        ("junit", "en", "branches 2 of 2"),
    ],
)
def test_every_report_says_what_was_covered(stuck: Path, form: str, lang: str, words: str) -> None:
    assert words in run("check", "stuck.yaml", "--deep", "--games", "60", "--format", form, "--lang", lang).stdout


def test_json_has_what_was_covered_and_what_was_not(stuck: Path) -> None:
    stuck.write_text(STUCK.replace("left >= 3", "turn == none"), encoding="utf-8")
    (one,) = json.loads(run("check", "stuck.yaml", "--deep", "--games", "60", "--format", "json").stdout)["explored"]
    assert one["games"] >= 120 and one["enough"] and one["options"] == {"reached": 1, "of": 2}
    assert ("this option was not taken", 17) in [(part["what"], part["line"]) for part in one["not_reached"]]


def test_a_folder_for_logs_that_cannot_be_made_stops_the_search_before_it_begins(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file", encoding="utf-8")
    result = CliRunner().invoke(
        main, ["check", "kuhn_poker", "--deep", "--games", "1", "--into", str(tmp_path / "logs")]
    )
    assert result.exit_code == 3
    assert "cannot be a folder" in result.output
