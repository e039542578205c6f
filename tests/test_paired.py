"""Two versions of a game in the same seeded games."""

from __future__ import annotations

import json
import math
from collections import Counter
from itertools import permutations
from pathlib import Path
from statistics import variance

import jsonschema
import pytest
from command import ftk
from high_card import SPEC
from labelled_edits import EDITS, Edit, built, old

from rulespec.base.source import Source
from rulespec.engine.backend.engines.table import ENGINES
from rulespec.engine.interpreter.random import Generator
from rulespec.engine.knowledge.possible_worlds import unknown
from rulespec.engine.named_chance.chance import NamedChance
from rulespec.engine.named_chance.game import NamedGame, NamedState, game_of_log
from rulespec.engine.named_chance.labels import label
from rulespec.engine.states.game import Game
from rulespec.engine.states.log import LogError, head, lines, replay
from rulespec.language.model.spec import Spec
from rulespec.versions.paired.difference import first_difference
from rulespec.versions.paired.games import decisions
from rulespec.versions.paired.oneply import best_action
from rulespec.versions.paired.pair import Pair, PairError, paired
from rulespec.versions.paired.players import BOTS, Bot, random_action
from rulespec.versions.paired.run import Result, play, results
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
FEWER_CARDS = ("copies: 4}]", "copies: 3}]")
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


def test_every_one_of_many_actions_has_the_same_chance() -> None:
    """Sixty bids, a suffix of which is legal: as many candidates as decisions of the main game have."""
    bids, draws = [label(f"value {n}") | 1 for n in range(60)], 30_000
    for legal in (bids, bids[40:], bids[57:]):
        found, one = Counter[object](), NamedChance(7, LABELS)
        found.update(one.choose(1, 0, legal) for _ in range(draws))
        free = len(legal) - 1
        quantile = free * (1 - 2 / (9 * free) + 3.09 * (2 / (9 * free)) ** 0.5) ** 3  # 99.9 % (Wilson, Hilferty 1931)
        assert chi_square(found, draws / len(legal), len(legal)) < quantile


def test_every_order_has_the_same_chance() -> None:
    found = Counter[object]()
    for seed in range(6_000):
        cards = [0, 20, 40]
        one = NamedChance(seed, LABELS)
        one.shuffle(1, 0, cards)
        found[tuple(cards)] += 1
    assert set(found) == set(permutations([0, 20, 40]))
    assert chi_square(found, 1000, 6) < 20.5  # the 99.9 % quantile with 5 degrees of freedom


def test_one_candidate_more_changes_one_draw_in_as_many() -> None:
    labels = [LABELS.faces[face] | 1 for face in range(12)]
    differing = sum(
        NamedChance(n, LABELS).choose(1, 0, labels) != NamedChance(n, LABELS).choose(1, 0, labels[:-1])
        for n in range(6_000)
    )
    assert abs(differing - 500) < 100


def test_one_card_more_leaves_the_order_of_the_others() -> None:
    deck, more = list(range(52)), paired(spec(), spec(MORE_CARDS)).new.labels
    for seed in range(20):
        few, many = deck[:], [*deck, 52]
        NamedChance(seed, LABELS).shuffle(1, 0, few)
        NamedChance(seed, more).shuffle(1, 0, many)
        assert [LABELS.card_faces[c] for c in few] == [more.card_faces[c] for c in many if c != 52]


def test_draws_of_a_rule_do_not_depend_on_those_of_others() -> None:
    one, other = NamedChance(3, LABELS), NamedChance(3, LABELS)
    other.next(2)
    assert [one.next(1), one.next(1)] == [other.next(1), other.next(1)]
    assert one.next(1, owner=1) != one.next(1, owner=2)


# --- states ----------------------------------------------------------------------------------------------------------


def test_a_clone_draws_what_the_original_draws() -> None:
    game = SAME.new
    state = game.new_initial_state(8)
    copy = state.clone()
    for one in (state, copy):
        while not one.is_terminal():
            one.apply_action(one.legal_actions()[-1])
    assert state.snapshot() == copy.snapshot() and state.choices == copy.choices
    assert game.state_from_json(state.to_json()).snapshot() == state.snapshot()


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


def test_prizes_are_matched_whatever_they_are_called() -> None:
    before = old("fortheking")
    text = before.source.text.replace("military", "martial").replace("title: holder of", "title: owner of")
    pair = paired(before, built(Source("new.yaml", text)), 3, {"overbid": "forbidden"})
    result = play(pair, 6, seed=14, engine="interpreter")
    assert result.counted.differing == 0
    assert all(one.before == one.after for one in result.of("given"))
    assert any(one.before and one.figure.name.endswith(": martial") for one in result.of("given"))


def test_figures_of_a_pair_are_mirrored() -> None:
    there = play(paired(spec(), spec(LOW_WINS)), 60, engine="interpreter")
    back = play(paired(spec(LOW_WINS), spec()), 60, engine="interpreter")
    for one, other in zip(there.changes, back.changes, strict=True):
        assert (one.before, one.after, one.differing) == (other.after, other.before, other.differing)
        assert one.difference.value == -other.difference.value


def test_the_differences_have_the_interval_of_paired_samples() -> None:
    result = play(paired(spec(), spec(MORE_CARDS)), 80, seed=1, engine="interpreter")
    (change,) = (one for one in result.of("points") if one.figure.name == "seat 1")
    values = []
    for number in range(80):
        points = []
        for game in result.pair.sides:
            *_, (state, _) = decisions(game, BOTS["random"], 1, number)
            points.append(state.scores()[0])
        values.append(points[1] - points[0])
    mean = sum(values) / 80
    error = math.sqrt(sum((v - mean) ** 2 for v in values) / 79 / 80)
    assert change.difference.value == pytest.approx(mean)
    assert change.difference.high == pytest.approx(mean + 1.990 * error, abs=1e-3)


@pytest.mark.parametrize(
    ("edit", "share"), [(MORE_CARDS, 0.05), (FEWER_CARDS, 0.55), (ONLY_KEEP, 0.55)], ids=["more", "fewer", "no swap"]
)
def test_pairs_stay_together(edit: tuple[str, str], share: float) -> None:
    """The variance of the difference in points is a small share of that between games that are not paired."""
    pair, games = paired(spec(), spec(edit)), 400
    old, new = ([_points(game, number) for number in range(games)] for game in pair.sides)
    apart = [b - a for a, b in zip(old, new, strict=True)]
    assert variance(apart) < share * (variance(old) + variance(new))


def _points(game: NamedGame, number: int) -> int:
    *_, (state, _) = decisions(game, BOTS["random"], 1, number)
    return state.scores()[0]


@needs_native
@pytest.mark.parametrize("edits", [(), (MORE_CARDS,), (LOW_WINS,)], ids=["same", "more cards", "low wins"])
@pytest.mark.parametrize("players", [2, 4])
def test_machine_code_plays_what_the_interpreter_plays(edits: tuple[tuple[str, str], ...], players: int) -> None:
    assert_engines_agree(paired(spec(), spec(*edits), players), 50)


@needs_native
@pytest.mark.parametrize("game", sorted({edit.game for edit in EDITS}))
@pytest.mark.sample(4)
def test_machine_code_plays_other_games_alike(game: str) -> None:
    edits = [edit for edit in EDITS if edit.game == game and ("players-removed", "game") not in edit.changes]
    edit = next((edit for edit in edits if edit.impact == "breaking"), edits[0])
    assert_engines_agree(paired(old(game), edit.new), 6)


def assert_engines_agree(pair: Pair, games: int) -> None:
    by_machine, interpreted = (play(pair, games, seed=9, engine=engine) for engine in ("native", "interpreter"))
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


def test_the_first_decision_that_differs_is_said_with_its_legal_actions() -> None:
    found = first_difference(paired(spec(), spec(ONLY_KEEP)), 6, 0)
    assert found is not None and (found.decision, found.player) == (1, 0)
    assert "legal only here: swap it" in found.old or "swap it" in found.old
    assert found.new == "player 1: keep it"


SMALL = [edit for edit in EDITS if edit.game not in ("fortheking", "keyflower_king", "kingme") and edit.changes]


@pytest.mark.parametrize("edit", [e for e in SMALL if e.impact in ("none", "data", "text")], ids=str)
def test_edits_without_effect_change_no_pair(edit: Edit) -> None:
    pair = paired(old(edit.game), edit.new)
    assert play(pair, 10, seed=3, engine="interpreter").counted.differing == 0


def test_first_differences_of_small_games_name_the_edited_rule() -> None:
    named = []
    for edit in (edit for edit in SMALL if edit.impact in ("play", "breaking")):
        pair = paired(old(edit.game), edit.new) if ("players-removed", "game") not in edit.changes else SAME
        number = play(pair, 30, seed=14, engine="interpreter").counted.first
        found = first_difference(pair, 14, number) if number is not None else None
        if found is not None and pair.changed_rules:
            named.append(found.rule in pair.changed_rules)
    assert named == [True] * 6


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


@pytest.mark.parametrize(("format_", "words"), [("markdown", "### Games"), ("html", '<section id="games"')])
def test_other_formats(versions: tuple[str, str], format_: str, words: str) -> None:
    done = ftk("diff", *versions, "--play", "--games", 10, "--workers", 1, "--format", format_)
    assert words in done.output and done.exit_code == 0


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


def test_a_version_with_errors_is_not_played(versions: tuple[str, str]) -> None:
    path = Path(versions[1])
    path.write_text(f"{SPEC}invariants: [{{id: one, holds: size(deck) == 1, at: setup.end}}]\n", encoding="utf-8")
    done = ftk("diff", *versions, "--play", "--games", 5)
    assert done.exit_code == 1 and "error RS" in done.stderr


# --- the one-ply player ----------------------------------------------------------------------------------------------


@needs_native
def test_the_one_ply_player_wins_more_often_than_a_random_one() -> None:
    one = Bot("one", "", lambda s, p, c: (best_action if p == 0 else random_action)(s, p, c), 1)
    games = (list(decisions(SAME.new, one, 1, number))[-1][0] for number in range(120))
    assert sum(state.returns()[0] for state in games) > 70


@needs_native
def test_cards_that_the_one_ply_player_does_not_know_do_not_matter() -> None:
    for number in range(20):
        state = SAME.new.new_initial_state(number)
        assert isinstance(state, NamedState)
        before = [cards[:] for cards in state.z]
        mine = best_action(state, 0, NamedChance(number, LABELS))
        state.z = unknown(state, 0).world(Generator(number + 100)).z
        hand = state.game.names.zone_number("hand", 0)
        assert state.z[hand] == before[hand] and state.z != before
        assert sorted(card for cards in state.z for card in cards) == sorted(card for cards in before for card in cards)
        assert best_action(state, 0, NamedChance(number, LABELS)) == mine


@needs_native
def test_cards_that_a_player_knows_stay_where_they_are() -> None:
    """In a game with many kinds of zones: what a player observes is the same in every deal of the unknown cards."""
    pair = paired(old("fortheking"), old("fortheking"), 3)
    for at, (state, choice) in enumerate(decisions(pair.new, BOTS["random"], 2, 0)):
        if choice is None or at % 20:
            continue
        copy, player = state.clone(), choice[0]
        copy.z = unknown(copy, player).world(Generator(at)).z
        assert copy.observation_string(player) == state.observation_string(player)
        assert sorted(map(len, copy.z)) == sorted(map(len, state.z))


@needs_native
def test_diff_plays_with_the_one_ply_player(versions: tuple[str, str]) -> None:
    done = ftk("diff", *versions, "--play", "--bot", "oneply", "--games", 4, "--workers", 1)
    assert done.exit_code == 0 and "4 pairs of games of 2 oneply players" in done.output
    again = ftk("diff", *versions, "--play", "--bot", "oneply", "--games", 4, "--workers", 2)
    assert [*again.output.splitlines()[9:]] == [*done.output.splitlines()[9:]]


def test_results_so_far_end_in_that_of_all_pairs() -> None:
    pair = paired(spec(), spec(MORE_CARDS), 2)
    found = list(results(pair, 7, 3, engine="interpreter", at_once=3))
    assert [one.games for one in found] == [3, 6, 7]
    assert found[-1].changes == play(pair, 7, 3, engine="interpreter").changes
    assert found[0].changes == play(pair, 3, 3, engine="interpreter").changes
