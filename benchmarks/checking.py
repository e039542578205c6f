"""What a rules editor waits for: `ftk check` with nothing kept, unchanged, and after one edit.

    .venv/bin/python benchmarks/checking.py [ROUNDS] [CHECKOUT]

Each figure is the best of so many rounds (default 3) in a copy of `specs` under git: seconds by the clock, and seconds
of all processors. With another checkout, each check is made by its code and by ours in turns, and the last column is
the median of the ratios of their processor seconds. Python keeps bytecode, as it does for users. The clock of a busy
machine says nothing.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
CHECK = ("-m", "ftk_cli", "check", "-q")
NEEDED = ("-c", "import click, lark, yaml")
LOADED = ("-c", "import ftk_cli.check, ftk_cli.report, rulespec.editing.batch, rulespec.games.api")


class Edit(NamedTuple):
    """A text in a file of `specs`, and what takes its place once."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Case:
    """What is run, after an edit; with an empty folder of what is kept, or with that of a check of the tree."""

    name: str
    words: tuple[str, ...] = CHECK
    kept: bool = True
    edit: Edit | None = None


def after(what: str, file: str, old: str, new: str) -> Case:
    """A check of the tree after an edit."""
    return Case(f"{what} changed", edit=Edit(file, old, new))


SPEC, GLOSSARY, TEXT = "fortheking.yaml", "glossaries/fortheking.yaml", "translations/fortheking/en.yaml"

CASES = (
    Case("nothing kept", kept=False),  # what it keeps is what the others find
    Case("no file changed"),
    Case("one spec, nothing kept", (*CHECK, f"specs/{SPEC}"), kept=False),
    Case("the imports of that", LOADED),
    Case("those of other packages", NEEDED),
    after("a number of For the King (and Me)", SPEC, "2: 22, 3: 13,", "2: 22, 3: 12,"),
    after("a condition of King Me!", "kingme.yaml", "if place[x] == f) < 4", "if place[x] == f) < 5"),
    after("a range of The King", "keyflower_king.yaml", "type: 0..999", "type: 0..998"),
    after("a comment of a spec", SPEC, "\nplay:", "\n# a remark\nplay:"),
    after("a sentence in English", TEXT, "5 noble tiles", "6 noble tiles"),
    after("a comment of that text", TEXT, "\nrules:", "\n# a remark\nrules:"),
    after("a scenario", "scenarios/kingme/election.yaml", "title:", "title: On"),
    after("a term of the glossary", GLOSSARY, "allowed: [noble]", "allowed: [noble, noble plate]"),
    after("a comment of the glossary", GLOSSARY, "noble_tile:", "noble_tile: # a remark"),
)


class Took(NamedTuple):
    """Seconds by the clock, and of all processors."""

    clock: float
    processors: float


def took(code: Path, words: Sequence[str], folder: Path, store: Path) -> Took:
    """What a run takes with the code of a checkout."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    here = {"XDG_CACHE_HOME": str(store), "PYTHONPATH": str(code), "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, *words], cwd=folder, env=kept | here, capture_output=True)
    clock, end = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Took(clock, end.ru_utime - before.ru_utime + end.ru_stime - before.ru_stime)


@contextmanager
def edited(folder: Path, edit: Edit | None) -> Iterator[None]:
    """The folder with an edit. Raises ValueError if the text is not there."""
    if edit is None:
        yield
        return
    path = folder / "specs" / edit.file
    text = path.read_text(encoding="utf-8")
    if edit.old not in text:
        raise ValueError(f"{edit.file} no longer has {edit.old!r}")
    path.write_text(text.replace(edit.old, edit.new, 1), encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(text, encoding="utf-8")


def measured(folder: Path, codes: Sequence[Path], rounds: int) -> Iterator[tuple[str, list[list[Took]]]]:
    """Each case with its rounds, each with what it takes with each code."""
    stores, now = [folder / f"store{number}" for number in range(len(codes))], folder / "now"
    for code in codes:
        took(code, (*CHECK, "specs/gallery"), folder, now)  # writes bytecode
    for case in CASES:
        times: list[list[Took]] = []
        for _ in range(rounds):
            times.append([])
            for code, store in zip(codes, stores, strict=True):
                shutil.rmtree(now, ignore_errors=True)
                if case.kept:
                    shutil.copytree(store, now)
                with edited(folder, case.edit):
                    times[-1].append(took(code, case.words, folder, now))
                if case is CASES[0]:
                    shutil.copytree(now, store, dirs_exist_ok=True)
        yield case.name, times


def report(rounds: int, others: Sequence[Path]) -> None:
    """Prints the table, with the code of another checkout before ours."""
    codes = (*others, ROOT)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "specs", folder / "specs")
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        for words in (["init", "-q"], ["add", "specs"], ["commit", "-q", "-m", "a"]):
            subprocess.run(["git", *who, *words], cwd=folder, check=True)
        print("| check |" + " by the clock | of all processors |" * len(codes) + " ratio |" * len(others))
        print("|---|" + "---|" * (2 * len(codes) + len(others)))
        for case, times in measured(folder, codes, rounds):
            best = [Took(*map(min, zip(*each, strict=True))) for each in zip(*times, strict=True)]
            cells = [f"{one.clock:.2f} s | {one.processors:.2f} s" for one in best]
            ratio = [f"{median(one[-1].processors / one[0].processors for one in times):.2f}"] if others else []
            print(f"| {case} | {' | '.join([*cells, *ratio])} |", flush=True)


if __name__ == "__main__":
    report(int(sys.argv[1]) if sys.argv[1:] else 3, [Path(one).resolve() for one in sys.argv[2:3]])
