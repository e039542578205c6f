"""A raw text is aligned to the rules, and its false sentences are found: a small game with one text per language.

Each row of `raw_texts/sentences.yaml` edits the text of a language and lists the findings then, by line, name and
severity. `test_raw_mistakes.py` does so with whole summaries.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from test_text_growth import steps

import rulespec
from rulespec.base.source import Source
from rulespec.games.rulebook import book_of, check_raw, review_raw, texts_of
from rulespec.text.raw.alignment import Alignment, align, coverage, share

STALL = Path(__file__).parent / "bad" / "text" / "stall"
ROWS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "raw_texts" / "sentences.yaml").read_text(encoding="utf-8")
)
SPEC = rulespec.load(str(STALL / "stall.yaml"))


def raw(lang: str, edits: dict[str, str]) -> str:
    text = (STALL / "raw" / f"{lang}.txt").read_text(encoding="utf-8")
    for old, new in edits.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def found(lang: str, text: str) -> list[str]:
    report = check_raw(Source("raw.txt", text), lang, SPEC)
    return [f"{one.start.line} {one.name} {one.severity}" for one in report.findings]


def aligned(lang: str, text: str) -> Alignment:
    book = book_of(SPEC)
    assert book is not None
    return align(text, lang, book, texts_of(SPEC)[lang])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['lang']} {next(iter(row['edits'].values()), '')}"[:50])
def test_an_edited_text_has_these_findings(row: dict[str, Any]) -> None:
    assert found(row["lang"], raw(row["lang"], row["edits"])) == row["found"]


# --- alignment --------------------------------------------------------------------------------------------------------

STATES = [
    ("en", "Everybody gets a hand of four cards.", "setup.deal"),
    ("en", "The left neighbour becomes the seller.", "sale.next"),
    ("uk", "Кожен отримує в руку по чотири картки.", "setup.deal"),
    ("zh-Hant", "每位玩家發四張手牌。", "setup.deal"),
]
"""A language, a sentence of its text and the rule that it states."""


@pytest.mark.parametrize(("lang", "sentence", "rule"), STATES)
def test_a_sentence_has_its_rule(lang: str, sentence: str, rule: str) -> None:
    text = raw(lang, {})
    alignment = aligned(lang, text)
    assert alignment.rules[alignment.index_at(text.index(sentence))][0] == rule
    assert all(
        0 <= chance <= 1.000001 for row in alignment.chances.values() for chance in (*row.values(), sum(row.values()))
    )


def test_a_sentence_may_state_no_rule() -> None:
    text = raw("en", {"# Market Stall\n": "# Market Stall\n\nMy grandmother baked this on Sundays.\n"})
    alignment = aligned("en", text)
    _, chance = alignment.rules.get(alignment.index_at(text.index("My grandmother")), ("", 0.0))
    assert chance < 0.5


# --- what is stated ---------------------------------------------------------------------------------------------------


def states(lang: str, text: str) -> dict[str, str]:
    alignment = aligned(lang, text)
    return {one.rule: str(one.state) for one in coverage(alignment, Source("raw.txt", text))}


def test_what_a_text_states_and_leaves_out() -> None:
    assert set(states("en", raw("en", {})).values()) == {"stated"}
    left_out = states("en", raw("en", {"The left neighbour becomes the seller.": ""}))
    assert left_out["sale.next"] != "stated"
    assert left_out["setup.deal"] == "stated"


def test_a_rule_stated_in_three_places_has_its_best_sentence() -> None:
    deal = "Everybody gets a hand of four cards."
    text = raw("en", {deal: f"Everybody gets cards.\n\n{deal}\n\nSo each hand has four."})
    best = next(one for one in review_raw(Source("raw.txt", text), "en", SPEC).rules if one.rule == "setup.deal")
    assert (best.state, best.sentence, best.line) == ("stated", deal, text[: text.index(deal)].count("\n") + 1)


# --- bad input --------------------------------------------------------------------------------------------------------

OTHER_LANGUAGE = "\n\n".join(["Die Karten werden gemischt und verteilt. Wer gewinnt, bekommt den Korb."] * 20)
BAD = [
    ("uk", "\n\n".join(["Перемешайте карты и раздайте каждому игроку по четыре карты."] * 20)),
    ("en", ""),
    ("en", "|||\n| 2 |\n 6 6 6\n|\n" * 40),
    ("zh-Hant", "\ufeff\u200b\n" * 30),
    ("en", "5-2 players: 3-1 -- 9/0 ½ 1e9 " * 50),
]


@pytest.mark.parametrize(("lang", "text"), BAD, ids=lambda value: value[:20])
def test_bad_text_makes_findings_and_no_exception(lang: str, text: str) -> None:
    found(lang, text)


def test_a_text_in_another_language_is_refused() -> None:
    assert share(aligned("en", OTHER_LANGUAGE)) == 0
    assert found("en", OTHER_LANGUAGE) == ["1 other-game error"]


SENTENCES = {
    "en": "Everybody number {n} gets a hand of {n} cards from the deck. ",
    "uk": "Гравець {n} бере в руку {n} карток із колоди. ",
}
SMALL, LINEAR = 40, 2.6
"""The sentences in the smallest text, and the most that the second doubling may cost relative to the first."""


@pytest.mark.slow("checks long texts")
@pytest.mark.parametrize("lang", SENTENCES)
def test_work_grows_with_the_number_of_sentences(lang: str) -> None:
    def work(number: int) -> int:
        said = "".join(SENTENCES[lang].format(n=n + 4) for n in range(number))
        text = f"{raw(lang, {})}\n\n{said}"
        return steps(lambda: check_raw(Source("raw.txt", text), lang, SPEC))

    work(SMALL)
    one, two, four = (work(SMALL * times) for times in (1, 2, 4))
    assert four - two <= LINEAR * (two - one), f"{one}, {two} and {four} steps"
