"""Agreement of numbers and the nouns that they count."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import rulespec
from rulespec.base.diagnostics import Finding
from rulespec.base.source import Source
from rulespec.text.checks.counted import check
from rulespec.text.glossary.check import check as check_glossary
from rulespec.text.glossary.concepts import Glossary
from rulespec.text.glossary.concepts import read as read_glossary
from rulespec.text.glossary.entries import to_yaml
from rulespec.text.languages import morphology
from rulespec.text.languages.registry import LANGUAGES, added
from rulespec.text.reading.prose import whole

HERE = Path(__file__).parent / "counted"


def samples(lang: str, which: str) -> list[Any]:
    data: dict[str, list[Any]] = yaml.safe_load((HERE / f"{lang}.yaml").read_text(encoding="utf-8"))
    return data[which]


def found_in(text: str, lang: str) -> list[Finding]:
    return list(check(whole(Source("sample.md", text), lang)))


def unmarked(marked: str) -> tuple[str, str]:
    """The text without ⟪ and ⟫, and the marked form."""
    form = re.search("⟪(.*?)⟫", marked)
    assert form is not None
    return marked.replace("⟪", "").replace("⟫", ""), form[1]


def right_forms(found: Finding) -> list[str]:
    return re.findall("“([^“”]+)”", found.message)[2:]


@pytest.mark.parametrize("sample", samples("uk", "wrong"), ids=lambda sample: sample["text"])
def test_wrong_forms_in_ukrainian(sample: dict[str, Any]) -> None:
    pytest.importorskip("pymorphy3_dicts_uk")
    text, form = unmarked(sample["text"])
    found = found_in(text, "uk")
    assert [one.name for one in found] == ["number-agreement"]
    source = Source("sample.md", text)
    start, end = (source.line_start(at.line) + at.column - 1 for at in (found[0].start, found[0].end))
    assert text[start:end] == form
    assert not sample["is"] or right_forms(found[0]) == sample["is"]


@pytest.mark.parametrize("text", samples("uk", "right"))
def test_right_forms_in_ukrainian(text: str) -> None:
    pytest.importorskip("pymorphy3_dicts_uk")
    assert found_in(text, "uk") == []


# --- terms of a glossary ---------------------------------------------------------------------------------------------


def glossary_of(concepts: dict[str, Any]) -> Glossary:
    text = yaml.safe_dump({"glossary": 1, "game": "sample", "concepts": concepts}, allow_unicode=True)
    found, findings = read_glossary(Source("glossary.yaml", text))
    assert found is not None, findings
    return found


def named(data: dict[str, Any]) -> Glossary:
    return glossary_of({id_: dict(concept) for id_, concept in data.items()})


ENGLISH = yaml.safe_load((HERE / "en.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("sample", ENGLISH["wrong"], ids=lambda sample: sample["text"])
def test_wrong_forms_in_english(sample: dict[str, Any]) -> None:
    text, form = unmarked(sample["text"])
    found = list(check(whole(Source("sample.md", text), "en"), named(ENGLISH["glossary"])))
    assert [one.name for one in found] == ["number-agreement"]
    assert f"“{form}” should be “{sample['is']}”" in found[0].message
    assert found[0].hint == f"Write “{sample['is']}”."


@pytest.mark.parametrize("text", ENGLISH["right"])
def test_right_forms_in_english(text: str) -> None:
    assert list(check(whole(Source("sample.md", text), "en"), named(ENGLISH["glossary"]))) == []


CATEGORIES = yaml.safe_load((HERE / "categories.yaml").read_text(encoding="utf-8"))


@pytest.fixture(params=CATEGORIES)
def language(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A language, with a record made for the test if there is none."""
    tag: str = request.param
    if tag in LANGUAGES:
        yield tag
        return
    (tmp_path / "language.yaml").write_text(f"tag: {tag}\nname: {tag}\n", encoding="utf-8")
    with added(tmp_path):
        yield tag


def test_forms_by_plural_category(language: str) -> None:
    data = CATEGORIES[language]
    terms = glossary_of({"card": {"names": "card", language: {"preferred": data["term"], "counted": data["counted"]}}})
    for text, form in data["wrong"]:
        found = list(check(whole(Source("sample.md", text), language), terms))
        assert [one.hint for one in found] == [f"Write “{form}”."], text
    for text in data["right"]:
        assert list(check(whole(Source("sample.md", text), language), terms)) == [], text


def test_languages_without_plurals_are_skipped() -> None:
    terms = glossary_of({"card": {"names": "card", "zh-Hant": {"preferred": "卡牌"}}})
    assert list(check(whole(Source("sample.md", "抽 3 卡牌"), "zh-Hant"), terms)) == []


@pytest.mark.parametrize(
    ("counted", "says"),
    [
        ({"one": "card", "other": "cards"}, None),
        ({"one": "card", "few": "cards", "other": "cards"}, "en has no plural category `few`."),
        ({"one": "card"}, "`counted` of `card` lacks the plural category `other`."),
        ({"one": "card", "other": "tiles"}, "`tiles` is no form of the term `card`."),
    ],
)
def test_counted_forms_are_checked(counted: dict[str, str], says: str | None) -> None:
    terms = glossary_of({"card": {"names": "card", "en": {"preferred": "card", "counted": counted}}})
    spec = rulespec.load(HERE.parent / "findings" / "sample.yaml").model
    found = [one.message for one in check_glossary(terms, spec) if one.name == "counted-forms"]
    assert found == ([says] if says else [])


def test_counted_forms_are_written() -> None:
    terms = glossary_of({"card": {"en": {"preferred": "card", "counted": {"one": "card", "other": "cards"}}}})
    assert "en: {preferred: card, counted: {one: card, other: cards}}" in to_yaml(terms)


def test_without_a_dictionary_of_forms_nothing_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(morphology, "is_available", lambda lang: False)
    assert found_in("54 карток", "uk") == []
