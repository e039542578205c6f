"""Findings about two places that contradict each other show both."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import ftk

import rulespec
from rulespec.source import Source

SPEC, EN, CASES = "specs/river.yaml", "specs/translations/river/en.yaml", "specs/scenarios/river/cases.yaml"

PLACES = (
    ("duplicate-key", SPEC, "values:\n", "zones: {}\nvalues:\n", "zones:", "The first `zones`."),
    ("duplicate-id", SPEC, "id: turn.keep", "id: turn.draw", "{id: turn.draw", "The first `turn.draw`."),
    ("wrong-total", SPEC, "moon: 18", "moon: 13", "{suit: [sun, moon]", "This row has 18 cards of them."),
    ("scenario-same-id", CASES, None, None, "id: ", "The first case "),
)
"""A finding, the mistake that it is about, what stands at its other place, and how that is called."""


@pytest.fixture(scope="module")
def river(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("river")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert ftk("new", "river", "--lang", "en,uk", "-q").exit_code == 0
    return folder


def mistaken(river: Path, file: str, good: str | None, bad: str | None) -> Source:
    """A file with a mistake; without one given, with its last part twice."""
    text = (river / file).read_text(encoding="utf-8")
    if good is None or bad is None:
        start = text.rindex("\n  - id:")
        return Source(file, f"{text.rstrip()}{text[start:]}")
    assert good in text
    return Source(file, text.replace(good, bad, 1))


@pytest.mark.parametrize(("name", "file", "good", "bad", "there", "message"), PLACES)
def test_the_other_place_is_shown(
    name: str,
    file: str,
    good: str | None,
    bad: str | None,
    there: str,
    message: str,
    river: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(river)
    source = mistaken(river, file, good, bad)
    found = next(one for one in rulespec.check_source(source).findings if one.name == name)
    other = found.related[0]
    assert other.message.startswith(message)
    assert (other.path, other.start) != (found.path, found.start)
    assert there in source.line(other.start.line)


def test_reports_show_the_other_place(river: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "river.yaml"
    path.write_text(mistaken(river, SPEC, "moon: 18", "moon: 13").text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    lines = ftk("check", "river.yaml").output.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("  see river.yaml:"))
    assert lines[at].endswith(": This row has 18 cards of them.")
    assert "{suit: [sun, moon]" in lines[at + 1] and set(lines[at + 2].partition("| ")[2]) == {" ", "-"}
    (found,) = json.loads(ftk("check", "river.yaml", "--format", "json").output)["findings"]
    (other,) = found["related"]
    assert (other["path"], other["message"]) == ("river.yaml", "This row has 18 cards of them.")
    (result,) = json.loads(ftk("check", "river.yaml", "--format", "sarif").output)["runs"][0]["results"]
    (place,) = result["relatedLocations"]
    assert place["message"] == {"text": "This row has 18 cards of them."}
    assert place["physicalLocation"]["region"]["startLine"] == other["start"]["line"]
