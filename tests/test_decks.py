"""Decks: cards of one's own in place of some that a spec lists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import ftk
from samples import expectations, places, samples

import rulespec
from rulespec.base.findings import names_in
from rulespec.base.source import Source
from rulespec.engine.states.log import lines
from rulespec.games.api import check_deck, check_spec
from rulespec.games.scenario.runner import run as run_scenario
from rulespec.language.schema.validate import text

GAME = """
rulespec: 2
game: {id: tiny, version: 1.0.0, title: Tiny, players: 2, sources: {sheet: a sheet of paper}}
enums: {kind: [coin, king, fool], letter: [A, B], goal: [red, blue]}
cards:
  fields: {kind: kind, letter: letter?, points: 1..9, mark: bool?, goals: set of goal?}
  manifest:
    - {kind: coin, points: 1..3, goals: [red, blue]}
    - {kind: king, letter: A..B, points: [1, 2], status: reconstructed, source: [sheet]}
    - {kind: [king, fool], letter: A, points: 9, status: reconstructed}
    - {kind: coin, points: 4}
  totals: {kind: {coin: 4, king: 5, fool: 1}, letter: {A: 4, B: 2}}
  start: pile
zones: {pile: {order: stack, seen_by: nobody}, hand: {per: player, seen_by: owner}, aside: {seen_by: everybody}}
setup: {id: setup, title: Shuffle, shuffle: pile}
play:
  - each: {p: player}
    do:
      - {id: draw, title: Draw, each: {n: 1..4}, do: {move: {top: 1, from: pile, to: "hand[p]"}}}
      - id: choice
        title: Lay one aside
        choose:
          by: p
          none: skip
          options:
            - {says: "lay {c} aside", pick: {c: "hand[p]"}, do: {move: {card: c, from: "hand[p]", to: aside}}}
  - id: end
    title: Most points
    rank: {among: {p: player}, by: [{high: "sum(c.points for c in hand[p])", title: points}], left: share}
invariants:
  - {id: first, at: setup.end, holds: "min(c.points for c in pile) == 1"}
"""
DECK = """
deck: 1
game: tiny
replaces: {kind: king}
cards:
  - {letter: A..B, points: [1, 2]}
  - {letter: A, points: 9}
"""
CASES = """
scenario: 2
game: tiny
cases:
  - id: end.king
    title: The best card wins
    players: 2
    given: {at: end, rest: pile, zones: {"hand[1]": [king A 8]}}
    expect: {winner: player 1}
"""


def spec(deck: str | None = DECK, game: str = GAME) -> rulespec.Spec:
    return rulespec.loads(Source("tiny.yaml", game), Source("deck.yaml", deck) if deck else None)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the game, twice, a broken one, and a deck."""
    for name in ("tiny", "renamed"):
        (tmp_path / f"{name}.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "broken.yaml").write_text(GAME.replace("start: pile", "start: pill"), encoding="utf-8")
    (tmp_path / "deck.yaml").write_text(DECK, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- findings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", samples("decks"), ids=lambda path: path.stem)
def test_bad_samples(path: Path, folder: Path) -> None:
    report = check_deck(Source(str(folder / path.name), path.read_text(encoding="utf-8")))
    assert places(report.findings) == expectations(path)
    for found in report.findings:
        assert found.path == str(folder / path.name)
        assert found.message.endswith(".") and len(found.message) < 200
        assert found.hint.endswith((".", "?", "")) and found.start < found.end


def test_every_kind_of_finding_has_a_bad_sample() -> None:
    shown = {name for path in samples("decks") for _, _, name in expectations(path)}
    assert shown >= names_in("decks")


def test_the_schema_is_a_valid_schema_with_the_rows_of_a_manifest() -> None:
    from jsonschema import Draft202012Validator

    schema, specs = json.loads(text("deck-1")), json.loads(text("rulespec-2"))
    Draft202012Validator.check_schema(schema)
    ours, theirs = schema["$defs"]["row"], specs["$defs"]["manifest_row"]
    assert ours["additionalProperties"] == theirs["additionalProperties"]
    assert ours["properties"].keys() == theirs["properties"].keys()
    assert ours["properties"]["status"]["enum"] == theirs["properties"]["status"]["enum"]


def test_the_numbers_are_named() -> None:
    deck = DECK.replace(", points: 9}", ", points: [8, 9]}")
    report = check_spec(Source("tiny.yaml", GAME), Source("deck.yaml", deck))
    assert [found.message for found in report.errors] == ["This deck has 6 cards; it replaces 5."]
    report = check_spec(Source("tiny.yaml", GAME), Source("deck.yaml", DECK.replace("A, points: 9", "B, points: 9")))
    assert [found.message for found in report.errors] == [
        "With this deck the game has 3 cards with letter A; its total is 4.",
        "With this deck the game has 3 cards with letter B; its total is 2.",
    ]


def test_what_a_deck_breaks_is_reported_at_the_rule(folder: Path) -> None:
    game = GAME.replace("{kind: coin, points: 1..3", "{kind: coin, points: 2..4").replace("points: 4}", "points: 5}")
    (folder / "tiny.yaml").write_text(game, encoding="utf-8")
    report = check_deck(Source("deck.yaml", DECK.replace("[1, 2]", "[2, 3]")))
    assert [(Path(found.path).name, found.name) for found in report.findings] == [("tiny.yaml", "broken-invariant")]


def test_a_bad_spec_and_a_bad_deck_are_both_reported() -> None:
    broken, deck = Source("tiny.yaml", GAME.replace("start: pile", "start: pill")), Source("deck.yaml", "deck: 1\n")
    assert {found.path for found in check_spec(broken, deck).errors} == {"tiny.yaml", "deck.yaml"}
    report = rulespec.check("no_such_game.yaml", "no_such_deck.yaml")
    assert [found.name for found in report.errors] == ["file-not-found", "file-not-found"]
    with pytest.raises(rulespec.SpecError) as error:
        spec("deck: 1\n")
    assert {found.path for found in error.value.diagnostics} == {"deck.yaml"}


@pytest.mark.parametrize(
    "content",
    ["deck: 1", "deck: [", "- 1", "7", "deck: &a 1", "deck: 1\ngame: {a: 1}\nreplaces: 3\ncards: {}", "deck: 1\n\x07"],
)
def test_no_text_makes_the_check_fail(content: str, folder: Path) -> None:
    assert check_deck(Source("deck.yaml", content)).errors


# --- the game with a deck --------------------------------------------------------------------------------------------


def rows(found: rulespec.Spec) -> list[str]:
    """Every row as the faces of its cards."""
    deck, game = found.model.deck, found.game()
    return [", ".join(game.card_name(card) for card in row.cards) for row in deck.rows]


def test_the_deck_takes_the_place_of_its_cards_and_nothing_else() -> None:
    alone, together, source = spec(None).model.deck, spec().model.deck, spec().model.source
    assert sorted(together.cards) == sorted(alone.cards)
    assert together.totals == alone.totals
    assert [row.status for row in together.rows] == ["printed", "printed", "printed", "reconstructed", "printed"]
    assert [len(row.cards) for row in together.rows] == [3, 4, 1, 1, 1]
    assert [source.located(row.span)[0][:4] for row in together.rows] == ["tiny", "deck", "deck", "tiny", "tiny"]
    assert together.cards[together.rows[3].cards[0]] == alone.cards[8], "the fool stays"


def test_a_row_is_split_by_several_fields() -> None:
    deck = "deck: 1\ngame: tiny\nreplaces: {kind: king, points: 2}\ncards: [{letter: B, copies: 2}]\n"
    game = GAME.replace(", letter: {A: 4, B: 2}", "")
    coins, ours = "coin 1 red blue, coin 2 red blue, coin 3 red blue", "king B 2, king B 2"
    assert rows(spec(deck, game)) == [coins, ours, "king A 1, king B 1", "king A 9, fool A 9", "coin 4"]
    deck = "deck: 1\ngame: tiny\nreplaces: {kind: king, letter: B, points: 1}\ncards: [{points: 1}]\n"
    assert rows(spec(deck))[1:4] == ["king B 1", "king A 1", "king A 2"]


def test_a_deck_with_the_same_cards_gives_the_same_game_under_another_name() -> None:
    whole = GAME.replace("kind: [king, fool]", "kind: fool").replace("king: 5", "king: 4").replace("A: 4", "A: 3")
    deck = DECK.replace("  - {letter: A, points: 9}\n", "")
    logs = []
    for cards in (None, deck):
        state = spec(cards, whole).game().new_initial_state(seed=3)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        logs.append(list(lines(state)))
    assert logs[0][1:] == logs[1][1:] and logs[0][0] != logs[1][0]


def test_the_digest_tells_decks_and_texts_apart() -> None:
    digests = {spec(deck).model.digest for deck in (None, DECK, DECK + "# again\n")}
    assert len({*digests, spec(DECK, GAME + "\n").model.digest}) == 4
    state = spec().game().new_initial_state(seed=1)
    with pytest.raises(rulespec.StateError):
        spec(None).game().state_from_json(state.to_json())


def test_a_deck_is_given_as_a_path_or_as_a_text(folder: Path) -> None:
    by_path = rulespec.load("tiny.yaml", deck="deck.yaml")
    assert by_path.model.digest == rulespec.load(folder / "tiny.yaml", Source("x", DECK)).model.digest
    assert rulespec.loads(GAME, folder / "deck.yaml").model.digest == by_path.model.digest
    assert rulespec.check("tiny.yaml", deck="deck.yaml").ok


def test_scenarios_run_with_a_deck(folder: Path) -> None:
    (folder / "cases.yaml").write_text(CASES, encoding="utf-8")
    deck = DECK.replace("points: 9", "points: 8")
    assert run_scenario("cases.yaml", deck=Source("deck.yaml", deck)).passed
    assert [found.name for found in run_scenario("cases.yaml", deck="deck.yaml").findings] == ["scenario-unclear-card"]
    (found,) = run_scenario("cases.yaml", deck=Source("mine.yaml", DECK.replace("tiny", "other"))).findings
    assert found.name == "scenario-no-game" and "ftk check mine.yaml" in found.hint


# --- the command line ------------------------------------------------------------------------------------------------


ALONE = "6 of 10 cards are reconstructed (from sheet): no source prints what they show.\n"
WITH = "1 of 10 cards is reconstructed: no source prints what they show.\n"


@pytest.mark.parametrize(
    "command",
    [
        ("cards", "tiny.yaml"),
        ("cards", "tiny.yaml", "--players", 2, "--format", "json"),
        ("play", "tiny.yaml", "--people", "none", "--seed", 1),
        ("simulate", "tiny.yaml", "--games", 3, "--workers", 1, "--format", "json"),
    ],
)
def test_commands_say_once_what_is_still_reconstructed(command: tuple[object, ...], folder: Path) -> None:
    alone, together = ftk(*command), ftk(*command, "--deck", "deck.yaml")
    assert (alone.exit_code, alone.stderr) == (0, ALONE)
    assert (together.exit_code, together.stderr) == (0, WITH)
    assert "are reconstructed" not in alone.stdout
    assert ftk(*command, "-q").stderr == ""


def test_a_log_is_replayed_with_its_deck(folder: Path) -> None:
    ftk("play", "tiny.yaml", "--people", "none", "--seed", 1, "--log", "log", "--deck", "deck.yaml")
    result = ftk("replay", "log", "--spec", "tiny.yaml", "--deck", "deck.yaml")
    assert result.exit_code == 0 and result.stderr == WITH
    assert "or other cards" in ftk("replay", "log", "--spec", "tiny.yaml").stderr
    assert ftk("replay", "log", "--spec", "tiny.yaml", "--deck", "deck.yaml", "-q").stderr == ""


def test_check_takes_a_deck_as_a_file_or_as_an_option(folder: Path) -> None:
    assert ftk("check", "deck.yaml").exit_code == 0
    assert ftk("check", "tiny.yaml", "--deck", "deck.yaml").exit_code == 0
    assert ftk("check", "--deck", "deck.yaml").stdout == ftk("check", "deck.yaml").stdout
    (folder / "short.yaml").write_text(DECK.replace("[1, 2]", "1"), encoding="utf-8")
    for arguments in (["short.yaml"], ["tiny.yaml", "--deck", "short.yaml"]):
        result = ftk("check", *arguments)
        assert result.exit_code == 1
        assert "short.yaml:5:1: error RS804 deck-wrong-number" in result.stdout
        assert "    5 | cards:" in result.stdout
    assert ftk("check", "--deck", "nowhere.yaml").exit_code == 3


def test_tests_run_with_a_deck(folder: Path) -> None:
    (folder / "cases.yaml").write_text(CASES, encoding="utf-8")
    (folder / "deck.yaml").write_text(DECK.replace("points: 9", "points: 8"), encoding="utf-8")
    result = ftk("test", "cases.yaml", "--deck", "deck.yaml")
    assert result.exit_code == 0 and result.stderr == f"Tiny: {WITH}"
    assert ftk("test", "cases.yaml", "--deck", "deck.yaml", "-q").stderr == ""
    assert ftk("test", "cases.yaml").exit_code == 1
    assert "There are no scenarios of tiny" in ftk("test", "--deck", "deck.yaml").stderr


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("play", "deck.yaml"), 3, "deck.yaml is a deck"),
        (("play", "tiny.yaml", "--deck", "nowhere.yaml"), 3, "There is no file nowhere.yaml."),
        (("cards", "fortheking", "--deck", "deck.yaml"), 1, "deck.yaml:3:7: error RS802 deck-other-game"),
        (("cards", "tiny.yaml", "--deck", "tiny.yaml"), 1, "This deck needs `deck`"),
        (("test", "--deck", "tiny.yaml"), 1, "This deck needs `deck`"),
    ],
)
def test_wrong_files_are_reported(arguments: tuple[str, ...], status: int, words: str, folder: Path) -> None:
    result = ftk(*arguments)
    assert (result.exit_code, words in result.stderr) == (status, True), result.stderr


def test_the_schema_is_printed() -> None:
    assert json.loads(ftk("schema", "--kind", "deck").stdout)["required"] == ["deck", "game", "replaces", "cards"]
