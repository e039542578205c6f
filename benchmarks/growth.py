"""How the cost of a game grows with its cards, players, rules, effects, texts, squares, tokens, bids and zones.

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
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path

import rulespec
from rulespec.base.source import read as read_source
from rulespec.engine.states.playout import playouts
from rulespec.games.api import built
from rulespec.games.rulebook import description_of
from rulespec.versions.changes.compare import compare


@dataclass(frozen=True)
class Size:
    """The size of a game with cards: its cards, all different, most players, rules with a condition, effects, and
    texts."""

    cards: int = 100
    players: int = 4
    rules: int = 10
    effects: int = 4
    texts: int = 1


MOST_POINTS = """\
  - id: end
    title: Most points
    rank: {{among: {{p: player}}, by: [{{high: "points[p]", title: points}}], left: share}}
"""
SPEC = (
    """\
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
"""
    + MOST_POINTS
)
CARD = "    - {{number: {n}, value: {value}, suit: {suit}, deed: deed_{deed}}}"
RULE = """\
            - id: bonus_{n}
              title: Bonus {n}
              if: (pile.value ?? 0) == {value} and points[p] >= {least}
              then: {{set: {{"points[p]": "min(points[p] + {gain}, 9999)"}}}}"""
DEED = """\
      deed_{n}: {{title: Deed {n}, effect: {{set: {{"points[p]": "min(points[p] + {gain}, 9999)"}}}}}}"""
SUITS = ("clubs", "diamonds", "hearts", "spades")


def with_cards(size: Size, edited: int) -> str:
    """A game with cards of a size, with the number of its rules that give a point more."""
    gains = [n % 7 + (2 if n <= edited else 1) for n in range(max(size.rules, size.effects) + 1)]
    cards = (
        CARD.format(n=n, value=n % 10 + 1, suit=SUITS[n % 4], deed=n % size.effects + 1)
        for n in range(1, size.cards + 1)
    )
    rules = (RULE.format(n=n, value=n % 10 + 1, least=n % 50, gain=gains[n]) for n in range(1, size.rules + 1))
    deeds = (DEED.format(n=n, gain=gains[n]) for n in range(1, size.effects + 1))
    parts = {"manifest": "\n".join(cards), "rules": "\n".join(rules), "deeds": "\n".join(deeds)}
    return SPEC.format(**asdict(size) | parts)


SQUARES = (
    """\
rulespec: 2
game: {{id: growth, version: 1.0.0, title: Growth, players: 2}}
enums:
  square: {{grid: {{column: a..{letter}, row: 1..{side}}}, near: all}}
  way: {{directions: all}}
  line: {{in_a_row: {row}, of: square}}
values:
  mark: {{per: square, type: player?, title: mark}}
  joined: {{per: square, type: bool, start: false, title: joined to the first column}}
  points: {{per: player, type: 0..9999, start: 0, title: points}}
  won: {{per: {{p: player}}, is: "any(l in line if all(mark[s] == p for s in l))"}}
  beside: {{per: {{p: player, s: square}}, is: "count(t in near(s) if mark[t] == p)"}}
  seen: {{per: {{s: square}}, is: "count(d in way if first(t in ray(s, d) if mark[t] != none) != none)"}}
play:
  - id: turns
    title: Mark squares until four are in a row
    repeat:
      at_most: {rounds}
      then: error
      do:
        each: {{p: player}}
        do:
          - id: mark
            title: Mark a square
            choose:
              by: p
              none: leave
              options:
                - says: "mark {{s}}"
                  pick: {{s: square}}
                  if: mark[s] == none
                  do: {{set: {{"mark[s]": p, "points[p]": "min(points[p] + beside[p, s] + seen[s] + {gain}, 9999)"}}}}
          - id: join
            title: Join marks to the first column
            connect:
              squares: {{s: square}}
              from: mark[s] == p and s.column == 1
              through: mark[s] == p
              into: joined[s]
          - {{if: "won[p]", then: {{leave: repeat}}}}
"""
    + MOST_POINTS
)
TOKENS = (
    """\
rulespec: 2
game: {{id: growth, version: 1.0.0, title: Growth, players: 4}}
enums: {{kind: [{members}]}}
stocks:
  gems: {{of: kind, places: {{bank: {{start: 5, title: bank}}, purse: {{per: player, start: 1, title: purse}}}}}}
  gold: {{places: {{vault: {{start: 9, title: vault}}, gold: {{per: player, start: 1, title: gold}}}}}}
values:
  points: {{per: player, type: 0..9999, start: 0, title: points}}
  rich: {{per: {{p: player, k: kind}}, is: "purse[p, k] >= 3"}}
play:
  - id: turns
    title: Ten rounds
    each: {{n: 1..10}}
    do:
      each: {{p: player}}
      do:
        - id: trade
          title: Take a token or two, or pay with all
          choose:
            by: p
            none: skip
            options:
              - says: "take two {{k}}"
                pick: {{k: kind}}
                if: bank[k] >= 2
                do: {{transfer: {{tokens: 2, of: k, from: bank, to: "purse[p]"}}}}
              - says: "take {{s}}"
                pick: {{s: {{set_of: kind, count: 2}}}}
                do: {{transfer: {{each: {{k: s}}, tokens: 1, from: bank, to: "purse[p]", short: illegal}}}}
              - says: "pay with {{k}}"
                pick: {{k: kind}}
                do:
                  - transfer: {{each: {{e: kind}}, tokens: "e == k ? 2 : 0", from: "purse[p]", to: bank,
                      jokers: {{from: "gold[p]", to: vault}}, short: illegal}}
                  - {{set: {{"points[p]": "min(points[p] + {gain}, 9999)"}}}}
        - id: tax
          title: Pay tax
          transfer: {{each: {{k: kind}}, tokens: "rich[p, k] ? 1 : 0", from: "purse[p]", to: bank, short: as_many}}
"""
    + MOST_POINTS
)
BIDS = """\
rulespec: 2
game: {{id: growth, version: 1.0.0, title: Growth, players: 4}}
cards: {{fields: {{worth: 2..9}}, manifest: [{{worth: 2..9}}], start: store}}
zones:
  store: {{order: stack, seen_by: nobody, title: store}}
  lot: {{seen_by: everybody, title: lot}}
  won: {{per: player, seen_by: everybody, title: cards won}}
values:
  purse: {{per: player, type: 0..{number}, start: {number}, title: purse}}
  worth: {{per: {{p: player}}, is: "sum(c.worth for c in won[p])"}}
setup: {{id: shuffle, title: Shuffle, shuffle: store}}
play:
  - id: sales
    title: All cards are sold
    repeat:
      while: size(store) > 0
      do:
        - {{id: lot, title: The next lot, move: {{top: 1, from: store, to: lot}}}}
        - id: sale
          title: Bids rise
          auction:
            lot: lot
            bidders: {{p: player}}
            if: purse[p] > 0
            from: seat(1)
            opening: {gain}
            raise: 1
            cap: {number}
            limit: purse[p]
            means: purse[p]
            bid: {{id: bid, title: Bid, says: "bid {{amount}}"}}
            pass: {{id: pass, title: Pass, says: pass, means: out_for_the_round}}
            pays: {{set: {{"purse[winner]": "max(purse[winner] - price, 0)"}}}}
            takes: {{move: {{every: c, from: lot, to: "won[winner]"}}}}
            cannot_pay: {{do: {{note: Bids are limited by the purse.}}, then: again_without_winner, from: seat(1)}}
            nobody: {{move: {{every: c, from: lot, to: "won[seat(1)]"}}}}
  - id: end
    title: Most worth
    rank: {{among: {{p: player}}, by: [{{high: "worth[p]", title: worth}}], left: share}}
"""
ZONES = (
    """\
rulespec: 2
game: {{id: growth, version: 1.0.0, title: Growth, players: 4}}
enums: {{place: [{members}]}}
cards: {{fields: {{home: place}}, manifest: [{{home: place}}], start: box}}
zones:
  box: {{order: stack, seen_by: nobody, title: box}}
  shelf: {{per: place, seen_by: everybody, title: shelf}}
  chest: {{per: place, seen_by: nobody, title: chest}}
  kept: {{per: player, seen_by: owner, title: kept}}
values:
  points: {{per: player, type: 0..9999, start: 0, title: points}}
  at: {{type: place, start: member_1, title: place in hand}}
setup:
  - {{id: shuffle, title: Shuffle, shuffle: box}}
  - {{id: lay, title: Lay out a card each, each: {{a: place}}, do: {{move: {{top: 1, from: box, to: "shelf[a]"}}}}}}
play:
  - id: turns
    title: Ten rounds
    each: {{n: 1..10}}
    do:
      each: {{p: player}}
      do:
        - id: pick
          title: Choose a place
          choose:
            by: p
            none: skip
            options: [{{says: "from {{a}}", pick: {{a: place}}, if: "size(shelf[a]) > 0", do: {{set: {{at: a}}}}}}]
        - id: carry
          title: Move cards of this place
          choose:
            by: p
            none: skip
            options:
              - says: "move to {{b}}"
                pick: {{b: place}}
                if: b != at
                do:
                  - if: any(c in shelf[at] if c.home == b)
                    then: {{set: {{"points[p]": "min(points[p] + {gain}, 9999)"}}}}
                  - {{move: {{every: c, from: "shelf[at]", to: "shelf[b]"}}}}
              - says: "keep {{c}}"
                pick: {{c: "shelf[at]"}}
                do: {{move: {{card: c, from: "shelf[at]", to: "kept[p]"}}}}
              - says: "hide {{c}}"
                pick: {{c: "shelf[at]"}}
                do: {{move: {{card: c, from: "shelf[at]", to: "chest[at]"}}}}
"""
    + MOST_POINTS
)


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

    axis: str
    number: int
    folder: Path
    games: dict[str, rulespec.Game] = field(default_factory=dict)
    decisions: int = 0

    def source(self, edited: int = 0) -> rulespec.Source:
        return rulespec.Source("growth.yaml", AXES[self.axis].spec(self.number, edited))

    @cached_property
    def one(self) -> rulespec.Spec:
        return rulespec.loads(self.source())

    def check(self) -> None:
        assert rulespec.check_source(self.source()).ok and self.one

    def describe(self) -> None:
        assert str(description_of(self.one, "en"))

    def compiled(self, engine: str) -> None:
        self.games[engine] = self.one.game(self.one.players[-1], engine=engine)
        self.games[engine].new_initial_state(1)

    def game(self, engine: str) -> None:
        """One game of random players."""
        if engine not in self.games:
            self.compiled(engine)
        state, dice = self.games[engine].new_initial_state(1), random.Random(1)
        self.decisions = 0
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
            self.decisions += 1
        assert state.events

    def playouts(self) -> None:
        playouts(self.games["native"], 1, range(100))

    def view(self) -> None:
        """All views of a player in the middle of a game."""
        state, dice = self.games["native"].new_initial_state(1), random.Random(1)
        for _ in range(self.decisions // 2):
            state.apply_action(dice.choice(state.legal_actions()))
        for view in (state.observation_string, state.information_state_string):
            view(0)
        for tensor in (state.observation_tensor, state.information_state_tensor):
            tensor(0)

    def diff(self, edited: int) -> None:
        new, report = built(self.source(edited))
        assert new is not None and report.ok and compare(self.one.model, new).every

    def texts(self) -> None:
        """The check of the texts in all languages, as `ftk check` has it."""
        size, folder = Size(**{self.axis: self.number}), self.folder / "translations" / "growth"
        folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "growth.yaml").write_text(self.source().text, encoding="utf-8")
        for tag in TAGS.split()[: size.texts]:
            (folder / f"{tag}.yaml").write_text(text(size, tag), encoding="utf-8")
        files = [read_source(path)[0] for path in sorted(folder.iterdir())]
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
ONE_EDIT = {stage: run for stage, run in STAGES.items() if stage != "diff, all rules"}


@dataclass(frozen=True)
class Axis:
    """The sizes along an axis, and the text of the game of a size with a number of edited rules."""

    sizes: Sequence[int]
    spec: Callable[[int, int], str]
    stages: Mapping[str, Callable[[Work], None]] = field(default_factory=lambda: STAGES)


def cards(part: str) -> Callable[[int, int], str]:
    """Games with cards: the other sizes are those of `Size()`."""
    return lambda number, edited: with_cards(Size(**{part: number}), edited)


def filled(template: str, values: Callable[[int], Mapping[str, object]]) -> Callable[[int, int], str]:
    """Games of a template, in which one rule is edited."""
    return lambda number, edited: template.format(number=number, gain=1 + (edited > 0), **values(number))


def board(squares: int) -> Mapping[str, object]:
    side = math.isqrt(squares)
    return {"side": side, "letter": chr(ord("a") + side - 1), "row": min(side, 4), "rounds": (squares + 1) // 2}


def members(number: int) -> Mapping[str, object]:
    return {"members": ", ".join(f"member_{n}" for n in range(1, number + 1))}


AXES: Mapping[str, Axis] = {
    "cards": Axis((10, 100, 1_000, 5_000), cards("cards")),
    "players": Axis((2, 4, 8, 12), cards("players")),
    "rules": Axis((10, 100, 400, 1_000), cards("rules")),
    "effects": Axis((10, 100, 400, 1_000), cards("effects")),
    "texts": Axis((1, 4, 16, 64), cards("texts"), OF_TEXTS),
    "squares": Axis((9, 64, 256, 400), filled(SQUARES, board), ONE_EDIT),
    "tokens": Axis((2, 8, 32, 128), filled(TOKENS, members), ONE_EDIT),
    "bids": Axis((10, 100, 1_000, 5_000), filled(BIDS, lambda _: {}), ONE_EDIT),
    "zones": Axis((4, 16, 64, 256), filled(ZONES, members), ONE_EDIT),
}


def measured(axis: str, sizes: Sequence[int], limit: int) -> None:
    """Prints a line of JSON for each size and stage, with seconds and megabytes. The system ends it at the limit."""
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_CACHE_HOME"] = name
        first = Work("rules", 3, Path(name) / "first")
        for work in (first, *(Work(axis, number, Path(name) / str(number)) for number in sizes)):
            for stage, run in AXES[axis].stages.items():
                Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
                began = time.process_time()
                run(work)
                status = Path("/proc/self/status").read_text(encoding="utf-8")
                memory = int(status.partition("VmHWM:")[2].split()[0]) / 1024
                print(
                    json.dumps([work.number if work is not first else 0, stage, time.process_time() - began, memory]),
                    flush=True,
                )


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
    for stage in AXES[axis].stages:
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
        sizes = [size for size in AXES[axis].sizes if size <= given.most]
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
