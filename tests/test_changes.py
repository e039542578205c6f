"""Changes between two versions of a spec: what is found, what it is called, and what it does to games."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import regex
import spec_mutations
from click.testing import CliRunner

import rulespec
from ftk_cli.main import main
from rulespec.base.source import Source
from rulespec.games.api import built as built_in_spec
from rulespec.games.rulebook import described
from rulespec.language.model.spec import Spec
from rulespec.text.languages.registry import LANGUAGES
from rulespec.versions.changes.change import Impact, bump
from rulespec.versions.changes.compare import Changes, compare
from rulespec.versions.changes.words import Words, phrases_of

pytestmark = pytest.mark.slow("compares versions of large games")

GAMES = ("fortheking", "kingme", "keyflower_king")
MUTANTS = 6
ORDER_OF_CARDS = {"manifest row", "reversed manifest row"}
"""Mutants that are compared; making one of the larger games takes ten times as long."""


def text_of(game: str) -> str:
    return Path(rulespec.find(game)).read_text(encoding="utf-8")


def built(text: str, name: str = "new.yaml") -> Spec:
    model, report = built_in_spec(Source(name, text))
    assert model is not None, report.findings
    return model


def changed(game: str, *edits: tuple[str, str]) -> Changes:
    old = new = text_of(game)
    for find, replace in edits:
        assert find in new, find
        new = new.replace(find, replace)
    return compare(built(old, "old.yaml"), built(new))


def kinds(changes: Changes) -> list[tuple[str, str]]:
    return sorted((one.kind, one.name) for one in changes.every)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_does_not_differ_from_itself(game: str) -> None:
    changes = changed(game)
    assert changes.every == () and changes.impact is Impact.NONE


@pytest.mark.soak
def test_every_change_of_play_is_found_in_both_directions() -> None:
    """A mutant plays otherwise for some number of players, so a change has at least the impact `play`.

    The order of the rows of the manifest only numbers the cards: every game of the one is a game of the other.
    """
    source = Source("fortheking.yaml", text_of("fortheking"))
    old = built(spec_mutations.Original(source).source.text, "old.yaml")
    kinds_of_play = {edit.kind for edit in spec_mutations.Original(source).edits()} - ORDER_OF_CARDS
    for mutant in spec_mutations.sample(source, MUTANTS, 14, frozenset(kinds_of_play)):
        new = built(mutant.text)
        forth, back = compare(old, new), compare(new, old)
        assert forth.impact >= Impact.PLAY, (mutant.description, kinds(forth))
        assert [one.impact for one in forth.every] and forth.impact == back.impact, mutant.description
        assert all(one.before != one.after for one in forth.every), mutant.description


def test_a_changed_number_of_a_table_is_one_change_in_the_words_of_its_rule() -> None:
    changes = changed("fortheking", ("2: 22, 3: 13", "2: 22, 3: 11"))
    (one,) = changes.every
    assert (one.kind, one.name, one.rules) == ("table-changed", "random_removal", ("setup.random_removal",))
    assert one.impact is Impact.BREAKING
    assert "22/13/8/0" in str(one.before.stated[0]) and "22/11/8/0" in str(one.after.stated[0])


TOKENS = {
    "start": (("vault: {start: 5", "vault: {start: 4"), "vault"),
    "amount": (("{tokens: 2, of: g", "{tokens: 1, of: g"), "take.two"),
    "short": (('to: "gold[p]", short: as_many', 'to: "gold[p]", short: error'), "reserve"),
}


@pytest.mark.parametrize("name", TOKENS)
def test_a_change_of_tokens_is_one_change_in_words(name: str) -> None:
    edit, what = TOKENS[name]
    (one,) = changed("gem_traders", edit).every
    assert one.name == what and one.before.stated != one.after.stated


def test_new_names_are_recognised() -> None:
    changes = changed("fortheking", ("provisions", "granary"), ("esteem.lose_card", "esteem.drop_card"))
    assert kinds(changes) == [("member-renamed", "office.granary"), ("rule-renamed", "esteem.drop_card")]
    assert changes.impact is Impact.DATA


@pytest.mark.parametrize(
    ("old", "new", "impact", "needed", "enough", "least"),
    [
        ("1.2.3", "1.2.3", Impact.NONE, "none", True, "1.2.3"),
        ("1.2.3", "1.2.3", Impact.DATA, "patch", False, "1.2.4"),
        ("1.2.3", "1.2.4", Impact.TEXT, "patch", True, "1.2.4"),
        ("1.2.3", "1.2.9", Impact.PLAY, "minor", False, "1.3.0"),
        ("1.2.3", "1.3.0", Impact.PLAY, "minor", True, "1.3.0"),
        ("1.2.3", "1.3.0", Impact.BREAKING, "major", False, "2.0.0"),
        ("1.2.3", "2.0.0", Impact.BREAKING, "major", True, "2.0.0"),
        ("0.2.3", "0.3.0", Impact.BREAKING, "minor", True, "0.3.0"),
        ("1.2.3", "1.1.9", Impact.TEXT, "patch", False, "1.2.4"),
        ("1.2.3", "1.2.2", Impact.NONE, "none", False, "1.2.3"),
    ],
)
def test_the_version_rises_as_the_impact_demands(
    old: str, new: str, impact: Impact, needed: str, enough: bool, least: str
) -> None:
    rise = bump(old, new, impact)
    assert (rise.needed, rise.enough, rise.least) == (needed, enough, least)


@pytest.fixture
def edited(tmp_path: Path) -> tuple[str, str]:
    """The paths of a spec and of a version of it with another table."""
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text(text_of("fortheking"), encoding="utf-8")
    new.write_text(text_of("fortheking").replace("2: 22, 3: 13", "2: 22, 3: 11"), encoding="utf-8")
    return str(old), str(new)


def test_a_version_that_has_not_risen_fails_the_check_unless_the_change_is_approved(
    edited: tuple[str, str], tmp_path: Path
) -> None:
    run = CliRunner().invoke(main, ["diff", *edited, "--check", "--format", "json"])
    assert run.exit_code == 1 and "2.0.0" in run.stderr
    (change,) = json.loads(run.stdout)["changes"]
    approvals = tmp_path / "approvals.yaml"
    for until, status in (("2999-01-01", 0), ("2001-01-01", 1)):
        entry = f"- {{fingerprint: {change['fingerprint']}, reason: a misprint, until: {until}}}\n"
        approvals.write_text(entry, encoding="utf-8")
        assert CliRunner().invoke(main, ["diff", *edited, "--check", "--approvals", str(approvals)]).exit_code == status


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{}", "must be a list"),
        ("- {fingerprint: a, reason: b}", "approval 1 must have exactly"),
        ("- {fingerprint: a, reason: ' ', until: 2027-01-01}", "approval 1 has no reason"),
        ("- {fingerprint: a, reason: b, until: soon}", "`until` must be a day"),
        ("- [", "no list of approvals"),
        ("- {fingerprint: a, reason: b, reason: c, until: 2027-01-01}", "approvals.yaml:1:31: The key"),
        ("- " + "[" * 5000, "nested more than"),
        ("- {fingerprint: a, reason: b, until: [2027-01-01]}", "approvals.yaml:1:3: approval 1 must have exactly"),
    ],
)
def test_a_bad_list_of_approvals_is_refused(edited: tuple[str, str], tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "approvals.yaml"
    path.write_text(text, encoding="utf-8")
    run = CliRunner().invoke(main, ["diff", *edited, "--check", "--approvals", str(path)])
    assert run.exit_code == 3 and says in run.stderr


@pytest.mark.parametrize("format_", ["text", "markdown", "github", "json"])
def test_every_format_names_the_rule_and_both_numbers(edited: tuple[str, str], format_: str) -> None:
    run = CliRunner().invoke(main, ["diff", *edited, "--format", format_])
    assert run.exit_code == 0 and "11 (with 3)" in run.stdout
    assert format_ == "github" or "13 (with 3)" in run.stdout


def test_a_spec_in_the_middle_of_a_change_can_be_compared_and_a_broken_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text("rulespec: 2\ngame: {id: x}\n", encoding="utf-8")
    run = CliRunner().invoke(main, ["diff", "fortheking", str(path)])
    assert run.exit_code == 3 and "broken.yaml:" in run.stderr and "Traceback" not in run.output


def test_different_games_can_be_compared() -> None:
    run = CliRunner().invoke(main, ["diff", "kingme", "fortheking"])
    assert run.exit_code == 0 and "these are different games" in run.stderr
    assert "office: new enum" in run.stdout


@pytest.mark.parametrize("lang", [tag for tag, language in LANGUAGES.items() if language.level == 3])
def test_every_language_has_words_of_its_own_for_changes(lang: str) -> None:
    phrases = phrases_of(lang)
    said = [*phrases.kinds.values(), *phrases.impacts.values(), *phrases.phrases.values(), *phrases.errata.values()]
    texts = [re.sub(r"\{\w+\}", "", text) for text in said]
    letters = regex.compile(r"\p{" + (LANGUAGES[lang].script or "Latin") + "}")
    assert phrases.lang == lang
    assert all(letters.search(text) for text in texts if regex.search(r"\p{L}", text))
    assert sum(not letters.search(text) for text in texts) == 2  # the separator and the line of a change


@pytest.mark.parametrize("lang", ["uk", "zh-Hant"])
def test_a_language_says_cards_zones_and_members_in_its_own_words(lang: str) -> None:
    edits = [
        ("value: 1..3, copies: 9,", "value: 1..3, copies: 10,"),
        ("    answer: allowed\n    or: [forbidden]", "    answer: forbidden\n    or: [allowed]"),
    ]
    changes = changed("fortheking", *edits)
    here = rulespec.find("fortheking")
    words = Words(*(described(spec, lang, here) for spec in (changes.old, changes.new)))
    assert {"cards-changed", "answer-changed"} <= {one.kind for one in changes.every}
    for one in changes.every:
        said = " ".join((words.title(one), words.kind(one), *words.before(one), *words.after(one)))
        assert not re.search(r"[a-z]{3}", re.sub(r"`[^`]*`|overbid", "", said)), said
        assert words.before(one) != words.after(one)
