"""Chunks played on other machines, by the workers of a Dask scheduler.

The scheduler has the chunk of a lost worker played again by another. Results come back by chunk, and only this process
counts and writes, so nothing is lost and nothing counted twice.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import pickle
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from rulespec.engine.game import Game
from rulespec.simulate.executors import AHEAD, Parcel, in_order
from rulespec.simulate.failure import SimulationError, require

if TYPE_CHECKING:
    from distributed import Client, Future

T = TypeVar("T")

TO_ANSWER = 5.0
"""Seconds until a scheduler must have answered."""

PATIENCE, CHECKS = 5.0, 4
"""A cluster is given up when so many checks, so many seconds apart, found no worker: a restarted one is back sooner."""

PLAYING = ("balance", "engine", "expr", "model", "simulate")
"""The parts of the package that decide what a game is and how it is counted."""

_CALL = f"__import__('pkgutil').resolve_name('{__name__}:work')(parcel, code, job, chunk)"
"""Sent instead of the function itself: a worker that does not have it fails in the task, and can say so."""

_WHERE = "Start one with `dask scheduler`, and name the address it prints."

_SAME = "All workers need the same version of ftk as this machine, and the same extras."


@dataclass(frozen=True)
class Cluster:
    """The executor of a Dask scheduler at `address`, such as tcp://127.0.0.1:8786.

    Raises SimulationError where the package `distributed` is missing, nobody answers, or workers have another ftk.
    """

    address: str

    def __call__(
        self, game: Game, job: Callable[[Game, range], T], chunks: Iterable[range]
    ) -> Generator[T, None, None]:
        require("distributed", "cluster", "A cluster")
        waiting = deque[tuple[range, "Future[Any]"]]()
        with _client(self.address) as client, _in_words():
            # A task and not plain data: where the only worker that has it is lost, another is given it.
            parcel = client.submit(bytes, pickle.dumps(Parcel(game)), key=_key())
            told = {"parcel": parcel, "code": code(), "job": pickle.dumps(job)}
            submit = partial(_submit, client, told)
            yield from in_order(chunks, partial(_width, client), submit, partial(_result, client), waiting)


def _submit(client: Client, told: dict[str, Any], chunk: range) -> Future[Any]:
    return client.submit(eval, _CALL, told | {"chunk": chunk}, key=_key())


def _key() -> str:
    return f"ftk-{uuid4().hex}"


def _width(client: Client) -> int:
    threads: dict[str, int] = client.nthreads()
    return AHEAD * max(1, sum(threads.values()))


def _result(client: Client, future: Future[Any]) -> Any:
    """What a worker made of a chunk. Waits as long as there are workers."""
    alone = 0
    while alone < CHECKS:
        with suppress(TimeoutError):
            return future.result(timeout=PATIENCE)
        alone = 0 if client.nthreads() else alone + 1
    raise SimulationError("The cluster has no workers.", "Start some with `dask worker ADDRESS`.")


@contextmanager
def _in_words() -> Iterator[None]:
    """Whatever may become of a chunk, as a SimulationError."""
    from distributed import KilledWorker

    try:
        yield
    except SimulationError:
        raise
    except (CancelledError, OSError):
        raise SimulationError("The connection to the scheduler was lost.", "See whether it still runs.") from None
    except KilledWorker:
        raise SimulationError("Several workers were killed over one chunk.", "They may be out of memory.") from None
    except Exception as error:
        reason = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        raise SimulationError(f"A worker of the cluster could not play a chunk ({reason}).", _SAME) from None


@contextmanager
def _client(address: str) -> Iterator[Client]:
    from distributed import Client

    _find_scheduler(address)
    with _quiet():
        client = Client(address, timeout=TO_ANSWER, set_as_default=False)
        try:
            yield client
        finally:
            client.close()


@contextmanager
def _quiet() -> Iterator[None]:
    """What the client would tell of lost workers is either mended or said in words."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client", "asyncio")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


def _find_scheduler(address: str) -> None:
    """Asks who is there. A client would wait for ever for somebody who takes the call and says nothing."""
    try:
        with ThreadPoolExecutor(1) as thread:  # the caller may be in an event loop, such as a notebook's
            kind = thread.submit(asyncio.run, asyncio.wait_for(_kind(address), TO_ANSWER)).result()
    except Exception as error:  # whatever whoever is there may cause
        reason = ": " + " ".join(str(error).split())[:200] if str(error) else ""
        raise SimulationError(f"No Dask scheduler answers at {address}{reason}.", _WHERE) from None
    if kind != "Scheduler":
        raise SimulationError(f"At {address} is no Dask scheduler, but a {kind.lower()}.", _WHERE)


async def _kind(address: str) -> str:
    from distributed import rpc

    async with rpc(address) as there:
        return str((await there.identity())["type"])


# on a worker


def work(parcel: bytes, theirs: str, job: bytes, chunk: range) -> Any:
    """Plays a chunk. Raises SimulationError where the one who asks plays by another version of the code."""
    if code() != theirs:
        from distributed import get_worker

        raise SimulationError(f"The worker at {get_worker().address} has another version of ftk.", _SAME)
    return pickle.loads(job)(_game(parcel), chunk)


@lru_cache(maxsize=4)
def _game(parcel: bytes) -> Game:
    game: Game = pickle.loads(parcel).game
    return game


@cache
def code() -> str:
    """Names what this process plays with: a digest of the source."""
    here, digest = Path(__file__).parents[1], hashlib.sha256()
    for path in sorted(path for part in PLAYING for path in (here / part).rglob("*.py")):
        digest.update(path.relative_to(here).as_posix().encode() + b"\0")
        digest.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()
