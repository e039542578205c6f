"""The pages of findings in other languages: they say the same, with the same code, in their own script."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
import yaml

from rulespec.base import findings

PAGES = Path(findings.__file__).parent
TRANSLATED = sorted(path for path in PAGES.glob("*/RS*.yaml") if path.parent.name != "en")
PROSE = ("title", "what", "why", "fix")

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


def name_of(path: Path) -> str:
    return f"{path.parent.name}-{path.stem[:5]}"


@pytest.mark.parametrize("path", TRANSLATED, ids=name_of)
def test_a_page_has_all_its_prose_and_the_code_of_the_english_page(path: Path) -> None:
    page, english = read(path), read(PAGES / "en" / path.name)
    assert tuple(page) == PROSE
    assert {key: code_in(page[key]) for key in PROSE} == {key: code_in(english[key]) for key in PROSE}


@pytest.mark.parametrize("path", TRANSLATED, ids=name_of)
def test_a_title_is_one_sentence(path: Path) -> None:
    assert re.fullmatch(r"[^\n]{5,120}[.。]", read(path)["title"])


@pytest.mark.parametrize("path", TRANSLATED, ids=name_of)
def test_no_words_are_left_in_english(path: Path) -> None:
    for text in read(path).values():
        words = set(LATIN.findall(re.sub(r"`[^`]+`", "", text)))
        assert words <= set(KNOWN_LATIN.split())


@pytest.mark.parametrize("lang", sorted({path.parent.name for path in TRANSLATED}))
def test_every_page_is_translated(lang: str) -> None:
    assert {path.name for path in (PAGES / lang).iterdir()} == {path.name for path in (PAGES / "en").iterdir()}
