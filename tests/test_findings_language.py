"""The language in which commands show findings: --lang, the environment, and the locale of an editor."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command import ftk

import rulespec
from ftk_cli.language import VARIABLES
from rulespec.base.diagnostics import Finding, Position
from rulespec.base.findings import KINDS, catalog
from rulespec.base.findings.catalog import PoCatalog, language_of
from rulespec.base.findings.pages import page_of
from rulespec.base.messages import translated
from rulespec.text.rules.content import ByKey, ByPlayers, Content, Faces, Number, Sequence, Words, in_terms

BROKEN = "rulespec: 2\nrulespec: 1\n"
ENGLISH = "The key rulespec is already at line 1 of this mapping."
UKRAINIAN = "Ключ rulespec уже є в рядку 1."
FEW_WORDS = {
    "The key {key} is already at line {line} of this mapping.": "Ключ {key} уже є в рядку {line}.",
    "hint: {hint}": "порада: {hint}",
    "{files}: {found}.": "{files}: {found}.",
}
FORMS = {"{number:,} error": {0: "{number} помилка", 1: "{number} помилки", 2: "{number} помилок"}}


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with a duplicate key, and a Ukrainian catalog of a few words."""
    few = PoCatalog(FEW_WORDS, FORMS, lambda number: 0 if number == 1 else 1 if number < 5 else 2)
    monkeypatch.setattr(catalog, "catalog_of", {"uk": few}.get)
    path = tmp_path / "broken.yaml"
    path.write_text(BROKEN, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("locale", "lang"),
    [
        ("uk_UA.UTF-8", "uk"),
        ("zh_TW", "zh"),
        ("zh-Hant", "zh"),
        ("zh", "zh"),
        ("zh-Hant-CN", "zh"),
        ("zh_CN.UTF-8", "en"),  # findings are in no Simplified Chinese
        ("zh-Hans", "en"),
        ("en_GB.UTF-8", "en"),
        ("C.UTF-8", "en"),
        ("POSIX", "en"),
        ("ukulele", "en"),
        ("", "en"),
    ],
)
def test_a_locale_has_a_language(locale: str, lang: str) -> None:
    assert language_of(locale) == lang


def test_an_option_chooses_the_language(broken: Path) -> None:
    assert ENGLISH in ftk("check", broken).output
    shown = ftk("check", broken, "--lang", "uk").output
    assert UKRAINIAN in shown and "порада: Delete one of the two, or join them." in shown and "помилк" in shown
    assert UKRAINIAN in ftk("check", broken, "--lang", "uk-UA").output


@pytest.mark.parametrize("tag", ["fr", "xx", "zh-Hans"])
def test_findings_are_in_english_for_other_languages_and_refused_for_none(broken: Path, tag: str) -> None:
    for words, english in ((("check", broken), ENGLISH), (("explain", "RS102"), "A mapping has the same key twice.")):
        shown = ftk(*words, "--lang", tag)
        if tag == "xx":
            assert shown.exit_code == 2 and "'xx' is not one of" in shown.output
        else:
            assert english in shown.output and f"Findings are not in {tag}: they are in English." in shown.stderr


def test_the_environment_chooses_the_language(broken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    assert ENGLISH in ftk("check", broken).output
    for name in reversed(VARIABLES):  # each takes precedence over those before it
        monkeypatch.setenv(name, "uk_UA.UTF-8")
        assert UKRAINIAN in ftk("check", broken).output, name
        assert ENGLISH in ftk("check", broken, "--lang", "en").output
        monkeypatch.setenv(name, "C")
        assert ENGLISH in ftk("check", broken).output, name


@pytest.mark.parametrize("form", ["json", "sarif", "github", "junit"])
def test_every_format_has_the_message_in_the_language(broken: Path, form: str) -> None:
    shown = ftk("check", broken, "--lang", "uk", "--format", form).output
    assert UKRAINIAN in shown and ENGLISH not in shown and "RS102" in shown and "duplicate-key" in shown


def test_a_fingerprint_does_not_depend_on_the_language(broken: Path) -> None:
    prints = []
    for lang in ("en", "uk"):
        run = json.loads(ftk("check", broken, "--lang", lang, "--format", "sarif").output)["runs"][0]
        prints.append([result["partialFingerprints"] for result in run["results"]])
    assert prints[0] == prints[1] != []


def test_a_report_has_its_other_places_in_the_language(broken: Path) -> None:
    report = rulespec.check(broken)
    assert ENGLISH in {found.message for found in report.findings}
    assert UKRAINIAN in {found.message for found in report.in_language("uk").findings}
    assert report.in_language("en") == report


def test_a_finding_of_plain_text_stays_as_it_is() -> None:
    found = Finding("duplicate-key", "words", "x.yaml", Position(1, 1), Position(1, 1))
    assert found.in_language("uk").message == "words"


def test_a_page_is_shown_in_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    title = page_of(KINDS["duplicate-key"], "zh").title
    assert title != page_of(KINDS["duplicate-key"]).title
    assert title in ftk("explain", "RS102", "--lang", "zh-Hant").output
    monkeypatch.setenv("FTK_LANG", "zh_TW.UTF-8")
    assert title in ftk("explain", "RS102").output
    assert title not in ftk("explain", "RS102", "--lang", "en").output


LATIN = re.compile("[A-Za-z]{2,}")
CONTENTS: tuple[Content, ...] = (
    Number(36, "gold_card"),
    ByPlayers({2: 3, 3: 4}, "gold_card"),
    ByKey({"office.military": 4, 5: 2}),
    Faces(frozenset({(1, -1), (0,)})),
    Sequence(("office.military", "gold_card")),
    Words(("gold_card",)),
)


@pytest.mark.parametrize("content", CONTENTS, ids=lambda content: type(content).__name__)
def test_what_the_spec_says_is_in_the_terms_of_the_language(content: Content) -> None:
    terms = {"gold_card": "картка золота", "office.military": "військо"}
    said = in_terms(str(content), lambda name: terms[name])
    ukrainian = catalog.catalog_of("uk")
    assert ukrainian is not None and not LATIN.search(translated(said, ukrainian)), translated(said, ukrainian)
    assert LATIN.search(str(content)) or isinstance(content, Faces)


def test_chinese_findings_have_one_word_for_a_card() -> None:
    """Rule texts may say 卡牌; the findings and their pages say 牌, as descriptions of rules do."""
    folder = Path(rulespec.__file__).parent / "base" / "findings"
    said = (folder / "locale" / "zh.po").read_text(encoding="utf-8").splitlines()
    texts = [line for line in said if not line.startswith("msgid")]
    texts += [path.read_text(encoding="utf-8") for path in sorted((folder / "zh").glob("*.yaml"))]
    assert len(texts) > 100 and not [text for text in texts if "卡牌" in text or "紙牌" in text]
