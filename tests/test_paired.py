"""Two versions of a game in the same seeded games."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import jsonschema
import pytest
from command import ftk
from high_card import SPEC
from labelled_edits import built

from rulespec.base.source import Source
from rulespec.engine.backend.engines.table import ENGINES
from rulespec.engine.named_chance.chance import NamedChance
from rulespec.engine.named_chance.game import game_of_log
from rulespec.engine.states.game import Game
from rulespec.engine.states.log import LogError, head, lines, replay
from rulespec.language.model.spec import Spec
from rulespec.versions.paired.difference import first_difference
from rulespec.versions.paired.games import decisions
from rulespec.versions.paired.pair import Pair, PairError, paired
from rulespec.versions.paired.players import BOTS
from rulespec.versions.paired.run import Result, play
from rulespec.versions.paired.view import sections

needs_native = pytest.mark.skipif(bool(ENGINES["native"].missing), reason="llvmlite is not installed")


def spec(*edits: tuple[str, str]) -> Spec:
    """The small card game, edited."""
    text = SPEC
    for find, replace in edits:
        assert find in text, find
        text = text.replace(find, replace)
    return built(Source("high_card.yaml", text))


WORDS = ("title: High card", "title: Highest card")
RENAMED = ("id: swap", "id: exchange")
MORE_CARDS = ("copies: 4}]", "copies: 4}, {value: 7}]")
LOW_WINS = ('{high: "hand[p].value"', '{low: "hand[p].value"')
ONLY_KEEP = (
    """          - says: swap it
            do: [{move: {every: c, from: "hand[p]", to: discard}}, {move: {top: 1, from: deck, to: "hand[p]"}}]
""",
    "",
)


SAME = paired(spec(), spec())
LABELS = SAME.new.labels


# --- draws -----------------------------------------------------------------------------------------------------------


def chi_square(found: Counter[object], expected: float, cells: int) -> float:
    return sum((found[cell] - expected) ** 2 / expected for cell in found) + (cells - len(found)) * expected


def test_every_candidate_has_the_same_chance() -> None:
    labels = [LABELS.value(SAME.new.spec.deck.fields["value"], n) for n in range(1, 11)]
    one, found = NamedChance(5, LABELS), Counter[object]()
    for _ in range(20_000):
        found[one.choose(1, 0, labels)] += 1
    assert chi_square(found, 2000, 10) < 27.9  # the 99.9 % quantile with 9 degrees of freedom


# --- states ----------------------------------------------------------------------------------------------------------


def test_a_log_says_how_its_game_draws() -> None:
    pair = paired(spec(RENAMED), spec())
    *_, (state, _) = decisions(pair.old, BOTS["random"], 4, 0)
    text = "\n".join(lines(state))
    ordinary = Game(pair.old.setting)
    assert replay(game_of_log(ordinary, head(text)), text).choices == state.choices
    assert head(text)["chance"] == {"named": [["rule", "exchange", "swap"]]}
    with pytest.raises(LogError):
        replay(ordinary, text)


@pytest.mark.parametrize("chance", [1, {}, {"named": 3}, {"named": [["rule", "a"]]}, {"named": [["rule", "a", 1]]}])
def test_unknown_draws_are_refused(chance: object) -> None:
    with pytest.raises(ValueError, match=r"unknown kind|not a list"):
        game_of_log(Game(SAME.new.setting), {"chance": chance})


# --- pairs -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edit", [WORDS, RENAMED, ("2..4}", "2..5}")], ids=["words", "renamed", "more players"])
def test_versions_that_play_alike_have_no_pair_that_differs(edit: tuple[str, str]) -> None:
    for pair in (paired(spec(), spec(edit)), paired(spec(edit), spec())):
        result = play(pair, 200, seed=2, engine="interpreter")
        assert (result.counted.differing, result.counted.first) == (0, None)
        assert all(change.difference.value == 0 for change in result.changes)
        assert first_difference(pair, 2, 0) is None
        assert "No pair differs" in next(sections(result)).text[0]


@needs_native
def test_machine_code_plays_what_the_interpreter_plays() -> None:
    pair = paired(spec(), spec(MORE_CARDS), 3)
    by_machine, interpreted = (play(pair, 50, seed=9, engine=engine) for engine in ("native", "interpreter"))
    assert by_machine.engine == "native"
    assert by_machine.changes == interpreted.changes
    assert by_machine.counted.moves == interpreted.counted.moves
    assert by_machine.counted.first == interpreted.counted.first


def test_workers_do_not_change_the_figures() -> None:
    pair = paired(spec(), spec(LOW_WINS))
    one, two = (play(pair, 90, seed=1, workers=workers, engine="interpreter") for workers in (1, 2))
    assert (one.counted, one.changes) == (two.counted, two.changes)


@pytest.mark.parametrize(
    ("players", "rulings", "message"),
    [
        (4, {}, r"for 2 to 4 players and the new one for 2 to 3, not both for 4"),
        (None, {"nothing": "all"}, "unknown ruling `nothing`: the versions have tied"),
        (None, {"tied": "none"}, "unknown answer `none`"),
    ],
)
def test_versions_without_a_common_setting_are_refused(
    players: int | None, rulings: dict[str, str], message: str
) -> None:
    with pytest.raises(PairError, match=message):
        paired(spec(), spec(("2..4}", "2..3}")), players, rulings)


# --- the first difference --------------------------------------------------------------------------------------------


def first(pair: Pair, games: int = 40) -> tuple[Result, str]:
    result = play(pair, games, seed=6, engine="interpreter")
    assert result.counted.first is not None
    found = first_difference(pair, 6, result.counted.first)
    assert found is not None
    return result, found.rule


@pytest.mark.parametrize(("edit", "rule"), [(LOW_WINS, "end"), (ONLY_KEEP, "swap")], ids=["end", "swap"])
def test_the_first_difference_names_the_rule_that_was_edited(edit: tuple[str, str], rule: str) -> None:
    assert first(paired(spec(), spec(edit)))[1] == rule
    assert first(paired(spec(edit), spec()))[1] == rule


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def versions(tmp_path: Path) -> tuple[str, str]:
    for name, edits in (("old", ()), ("new", (LOW_WINS,))):
        text = SPEC
        for find, put in edits:
            text = text.replace(find, put)
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    return str(tmp_path / "old.yaml"), str(tmp_path / "new.yaml")


def test_diff_plays_both_versions(versions: tuple[str, str], tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    done = ftk("diff", *versions, "--play", "--games", 30, "--seed", 4, "--workers", 1, "--into", logs)
    assert done.exit_code == 0, done.output
    assert "30 pairs of games of 2 random players, seed 4" in done.output
    assert "behind it the rule end" in done.output
    for side, path in zip(("old", "new"), versions, strict=True):
        replayed = ftk("replay", logs / f"{side}.jsonl", "--spec", path)
        assert replayed.exit_code == 0, replayed.output


def test_no_difference_is_said_with_its_interval(versions: tuple[str, str]) -> None:
    done = ftk("diff", versions[0], versions[0], "--play", "--games", 30, "--workers", 1)
    assert "No pair differs: both versions play the same in all 30 pairs." in done.output
    done = ftk("diff", *versions, "--play", "--games", 30, "--workers", 1)
    assert "No difference in length: the same in every pair." in done.output
    assert "±" in done.output


def test_json_has_every_figure_with_its_interval(versions: tuple[str, str]) -> None:
    done = ftk("diff", *versions, "--play", "--games", 30, "--workers", 1, "--format", "json")
    whole = json.loads(done.stdout)
    schema = json.loads(ftk("schema", "--kind", "diff").stdout)
    assert not list(jsonschema.Draft202012Validator(schema).iter_errors(whole))
    data = whole["play"]
    assert (data["pairs"], data["players"], data["bot"], data["first"]["rule"]) == (30, 2, "random", "end")
    assert {figure["figure"] for figure in data["figures"]} == {"wins", "points", "length", "rules"}
    assert all(figure["low"] <= figure["difference"] <= figure["high"] for figure in data["figures"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--play", "--games", 0), "0 is not in the range"),
        (("--games", 5), "--games is an option of --play"),
        (("--ruling", "tied=all"), "--ruling is an option of --play"),
        (("--play", "--players", 9), "not both for 9"),
        (("--play", "--bot", "clever"), "There is no bot `clever`"),
        (("--play", "--ruling", "tied=none"), "Unknown answer `none`"),
    ],
)
def test_wrong_options_are_refused(versions: tuple[str, str], arguments: tuple[object, ...], message: str) -> None:
    done = ftk("diff", *versions, *arguments)
    assert done.exit_code == 2 and message in done.stderr


@needs_native
def test_diff_plays_with_the_one_ply_player(versions: tuple[str, str]) -> None:
    done = ftk("diff", *versions, "--play", "--bot", "oneply", "--games", 4, "--workers", 1)
    assert done.exit_code == 0 and "4 pairs of games of 2 oneply players" in done.output
    again = ftk("diff", *versions, "--play", "--bot", "oneply", "--games", 4, "--workers", 2)
    assert [*again.output.splitlines()[9:]] == [*done.output.splitlines()[9:]]
