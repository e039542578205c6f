"""Checking a text takes about twice as long for twice the text, whatever the text contains.

`steps` counts the lines of Python that run, loop by loop, so nothing is timed. Patterns do their work in C: long texts
are checked under a limit that only quadratic work exceeds. `benchmarks/text_growth.py` measures time.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import rulespec
from rulespec.base.source import Source
from rulespec.games.rulebook import book_of, check_raw, texts_of
from rulespec.text.checks.check import check
from rulespec.text.reading.translation import read as read_translation

pytestmark = pytest.mark.slow("checks long texts")

STALL = Path(__file__).parent / "bad" / "text" / "stall"
SENTENCE = {
    "en": "Everybody gets 4 cards from the deck. ",
    "uk": "Кожен отримує 4 картки з колоди. ",
    "zh-Hant": "每位玩家發四張卡牌。",
}
PIECES: dict[str, dict[str, str]] = {
    "sentences": SENTENCE,
    "lines": {lang: f"{text}\n" for lang, text in SENTENCE.items()},
    "items": {lang: f"- {text}\n" for lang, text in SENTENCE.items()},
    "components": {"en": "24 cards\n", "uk": "24 картки\n", "zh-Hant": "24張卡牌\n"},
    "table": {"en": "2 players: 6 cards\n", "uk": "2 гравці: 6 карток\n", "zh-Hant": "2人：6張\n"},
    "players": {"en": "2 players ", "uk": "2 гравці ", "zh-Hant": "2人"},
    "headings": {"en": "# Deck\n", "uk": "# Колода\n", "zh-Hant": "# 牌庫\n"},
    "numbers": {"en": "12 ", "uk": "12 ", "zh-Hant": "十二 "},
    "numbered": {"en": "2. a\n", "uk": "2. а\n", "zh-Hant": "2. 牌\n"},
    "no-marks": {"en": "card deck ", "uk": "картка колода ", "zh-Hant": "卡牌牌庫"},
    "spaced": {"en": "a b ", "uk": "у y ", "zh-Hant": "牌 "},
    "quotes": {"en": "“a” ", "uk": "«а» „б“ ", "zh-Hant": "「牌」"},
    "remarks": dict.fromkeys(SENTENCE, "<!-- ftk: ignore RS952 so -->\n"),
}
SPECIAL = [("spaced", "zh-Hant"), ("quotes", "uk"), ("spaced", "uk"), ("no-marks", "zh-Hant")]
"""Shapes that have code of their own in languages other than English."""

SMALL = 30
"""How often a piece is repeated in the smallest text: enough for nested loops to dominate fixed costs."""

LINEAR = 2.9
"""Limit for the cost of the second doubling relative to the first: 2 for linear work, 4 for quadratic work."""


@cache
def game() -> rulespec.Spec:
    return rulespec.load(str(STALL / "stall.yaml"))


def as_raw(text: str, lang: str) -> object:
    """Checks a text that follows a whole rulebook, so that it is aligned and compared."""
    rulebook = (STALL / "raw" / f"{lang}.txt").read_text(encoding="utf-8")
    return check_raw(Source("x.txt", f"{rulebook}\n\n{text}"), lang, game())


def as_rule(text: str, lang: str) -> object:
    """Checks a text in a translation."""
    lines = text.replace("\n", "\n      ")
    head = f"translation: 3\ngame: stall\nlang: {lang}\ntitle: x\nrules:\n  setup.deal:\n    title: x\n    text: |-\n"
    translation, _ = read_translation(Source("x.yaml", f"{head}      {lines}\n"))
    assert translation is not None
    return list(check(translation, game().model, book_of(game()), texts_of(game()).values()))


def steps(work: Callable[[], object]) -> int:
    """The number of executed Python lines, counted once per loop iteration."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize(("shape", "lang"), [*((shape, "en") for shape in PIECES), *SPECIAL])
@pytest.mark.parametrize("way", [as_raw, as_rule])
@pytest.mark.sample(3)
def test_steps_grow_with_the_text(way: Callable[[str, str], object], shape: str, lang: str) -> None:
    piece = PIECES[shape][lang]
    way("3 " + piece * SMALL * 4, lang)  # fills the caches of words, terms and numbers
    # What another text has to be read for once is no growth: the second text of a size does without.
    one, two, four = (
        min(steps(lambda first=first, n=n: way(f"{first} " + piece * SMALL * n, lang)) for first in (n, n + 10))  # type: ignore[misc]
        for n in (1, 2, 4)
    )
    assert four - two <= LINEAR * (two - one), f"{one}, {two} and {four} steps"


LONG = 100_000
"""Quadratic work on so many characters takes half a minute of the processor; linear work about a second."""

HANGS = 15
"""Limit in seconds of processor time, which does not depend on the load of the machine."""

RUNS = (*" \ta7.,:-*_`#([<|'/", '"', "А", "牌", "—", "“", "«")
MIXED = ("a ", "1, ", "a.", "牌 ", "。", "<!-- ", ":,", "a'", "](", "a@", "( ", "7 - ", "A, ", '"a', "- ")


def hang(_: int, __: FrameType | None) -> None:
    raise TimeoutError


@pytest.mark.parametrize("piece", [*RUNS, *MIXED])
@pytest.mark.sample(3)
def test_no_pattern_hangs(piece: str) -> None:
    lang = "zh-Hant" if piece[0] in "牌。" else "uk" if piece in "А«" else "en"
    # A letter before and a number after, so that the run is neither blank nor a line of its own.
    text = f"x{piece * (LONG // len(piece))}x 1"
    before = signal.signal(signal.SIGVTALRM, hang)
    signal.setitimer(signal.ITIMER_VIRTUAL, HANGS)
    try:
        check_raw(Source("x.txt", text), lang, game())
    except TimeoutError:
        pytest.fail(f"{LONG} characters of {piece!r} take more than {HANGS} s")
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
