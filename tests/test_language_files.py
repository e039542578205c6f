"""The files of a language of a project: what is wrong with them, new ones, and their samples."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from command import ftk
from samples import BAD, expectations, places

import rulespec
from ftk_cli.schema import _OF_LANGUAGES
from rulespec.base.diagnostics import Finding
from rulespec.base.project import Project
from rulespec.base.source import Source, read
from rulespec.editing.file_kinds import schema_of as schema_name
from rulespec.editing.language_files.checking import check
from rulespec.editing.language_files.places import NAMES, UNREAD, name_of
from rulespec.editing.language_files.samples import samples_of
from rulespec.editing.language_files.schemas import DATA, schema_of
from rulespec.editing.language_files.skeleton import new_language
from rulespec.language.schema.validate import _validator
from rulespec.text import languages
from rulespec.text.checks.typography.styles import _STYLES
from rulespec.text.languages.quantity.reader import read as quantities
from rulespec.text.languages.record import Language
from rulespec.text.languages.registry import LANGUAGES
from rulespec.text.languages.registry import find as find_language
from rulespec.text.languages.registry import use as use_language
from rulespec.text.languages.valid import PATTERN_TEXTS, QUOTE_STYLES
from rulespec.text.reading.contrasts.reader import read as contrasts
from rulespec.versions.changes.words import KEYS

pytestmark = pytest.mark.slow("checks all languages")

ROOT = Path(__file__).resolve().parent.parent
CASES = sorted(path for path in (BAD / "language_files").iterdir())
SHIPPED = sorted(Path(languages.__file__).parent.glob("*/*.yaml"))


@pytest.fixture(autouse=True)
def back() -> Iterator[None]:
    """Leaves no language of a test in use."""
    yield
    use_language(Path("/nowhere"))


@pytest.fixture
def project(here: Path) -> Path:
    """The folder of the languages of an empty project."""
    (here / "specs").mkdir()
    return here / "specs" / "languages"


def written(folder: Path, tag: str, **files: str) -> Path:
    """A language of a project with these files."""
    target = folder / tag
    target.mkdir(parents=True, exist_ok=True)
    for name, text in {"language": f"language: 1\ntag: {tag}\n", **files}.items():
        (target / f"{name}.yaml").write_text(text, encoding="utf-8")
    return target


def found_in(path: Path) -> list[Finding]:
    source, unreadable = read(path)
    return list(check(source)) if source is not None else list(unreadable)


# --- what is wrong ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_bad_samples(case: Path) -> None:
    paths = sorted(case.glob("languages/*/*.yaml"))
    found = [one for path in paths for one in found_in(path)]
    for path in sorted(path for path in case.glob("languages/*/*") if path.is_file()):
        mine = [one for one in found if Path(one.path) == path]
        assert places(mine) == expectations(path), (path, [f"{one.start}: {one.message}" for one in mine])
    for one in found:
        assert one.message.endswith(".") and (not one.hint or one.hint.endswith((".", "?"))), one


def test_a_number_word_with_two_values_shows_both_places() -> None:
    found = found_in(BAD / "language_files/numerals/languages/nl/numerals.yaml")
    first = next(one for one in found if one.related)
    assert (first.start.line, first.start.column) == (3, 31)
    assert [(one.start.line, one.start.column) for one in first.related] == [(3, 17)]


def test_a_key_of_another_file_is_sent_there() -> None:
    hints = [one.hint for one in found_in(BAD / "language_files/keys/languages/nl/language.yaml")]
    assert "Move it to contrasts.yaml, to which it belongs." in hints
    assert "Move it to describe.yaml, to which it belongs." in hints


def test_the_files_of_the_package_have_no_findings() -> None:
    assert [(one.path, one.start, one.message) for path in SHIPPED for one in found_in(path)] == []


@pytest.mark.parametrize("case", [path for path in CASES if path.name != "samples"], ids=lambda path: path.name)
def test_texts_are_checked_beside_a_broken_language(case: Path) -> None:
    """A broken file makes findings in itself, and no exception elsewhere."""
    use_language(case / "languages")
    for tag in ("nl", "af", "fy", "qaa", "iw"):
        quantities("twee kaarten", tag)
        contrasts("links", find_language(tag))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- a\n",
        "x",
        "{",
        "[" * 5000,
        "a: &a [1]\nb: [*a, *a]\n",
        "tag: [nl]\n",
        "tag: nl\ntag: nl\n",
        "\x00",
        "? [a]\n: b\n",
    ],
)
@pytest.mark.sample(4)
def test_hostile_files_are_findings(project: Path, text: str) -> None:
    for name in NAMES:
        path = written(project, "nl") / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        found = found_in(path)
        assert found or not text.strip("\x00"), (name, text)
        use_language(project)
        quantities("twee", "nl")
        contrasts("links", find_language("nl"))
        path.unlink()


def test_a_folder_in_the_folder_of_a_language_is_left_alone(project: Path) -> None:
    (written(project, "nl") / "old").mkdir()
    use_language(project)
    assert find_language("nl").folders == (project / "nl",)


# --- earlier versions -------------------------------------------------------------------------------------------------

FORMER = {
    "acts": "take: [pak]\nthen: [dan]\n",
    "cases": "ability: {unable: [kan niet]}\nwhen: {later: [daarna]}\n",
    "counted": "particles: maar\npronouns: [ieder]\nconjunctions: en\ncomparative: er$\narticles: een\n",
    "roles": "standing: {beside: ['links van {zone}']}\njoins: [' en ']\nowner: [' van ']\n",
}
"""A file of a language, with what earlier versions read in it."""


@pytest.mark.parametrize("name", FORMER)
def test_what_earlier_versions_read_is_put_aside(project: Path, name: str) -> None:
    folder = written(project, "nl", **{name: FORMER[name]})
    assert found_in(folder / f"{name}.yaml") == []
    use_language(project)
    for other in {*NAMES} - {name, "language", "samples"}:
        (folder / f"{name}.yaml").rename(folder / f"{other}.yaml")
        assert [one.name for one in found_in(folder / f"{other}.yaml")], other
        (folder / f"{other}.yaml").rename(folder / f"{name}.yaml")


@pytest.mark.parametrize("name", sorted(UNREAD))
def test_an_unread_file_has_no_schema(name: str) -> None:
    assert schema_name(Source(f"specs/languages/nl/{name}.yaml", FORMER.get(name, "predicates: {}\n"))) == ""


# --- kinds of file ---------------------------------------------------------------------------------------------------


def test_files_are_recognised_by_their_place() -> None:
    assert name_of("specs/languages/nl/contrasts.yaml") == "contrasts"
    assert name_of("specs/languages/contrasts.yaml") == name_of("specs/languages/nl/other.yaml") == ""
    kind = rulespec.kind_of(Source("specs/languages/nl/acts.yaml", "take: [pak]\n"))
    assert kind is not None and kind.name == "language"
    for other in ("language: python\n", "language: en\n"):
        assert rulespec.kind_of(Source("x.yaml", other)) is None


def test_the_schema_of_records_has_every_key() -> None:
    schema = schema_of("language")["properties"]
    assert schema.keys() == {each.name for each in fields(Language)} - {"folders", "digest"} | {"language"}
    assert all(part["examples"] for part in schema.values())
    assert set(schema_of("language")["$defs"]["styles"]["items"]["enum"]) == set(QUOTE_STYLES) == set(_STYLES)
    texts = {each.name for each in fields(Language) if each.type == "str"}
    assert set(PATTERN_TEXTS) <= texts


@pytest.mark.parametrize("name", ["language", *DATA])
def test_schemas_are_valid_and_printed(name: str) -> None:
    schema = schema_of(name)
    _validator(schema).check_schema(json.loads(json.dumps(schema)))
    assert json.loads(ftk("schema", "--kind", name).stdout) == json.loads(json.dumps(schema))
    for part in (schema, *schema["$defs"].values()):
        for key, value in part.get("properties", {}).items():
            assert {"title", "description"} <= {*value}, (name, key)


def test_every_name_has_a_schema() -> None:
    assert set(_OF_LANGUAGES) == set(DATA) == NAMES - {"language"}
    assert schema_of("changes")["properties"].keys() >= KEYS.keys()


def test_an_editor_completes_and_explains_keys() -> None:
    from rulespec.editing.editors.completion import proposals
    from rulespec.editing.editors.hover import hover

    contrasts_file = Source("specs/languages/nl/contrasts.yaml", "families:\n  side:\n    le\nnegation: {reach: 3}\n")
    offered = {one.text for one in proposals(contrasts_file, contrasts_file.text.index("le\n") + 2)}
    assert {"left", "right"} <= offered
    record = Source("specs/languages/nl/language.yaml", "language: 1\ntag: nl\nconjunctions: [en]\n")
    shown = hover(record, record.text.index("conj") + 2)
    assert shown is not None and "Words between the last two items" in shown[0]


# --- new languages ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tag", ["nl", "pt-BR", "ja", "ar", "sr-Latn", "tlh", "yue", "de-AT", "en", "qaa", "th"])
@pytest.mark.sample(4)
def test_a_new_language_has_no_findings_and_its_layout(project: Path, tag: str) -> None:
    assert ftk("language", "new", tag).exit_code == 0
    done = ftk("check", "specs")
    assert done.exit_code == 0 and "nothing wrong" in done.stdout
    assert ftk("fmt", "--check", "specs").exit_code == 0
    assert ftk("language", "test", tag).exit_code == 0
    again = ftk("language", "new", tag)
    assert again.exit_code == 3 and "Nothing was written" in again.stderr


def test_values_of_cldr_are_in_force_and_the_rest_is_explained(project: Path) -> None:
    before = find_language("nl")
    for path, text in new_language(project, "nl").items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text, encoding="utf-8")
    use_language(project)
    made = find_language("nl")
    assert made.level == 1 and made.digest
    for each in fields(Language):
        if each.name not in ("folders", "digest"):
            assert getattr(made, each.name) == getattr(before, each.name), each.name
    record = (project / "nl" / "language.yaml").read_text("utf-8")
    assert "conjunctions: [of, en]" in record and "# either: " in record
    assert "    3: drie\n" in (project / "nl" / "numerals.yaml").read_text("utf-8")


def test_the_values_of_another_language_are_examples(project: Path) -> None:
    assert ftk("language", "new", "be", "--from", "uk").exit_code == 0
    use_language(project)
    made = find_language("be")
    assert made.level == 1 and made.file("contrasts.yaml") is None
    uncommented = [line[2:] for line in (project / "be" / "contrasts.yaml").read_text("utf-8").splitlines()]
    assert "families:" in uncommented
    other = ftk("language", "new", "nl", "--from", "fy")
    assert other.exit_code == 3 and "There is no record of fy" in other.stderr


@pytest.mark.parametrize("tag", ["", "dutch", "../nl", "nl/../x", "n l", "xx" * 300, "qzz", "-q-"])
def test_a_tag_that_is_none_makes_no_files(project: Path, tag: str) -> None:
    assert ftk("language", "new", "--", tag).exit_code == 3
    assert not project.exists()


def test_nothing_is_half_written(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(source: str, target: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fails)
    assert ftk("language", "new", "nl").exit_code == 3
    assert [path for path in project.rglob("*") if path.is_file()] == []


# --- in use ----------------------------------------------------------------------------------------------------------


def test_a_record_adds_to_one_that_comes_later(project: Path) -> None:
    written(project, "af", language="tag: af\nextends: nl\n")
    written(project, "nl", language="tag: nl\neither: ' of '\n", contrasts="families: {side: {left: [links]}}\n")
    use_language(project)
    assert find_language("af").either is find_language("nl").either is not None
    assert find_language("af").name == "Afrikaans" and find_language("af").level == 2


def test_a_region_inherits_from_the_record_of_its_language(project: Path) -> None:
    written(project, "pt", language="tag: pt\neither: ' ou '\n", contrasts="families: {side: {left: [esquerda]}}\n")
    written(project, "pt-AO", language="tag: pt-AO\nboth: ambos\n")
    written(project, "de-AT", language="tag: de-AT\nlost_word: odr\n")
    use_language(project)
    brazil, angola, austria = map(find_language, ("pt-BR", "pt-AO", "de-AT"))
    assert (brazil.tag, brazil.level) == ("pt-BR", 2) and contrasts("esquerda", brazil)
    assert angola.either is not None and angola.both is not None and angola.level == 2
    assert (austria.lost_word, austria.level) == ("odr", LANGUAGES["de"].level)
    written(project, "zh-Hant", language="tag: zh-Hant\ndash: －\n")
    use_language(project)
    assert find_language("zh-Hant-HK").dash == "－" and find_language("zh-Hans").dash != "－"


def test_a_record_is_not_about_another_script(project: Path) -> None:
    written(project, "sr", language="tag: sr\neither: ' или '\n")
    use_language(project)
    assert find_language("sr").either is not None and find_language("sr-Cyrl").either is not None
    latin = find_language("sr-Latn")
    assert latin.script == "Latin" and latin.either is None


def test_a_changed_file_is_read_again(project: Path) -> None:
    target = written(project, "nl", contrasts="families: {side: {left: [links]}}\n")
    use_language(project)
    assert len(contrasts("links en rechts", find_language("nl"))) == 1
    (target / "contrasts.yaml").write_text("families: {side: {left: [links], right: [rechts]}}\n", encoding="utf-8")
    use_language(project)
    assert len(contrasts("links en rechts", find_language("nl"))) == 2


def test_a_file_of_comments_counts_as_missing(project: Path) -> None:
    written(project, "nl", contrasts="# families: {}\nlanguage: 1\n")
    use_language(project)
    assert find_language("nl").level == 1


# --- commands --------------------------------------------------------------------------------------------------------


def test_languages_are_listed_with_level_and_source(project: Path) -> None:
    assert ftk("new", "river", "-q").exit_code == 0
    written(project, "nl")
    text = project.parent / "translations" / "river" / "fr.yaml"
    text.write_text("translation: 3\ngame: river\nlang: fr\ntitle: x\nrules: {}\n", encoding="utf-8")
    lines = [line.split() for line in ftk("language").stdout.splitlines()[1:]]
    assert lines == [
        ["en", "English", "3", "package", "1"],
        ["fr", "French", "1", "CLDR", "1"],
        ["nl", "Dutch", "1", "project:", "specs/languages/nl", "0"],
    ]
    data = json.loads(ftk("language", "--format", "json").stdout)
    assert [one["source"] for one in data["languages"]] == ["package", "CLDR", "project"]


def test_no_languages_are_a_failure(project: Path) -> None:
    done = ftk("language")
    assert done.exit_code == 3 and "ftk language new TAG" in done.stderr


def test_samples_decide_the_exit_status(project: Path) -> None:
    target = written(project, "nl", samples="samples: [{text: drie kaarten, numbers: [3]}]\n")
    good = ftk("language", "test", "nl")
    assert good.exit_code == 0 and good.stdout == "1 sample in 2 files, 0 failed: nothing wrong.\n"
    (target / "samples.yaml").write_text("samples: [{text: drie kaarten, numbers: [4]}]\n", encoding="utf-8")
    bad = ftk("language", "test", "nl", "--format", "json")
    data = json.loads(bad.stdout)
    assert bad.exit_code == 1 and [one["name"] for one in data["findings"]] == ["language-sample"]
    assert (data["summary"]["cases"], data["summary"]["failed"]) == (1, 1)
    assert ftk("check", "specs").exit_code == 1
    missing = ftk("language", "test", "fr")
    assert missing.exit_code == 3 and "ftk language new fr" in missing.stderr


@pytest.mark.parametrize("tag", [tag for tag in LANGUAGES if samples_of(Path("/nowhere"), tag) is not None])
def test_the_samples_of_the_package_are_read_as_they_say(project: Path, tag: str) -> None:
    done = ftk("language", "test", tag)
    assert done.exit_code == 0, done.stdout


def test_a_true_sentence_has_no_finding(project: Path) -> None:
    assert ftk("new", "river", "-q").exit_code == 0
    rule = "turn.keep"
    true, false = "Put the card into your row, face up.", "Put nine cards into your row."
    sample = "samples: [{text: '%s', rule: 'river: %s'}]\n"
    target = written(project, "en", samples=sample % (true, rule))
    assert ftk("language", "test", "en").exit_code == 0
    (target / "samples.yaml").write_text(sample % (false, rule), encoding="utf-8")
    done = ftk("language", "test", "en")
    assert done.exit_code == 1 and "is to be true of" in done.stdout


def test_projects_have_a_folder_of_languages(project: Path) -> None:
    assert Project(project.parent).languages == project
