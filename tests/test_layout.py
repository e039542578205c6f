"""`ftk fmt`: the canonical layout keeps nodes and comments, and formatting twice changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import ftk
from doc_games import GAMES
from hypothesis import given
from hypothesis import strategies as st

from rulespec.base.failure import Refusal
from rulespec.base.source import Source, read
from rulespec.language.document import parse
from rulespec.language.document.nodes import plain
from rulespec.language.layout import WIDTH, comments, formatted

SPECS = sorted((Path(__file__).parent.parent / "specs").rglob("*.yaml"))

SAMPLES = {
    "indentation": (
        "a:\n    b: 1\n    # about c\n    c:\n    - x\n    -   y: 1\n        z: 2\n",
        "a:\n  b: 1\n  # about c\n  c:\n    - x\n    - y: 1\n      z: 2\n",
    ),
    "blank lines": ("\n\na: 1   \n\n\n\nb: 2\n\n", "a: 1\n\nb: 2\n"),
    "line ends": ("a:  1\r\nb: |\r\n  text  \r\n\r\n", "a:  1\r\nb: |\r\n  text  \r\n"),
    "no line end": ("a: 1", "a: 1\n"),
    "brackets": ("a: { b: 1,c: [ x,y ] }\n", "a: {b: 1, c: [x, y]}\n"),
    "columns": ("a:   {b: 1,   c: 2}\nlonger: {b: 10,  c: 2}\n", "a:   {b: 1,   c: 2}\nlonger: {b: 10,  c: 2}\n"),
    "comments": ("a:  # one\n      - 1 # two\n# three\n", "a:  # one\n  - 1 # two\n# three\n"),
    "a literal": ("a:\n    b: |\n        x\n\n\n          y\n", "a:\n  b: |\n      x\n\n\n        y\n"),
    "a long mapping": (
        f"a:\n  - {{id: {'x' * 60}, title: {'y' * 60}, do: [{{b: 1}}]}}\n",
        f"a:\n  - id: {'x' * 60}\n    title: {'y' * 60}\n    do: [{{b: 1}}]\n",
    ),
    "a long row": (
        f"a:\n  - {{name: {'x' * 45}, value: {'y' * 45}, source: [b, c]}}\n",
        f"a:\n  - {{name: {'x' * 45}, value: {'y' * 45},\n    source: [b, c]}}\n",
    ),
    "a long value": (f"a: {{b: {'x' * 60}, c: {'y' * 60}}}\n", f"a:\n  b: {'x' * 60}\n  c: {'y' * 60}\n"),
    "a long list": (f"a: [{', '.join(['word'] * 30)}]\n", f"a: [{'word, ' * 18}word,\n  {'word, ' * 10}word]\n"),
    "a long text": (f"a: {'word ' * 29}word\n", f"a: {'word ' * 22}word\n  {'word ' * 6}word\n"),
    "a comment in brackets": (f"a: [x, # {'y' * 120}\n  z]\n", f"a: [x, # {'y' * 120}\n  z]\n"),
    "a number sign": (f"a: {'x' * 116} #1\n", f"a: {'x' * 116} #1\n"),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_samples(name: str) -> None:
    before, after = SAMPLES[name]
    assert formatted(Source("a.yaml", before)).text == after
    assert formatted(Source("a.yaml", after)).text == after


def check_layout(source: Source) -> Source:
    after = formatted(source)
    was, now = parse(source)[0], parse(after)[0]
    assert was is not None and now is not None
    assert (plain(now), comments(now)) == (plain(was), comments(was))
    assert formatted(after).text == after.text
    return after


@pytest.mark.parametrize("path", SPECS, ids=lambda path: f"{path.parent.name}/{path.name}")
@pytest.mark.sample(10)
def test_every_spec_keeps_what_it_says(path: Path) -> None:
    source, _ = read(str(path))
    assert source is not None
    after = check_layout(source)
    root, _ = parse(after)
    assert root is not None
    for line in after.text.split("\n"):
        assert len(line) <= WIDTH or "#" in line or "translations" in str(path)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.file)
@pytest.mark.sample(6)
def test_every_game_of_the_docs_keeps_what_it_says(game: object) -> None:
    check_layout(game.source)  # type: ignore[attr-defined]


_TEXT = st.text("ab:#-,[]{}'\" \n", max_size=60)


@given(_TEXT)
def test_any_text_keeps_what_it_says_or_is_refused(text: str) -> None:
    source = Source("a.yaml", text)
    try:
        check_layout(source)
    except Refusal:
        assert parse(source)[0] is None


def test_the_command_shows_writes_and_checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ftk("new", "river", "-q")
    spec = tmp_path / "specs/river.yaml"
    good = spec.read_text(encoding="utf-8")
    assert ftk("fmt", "--write").exit_code == 0
    assert ftk("fmt", "--check").exit_code == 0
    spec.write_text(good.replace("\n", "   \n"), encoding="utf-8")
    shown = ftk("fmt", "river")
    assert shown.exit_code == 0 and "--- a/specs/river.yaml" in shown.stdout and "1 file would change" in shown.stderr
    assert ftk("fmt", "--check").exit_code == 1
    assert ftk("fmt", "river", "--write").stdout == ""
    assert ftk("check").exit_code == 0 and ftk("fmt", "--check").exit_code == 0


def test_standard_input_is_printed() -> None:
    assert ftk("fmt", "-", stdin="a: {  b: 1}").stdout == "a: {b: 1}\n"
    assert ftk("fmt", "-", "--write", stdin="a: 1").exit_code == 2


@pytest.mark.parametrize("text", ["a: [1\n", "", "a: &x 1\nb: *x\n", "a: 1\na: \x00\n"])
def test_what_is_no_yaml_is_left_alone(text: str, tmp_path: Path) -> None:
    file, good = tmp_path / "a.yaml", tmp_path / "b.yaml"
    file.write_text(text, encoding="utf-8")
    good.write_text("a:    1  \n", encoding="utf-8")
    result = ftk("fmt", good, file, "--write")
    assert result.exit_code == 3 and str(file) in result.stderr and "Traceback" not in result.output
    assert (file.read_text(encoding="utf-8"), good.read_text(encoding="utf-8")) == (text, "a:    1  \n")
