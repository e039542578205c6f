"""How long a check of a raw text takes: the first one of a process and the next ones, and growth with the length.

    .venv/bin/python benchmarks/raw_speed.py [LANG GAME FILE …]

Without files, the texts of the set `corpus` are checked. `cold` is the time in a new process from loading the spec to
the last finding; `warm` that of a check of a text that differs in one character. `growth` is the time for the
text twice over as a multiple of that for the text once: about 2 is linear. All are seconds of the processor.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from packed import unpack

import rulespec
from rulespec.base.source import Source
from rulespec.games.rulebook import check_raw


def texts(arguments: list[str], folder: Path) -> Iterator[tuple[str, str, Path]]:
    """The texts to check: language, game and file. Those of the corpus are unpacked into a folder."""
    if not arguments:
        unpack("corpus", folder)
        yield from ((path.parent.name, "fortheking", path) for path in sorted(folder.glob("*/*.txt")))
    for at in range(0, len(arguments) - 2, 3):
        yield arguments[at], arguments[at + 1], Path(arguments[at + 2])


def seconds(lang: str, game: str, text: str) -> float:
    """The time that one check takes."""
    spec = rulespec.load(game)
    began = time.process_time()
    check_raw(Source("text.txt", text), lang, spec)
    return time.process_time() - began


def cold(lang: str, game: str, path: Path) -> float:
    """The time of the first check of a process, without the start of Python."""
    command = [sys.executable, __file__, "--once", lang, game, str(path)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def once(lang: str, game: str, path: Path) -> float:
    """The time from loading the spec to the last finding."""
    began = time.process_time()
    check_raw(Source(str(path), path.read_text(encoding="utf-8")), lang, rulespec.load(game))
    return time.process_time() - began


def report(arguments: list[str]) -> None:
    print("| text | characters | cold | warm | growth |\n|---|---|---|---|---|")
    with TemporaryDirectory() as folder:
        for lang, game, path in texts(arguments, Path(folder)):
            text = path.read_text(encoding="utf-8")
            seconds(lang, game, text)
            warm, twice = seconds(lang, game, text + "\n"), seconds(lang, game, f"{text}\n\n{text}")
            took = f"{cold(lang, game, path):.2f} | {warm:.2f} | {twice / warm:.1f}"
            print(f"| {lang}/{path.stem} | {len(text)} | {took} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--once"]:
        print(once(sys.argv[2], sys.argv[3], Path(sys.argv[4])))
    else:
        report(sys.argv[1:])
