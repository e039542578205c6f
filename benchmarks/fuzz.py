"""Gives mutants of real files to every reader and prints what fails, with a small input for each failure.

    .venv/bin/python benchmarks/fuzz.py 100000 [--seed 0] [--reader spec --reader deck …] [--from 0]

Readers that take long get fewer mutants, and the same seed makes the same ones. Each may take ten seconds and 500 MB.
One that cannot be stopped from inside, such as a backtracking regular expression, is stopped from outside after a
minute.
`--seeded-bugs` measures the fuzzer itself: it puts bugs into the code, one at a time, and counts those it finds.
The exit status is 1 where something failed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fuzzing.readers import READERS, project  # found through the line above
from fuzzing.run import Result, forget, fuzz, limit_memory, mutant, shrunk
from fuzzing.seeded_bugs import BUGS, found_after

HANGS = 60.0
"""Seconds without a new mutant after which a reader is stopped from outside."""
CHUNK = 250
"""Mutants between two reports of a reader to its parent: few enough to lose little where it is stopped."""


def work(reader: str, first: int, last: int, seed: int, pipe: Connection) -> None:
    """Reads mutants in a process of its own, in a project of its own, and reports every chunk."""
    forget()
    limit_memory()
    for start in range(first, last, CHUNK):
        pipe.send(fuzz(reader, range(start, min(start + CHUNK, last)), seed, pipe.send))
    project().remove()
    pipe.send(None)


def run(reader: str, first: int, last: int, seed: int) -> Result:
    """All mutants of a reader, in spite of any that hangs."""
    total, at = Result(), first
    while at < last:
        ours, theirs = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.get_context("fork").Process(target=work, args=(reader, at, last, seed, theirs))
        process.start()
        theirs.close()
        at = _follow(ours, reader, at, last, seed, total)
        if process.is_alive():
            os.kill(process.pid or 0, signal.SIGKILL)
        process.join()
    return total


def _follow(pipe: Connection, reader: str, at: int, last: int, seed: int, total: Result) -> int:
    """Adds up what a process reports. Returns the number of the mutant to go on with."""
    while pipe.poll(HANGS):
        try:
            said = pipe.recv()
        except EOFError:
            total.failures.setdefault("the process died", (at, mutant(reader, at, seed), _DIED))
            return at + 1
        if said is None:
            return last
        if isinstance(said, int):
            at = said
            continue
        total.mutants += said.mutants
        total.seconds += said.seconds
        total.slowest = max(total.slowest, said.slowest)
        total.failures = said.failures | total.failures
    total.failures.setdefault(f"hangs at {at}", (at, mutant(reader, at, seed), _DIED))
    return at + 1


_DIED = None


def main() -> int:
    parser = argparse.ArgumentParser(description="Gives mutants of real files to every reader.")
    parser.add_argument("number", type=int, nargs="?", default=16_000, metavar="N", help="how many mutants in all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reader", action="append", choices=list(READERS), help="only this reader; may be repeated")
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first number of each reader")
    parser.add_argument("--no-shrink", action="store_true", help="do not reduce the inputs that fail")
    parser.add_argument("--seeded-bugs", action="store_true", help="measure the fuzzer by bugs put into the code")
    given = parser.parse_args()
    os.nice(10)
    if given.seeded_bugs:
        return measure(given.number, given.seed)
    readers = given.reader or list(READERS)
    shares = sum(READERS[reader].share for reader in readers)
    print(f"{'reader':<12} {'mutants':>8} {'seconds':>8} {'slowest':>8} {'failures':>8}", flush=True)
    failed = 0
    for reader in readers:
        mutants = -(-given.number * READERS[reader].share // shares)
        result = run(reader, given.first, given.first + mutants, given.seed)
        failed += len(result.failures)
        figures = f"{result.mutants:>8,} {result.seconds:>8.0f} {result.slowest:>8.1f} {len(result.failures):>8}"
        print(f"{reader:<12} {figures}", flush=True)
        for where, (number, one, failure) in result.failures.items():
            print(f"  {where} (mutant {number})")
            if failure is not None:
                data = one.data if given.no_shrink else shrunk(reader, one, failure)
                print(f"    {data[:1500]!r}", flush=True)
                print("".join(f"    | {line}\n" for line in failure.trace.splitlines()[-8:]), flush=True)
    return 1 if failed else 0


def measure(number: int, seed: int) -> int:
    """Puts every bug of the table into the code in turn and says after how many mutants it is found."""
    found = 0
    for bug in BUGS:
        before = time.monotonic()
        after = found_after(bug, number, seed)
        found += after is not None
        said = f"found after {after + 1:,}" if after is not None else f"not found in {number:,}"
        print(f"{bug.reader:<12} {said:<22} {time.monotonic() - before:>5.0f} s  {bug.name}", flush=True)
    print(f"{found} of {len(BUGS)} bugs found.")
    return 0 if found == len(BUGS) else 1


if __name__ == "__main__":
    status = main()
    project().remove()
    sys.exit(status)
