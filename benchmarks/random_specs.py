"""Plays random specs on all engines, a range of seeds, and records each; a run that was interrupted goes on.

    python benchmarks/random_specs.py RECORD [COUNT] [FIRST] [--wasm]

RECORD is a text file with one line per seed: `agree`, `refused` for a spec that the checker refuses, or how the
engines differ. COUNT is 10,000. With `--wasm`, playouts are also compared with those of a WebAssembly module in
wasmtime, and the record says `agree, wasm`; it needs the packages ziglang and wasmtime. Even seeds are played by two
players with the default answers to rulings, odd ones by three with the last answers. Machine code is optimised for one
seed in 20: for the others, the optimiser of LLVM would take most of the time. The exit status is 1 if engines differ
anywhere; `tests/random_specs.py 1 SEED` then prints a minimal spec.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from random_specs import Maker, answers, difference, loaded
from wasm_hosts import Wasmtime, columns_digest, why_not, written

import rulespec
from rulespec.engine.backend.llvm import compiler
from rulespec.engine.states.playout import playouts

COUNT = 10_000
OPTIMISED = 20
GAMES = 20
AGREE, AGREE_IN_WASM, REFUSED = "agree", "agree, wasm", "refused"
_OPTIMISING = compiler.object_code


def main(record: Path, count: int, first: int, wasm: bool = False) -> int:
    """Plays all seeds that the record lacks."""
    done = dict(_recorded(record))
    ahead = [seed for seed in range(first, first + count) if seed not in done]
    with record.open("a", encoding="utf-8") as file, _empty_cache():
        begun = time.perf_counter()
        for number, seed in enumerate(ahead, 1):
            done[seed] = outcome(seed, wasm)
            print(seed, done[seed], file=file, flush=True)
            if sys.stderr.isatty() or number % 100 == 0:
                _progress(done, count, (time.perf_counter() - begun) / number)
    counts = Counter(done.values())
    agree = counts[AGREE] + counts[AGREE_IN_WASM]
    differ = counts.total() - agree - counts[REFUSED]
    print(f"\n{counts.total():,} specs: {agree:,} agree ({counts[AGREE_IN_WASM]:,} in WebAssembly, too), ", end="")
    print(f"{counts[REFUSED]:,} refused, {differ:,} differ")
    return 1 if differ else 0


def outcome(seed: int, wasm: bool = False) -> str:
    """What the record says of a seed. Whatever is raised is recorded, too: neither checks nor engines may raise."""
    try:
        return _played(seed, wasm)
    except Exception as error:
        return f"differ: {type(error).__name__}: {error}"


def _played(seed: int, wasm: bool) -> str:
    spec = loaded(Maker(seed).spec())
    if spec is None:
        return REFUSED
    compiler.object_code = partial(_OPTIMISING, optimised=seed % OPTIMISED == 0)
    players = 2 + seed % 2
    if found := difference(spec, players):
        return f"differ: {found.splitlines()[0]}"
    if not wasm:
        return AGREE
    return AGREE_IN_WASM if _same_in_wasm(spec, players) else "differ: WebAssembly plays other games"


def _same_in_wasm(spec: rulespec.Spec, players: int) -> bool:
    game = spec.game(players, answers(spec, players), engine="interpreter")
    with tempfile.TemporaryDirectory() as folder:
        host = Wasmtime(written(game, Path(folder)))
    return host.play_games(1, 0, GAMES)[0] == columns_digest(playouts(game, 1, range(GAMES)))


def _recorded(record: Path) -> Iterator[tuple[int, str]]:
    for line in record.read_text(encoding="utf-8").splitlines() if record.exists() else ():
        seed, _, result = line.partition(" ")
        yield int(seed), result


@contextmanager
def _empty_cache() -> Iterator[None]:
    """Keeps compiled code in a folder of its own: without optimisation, it must not replace other code."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        yield


def _progress(done: dict[int, str], count: int, seconds: float) -> None:
    left = (count - len(done)) * seconds / 3600
    differ = sum(result.startswith("differ") for result in done.values())
    line = f"\r{len(done):,} of {count:,}, {differ} differ, {seconds:.1f} s each, {left:.1f} h left"
    print(line, end="", file=sys.stderr)


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("record", type=Path)
    parser.add_argument("count", type=int, nargs="?", default=COUNT, help="the number of seeds; by default %(default)s")
    parser.add_argument("first", type=int, nargs="?", default=0, help="the first seed")
    parser.add_argument("--wasm", action="store_true", help="compare playouts with those in wasmtime, too")
    asked = parser.parse_args()
    if asked.wasm and (lacking := why_not("wasmtime")):
        sys.exit(lacking)
    sys.exit(main(asked.record, asked.count, asked.first, asked.wasm))
