"""What each detector of raw texts earns: the mistakes that it finds, how much of what it finds is right, and its cost.

    .venv/bin/python benchmarks/ablation.py [--part development|test|fresh]…

The summaries are those of `tests/raw_unseen`, as they are, with their traps and with their mistakes. A row counts the
mistakes that a detector finds (see `benchmarks/raw_unseen.py`), those that no other one finds, so that they are missed
without it, its findings that are right and those that are not, its share of the time of all detectors, and the lines of
its modules that no other detector imports. A detector earns its place if it finds at least 1 % of the mistakes of the
kinds that it finds, and at least 85 % of its findings are right.
"""

from __future__ import annotations

import argparse
import ast
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from raw_unseen_texts import PARTS, findings, groups, outcome, summaries  # found through the line above

import rulespec.text.raw
from rulespec.diagnostics import Finding
from rulespec.text.raw.detectors import DETECTORS, Detector
from rulespec.text.raw.said import Raw

CHECK = sys.modules["rulespec.text.raw.check"]
FOLDER = Path(rulespec.text.raw.__file__).parent

Key = tuple[object, ...]


class Recorder:
    """Runs the detectors in place of the checker, and keeps who found what and how long it took."""

    def __init__(self) -> None:
        self.by: dict[Key, str] = {}
        self.seconds: dict[str, float] = defaultdict(float)
        self._detected = CHECK.detected

    def detected(self, raw: Raw) -> Iterator[tuple[Detector, Finding]]:
        before = time.process_time()
        for detector, found in self._detected(raw):
            now = time.process_time()
            self.seconds[detector.name] += now - before
            self.by[_key(found)] = detector.name
            yield detector, found
            before = time.process_time()

    def name(self, found: Finding) -> str:
        return self.by.get(_key(found), "")


def _key(found: Finding) -> Key:
    return found.name, found.rule, found.start, found.message


def measured(parts: list[str], recorder: Recorder) -> tuple[Counter[tuple[str, str]], Counter[str]]:
    """For each detector and each outcome how often it was seen; and how many mistakes of each kind were planted."""
    count: Counter[tuple[str, str]] = Counter()
    planted: Counter[str] = Counter()
    for summary in (one for part in parts for one in summaries(part)):
        said = findings(summary, summary.text)
        count.update((recorder.name(one), "right" if summary.leaves_out(one) else "false") for one in said)
        for group in groups(summary, summary.traps):
            seen = outcome(summary, group)
            hits = [one for each in seen.hits.values() for one in each]
            count.update((recorder.name(one), "false") for one in (*seen.elsewhere, *hits))
        for group in groups(summary, summary.mistakes):
            seen = outcome(summary, group)
            count.update((recorder.name(one), "false") for one in seen.elsewhere)
            for mistake, found in seen.hits.items():
                planted[mistake.edit.kind] += 1
                names = {recorder.name(one) for one in found}
                count.update((recorder.name(one), "right") for one in found)
                count.update((name, what) for name in names for what in ("found", mistake.edit.kind))
                count.update((name, "alone") for name in names if len(names) == 1)
    return count, planted


def lines_of(detector: Detector) -> int:
    """The lines of the modules of raw texts that a detector alone imports, itself or through others."""
    mine = _modules(_home(detector))
    others = set().union(*(_modules(_home(one)) for one in DETECTORS if one is not detector))
    return sum(len((FOLDER / f"{name}.py").read_text(encoding="utf-8").splitlines()) for name in mine - others)


def _home(detector: Detector) -> frozenset[str]:
    """The modules whose names the function of a detector uses."""
    code = detector.find.__code__
    imported = _imported("detectors")
    if detector.find.__module__.endswith(".detectors"):
        return frozenset(imported[name] for name in code.co_names if name in imported)
    return frozenset([detector.find.__module__.rpartition(".")[2]])


@cache
def _imported(module: str) -> dict[str, str]:
    """The names that a module imports from modules of raw texts, each with the module."""
    tree = ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8"))
    froms = [one for one in ast.walk(tree) if isinstance(one, ast.ImportFrom) and one.module]
    inside = [one for one in froms if one.module and one.module.startswith(rulespec.text.raw.__name__)]
    homes = {}
    for one in inside:
        for alias in one.names:
            home = (one.module or "").removeprefix(rulespec.text.raw.__name__).lstrip(".") or alias.name
            homes[alias.asname or alias.name] = home
    return homes


def _modules(first: frozenset[str]) -> set[str]:
    found, left = set[str](), set(first)
    while left:
        found.add(one := left.pop())
        left |= set(_imported(one).values()) - found
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="What each detector of raw texts earns.")
    parser.add_argument("--part", action="append", choices=PARTS)
    parts = parser.parse_args().part or ["development", "test", "fresh"]
    recorder = Recorder()
    setattr(CHECK, "detected", recorder.detected)  # noqa: B010
    count, planted = measured(parts, recorder)
    kinds = sorted(planted)
    total = sum(recorder.seconds.values())
    print(f"{sum(planted.values())} mistakes in {sum(len(summaries(part)) for part in parts)} texts\n")
    head = ("detector", "found", "alone", "right", "not right", "of kinds", "time", "lines")
    print(f"| {' | '.join(head)} |\n|{len(head) * '---|'}")
    for one in DETECTORS:
        right, false = count[one.name, "right"], count[one.name, "false"]
        share = f"{right} of {right + false} ({right / (right + false):.0%})" if right + false else "0"
        of = ", ".join(f"{kind} {count[one.name, kind] / planted[kind]:.0%}" for kind in kinds if count[one.name, kind])
        spent = recorder.seconds[one.name] / total
        cells = (one.name, count[one.name, "found"], count[one.name, "alone"], share, false, of, f"{spent:.0%}")
        print(f"| {' | '.join(map(str, cells))} | {lines_of(one)} |")


if __name__ == "__main__":
    main()
