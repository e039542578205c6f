"""`ftk simulate` and `ftk test`: runs of many games, and scenarios."""

import json
import re
from pathlib import Path

import pytest
from click.testing import Result
from command import ftk

import rulespec
from ftk_cli.output import to_json

pytestmark = pytest.mark.slow("plays many games")

SCENARIOS = """\
scenario: 2
game: fortheking
cases:
  - id: first.decides
    title: The first player is asked first
    players: 3
    seed: 1
    expect: {decides: player %s}
"""


def simulate(*arguments: object) -> Result:
    return ftk("simulate", "fortheking", "--seed", 5, *arguments)


def figures(result: Result) -> dict[str, object]:
    data = json.loads(result.stdout)
    assert isinstance(data, dict)
    depending_on_time = {"seconds", "games_per_second", "engine"}  # `auto` chooses by time
    return {key: value for key, value in data.items() if key not in depending_on_time}


def test_figures_do_not_depend_on_the_number_of_workers() -> None:
    one = simulate("--games", 202, "--workers", 1, "--format", "json")
    two = simulate("--games", 202, "--workers", 2, "--format", "json")
    assert figures(one) == figures(two)


def test_json_has_the_public_keys() -> None:
    data = json.loads(simulate("--games", 3, "--players", 4, "--workers", 1, "--format", "json").stdout)
    public = {"games", "players", "seed", "engine", "seconds", "games_per_second", "decisions", "wins", "points"}
    assert public | {"resumed"} <= set(data)
    assert (data["games"], data["players"], data["seed"], data["resumed"]) == (3, 4, 5, 0)
    assert data["engine"] in ("interpreter", "compiled", "native")
    assert len(data["wins"]) == len(data["points"]) == 4


def test_a_single_game_has_no_spread_and_json_no_nan() -> None:
    result = simulate("--games", 1, "--format", "json")
    assert "NaN" not in result.stdout
    assert json.loads(result.stdout)["points"][0]["deviation"] is None
    assert "–" in simulate("--games", 1).stdout
    assert to_json({"a": [float("inf"), 1.5]}) == '{\n  "a": [\n    null,\n    1.5\n  ]\n}\n'


def test_text_compares_the_seats() -> None:
    output = simulate("--games", 20, "--players", 3, "--ruling", "overbid=forbidden").stdout
    assert "20 games of 3 random players" in output
    assert [line.split()[0] for line in output.splitlines() if line.startswith("   ")] == ["1", "2", "3"]
    assert "Decisions per game: " in output


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("fortheking", "--bot quick"),
        ("gin_rummy", "--bot quick"),
        ("hanabi", "No bot"),
        ("kingme", ""),
        ("hearts", ""),
        ("spades", ""),
    ],
)
def test_random_players_who_cannot_play_a_game_are_a_reason_for_bots(game: str, said: str) -> None:
    """A bot is named only if it was seen to play better."""
    played = ("--games", 100, "--seed", 2, "--bot", "random")
    for report in (ftk("simulate", game, *played), ftk("balance", game, *played, "--no-rulings")):
        words = " ".join(report.stdout.split())
        assert ("Random players cannot really play this game" in words) == bool(said)
        assert said in words and ("--bot quick" in words) == (said == "--bot quick")


def test_bots_are_no_reason_for_bots() -> None:
    assert "--bot quick" not in simulate("--games", 20, "--bot", "random,greedy").stdout


def test_output_goes_to_a_file(tmp_path: Path) -> None:
    target = tmp_path / "figures.json"
    assert simulate("--games", 2, "--format", "json", "--output", target).stdout == ""
    assert json.loads(target.read_text(encoding="utf-8"))["games"] == 2


def test_a_run_in_a_folder_goes_on(tmp_path: Path) -> None:
    run = ("--into", tmp_path / "run", "--workers", 1)
    straight = json.loads(simulate("--games", 60, "--format", "json").stdout)
    first = json.loads(simulate("--games", 50, *run, "--format", "json").stdout)
    more = json.loads(simulate("--games", 60, *run, "--format", "json").stdout)
    chunk = json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))["chunk"]
    assert (first["resumed"], more["resumed"]) == (0, 50 // chunk * chunk)
    assert more["points"] == straight["points"]
    assert "60 games resumed" in simulate("--games", 60, *run).stdout


def test_a_damaged_chunk_is_named_and_played_again(tmp_path: Path) -> None:
    run = ("--games", 20, "--into", tmp_path, "--rows", "csv", "--format", "json")
    first = json.loads(simulate(*run).stdout)
    chunk = next(tmp_path.glob("chunk-*.json"))
    text = chunk.read_text("utf-8")
    chunk.write_text(re.sub(r"[0-8]", lambda digit: str(int(digit[0]) + 1), text, count=1), "utf-8")
    again = simulate(*run)
    warning = again.stderr.splitlines()[0]
    assert warning == f"{chunk} is damaged: its checksum does not match. Games 0 to 19 are played again."
    assert json.loads(again.stdout)["points"] == first["points"]
    assert chunk.read_text("utf-8") == text


def test_json_names_what_was_played() -> None:
    found = json.loads(simulate("--games", 2, "--ruling", "overbid=forbidden", "--format", "json").stdout)
    spec = rulespec.load("fortheking")
    assert (found["game"], found["version"], found["players"]) == ("fortheking", spec.model.version, 2)
    assert found["rulings"]["overbid"] == "forbidden" and found["rulings"].keys() == spec.model.rulings.keys()
    assert found["digest"] == spec.model.digest


def test_a_folder_of_another_run_is_status_3(tmp_path: Path) -> None:
    simulate("--games", 1, "--into", tmp_path)
    result = ftk("simulate", "fortheking", "--seed", 6, "--into", tmp_path, "--rows", "csv")
    assert (result.exit_code, result.stdout) == (3, "")
    assert f"{tmp_path} belongs to another run: seed 5, not 6; rows none, not csv." in result.stderr


def test_a_cluster_that_is_not_there_is_status_3() -> None:
    pytest.importorskip("distributed")
    result = simulate("--games", 1, "--cluster", "nonsense")
    assert (result.exit_code, result.stderr.count("\n")) == (3, 2)
    assert "No Dask scheduler answers at nonsense" in result.stderr


@pytest.mark.parametrize("wrong", [("--rows", "csv"), ("--cluster", "tcp://127.0.0.1:1", "--workers", 2)])
def test_options_that_do_not_go_together_are_status_2(wrong: tuple[str, object]) -> None:
    assert simulate(*wrong).exit_code == 2


@pytest.mark.parametrize("wrong", [("--games", 0), ("--seed", -1), ("--players", 9), ("--engine", "warp")])
def test_options_out_of_range_are_status_2(wrong: tuple[str, object]) -> None:
    assert simulate(*wrong).exit_code == 2


def test_specs_that_cannot_be_used(tmp_path: Path) -> None:
    assert ftk("simulate", tmp_path).exit_code == 3
    empty = tmp_path / "empty.yaml"
    empty.touch()
    assert ftk("simulate", empty).exit_code == 1


@pytest.fixture
def scenarios(tmp_path: Path) -> Path:
    (tmp_path / "good.yaml").write_text(SCENARIOS % 1, encoding="utf-8")
    return tmp_path


def test_scenarios_pass(scenarios: Path) -> None:
    result = ftk("test", scenarios)
    assert (result.exit_code, result.stdout) == (0, "1 scenario in 1 file, 0 failed: nothing wrong.\n")
    assert "passed: first.decides" in ftk("test", scenarios, "-v").stdout


def test_a_failed_scenario_is_a_finding_at_its_line(scenarios: Path) -> None:
    bad = scenarios / "bad.yaml"
    bad.write_text((SCENARIOS % 2).replace("first.decides", "other.decides"), encoding="utf-8")
    result = ftk("test", scenarios)
    assert result.exit_code == 1
    assert f"{bad}:8:" in result.stdout
    assert "2 scenarios in 2 files, 1 failed" in result.stdout
    data = json.loads(ftk("test", bad, "--format", "json").stdout)
    assert (data["summary"]["failed"], data["cases"][0]["passed"]) == (1, False)
    assert ftk("check", bad).exit_code == 1
    assert 'failures="1"' in ftk("test", bad, "--format", "junit").stdout
    assert ftk("test", bad, "--format", "github").stdout.startswith("::error ")
    assert json.loads(ftk("test", bad, "--format", "sarif").stdout)["runs"][0]["results"]


def test_scenarios_from_standard_input() -> None:
    assert ftk("test", "-", stdin=SCENARIOS % 1).exit_code == 0
    assert ftk("check", "-", stdin=SCENARIOS % 2).exit_code == 1


def test_coverage_names_the_rules_that_never_applied(scenarios: Path) -> None:
    few = json.loads(ftk("test", scenarios, "--coverage", "--format", "json").stdout)["coverage"]["fortheking"]
    more = ftk("test", scenarios, "--random", 4, "--format", "json").stdout
    many = json.loads(more)["coverage"]["fortheking"]
    assert "esteem.auction" in few["never"] and "esteem.auction" not in many["never"]
    assert few["rules"] == many["rules"] > len(few["never"]) > len(many["never"])


@pytest.mark.parametrize("content", [b"", b"\xff", b"scenario: 2\n", b"scenario: [", b"rulespec: 2\n", b"\0\0"])
def test_hostile_scenarios_are_findings(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.yaml"
    path.write_bytes(content)
    assert ftk("test", path).exit_code == (3 if content in (b"\xff", b"rulespec: 2\n") else 1)


def test_nothing_to_test_is_status_3(tmp_path: Path) -> None:
    assert ftk("test", tmp_path).exit_code == 3
    assert ftk("test", tmp_path / "no.yaml").exit_code == 3
    (tmp_path / "other.yaml").write_text("jobs: {}\n", encoding="utf-8")
    result = ftk("test", tmp_path)
    assert (result.exit_code, "nothing was tested" in result.stderr) == (3, True)
