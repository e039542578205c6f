"""Fixtures and markers for all tests."""

from __future__ import annotations

import gc
import os
import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest
from high_card import GAMES, SEED, SIZE, SPEC, size_of_chunks
from hypothesis import HealthCheck, settings

import rulespec
from rulespec.engine.backend.engines import costs, tiers
from rulespec.engine.states.playout import playouts
from rulespec.play.simulate.figures import Figures

try:
    from rulespec.engine.backend.llvm import compiler

    OBJECT_CODE = compiler.object_code
except ImportError:
    compiler = None

# Machine code takes over only in its own tests: elsewhere it would compile beside them.
tiers.LOOK = sys.maxsize
costs.AHEAD = (0.0, 0.0)

# How long an example takes says nothing on a shared machine. The first one of all may wait for tables of characters.
settings.register_profile("soak", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("sample", settings.get_profile("soak"), max_examples=30)
settings.load_profile("soak")

LONG = 3.0
"""Seconds of processor time. A test that takes longer is marked `slow`, with the reason, where it stands."""


def pytest_configure(config: pytest.Config) -> None:
    """Outside of the nightly run: fewer examples, for properties that do not state how many they need, and machine code
    that is not optimised, which is compiled in a third of the time."""
    if "not soak" in config.getoption("markexpr"):
        settings.load_profile("sample")
        if compiler is not None:
            compiler.object_code = partial(OBJECT_CODE, optimised=False)
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Times(), "times")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file whose tests all belong to another tier is not even imported."""
    if not collection_path.name.startswith("test_"):
        return None
    text = collection_path.read_text(encoding="utf-8")
    tier = config.getoption("markexpr")
    marks = (mark for mark in ("slow", "soak") if f"not {mark}" in tier)
    return True if any(re.search(rf"^pytestmark = .*\bmark\.{mark}\b", text, re.MULTILINE) for mark in marks) else None


def pytest_collection_finish() -> None:
    """What is there to stay is not searched for garbage again and again: collections took a tenth of the time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test with the mark `sample(count)`, `count` cases stay in `make test`; `make soak` has the others, too."""
    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sample"):
            tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases in tests.values():
        mark = cases[0].get_closest_marker("sample")
        kept = spread([_parameters(item) for item in cases], mark.args[0] if mark else 0)
        for at, item in enumerate(cases):
            if at not in kept:
                item.add_marker(pytest.mark.soak)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Notes the processor time of a test, of its processes as well, and whether it is marked as slow."""
    began = sum(os.times()[:4])
    try:
        yield
    finally:
        marked = any(item.iter_markers("slow")) or any(item.iter_markers("soak"))
        item.user_properties.append(("processor", (sum(os.times()[:4]) - began, marked)))


class Times:
    """The time of a tier, printed at its end with the slowest files, and with the slow tests that no mark explains."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.files: Counter[str] = Counter()
        self.unmarked: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.files[report.nodeid.partition("::")[0]] += report.duration
        for name, (seconds, marked) in report.user_properties if report.when == "call" else ():
            if name == "processor" and seconds > LONG and not marked:
                self.unmarked[report.nodeid] = seconds

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        wall, tests = time.monotonic() - self.began, self.files.total()
        terminalreporter.section(f"{wall:.0f} s, {tests:.0f} s of tests")
        for file, seconds in self.files.most_common(10):
            terminalreporter.write_line(f"{seconds:7.1f} s  {file}")
        for test, seconds in sorted(self.unmarked.items()):
            terminalreporter.write_line(f"{seconds:.1f} s of processor time without the mark `slow`: {test}")


def _parameters(item: pytest.Item) -> dict[str, int]:
    """The number of the value that each parametrization gives a test."""
    callspec = getattr(item, "callspec", None)
    return dict(callspec.indices) if callspec else {}


def spread(cases: Sequence[dict[str, int]], count: int) -> set[int]:
    """The places of `count` cases, which have each value of a parameter equally often and are far apart."""
    chosen: set[int] = set()
    used: Counter[tuple[str, int]] = Counter()
    for number in range(min(count, len(cases))):
        middle = (2 * number + 1) * len(cases) / (2 * count)

        def cost(at: int, middle: float = middle) -> tuple[int, float]:
            return sum(used[value] for value in cases[at].items()), abs(at + 0.5 - middle)

        best = min((at for at in range(len(cases)) if at not in chosen), key=cost)
        chosen.add(best)
        used.update(cases[best].items())
    return chosen


@pytest.fixture
def optimised(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Machine code as users have it, in tests before a push as well, with a cache of its own."""
    if compiler is not None:
        monkeypatch.setattr(compiler, "object_code", OBJECT_CODE)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


@pytest.fixture
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call of a reviewer that fails is repeated after a hundredth of the usual time."""
    monkeypatch.setattr("ftk_cli.text.reviewer.FIRST_WAIT", 0.02)


@pytest.fixture(scope="session", autouse=True)
def english_findings() -> Iterator[None]:
    """Findings are English, wherever the tests run; a test of another language sets FTK_LANG or --lang."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FTK_LANG", "en")
        yield


@pytest.fixture(scope="session", autouse=True)
def cache_of_this_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Sets a cache folder for this run, shared by its workers and separate from the cache of the user."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        yield


@pytest.fixture(scope="module")
def spec() -> rulespec.Spec:
    """A small game that is fast to play, for modules that do not define a spec of their own."""
    return rulespec.loads(SPEC)


@pytest.fixture(scope="module")
def game(spec: rulespec.Spec) -> rulespec.Game:
    return spec.game(3)


@pytest.fixture(scope="module")
def whole(game: rulespec.Game) -> Figures:
    """The figures of the run, computed in one go without chunks."""
    figures = Figures(game.players)
    figures.add(playouts(game, SEED, range(GAMES)))
    return figures


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of a few games, so that a short run has several."""
    size_of_chunks(monkeypatch, SIZE)


@pytest.fixture(scope="module")
def folder_of_module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("project")


@pytest.fixture
def here(folder_of_module: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory, which is empty. It is the same one for all tests of a module, for what is known of a spec
    is kept by its path."""
    shutil.rmtree(folder_of_module)
    folder_of_module.mkdir()
    monkeypatch.chdir(folder_of_module)
    return folder_of_module


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the page of `ftk page`, for the tests that visit it in a browser. Nothing changes it."""
    from chromium import MODULES  # beside those tests

    from ftk_cli.page.folder import write
    from ftk_cli.page.pyodide import given

    folder = tmp_path_factory.mktemp("site") / "page"
    write(folder, given(MODULES / "pyodide"))
    return folder
