"""Contrasts in texts: a table of sentences per language, and properties of every lexicon."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from contrast_swaps import swaps
from hypothesis import given, settings
from hypothesis import strategies as st

import rulespec
from rulespec.games.rulebook import book_of
from rulespec.proofs.meaning.constructors import FAMILIES, NEGATED, NEGATIVE
from rulespec.text.glossary.finder import finder
from rulespec.text.languages.data import is_pattern
from rulespec.text.languages.record import Language
from rulespec.text.languages.registry import LANGUAGES, find
from rulespec.text.reading import mentions as reading
from rulespec.text.reading.clauses import clauses
from rulespec.text.reading.contrasts.lexicon import Role, Wording, lexicon_of
from rulespec.text.reading.contrasts.negation import Contrast
from rulespec.text.reading.contrasts.reader import read
from rulespec.text.reading.contrasts.wordings import literals

TABLES = Path(__file__).parent / "contrasts"
ROWS: dict[str, dict[str, list[list[str]]]] = {
    path.stem: {row["text"]: row.get("reads", []) for row in yaml.load(path.read_text("utf-8"), yaml.BaseLoader)}
    for path in sorted(TABLES.glob("*.yaml"))
}
"""What is read in each text, by language."""
DESCRIBED = [tag for tag in LANGUAGES if find(tag).file("contrasts.yaml")]


def written(contrast: Contrast, text: str) -> list[str]:
    """A contrast in the form of a row of the table."""
    words = text[contrast.start : contrast.end]
    return [contrast.family, contrast.value, words, *(["negated"] if contrast.negated else [])]


@pytest.mark.parametrize("lang", ROWS)
def test_texts(lang: str) -> None:
    found = {text: [written(contrast, text) for contrast in read(text, find(lang))] for text in ROWS[lang]}
    assert found == ROWS[lang]


def wordings(tag: str, role: Role) -> list[Wording]:
    lexicon = lexicon_of(find(tag))
    assert lexicon is not None
    return [each for each in lexicon.wordings.each if each.role is role]


@pytest.mark.parametrize("tag", DESCRIBED)
def test_each_plain_wording_is_read_alone(tag: str) -> None:
    """No wording is lost to a longer one or to an idiom, and each has the values that the data give it."""
    plain = [each for each in wordings(tag, Role.CONTRAST) if not is_pattern(each.text)]
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
        assert all(other in FAMILIES[of] for of, other in negated)


NEGATORS = "not never without no nor не без ні 不 無 沒 非"
OTHERS = "may must cannot more than at least most left right to your face up down but only first більше лівий правий а"
SIGNS = "горілиць 左邊 右邊 最多 面朝上 是 而 。 ， , . ; - *"
PIECES = [*NEGATORS.split(), *OTHERS.split(), *SIGNS.split(), "\n", "\n\n"]


@settings(deadline=None, max_examples=300)
@given(
    st.one_of(st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join), st.text(max_size=60)),
    st.sampled_from([*DESCRIBED, "nl"]),
)
def test_any_text_reads(text: str, tag: str) -> None:
    for contrast in read(text, find(tag)):
        assert 0 <= contrast.start < contrast.end <= len(text)
        assert contrast.value in FAMILIES[contrast.family]
        words: Any = contrast.words
        assert words.start <= contrast.start and contrast.end <= words.end


@pytest.mark.parametrize("tag", DESCRIBED)
def test_every_pattern_is_valid_and_needs_its_literals(tag: str) -> None:
    """A text is searched only for patterns of which it has a literal."""
    lexicon = lexicon_of(find(tag))
    assert lexicon is not None
    texts = [text.lower() for text in ROWS.get(tag, ())]
    for pattern in lexicon.wordings.patterns:
        needed = literals(pattern.wording.text.strip("/"))
        for text in texts:
            for match in pattern.compiled.finditer(text):
                before = text[: match.endpos]
                assert all(any(literal in before for literal in some) for some in needed), pattern.wording.text


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("left", [{"left"}]),
        ("cards? left", [{"card"}, {"left"}]),
        ("(?:to|on) the left", [{"left"}, {"the"}, {"to", "on"}]),
        ("(?:right|wrong)(?= side)", [{"right", "wrong"}, {"side"}]),
        ("no(?! more)", [{"no"}]),
        ("(?<named>take) (?:it )?", [{"take"}]),
        ("(?:it )?", []),
        ("(?:take|x)", []),
        ("m(?:y|ine)", [{"my", "mine"}]),
        ("[向往]左", [{"向左", "往左"}]),
        (r"\p{L}+ ca[rn]t{2}s+", [{"car", "can"}]),
        ("can['’]?t(?<=if can['’]?t)", [{"can"}, {"can"}, {"if"}]),
    ],
)
def test_literals(pattern: str, found: list[set[str]]) -> None:
    assert sorted(map(sorted, literals(pattern))) == sorted(map(sorted, found))


# --- swaps ----------------------------------------------------------------------------------------------------------


def shipped(tag: str) -> list[str]:
    """The texts of a short shipped game in a language; empty if it has none."""
    paths = [path for path in GAMES.glob(f"*/{tag}.yaml") if path.parent.name in SHORT]
    rules = [yaml.safe_load(path.read_text(encoding="utf-8"))["rules"].values() for path in paths]
    return [rule["text"] for each in rules for rule in each]


GAMES = Path(__file__).parent.parent / "specs" / "translations"
SHORT = ("kingme",)
FORMED = 0.8
"""The least share of swaps for which a lexicon has a form. Whole clauses such as “nobody looks at” have none."""


@pytest.mark.parametrize("tag", [tag for tag in DESCRIBED if shipped(tag)])
def test_contrasts_of_shipped_texts_are_swapped(tag: str) -> None:
    language, formed, skipped = find(tag), 0, 0
    for text in shipped(tag):
        for swap in swaps(text, language):
            formed, skipped = formed + (swap.text is not None), skipped + (swap.text is None)
            if swap.text is not None:
                assert (swap.contrast.family, swap.value) in {(c.family, c.value) for c in read(swap.text, language)}
    assert formed >= 100 and formed >= FORMED * (formed + skipped), f"{formed} swaps, {skipped} without a form"


# --- in a reading ---------------------------------------------------------------------------------------------------


def test_a_reading_has_contrasts_with_the_term_around_them() -> None:
    spec = rulespec.load(str(GAMES.parent / "kingme.yaml"))
    book = book_of(spec)
    assert book is not None
    text = "The first player takes the card on the left. Put it face up."
    whole = reading.read(text, find("en"), finder(book.glossary, "en"), range(3, 7), {})
    found = [(c.family, c.within) for c in whole.contrasts[:3]]
    assert found == [("sequence", "first_player"), ("possession", ""), ("side", "")]
    part = whole.part(text.index("takes"), text.index(" Put"))
    assert part.contrasts == whole.contrasts[1:3]
    assert part.part(part.start, part.start + 5).contrasts == whole.contrasts[1:2]


def test_contrasts_of_a_part_are_read_in_their_sentence() -> None:
    spec = rulespec.load(str(GAMES.parent / "kingme.yaml"))
    book = book_of(spec)
    assert book is not None
    text = "It is not face up."
    whole = reading.read(text, find("en"), finder(book.glossary, "en"), range(3, 7), {})
    assert [c.value for c in whole.part(text.index("face"), len(text)).contrasts] == ["down"]


# --- the file -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("families: {colour: {red: [red]}}", "families: there is no key `colour`"),
        ("families: {side: {up: [up]}}", "side: there is no key `up`; the keys are left, right"),
        ("families: {side: {left: left}}", "side: left: 'left' is not a list"),
        ("families: {side: {left: ['/(/']}}", "missing )"),
        ("families: {side: {left: ['?']}}", "'?' has no word"),
        ("negation: {within: 3}", "negation: there is no key `within`"),
        ("negation: {reach: far}", "reach: 'far' is not a whole number"),
        ("negation: {instead: ['/not but/']}", "instead: '/not but/' has no group `false`"),
        ("- side", "is not a mapping"),
        ("{", "expected"),
    ],
)
def test_a_bad_lexicon_is_an_error_with_its_key(tmp_path: Path, data: str, message: str) -> None:
    (tmp_path / "contrasts.yaml").write_text(data, encoding="utf-8")
    with pytest.raises(ValueError, match="contrasts") as caught:
        read("left (", Language("xx", folders=(tmp_path,)))
    assert message in str(caught.value)


# --- long texts -----------------------------------------------------------------------------------------------------

LONG = 20_000
HANGS = 6
"""Limit in seconds of processor time for a text of that length: quadratic work takes longer, linear work one second."""

RUNS = [".", ":", "*", "not ", "may not ", "the more ", "no ", "or ", "take the ", "if who ", "не ", "不", "，如果"]


@pytest.mark.parametrize("piece", RUNS)
@pytest.mark.sample(3)
def test_no_run_hangs(piece: str) -> None:
    for tag in DESCRIBED:
        start = time.process_time()
        text = f"x{piece * (LONG // len(piece))}x 1"
        read(text, find(tag))
        assert len(list(clauses(text, find(tag)))) < LONG
        assert time.process_time() - start < HANGS, tag


def test_a_language_without_a_lexicon_has_no_contrasts() -> None:
    assert read("naar links, niet naar rechts", find("nl")) == ()
