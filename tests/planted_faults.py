"""Faults planted into shipped games: `deep_faults/*.yaml`. Only a deep search can find them.

    .venv/bin/python tests/planted_faults.py [SECONDS [PROCESSES]]

searches each game with its fault for so many seconds (default 10) in so many processes (default 1), and prints what was
found in which time.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path

import yaml

import rulespec
from rulespec.base.diagnostics import Finding
from rulespec.base.project import find
from rulespec.base.source import Source
from rulespec.play.deep.report import findings as findings_deep
from rulespec.play.deep.run import search as search_deep

FOLDER = Path(__file__).parent / "deep_faults"
HALVES = ("known", "unseen")


@dataclass(frozen=True)
class Planted:
    """A fault: the edits of a game, the kind of finding that must report it, and a name that it must mention."""

    game: str
    title: str
    edits: tuple[tuple[str, str], ...]
    found: str
    names: str = ""

    def __str__(self) -> str:
        return f"{self.game}: {self.title}"

    @property
    def spec(self) -> rulespec.Spec:
        """The game with the fault. It loads without errors."""
        path = Path(find(self.game))
        text = path.read_text(encoding="utf-8")
        for wanted, replacement in self.edits:
            assert text.count(wanted) == 1, (str(self), wanted)
            text = text.replace(wanted, replacement)
        return rulespec.loads(Source(str(path), text))

    def is_in(self, findings: list[Finding]) -> bool:
        """Whether one of the findings reports the fault."""
        return any(one.name == self.found and self.names in one.message + one.rule for one in findings)


def planted(half: str) -> list[Planted]:
    """The faults of one half."""
    rows = yaml.safe_load((FOLDER / f"{half}.yaml").read_text(encoding="utf-8"))
    return [
        Planted(
            row["game"],
            row["title"],
            tuple((edit["find"], edit["replace"]) for edit in row["edits"]),
            row["found"],
            row.get("names", ""),
        )
        for row in rows
    ]


def search(spec: rulespec.Spec, seconds: float = 30.0, games: int = 0, workers: int = 1) -> list[Finding]:
    """The findings of a deep search."""
    return [one.finding for one in findings_deep(search_deep(spec, seconds, games, workers=workers))]


def main(seconds: float, workers: int) -> None:
    for half in HALVES:
        hits = 0
        for fault in planted(half):
            began = time.perf_counter()
            findings = search(fault.spec, seconds, workers=workers)
            hits += fault.is_in(findings)
            word = "found" if fault.is_in(findings) else "MISSED"
            print(f"{word} in {time.perf_counter() - began:.0f} s: {fault} ({fault.found})", flush=True)
            for one in findings:
                print(f"    {one.start.line}: {one.name}: {one.message}", flush=True)
        print(f"{half}: {hits} of {len(planted(half))}", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if sys.argv[1:] else 10.0, int(sys.argv[2]) if sys.argv[2:] else 1)
