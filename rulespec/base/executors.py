"""Executors, which play chunks: this process, or several on this machine. For other machines see `cluster`."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent import futures
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, Protocol, TypeVar

from rulespec.base.failure import SimulationError
from rulespec.base.messages import say

S = TypeVar("S")
T = TypeVar("T")
F = TypeVar("F")

AHEAD = 4
"""The usual number of chunks in flight per worker. With four, a worker does not idle while the chunk before it in order
takes up to four times as long, and few results wait in memory."""

MOST_BREAKS = 3
"""Consecutive losses of workers after which a run fails. One may be the system's reaction to another program's memory;
three without any progress between them will not stop."""


class Executor(Protocol):
    """Maps `job` over chunks and yields the results in order, with only a few chunks in flight at a time.

    `game` is what is played: a game, or anything else that can be pickled. `job` must be a function of a module, or a
    `partial` of one, so that it can be sent elsewhere.
    """

    def __call__(self, game: S, job: Callable[[S, range], T], chunks: Iterable[range]) -> Generator[T, None, None]: ...


def here(game: S, job: Callable[[S, range], T], chunks: Iterable[range]) -> Generator[T, None, None]:
    """The executor without workers: one chunk after another in this process."""
    yield from (job(game, chunk) for chunk in chunks)


def in_order(
    chunks: Iterable[range],
    width: Callable[[], int],
    submit: Callable[[range], F],
    result: Callable[[F], T],
    waiting: deque[tuple[range, F]],
) -> Iterator[T]:
    """Results of chunks in order, with at most `width()` submitted at a time.

    Chunks that are submitted and not yet yielded are in `waiting`, also after an error.
    """
    for chunk in chunks:
        waiting.append((chunk, submit(chunk)))
        while len(waiting) >= width():
            yield _next(waiting, result)
    while waiting:
        yield _next(waiting, result)


def _next(waiting: deque[tuple[range, F]], result: Callable[[F], T]) -> T:
    found = result(waiting[0][1])
    # Taken out only now: a chunk whose worker is lost stays in `waiting`, to be played again.
    waiting.popleft()
    return found


@dataclass(frozen=True)
class Processes:
    """The executor of several processes on this machine. The chunks of a killed process are played again.

    `ahead`: the chunks in flight per worker.
    """

    workers: int
    ahead: int = AHEAD

    def __call__(self, game: S, job: Callable[[S, range], T], chunks: Iterable[range]) -> Generator[T, None, None]:
        left, waiting, breaks = iter(chunks), deque[tuple[range, "Future[T]"]](), 0
        while breaks < MOST_BREAKS:
            # The lost chunks come first, since results are yielded in order.
            left = chain([chunk for chunk, _ in waiting], left)
            waiting.clear()
            try:
                with _pool(self.workers, game) as pool:
                    for found in in_order(left, self._width, partial(_submit, pool, job), Future.result, waiting):
                        yield found
                        breaks = 0
                return
            except BrokenExecutor:
                breaks += 1
        raise SimulationError(
            say("Worker processes were killed {most_breaks} times in a row.", most_breaks=MOST_BREAKS),
            say("The system may be out of memory: try it with fewer --workers."),
        )

    def _width(self) -> int:
        return self.ahead * self.workers


@contextmanager
def _pool(workers: int, game: object) -> Iterator[futures.ProcessPoolExecutor]:
    """A pool of worker processes that have the game. None is left when the context ends, even after an error."""
    pool = futures.ProcessPoolExecutor(workers, initializer=_start_worker, initargs=(game,))
    try:
        yield pool
        # Only without an error: it waits for the workers, which may hang after one.
        pool.shutdown()
    finally:
        for process in list((pool._processes or {}).values()):  # Python 3.14 has terminate_workers() for this
            process.terminate()
        pool.shutdown(cancel_futures=True)


def _submit(pool: futures.ProcessPoolExecutor, job: Callable[[S, range], T], chunk: range) -> Future[T]:
    try:
        # The pool starts its processes in `submit`, as they are needed.
        with _undisturbed():
            return pool.submit(_work, job, chunk)
    except BrokenExecutor as error:  # handled like the loss of a chunk in flight
        lost: Future[T] = Future()
        lost.set_exception(error)
        return lost


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Processes started inside ignore Ctrl-C from their first instruction on; this one receives it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_game: Any = None


def _start_worker(game: object) -> None:
    global _game
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # the parent may have another answer to it
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _game = game


def _end_with_parent() -> None:
    """Ends a worker whose parent was killed, which would otherwise wait forever."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(job: Callable[[Any, range], Any], chunk: range) -> Any:
    assert _game is not None
    return job(_game, chunk)


def processors() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
