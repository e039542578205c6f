"""Commands that write files, killed at random, and with other programs that save the same files meanwhile.

    .venv/bin/python benchmarks/interrupted.py [--kills N] [--saves N] [--seed N] [COMMAND …]

Each trial runs a command in a forked process and a copy of its project. Half of the kills come after a random time,
the others at one of the system calls by which the command opens files for writing, makes, renames or deletes them: an
audit hook counts these. Then `ftk check` runs, as any command may, and the files must be those of before or those of
after the command. A save comes from this process while the command is stopped, somewhere between its first read of the
file and its first write.

    files     changed by the command            half      sets that are half done after the next command
    calls     that write                        silent    sets that the next command settled without a word
    undone    trials with the files of before   left      trials that leave temporary files after the next write
    done      trials with the files of after    lost      saves that are overwritten
                                                refused   saves that are named, and after which nothing is written
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from interruption import CASES, Bench, preload, run, temporary, tree


def killed(bench: Bench, at: int | None, delay: float | None = None) -> Counter[str]:
    """What a kill at a call, or after a delay, leaves to the next command and to the next that writes."""
    folder = bench.killed(at, delay)
    then = tree(folder)
    said = run("check", folder).said
    now = tree(folder)
    files, was = ({name: one for name, one in some.items() if name not in temporary(some)} for some in (now, then))
    run(bench.case.line, folder)
    found = Counter[str](undone=files == bench.before, done=files == bench.after)
    found["half"] += files not in (bench.before, bench.after)
    found["silent"] += files != was and "was interrupted" not in said
    found["left"] += bool(temporary(tree(folder)))
    shutil.rmtree(folder)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("commands", nargs="*", choices=[*CASES, []], metavar="COMMAND")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--saves", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    chosen = given.commands or list(CASES)
    saved = [name for name in chosen if CASES[name].saves]
    chance = random.Random(given.seed)
    preload()
    columns = ("kills", "undone", "done", "half", "silent", "left", "saves", "refused", "lost")
    print(row("command", "files", "calls", {one: one for one in columns}))
    total = Counter[str]()
    with tempfile.TemporaryDirectory() as place:
        os.environ["XDG_CACHE_HOME"] = f"{place}/cache"
        for index, name in enumerate(chosen):
            bench = Bench(CASES[name], Path(place, f"case{index}"))
            found = Counter(kills=len(range(index, given.kills, len(chosen))))
            found["saves"] = len(range(saved.index(name), given.saves, len(saved))) if name in saved else 0
            for number in range(found["kills"]):
                delay = chance.uniform(0.2, 1) * bench.ended.seconds if number % 2 else None
                found += killed(bench, None if number % 2 else chance.choice(bench.writes), delay)
            for _ in range(found["saves"]):
                found += bench.saved(chance.choice(bench.between))
            print(row(name, str(len(bench.changed)), str(len(bench.writes)), found), flush=True)
            total += found
    print(row("all", "", "", total))


def row(name: str, files: str, calls: str, found: Mapping[str, object]) -> str:
    kills = "".join(f"{found[one]!s:>7}" for one in ("kills", "undone", "done", "half", "silent", "left"))
    saves = "".join(f"{found[one]!s:>8}" for one in ("saves", "refused", "lost"))
    return f"{name:<18}{files:>6}{calls:>6} │{kills} │{saves}"


if __name__ == "__main__":
    main()
