"""Runs mutants: which are made, how long each may take, what counts as a failure, and how it is reduced."""

from __future__ import annotations

import resource
import signal
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from time import monotonic
from types import FrameType
from typing import Any

from fuzzing.mutations import Vocabulary, mutated, mutated_bytes, mutated_text, variants
from fuzzing.readers import READERS, ROOT, project
from fuzzing.trees import FORMATS

LIMIT = 10.0
"""Seconds of processor time that one mutant may take: the slowest sample takes two."""
SHRINKING = 30.0
"""Seconds that reducing one failure may take."""
MEMORY = 500_000_000
"""Bytes that a process may take for its mutants, above what it has before the first."""
RARE = 0.01
"""The share of mutants of large samples, which take a hundred times as long as small ones."""


@dataclass(frozen=True)
class Mutant:
    """One input: its bytes, and its tree where it was made of one."""

    data: bytes
    tree: Any = None


@dataclass(frozen=True)
class Failure:
    """What a mutant made a reader raise. `where` is the exception and the innermost line of our code."""

    where: str
    trace: str


@dataclass
class Result:
    """The figures of a run: mutants, seconds, the slowest, and one mutant for each kind of failure."""

    mutants: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    failures: dict[str, tuple[int, Mutant, Failure]] = field(default_factory=dict)


class TooSlow(BaseException):
    """Raised inside a reader that takes longer than it may. No handler of the reader catches it."""


@dataclass(frozen=True)
class _Samples:
    common: list[bytes]
    rare: list[bytes]
    vocabulary: Vocabulary


def mutant(reader: str, number: int, seed: int) -> Mutant:
    """The mutant of this number: the same for the same seed."""
    rng, known = Random(f"{reader} {seed} {number}"), _samples(reader)
    sample = rng.choice(known.rare if known.rare and rng.random() < RARE else known.common)
    form, way = FORMATS[READERS[reader].format], rng.random()
    if way < 0.75 and (tree := _parsed(reader, sample)) is not None:
        changed = mutated(tree, rng, known.vocabulary)
        return Mutant(_bytes(form.write(changed)), changed)
    if way < 0.95:
        return Mutant(_bytes(mutated_text(sample.decode("utf-8", "replace"), rng, known.vocabulary)))
    return Mutant(mutated_bytes(sample, rng))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def forget() -> None:
    """Forgets the project and the samples of the process that this one was forked from, which uses them itself."""
    project.cache_clear()
    _samples.cache_clear()


def limit_memory() -> None:
    """Makes this process raise MemoryError, which is a failure, where it takes more than `MEMORY`."""
    taken = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmData"))
    limit = int(taken.split()[1]) * 1024 + MEMORY
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


@cache
def _samples(reader: str) -> _Samples:
    row = READERS[reader]
    common, rare = list(row.samples(project())), list(row.rare(project())) if row.rare is not None else []
    vocabulary = Vocabulary()
    for sample in common:
        if (tree := _parsed(reader, sample)) is not None:
            vocabulary.learn(tree)
    return _Samples(common, rare, vocabulary)


@cache
def _parsed(reader: str, sample: bytes) -> Any:
    try:
        return FORMATS[READERS[reader].format].parse(sample.decode())
    except Exception:  # a bad sample: only its text is changed
        return None


def fuzz(
    reader: str, numbers: Iterable[int], seed: int = 0, started: Callable[[int], None] = lambda number: None
) -> Result:
    """Gives mutants to a reader. `started` is called with the number of each before it is read."""
    result, began = Result(), monotonic()
    for number in numbers:
        started(number)
        one, before = mutant(reader, number, seed), monotonic()
        failure = failing(reader, one.data)
        result.mutants += 1
        result.slowest = max(result.slowest, monotonic() - before)
        if failure is not None and failure.where not in result.failures:
            result.failures[failure.where] = (number, one, failure)
    result.seconds = monotonic() - began
    return result


def failing(reader: str, data: bytes, limit: float = LIMIT) -> Failure | None:
    """What the reader raises for these bytes, None where it does as documented."""
    row = READERS[reader]
    try:
        with _limited(limit):
            row.read(project(), data)
    except row.allowed:
        return None
    except (Exception, TooSlow) as error:
        return _failure(error)
    return None


def _failure(error: BaseException) -> Failure:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_ours(frame.filename)]
    # The place where a slow reader was stopped is chance; where recursion ends, too.
    chance = isinstance(error, TooSlow | RecursionError)
    last = frames[len(frames) // 2] if chance and frames else frames[-1] if frames else None
    place = f"{Path(last.filename).relative_to(ROOT)}:{'' if chance else last.lineno} {last.name}" if last else "?"
    return Failure(f"{type(error).__name__} at {place}", "".join(traceback.format_exception(error)[-12:]))


def _is_ours(filename: str) -> bool:
    return filename.startswith((str(ROOT / "rulespec"), str(ROOT / "ftk_cli")))


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"more than {seconds:g} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


# --- reducing ---------------------------------------------------------------------------------------------------------


def shrunk(reader: str, one: Mutant, failure: Failure, seconds: float = SHRINKING) -> bytes:
    """The smallest input found in a while that fails in the same place."""
    until = monotonic() + seconds

    def fails(data: bytes) -> bool:
        found = failing(reader, data, LIMIT)
        return found is not None and found.where == failure.where

    data = one.data
    if one.tree is not None:
        data = _smaller_tree(FORMATS[READERS[reader].format].write, one.tree, fails, until)
    return _smaller_bytes(data, fails, until)


def _smaller_tree(write: Callable[[Any], str], tree: Any, fails: Callable[[bytes], bool], until: float) -> bytes:
    """Takes parts away from a tree, large ones first, as long as it fails."""
    changed = True
    while changed and monotonic() < until:
        changed = False
        for smaller in variants(tree):
            if monotonic() > until:
                break
            if fails(_bytes(write(smaller))):
                tree, changed = smaller, True
                break
    return _bytes(write(tree))


def _smaller_bytes(data: bytes, fails: Callable[[bytes], bool], until: float) -> bytes:
    size = len(data) // 2
    while size and monotonic() < until:
        for start in range(0, len(data), size):
            smaller = data[:start] + data[start + size :]
            if monotonic() < until and fails(smaller):
                data = smaller
                break
        else:
            size //= 2
    return data
