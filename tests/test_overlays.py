"""Overlays: variants of a game as what differs from it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import yaml
from command import ftk
from samples import BAD, expectations, places, samples

import rulespec
from ftk_cli.lsp import session
from rulespec.base.findings import names_in
from rulespec.base.source import Source, read
from rulespec.games.api import built, model_of
from rulespec.games.confirmed import version_path, versions_of
from rulespec.games.rulebook import texts_of
from rulespec.language.document import parse
from rulespec.language.document.nodes import Mapping, Node, Scalar, Sequence, plain
from rulespec.language.document.unparse import unparse
from rulespec.language.overlay.file import read_overlay
from rulespec.language.overlay.stack import stacked, with_variant

pytestmark = pytest.mark.slow("checks a game with its texts for each overlay")

ROOT = Path(__file__).parent.parent
STALL = BAD / "text" / "stall"
VARIANTS = "variants/stall"


@pytest.fixture
def stall(here: Path) -> Path:
    """A project with the stall, its overlays, and an older version that dealt three cards each."""
    folder = here / "specs"
    shutil.copytree(STALL, folder)
    text = (folder / "stall.yaml").read_text(encoding="utf-8").replace("version: 1.0.0", "version: 0.9.0")
    old = text.replace("4: 0}", "4: 2}").replace("move: {top: 4, from: deck", "move: {top: 3, from: deck")
    (folder / "versions" / "stall").mkdir(parents=True)
    (folder / "versions" / "stall" / "old.spec").write_text(old, encoding="utf-8")
    return folder


def put(stall: Path, content: str, id_: str = "mine", head: str = "extends: stall") -> Path:
    """An overlay of the stall with this content."""
    path = stall / VARIANTS / f"{id_}.yaml"
    path.write_text(f"overlay: 2\nid: {id_}\n{head}\nversion: 1.0.0\ntitle: Mine\n{content}", encoding="utf-8")
    return path


def model(stall: Path, variant: str = "mine") -> rulespec.Spec:
    return rulespec.load(stall / "stall.yaml", variant=variant)


# --- findings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", samples("overlays"), ids=lambda path: path.stem)
def test_bad_samples(path: Path, stall: Path) -> None:
    target = stall / VARIANTS / path.name
    shutil.copy(path, target)
    report = rulespec.check(target)
    assert places(found for found in report.findings if found.path == str(target)) == expectations(path)
    for found in report.findings:
        assert found.message.endswith(".") and len(found.message) < 250
        assert found.hint.endswith((".", "?", "")) and found.start < found.end


def test_every_kind_of_finding_has_a_bad_sample() -> None:
    shown = {name for path in samples("overlays") for _, _, name in expectations(path)}
    # A cycle is found in the other overlay; a file with another id only where it is named on the command line.
    assert shown | {"overlay-cycle", "overlay-other-id"} >= names_in("overlays")


def test_a_cycle_is_found_with_both_places(stall: Path) -> None:
    target = stall / VARIANTS / "cycle.yaml"
    shutil.copy(BAD / "overlays" / "cycle.yaml", target)
    (found,) = rulespec.check(target).findings
    assert (found.name, found.path) == ("overlay-cycle", f"specs/{VARIANTS}/ring.yaml")
    assert f"at {target}:3" in found.message


def test_a_conflict_names_the_place_in_the_game(stall: Path) -> None:
    (found,) = rulespec.check(put(stall, "add: {tables: {removed: {by: players, 2: 1}}}\n")).findings
    line = next(i for i, text in enumerate((stall / "stall.yaml").read_text().split("\n"), 1) if "removed:" in text)
    assert found.message == f"The game already has `removed`, at specs/stall.yaml:{line}."


def test_a_finding_in_the_game_names_the_variant(stall: Path) -> None:
    (found,) = rulespec.check(put(stall, "remove: {rules: [sale.pass]}\n")).errors
    assert (found.path, found.start.line) == (str(stall / VARIANTS / "mine.yaml"), 6) and found.name == "open-question"
    assert [one.path for one in found.related] == ["specs/stall.yaml"]
    assert found.message.startswith("In the variant `mine`: This auction does not say")


@pytest.mark.parametrize(
    ("head", "more"),
    [
        ("2", ""),
        ("3..5", "change: {tables: {removed: {5: 1}, b: {bread: {5: 1}, cheese: {5: 1}, fish: {5: 1}}}}"),
        ("4", "remove: {tables: [b]}"),
    ],
)
def test_a_variant_for_other_players_says_what_takes_the_rest_of_a_table_out(stall: Path, head: str, more: str) -> None:
    table = "".join(f", {ware}: {{2: 1, 3: 1, 4: 1}}" for ware in ("bread", "cheese", "fish"))
    spec = stall / "stall.yaml"
    text = spec.read_text().replace("zones:\n", f"  b: {{by: [ware, players]{table}}}\nzones:\n", 1)
    rule = "play:\n  - {id: busy, title: Busy, if: players > 3, then: {note: It is crowded.}}\n"
    spec.write_text(text.replace("play:\n", rule, 1))
    content = {"change": {"game": {"players": head}}}
    for verb, edits in (yaml.safe_load(more) or {}).items():
        content[verb] = content.get(verb, {}) | edits
    path = put(stall, yaml.safe_dump(content))
    for one in [*rulespec.check(path).errors]:
        assert (one.name, one.path) == ("out-of-range", str(path))
        for table, patch in yaml.safe_load(one.hint.split("`")[3])["tables"].items():
            edit = content["change"].setdefault("tables", {}).setdefault(table, {})
            for key, below in patch.items():
                edit[key] = edit.get(key, {}) | below if below else below
    left = [one for one in rulespec.check(put(stall, yaml.safe_dump(content))).findings if one.path == str(path)]
    assert {one.name for one in left} <= {"never-used"}  # of the table `b`, which no rule reads


def test_the_findings_of_the_game_alone_are_left_out(stall: Path) -> None:
    spec = stall / "stall.yaml"
    spec.write_text(spec.read_text().replace("zones:\n", "zones:\n  attic: {seen_by: nobody}\n"))
    assert [found.name for found in rulespec.check(spec).findings] == ["never-used"]
    assert not rulespec.check(put(stall, "change: {rules: {sale.next: {title: Another}}}\n")).findings


def test_an_error_in_the_game_is_one_finding(stall: Path) -> None:
    spec = stall / "stall.yaml"
    spec.write_text(spec.read_text().replace("shuffle: deck", "shuffle: dekc"))
    (found,) = rulespec.check(put(stall, "remove: {rules: [sale.next]}\n")).findings
    assert found.name == "overlay-no-base"
    data = json.loads(ftk("check", "specs/stall.yaml", f"specs/{VARIANTS}/mine.yaml", "--format", "json").output)
    assert [one["name"] for one in data["findings"]] == ["unknown-name"]
    assert data["summary"]["not_checked"] == [{"spec": "specs/stall.yaml", "files": [f"specs/{VARIANTS}/mine.yaml"]}]


def test_two_overlays_that_write_one_key_clash(stall: Path) -> None:
    put(stall, "change: {tables: {removed: {2: 7}}}\n", "less")
    put(stall, "change: {tables: {removed: {2: 5, 3: 4}}}\n", "more")
    source, _ = read("specs/stall.yaml")
    assert source is not None
    joined, (found,) = with_variant(source, "less+more")
    assert joined is None and found.name == "overlay-clash"
    assert (found.path, found.start.line) == (f"specs/{VARIANTS}/more.yaml", 6)
    assert f"`more` and `less` both edit `removed`; the other does at specs/{VARIANTS}/less.yaml:6." == found.message


def test_overlays_that_write_other_keys_of_one_thing_are_stacked(stall: Path) -> None:
    put(stall, "change: {tables: {removed: {2: 7}}}\n", "less")
    put(stall, "change: {tables: {removed: {3: 4}}}\n", "more")
    table = model(stall, "less+more").model.tables["removed"]
    assert ([*table.rows.values()], model(stall, "less+more").model.title) == ([7, 4, 0], "Market Stall: Mine, Mine")


def test_an_overlay_may_change_what_the_one_below_has_changed(stall: Path) -> None:
    fair = rulespec.load(stall / VARIANTS / "fair.yaml")
    assert fair.model.variant == "dear+fair"
    assert rulespec.load(stall / "stall.yaml", variant="fair").model.digest == fair.model.digest


# --- merging ---------------------------------------------------------------------------------------------------------


def test_a_change_merges_and_null_removes(stall: Path) -> None:
    put(stall, "change:\n  rules:\n    sale.next: {set: null, note: The seller stays.}\n")
    seller = model(stall).model
    assert seller.rules["sale.next"].note == "The seller stays."
    assert not [step for step in seller.steps() if type(step).__name__ == "Set" and step.rule == "sale.next"]


def test_steps_are_inserted_before_and_after(stall: Path) -> None:
    put(
        stall,
        """add:
  rules:
    - {before: sale.show, insert: {id: sale.call, title: Call, note: The seller calls.}}
    - after: sale.show
      insert:
        - {id: sale.look, title: Look, note: All look.}
        - {id: sale.think, title: Think, note: All think.}
""",
    )
    rules = [rule for rule in model(stall).model.rules if rule.startswith("sale.")]
    assert rules[:4] == ["sale.call", "sale.show", "sale.look", "sale.think"]


def test_a_step_that_stands_alone_becomes_a_list(stall: Path) -> None:
    shown = "{id: sale.twice, title: Show, move: {top: 1, from: deck, to: offer}}"
    put(stall, f"change: {{rules: {{sale.show: {{move: null, do: {shown}}}}}}}\n", "alone")
    more = "{id: sale.more, title: More, note: And more.}"
    put(stall, f"add: {{rules: [{{after: sale.twice, insert: {more}}}]}}\n", "more", "extends: stall+alone")
    assert {"sale.show", "sale.twice", "sale.more"} <= model(stall, "more").model.rules.keys()


def test_a_removed_rule_takes_its_facts_and_leaves_a_note(stall: Path) -> None:
    put(stall, "remove: {rules: [setup.prices, sale.show, sale.auction, sale.next]}\n")
    assert "setup.prices" not in model_of(joined(stall))[1].findings
    source = joined(stall)
    data = plain(parse(source)[0] or pytest.fail())
    assert not {"setup.prices", "sale.bid", "sale.next"} & data["states"].keys()
    assert data["play"][0]["repeat"]["do"] == [{"note": "sale.show"}]


def joined(stall: Path, variant: str = "mine") -> Source:
    base, _ = read(str(stall / "stall.yaml"))
    assert base is not None
    source, found = with_variant(base, variant)
    assert source is not None, found
    return source


def test_rows_of_the_manifest_are_known_by_their_fields(stall: Path) -> None:
    row = "{ware: [bread, cheese, fish], value: 3, letter: G..H"
    put(
        stall,
        f"""change:
  manifest: [{row}, copies: 2}}]
add:
  manifest: [{{ware: fish, value: 1, letter: H}}]
remove:
  manifest: [{{ware: [bread, cheese, fish], value: 2, letter: E..F}}]
""",
    )
    rows = plain(parse(joined(stall))[0] or pytest.fail())["cards"]["manifest"]
    assert [(row["value"], row.get("copies", 1)) for row in rows] == [(1, 1), (3, 2), (1, 1)]
    assert len(model(stall).model.deck.cards) == 12 + 12 + 1


def test_sections_that_the_game_lacks_are_added(stall: Path) -> None:
    put(
        stall,
        """add:
  procedures: {rest: {id: rest, title: Rest, do: {note: All rest.}}}
  invariants: [{id: deck.empty, holds: size(deck) == 0, at: end}]
  rules: [{after: sale.next, insert: {run: rest}}]
""",
    )
    variant = model(stall).model
    assert [one.id for one in variant.invariants] == ["deck.empty"] and "rest" in variant.procedures


def test_players_and_title_may_be_changed(stall: Path) -> None:
    put(stall, "change: {game: {players: 2..3, title: Small Stall, version: 1.1.0}, tables: {removed: {4: null}}}\n")
    variant = model(stall).model
    assert (variant.title, variant.version, list(variant.players)) == ("Small Stall", "1.1.0", [2, 3])


def test_an_empty_edit_gives_the_same_game(stall: Path) -> None:
    """Merging alone changes nothing: a variant that only has another title plays the same games."""
    put(stall, "change: {game: {title: Another name}}\n")
    one, other = (spec.game(players=3).new_initial_state(seed=4) for spec in (model(stall, ""), model(stall)))
    while not one.is_terminal():
        action = one.legal_actions(one.deciders()[0])[0]
        assert one.deciders() == other.deciders() and action in other.legal_actions(other.deciders()[0])
        for state in (one, other):
            state.apply_actions({state.deciders()[0]: action})
    assert one.scores() == other.scores()


# --- places ----------------------------------------------------------------------------------------------------------


def nodes(node: Node) -> list[Node]:
    below = node.items if isinstance(node, Sequence) else ()
    if isinstance(node, Mapping):
        below = tuple(part for entry in node.entries for part in entry)
    return [node, *(inner for part in below for inner in nodes(part))]


@pytest.mark.parametrize("path", sorted(ROOT.glob("specs/*.yaml")), ids=lambda path: path.stem)
def test_a_written_document_has_the_places_of_its_file(path: Path) -> None:
    source, _ = read(path)
    assert source is not None
    root, _ = parse(source)
    assert root is not None
    again = unparse(root, (source,))
    copy, found = parse(again)
    assert copy is not None and not found and plain(copy) == plain(root)
    for old, new in zip(nodes(root), nodes(copy), strict=True):
        assert source.located(old.span) == again.located(new.span)
        if isinstance(old, Scalar) and isinstance(new, Scalar) and old.text and not old.style:
            middle = len(old.text) // 2
            assert source.located(old.value_span(middle, middle + 1)) == again.located(
                new.value_span(middle, middle + 1)
            )


STYLES = (
    "a: |\n  one\n\n    two\n",
    "a: >-\n    one\n    two\n",
    "a: 'one\n\n  two'\n",
    "a: one\n  two # x\n",
    'a: "x\\\n  y"\n',
    "a: |2\n    one\n",
    "a: |+\n  one\n\n",
    "a:\n- - b\n  - {c: , d: [], e: {}}\n",
    "? a\n: b\n",
    '{a: "b,c", d: [1, 2]}\n',
)


@pytest.mark.parametrize("written", STYLES)
def test_every_style_is_written_with_its_value(written: str) -> None:
    source = Source("a.yaml", written)
    root, found = parse(source)
    assert root is not None and not found
    again = unparse(root, (source,))
    assert plain(parse(again)[0] or pytest.fail()) == plain(root)


def test_a_finding_points_into_the_line_of_the_overlay(stall: Path) -> None:
    target = put(stall, 'change:\n  values:\n    points: {is: "sum(c.valeu for c in hand[p])"}\n')
    (found,) = rulespec.check(target).findings
    assert (found.path, found.start.line, found.start.column) == (str(target), 8, 25)
    text = target.read_text().split("\n")[7]
    assert text[found.start.column - 1 : found.end.column - 1] == "valeu"


# --- commands --------------------------------------------------------------------------------------------------------


def test_an_unknown_variant_is_a_usage_error_with_the_nearest(stall: Path) -> None:
    result = ftk("rulings", "stall", "--variant", "deer")
    assert result.exit_code == 2 and "`stall` has no variant `deer`. Did you mean `dear`?" in result.stderr
    with pytest.raises(rulespec.VariantError):
        rulespec.load("stall", variant="deer")
    with pytest.raises(ValueError, match="is no id"):
        rulespec.load("stall", variant="../stall")


def test_an_overlay_under_another_name_is_found(stall: Path) -> None:
    put(stall, "remove: {rules: [sale.next]}\n").rename(stall / VARIANTS / "yours.yaml")
    result = ftk("cards", "stall", "--variant", "yours")
    assert result.exit_code == 1 and "RS830" in result.stderr


def test_an_overlay_is_a_spec_to_every_command(stall: Path) -> None:
    by_path, by_id = ftk("rulings", f"specs/{VARIANTS}/dear.yaml"), ftk("rulings", "stall", "--variant", "dear")
    assert by_path.exit_code == by_id.exit_code == 0 and by_path.output == by_id.output


def test_a_log_names_its_variant_and_is_replayed_in_it(stall: Path) -> None:
    played = ftk("play", "stall", "--variant", "dear", "--people", "none", "--seed", "3", "--log", "game.jsonl")
    assert played.exit_code == 0
    head = json.loads(Path("game.jsonl").read_text().partition("\n")[0])
    assert (head["game"], head["variant"]) == ("stall", "dear")
    assert "every line agrees with Market Stall: Dear wares 1.0.0" in ftk("replay", "game.jsonl").output
    assert rulespec.check("game.jsonl").ok
    (stall / VARIANTS / "dear.yaml").rename(stall / VARIANTS / "costly.yaml")
    gone = ftk("replay", "game.jsonl")
    assert gone.exit_code == 3 and "The log is of a variant that is not there" in gone.stderr
    assert [found.name for found in rulespec.check("game.jsonl").findings] == ["saved-game-no-game"]


def test_check_takes_a_variant_and_the_default_is_all_overlays(stall: Path) -> None:
    put(stall, "change: {tables: {removed: {5: 60}}}\n")
    result = ftk("check", "stall", "--variant", "mine", "-q")
    assert result.exit_code == 1 and f"specs/{VARIANTS}/mine.yaml" in result.output
    assert f"specs/{VARIANTS}/mine.yaml" in ftk("check", "-q").output
    assert ftk("check", "stall", "--variant", "dear").exit_code == 0


def test_a_saved_state_belongs_to_its_variant(stall: Path) -> None:
    state = model(stall, "dear").game(players=2).new_initial_state(seed=1)
    with pytest.raises(rulespec.StateError, match="belongs to another game"):
        model(stall, "").game(players=2).state_from_json(state.to_json())


def test_stacked_is_the_overlay_with_its_game(stall: Path) -> None:
    source, _ = read(stall / VARIANTS / "fair.yaml")
    assert source is not None
    overlay, _ = read_overlay(source)
    assert overlay is not None and overlay.below == ("dear",)
    source, found = stacked(source)
    assert source is not None and not found
    assert [Path(file.path).name for file in source.files] == ["stall.yaml", "dear.yaml", "fair.yaml"]


# --- differences -----------------------------------------------------------------------------------------------------


def test_the_difference_of_a_variant_is_the_list_of_its_edits(stall: Path) -> None:
    put(
        stall,
        """change:
  tables:
    removed: {2: 7}
  rules:
    sale.auction: {auction: {raise: 2}}
  rulings:
    wares_tie: {answer: value, or: [number]}
""",
    )
    result = ftk("diff", "stall", "--variant", "mine", "--format", "json")
    data = json.loads(result.output)
    places = {one["kind"]: one["new"] and (one["new"].get("path", ""), one["new"]["line"]) for one in data["changes"]}
    mine = f"specs/{VARIANTS}/mine.yaml"
    assert places == {"table-changed": (mine, 8), "statement-changed": (mine, 10), "answer-changed": (mine, 12)}
    assert (data["new"]["variant"], "variant" in data["old"]) == ("mine", False)
    assert ftk("diff", "stall", mine, "--format", "json").output == result.output
    assert "the version must" not in ftk("diff", "stall", "--variant", "mine").output


@pytest.mark.parametrize("lang", ["en", "uk", "zh-Hant"])
def test_a_variant_that_changes_nothing_has_no_difference(stall: Path, lang: str) -> None:
    """Merging keeps everything that `ftk diff` compares, down to the layout of what it quotes."""
    put(stall, "change: {game: {title: Another name}}\n")
    assert (
        json.loads(ftk("diff", "stall", "--variant", "mine", "--lang", lang, "--format", "json").output)["changes"]
        == []
    )


@pytest.mark.parametrize("game", ["fortheking", "kingme", "keyflower_king"])
@pytest.mark.sample(1)
def test_a_merged_game_is_the_game(game: str, tmp_path: Path) -> None:
    from rulespec.versions.changes.compare import compare

    source, _ = read(ROOT / "specs" / f"{game}.yaml")
    assert source is not None
    root, _ = parse(source)
    assert root is not None
    one, other = (built(text)[0] for text in (source, unparse(root, (source,), kept=[root])))
    assert one is not None and other is not None and compare(one, other).every == ()


def test_a_diff_without_a_new_spec_needs_a_variant(stall: Path) -> None:
    assert ftk("diff", "stall").exit_code == 2


# --- texts and scenarios ---------------------------------------------------------------------------------------------


def translation(stall: Path, lang: str, rules: str, variant: str = "dear") -> Path:
    path = stall / "translations" / "stall" / variant / f"{lang}.yaml"
    path.parent.mkdir(exist_ok=True)
    head = f"translation: 3\ngame: stall\nvariant: {variant}\nlang: {lang}\ntitle: Dear wares\nrules:\n"
    path.write_text(head + rules, encoding="utf-8")
    return path


def contradicted(result: rulespec.Report) -> list[tuple[str, str]]:
    return [(Path(found.path).name, found.rule) for found in result.errors]


def test_sentences_of_the_game_that_do_not_hold_in_a_variant(stall: Path) -> None:
    """The opening bid is another one: one sentence in every language, and nothing else."""
    found = rulespec.check_variant_texts(model(stall, "dear"))
    languages = sorted(path.name for path in (stall / "translations" / "stall").glob("*.yaml"))
    assert contradicted(found) == [(name, "sale.bid") for name in languages]
    assert {one.hint for one in found.errors} == {"Write a text of `sale.bid` for the variant."}
    assert all(one.message.startswith("In the variant `dear`: ") for one in found.errors)
    assert not [one for one in found.findings if one.name == "text-stale"]
    assert rulespec.check(stall / VARIANTS / "dear.yaml").errors == found.errors


def test_a_text_of_the_variant_takes_the_place_of_that_of_the_game(stall: Path) -> None:
    text = (
        "  sale.bid: {title: Bid, text: The first bid is 3 or more coins. Every later bid is at least 1 coin higher.}\n"
    )
    path = translation(stall, "en", text)
    assert not rulespec.check(path).errors
    assert ("en.yaml", "sale.bid") not in contradicted(rulespec.check_variant_texts(model(stall, "dear")))
    assert texts_of(model(stall, "dear"))["en"].rules["sale.bid"].source.path == str(path)
    assert texts_of(model(stall, ""))["en"].rules["sale.bid"].source.path != str(path)
    path.write_text(path.read_text().replace("3 or more", "4 or more"))
    (found,) = rulespec.check(path).errors
    assert (found.name, found.rule, found.start.line) == ("fact-contradicted", "sale.bid", 7)


def test_a_text_of_a_variant_that_says_nothing_of_the_changed_rule(stall: Path) -> None:
    path = translation(
        stall, "en", "  sale.next: {title: The next seller, text: The left neighbour is the next seller.}\n"
    )
    (found,) = rulespec.check(path).errors
    assert (Path(found.path).parent.name, found.rule) == ("stall", "sale.bid")


def test_a_text_of_an_unknown_variant(stall: Path) -> None:
    path = translation(stall, "en", "  sale.next: {title: Next, text: Next.}\n", "deer")
    (found,) = rulespec.check(path).findings
    assert found.name == "text-no-game" and "Did you mean `dear`?" in found.message


def test_every_check_reads_a_text_of_a_variant(stall: Path) -> None:
    """Also by the absolute path that an editor opens it with; and what is certain is corrected."""
    bid = "  sale.bid: {title: Bid, text: The first bid is 4 or more coins . Every later bid is at least 1 higher.}\n"
    path = translation(stall, "en", bid)
    source, names = Source(str(path), path.read_text(encoding="utf-8")), ("fact-contradicted", "stray-space")
    for found in (session.findings(source), rulespec.check(path).findings):
        assert {one.name for one in found} >= {*names}
    for arguments in ((), ("stall",), (path,), ("specs/translations",)):
        data = json.loads(ftk("check", *arguments, "--format", "json").output)
        assert {one["name"] for one in data["findings"] if Path(one["path"]).absolute() == path} >= {*names}
    path.write_text(source.text.replace("is 4", "is 3"), encoding="utf-8")  # a line with an error is left as it is
    ftk("check", path, "--fix")
    assert "coins. Every" in path.read_text(encoding="utf-8")


NEXT = "  sale.next: {title: The next seller, text: The left neighbour is the next seller.}\n"


@pytest.mark.parametrize(
    ("overlay", "text", "expected"),
    [
        (("title:", "titel:"), (), {"unknown-key": "dear.yaml"}),
        (("extends: stall", "extends: other"), (), {"overlay-no-base": "dear.yaml"}),
        ((), ("variant: dear\n", ""), {"text-no-game": "en.yaml"}),
        ((), ("variant: dear", "variant: deer"), {"text-no-game": "en.yaml"}),
        (None, (), {"text-no-game": "en.yaml", "scenario-no-game": "bid.yaml"}),
    ],
)
def test_a_text_without_its_variant_is_one_finding(
    stall: Path, overlay: tuple[str, str] | None, text: tuple[str, str], expected: dict[str, str]
) -> None:
    """And what is wrong with an overlay is found there, not in all that depends on it."""
    (stall / "other.yaml").write_text((stall / "stall.yaml").read_text().replace("id: stall", "id: other"))
    path, mine = translation(stall, "en", NEXT), stall / VARIANTS / "dear.yaml"
    (cases := stall / "scenarios" / "stall" / "dear").mkdir(parents=True)
    (cases / "bid.yaml").write_text(CASES.replace("VARIANT", "dear"))
    for edited, edit in ((mine, overlay), (path, text)):
        if edit:
            assert edit[0] in edited.read_text()
            edited.write_text(edited.read_text().replace(*edit))
    if overlay is None:
        mine.unlink()
    elif overlay:
        (alone,) = rulespec.check(path).findings
        assert alone.name == "text-no-game" and "/variants/stall/dear.yaml` and put it right" in alone.hint
    data = json.loads(ftk("check", path, mine if mine.exists() else path, cases, "--format", "json").output)
    found = {(one["name"], Path(one["path"])) for one in data["findings"] if one["severity"] == "error"}
    # Sentences of the game that do not hold in the variant are at their place.
    assert {name: at.name for name, at in found if at.parent.name == "dear" or at.name == mine.name} == expected
    blocked = [Path(one).name for entry in data["summary"].get("not_checked", []) for one in entry["files"]]
    assert blocked == (["en.yaml", "bid.yaml"] if overlay else [])


def test_new_rules_need_a_text_and_removed_ones_none(stall: Path) -> None:
    call = "{id: sale.call, title: Call, note: The seller calls.}"
    put(stall, f"add: {{rules: [{{before: sale.show, insert: {call}}}]}}\nremove: {{rules: [sale.next]}}\n")
    found = rulespec.check_variant_texts(model(stall), "en").errors
    assert [(one.name, one.rule) for one in found] == [("text-missing", "sale.call")]


def test_commands_for_texts_take_a_variant(stall: Path) -> None:
    translation(stall, "en", "  sale.bid: {title: Bid, text: The first bid is 3 or more coins.}\n")
    assert "The first bid is 3" in ftk("text", "render", "stall", "--variant", "dear", "--lang", "en").output
    assert "The first bid is 3" not in ftk("text", "render", "stall", "--lang", "en").output
    checked = ftk("text", "check", "--spec", "stall", "--variant", "dear", "--lang", "uk", "-q")
    assert checked.exit_code == 1 and checked.output.count("RS911") == 1
    assert ftk("text", "check", "--variant", "dear").exit_code == 2
    status = json.loads(ftk("text", "status", "stall", "--variant", "dear", "--format", "json").output)
    contradicted_in = {one["lang"]: one["contradicted"] for one in status["games"][0]["languages"]}
    assert contradicted_in["en"] == [] and contradicted_in["uk"] == ["sale.bid"]
    assert ftk("text", "diff", "en", "uk", "--spec", "stall", "--variant", "dear").exit_code in (0, 1)


def test_only_texts_of_the_variant_are_confirmed(stall: Path) -> None:
    path = translation(stall, "en", "  sale.bid: {title: Bid, text: The first bid is 3 or more coins.}\n")
    base = stall / "translations" / "stall" / "en.yaml"
    before = base.read_text()
    done = ftk("text", "status", "stall", "--variant", "dear", "--lang", "en", "--confirm")
    assert "1 text confirmed" in done.stderr and "confirmed:" in path.read_text() and base.read_text() == before


def test_confirmed_texts_of_a_variant_are_compared_with_the_variant_that_is_kept(stall: Path) -> None:
    path = translation(stall, "en", "  sale.bid: {title: Bid, text: The first bid is 3 or more coins.}\n")
    assert ftk("text", "status", "stall", "--variant", "dear", "--lang", "en", "--confirm").exit_code == 0
    (kept,) = (stall / "versions" / "stall" / "dear").glob("*.spec")
    dear = model(stall, "dear").model
    assert kept == version_path(dear) and kept.read_text("utf-8") == dear.source.text
    assert next(iter(versions_of(dear))).digest == dear.digest
    assert not [one for one in rulespec.check(path).findings if one.name == "text-stale"]
    assert dear.digest not in {one.digest for one in versions_of(model(stall, "").model)}


BID = "  sale.bid: {title: Bid, text: The first bid is 3 or more coins. Every later bid is at least 1 coin higher.}\n"


def test_errata_of_a_variant(stall: Path) -> None:
    translation(stall, "en", BID)
    found = ftk("errata", "stall", "--variant", "dear", "--lang", "en")
    assert found.exit_code == 0 and "The first bid is 3 or more coins." in found.stdout, found.output
    assert ftk("errata", "stall", "stall", "--variant", "dear", "--lang", "en").stdout == found.stdout
    assert ftk("errata", "stall", "--variant", "dear", "--lang", "en", "--history").exit_code == 2
    assert ftk("errata", "stall", "--lang", "en").exit_code == 2


def test_the_sentences_of_a_variant_that_differ(stall: Path) -> None:
    translation(stall, "en", BID)
    found = ftk("text", "diff", "stall", "--variant", "dear", "--lang", "en")
    assert found.exit_code == 0 and "The first bid is 3 or more coins." in found.stdout, found.output
    assert ftk("text", "diff", "stall", "--lang", "en").exit_code == 2


@pytest.mark.parametrize(("form", "ending"), [("po", "po"), ("xliff", "xlf")])
def test_texts_of_a_variant_are_exported_and_imported(stall: Path, form: str, ending: str) -> None:
    path = translation(stall, "en", BID)
    other = translation(stall, "uk", "  sale.next: {title: Далі, text: Далі.}\n")
    base = stall / "translations" / "stall" / "en.yaml"
    before = base.read_bytes()
    file = Path(f"dear.{ending}")
    run = ftk("text", "export", "stall", "--variant", "dear", "--lang", "en", "--as", form, "--output", file)
    assert run.exit_code == 0, run.output
    text = file.read_text("utf-8")
    # The rules with a text of the variant in any language; those of the game are no part of it.
    assert "rules/sale.bid/text" in text and "rules/sale.next/text" in text and "rules/sale.show/text" not in text
    file.write_text(text.replace("3 or more coins", "no less than 3 coins"), encoding="utf-8")
    assert ftk("text", "import", file, "--variant", "dear", "--dry-run").exit_code == 0
    run = ftk("text", "import", file, "--variant", "dear")
    assert run.exit_code == 0, run.output
    assert "no less than 3 coins" in path.read_text("utf-8") and base.read_bytes() == before
    assert "sale.next" in other.read_text("utf-8")
    assert ftk("text", "import", base, "--variant", "dear").exit_code == 3
    assert ftk("text", "import", "raw.txt", "--variant", "dear", "--lang", "en").exit_code in (2, 3)


CASES = """
scenario: 2
game: stall
variant: VARIANT
cases:
  - {id: bid.first, title: The first bid, players: 2, expect: {legal: {includes: [bid 3], excludes: [bid 2]}}}
"""


def test_scenarios_name_a_variant(stall: Path) -> None:
    folder = stall / "scenarios" / "stall" / "dear"
    folder.mkdir(parents=True)
    (folder / "bid.yaml").write_text(CASES.replace("VARIANT", "dear"))
    assert ftk("test", "stall").exit_code == 0
    (folder / "bid.yaml").write_text(CASES.replace("variant: VARIANT\n", ""))
    assert ftk("test", "stall").exit_code == 1
    assert ftk("test", "stall", "--variant", "dear").exit_code == 0
    (folder / "bid.yaml").write_text(CASES.replace("VARIANT", "deer"))
    (found,) = rulespec.check(folder / "bid.yaml").findings
    assert found.name == "scenario-no-game" and found.start.line == 4
