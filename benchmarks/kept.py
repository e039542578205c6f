"""Findings with what is kept on disk and without it: after random edits, and after checks that are killed.

    .venv/bin/python benchmarks/kept.py [--edits N] [--kills N] [--seed N]

Each edit changes one file of one of our games: a digit, a word, a key, a comment, or a line that is deleted or swapped
with the next. The file and another one of its game are checked with the store and without, then as they were before.

A kill comes at a random moment of a check that has lost half of what was kept, or at one of the system calls by which
the store makes, renames or deletes files. The next check must find what a check with an empty store finds.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import rulespec
from rulespec.base import store
from rulespec.base.source import read
from rulespec.editing.batch import Checked

SPECS = Path(__file__).resolve().parents[1] / "specs"
GAMES = ("fortheking", "kingme", "keyflower_king")
SMALL = ("nim", "pig", "tic_tac_toe", "hex", "kuhn_poker", "goofspiel")
"""Games of the gallery whose checks are killed."""


def check(*paths: Path) -> Checked:
    return rulespec.check_all(one for path in paths if (one := read(str(path))[0]) is not None)


@contextmanager
def nothing_kept() -> Iterator[None]:
    get, put = store.get, store.put
    store.get, store.put = (lambda kind, key: None), (lambda kind, key, value: None)
    try:
        yield
    finally:
        store.get, store.put = get, put


def edited(text: str, chance: random.Random) -> tuple[str, str]:
    """A kind of edit, and the text after it."""
    lines = text.splitlines(keepends=True)
    at, words = chance.randrange(len(lines) - 1), re.findall(r"\w{3,}", text)

    def replaced(pattern: str, new: Callable[[str], str]) -> str:
        found = chance.choice(list(re.finditer(pattern, text)))
        return text[: found.start()] + new(found[0]) + text[found.end() :]

    kinds: dict[str, Callable[[], str]] = {
        "digit": lambda: replaced(r"\d", lambda old: str((int(old) + chance.randrange(1, 10)) % 10)),
        "word": lambda: replaced(r"\w{3,}", lambda old: chance.choice(words)),
        "key": lambda: replaced(r"\w+(?=:\s)", lambda old: chance.choice([old + "s", old[:-1], chance.choice(words)])),
        "comment": lambda: "".join([*lines[:at], "# a remark\n", *lines[at:]]),
        "deleted": lambda: "".join([*lines[:at], *lines[at + 1 :]]),
        "swapped": lambda: "".join([*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]),
    }
    kind = chance.choice(list(kinds))
    return kind, kinds[kind]()


def after_edits(folder: Path, number: int, chance: random.Random) -> Iterator[Counter[str]]:
    """After each edit how many there were of each kind, how many changed what is found (`found`), and after how many
    findings with the store differ (`wrong`)."""
    files = {game: [path for path in folder.rglob("*.yaml") if game in (path.stem, path.parent.name)] for game in GAMES}
    found = Counter[str](wrong=0, found=0)
    for _ in range(number):
        game = chance.choice(GAMES)
        path, other = chance.sample(files[game], 2)
        text = path.read_text(encoding="utf-8")
        before = check(path, other)
        kind, new = edited(text, chance)
        path.write_text(new, encoding="utf-8")
        first, again = check(path, other), check(path, other)
        with nothing_kept():
            wanted = check(path, other)
        path.write_text(text, encoding="utf-8")
        found[kind] += 1
        found["found"] += wanted != before
        if not first == again == wanted or check(path, other) != before:
            found["wrong"] += 1
            print("wrong:", kind, path, other)
        yield found


def forked(paths: list[Path], act: Callable[[], object], delay: float | None = None) -> int:
    """The status of a process that does something and checks, and is killed after a delay."""
    process = os.fork()
    if not process:
        act()
        os._exit(check(*paths) != EXPECTED[0])
    if delay is not None:
        time.sleep(delay)
        os.kill(process, signal.SIGKILL)
    return os.waitpid(process, 0)[1]


def killing(calls: int) -> Callable[[str, tuple[object, ...]], None]:
    """A hook that kills this process at a call by which the store opens, renames or deletes a file."""
    left, here = iter(range(calls)), str(store.folder())

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        is_ours = event in ("open", "os.rename", "os.remove") and str(arguments[0]).startswith(here)
        if is_ours and next(left, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)

    return hook


EXPECTED: list[Checked] = []
"""What a check with nothing kept finds."""


def after_kills(folder: Path, number: int, chance: random.Random) -> Iterator[Counter[str]]:
    """After each kill how many checks were killed, and after how many the next one is `wrong`."""
    paths = [path for path in folder.rglob("*.yaml") if path.stem in SMALL or path.parent.name in SMALL]
    with nothing_kept():
        EXPECTED[:] = [check(*paths)]
    began = time.monotonic()
    forked(paths, int)
    seconds, found = time.monotonic() - began, Counter[str](wrong=0, unfinished=0)
    for trial in range(number):
        for entry in [path for path in store.folder().iterdir() if chance.random() < 0.5]:
            entry.unlink()
        if trial % 2:
            ended = forked(paths, int, chance.uniform(0, seconds))
        else:
            ended = forked(paths, partial(sys.addaudithook, killing(chance.randrange(100))))
        found["killed" if os.WIFSIGNALED(ended) else "ended before"] += 1
        found["unfinished"] += len(list(store.folder().glob("new-*")))
        found["wrong"] += bool(forked(paths, int))
        yield found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--edits", type=int, default=500)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        os.environ["XDG_CACHE_HOME"] = f"{place}/cache"
        shutil.copytree(SPECS, f"{place}/specs")
        os.chdir(place)
        for name, tried, number in (("kills", after_kills, given.kills), ("edits", after_edits, given.edits)):
            for done, found in enumerate(tried(Path("specs"), number, random.Random(given.seed)), 1):
                counted = ", ".join(f"{what} {count}" for what, count in found.items())
                print(f"\r{name} {done}: {counted}", end="", flush=True)
            print()


if __name__ == "__main__":
    main()
