"""How the time of the text checks grows with the size of the text: ratios of time(2n) to time(n), by shape of text.

    .venv/bin/python benchmarks/text_growth.py [--start N] [--doublings K] [--limit S] [--lang LANG] [SHAPE …]

A ratio near 2 is linear, near 4 quadratic. Every shape is checked in three ways: as a raw text by itself (`raw`), as a
raw text behind a whole rulebook, so that alignment and comparison run (`book`), and as the text of one rule of a
translation (`rule`). Rows with a ratio above 3 at the last doubling are marked.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import pairwise
from types import FrameType

from packed import files

import rulespec
from rulespec.base.source import Source
from rulespec.games.rulebook import book_of, check_raw, texts_of
from rulespec.text.checks.check import check
from rulespec.text.reading.translation import read as text_of

_SENTENCES = {
    "en": "Each player takes 3 cards and puts a gold card face down on their personal deck. ",
    "uk": "Кожен гравець бере 3 картки й кладе картку золота долілиць у свою особисту колоду. ",
    "zh-Hant": "每位玩家拿3張牌，並把一張金幣卡牌面朝下放到個人牌堆。",
}
_WORDS = {"en": "deck ", "uk": "колода ", "zh-Hant": "牌堆"}
_TABLE = {"en": "2 players: 5 cards\n", "uk": "2 гравці: 5 карток\n", "zh-Hant": "2人：5張\n"}
_HAN = "玩家從牌庫頂抽三張卡牌放到桌面中央"

SHAPES: Mapping[str, Callable[[str], str]] = {
    "spaces": lambda lang: " ",
    "spaces-in-lines": lambda lang: " " * 50 + "x\n",
    "line-breaks": lambda lang: "\n",
    "tabs": lambda lang: "\t",
    "sentences": lambda lang: _SENTENCES[lang],
    "sentence-lines": lambda lang: _SENTENCES[lang] + "\n",
    "sentence-paragraphs": lambda lang: _SENTENCES[lang] + "\n\n",
    "one-word": lambda lang: _WORDS[lang],
    "short-sentences": lambda lang: _WORDS[lang].strip() + (". " if lang != "zh-Hant" else "。"),
    "short-lines": lambda lang: _WORDS[lang].strip() + "\n",
    "no-spaces": lambda lang: "abcdefghij" if lang == "en" else "абвгґдеєжз" if lang == "uk" else _HAN,
    "misspelt": lambda lang: "playre tekas " if lang == "en" else "гравцеь карктка " if lang == "uk" else "国王牌 ",
    "list-items": lambda lang: "- " + _SENTENCES[lang] + "\n",
    "numbered": lambda lang: "1. " + _SENTENCES[lang] + "\n",
    "nested-list": lambda lang: "- a\n  - b\n    - c\n",
    "headings": lambda lang: "## " + _WORDS[lang].strip() + "\n\n",
    "headings-only": lambda lang: "# A\n",
    "digits": lambda lang: "7",
    "numbers": lambda lang: "12 ",
    "number-lines": lambda lang: "2\n3\n",
    "signs": lambda lang: "+1 -1 ",
    "players": lambda lang: (
        "2 players: 5 cards\n" if lang == "en" else "2 гравці: 5 карток\n" if lang == "uk" else "2人：5張\n"
    ),
    "rows": lambda lang: "| 2 | 5 |\n",
    "brackets": lambda lang: "(",
    "bracket-pairs": lambda lang: "()[]",
    "quotes": lambda lang: '"',
    "curly": lambda lang: "“",
    "stars": lambda lang: "*",
    "underscores": lambda lang: "_",
    "ticks": lambda lang: "`",
    "hashes": lambda lang: "#",
    "dots": lambda lang: ".",
    "dashes": lambda lang: "-",
    "spaced-dashes": lambda lang: " - ",
    "slashes": lambda lang: "/",
    "angles": lambda lang: "<",
    "tags": lambda lang: "<b>x</b> ",
    "comments": lambda lang: "<!-- ",
    "pipes": lambda lang: "|",
    "colons": lambda lang: "：" if lang == "zh-Hant" else ":",
    "ats": lambda lang: "a@",
    "addresses": lambda lang: "a.b-",
    "roman": lambda lang: "I. ",
    "apostrophes": lambda lang: "a'",
    "letters": lambda lang: "A, ",
    "ands": lambda lang: " and 4" if lang == "en" else " та 4" if lang == "uk" else "和4",
    "remarks": lambda lang: "<!-- ftk: ignore RS952 so -->\n",
    "remark-spaces": lambda lang: "ftk:          ",
}
"""The repeated piece of each shape, by language."""


class Late(Exception):
    """A check took longer than the limit."""


def late(_: int, __: FrameType | None) -> None:
    raise Late


def seconds(work: Callable[[], object], limit: int) -> float:
    """How long a piece of work takes; infinite past the limit."""
    signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit)  # time of the processor, as a busy machine takes longer
    began = time.process_time()
    try:
        work()
    except Late:
        return float("inf")
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.process_time() - began


def of_rule(text: str, lang: str) -> object:
    """Reads and checks a translation in which one rule has this text."""
    id_ = next(iter(game().model.rules))
    head = f"translation: 3\ngame: {game().id}\nlang: {lang}\ntitle: x\nrules:\n  {id_}: {{title: x, text: "
    translation, _ = text_of(Source("x.yaml", f"{head}{json.dumps(text, ensure_ascii=False)}}}\n"))
    assert translation is not None
    book = book_of(game())
    return list(check(translation, game().model, book, texts_of(game()).values()))


_game: dict[str, rulespec.Spec] = {}


def game() -> rulespec.Spec:
    return _game.setdefault("", rulespec.load("fortheking"))


def text(shape: str, lang: str, size: int) -> str:
    """About `size` characters of a shape. The number in front keeps each text out of every cache."""
    piece = SHAPES[shape](lang)
    return f"{size} " + piece * max(1, size // len(piece))


WAYS: Mapping[str, Callable[[str, str], object]] = {
    "raw": lambda text, lang: check_raw(Source("x.txt", text), lang, game()),
    "book": lambda text, lang: check_raw(Source("x.txt", rulebook(lang) + text), lang, game()),
    "rule": of_rule,
}


def rulebook(lang: str) -> str:
    return files("corpus", lang)["plain.txt"] + "\n\n"


def times(shape: str, lang: str, way: str, sizes: list[int], limit: int) -> Iterator[float]:
    """The time of each size, shortest first; none after one that exceeds the limit."""
    for size in sizes:
        took = seconds(partial(WAYS[way], text(shape, lang, size), lang), limit)
        yield took
        if took == float("inf"):
            return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("shapes", nargs="*", default=list(SHAPES))
    parser.add_argument("--start", type=int, default=4_000)
    parser.add_argument("--doublings", type=int, default=3)
    parser.add_argument("--limit", type=int, default=30)
    parser.add_argument("--lang", action="append", choices=list(_WORDS))
    parser.add_argument("--way", action="append", choices=list(WAYS))
    given = parser.parse_args()
    sizes = [given.start << i for i in range(given.doublings + 1)]
    for lang in given.lang or _WORDS:
        list(times("sentences", lang, "book", [2_000], 60))  # dictionaries and grammars are loaded once
    print(f"{'shape':20} {'lang':8} {'way':5} {'seconds by characters: ' + ', '.join(map(str, sizes)):50} ratios")
    for shape in given.shapes:
        for lang in given.lang or list(_WORDS):
            for name in given.way or WAYS:
                took = list(times(shape, lang, name, sizes, given.limit))
                ratios = [b / a for a, b in pairwise(took)]
                mark = "  <-- grows" if ratios and ratios[-1] > 3 and took[-1] > 0.3 else ""
                shown = " ".join(f"{t:9.3f}" for t in took)
                print(
                    f"{shape:20} {lang:8} {name:5} {shown:50} {' '.join(f'{r:5.1f}' for r in ratios)}{mark}", flush=True
                )


if __name__ == "__main__":
    sys.exit(main())
