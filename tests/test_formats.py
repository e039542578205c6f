"""The formats of files: the museum lifts, reads and plays as it did; no number hides what is refused since."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import museum
import pytest
import yaml
from command import ftk
from schema_width import narrower

import rulespec
from ftk_cli.page import play
from rulespec.base.diagnostics import Severity, Span
from rulespec.base.source import Source
from rulespec.base.source import read as read_file
from rulespec.language.document import parse
from rulespec.language.formats.current import current, lifted, number_of
from rulespec.language.formats.table import FORMATS
from rulespec.language.schema.validate import text as schema_text
from rulespec.text.review.kept import read as read_review
from rulespec.text.review.kept import write as write_review

pytestmark = pytest.mark.slow("lifts and plays old games")

ROOT = Path(__file__).parents[1]
MUSEUM = museum.MUSEUM
PROJECTS = sorted(path.parent for path in MUSEUM.glob("*/before"))
WITH_SCHEMAS = ("spec", "overlay", "translation", "scenario", "deck", "glossary", "language", "review", "looks")


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


def is_older(source: Source) -> bool:
    kind, number = kind_and_number(source)
    return number < FORMATS[kind].number


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def errors_and_warnings() -> list[tuple[str, str]]:
    """The errors and warnings about all YAML files, as paths and names."""
    found = ((one.path, finding) for one in sources(Path()) for finding in rulespec.check(one.path).findings)
    return [(path, finding.name) for path, finding in found if finding.severity != Severity.INFO]


@pytest.fixture
def project(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of the museum. The current folder is a copy of it."""
    shutil.copytree(request.param / "before", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    folder: Path = request.param
    return folder


each_project = pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name, indirect=True)
in_stakes = pytest.mark.parametrize("project", [MUSEUM / "stakes"], ids=lambda path: path.name, indirect=True)

# --- the museum -------------------------------------------------------------------------------------------------------


def test_nothing_in_the_museum_is_ever_edited() -> None:
    lines = (MUSEUM / "digests.txt").read_text("utf-8").splitlines()
    then = {name: digest for digest, name in (line.split("  ") for line in lines)}
    files = {name: content for name, content in tree(MUSEUM).items() if "/after/" not in name}
    kept = files.keys() - {"README.md", "digests.txt", "lifts.yaml"}
    now = {name: hashlib.sha256(files[name]).hexdigest() for name in kept}
    assert {name: digest for name, digest in now.items() if name in then} == then, "restore the file from git"
    assert now.keys() == then.keys(), "list it in digests.txt, as the README says"


def test_the_museum_has_a_file_of_every_number() -> None:
    found = set[tuple[str, int]]()
    for folder in PROJECTS:
        for path in (path for path in (folder / "before").rglob("*") if path.is_file()):
            source = Source(str(path), path.read_text("utf-8"))
            kind = rulespec.kind_of(source)
            if kind is not None and kind.format is not None:
                found.add(kind_and_number(source))
            elif kind is not None and kind.name in FORMATS:  # a log or a saved state
                found.add((kind.name, json.loads(source.text.partition("\n")[0])[FORMATS[kind.name].key]))
            elif path.name == "run.json":
                found.add(("run", json.loads(source.text)["run"]))
            elif path.parent.name == "page":
                found.add(("page", 1))
    assert found == {(one.kind, number) for one in FORMATS.values() for number in range(1, one.number + 1)}


@each_project
def test_a_project_is_lifted(project: Path) -> None:
    """Each file is what `after` has of it, or stays as it is. The games are the same."""
    # The variant of the river has no text of its own for what it changes.
    variant = [("specs/variants/river/short.yaml", "number-unaccounted")] * (project.name == "river")
    old = [(one.path, "old-format") for one in sources(Path()) if is_older(one)]
    assert sorted(errors_and_warnings()) == sorted(old + variant)
    games = {path: museum.games_of(path) for path in Path("specs").glob("*.yaml")}
    assert ftk("upgrade", ".", "--write").exit_code == 0
    before = {name: content for name, content in tree(project / "before").items() if "/block-" not in name}
    after = tree(project / "after")
    assert tree(Path()) == before | after
    assert errors_and_warnings() == variant
    assert {path: museum.games_of(path) for path in Path("specs").glob("*.yaml")} == games


@each_project
@pytest.mark.parametrize("is_lifted", [False, True], ids=["as they are", "lifted"])
def test_logs_replay(project: Path, is_lifted: bool) -> None:
    if is_lifted:
        assert ftk("upgrade", ".", "--write").exit_code == 0
    for log in Path("games").glob("*.jsonl"):
        run = ftk("replay", log)
        assert run.exit_code == 0 and "a whole game" in run.stdout
        assert not (is_lifted and "another text of the spec" in run.stderr)


@each_project
def test_saved_states_and_runs_go_on(project: Path) -> None:
    """Once they are lifted: they are of the text of a spec, which a lift changes."""
    assert ftk("upgrade", ".", "--write").exit_code == 0
    for path in Path("games").glob("*.json"):
        data = json.loads(path.read_text("utf-8"))
        game = rulespec.load(f"specs/{data['game']}.yaml").game(data["players"])
        assert [list(one) for one in game.state_from_json(path.read_text("utf-8")).choices] == data["history"]
    for path in Path().glob("run*/run.json"):
        run = json.loads(path.read_text("utf-8"))
        rows = ("--rows", run["rows"]) if run["rows"] else ()
        settings = ("--players", run["game"]["players"], "--seed", run["seed"], "--into", path.parent, *rows)
        found = ftk("simulate", run["game"]["game"], "--games", run["games"], *settings, "--format", "json")
        assert found.exit_code == 0, found.output
        assert json.loads(found.stdout)["resumed"] == run["games"]


@in_stakes
@pytest.mark.parametrize("is_same", [True, False])
def test_a_run_is_lifted_after_its_spec(project: Path, is_same: bool) -> None:
    """The text that it was played with is gone: its games are played again."""
    shutil.rmtree("specs/versions")
    shutil.rmtree("specs/translations")
    assert ftk("upgrade", "specs", "--write").exit_code == 0
    spec = Path("specs/stakes.yaml")
    spec.write_text(spec.read_text("utf-8").replace("value: 1..4, copies: 2", f"value: 1..4, copies: {3 - is_same}"))
    run = ftk("upgrade", "run2", "--write")
    assert run.exit_code == 0 and ("of another text of the spec" in run.stdout) == (not is_same)
    again = ftk("simulate", "stakes", "--players", 2, "--games", 20, "--seed", 4, "--into", "run2")
    assert (again.exit_code, "20 games resumed" in again.stdout) == ((0, True) if is_same else (3, False))


@each_project
def test_a_game_that_a_page_kept_goes_on(project: Path) -> None:
    for path in Path("page").glob("*.json"):
        kept = json.loads(path.read_text("utf-8"))
        play.start(**kept, lang="en")
        assert [list(one) for one in play.look("en")["kept"]["choices"]] == kept["choices"]


@each_project
def test_reviews_are_read(project: Path) -> None:
    for source in (one for one in sources(Path()) if kind_and_number(one)[0] == "review"):
        kept, found = read_review(source)
        assert kept is not None and bool(found) == is_older(source)
        assert read_review(Source(source.path, write_review(kept)))[0] == kept
        assert [len(one.read) for one in kept.passages] == [2, 2, 1]
        remarks = [one for passage in kept.passages for reading in passage.read for one in reading.remarks]
        assert [(one.kind, one.declined is not None) for one in remarks] == [("wrong", True), ("term", False)]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the files of each archive."""
    folder = tmp_path_factory.mktemp("museum")
    for archive in museum.ARCHIVES:
        museum.unpack(archive, folder / archive.name)
    return folder


FILES = [f"{archive.name}/{name}" for archive in museum.ARCHIVES for name in museum.names(archive)]
GAMES = {f"{archive.name}/{name}": those for archive in museum.ARCHIVES for name, those in museum.kept(archive).items()}


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_an_archive_is_accepted_and_lifted(name: str, unpacked: Path) -> None:
    source, _ = read_file(str(unpacked / name))
    assert source is not None
    kind, _ = kind_and_number(source)
    now = lifted(source, kind)
    assert kind_and_number(now) == (kind, FORMATS[kind].number)
    assert (kind == "spec") == (name in GAMES)
    before, after = (one.text.splitlines(keepends=True) for one in (source, now))
    new = iter(after)
    left = (line for line in before if not TOUCHED.search(line))
    assert all(line in new for line in left), "a line is lost, changed, or in another order"
    assert Counter(_comments(before)) == Counter(_comments(after))
    if kind != "translation":  # what the checks find in sentences is no matter of a format
        report = rulespec.check(source.path)
        assert report.ok, report.errors
        assert [one.name for one in report.findings].count("old-format") == is_older(source)


TOUCHED = re.compile(
    r"^\W*(rulespec|overlay|scenario|translation)\W|\$schema|\bat_most|\bconfirmed\b|\balso\b|: nobody|\blevel\b"
)


def _comments(lines: list[str]) -> list[str]:
    return [found[0] for line in lines if (found := re.search(r"(?<!\S)#(?!.*(?:\$schema|ftk[:,])).*", line))]


@pytest.mark.parametrize("name", GAMES)
def test_a_spec_of_an_archive_plays_as_it_did(name: str, unpacked: Path) -> None:
    assert museum.games_of(unpacked / name) == GAMES[name]


# --- lifting ----------------------------------------------------------------------------------------------------------

LIFTS = yaml.safe_load((MUSEUM / "lifts.yaml").read_text("utf-8"))


@pytest.mark.parametrize("sample", LIFTS, ids=lambda sample: sample["title"])
def test_a_lift_writes(sample: dict[str, str]) -> None:
    kind, before, after = sample["kind"], sample["before"], sample["after"]
    assert lifted(Source("x.yaml", before), kind).text == after
    assert lifted(Source("x.yaml", after), kind).text == after
    windows = lifted(Source("x.yaml", before.replace("\n", "\r\n")), kind).text
    assert windows == after.replace("\n", "\r\n")


@each_project
@pytest.mark.sample(3)
def test_findings_of_a_lifted_file_are_in_the_file_as_it_is(project: Path) -> None:
    for source in sources(Path()):
        now = lifted(source, kind_and_number(source)[0])
        for line in range(1, now.line_count + 1):
            word = now.line(line).strip()[:12]
            at = now.line_start(line) + now.line(line).index(word)
            _, place, _ = now.located(Span(at, at + 1))
            there = source.line(place.line)[place.column - 1 :]
            is_new = word.startswith(("then", "confirmed")) or word not in source.text
            assert there.startswith(word) or is_new, (source.path, line)


# --- numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted((MUSEUM / "schemas").iterdir()), ids=lambda path: path.name)
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
    half = next(one["after"] for one in LIFTS if one["title"] == "nested").replace("rulespec: 2", "rulespec: 1")
    assert current(Source("x.yaml", half), "spec")[0].text.count("then:") == half.count("then:")


@in_stakes
def test_an_old_overlay_on_a_new_spec_and_the_other_way_round(project: Path) -> None:
    overlay, spec = Path("specs/variants/stakes/long.yaml"), Path("specs/stakes.yaml")
    for path in (spec, overlay):
        before = path.read_bytes()
        path.write_bytes((project / "after" / path).read_bytes())
        found = rulespec.check(overlay)
        assert found.ok and {one.code for one in found.findings} <= {"RS009"}
        assert rulespec.load("stakes", variant="long").game().new_initial_state(1)
        path.write_bytes(before)


@in_stakes
def test_a_game_is_lifted_as_a_whole_or_not_at_all(project: Path) -> None:
    shutil.copytree(MUSEUM / "river/before/specs", "specs", dirs_exist_ok=True)
    broken = Path("specs/translations/stakes/en.yaml")
    broken.write_text(broken.read_text("utf-8").replace("title:", "title: [", 1), encoding="utf-8")
    before = tree(Path("specs"))
    run = ftk("upgrade", "stakes", "river", "--write")
    assert run.exit_code == 3
    now = tree(Path("specs"))
    assert {name for name in before if now[name] != before[name]} == {"translations/river/en.yaml"}
    assert "specs/stakes.yaml: not lifted, because specs/translations/stakes/en.yaml cannot be." in run.stdout


@in_stakes
def test_a_lift_that_cannot_be_written_changes_nothing(project: Path) -> None:
    before = tree(Path("specs"))
    written, replace = list[str](), os.replace

    def fails(source: str, target: str) -> None:
        if len(written) == 3 and Path(source).name.startswith("."):
            written.append(target)
            raise OSError(28, "No space left on device")
        written.append(target)
        replace(source, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", fails)
        run = ftk("upgrade", "stakes", "--write")
    assert run.exit_code == 3 and "No file was changed" in run.output and len(written) > 3
    assert tree(Path("specs")) == before


@in_stakes
def test_the_commands_that_read_an_old_game_read_it_lifted(project: Path) -> None:
    for command in (
        ("cards", "stakes"),
        ("rulings", "stakes"),
        ("explain", "turns"),
        ("describe", "stakes", "--lang", "uk"),
        ("simulate", "stakes", "--games", "5"),
        ("diff", "stakes", "stakes"),
        ("test", "stakes"),
        ("text", "render", "stakes", "--lang", "en"),
    ):
        run = ftk(*command)
        assert run.exit_code == 0, (command, run.output)
    status = json.loads(ftk("text", "status", "stakes", "--format", "json").stdout)["games"][0]["languages"]
    assert [one["stale"] for one in status] == [[]], status


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
