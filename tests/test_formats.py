"""The formats of files: the museum lifts, checks and plays as it did; no number hides what is refused since."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import museum
import pytest
import yaml
from command import ftk
from schema_width import narrower

import rulespec
from rulespec.base.source import Source
from rulespec.base.source import read as read_file
from rulespec.engine.states.log import replay_on
from rulespec.language.document import parse
from rulespec.language.formats import FORMATS, current, lifted, number_of
from rulespec.language.schema.validate import text as schema_text
from rulespec.text import review

ROOT = Path(__file__).parents[1]
PROJECTS = sorted((museum.MUSEUM / "games").iterdir())
ALONE = sorted(folder for folder in (museum.MUSEUM / "spec").iterdir())
FOLDERS = (*PROJECTS, *ALONE)

WITH_SCHEMAS = ("spec", "overlay", "translation", "scenario", "deck", "glossary", "language", "review", "looks")

TEXTS_THEN = "2026-11-20"
"""The day whose texts the checks of texts find more in since: that is no matter of a format."""


def kind_and_number(source: Source) -> tuple[str, int]:
    kind = rulespec.kind_of(source)
    assert kind is not None and kind.format is not None
    number = number_of(parse(source)[0], kind.format)
    assert number is not None
    return kind.name, number


def sources(folder: Path) -> Iterator[Source]:
    for path in sorted(folder.rglob("*.yaml")):
        source, _ = read_file(str(path))
        assert source is not None
        yield source


@pytest.fixture
def day(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The games of a day, copied to the current folder."""
    shutil.copytree(request.param, tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    return str(request.param.name)


by_day = pytest.mark.parametrize("day", PROJECTS, ids=lambda path: path.name, indirect=True)
on_one_day = pytest.mark.parametrize("day", PROJECTS[1:2], ids=lambda path: path.name, indirect=True)


def worst(run: Any) -> Counter[str]:
    """The codes of all errors that a check reports."""
    return Counter(one["code"] for one in json.loads(run.stdout)["findings"] if one["severity"] == "error")


def of_texts(found: Counter[str]) -> bool:
    return all(code.startswith("RS9") for code in found)


# --- the museum -------------------------------------------------------------------------------------------------------


def test_nothing_in_the_museum_is_ever_edited() -> None:
    now, then = museum.digests(), museum.listed()
    assert {name: digest for name, digest in now.items() if name in then} == then, "restore the file from git"
    assert now.keys() == then.keys(), "list it: python tests/museum.py digests >> tests/formats/digests.txt"


@by_day
def test_the_games_of_a_day_check_as_they_are(day: str) -> None:
    """With one warning for each file of an older format, and nothing else."""
    run = ftk("check", "specs", "--format", "json")
    found = Counter((one["path"], one["code"]) for one in json.loads(run.stdout)["findings"])
    old = [one for one in sources(Path("specs")) if kind_and_number(one)[1] < FORMATS[kind_and_number(one)[0]].number]
    assert {path for path, code in found if code == "RS009"} == {one.path for one in old}
    assert all(number == 1 for (_, code), number in found.items() if code == "RS009")
    assert not worst(run) or (day == TEXTS_THEN and of_texts(worst(run)))


@by_day
def test_the_games_of_a_day_are_lifted_and_play_as_they_did(day: str) -> None:
    specs = [*Path("specs").glob("*.yaml"), *Path("specs/gallery").glob("*.yaml")]
    then = museum.kept(Path())
    assert museum.games(sorted(specs), Path()) == then  # as they are
    assert ftk("upgrade", ".", "--write").exit_code == 0
    assert all(number == FORMATS[kind].number for kind, number in map(kind_and_number, sources(Path("specs"))))
    run = ftk("check", "specs", "--format", "json")
    assert not worst(run) or (day == TEXTS_THEN and of_texts(worst(run)))
    assert museum.games(sorted(specs), Path()) == then
    for log in Path("logs").glob("*.jsonl"):
        assert ftk("replay", log).exit_code == 0 and "another text of the spec" not in ftk("replay", log).stderr
    for state in Path("logs").glob("*.json"):
        data = json.loads(state.read_text("utf-8"))
        game = rulespec.load(rulespec.base.project.spec_for(data["game"], str(state))).game(data["players"])
        assert [list(one) for one in game.state_from_json(state.read_text("utf-8")).choices] == data["history"]


@by_day
def test_logs_of_a_day_replay_as_they_are(day: str) -> None:
    for log in Path("logs").glob("*.jsonl"):
        text = log.read_text("utf-8")
        head = json.loads(text.partition("\n")[0])
        game = rulespec.load(rulespec.base.project.spec_for(head["game"], str(log))).game(
            head["players"], head["rulings"]
        )
        assert replay_on(game, text).is_terminal()


@pytest.mark.parametrize("folder", ALONE, ids=lambda path: path.name)
def test_specs_of_a_number_check_and_play_as_they_did(folder: Path) -> None:
    paths = sorted(folder.rglob("*.yaml"))
    for path in paths:
        assert rulespec.check(path).ok, rulespec.check(path).errors
        before = [one for one in rulespec.check(path).findings if one.name == "old-format"]
        assert len(before) == (folder.name.partition("-")[0] != str(FORMATS["spec"].number))
    assert museum.games(paths, folder) == museum.kept(folder)


@pytest.mark.parametrize("path", sorted((museum.MUSEUM / "review").rglob("*.review.yaml")), ids=lambda path: path.name)
def test_reviews_of_a_number_are_read(path: Path) -> None:
    source, _ = read_file(str(path))
    assert source is not None
    kept, found = review.read(source)
    assert kept is not None and not rulespec.check(path).errors
    assert bool(found) == (kind_and_number(source)[1] < FORMATS["review"].number)
    assert review.read(Source(source.path, review.write(kept)))[0] == kept
    assert [len(one.read) for one in kept.passages] == [1, 2, 2, 1]
    assert [one.declined is not None for each in kept.passages[1].read for one in each.remarks] == [False, True]


@pytest.mark.parametrize("path", sorted((museum.MUSEUM / "looks").rglob("*.yaml")), ids=lambda path: path.name)
def test_looks_of_a_number_are_read(path: Path) -> None:
    found = rulespec.check(path).findings
    assert [one.name for one in found] in ([], ["old-format"])


def test_a_run_of_a_day_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in PROJECTS:
        if (folder / "run").is_dir():
            shutil.copytree(folder, tmp_path / folder.name)
            monkeypatch.chdir(tmp_path / folder.name)
            assert ftk("upgrade", ".", "--write").exit_code == 0
            run = json.loads(Path("run/run.json").read_text("utf-8"))
            game, seed, rows = run["game"]["game"], str(run["seed"]), run["rows"]
            more = ("--rows", rows) if rows else ()
            options = ("--games", run["games"], "--seed", seed, "--into", "run", "--format", "json", *more)
            found = ftk("simulate", game, "--players", run["game"]["players"], *options)
            assert found.exit_code == 0, found.output
            assert json.loads(found.stdout)["resumed"] == run["games"]
            assert not list(Path("run").glob("block-*"))


def test_a_game_that_a_page_kept_goes_on() -> None:
    from ftk_cli.page import play

    for path in sorted((museum.MUSEUM / "page").rglob("*.json")):
        kept = json.loads(path.read_text("utf-8"))
        play.start(**{name: value for name, value in kept.items() if name != "page"}, lang="en")
        assert [list(one) for one in play.look("en")["kept"]["choices"]] == kept["choices"]


# --- lifting ----------------------------------------------------------------------------------------------------------


TOUCHED = re.compile(
    r"^\W*(rulespec|overlay|scenario|translation)\W|\$schema|\bat_most|\bconfirmed\b|\balso\b|: nobody|\blevel\b"
    r"|ftk: ignore|\b(?:pool|colour)\b"
)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_lifting_keeps_every_comment_and_every_line_it_need_not_touch(folder: Path) -> None:
    for source in sources(folder):
        now = lifted(source, kind_and_number(source)[0])
        before, after = (one.text.splitlines(keepends=True) for one in (source, now))
        new = iter(after)
        left = (line for line in before if not TOUCHED.search(line))
        assert all(line in new for line in left), f"{source.path}: a line is lost, changed, or in another order"
        assert Counter(_comments(before)) == Counter(_comments(after)), source.path


def _comments(lines: list[str]) -> list[str]:
    return [found[0] for line in lines if (found := re.search(r"(?<!\S)#(?!.*(?:\$schema|ftk[:,])).*", line))]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_findings_of_a_lifted_file_are_in_the_file_as_it_is(folder: Path) -> None:
    for source in sources(folder):
        now = lifted(source, kind_and_number(source)[0])
        for line in range(1, now.line_count + 1, 7):
            word = now.line(line).strip()[:12]
            at = now.line_start(line) + now.line(line).index(word)
            _, place, _ = now.located(rulespec.Span(at, at + 1))
            there = source.line(place.line)[place.column - 1 :]
            is_new = word.startswith(("then", "confirmed")) or word not in source.text
            assert there.startswith(word) or is_new, source.path


LOOPS = yaml.safe_load((museum.MUSEUM.parent / "format_lifts.yaml").read_text("utf-8"))


@pytest.mark.parametrize("sample", LOOPS, ids=lambda sample: sample["title"])
def test_a_lift_writes(sample: dict[str, str]) -> None:
    kind, before, after = sample["kind"], sample["before"], sample["after"]
    assert lifted(Source("x.yaml", before), kind).text == after
    assert lifted(Source("x.yaml", after), kind).text == after
    windows = lifted(Source("x.yaml", before.replace("\n", "\r\n")), kind).text
    assert windows == after.replace("\n", "\r\n")


# --- numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted((museum.MUSEUM / "schemas").iterdir()), ids=lambda path: path.name)
def test_a_schema_refuses_only_with_another_number(path: Path) -> None:
    name = path.name.partition(".")[0]
    if name not in {one.schema for one in FORMATS.values()}:
        return
    old, new = json.loads(path.read_text("utf-8")), json.loads(schema_text(name))
    assert not [*narrower(old, new)], f"raise the number of {name}, with a lift in rulespec/language/formats"


def test_a_narrower_schema_is_found() -> None:
    new = json.loads(schema_text("rulespec-2"))
    for change, words in (
        (lambda s: s["$defs"]["repeat"]["required"].append("then"), "then required"),
        (lambda s: s["$defs"]["repeat"]["properties"].pop("while"), "no key any more"),
        (lambda s: s["$defs"]["step"]["properties"]["end"].update(enum=["game"]), "one of"),
        (lambda s: s["$defs"]["title"].update(minLength=9), "minLength 9"),
        (lambda s: s["$defs"]["name"].update(pattern="^[a-z][a-z0-9_]*(x)$"), "^[a-z][a-z0-9_]*(x)$"),
        (lambda s: s["$defs"]["source_name"].update(pattern="^[a-z]$"), "^[a-z]$"),
        (lambda s: s["$defs"]["stock"].update(propertyNames={"pattern": "^a$"}), "propertyNames: demanded now"),
        (lambda s: s["$defs"]["repeat"]["dependentRequired"].update(until=["at_most"]), "needs at_most"),
    ):
        narrow = json.loads(json.dumps(new))
        change(narrow)
        assert any(words in one for one in narrower(new, narrow)), words
        assert not [*narrower(narrow, narrow)]


def test_every_format_has_its_schemas_and_its_row_in_the_documentation() -> None:
    page = (ROOT / "docs" / "versions.md").read_text("utf-8")
    for one in FORMATS.values():
        assert f"| `{one.key}` | {one.number} |" in page, one
        for lift in one.lifts:
            assert all(sentence in page for sentence in lift.changes), lift
    for name in WITH_SCHEMAS:
        format_ = FORMATS[name]
        for number in range(1, format_.number + 1):
            assert f"{format_.key}-{number}.schema.json" in json.loads(schema_text(f"{format_.key}-{number}"))["$id"]


# --- bad input --------------------------------------------------------------------------------------------------------

SPEC = (ROOT / "rulespec/editing/skeleton/games/skeleton.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("line", "codes", "words"),
    [
        ("rulespec: 1", ["RS009"], "`rulespec: 1`; the present one is `rulespec: 2`"),
        ("", ["RS009"], "does not say its format and is read as the oldest"),
        ("rulespec: 3", ["RS010"], "this ftk reads up to `rulespec: 2`"),
        ("rulespec: 99999999999", ["RS010"], "this ftk reads up to"),
        ("rulespec: one", ["RS205"], "`rulespec`"),
        ("rulespec: 0", ["RS205"], "`rulespec`"),
        ("rulespec: -1", ["RS205"], "`rulespec`"),
        ("rulespec: true", ["RS205"], "`rulespec`"),
        ("rulespec: [1]", ["RS205"], "`rulespec`"),
        ("rulespec:", ["RS205"], "`rulespec`"),
        ("rulespec: 1\nrulespec: 2", ["RS009", "RS102"], "already"),
        ("rulespec: 2\nrulespec: 1", ["RS102"], "already"),
    ],
)
def test_numbers_of_a_spec(line: str, codes: list[str], words: str, tmp_path: Path) -> None:
    path = tmp_path / "skeleton.yaml"
    path.write_text(re.sub(r"^rulespec: 2\n", f"{line}\n" if line else "", SPEC, flags=re.M), encoding="utf-8")
    report = rulespec.check(path)
    assert [one.code for one in report.findings] == codes, report.findings
    assert any(words in one.message for one in report.findings), report.findings


def test_a_spec_that_is_half_lifted_by_hand_is_lifted_further() -> None:
    half = next(one["after"] for one in LOOPS if one["title"] == "nested").replace("rulespec: 2", "rulespec: 1")
    assert current(Source("x.yaml", half), "spec")[0].text.count("then:") == half.count("then:")


@on_one_day
def test_an_old_overlay_on_a_new_spec_and_the_other_way_round(day: str) -> None:
    overlay, spec = Path("specs/variants/kingme/ground_floor.yaml"), Path("specs/kingme.yaml")
    for path in (spec, overlay):
        before = path.read_text("utf-8")
        path.write_text(lifted(Source(str(path), before), kind_and_number(Source("", before))[0]).text, "utf-8")
        found = rulespec.check(overlay)
        assert found.ok and {one.code for one in found.findings} <= {"RS009"}
        assert rulespec.load("kingme", variant="ground_floor").game().new_initial_state(1)
        path.write_text(before, encoding="utf-8")


@on_one_day
def test_a_game_is_lifted_as_a_whole_or_not_at_all(day: str) -> None:
    broken = Path("specs/translations/kingme/uk.yaml")
    broken.write_text(broken.read_text("utf-8").replace("title:", "title: [", 1), encoding="utf-8")
    before = {path: path.read_bytes() for path in Path("specs").rglob("*.yaml")}
    run = ftk("upgrade", "kingme", "pig", "--write")
    assert run.exit_code == 3
    changed = {path.as_posix() for path, content in before.items() if path.read_bytes() != content}
    assert changed == {"specs/gallery/pig.yaml", "specs/gallery/scenarios/pig/cases.yaml"}
    assert "specs/kingme.yaml: not lifted, because specs/translations/kingme/uk.yaml cannot be." in run.stdout


@on_one_day
def test_a_lift_that_cannot_be_written_changes_nothing(day: str) -> None:
    before = {path: path.read_bytes() for path in Path("specs").rglob("*.yaml")}
    written, replace = list[str](), os.replace

    def fails(source: str, target: str) -> None:
        if len(written) == 3 and Path(source).name.startswith("."):
            written.append(target)
            raise OSError(28, "No space left on device")
        written.append(target)
        replace(source, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", fails)
        run = ftk("upgrade", "kingme", "--write")
    assert run.exit_code == 3 and "No file was changed" in run.output
    assert {path: path.read_bytes() for path in Path("specs").rglob("*.yaml")} == before


def test_the_commands_that_read_an_old_game_read_it_lifted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(PROJECTS[1] / "specs", tmp_path / "specs")
    monkeypatch.chdir(tmp_path)
    for command in (
        ("cards", "kingme"),
        ("rulings", "kingme"),
        ("explain", "nominate"),
        ("describe", "kingme", "--lang", "uk"),
        ("test", "kingme"),
        ("simulate", "kingme", "--games", "5"),
        ("diff", "kingme", "kingme"),
        ("text", "status", "kingme"),
        ("text", "render", "kingme", "--lang", "uk"),
    ):
        run = ftk(*command)
        assert run.exit_code == 0, (command, run.output)
    status = json.loads(ftk("text", "status", "kingme", "--format", "json").stdout)["games"][0]["languages"]
    assert all(one["stale"] == [] for one in status), status


def test_the_entry_for_a_catalogue_of_schemas_has_every_number() -> None:
    entry = json.loads((ROOT / "editors" / "schemastore.json").read_text("utf-8"))
    found = {one["url"].rpartition("/")[2]: [*one["versions"].items()] for one in entry}
    wanted = {
        f"{one.schema}.schema.json": [(str(n), f"{one.key}-{n}.schema.json") for n in range(1, one.number + 1)]
        for one in map(
            FORMATS.get,
            ("spec", "overlay", "translation", "scenario", "deck", "glossary", "language", "review", "looks"),
        )
        if one is not None
    }
    assert {name: [(n, url.rpartition("/")[2]) for n, url in those] for name, those in found.items()} == wanted


def test_the_docs_state_the_present_numbers() -> None:
    rows = [
        row
        for page in sorted((ROOT / "docs").rglob("*.md"))
        for row in re.findall(r"^\| `(\w+)` \| the format version: `(\d+)` \|", page.read_text(encoding="utf-8"), re.M)
    ]
    present = {one.key: str(one.number) for one in FORMATS.values()}
    assert len(rows) > 3 and [row for row in rows if row[1] != present[row[0]]] == []
