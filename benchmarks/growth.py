"""How the cost of a game grows with its cards, players, rules, effects and texts.

    .venv/bin/python benchmarks/growth.py [--beside CHECKOUT] [--most SIZE] [--limit SECONDS] [AXIS …]

A table for each axis: seconds of the processor at every size, and in brackets the exponent of growth from the size
before (1 is linear, 2 quadratic), if it takes a tenth of a second. The sizes of an axis are measured in one process,
the smallest first, after a small game, without code or findings kept on disk. `--beside` measures another checkout as
well, as “other → this”, and `--most` leaves out larger sizes. An axis that takes longer than the limit (default 300
seconds) is given up: no figure is “–”.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path

import rulespec
from rulespec.engine.states.playout import playouts
from rulespec.versions.changes import compare


@dataclass(frozen=True)
class Size:
    """The size of a game: its cards, all different, most players, rules with a condition, effects, and texts."""

    cards: int = 100
    players: int = 4
    rules: int = 10
    effects: int = 4
    texts: int = 0


AXES: Mapping[str, Sequence[int]] = {
    "cards": (10, 100, 1_000, 5_000),
    "players": (2, 4, 8, 12),
    "rules": (10, 100, 400, 1_000),
    "effects": (10, 100, 400, 1_000),
    "texts": (1, 4, 16, 64),
}
"""The sizes along each axis; the others are those of `Size()`."""

SPEC = """\
rulespec: 2
game: {{id: growth, version: 1.0.0, title: Growth, players: 2..{players}}}
enums:
  suit: [clubs, diamonds, hearts, spades]
  deed:
    effect: {{with: {{p: player}}}}
    members:
{deeds}
cards:
  fields: {{number: 1..{cards}, value: 1..10, suit: suit, deed: deed}}
  manifest:
{manifest}
  start: deck
zones:
  deck: {{order: stack, seen_by: nobody, title: deck}}
  hand: {{per: player, seen_by: owner, title: hand}}
  pile: {{order: stack, seen_by: everybody, title: pile}}
values:
  points: {{per: player, type: 0..9999, start: 0, title: points}}
setup:
  - {{id: shuffle, title: Shuffle, shuffle: deck}}
  - {{id: deal, title: Deal, each: {{p: player}}, do: {{move: {{top: 3, from: deck, to: "hand[p]"}}}}}}
play:
  - id: rounds
    title: Play and draw until the deck is empty
    repeat:
      while: size(deck) > 0
      do:
        - id: turns
          title: Play a card and draw
          each: {{p: player}}
          do:
            - id: play
              title: Play a card of the suit or of a higher value, or pass
              choose:
                by: p
                none: skip
                options:
                  - says: "play {{c}}"
                    pick: {{c: "hand[p]"}}
                    if: c.suit == pile.suit or c.value >= (pile.value ?? 0)
                    do: [{{move: {{card: c, from: "hand[p]", to: pile}}}}, {{effect: {{of: c, with: {{p: p}}}}}}]
                  - {{says: pass, do: {{note: Nothing is played.}}}}
{rules}
            - {{id: draw, title: Draw, move: {{top: 1, from: deck, to: "hand[p]"}}}}
  - id: end
    title: Most points
    rank: {{among: {{p: player}}, by: [{{high: "points[p]", title: points}}], left: share}}
"""
CARD = "    - {{number: {n}, value: {value}, suit: {suit}, deed: deed_{deed}}}"
RULE = """\
            - id: bonus_{n}
              title: Bonus {n}
              if: (pile.value ?? 0) == {value} and points[p] >= {least}
              then: {{set: {{"points[p]": "min(points[p] + {gain}, 9999)"}}}}"""
DEED = """\
      deed_{n}: {{title: Deed {n}, effect: {{set: {{"points[p]": "min(points[p] + {gain}, 9999)"}}}}}}"""
SUITS = ("clubs", "diamonds", "hearts", "spades")


def spec(size: Size, edited: int = 0) -> rulespec.Source:
    """A game of a size, with the number of its rules that give a point more."""
    gains = [n % 7 + (2 if n <= edited else 1) for n in range(max(size.rules, size.effects) + 1)]
    cards = (
        CARD.format(n=n, value=n % 10 + 1, suit=SUITS[n % 4], deed=n % size.effects + 1)
        for n in range(1, size.cards + 1)
    )
    rules = (RULE.format(n=n, value=n % 10 + 1, least=n % 50, gain=gains[n]) for n in range(1, size.rules + 1))
    deeds = (DEED.format(n=n, gain=gains[n]) for n in range(1, size.effects + 1))
    parts = {"manifest": "\n".join(cards), "rules": "\n".join(rules), "deeds": "\n".join(deeds)}
    return rulespec.Source("growth.yaml", SPEC.format(**asdict(size) | parts))


TAGS = """
en uk zh-Hant de pl fr es it nl sv da nb fi et lv lt cs sk sl hr bs sr bg mk ru be ro hu el tr az kk uz ky mn ka hy he
ar fa ur hi bn ta te kn ml mr gu pa si th lo km my vi id ms fil sw zu af sq ja
"""


def text(size: Size, tag: str) -> str:
    """The text of the rules in a language, in figures."""
    rules = (
        f'  bonus_{n}: {{title: "{n}", text: "{n % 10 + 1}, {n % 50}: +{n % 7 + 1}."}}'
        for n in range(1, size.rules + 1)
    )
    return f"translation: 3\ngame: growth\nlang: {tag}\ntitle: Growth\nrules:\n" + "\n".join(rules) + "\n"


@dataclass
class Work:
    """What is measured of a game. A stage does what those before it have prepared."""

    size: Size
    folder: Path
    games: dict[str, rulespec.Game] = field(default_factory=dict)

    @cached_property
    def one(self) -> rulespec.Spec:
        return rulespec.loads(spec(self.size))

    def check(self) -> None:
        assert rulespec.check_source(spec(self.size)).ok and self.one

    def describe(self) -> None:
        assert str(rulespec.description_of(self.one, "en"))

    def compiled(self, engine: str) -> None:
        self.games[engine] = self.one.game(self.size.players, engine=engine)
        self.games[engine].new_initial_state(1)

    def game(self, engine: str) -> None:
        """One game of random players."""
        if engine not in self.games:
            self.compiled(engine)
        state, dice = self.games[engine].new_initial_state(1), random.Random(1)
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
        assert state.events

    def playouts(self) -> None:
        playouts(self.games["native"], 1, range(100))

    def view(self) -> None:
        """All views of a player in the middle of a game."""
        state, dice = self.games["native"].new_initial_state(1), random.Random(1)
        for _ in range(self.size.cards // 2):
            if not state.is_terminal():
                state.apply_action(dice.choice(state.legal_actions()))
        for view in (state.observation_string, state.information_state_string):
            view(0)
        for tensor in (state.observation_tensor, state.information_state_tensor):
            tensor(0)

    def diff(self, edited: int) -> None:
        new, report = rulespec.built(spec(self.size, edited))
        assert new is not None and report.ok and compare(self.one.model, new).every

    def texts(self) -> None:
        """The check of the texts in all languages, as `ftk check` has it."""
        folder = self.folder / "translations" / "growth"
        folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "growth.yaml").write_text(spec(self.size).text, encoding="utf-8")
        for tag in TAGS.split()[: self.size.texts]:
            (folder / f"{tag}.yaml").write_text(text(self.size, tag), encoding="utf-8")
        files = [rulespec.read_source(path)[0] for path in sorted(folder.iterdir())]
        rulespec.check_all([one for one in files if one is not None])


STAGES: Mapping[str, Callable[[Work], None]] = {
    "check": Work.check,
    "describe": Work.describe,
    "diff, one rule": lambda work: work.diff(1),
    "diff, all rules": lambda work: work.diff(9_999),
    "compile to Python": lambda work: work.compiled("compiled"),
    "compile natively": lambda work: work.compiled("native"),
    "play, interpreted": lambda work: work.game("interpreter"),
    "play, compiled": lambda work: work.game("compiled"),
    "play, native": lambda work: work.game("native"),
    "100 playouts, compiled natively": Work.playouts,
    "views of a player, compiled natively": Work.view,
}
OF_TEXTS: Mapping[str, Callable[[Work], None]] = {"check texts": Work.texts}


def stages(axis: str) -> Mapping[str, Callable[[Work], None]]:
    return OF_TEXTS if axis == "texts" else STAGES


def measured(axis: str, sizes: Sequence[int], limit: int) -> None:
    """Prints a line of JSON for each size and stage, with seconds and megabytes. The system ends it at the limit."""
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_CACHE_HOME"] = name
        for number in (0, *sizes):
            size = replace(Size(), **{axis: number}) if number else Size(cards=20, rules=3, texts=1)
            work = Work(size, Path(name) / str(number))
            for stage, run in stages(axis).items():
                Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
                began = time.process_time()
                run(work)
                status = Path("/proc/self/status").read_text(encoding="utf-8")
                memory = int(status.partition("VmHWM:")[2].split()[0]) / 1024
                print(json.dumps([number, stage, time.process_time() - began, memory]), flush=True)


Figures = Mapping[tuple[int, str], tuple[float, float]]
"""Seconds and megabytes by size and stage."""


def figures(checkout: Path, axis: str, sizes: Sequence[int], limit: int) -> Figures:
    """What an axis takes in a checkout."""
    command = [sys.executable, __file__, "_measure", axis, json.dumps(sizes), str(limit)]
    found = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(checkout)})
    print(*found.stderr.strip().splitlines()[-1:], end="", file=sys.stderr)
    lines = map(json.loads, found.stdout.splitlines())
    return {(size, stage): (seconds, memory) for size, stage, seconds, memory in lines}


def cell(at: int, sizes: Sequence[int], row: Sequence[float | None]) -> str:
    """A figure with its exponent of growth."""
    now, before = row[at], row[at - 1] if at else None
    if now is None:
        return "–"
    shown = f"{now:.2f}" if now < 10 else f"{now:.0f}"
    if before is None or now < 0.1:
        return shown
    return f"{shown} ({math.log(now / max(before, 0.001)) / math.log(sizes[at] / sizes[at - 1]):.1f})"


def rows(axis: str, sizes: Sequence[int], every: Sequence[Figures]) -> Iterator[Sequence[str]]:
    """Rows of a table: each stage, then the memory; `every` has the figures of each checkout."""
    for stage in stages(axis):
        taken = [[found[size, stage][0] if (size, stage) in found else None for size in sizes] for found in every]
        yield stage, *(" → ".join(cell(at, sizes, row) for row in taken) for at in range(len(sizes)))
    most = [
        [max((of[1] for key, of in found.items() if key[0] == size), default=0) for found in every] for size in sizes
    ]
    yield "most memory, MB", *(" → ".join(f"{memory:.0f}" for memory in one) for one in most)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("axes", nargs="*", default=list(AXES), metavar="AXIS")
    parser.add_argument("--beside", type=Path)
    parser.add_argument("--most", type=int, default=10_000)
    parser.add_argument("--limit", type=int, default=300)
    given = parser.parse_args()
    checkouts = [*([given.beside] if given.beside else []), Path(__file__).parents[1]]
    for axis in given.axes:
        sizes = [size for size in AXES[axis] if size <= given.most]
        every = [figures(one, axis, sizes, given.limit) for one in checkouts]
        print(f"| {axis} | " + " | ".join(f"{size:,}" for size in sizes) + " |\n|" + "---|" * (len(sizes) + 1))
        for row in rows(axis, sizes, every):
            print("| " + " | ".join(row) + " |")
        print(flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["_measure"]:
        measured(sys.argv[2], json.loads(sys.argv[3]), int(sys.argv[4]))
    else:
        main()
