"""The output formats of findings, also for hostile text."""

import json
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest

from ftk_cli.report import FORMATS
from ftk_cli.report.batch import Batch, Case, Coverage, Look, Sources
from ftk_cli.report.display import excerpt, harmless, width, wrapped
from ftk_cli.terminal import MARK
from rulespec.base.diagnostics import Finding, Position, Report
from rulespec.base.source import Source

Make = Callable[..., Batch]


def batch(line: str, start: int, end: int, message: str = "wrong", path: str = "a,b:c%.yaml") -> Batch:
    """One finding about the code points start..end (from 1) of a line."""
    sources = Sources()
    sources.add(Source(path, f"{line}\n"))
    found = Finding("unknown-key", message, path, Position(1, start), Position(1, end), "Do this.")
    return Batch(Report((found,)), (path, "clean.yaml"), sources)


def text(made: Batch, **look: object) -> list[str]:
    return FORMATS["text"](made, Look(**look)).splitlines()  # type: ignore[arg-type]  # checked by the dataclass's users


@pytest.mark.parametrize(
    ("line", "start", "end", "before", "size"),
    [
        ("abc: 1", 1, 4, 0, 3),
        ("國王: 卡", 5, 6, 6, 2),  # two cells each
        ("король: 1", 9, 10, 8, 1),  # ambiguous width counts one
        ("“–”: x", 6, 7, 5, 1),
        ("\tx", 2, 3, 4, 1),
        ("ab\tx", 4, 5, 4, 1),
        ("國\tx", 3, 4, 4, 1),
        ("e\u0301x", 3, 4, 1, 1),  # a combining accent takes no cell
        ("ab", 3, 3, 2, 1),  # the end of the line
        ("", 1, 1, 0, 1),
        ("ab", 9, 12, 2, 1),  # beyond it
    ],
)
def test_the_mark_stands_under_the_place(line: str, start: int, end: int, before: int, size: int) -> None:
    lines = text(batch(line, start, end))
    mark = lines[2].partition("| ")[2]
    assert mark == " " * before + "^" * size


@pytest.mark.parametrize("column", [1, 50, 300, 400])
def test_a_long_line_is_cut_around_the_place(column: int) -> None:
    line = "國王ab" * 99 + "\tcdef"
    column = min(column, len(line))
    part, before, size = excerpt(line, column - 1, column, 60)
    assert width(part) <= 60
    shown = [cell for char in part for cell in [char] + [""] * (width(char) - 1)]
    assert shown[before] == line[column - 1].replace("\t", " ")
    assert size == width(line[column - 1]) or line[column - 1] == "\t"


def test_an_excerpt_of_a_long_line_costs_no_more_than_its_width() -> None:
    line, began = "ab國" * 500_000, time.process_time()
    for column in range(0, len(line), 15_000):
        part, _, size = excerpt(line, column, column + 1, 60)
        assert width(part) <= 60 and size == width(line[column])
    assert time.process_time() - began < 5  # a tenth of a second; measuring the whole line takes a minute


def test_nothing_in_a_file_can_steer_the_terminal() -> None:
    lines = text(batch("a\x1b[31m\u202eb", 1, 2, message="\x1b]0;title\x07\nnext"))
    assert not any(c in "".join(lines) for c in "\x1b\x07\u202e")
    assert len(lines) == 6
    assert harmless("a\r\nb") == "a b"


def test_colours_only_where_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MARK in "".join(text(batch("abc", 1, 2), colour=True))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert Look.of(None).colour
    assert not Look.of("file").colour
    monkeypatch.setenv("NO_COLOR", "1")
    assert not Look.of(None).colour


def test_sarif_has_what_services_require() -> None:
    data = json.loads(FORMATS["sarif"](batch("國王: 卡", 1, 3), Look()))
    assert data["version"] == "2.1.0"
    (run,) = data["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["id"] == "RS201" and rule["shortDescription"]["text"] and rule["help"]["text"]
    assert rule["helpUri"].endswith("/findings/schema/#rs201-unknown-key")
    (result,) = run["results"]
    assert (result["ruleId"], result["ruleIndex"], result["level"]) == ("RS201", 0, "error")
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%2Cb%3Ac%25.yaml"
    assert place["region"] == {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 3}
    assert result["partialFingerprints"]["ftk/v1"]


def test_a_sarif_path_is_relative(tmp_path: Path) -> None:
    data = json.loads(FORMATS["sarif"](batch("x", 1, 2, path=str(Path.cwd() / "a b.yaml")), Look()))
    place = data["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b.yaml"


def test_a_fingerprint_survives_a_move_and_tells_twins_apart() -> None:
    def prints(*lines: int) -> list[str]:
        sources = Sources()
        sources.add(Source("a.yaml", "\n\nx\nx\n" if max(lines) > 2 else "x\nx\n"))
        found = [Finding("unknown-key", "wrong", "a.yaml", Position(n, 1), Position(n, 2)) for n in lines]
        data = json.loads(FORMATS["sarif"](Batch(Report(tuple(found)), (), sources), Look()))
        return [result["partialFingerprints"]["ftk/v1"] for result in data["runs"][0]["results"]]

    assert prints(1, 2) == prints(3, 4)
    assert len(set(prints(1, 2))) == 2


@pytest.mark.parametrize("form", ["text", "github"])
def test_of_very_many_findings_some_are_shown_and_all_counted(form: str) -> None:
    found = [Finding("unknown-key", "wrong", "a.yaml", Position(line, 1), Position(line, 2)) for line in range(1, 1001)]
    other = Finding("wrong-kind", "wrong", "a.yaml", Position(1, 1), Position(1, 2))
    said = FORMATS[form](Batch(Report((*found, other)), ("a.yaml",)), Look(quiet=form == "text"))
    assert said.count("RS201") == 201 and said.count("RS204") == 1 and "800 more of RS201 unknown-key" in said


def test_github_commands_are_escaped() -> None:
    made = FORMATS["github"](batch("abc", 1, 4, message="100%\n::error::x"), Look())
    assert made == (
        "::error file=a%2Cb%3Ac%25.yaml,line=1,endLine=1,col=1,endColumn=3,title=RS201 unknown-key"
        "::100%25%0A::error::x Do this.\n"
    )


def test_junit_is_xml_whatever_the_text() -> None:
    root = ElementTree.fromstring(FORMATS["junit"](batch("x", 1, 2, message='<&"\x00\x1b]]>'), Look()).encode())
    suites = {suite.get("name"): suite for suite in root}
    assert suites["clean.yaml"].get("failures") == "0"
    failure = suites["a,b:c%.yaml"].find("testcase/failure")
    assert failure is not None and failure.get("type") == "RS201 unknown-key"


def test_junit_has_a_test_for_every_case() -> None:
    found = batch("x", 1, 2).report.findings
    cases = (Case("a,b:c%.yaml", "one", "One", False, found), Case("a,b:c%.yaml", "two", "Two", True))
    made = Batch(Report(found), ("a,b:c%.yaml",), cases=cases)
    (suite,) = ElementTree.fromstring(FORMATS["junit"](made, Look()).encode())
    assert [(case.get("name"), len(case)) for case in suite] == [("one", 1), ("two", 0)]


def test_text_and_json_tell_of_cases_and_coverage() -> None:
    made = Batch(Report(()), ("a",), cases=(Case("a", "one", "One", True),), coverage=(Coverage("g", 3, ("r.x",)),))
    assert text(made) == ["g: 2 of 3 rules applied; never: r.x.", "1 scenario in 1 file, 0 failed: nothing wrong."]
    data = json.loads(FORMATS["json"](made, Look()))
    assert data["cases"] == [{"path": "a", "id": "one", "title": "One", "passed": True}]
    assert data["coverage"] == {"g": {"rules": 3, "never": ["r.x"]}}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("  short", ["  short"]),
        ("  one two three", ["  one two", "    three"]),
        ("one  two three four", ["one  two", "  three", "  four"]),
        ("unbreakable", ["unbreakable"]),
        ("一二三 四五 六", ["一二三 四", "  五 六"]),
        ("first one\nsecond line", ["first one", "second", "  line"]),
    ],
)
def test_lines_break_between_words(text: str, lines: list[str]) -> None:
    assert wrapped(text, 9).split("\n") == lines
