"""What the program prints obeys the rules that it checks texts with: catalogs, pages of findings, grammars."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polib
import pytest
import yaml

import rulespec
from rulespec.base.diagnostics import Span
from rulespec.base.source import Source
from rulespec.text.checks.typography import check
from rulespec.text.reading.prose import Prose

ROOT = Path(rulespec.__file__).parent
TAGS = {path.stem: {"zh": "zh-Hant"}.get(path.stem, path.stem) for path in ROOT.glob("base/findings/locale/*.po")}
RULES = {
    *("stray-space", "missing-space", "half-width-mark", "quote-style", "hyphen-for-dash"),
    *("doubled-mark", "lookalike-letter", "mixed-scripts", "full-width-letter", "other-han-form", "apostrophe-style"),
}
CODE = re.compile(
    r"\*\*|(?<!\S)--[\w-]+|\{[^{}]*\}[.:]+(?=\s|\{)\.?|\?(?=,)|^\{number\}\.|U\+|0x|\+ \w+ -|(?<=\))\{[^{}]*\}"
)
"""Code, and signs that name themselves; a place or a range is one value."""
VALUE = re.compile(r"\{\{|\}\}|\{[^{}]*\}(?: \{[^{}]*\})*")
TYPED = re.compile(r"\"|\\n|: \w+ [A-Z]+\b|[A-Z][:=@][A-Z]|\d\.\.\d")
"""English texts with quotation marks of YAML, or with words to type."""
WORDS = {"uk": "слово", "zh-Hant": "某"}
PATTERNS = ("euphony", "derivations")
"""Keys of grammars with patterns of letters, which are no texts."""
HAN = "[\u3400-\u9fff]"
NARROW = re.compile(rf"{HAN} (?=[\d{{])|(?:(?<=^)|(?<={HAN}))(?:\d+|\{{(?!lang)[^{{}}]*\}}) {HAN}")
"""A space between a Chinese character and a number or a value. Messages have one beside a value in Latin letters."""
WIDE = re.compile(rf"{HAN}(?=[`A-Za-z])|[A-Za-z]{HAN}")
"""No space between a Chinese character and code or a Latin word."""


def catalog(name: str) -> Iterator[str]:
    for entry in polib.pofile(str(ROOT / f"base/findings/locale/{name}.po")):
        if not TYPED.search(entry.msgid):
            yield from entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr]


def pages(name: str) -> Iterator[str]:
    for path in sorted(ROOT.glob(f"base/findings/{name}/*.yaml")):
        yield from leaves(yaml.safe_load(path.read_text(encoding="utf-8")))


def grammars(name: str) -> Iterator[str]:
    for folder, file in itertools.product({name, TAGS[name]}, ("describe.yaml", "changes.yaml")):
        path = ROOT / "text" / "languages" / folder / file
        if path.exists():
            data = yaml.safe_load(path.read_text(encoding="utf-8"))
            yield from leaves({key: value for key, value in data.items() if key not in PATTERNS})


def leaves(data: Any) -> Iterator[str]:
    if isinstance(data, dict | list):
        for one in data.values() if isinstance(data, dict) else data:
            yield from leaves(one)
    elif isinstance(data, str):
        yield data


def as_prose(text: str, lang: str) -> Prose:
    """A text with a word of its language in the place of each value."""
    text = CODE.sub("`x`", re.sub("`[^`]*`", "`x`", text))
    plain = VALUE.sub(WORDS.get(lang, "xx"), text)
    return Prose(plain, lang, Source("", plain), Span)


def wrong(text: str, lang: str) -> bool:
    return any(found.name in RULES for found in check(as_prose(text, lang)))


@pytest.mark.parametrize("name", TAGS)
def test_texts_of_the_program_have_the_typography_of_their_language(name: str) -> None:
    texts = [*catalog(name), *grammars(name)]
    assert len(texts) > 2000 and [text for text in texts if wrong(text, TAGS[name])] == []


@pytest.mark.parametrize("name", TAGS)
def test_pages_have_the_typography_of_their_language(name: str) -> None:
    quoting = {text for text in pages(name) if re.search("[“”„‟]", text)}
    assert [text for text in pages(name) if text not in quoting and wrong(text, TAGS[name])] == []


def test_numbers_stand_close_to_chinese_and_code_apart() -> None:
    texts = [re.sub("`[^`]*`", "`", text) for text in (*catalog("zh"), *grammars("zh"))]
    assert [text for text in texts if NARROW.search(text)] == []
    assert [text for text in catalog("zh") if WIDE.search(VALUE.sub("", re.sub("`[^`]*`", "`", text)))] == []


def test_ukrainian_ordinals_end_as_they_are_spoken() -> None:
    assert [text for text in catalog("uk") if re.search(r"[\d}]-[аеіиєя]\b", text)] == []
