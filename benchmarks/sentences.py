"""A sample of the sentences that the commands print, to judge whether a native would write them so.

    .venv/bin/python benchmarks/sentences.py SAMPLE.jsonl [--seed SEED] [--count COUNT] [--checkout FOLDER] [LANG …]

Each line of the sample has the keys `lang`, `source`, `game` and `sentence`. The sentences of a language are spread
evenly over the sources (games at the table and at a seat, options, descriptions, differences, errata, findings), and
those of a source over the games; games with texts in the language count twice, samples of mistakes for six games.
All comes from the command line of a checkout, which may be older than this program. The same seed draws the same
games and edits again. A table at the end shows how many sentences there are, and how many of them are English.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from commands import Commands, events, options, sentences_of_sheet
from edited_games import GAMES, edited_copy, spec_of, text_of

HERE = Path(__file__).resolve().parents[1]
LANGUAGES = ("en", "uk", "zh-Hant", "zh-Hans", "de", "pl")
SOURCES = ("play at the table", "play at a seat", "options", "describe", "diff", "errata", "findings")
MISTAKES = "tests/bad"


@dataclass(frozen=True)
class Sentence:
    """What one command printed about one game in one language."""

    lang: str
    source: str
    game: str
    sentence: str


@dataclass(frozen=True)
class Draw:
    """The sentences of one language, from a checkout and a copy of its games with edits."""

    checkout: Path
    edited: Path
    lang: str
    seed: str

    @cached_property
    def commands(self) -> Commands:
        return Commands(self.checkout, self.edited / "texts", self.lang)

    def sample(self, count: int) -> list[Sentence]:
        """About as many sentences of each source; no two differ in nothing but numbers."""
        pool, dice = list(self._all()), random.Random(f"{self.seed} {self.lang}")
        dice.shuffle(pool)
        drawn: dict[str, Sentence] = {}
        queues = [_in_turns([one for one in pool if one.source == source], self._weight) for source in SOURCES]
        while queues and len(drawn) < count:
            queue = queues.pop(0)
            if (one := next((one for one in queue if _shape(one) not in drawn), None)) is not None:
                drawn[_shape(one)] = one
                queues.append(queue)
        return list(drawn.values())

    def _all(self) -> Iterator[Sentence]:
        found = [one for game in GAMES for one in self._of_game(game)] + list(self._mistakes())
        yield from dict.fromkeys(one for one in found if _says_something(one.sentence))

    def _of_game(self, game: str) -> Iterator[Sentence]:
        old, new = (spec_of(root, game) for root in (self.checkout, self.edited))
        for source, found in self._played(game, old):
            yield from (Sentence(self.lang, source, game, one) for one in found)
        for source, arguments in (("describe", [old]), ("diff", [old, new]), ("errata", [old, new])):
            text = self.commands.output(source, *arguments, "--lang", self.lang)
            yield from (Sentence(self.lang, source, game, one) for one in sentences_of_sheet(text))
        for variant in sorted((old.parent / "variants" / game).glob("*.yaml")):
            for source in ("diff", "errata"):
                text = self.commands.output(source, old, "--variant", variant.stem, "--lang", self.lang)
                yield from (Sentence(self.lang, source, game, one) for one in sentences_of_sheet(text))
        texts = ("text", "check", "--lang", self.lang, "--spec", game)
        yield from self._found(game, *(texts if self._has_texts(game) else ("check", game)))

    def _played(self, game: str, spec: Path) -> Iterator[tuple[str, list[str]]]:
        """A game that nobody sits at and one with a person; only one of them if it has no texts in the language."""
        number = random.Random(f"{self.seed} {game}").randrange(10**6)
        if self._has_texts(game) or number % 2:
            yield SOURCES[0], events(self.commands.watched(spec, number))
        if self._has_texts(game) or not number % 2:
            shown = self.commands.played(spec, number)
            yield SOURCES[1], events(shown)
            yield SOURCES[2], options(shown)

    def _mistakes(self) -> Iterator[Sentence]:
        return self._found(MISTAKES, "check", self.checkout / MISTAKES)

    def _found(self, game: str, *command: object) -> Iterator[Sentence]:
        """One message, hint and note for each code of findings, of files with edits."""
        found, dice = self.commands.findings(*command), random.Random(self.seed)
        dice.shuffle(found)
        for finding in {one["code"]: one for one in found if one["lang"] in ("", self.lang)}.values():
            notes = [note["message"] for note in finding["related"][-1:]]
            said = (finding["message"], finding["hint"], *notes)
            yield from (Sentence(self.lang, "findings", game, " ".join(one.split())) for one in said if one)

    def _weight(self, game: str) -> int:
        return 6 if game == MISTAKES else 1 + self._has_texts(game)

    def _has_texts(self, game: str) -> bool:
        return text_of(self.checkout, game, self.lang).exists()


def _in_turns(pool: Sequence[Sentence], weight: Callable[[str], int]) -> Iterator[Sentence]:
    """The sentences of a source in turns of the games, so many at a time as a game counts."""
    waiting = {game: [one for one in pool if one.game == game] for game in sorted({one.game for one in pool})}
    while any(waiting.values()):
        for game, rest in waiting.items():
            for _ in range(min(weight(game), len(rest))):
                yield rest.pop()


def _shape(one: Sentence) -> str:
    return re.sub(r"\d+", "0", one.sentence)


def _says_something(sentence: str) -> bool:
    return len(re.findall(r"[^\W\d_]", sentence)) >= 4 and len(sentence) < 600


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sample", type=Path)
    parser.add_argument("langs", nargs="*", default=LANGUAGES, metavar="LANG")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--checkout", type=Path, default=HERE)
    given = parser.parse_args()
    checkout = given.checkout.resolve()
    with tempfile.TemporaryDirectory() as folder, given.sample.open("w", encoding="utf-8") as output:
        edited = edited_copy(checkout, Path(folder), given.seed)
        for lang in given.langs:
            drawn = Draw(checkout, edited, lang, given.seed).sample(given.count)
            output.writelines(json.dumps(vars(one), ensure_ascii=False) + "\n" for one in drawn)
            output.flush()
            print(lang, len(drawn), dict(Counter(one.source for one in drawn)), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
