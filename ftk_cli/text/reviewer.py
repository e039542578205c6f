"""Runs the program of `--reviewer`, which answers questions about a text: JSON in, JSON out, several side by side."""

from __future__ import annotations

import atexit
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from tempfile import TemporaryFile
from typing import IO, Any

from ftk_cli import failure
from ftk_cli.language import language
from ftk_cli.playing import bar, warnings
from ftk_cli.report.display import harmless
from ftk_cli.text import answers
from rulespec.base.messages import counted, say, sentences

FIRST_WAIT, LONGEST_WAIT = 2.0, 60.0
"""Seconds before a call is repeated for the first time, twice as many each time after, and the most."""
GRACE = 1.0
"""Seconds that a program has to end before it is killed."""
LARGEST = 4_000_000
"""The most bytes of an answer."""
IN_VAIN = 5
"""Calls that fail before any is answered: then no other one begins."""
SHOWN = 20
"""The most lines that are shown of what the program of a call writes to standard error."""

_POLL = 0.05
_NOT_STARTED = (126, 127)
_EXAMPLE = say(
    "It must be JSON such as {example}. docs/text.md#a-reviewer explains it.",
    example='{"read": [{"passage": 1, "remarks": []}]}',
)
_STATUS = say("It must read a question from standard input, write its answer to standard output, and exit with 0.")
_WROTE = say("The reviewer `{command}` wrote more than {most} MB, and was stopped.")
_STOPPED = say("The reviewer `{command}` was stopped.")
_LATE = say("The reviewer `{command}` did not answer within {seconds:g} seconds, and was stopped.")
_CONTINUED = say("With --keep, the answers are kept, and the same command asks about the rest.")


def ask_all(
    command: str,
    questions: Sequence[dict[str, Any]],
    *,
    jobs: int,
    timeout: float,
    retries: int,
    calls: int | None,
    cost: float | None,
) -> Iterator[tuple[int, Any]]:
    """The answers of a shell command to questions as they come, each with the index of its question.

    `jobs` calls run side by side, each for at most `timeout` seconds. One that fails is repeated up to `retries` times,
    unless its time is over or the command cannot be started. No call begins once there were `calls` of them, or once
    the answers' `cost` adds up to `cost`; the calls that run are waited for. A warning names the passages of each
    question without an answer. Raises Failure if calls were made and none was answered, and on Ctrl-C. No process of
    the command's group is left running.
    """
    run = _Run(command, _asked(questions), timeout, retries, calls, cost)
    sizes = [len(one.get("passages", "1")) for one in questions]
    with warnings() as warn, bar(sum(sizes), "reading", failure.is_quiet()) as progress, run.going(jobs):
        unread, failed, said = 0, [], set[str]()
        for at, outcome in run.outcomes():
            progress(sizes[at])
            for line in outcome.notes:
                if line not in said:
                    said.add(line)
                    warn(line)
            if outcome.answer is not None:
                yield at, outcome.answer
            elif outcome.failed is not None:
                failed.append((sizes[at], outcome.failed))
            else:
                unread += sizes[at]
        if failed and not run.answered:
            raise _all_failed(command, [one for _, one in failed], len(questions))
        for size, one in failed:
            warn(sentences(say("Passages not read: {number}.", number=size), one.reason))
        if unread:
            warn(sentences(say("Passages not read: {number}.", number=unread), run.limit(), _CONTINUED))


@dataclass(frozen=True)
class _Asked:
    """A question, as data and as the program reads it."""

    question: dict[str, Any]
    written: bytes


@dataclass(frozen=True)
class _Failed:
    """Why a call has no answer, as a sentence and a hint, and whether it may be repeated."""

    reason: str
    hint: str
    is_repeated: bool = True


@dataclass(frozen=True)
class _Outcome:
    """An answer, or why there is none; neither if the question was not asked. Notes are lines of standard error."""

    answer: Any = None
    failed: _Failed | None = None
    notes: tuple[str, ...] = ()


def _asked(questions: Sequence[dict[str, Any]]) -> list[_Asked]:
    answer_in = {"answer_in": language()}
    written = (json.dumps(one | answer_in, ensure_ascii=False) for one in questions)
    # Half of a surrogate pair becomes \udxxx, which is what JSON calls it.
    texts = [one.encode("utf-8", "backslashreplace") for one in written]
    return [_Asked(one, text) for one, text in zip(questions, texts, strict=True)]


def _all_failed(command: str, failed: list[_Failed], number: int) -> failure.Failure:
    if number == 1:
        return failure.Failure(failed[0].reason, failed[0].hint)
    message = say("The reviewer `{command}` answered none of {number} calls.", command=command, number=len(failed))
    return failure.Failure(message, say("The first one: {reason} {hint}", reason=failed[0].reason, hint=failed[0].hint))


@dataclass
class _Run:
    """The calls of a command. Worker threads take one question after another; `_lock` guards what they count."""

    command: str
    asked: list[_Asked]
    timeout: float
    retries: int
    calls: int | None
    most: float | None
    answered: int = 0
    _failed: int = 0
    _started: int = 0
    _cost: float = 0.0
    _done: SimpleQueue[tuple[int, _Outcome | Exception]] = field(default_factory=SimpleQueue)
    _stop: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _threads: list[threading.Thread] = field(default_factory=list)

    @contextmanager
    def going(self, jobs: int) -> Iterator[None]:
        """The calls run inside. Those that still run at the end, or at the end of the process, are stopped.

        The threads do not keep the process alive: a caller that fails may never finish the loop over the answers.
        """
        left = iter(range(len(self.asked)))
        threads = [
            threading.Thread(target=self._work, args=(left,), daemon=True) for _ in range(min(jobs, len(self.asked)))
        ]
        atexit.register(self.stop)
        with failure.unwinding():
            try:
                for thread in threads:
                    self._threads.append(thread)
                    thread.start()
                yield
            except KeyboardInterrupt:
                raise failure.Failure(say("Stopped."), _CONTINUED) from None
            finally:
                self.stop()
                atexit.unregister(self.stop)

    def stop(self) -> None:
        """Ends all programs that run, and waits until they have."""
        self._stop.set()
        for thread in self._threads:
            # Long enough for a thread to notice, and for its program to be asked to end and then be killed.
            thread.join(3 * GRACE)

    def outcomes(self) -> Iterator[tuple[int, _Outcome]]:
        """What became of each question, in the order in which they are done."""
        for _ in self.asked:
            at, outcome = self._next()
            if isinstance(outcome, Exception):
                raise outcome
            yield at, outcome

    def _next(self) -> tuple[int, _Outcome | Exception]:
        while True:
            with suppress(Empty):
                return self._done.get(timeout=1)  # without a timeout, Windows does not notice Ctrl-C

    def limit(self) -> str:
        """A sentence that says why no further call begins."""
        if self.calls is not None and self._started >= self.calls:
            return say("The limit of calls, {number}, is reached.", number=self.calls)
        if self.most is not None and self._cost >= self.most:
            return say("The answers cost {cost:g}, and the limit is {limit:g}.", cost=self._cost, limit=self.most)
        return counted("The first {number} call failed.", "The first {number} calls failed.", self._failed)

    def _work(self, left: Iterator[int]) -> None:
        while not self._stop.is_set():
            with self._lock:
                at = next(left, None)
            if at is None:
                return
            try:
                self._done.put((at, self._attempts(self.asked[at])))
            except Exception as error:  # raised again where the answers are read
                self._done.put((at, error))

    def _attempts(self, asked: _Asked) -> _Outcome:
        outcome = _Outcome()
        for attempt in range(self.retries + 1):
            if attempt and self._stop.wait(min(FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT)):
                break
            if not self._may_start():
                break
            ended = _run(self.command, asked.written, self.timeout, self._stop.is_set)
            notes = tuple(_lines(ended.errors))
            found = answers.found_in(ended.written, asked.question)
            answer = found.answer if ended.status == 0 else None
            with self._lock:
                # Also of an answer that cannot be used: it has been paid for.
                self._cost += found.cost
                self.answered += answer is not None
            outcome = _Outcome(answer, self._failure(ended, found) if answer is None else None, notes)
            if outcome.failed is None or not outcome.failed.is_repeated:
                break
        with self._lock:
            self._failed += outcome.failed is not None
        return outcome

    def _may_start(self) -> bool:
        with self._lock:
            full = self.calls is not None and self._started >= self.calls
            dear = self.most is not None and self._cost >= self.most
            in_vain = self._failed >= IN_VAIN and not self.answered
            if full or dear or in_vain or self._stop.is_set():
                return False
            self._started += 1
            return True

    def _failure(self, ended: _Ended, found: answers.Found) -> _Failed:
        if ended.stopped:
            return _Failed(
                say(ended.stopped, command=self.command, most=LARGEST // 1_000_000, seconds=self.timeout),
                _STATUS,
                is_repeated=False,
            )
        if ended.status:
            why = say("The reviewer `{command}` ended with status {status}.", command=self.command, status=ended.status)
            return _Failed(why, _STATUS, ended.status not in _NOT_STARTED)
        begins = harmless(" ".join(ended.written.split())[:80]) or say("nothing")
        return _Failed(say(found.reason, command=self.command, begins=begins), _EXAMPLE)


@dataclass(frozen=True)
class _Ended:
    """How a program ended: its status, None if it was stopped; why it was stopped; and what it wrote."""

    status: int | None
    stopped: str
    written: str
    errors: str


def _run(command: str, asked: bytes, timeout: float, is_over: Callable[[], bool]) -> _Ended:
    """Runs a shell command in a process group of its own, which is ended with it.

    Files in place of pipes: a program that does not read, or whose children keep its output open, stops nothing.
    """
    with TemporaryFile() as question, TemporaryFile() as out, TemporaryFile() as errors:
        question.write(asked)
        question.seek(0)
        process = subprocess.Popen(  # the user's own command line
            command, shell=True, stdin=question, stdout=out, stderr=errors, start_new_session=True
        )
        try:
            stopped = _wait(process, timeout, is_over, (out, errors))
        finally:
            if process.poll() is None:
                _signal(process, signal.SIGTERM)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(GRACE)
            # Also after the program has ended by itself: what it started may still run.
            _signal(process, signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
            process.wait()
        return _Ended(None if stopped else process.returncode, stopped, _content(out), _content(errors))


def _wait(
    process: subprocess.Popen[bytes], timeout: float, is_over: Callable[[], bool], files: Sequence[IO[bytes]]
) -> str:
    """Waits until a program has ended: "". If it must be stopped, words that say why."""
    until = time.monotonic() + timeout
    while True:
        if any(os.fstat(file.fileno()).st_size > LARGEST for file in files):
            return _WROTE
        if is_over():
            return _STOPPED
        left = until - time.monotonic()
        if left <= 0:
            return _LATE
        with suppress(subprocess.TimeoutExpired):
            process.wait(min(_POLL, left))
            return ""


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    if sys.platform == "win32":
        process.kill()
        return
    with suppress(ProcessLookupError, PermissionError):  # the group has ended; macOS denies it then
        os.killpg(process.pid, number)


def _content(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(LARGEST).decode("utf-8", "replace")


_STEERING = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-_])")


def _lines(errors: str) -> Iterator[str]:
    """The last lines of standard error as a terminal would leave them: without colours and what was written over."""
    plain = (_STEERING.sub("", line).rstrip("\r").rpartition("\r")[2].strip() for line in errors.split("\n"))
    yield from map(harmless, [line for line in plain if line][-SHOWN:])
