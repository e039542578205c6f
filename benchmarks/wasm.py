"""Plays the same games natively and as WebAssembly, in Node and in wasmtime: equality of all results, and speed.

    python benchmarks/wasm.py [--games N] [--all-rulings] [ID…]

Every number of players of the shipped games and the gallery with the default rulings (with `--all-rulings` also the
settings of tests/agreement.py), 10,000 games of each. A fifth of them at a time is played natively and by each host in
turn, so that a busy machine slows all of them equally. The figures are each host's speed as a ratio of native's, by
processor time: median, minimum and maximum of the turns after the first, in which Node still optimises. Needs ziglang,
wasmtime and node. The exit status is 1 if results differ anywhere.
"""

from __future__ import annotations

import hashlib
import statistics
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from agreement import settings
from wasm_hosts import Node, Wasmtime, why_not, written

import rulespec

SPECS = Path(__file__).parents[1] / "specs"
SEED, TURNS = 7, 5
HOSTS = ("node", "wasmtime")


class Compared(NamedTuple):
    """One setting: the size of its module, the hosts whose results differ, and the ratios of each host."""

    size: int
    differing: set[str]
    ratios: dict[str, list[float]]

    def __str__(self) -> str:
        spreads = "".join(f"{spread(self.ratios[host]):<22}" for host in HOSTS)
        return f"{self.size / 1000:>5.0f}  {spreads}{' '.join(f'{host} DIFFERS' for host in self.differing)}"


def main(options: Namespace) -> int:
    """Plays every setting; returns 1 if results differ."""
    if missing := why_not("node") or why_not("wasmtime"):
        sys.exit(missing)
    every, differing = 0, 0
    print(f"{'game':<40} {'kB':>5}  {'node / native':<22}wasmtime / native")
    for title, game in games(options):
        compared = _compared(game, options.games // TURNS)
        every, differing = every + 1, differing + bool(compared.differing)
        print(f"{title:<40} {compared}", flush=True)
    print(f"{every} settings, {options.games:,} games each: {differing} differ")
    return 1 if differing else 0


def games(options: Namespace) -> Iterator[tuple[str, rulespec.Game]]:
    """Every setting with its title."""
    specs = [*sorted(SPECS.glob("*.yaml")), *sorted((SPECS / "gallery").glob("*.yaml"))]
    for name in options.ids or [path.stem for path in specs]:
        spec = rulespec.load(name)
        for players, rulings in settings(spec) if options.all_rulings else ((n, {}) for n in spec.players):
            chosen = (f"{id_}={answer}" for id_, answer in rulings.items())
            yield " ".join([name, str(players), *chosen]), spec.game(players, rulings, "native")


def _compared(game: rulespec.Game, count: int) -> Compared:
    native = game.code.machine()
    assert native is not None
    with tempfile.TemporaryDirectory() as folder:
        module = written(game, Path(folder))
        with Node(module) as node:
            found = Compared(module.path.stat().st_size, set(), {host: [] for host in HOSTS})
            hosts = {"node": node, "wasmtime": Wasmtime(module)}
            for turn in range(TURNS):
                begun = time.process_time()
                columns = native.play(SEED, turn * count, count)
                seconds = time.process_time() - begun
                wanted = hashlib.sha256(b"".join(column.tobytes() for column in columns)).digest()
                for name, host in hosts.items():
                    digest, taken = host.play_games(SEED, turn * count, count)
                    if turn:
                        found.ratios[name].append(seconds / taken)
                    if digest != wanted:
                        found.differing.add(name)
    return found


def spread(ratios: list[float]) -> str:
    """The median with minimum and maximum."""
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


if __name__ == "__main__":
    parser = ArgumentParser()
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--all-rulings", action="store_true")
    sys.exit(main(parser.parse_args()))
