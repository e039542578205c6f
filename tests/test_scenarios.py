"""Scenarios: the format and its findings, and the games against their rulebooks."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import expectations, places, samples

import rulespec
from rulespec.base.diagnostics import Finding
from rulespec.base.findings import names_in
from rulespec.base.source import Source
from rulespec.games.scenario.runner import Outcome, coverage, run_all, run_source
from rulespec.games.scenario.runner import run as run_scenario
from rulespec.language.document import parse
from rulespec.language.document.nodes import plain

pytestmark = pytest.mark.slow("plays all scenarios")

SPECS = Path(__file__).parents[1] / "specs"
GAME = SPECS / "fortheking.yaml"
FOLDER = SPECS / "scenarios" / "fortheking"
TEXT = GAME.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def spec() -> rulespec.Spec:
    return rulespec.load(GAME)


def run(text: str, spec: rulespec.Spec | None = None) -> Outcome:
    return run_source(Source("<text>", text), spec)


def sentences(outcome: Outcome) -> list[str]:
    return [found.message for found in outcome.findings]


# --- For the King (and Me) -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return run_all([SPECS / "scenarios"])


@pytest.mark.slow("all scenarios of the three games")
def test_all_scenarios_pass(outcomes: list[Outcome]) -> None:
    assert [found for outcome in outcomes for found in outcome.findings] == []
    assert len(outcomes) == len(list((SPECS / "scenarios").rglob("*.yaml")))
    assert all(case.passed for outcome in outcomes for case in outcome.cases)


@pytest.mark.slow("all scenarios of the three games")
def test_every_rule_fires_in_some_case(outcomes: list[Outcome], spec: rulespec.Spec) -> None:
    fired = {rule for outcome in outcomes if outcome.game == "fortheking" for rule in outcome.fired}
    assert coverage(spec, fired) == []


def _cases(folder: Path = FOLDER) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob("*.yaml")):
        root, _ = parse(Source(str(path), path.read_text(encoding="utf-8")))
        assert root is not None
        yield from plain(root)["cases"]


def test_every_answer_to_every_ruling_is_played(spec: rulespec.Spec) -> None:
    played = {(ruling, str(answer)) for case in _cases() for ruling, answer in case.get("rulings", {}).items()}
    assert played >= {(r.id, answer) for r in spec.model.rulings.values() for answer in r.options}


def test_every_player_count_and_both_rulebooks_are_used() -> None:
    cases = list(_cases())
    assert {case["players"] for case in cases} == {2, 3, 4, 5}
    assert {source for case in cases for source in case.get("source", ())} >= {"zh", "uk"}


MUTATIONS = [
    ("setup", "type: 1..6, start: 3", "type: 1..6, start: 2"),
    ("setup", "H..I, value: 4,", "H..I, value: 3,"),
    ("setup", "first: plus, second: plus, marker", "first: plus, second: minus, marker"),
    ("influence", "but: adviser", "but: left_of(adviser)"),
    ("influence", "from: left_of(adviser)\n", "from: right_of(adviser)\n"),
    ("king", "plus: 1, minus: -1, either: 0", "plus: 2, minus: -1, either: 0"),
    ("king", "way == plus and esteem[o] < 6", "way == plus and esteem[o] < 5"),
    ("king", "0 : esteem[o] // 2", "0 : esteem[o] // 3"),
    ("king", "if: o != turned and", "if:"),
    ("auction", "opening: 1", "opening: 2"),
    ("auction", "raise: 1", "raise: 2"),
    ("auction", "sum(c.value for c in coins) >= price and", "sum(c.value for c in coins) > price and"),
    ("auction", "move: {random: 1, ", "move: {random: 2, "),
    ("rulings", "cap: gold_in_play[players]", "cap: 54"),
    ("hidden", "stake:    {seen_by: nobody,", "stake:    {seen_by: everybody,"),
    ("duties", 'breaks a tied duty, low: "', 'breaks a tied duty, high: "'),
    ("duties", "secondary[o] > 0 and", "secondary[o] > 1 and"),
    ("winner", 'high: "asked[o] ? cards_of[p, o] : 0"', 'low: "asked[o] ? cards_of[p, o] : 0"'),
    ("winner", "[diplomacy, entertainment, livestock, arch", "[diplomacy, livestock, entertainment, arch"),
]


@pytest.mark.parametrize(("topic", "old", "new"), MUTATIONS, ids=[f"{m[0]}-{i}" for i, m in enumerate(MUTATIONS)])
@pytest.mark.sample(4)
def test_a_changed_rule_fails_a_scenario(topic: str, old: str, new: str) -> None:
    assert TEXT.count(old) == 1
    changed = rulespec.loads(Source(str(GAME), TEXT.replace(old, new)))
    assert not run_scenario(FOLDER / f"{topic}.yaml", changed).passed


def test_a_wrong_expectation_is_found_at_its_line(spec: rulespec.Spec) -> None:
    text = (FOLDER / "duties.yaml").read_text(encoding="utf-8")
    wrong = text.replace("{player 1: 9, player 2: 6,", "{player 1: 9, player 2: 7,", 1)
    (found,) = run(wrong, spec).findings
    assert found.message == "Expected points 7 for player 2, but it is 6."
    line = wrong.split("\n")[found.start.line - 1]
    assert line[found.start.column - 1 : found.end.column - 1] == "7"
    assert found.rule == "end.duties.five_players"


# --- King Me! --------------------------------------------------------------------------------------------------------

KING_ME = SPECS / "kingme.yaml"
KING_ME_TEXT = KING_ME.read_text(encoding="utf-8")
KING_ME_MUTATIONS = [
    ("setup", "5: 2, 6: 2}\n  placements", "5: 1, 6: 2}\n  placements"),
    ("setup", "pick: {c: character, f: 1..4}", "pick: {c: character, f: 0..4}"),
    ("place", "if place[x] == f) < 4", "if place[x] == f) < 5"),
    ("place", "(place[c] ?? 0) + 1) < 4", "(place[c] ?? 0) + 1) < 5"),
    ("place", "set: {mover: left_of(mover)}", "set: {mover: right_of(mover)}"),
    ("election", "any(p in player if ballot[p].vote == reject)", "count(p in player if ballot[p].vote == reject) > 1"),
    ("election", 'from: "ballot[p]", to: discard', 'from: "ballot[p]", to: "hand[p]"'),
    ("election", '"max(rejections[players] - ', '"max(1 - '),
    ("setup", "      - {move: {every: c, from: rejects, to: box}}\n", ""),
    ("rounds", "left_of(crown_use == left_of_pusher ? crown ?? starter : starter)", "left_of(starter)"),
    ("rounds", "set: {crown: none}", "note: The crown stays."),
    ("rounds", "            from: starter\n", ""),
    ("score", "3: 3, 4: 4, 5: 5", "3: 2, 4: 4, 5: 5"),
    ("score", '{"earned[now, p]": "33"}', '{"earned[now, p]": "30"}'),
    ("winner", 'high: "earned[third, p]"', 'low: "earned[third, p]"'),
    ("winner", 'high: "on_board[p]"', 'low: "on_board[p]"'),
    ("winner", "if place[c] != none and backs", "if place[c] != 0 and backs"),
    ("hidden", "goal:       {per: player, seen_by: owner", "goal:       {per: player, seen_by: everybody"),
]


@pytest.mark.slow("all scenarios of the three games")
def test_every_rule_and_ruling_of_king_me_is_played(outcomes: list[Outcome]) -> None:
    king_me = rulespec.load(KING_ME)
    assert coverage(king_me, {r for o in outcomes if o.game == "kingme" for r in o.fired}) == []
    cases = list(_cases(SPECS / "scenarios" / "kingme"))
    played = {(ruling, str(answer)) for case in cases for ruling, answer in case.get("rulings", {}).items()}
    assert played >= {(r.id, answer) for r in king_me.model.rulings.values() for answer in r.options}
    assert {case["players"] for case in cases} == {3, 4, 5, 6}


@pytest.mark.parametrize(
    ("topic", "old", "new"), KING_ME_MUTATIONS, ids=[f"{m[0]}-{i}" for i, m in enumerate(KING_ME_MUTATIONS)]
)
@pytest.mark.sample(4)
def test_a_changed_rule_of_king_me_fails_a_scenario(topic: str, old: str, new: str) -> None:
    assert KING_ME_TEXT.count(old) == 1
    changed = rulespec.loads(Source(str(KING_ME), KING_ME_TEXT.replace(old, new)))
    assert not run_scenario(SPECS / "scenarios" / "kingme" / f"{topic}.yaml", changed).passed


# --- the format ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", samples("scenarios"), ids=lambda path: path.stem)
def test_bad_samples(path: Path, spec: rulespec.Spec) -> None:
    outcome = run_scenario(path, None if path.stem == "no_game" else spec)
    assert places(outcome.findings) == expectations(path)
    for found in outcome.findings:
        assert found.message.endswith(".") and len(found.message) < 250
        assert found.hint.endswith((".", "?"))


def test_every_kind_of_finding_has_a_bad_sample() -> None:
    shown = {name for path in samples("scenarios") for _, _, name in expectations(path)}
    assert shown >= names_in("scenarios")


HEAD = "scenario: 2\ngame: fortheking\ncases:\n"
BIDS = (
    "  - {id: a, title: b, players: 2, given: {at: esteem.auction, zones: {lot: [gold 1]}, rest: box},"
    " do: [player 1: %s], expect: {decides: player 2}}\n"
)


def test_an_illegal_choice_lists_what_is_legal(spec: rulespec.Spec) -> None:
    (found,) = run(HEAD + BIDS % "fold", spec).findings
    assert found.message == "Player 1 cannot choose `fold` here."
    assert found.hint.startswith("Player 1 may choose `bid 1`, `bid 2`,") and found.hint.endswith("more.")


def test_outcomes_list_every_case(spec: rulespec.Spec) -> None:
    other = (BIDS % "bid 0").replace("id: a", "id: c")
    outcome = run(HEAD + BIDS % "bid 1" + other, spec)
    assert [(case.id, case.passed) for case in outcome.cases] == [("a", True), ("c", False)]
    assert "esteem.bid" in outcome.fired and "esteem.pass" not in outcome.fired
    assert outcome.game == "fortheking" and not outcome.passed
    assert {"esteem.nobody", "end"} <= set(coverage(spec, outcome.fired))


def test_piles_are_listed_from_the_top(spec: rulespec.Spec) -> None:
    given = "{at: influence, zones: {deck: [gold 1, gold 2, gold 3]}, rest: box}"
    case = f'  - {{id: a, title: b, players: 2, given: {given}, expect: {{zones: {{"drawn[1]": [gold 1]}}}}}}\n'
    assert run(HEAD + case, spec).passed


def test_an_id_stands_once_among_all_files_of_a_game(tmp_path: Path, spec: rulespec.Spec) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.yaml").write_text(HEAD + BIDS % "bid 1", encoding="utf-8")
    first, second = run_all([tmp_path], spec)
    assert first.passed
    (found,) = second.findings
    assert (found.name, found.start.line, found.start.column) == ("scenario-same-id", 4, 10)


def test_the_spec_for_a_file_comes_first(tmp_path: Path) -> None:
    (tmp_path / "fortheking.yaml").write_text(TEXT.replace("opening: 1", "opening: 2"), encoding="utf-8")
    cases = tmp_path / "scenarios" / "fortheking" / "bids.yaml"
    cases.parent.mkdir(parents=True)
    cases.write_text(HEAD + BIDS % "bid 1", encoding="utf-8")
    assert sentences(run_scenario(cases)) == ["Player 1 cannot choose `bid 1` here."]


def test_a_spec_with_errors_is_one_finding(tmp_path: Path) -> None:
    (tmp_path / "fortheking.yaml").write_text("rulespec: 2\n", encoding="utf-8")
    (tmp_path / "bids.yaml").write_text(HEAD + BIDS % "bid 1", encoding="utf-8")
    (found,) = run_scenario(tmp_path / "bids.yaml").findings
    assert found.name == "scenario-no-game" and "has errors" in found.message


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"", "empty-file"),
        (b"\xff\xfe\x00", "other-encoding"),
        (b"scenario: [", "yaml-syntax"),
        (b"- 1\n", "wrong-kind"),
        (b"scenario: 3\ngame: fortheking\ncases: [{id: a, title: b, players: 2}]\n", "newer-format"),
        (HEAD.encode() + b"  - {id: a, title: b, players: 99999999999999999999}\n", "number-too-large"),
    ],
)
def test_hostile_files_are_findings(tmp_path: Path, content: bytes, name: str) -> None:
    path = tmp_path / "hostile.yaml"
    path.write_bytes(content)
    outcome = run_scenario(path)
    assert [found.name for found in outcome.findings] == [name] and outcome.cases == ()


def test_a_missing_file_and_a_folder_are_findings(tmp_path: Path) -> None:
    assert [f.name for f in run_scenario(tmp_path / "none.yaml").findings] == ["file-not-found"]
    assert [f.name for f in run_scenario(tmp_path).findings] == ["is-a-directory"]
    assert run_all([tmp_path]) == []


def test_the_schema_is_a_valid_schema_that_explains_every_key() -> None:
    from jsonschema import Draft202012Validator

    from rulespec.language.schema.validate import text

    schema = json.loads(text("scenario-2"))
    Draft202012Validator.check_schema(schema)
    for name, part in {"": schema, **schema["$defs"]}.items():
        for key, value in part.get("properties", {}).items():
            target = schema["$defs"].get(value.get("$ref", "").removeprefix("#/$defs/"), {})
            assert "title" in {**target, **value}, f"{name}: {key}"


# --- damaged files ---------------------------------------------------------------------------------------------------

SAMPLE: dict[str, Any] = {
    "scenario": 2,
    "game": "fortheking",
    "cases": [
        {
            "id": "a.b",
            "title": "t",
            "players": 3,
            "rulings": {"overbid": "forbidden"},
            "seed": 1,
            "given": {
                "at": "esteem.auction",
                "values": {"opener": "player 1", "esteem[military]": 6},
                "zones": {"hand[1]": ["gold 1 x2"], "lot": ["king plus"]},
                "rest": "box",
            },
            "do": [{"player 1": ["bid 2"]}, {"expect": {"decides": "player 2"}}],
            "expect": {
                "legal": {"includes": ["pass"]},
                "values": {"points[1]": 0},
                "zones": {"hand[1]": {"size": 2}},
                "known": {"player 2": {"hand[1]": []}},
                "fires": ["esteem.bid"],
                "winner": ["player 1"],
            },
        }
    ],
}
_JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 9),
    st.sampled_from(["player 2", "hand[1]", "hand[[", "esteem[]", "gold 2 x0", "end", "influence.keep", "king", ""]),
    st.lists(st.sampled_from(["gold 1", "pass", "player 1"]), max_size=2),
    st.dictionaries(st.sampled_from(["hand[1]", "player 1", "size", "expect"]), st.integers(0, 3), max_size=2),
)


def _paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(below for key, child in children for below in _paths(child, (*path, key)))]


@given(st.sampled_from([path for path in _paths(SAMPLE) if path]), _JUNK)
def test_damaged_files_never_raise(path: tuple[str | int, ...], junk: Any) -> None:
    data = json.loads(json.dumps(SAMPLE))
    below = data
    for step in path[:-1]:
        below = below[step]
    below[path[-1]] = junk
    outcome = run(json.dumps(data) + "\n", rulespec.load(GAME))
    assert all(isinstance(found, Finding) for found in outcome.findings)
