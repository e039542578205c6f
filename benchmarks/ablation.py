"""What each detector of raw texts earns: the mistakes that it finds, how much of what it finds is right, and its cost.

    .venv/bin/python benchmarks/ablation.py [--part development|test|fresh]…
    .venv/bin/python benchmarks/ablation.py --translations [--each NUMBER]

The summaries are the sets `raw_…` of `benchmarks/texts`, as they are, with their traps and with their mistakes. A row
counts the mistakes that a detector finds (see `benchmarks/raw_unseen.py`), those that no other one finds, so that they
are missed without it, its findings that are right and those that are not, its share of the time of all detectors, and
the lines of its modules that no other detector imports. A detector earns its place if it finds at least 1 % of the
mistakes of the kinds that it finds, and at least 85 % of its findings are right.

With `--translations` it is the detectors of translations: see `translation_ablation.py`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import translation_ablation
from own_lines import own_lines
from raw_unseen_texts import PARTS, findings, groups, outcome, summaries

from rulespec.base.diagnostics import Finding
from rulespec.text.raw.check import DETECTORS, Detector, Raw

CHECK = sys.modules["rulespec.text.raw.check"]

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


def main() -> None:
    parser = argparse.ArgumentParser(description="What each detector of raw texts earns.")
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--translations", action="store_true", help="the detectors of translations")
    parser.add_argument("--each", type=int, default=12, help="mistakes of a kind in a text of a game (12)")
    options = parser.parse_args()
    if options.translations:
        translation_ablation.report(options.each)
        return
    parts = options.part or ["development", "test", "fresh"]
    recorder = Recorder()
    setattr(CHECK, "detected", recorder.detected)  # noqa: B010
    count, planted = measured(parts, recorder)
    kinds = sorted(planted)
    total = sum(recorder.seconds.values())
    print(f"{sum(planted.values())} mistakes in {sum(len(summaries(part)) for part in parts)} texts\n")
    head = ("detector", "found", "alone", "right", "not right", "of kinds", "time", "lines")
    print(f"| {' | '.join(head)} |\n|{len(head) * '---|'}")
    lines = own_lines(DETECTORS, "rulespec.text.raw")
    for one in DETECTORS:
        right, false = count[one.name, "right"], count[one.name, "false"]
        share = f"{right} of {right + false} ({right / (right + false):.0%})" if right + false else "0"
        of = ", ".join(f"{kind} {count[one.name, kind] / planted[kind]:.0%}" for kind in kinds if count[one.name, kind])
        spent = recorder.seconds[one.name] / total
        cells = (one.name, count[one.name, "found"], count[one.name, "alone"], share, false, of, f"{spent:.0%}")
        print(f"| {' | '.join(map(str, cells))} | {lines[one.name]} |")


if __name__ == "__main__":
    main()
