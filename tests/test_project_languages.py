"""Languages of a project: found beside its texts, merged over what this package has, never fatal."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulespec.base import project
from rulespec.base.diagnostics import Finding
from rulespec.base.source import read
from rulespec.games.rulebook import check_translation
from rulespec.text.languages.quantity.reader import read as quantities
from rulespec.text.languages.registry import find, use
from rulespec.text.reading.contrasts.reader import read as contrasts

LANTERN = Path(__file__).parent / "languages" / "lantern"
RECORD = "tag: nl\nexample: bijvoorbeeld\n"
CONTRASTS = "families:\n  side: {left: [linksom], right: [rechtsom]}\n"
ENGLISH = "families:\n  side: {left: [widdershins]}\n"


@pytest.fixture(autouse=True)
def no_project() -> Iterator[None]:
    yield
    use(Path("/nowhere"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with a record of Dutch."""
    shutil.copytree(LANTERN, tmp_path / "specs")
    record = tmp_path / "specs" / "languages" / "nl"
    record.mkdir(parents=True)
    (record / "language.yaml").write_text(RECORD, encoding="utf-8")
    return tmp_path / "specs" / "languages"


def findings(folder: Path) -> tuple[Finding, ...]:
    source, _ = read(str(folder.parent / "translations" / "lantern" / "de.yaml"))
    assert source is not None
    return check_translation(source).findings


def test_a_record_adds_to_what_cldr_has(folder: Path) -> None:
    use(folder)
    assert (find("nl").name, find("nl").example, find("nl").conjunctions) == ("Dutch", "bijvoorbeeld", ("of", "en"))
    assert (find("nl").level, find("nl-BE").example) == (1, "bijvoorbeeld")
    (folder / "nl" / "contrasts.yaml").write_text(CONTRASTS, encoding="utf-8")
    use(folder)
    assert find("nl").level == find("nl-BE").level == 2
    assert [(one.family, one.value) for one in contrasts("rechtsom", find("nl"))] == [("side", "right")]


def test_a_text_is_read_with_the_languages_beside_it(folder: Path) -> None:
    findings(folder)
    assert find("nl").example == "bijvoorbeeld"
    use(Path("/nowhere"))
    assert find("nl").example == ""


def test_the_data_of_a_project_joins_that_of_this_package(folder: Path) -> None:
    english = folder / "en"
    english.mkdir()
    (english / "language.yaml").write_text("tag: en\n", encoding="utf-8")
    (english / "contrasts.yaml").write_text(ENGLISH, encoding="utf-8")
    use(folder)
    assert [one.value for one in contrasts("Pass widdershins, then clockwise.", find("en"))] == ["left", "left"]
    assert find("en").level == 3


def test_number_words_of_a_project_join_those_of_cldr(folder: Path) -> None:
    (folder / "nl" / "numerals.yaml").write_text("forms: {cardinal: {12: dozijn}}\n", encoding="utf-8")
    use(folder)
    assert [one.value for one in quantities("een dozijn kaarten en drie munten", "nl")] == [1, 12, 3]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("language.yaml", "tag: nl\ncolour: red\n"),
        ("language.yaml", "{"),
        ("contrasts.yaml", "families: {side: [left]}\n"),
        ("contrasts.yaml", "families:\n  side: {left: ['/(/']}\n"),
        ("numerals.yaml", "forms: {cardinal: {many: 12}}\n"),
        ("numerals.yaml", "patterns: [{kind: cardinal, like: '('}]\n"),
    ],
)
def test_a_record_that_cannot_be_read_is_left_out(folder: Path, name: str, text: str) -> None:
    before = findings(folder)
    (folder / "nl" / name).write_text(text, encoding="utf-8")
    assert findings(folder) == before
    assert (find("nl").name, find("nl").example) == ("Dutch", "")


def test_what_is_kept_of_a_check_depends_on_the_languages_of_the_project(folder: Path) -> None:
    spec = folder.parent / "lantern.yaml"
    assert folder / "nl" / "language.yaml" in set(project.files_about("lantern", str(spec)))
    assert project.Project(folder.parent / "gallery").languages == folder
