"""The table of findings and their pages: complete, consistent, and raised somewhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml
from test_architecture import tree_of

from rulespec.base import findings
from rulespec.base.diagnostics import Span, finding
from rulespec.base.findings import KINDS, docs
from rulespec.base.findings.kind import FindingKind, Severity
from rulespec.base.findings.pages import DOCS, help_uri, page_of
from rulespec.base.findings.table import GROUPS, RETIRED
from rulespec.base.messages import say
from rulespec.base.source import Source
from rulespec.editing.file_kinds import FILE_KINDS

ROOT = Path(__file__).resolve().parent.parent
PAGES = Path(findings.__file__).parent


def test_codes_and_names_are_unique_and_in_order() -> None:
    kinds = [kind for group in GROUPS for kind in group.kinds]
    assert [kind.code for kind in kinds] == sorted({kind.code for kind in kinds})
    assert len(KINDS) == len(kinds)
    assert all(re.fullmatch(r"RS\d{3}", kind.code) for kind in kinds)
    assert all(re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", kind.name) for kind in kinds)


def test_every_kind_has_a_page_and_every_page_a_kind() -> None:
    assert {path.stem for path in (PAGES / "en").iterdir()} == {f"{kind.code}-{kind.name}" for kind in KINDS.values()}


def test_pages_of_other_languages_have_an_english_page() -> None:
    for path in PAGES.glob("*/*.yaml"):
        assert (PAGES / "en" / path.name).exists(), path


def test_a_page_says_what_is_wrong_and_why() -> None:
    for kind, page in ((kind, page_of(kind)) for kind in KINDS.values()):
        assert re.fullmatch(r"[^\n]{10,120}\.", page.title), kind
        assert min(len(page.what), len(page.why), len(page.fix)) > 10, kind
        assert page.bad.strip() and page.good.strip() and page.bad != page.good, kind


def test_a_language_without_pages_falls_back_to_english() -> None:
    kind = KINDS["duplicate-key"]
    assert page_of(kind, "fr") == page_of(kind)


def test_a_page_in_another_language_may_leave_keys_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = KINDS["duplicate-key"]
    for lang in ("en", "uk"):
        (tmp_path / lang).mkdir()
    name = f"{kind.code}-{kind.name}.yaml"
    (tmp_path / "en" / name).write_bytes((PAGES / "en" / name).read_bytes())
    (tmp_path / "uk" / name).write_text("what: Ключ повторюється.\n", encoding="utf-8")
    monkeypatch.setattr("rulespec.base.findings.pages.files", lambda package: tmp_path)
    in_english = page_of(kind)
    page_of.cache_clear()
    assert page_of(kind, "uk").what == "Ключ повторюється." and page_of(kind, "uk").bad == in_english.bad
    page_of.cache_clear()


def test_the_site_has_a_section_about_every_kind() -> None:
    pages, linked = docs.documents(), set()
    for kind in KINDS.values():
        page, _, section = help_uri(kind).removeprefix(f"{DOCS}/").partition("/#")
        linked.add(f"{page}.md")
        assert section in anchors(pages[f"{page}.md"]), kind
        assert f"[{kind.code}]({page}.md#{section})" in pages["README.md"]
    assert {*pages} == {"README.md", *linked}


def test_links_of_the_pages_lead_somewhere() -> None:
    pages = docs.documents()
    for name, text in pages.items():
        for path, section in re.findall(r"\]\(([\w./-]+\.\w+)#?([^)]*)\)", text):
            found = pages.get(path) or (ROOT / "docs" / "findings" / path).resolve().read_text(encoding="utf-8")
            assert not section or section in anchors(found), f"{name} links to {path}#{section}"


def anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


FROZEN = yaml.safe_load((ROOT / "tests" / "frozen_warnings.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("format_", FROZEN)
def test_the_warnings_of_a_format_stay_as_they_are(format_: int) -> None:
    codes = {kind.code for kind in KINDS.values()}
    known = {code for number, codes in FROZEN.items() if number <= format_ for code in codes}
    counting = {kind.code for kind in KINDS.values() if kind.severity == "warning" and kind.since <= format_}
    severe = {kind.code for kind in KINDS.values() if kind.severity == "error"}
    assert set(FROZEN[format_]) <= (codes - severe) | {*RETIRED}, "a warning of this format is gone, or an error now"
    assert counting <= known, f"new warnings need since={format_ + 1}: see tests/frozen_warnings.yaml"


def test_retired_codes_and_names_are_not_used_again() -> None:
    kinds = {word for kind in KINDS.values() for word in (kind.code, kind.name)}
    assert kinds.isdisjoint({*RETIRED, *RETIRED.values()})


def test_errors_count_in_every_format() -> None:
    assert [kind.code for kind in KINDS.values() if kind.since > 1 and kind.severity != "warning"] == []


def test_a_warning_of_a_later_format_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    later = FindingKind("RS619", "never-used", Severity.WARNING, since=2)
    monkeypatch.setitem(KINDS, "never-used", later)
    for text, severity in (("rulespec: 1", "info"), ("rulespec: 2", "warning"), ("a raw text", "warning")):
        found = finding("never-used", say("Never used."), Source("x.yaml", text), Span(0, 1), say("Delete it."))
        assert found.severity == severity
        assert ("In files of format 2 this is a warning." in found.hint) == (severity == "info")
    assert later.severity_text == "warning, since format 2"


def test_every_kind_of_file_states_its_format() -> None:
    for kind in FILE_KINDS.values():
        if kind.key:
            assert Source("x.yaml", f"# a comment\n{kind.key}: 3   # the format\n").format == 3


@cache
def nodes_of(path: Path) -> tuple[ast.Constant | ast.Call, ...]:
    """The constants and calls of a module."""
    return tuple(node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Constant | ast.Call))


def texts_in_code() -> set[str]:
    """Every text constant of the library and the commands, without the table itself."""
    found: set[str] = set()
    for package in ("rulespec", "ftk_cli"):
        for path in (ROOT / package).rglob("*.py"):
            if path.parent.name != "findings":
                nodes = nodes_of(path)
                found |= {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    for path in (ROOT / "rulespec").rglob("*.json"):
        found |= set(re.findall(r'"([^"]*)"', path.read_text(encoding="utf-8")))
    return found


@pytest.mark.slow("reads the whole library")
def test_every_kind_is_raised_somewhere() -> None:
    assert {kind.name for kind in KINDS.values()} <= texts_in_code()


MAKERS = {"finding", "Finding", "refuse", "report", "say", "_say", "fail", "folded", "Misfit", "Misuse", "Problem"}
"""Functions and classes that take the name of a finding as their first or second argument."""

NAME = re.compile(r"[a-z]+(-[a-z0-9]+)+")


def names_raised(path: Path) -> Iterator[tuple[int, str]]:
    """The names of findings in the calls of a module, with their lines."""
    for node in nodes_of(path):
        if isinstance(node, ast.Call):
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            for given in node.args[:2] if called in MAKERS else ():
                if isinstance(given, ast.Constant) and isinstance(given.value, str) and NAME.fullmatch(given.value):
                    yield node.lineno, given.value


@pytest.mark.slow("reads the whole library")
def test_every_finding_in_the_code_has_a_row() -> None:
    paths = [*(ROOT / "rulespec").rglob("*.py"), *(ROOT / "ftk_cli").rglob("*.py")]
    raised = [(path, line, name) for path in paths for line, name in names_raised(path)]
    assert len({name for _, _, name in raised}) > 150
    assert [one for one in raised if one[2] not in KINDS] == []


def test_the_pages_are_valid_yaml_with_known_keys() -> None:
    for path in PAGES.glob("*/*.yaml"):
        page = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert set(page) <= {"title", "what", "why", "fix", "bad", "good"}, path
