"""The pages of findings in other languages: they say the same, with the same code, in their own script."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
import yaml

from rulespec.base import findings
from rulespec.base.findings import KINDS
from rulespec.base.findings.catalog import LANGUAGES
from rulespec.base.findings.pages import page_of

PAGES = Path(findings.__file__).parent
TRANSLATED = sorted(path for path in PAGES.glob("*/RS*.yaml") if path.parent.name != "en")
PROSE = ("what", "why", "fix")

LATIN_SCRIPT = ("de", "pl")
LATIN = re.compile(r"[A-Za-z]{2,}")

KNOWN_LATIN = """
BCP Basic Big CLDR CSV GB HTML ISO JPEG JSON MB Markdown MiB OCR ODS PDF PNG PO SVG Schema TBX UTF Unicode Windows XLIFF
XLSX YAML cards false ftk git hunspell null true
"""
"""Names of formats, encodings and tools, and values of YAML, which have no other spelling in these languages."""


def read(path: Path) -> dict[str, str]:
    page: dict[str, str] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return page


def code_in(text: str) -> Counter[str]:
    """The code between backticks, without the line breaks of the file."""
    return Counter(" ".join(code.split()) for code in re.findall(r"`([^`]+)`", text))


@pytest.mark.parametrize("lang", sorted({path.parent.name for path in TRANSLATED}))
def test_a_page_says_what_the_english_page_does_in_its_language(lang: str) -> None:
    """All its prose, the same code, and no words left in English."""
    for path in (path for path in TRANSLATED if path.parent.name == lang):
        page, english = read(path), read(PAGES / "en" / path.name)
        assert tuple(page) == PROSE, path
        assert {key: code_in(page[key]) for key in PROSE} == {key: code_in(english[key]) for key in PROSE}, path
        for text in page.values():
            assert set(LATIN.findall(re.sub(r"`[^`]+`", "", text))) <= set(KNOWN_LATIN.split()), path


@pytest.mark.parametrize("lang", sorted({path.parent.name for path in TRANSLATED}))
def test_every_page_is_translated(lang: str) -> None:
    assert {path.name for path in (PAGES / lang).iterdir()} == {path.name for path in (PAGES / "en").iterdir()}


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_every_kind_has_a_title_in_each_language(lang: str) -> None:
    """One sentence with the same code, also where a language has no pages."""
    for kind in KINDS.values():
        title, english = page_of(kind, lang).title, page_of(kind).title
        assert re.fullmatch(r"[^\n]{5,120}[.。]", title) and code_in(title) == code_in(english), kind
        assert set(LATIN.findall(re.sub(r"`[^`]+`", "", title))) <= set(KNOWN_LATIN.split()) or lang in LATIN_SCRIPT
