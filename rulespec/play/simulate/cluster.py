"""The executor for other machines: the workers of a Dask scheduler.

The scheduler gives the chunk of a lost worker to another. Only this process counts and writes, chunk by chunk, so
nothing is lost and nothing is counted twice.
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

from rulespec.base.executors import AHEAD, in_order
from rulespec.base.failure import SimulationError, require
from rulespec.base.messages import say

if TYPE_CHECKING:
    from distributed import Client, Future

S = TypeVar("S")
T = TypeVar("T")

TO_ANSWER = 5.0
"""Seconds that a scheduler may take to answer. On a network of one's own it takes milliseconds."""

PATIENCE, CHECKS = 5.0, 4
"""Seconds between checks, and consecutive checks without any worker after which a run fails. A worker that is restarted
is back within 20 seconds."""

PLAYING = ("play/balance", "play/bots", "engine", "language/expr", "language/model", "play/simulate")
"""The packages that determine how games are played and counted."""

_CALL = f"__import__('pkgutil').resolve_name('{__name__}:work')(parcel, code, job, chunk)"
"""Sent instead of the function itself: a worker with another version then fails in the task, with an error message."""

_WHERE = say("Start one with `dask scheduler`, and name the address it prints.")

_SAME = say("All workers need the same version of ftk as this machine, and the same extras.")


@dataclass(frozen=True)
class Cluster:
    """The executor of a Dask scheduler at `address`, such as tcp://127.0.0.1:8786.

    Raises SimulationError if the package `distributed` is missing, no scheduler answers, or a worker has another
    version of ftk.
    """

    address: str

    def __call__(self, game: S, job: Callable[[S, range], T], chunks: Iterable[range]) -> Generator[T, None, None]:
        require("distributed", "cluster", "A cluster")
        waiting = deque[tuple[range, "Future[Any]"]]()
        with _client(self.address) as client, _failures():
            # A task and not plain data: if the only worker that has it is lost, the scheduler recreates it on another.
            parcel = client.submit(bytes, pickle.dumps(game), key=_key())
            arguments = {"parcel": parcel, "code": code(), "job": pickle.dumps(job)}
            submit = partial(_submit, client, arguments)
            yield from in_order(chunks, partial(_width, client), submit, partial(_result, client), waiting)


def _submit(client: Client, arguments: dict[str, Any], chunk: range) -> Future[Any]:
    return client.submit(eval, _CALL, arguments | {"chunk": chunk}, key=_key())


def _key() -> str:
    return f"ftk-{uuid4().hex}"


def _width(client: Client) -> int:
    threads: dict[str, int] = client.nthreads()
    return AHEAD * max(1, sum(threads.values()))


def _result(client: Client, future: Future[Any]) -> Any:
    """The result of a chunk. Waits as long as there are workers."""
    alone = 0
    while alone < CHECKS:
        with suppress(TimeoutError):
            return future.result(timeout=PATIENCE)
        alone = 0 if client.nthreads() else alone + 1
    raise SimulationError(say("The cluster has no workers."), say("Start some with `dask worker ADDRESS`."))


@contextmanager
def _failures() -> Iterator[None]:
    """Turns every failure of a chunk into a SimulationError."""
    from distributed import KilledWorker

    try:
        yield
    except SimulationError:
        raise
    except (CancelledError, OSError):
        raise SimulationError(
            say("The connection to the scheduler was lost."), say("Check that it still runs.")
        ) from None
    except KilledWorker:
        raise SimulationError(
            say("Several workers were killed while they played the same chunk."), say("They may be out of memory.")
        ) from None
    except Exception as error:
        reason = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        raise SimulationError(
            say("A worker of the cluster could not play a chunk ({reason}).", reason=reason), _SAME
        ) from None


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
    """Silences the client's log: lost workers are replaced, and failures become error messages."""
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
    """Checks that a scheduler answers. A client would wait forever for a server that accepts connections silently."""
    try:
        with ThreadPoolExecutor(1) as thread:  # the caller may run in an event loop, such as a notebook's
            kind = thread.submit(asyncio.run, asyncio.wait_for(_kind(address), TO_ANSWER)).result()
    except Exception as error:  # another server may answer with anything
        reason = ": " + " ".join(str(error).split())[:200] if str(error) else ""
        raise SimulationError(
            say("No Dask scheduler answers at {address}{reason}.", address=address, reason=reason), _WHERE
        ) from None
    if kind != "Scheduler":
        raise SimulationError(
            say("{address} is a Dask {lower}, not a scheduler.", address=address, lower=kind.lower()), _WHERE
        )


async def _kind(address: str) -> str:
    from distributed import rpc

    async with rpc(address) as there:
        return str((await there.identity())["type"])


# on a worker


def work(parcel: bytes, theirs: str, job: bytes, chunk: range) -> Any:
    """Plays a chunk. Raises SimulationError if the client has another version of the code."""
    if code() != theirs:
        from distributed import get_worker

        raise SimulationError(
            say("The worker at {address} has another version of ftk.", address=get_worker().address), _SAME
        )
    return pickle.loads(job)(_game(parcel), chunk)


@lru_cache(maxsize=4)
def _game(parcel: bytes) -> object:
    game: object = pickle.loads(parcel)
    return game


@cache
def code() -> str:
    """A digest of the source code that plays and counts games."""
    here, digest = Path(__file__).parents[2], hashlib.sha256()
    for path in sorted(path for part in PLAYING for path in (here / part).rglob("*.py")):
        digest.update(path.relative_to(here).as_posix().encode() + b"\0")
        digest.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()
