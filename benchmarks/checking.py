"""What a rules editor waits for: `ftk check` of the whole tree with nothing kept, unchanged, and after one edit.

    .venv/bin/python benchmarks/checking.py [ROUNDS]

Each figure is the best of so many rounds (default 3) in a copy of `specs` under git: seconds by the clock, seconds of
all processors, and the clock beside that of a check with nothing kept. Python keeps bytecode, as it does for users.
Run it on an idle machine: the clock of a busy one says nothing.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FTK = Path(sys.executable).parent / "ftk"

EDITS = {
    "no file": ("", "", ""),
    "a number of For the King (and Me)": ("fortheking.yaml", "2: 22, 3: 13,", "2: 22, 3: 12,"),
    "a condition of King Me!": ("kingme.yaml", "if place[x] == f) < 4", "if place[x] == f) < 5"),
    "a range of The King": ("keyflower_king.yaml", "type: 0..999", "type: 0..998"),
    "a sentence in English": ("translations/fortheking/en.yaml", "5 noble tiles", "6 noble tiles"),
    "a scenario": ("scenarios/kingme/election.yaml", "title:", "title: On"),
    "a term of the glossary": ("glossaries/fortheking.yaml", "noble_tile:", "noble_tile: # a remark"),
}
"""One edit each: the file, and a text in it with its replacement, made once."""


def took(folder: Path, store: Path) -> tuple[float, float]:
    """The seconds of a check: by the clock, and of all processors."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([FTK, "check"], cwd=folder, env=kept | {"XDG_CACHE_HOME": str(store)}, capture_output=True)
    clock, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


@contextmanager
def edited(folder: Path, file: str, old: str, new: str) -> Iterator[None]:
    """The folder with an edit. Raises ValueError if the text is not there."""
    path = folder / "specs" / file
    text = path.read_text(encoding="utf-8") if file else ""
    if old not in text:
        raise ValueError(f"{file} no longer has {old!r}")
    if file:
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
    try:
        yield
    finally:
        if file:
            path.write_text(text, encoding="utf-8")


def measured(folder: Path, rounds: int) -> Iterator[tuple[str, float, float]]:
    """Each case with its best seconds by the clock and of all processors."""
    store, copy = folder / "store", folder / "copy"
    took(folder, store)  # writes bytecode
    times = []
    for _ in range(rounds):
        shutil.rmtree(store)
        times.append(took(folder, store))
    yield "nothing kept", *map(min, zip(*times, strict=True))
    for name, edit in EDITS.items():
        times.clear()
        for _ in range(rounds):
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(store, copy)
            with edited(folder, *edit):
                times.append(took(folder, copy))
        yield f"{name} changed", *map(min, zip(*times, strict=True))


def report(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "specs", folder / "specs")
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "a"]):
            subprocess.run(["git", *who, *words], cwd=folder, check=True)
        print("| check | by the clock | of all processors | ratio |\n|---|---|---|---|")
        cold = 0.0
        for case, clock, processors in measured(folder, rounds):
            cold = cold or clock
            print(f"| {case} | {clock:.2f} s | {processors:.2f} s | {clock / cold:.2f} |", flush=True)


if __name__ == "__main__":
    report(int(sys.argv[1]) if sys.argv[1:] else 3)
