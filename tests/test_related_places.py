"""Findings about two places that contradict each other show both."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import ftk

import rulespec
from rulespec.base.source import Source

TERMS, VARIANT = "specs/glossaries/river.yaml", "specs/variants/river/short.yaml"
SPEC, EN, CASES = "specs/river.yaml", "specs/translations/river/en.yaml", "specs/scenarios/river/cases.yaml"

PLACES = (
    ("duplicate-key", SPEC, "values:\n", "zones: {}\nvalues:\n", "zones:", "The first `zones`."),
    ("duplicate-id", SPEC, "id: turn.keep", "id: turn.draw", "{id: turn.draw", "The first `turn.draw`."),
    ("wrong-total", SPEC, "moon: 18", "moon: 13", "{suit: [sun, moon]", "This row has 18 cards of them."),
    ("name-taken", SPEC, "[sun, moon]\n", "[sun, moon, sun]\n", "sun, moon, sun", "The first `sun`."),
    ("number-unaccounted", EN, "three rounds", "four rounds", "id: turns", "The rule in the spec."),
    ("fact-contradicted", EN, "the most points", "the fewest points", "id: end", "The rule in the spec."),
    ("term-confused", EN, "the discard pile", "the row", "text: Покладіть", "The text in uk."),
    ("term-shared", TERMS, "preferred: row}", "preferred: deck}", "preferred: deck", "The first `deck`."),
    (
        "overlay-already-there",
        VARIANT,
        "change:",
        "add: {zones: {deck: {seen_by: nobody}}}\nchange:",
        "deck:",
        "`deck`",
    ),
    ("scenario-same-id", CASES, None, None, "id: ", "The first case "),
)
"""A finding, the mistake that it is about, what stands at its other place, and how that is called."""


@pytest.fixture(scope="module")
def river(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("river")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert ftk("new", "river", "--lang", "en,uk", "-q").exit_code == 0
    variant = "overlay: 2\nid: short\nextends: river\nversion: 0.1.0\ntitle: Short\n"
    change = "change: {rules: {turns: {title: Two rounds, each: {round: 1..2}}}}\n"
    (folder / VARIANT).parent.mkdir(parents=True)
    (folder / VARIANT).write_text(variant + change, encoding="utf-8")
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
    file = source if other.path == source.path else Source(other.path, Path(other.path).read_text(encoding="utf-8"))
    assert there in file.line(other.start.line)


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
