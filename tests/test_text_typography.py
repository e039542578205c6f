"""The samples of tests/typography mark the place of the finding: ⟪here⟫. Good samples have no findings at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rulespec.base.diagnostics import Finding, Span
from rulespec.base.findings import names_in
from rulespec.base.source import Source
from rulespec.text.checks.typography import CHECKS, check
from rulespec.text.checks.typography.spelling import spelling_of
from rulespec.text.glossary.concepts import read as read_glossary
from rulespec.text.glossary.finder import finder
from rulespec.text.reading.prose import Prose, whole

SAMPLES = Path(__file__).parent / "typography"
SPECS = Path(__file__).resolve().parent.parent / "specs"

Case = tuple[str, dict[str, Any]]


def cases(path: Path, which: str) -> Iterator[Case]:
    for lang, lists in yaml.safe_load(path.read_text(encoding="utf-8")).items():
        for sample in lists[which]:
            yield lang, sample if isinstance(sample, dict) else {"text": sample}


each_kind = pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.yaml")), ids=lambda path: path.stem)


def prose(text: str, lang: str) -> Prose:
    return whole(Source("sample.md", text), lang)


def findings(text: str, lang: str, sample: dict[str, Any]) -> list[Finding]:
    return list(check(prose(text, lang), letters=frozenset(sample.get("letters", ""))))


def unmarked(marked: str) -> tuple[str, list[Span]]:
    """The text without ⟪ and ⟫, and the marked spans."""
    text, spans = "", []
    for piece in re.split("(⟪[^⟫]*⟫)", marked):
        if piece.startswith("⟪"):
            spans.append(Span(len(text), len(text) + len(piece) - 2))
            piece = piece[1:-1]
        text += piece
    return text, spans


@each_kind
def test_bad_samples(path: Path) -> None:
    for lang, sample in cases(path, "bad"):
        text, spans = unmarked(sample["text"])
        source = Source("sample.md", text)
        wanted = [(source.position(span.start), source.position(span.end)) for span in spans]
        found = findings(text, lang, sample)
        # A second finding for the same cause is a false alarm.
        assert {each.name for each in found} == {path.stem}, (text, found)
        # One finding is reported per cause; its message lists the other places.
        places = [(each.start, each.end) for each in found]
        assert set(places) <= set(wanted) and places[0] == wanted[0], text


@each_kind
def test_good_samples(path: Path) -> None:
    assert [(text, found) for lang, text in cases(path, "good") if (found := findings(text["text"], lang, text))] == []


def test_every_kind_has_samples() -> None:
    assert names_in("typography") == {path.stem for path in SAMPLES.glob("*.yaml")}
    for path in SAMPLES.glob("*.yaml"):
        for lang, lists in yaml.safe_load(path.read_text(encoding="utf-8")).items():
            assert lists["bad"] and len(lists["good"]) > 1, (
                f"{path.stem}, {lang}: one bad and two good samples at least"
            )


def test_one_cause_is_one_finding() -> None:
    text = "".join(f"第{i}張牌,放在面前(面朝下).\n\n" for i in range(20))
    (found,) = check(prose(text, "zh-Hant"))
    assert found.name == "half-width-mark" and found.start.line == 1
    assert "79 more" in found.message and "lines 1, 3, 5" in found.message and "12 further" in found.message


def test_findings_carry_rule_and_language() -> None:
    source = Source("uk.yaml", "text: Візьміть кaртку.")
    text = Prose(source.text[6:], "uk", source, lambda a, b: Span(a + 6, b + 6), "deal.hands")
    (found,) = check(text)
    assert (found.rule, found.lang, found.start.column, found.code) == ("deal.hands", "uk", 16, "RS950")


GLOSSARY = """
glossary: 1
game: sample
concepts:
  five_players: {note: All five seats are taken., en: {preferred: with five players}, uk: {preferred: вп'ятьох}}
  nearest: {note: The letter that wins., en: {preferred: nearest A}, uk: {preferred: усі картки}}
  common_deck: {note: What is put up., en: {preferred: favour deck, allowed: [favor deck]}, uk: {preferred: увійти}}
  empty: {note: No card is left in it., en: {preferred: deck is empty}, uk: {preferred: спільна колода}}
"""


@pytest.mark.parametrize(
    ("lang", "text", "slips"),
    [
        ("en", "The portrait bears a number.", []),
        ("en", "It wins with the letter neares A.", ["neares A"]),
        ("en", "Go on until the favor deck is empty.", []),
        ("en", "Go on with the faovur deck.", ["faovur deck"]),
        ("uk", "Граючи уп’ятьох чи вчотирьох, всі картки лежать тут, ввійти не можна.", []),
        ("uk", "Граючи вп’ятох, усі кавтки лежать тут.", ["вп’ятох", "усі кавтки"]),
    ],
)
def test_almost_a_term(lang: str, text: str, slips: list[str]) -> None:
    made, found = read_glossary(Source("sample.yaml", GLOSSARY))
    assert made is not None and not found
    assert [miss.found for miss in finder(made, lang).near_matches(text)] == slips


def test_a_dictionary_adds_words_that_the_guess_accepts() -> None:
    known = {"візьміть": None, "картку": None, "швидко": ["швидше"]}
    (found,) = check(prose("Візьміть картку швидко.", "uk"), spelling=lambda word: known[word])
    assert found.name == "looks-misspelt" and "швидше" in found.hint


def test_a_dictionary_hides_no_finding_of_the_guess() -> None:
    text = prose("Гравець бере картку. Він кладе картку. Візьміть кавтку.", "uk")
    without, with_one = ([one.message for one in found] for found in (check(text), check(text, lambda word: None)))
    assert without == with_one == ["“кавтку” may be misspelled."]


def test_a_dictionary_reports_no_term_and_no_compound() -> None:
    made, _ = read_glossary(Source("sample.yaml", TILES))
    assert made is not None

    def said(text: str, lang: str) -> list[str]:
        terms = finder(made, lang).has_word
        return [found.message for found in check(prose(text, lang), spelling=lambda word: [], is_term=terms)]

    assert said("тайли тайлами посаді тайлик", "uk") == ["“тайлик” may be misspelled."]
    assert said("facedown facedowm", "en") == ["“facedowm” may be misspelled."]


TILES = """
glossary: 1
game: sample
concepts:
  tile: {note: A tile., uk: {preferred: тайл посади, forbidden: [тайлик]}, en: {preferred: duty}}
"""


def test_a_missing_dictionary_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert spelling_of("uk", tmp_path) is None and spelling_of("uk", tmp_path / "uk_UA.dic") is None
    monkeypatch.setenv("FTK_HUNSPELL", str(tmp_path))
    assert spelling_of("zh-Hant") is None


def test_a_hunspell_dictionary(tmp_path: Path) -> None:
    pytest.importorskip("spylls")
    (tmp_path / "en_US.aff").write_text("SET UTF-8\nTRY abcdefghijklmnopqrstuvwxyz\n", encoding="utf-8")
    (tmp_path / "en_US.dic").write_text("2\nreceive\ngold\n", encoding="utf-8")
    spelling = spelling_of("en", tmp_path)
    assert spelling is not None and spelling("gold") is None and "receive" in (spelling("recieve") or ())


def test_a_hunspell_dictionary_applies_affixes_and_parses_only_what_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers = pytest.importorskip("spylls.hunspell.readers")
    (tmp_path / "en_US.aff").write_text("SET UTF-8\nSFX S Y 1\nSFX S 0 s .\nFORBIDDENWORD !\n", encoding="utf-8")
    (tmp_path / "en_US.dic").write_text("5\ncard/S\tpo:noun\nmercy\nGold/S\ncards/!\nhearth\n", encoding="utf-8")
    read: list[str] = []
    parse = readers.read_dic
    monkeypatch.setattr(
        readers, "read_dic", lambda lines, **rest: parse(iter([read.append(one[1]) or one for one in lines]), **rest)
    )
    spelling = spelling_of("en", tmp_path / "en_US.dic")
    assert spelling is not None and read == []
    words = ("card", "golds", "Golds", "mercys", "cards")
    assert [word for word in words if spelling(word) is None] == ["card", "Golds"]
    assert "hearth" not in read and "mercy" in read


SHREDS = st.sampled_from(
    [
        *("\n", "\n\n", "# ", "## 2. ", "- ", "1. ", "II. ", "ІІ. ", "**", "_", "`", "```", "(", ")", "（", "」", "«"),
        *('"', "'", "’", " ", "\t", "|", "…", "...", "<b>", "<A B>", "с. 5", "下表", "the the", "картку", "將", "将"),
        *("кaртка", "-1", "−1", "\ufffd"),
    ]
)


@given(
    st.one_of(st.text(max_size=80), st.lists(SHREDS, max_size=30).map("".join)),
    st.sampled_from(["en", "uk", "zh-Hant", "zh-Hans", "de", ""]),
)
def test_checking_never_raises(text: str, lang: str) -> None:
    checked = prose(text, lang)
    for found in check(checked, letters=frozenset("AB")):
        assert found.start <= found.end and found.message.endswith((".", "?"))
    assert len(CHECKS) == len(set(CHECKS))
