"""`ftk rename`: the name changes wherever it stands, and nothing else does."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import ftk
from high_card import SPEC

import rulespec
from rulespec.base.failure import Refusal
from rulespec.base.source import Source, read
from rulespec.editing.renaming.plan import plan, refuse_other_changes, renamed_spec
from rulespec.editing.renaming.targets import Target, targets
from rulespec.games.api import built
from rulespec.language.document import parse
from rulespec.versions.changes.compare import compare

pytestmark = pytest.mark.slow("renames in large games")

SPECS = Path(__file__).parent.parent / "specs"
STRIDES = {"kingme": 1, "fortheking": 4, "keyflower_king": 25}
"""The slow tests rename each name of the first game and some of the others, where a rename takes up to 20 seconds."""
FEW = 2
"""Names of each kind that the fast tests rename in the first game."""


def source_of(game: str) -> Source:
    source, _ = read(str(SPECS / f"{game}.yaml"))
    assert source is not None
    return source


def names_of(game: str) -> list[Target]:
    root, _ = parse(source_of(game))
    assert root is not None
    return list(targets(root))


def new_name(target: Target) -> str:
    return f"{target.name}_zz" if target.kind == "rule" else f"zz{target.name.lower()}"


def sampled(game: str) -> Iterator[Target]:
    seen: dict[str, int] = {}
    for target in random.Random(14).sample(every := names_of(game), len(every)):
        seen[target.kind] = seen.get(target.kind, 0) + 1
        if seen[target.kind] <= FEW:
            yield target


def assert_renamed(game: str, target: Target) -> None:
    """The game is the same but for the name: no change but renames, the same moves, and the same layout."""
    source = source_of(game)
    after = renamed_spec(source, target, new_name(target))
    (old, _), (new, report) = built(source), built(after)
    assert old is not None and new is not None and report.ok, (target.full, report.errors[:1])
    refuse_other_changes(compare(old, new), target)
    assert len(after.text.splitlines()) == len(source.text.splitlines())
    root, _ = parse(after)
    assert root is not None and target.full not in {one.full for one in targets(root) if one.kind == target.kind}
    assert played(source) == played(after), target.full


def played(source: Source) -> list[object]:
    """The moves of a random game by their numbers, and its end."""
    state, chance = rulespec.loads(source).game().new_initial_state(seed=3), random.Random(3)
    found: list[object] = []
    for _ in range(40):
        if state.is_terminal():
            break
        moves = {seat: chance.choice(state.legal_actions(seat)) for seat in state.deciders()}
        found.append(moves)
        state.apply_actions(moves)
    return found


SAMPLE = list(sampled("kingme"))


@pytest.mark.parametrize("target", [pytest.param(t, id=f"{t.kind} {t.full}") for t in SAMPLE])
@pytest.mark.sample(6)
def test_a_renamed_game_is_the_same_game(target: Target) -> None:
    assert_renamed("kingme", target)


def test_a_field_with_the_name_of_its_enum_can_be_renamed() -> None:
    """`suit: suit` in the manifest: each of all suits."""
    (field,) = (one for one in names_of("gallery/five_card_draw") if (one.kind, one.name) == ("field", "suit"))
    assert_renamed("gallery/five_card_draw", field)


@pytest.mark.parametrize("name", ["bank", "purse", "gold", "gem"])
def test_places_and_kinds_of_tokens_can_be_renamed(name: str) -> None:
    (target,) = (one for one in names_of("gallery/gem_traders") if one.full == name)
    assert_renamed("gallery/gem_traders", target)


@pytest.mark.parametrize("name", ["card_name", "card_name.guard", "mood.wild", "price"])
def test_an_enum_whose_members_have_attributes_can_be_renamed(name: str) -> None:
    court = "../tests/indices/court"
    (target,) = (one for one in names_of(court) if one.full == name)
    assert_renamed(court, target)


REST = [(g, t) for g, stride in STRIDES.items() for t in names_of(g)[::stride] if g != "kingme" or t not in SAMPLE]


@pytest.mark.parametrize(("game", "target"), [pytest.param(g, t, id=f"{g} {t.kind} {t.full}") for g, t in REST])
@pytest.mark.sample(2)
def test_other_names_can_be_renamed(game: str, target: Target) -> None:
    assert_renamed(game, target)


@pytest.fixture
def project(here: Path) -> Path:
    """A project with the second game, two of its texts, its glossary and its scenarios; it is the current directory."""
    others = shutil.ignore_patterns("de.yaml", "pl.yaml", "uk.yaml")
    for part in ("translations", "scenarios", "variants", "versions"):
        shutil.copytree(SPECS / part / "kingme", here / "specs" / part / "kingme", ignore=others)
    (here / "specs" / "glossaries").mkdir()
    for name in ("kingme.yaml", "glossaries/kingme.yaml"):
        shutil.copy(SPECS / name, here / "specs" / name)
    return here


@pytest.mark.parametrize("old", ["vote.approve", "round.goals", "placements", "ballot", "place", "vote"])
@pytest.mark.sample(1)
def test_a_rename_leaves_the_whole_project_sound_and_its_texts_confirmed(project: Path, old: str) -> None:
    kind = {"vote": "enum", "place": "value"}.get(old, "")
    made = plan("specs/kingme.yaml", old, "zz_name", kind)
    for one in made.files:
        Path(one.path).parent.mkdir(exist_ok=True)
        Path(one.path).write_text(one.after, encoding="utf-8")
    run = ftk("check")
    assert run.exit_code == 0 and not re.search(" (error|warning|info) ", run.output), run.output


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "game.yaml"
    path.write_text(SPEC.replace("hand: {per", "hand: {  per") + "# the hand stays in this comment\n", encoding="utf-8")
    return path


def test_a_rename_is_shown_and_written_only_on_demand(game: Path) -> None:
    before = game.read_text(encoding="utf-8")
    run = ftk("rename", "hand", "cards_held", "game.yaml")
    assert run.exit_code == 0 and game.read_text(encoding="utf-8") == before
    assert "--- a/game.yaml" in run.stdout and "+" in run.stdout and "--write" in run.stderr
    run = ftk("rename", "hand", "cards_held", "game.yaml", "--write", "--format", "json")
    assert run.exit_code == 0 and json.loads(run.stdout)["written"] is True
    after = game.read_text(encoding="utf-8")
    assert "cards_held: {  per" in after and "# the hand stays" in after and "hand[" not in after
    assert ftk("diff", "game.yaml", "game.yaml").exit_code == 0 and ftk("check", "game.yaml").exit_code == 0


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("hand", "deck", "already a zone"),
        ("hand", "players", "a word of the language"),
        ("hand", "no name", "is no name of a zone"),
        ("hand", "hand", "is already called"),
        ("hnad", "cards_held", "Did you mean `hand`?"),
        ("deal", "swap", "that is already a rule"),
        ("tied.all", "tied.first", "that is already an answer"),
        ("nothing", "anything", "There is no name `nothing`"),
    ],
)
def test_a_rename_that_cannot_be_made_is_refused(game: Path, old: str, new: str, says: str) -> None:
    before = game.read_bytes()
    run = ftk("rename", old, new, "game.yaml", "--write")
    assert run.exit_code == 3 and says in run.stderr, run.stderr
    assert game.read_bytes() == before and os.listdir() == ["game.yaml"]


def test_a_name_with_two_meanings_needs_its_kind() -> None:
    with pytest.raises(Refusal, match="several things: an enum `vote`, a field `vote`"):
        plan(str(SPECS / "kingme.yaml"), "vote", "ballot_card")


def test_files_with_errors_are_refused(game: Path) -> None:
    game.write_text(SPEC.replace("from: deck", "from: dekc"), encoding="utf-8")
    run = ftk("rename", "hand", "cards_held", "game.yaml")
    assert run.exit_code == 3 and "ftk check" in run.stderr
    assert ftk("rename", "hand", "cards_held", "nowhere.yaml").exit_code == 3
    game.write_text("", encoding="utf-8")
    assert "game.yaml:1:1: The file is empty." in ftk("rename", "hand", "cards_held", "game.yaml").stderr
    assert ftk("rename", "hand", "cards_held", "-").exit_code in (2, 3)


def test_a_variant_follows_its_game(game: Path) -> None:
    Path("specs/variants/high_card").mkdir(parents=True)
    game.rename("specs/high_card.yaml")
    overlay = Path("specs/variants/high_card/few.yaml")
    change = "change: {zones: {hand: {title: cards in hand}}}"
    overlay.write_text(
        f"overlay: 2\nid: few\nextends: high_card\nversion: 1.0.0\ntitle: Few\n{change}  # hand\n", encoding="utf-8"
    )
    assert ftk("check", "specs/high_card.yaml", overlay).exit_code == 0
    assert ftk("rename", "hand", "cards_held", "high_card", "--write").exit_code == 0
    assert "{zones: {cards_held: {title: cards in hand}}}  # hand" in overlay.read_text(encoding="utf-8")
    assert ftk("check", "specs/high_card.yaml", overlay).exit_code == 0


def test_all_files_are_written_or_none(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = Path("scenarios") / "high_card" / "cases.yaml"
    cases.parent.mkdir(parents=True)
    case = '{id: a, title: Deal, players: 2, expect: {zones: {"hand[1]": {size: 1}}}}'
    cases.write_text(f"scenario: 2\ngame: high_card\ncases: [{case}]\n", encoding="utf-8")
    game.rename("high_card.yaml")
    before = [Path(name).read_bytes() for name in ("high_card.yaml", cases)]
    real = os.replace

    def failing(source: str, target: str) -> None:
        if "cases" in str(target):
            raise OSError(28, "No space left on device")
        real(source, target)

    monkeypatch.setattr("os.replace", failing)
    run = ftk("rename", "hand", "cards_held", "high_card.yaml", "--write")
    assert run.exit_code == 3 and "No file was changed" in run.stderr
    assert [Path(name).read_bytes() for name in ("high_card.yaml", cases)] == before
    assert not [path for path in Path().rglob(".*")]
    monkeypatch.setattr("os.replace", real)
    assert ftk("rename", "hand", "cards_held", "high_card.yaml", "--write").exit_code == 0
    assert "cards_held[1]" in cases.read_text(encoding="utf-8") and ftk("check", "high_card.yaml", cases).exit_code == 0
