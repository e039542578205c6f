"""Samples of all findings about rule texts in all languages, for the game of tests/bad/text/stall.

Good translations and good raw texts have no findings. Bad translations state their findings on the line; a bad raw text
has a file with lines `LINE COLUMN NAME`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from samples import BAD, Expectation, expectations, places

import rulespec
from rulespec.base import source
from rulespec.base.findings import names_in
from rulespec.base.source import Source
from rulespec.games.api import Spec
from rulespec.games.rulebook import check_glossary, check_raw, check_translation

STALL = BAD / "text" / "stall"
LANGUAGES = ("en", "uk", "zh-Hant", "zh-Hans")
GOOD = sorted((STALL / "translations").rglob("*.yaml"))
WRONG = sorted(path for folder in ("bad", "other", "no_game") for path in (STALL / folder).glob("*.yaml"))
GLOSSARIES = sorted(STALL.rglob("glossaries/*.yaml"))
RAW = sorted((STALL / "raw").glob("*.txt"))

NO_LANGUAGE = {"glossary-lacks"}
OF_COMMANDS = {"baseline-unused", "language-unknown"}  # shown in test_cli_text.py and test_languages.py
OF_EDITS = {"text-edited", "source-edited", "wrong-source", "text-untranslated"}  # shown in test_text_edits.py
OF_REVIEWS = {"passage-changed", "passage-rule-changed", "review-unusable"}  # shown in test_review_kept.py
OF_SCENARIOS = {"example-unproved", "example-number"}  # shown in tests/bad/text/examples and test_examples.py
OF_CARDS = {"placeholder-wrong", "glossary-unusable"}  # shown in test_card_texts.py
OF_SENTENCES = {"noun-lacking"}  # shown in test_glossary.py: Chinese nouns have one form
OF_NUMBERS = {"number-agreement", "counted-forms"}  # shown in test_counted.py: Chinese nouns have one form
"""Kinds of finding that do not depend on a language, or that some languages do not have."""


def text_of(path: Path) -> Source:
    read, found = source.read(str(path))
    assert read is not None and not found
    return read


@cache
def game() -> Spec:
    return rulespec.load(STALL / "stall.yaml")


def language(path: Path) -> str:
    return path.name.split(".")[0]


def listed(path: Path) -> list[Expectation]:
    """The expected findings of a raw text; none without a file."""
    beside = path.with_suffix(".expected")
    lines = beside.read_text(encoding="utf-8").splitlines() if beside.exists() else []
    return sorted((int(line), int(column), name) for line, column, name in map(str.split, lines))


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_translations_are_silent(path: Path) -> None:
    assert check_translation(text_of(path)).findings == ()


@pytest.mark.parametrize("path", WRONG, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_bad_translations(path: Path) -> None:
    assert places(check_translation(text_of(path)).findings) == expectations(path)


@pytest.mark.parametrize("path", GLOSSARIES, ids=lambda path: path.parents[1].name)
def test_glossaries(path: Path) -> None:
    findings = [found for found in check_glossary(text_of(path)).findings if found.name not in OF_SENTENCES]
    assert places(findings) == expectations(path)


@pytest.mark.parametrize("path", RAW, ids=lambda path: path.stem)
def test_raw_texts(path: Path) -> None:
    assert places(check_raw(text_of(path), language(path), game()).findings) == listed(path)


def test_every_kind_is_shown_in_every_language() -> None:
    shown = {(language(path), name) for path in WRONG for _, _, name in expectations(path)}
    shown |= {(language(path), name) for path in RAW for _, _, name in listed(path)}
    kinds = names_in("texts", "text-facts", "terms", "raw-texts")
    elsewhere = NO_LANGUAGE | OF_COMMANDS | OF_EDITS | OF_REVIEWS | OF_SCENARIOS | OF_CARDS | OF_NUMBERS | OF_SENTENCES
    wanted = {(lang, name) for lang in LANGUAGES for name in kinds - elsewhere}
    assert wanted - shown == set()
    assert {name for path in GLOSSARIES for _, _, name in expectations(path)} >= NO_LANGUAGE


def test_every_language_has_good_samples() -> None:
    assert {path.stem for path in GOOD} == set(LANGUAGES) == {path.stem for path in RAW if not path.stem.count(".")}
