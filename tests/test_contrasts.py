"""Contrasts in texts: a table of sentences per language, and properties of every lexicon."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from rulespec.meaning.contrasts import FAMILIES, NEGATED, NEGATIVE
from rulespec.text import LANGUAGES
from rulespec.text.contrasts import Contrast, lexicon_of, read
from rulespec.text.contrasts.lexicon import Role, Wording
from rulespec.text.languages import find

TABLES = Path(__file__).parent / "contrasts"
ROWS: list[tuple[str, str, list[list[str]]]] = [
    (path.stem, row["text"], row.get("reads", []))
    for path in sorted(TABLES.glob("*.yaml"))
    for row in yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)
]
DESCRIBED = [tag for tag in LANGUAGES if find(tag).file("contrasts.yaml")]


def written(contrast: Contrast, text: str) -> list[str]:
    """A contrast in the form of a row of the table."""
    words = text[contrast.start : contrast.end]
    return [contrast.family, contrast.value, words, *(["negated"] if contrast.negated else [])]


@pytest.mark.parametrize(("lang", "text", "reads"), ROWS, ids=[f"{lang}-{text[:40]}" for lang, text, _ in ROWS])
def test_texts(lang: str, text: str, reads: list[list[str]]) -> None:
    assert [written(contrast, text) for contrast in read(text, find(lang))] == reads


def wordings(tag: str, role: Role) -> list[Wording]:
    lexicon = lexicon_of(find(tag))
    assert lexicon is not None
    return [each for each in lexicon.wordings if each.role is role]


@pytest.mark.parametrize("tag", DESCRIBED)
def test_each_plain_wording_is_read_alone(tag: str) -> None:
    """No wording is lost to a longer one or to an idiom, and each has the values that the data give it."""
    plain = [each for each in wordings(tag, Role.CONTRAST) if each.size]
    values: dict[str, set[tuple[str, str]]] = {}
    for each in plain:
        values.setdefault(each.text, set()).add((each.family, each.value))
    for text, wanted in values.items():
        assert wanted <= {(c.family, c.value) for c in read(text, find(tag))}, text


@pytest.mark.parametrize("tag", DESCRIBED)
def test_no_wording_has_two_values_of_a_family(tag: str) -> None:
    count = Counter((each.family, each.text) for each in wordings(tag, Role.CONTRAST))
    assert [each for each, times in count.items() if times > 1] == []


def test_negation_stays_in_its_family() -> None:
    for (family, value), other in NEGATED.items():
        assert {value, other} <= set(FAMILIES[family]) and value != other
    for (family, value), negated in NEGATIVE.items():
        assert value in FAMILIES[family]
        assert all(other in FAMILIES[of] and (of, other) in NEGATED for of, other in negated)


NEGATORS = "not never without no nor не без ні 不 無 沒 非"
OTHERS = "may must cannot more than at least most left right to your face up down but only first більше лівий правий а"
SIGNS = "горілиць 左邊 右邊 最多 面朝上 是 而 。 ， , . ; - *"
PIECES = [*NEGATORS.split(), *OTHERS.split(), *SIGNS.split(), "\n", "\n\n"]


@settings(deadline=None, max_examples=300)
@given(
    st.one_of(st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join), st.text(max_size=60)),
    st.sampled_from([*DESCRIBED, "de"]),
)
def test_any_text_reads(text: str, tag: str) -> None:
    for contrast in read(text, find(tag)):
        assert 0 <= contrast.start < contrast.end <= len(text)
        assert contrast.value in FAMILIES[contrast.family]
        words: Any = contrast.words
        assert words.start <= contrast.start and contrast.end <= words.end


def test_a_language_without_a_lexicon_has_no_contrasts() -> None:
    assert read("nach links, nicht nach rechts", find("de")) == ()
