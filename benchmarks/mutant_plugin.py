"""Notes in a run of pytest which test reaches which planted mistake, or tries each mistake of a plan with its tests
(`benchmarks/mutants.py`)."""

from __future__ import annotations

import contextlib
import functools
import gc
import json
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mutant_switch as switch
import pytest
from _pytest.runner import runtestprotocol

PLAN = Path(os.environ.get("MUTANT_PLAN", ""))
"""The tests of each mistake; the current folder if there is no plan."""

reports: list[pytest.TestReport] = []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    switch.test, switch.process = item.nodeid, os.getpid()
    switch.seen.clear()
    reports.clear()
    done = yield
    if switch.FOLDER:
        passed = not any(report.failed for report in reports)
        seconds = sum(report.duration for report in reports)
        row = {"test": item.nodeid, "reached": sorted(switch.seen), "seconds": seconds, "passed": passed}
        with (Path(switch.FOLDER) / f"tests-{os.getpid()}").open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
    return done


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Iterator[None]:
    report: Any = yield
    reports.append(report)
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Each mistake of the plan in a process of its own, with its tests, until one of them fails."""
    if not PLAN.is_file():
        return None
    items = {item.nodeid: item for item in session.items}
    for row in json.loads(PLAN.read_text(encoding="utf-8")):
        chosen = [items[test] for test in row["tests"] if test in items]
        folder = Path(tempfile.mkdtemp())  # outside of the checkout, whose specs tests would find
        child = os.fork()
        if not child:
            try:
                _try(session, row["number"], chosen, folder, row["cache"])
            finally:
                os._exit(0)
        end = time.monotonic() + row["limit"]
        while not os.waitpid(child, os.WNOHANG)[0]:
            if time.monotonic() > end:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                break
            time.sleep(0.02)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # what its tests left running
        result = folder / "result"
        by = result.read_text(encoding="utf-8") if result.exists() else "out of time, or the process ended"
        with PLAN.with_suffix(".results").open("a", encoding="utf-8") as file:
            file.write(json.dumps({"number": row["number"], "killed": bool(by), "by": by, "tests": len(chosen)}) + "\n")
        shutil.rmtree(folder, ignore_errors=True)
    return True


def _try(session: pytest.Session, number: int, chosen: list[pytest.Item], folder: Path, cache: str) -> None:
    """Runs tests with one mistake switched on, and writes which one failed first, or nothing if all pass."""
    os.setsid()
    silent = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(silent, stream)
    for one in gc.get_objects():  # what the collection of tests computed without the mistake
        if isinstance(one, functools._lru_cache_wrapper) and str(one.__module__).startswith(("rulespec", "ftk_cli")):
            one.cache_clear()
    factory: Any = session.config._tmp_path_factory  # type: ignore[attr-defined]
    factory._basetemp = folder
    if os.path.isdir(cache):
        shutil.copytree(cache, folder / "cache", copy_function=os.link)
    switch.ACTIVE, switch.FOLDER = number, ""
    os.environ["MUTANT"] = str(number)
    killer = ""
    for item, following in zip(chosen, [*chosen[1:], None], strict=False):
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):
            killer = item.nodeid
            break
    (folder / "result").write_text(killer, encoding="utf-8")
