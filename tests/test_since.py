"""Marks in a rulebook of what has changed since an earlier version, in every format."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from command import ftk
from typesetting import needs_pdf

from rulespec.text.output.render.blocks import Marks, changed
from rulespec.text.output.render.index import RuleSection

pytestmark = pytest.mark.slow("renders rulebooks of large games")

SPECS = Path(__file__).parents[1] / "specs"
TEXT = "First.\n\n- one\n- two\n\nLast.\n\n| a | b |\n|---|---|\n| 1 | 2 |"


@pytest.mark.parametrize(
    ("old", "new", "numbers"),
    [
        (TEXT, TEXT, None),
        (TEXT, TEXT.replace("First", "1st"), {0}),
        (TEXT, TEXT.replace("two", "2"), {2}),
        (TEXT, TEXT.replace("| 1", "| 3"), {4}),
        (TEXT, TEXT.replace("Last.", "Last.\n\nNew."), {4}),
        (TEXT, TEXT.replace("- two\n", ""), {2}),  # the block after the one that is gone
        ("One.\n\nTwo.", "One.", {0}),
        ("", TEXT, {0, 1, 2, 3, 4}),
        (TEXT, "", set()),
        (TEXT, TEXT.replace("First.", "- First."), {0}),  # the same words in another kind of block
        (TEXT, TEXT.replace("First.", "# First."), {0}),
        (TEXT, TEXT.replace("Last.", "> Last."), {3}),
        (TEXT, TEXT.replace("Last.", "**Last.**"), {3}),
        (TEXT, TEXT.replace("- one\n- two", "1. one\n2. two"), {1, 2}),
        (TEXT, TEXT.replace("Last.", "Last.\n\n---"), {4}),
        ("```\none\n```", "one", {0}),
        ("| a |\n|---|\n| 1 |\n| 2 |", "| a | 1 |\n|---|---|\n| 2 |  |", {0}),
        ("One\ntwo.\n\n- one\n- two", "One two.\n\n* one\n\n* two", None),  # a reader sees no difference
    ],
)
def test_changed_paragraphs_are_marked(old: str, new: str, numbers: set[int] | None) -> None:
    found = changed([RuleSection("a", "A", old, 1)], [RuleSection("b", "A", new, 1)], {"b": "a"}, ())
    assert found == ({} if numbers is None else {"b": Marks(not numbers, frozenset(numbers))})


def test_the_same_words_that_mean_something_else_are_marked() -> None:
    here = [RuleSection("a", "A", TEXT, 1), RuleSection("b", "B", TEXT, 1)]
    assert changed(here, here, {}, {"b"}) == {"b": Marks(blocks=frozenset(range(5)))}
    assert changed([], here, {}, ()) == dict.fromkeys("ab", Marks(True, frozenset(range(5))))


def test_another_title_is_marked() -> None:
    found = changed([RuleSection("a", "A", TEXT, 1)], [RuleSection("a", "B", TEXT, 1)], {}, ())
    assert found == {"a": Marks(title=True)}


@pytest.mark.parametrize(
    ("old", "new", "numbers"),
    [
        (("One.", "two"), ("One.", "two"), set()),
        (("One.", "two", "three"), ("One.", "two", "3"), {2}),
        (("One.",), ("One.", "two\n\nthree"), {1, 2}),
        (("One.\n\ntwo",), ("One.", "two"), {1}),  # what was part of the rule is an example of it now
        (("One.", "two"), ("One.",), {0}),
    ],
)
def test_worked_examples_are_marked(old: tuple[str, ...], new: tuple[str, ...], numbers: set[int]) -> None:
    was, now = (RuleSection("a", "A", one[0], 1, one[1:]) for one in (old, new))
    assert changed([was], [now], {}, ()) == ({"a": Marks(blocks=frozenset(numbers))} if numbers else {})


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one game, of which version 1.0.0 is released and whose rules and text have changed since."""
    specs = tmp_path / "specs"
    for name in ("fortheking.yaml", "translations/fortheking", "glossaries/fortheking.yaml"):
        copy = shutil.copytree if (SPECS / name).is_dir() else shutil.copyfile
        (specs / name).parent.mkdir(parents=True, exist_ok=True)
        copy(SPECS / name, specs / name)
    monkeypatch.chdir(tmp_path)
    assert ftk("release", "fortheking", "--anyway").exit_code == 0  # the scenarios of its examples are left out
    change(specs / "fortheking.yaml", "version: 1.0.0", "version: 2.0.0")
    change(specs / "fortheking.yaml", "{opener: left_of(adviser)}", "{opener: right_of(adviser)}")
    change(specs / "translations/fortheking/en.yaml", "the most victory points wins", "the most points wins")
    return tmp_path


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


RENDER = ("text", "render", "fortheking", "--lang", "en", "--players", "3")


def test_a_page_has_bars_and_a_list(project: Path) -> None:
    page = ftk(*RENDER, "--format", "html", "--since", "1.0.0").output
    assert re.findall(r'<p class="changed">(.*?)\.</p>', page) == [
        "Whoever has the most points wins the game",
        "Whoever sits directly to the left of the last adviser begins as first player",  # its rule has changed
    ]
    assert page.count(">Changed since 1.0.0</a>") == 2 and 'id="page-changes"' in page
    assert "<del>left</del>" in page and "<ins>right</ins>" in page
    assert '<a href="#aim">Aim of the game</a></p>' in page
    assert "changed" not in re.sub(r"<style>.*?</style>", "", ftk(*RENDER, "--format", "html").output, flags=re.DOTALL)


def test_markdown_has_the_list(project: Path) -> None:
    text = ftk(*RENDER, "--since", "fortheking@1.0.0").output.partition("## Changes since 1.0.0")[2]
    assert "- **First player of the first round**" in text and "### Only the words have changed" in text
    assert "## Changes" not in ftk(*RENDER).output


@needs_pdf
def test_a_pdf_has_bars_and_a_list(project: Path) -> None:
    import pypdf

    assert ftk(*RENDER, "--format", "pdf", "--since", "1.0.0", "--output", "rules.pdf").exit_code == 0
    text = "".join(page.extract_text() for page in pypdf.PdfReader("rules.pdf").pages)
    assert text.count("Changed since 1.0.0") == 2 and "Previously: The adviser’s left neighbour" in text


@pytest.fixture
def reworded(project: Path) -> None:
    """The project with another title and another worked example of one rule."""
    shutil.copytree(SPECS / "scenarios/fortheking", project / "specs/scenarios/fortheking")
    text = project / "specs/translations/fortheking/en.yaml"
    change(text, "title: Pay with gold", "title: Paying with gold")
    change(text, "Ada opens with 2, Ben bids 4, then", "Ada opens with 2, Ben raises to 4, then")


def test_a_title_and_an_example_have_bars_and_are_in_the_list(reworded: None) -> None:
    page = ftk(*RENDER, "--format", "html", "--since", "1.0.0").output
    assert re.findall('<span class="title changed">(.*?)</span>', page) == ["Paying with gold"]
    assert re.search(r'class="example">.*\n<p class="changed">Ada opens with 2, Ben raises to 4', page)
    assert page.count(">Changed since 1.0.0</a>") == 3
    listed = ftk(*RENDER, "--since", "1.0.0").output.partition("## Changes since 1.0.0")[2]
    assert "Ada opens with 2, Ben raises to 4" in listed and "Now: Paying with gold" in listed


@needs_pdf
def test_a_title_and_an_example_have_bars_in_a_pdf(reworded: None) -> None:
    import pypdf

    def bars(*since: str) -> int:
        assert ftk(*RENDER, "--format", "pdf", *since, "--output", "rules.pdf").exit_code == 0
        drawn = (page.get_contents().get_data() for page in pypdf.PdfReader("rules.pdf").pages)
        return sum(len(re.findall(rb"\b2 w\b", one)) for one in drawn)  # lines of two points

    # The aim, a rule that means something else, the title and the example, which may have a bar on two pages.
    assert bars("--since", "1.0.0") - bars() >= 4  # pictures have such lines, too


@pytest.mark.parametrize(
    ("since", "status", "words"),
    [("9.9.9", 3, "9.9.9"), ("hearts", 2, "is hearts, not fortheking"), ("nowhere.yaml", 3, "nowhere.yaml")],
)
def test_versions_that_cannot_be_had(project: Path, since: str, status: int, words: str) -> None:
    done = ftk(*RENDER, "--since", since)
    assert done.exit_code == status and words in done.stderr
