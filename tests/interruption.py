"""Commands that write files, ended or held up at a system call, in forked processes and copies of their projects."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import rulespec
from ftk_cli.main import COMMANDS
from ftk_cli.main import main as ftk

ROOT = Path(__file__).resolve().parent.parent
SAVED = "# saved by another program\n"
CHANGES = {"os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate"}
Tree = Mapping[str, bytes]


@dataclass(frozen=True)
class Case:
    """A command line and what makes its project. `saves` is the file that another program saves."""

    line: str
    begun: Callable[[], object]
    saves: str = ""


@dataclass(frozen=True)
class Ended:
    """How a command ended: its status, minus the signal for one that was killed; what it wrote; its calls by number:
    whether each writes, and the path."""

    status: int
    said: str
    calls: tuple[tuple[bool, str], ...]
    seconds: float


def run(line: str, folder: Path, at: int | None = None, number: int = 0, meanwhile: Callable[[], object] | None = None,
        delay: float | None = None) -> Ended:  # fmt: skip
    """Runs a command line in a forked process: at its call with the number `at` it gets a signal, or after a delay.
    A stopped process goes on when `meanwhile` has run."""
    out, calls = folder.with_suffix(".out"), folder.with_suffix(".calls")
    began = time.monotonic()
    process = os.fork()
    if not process:
        _child(line, folder, out, calls, at, number)
    if delay is not None:
        time.sleep(delay)
        os.kill(process, signal.SIGKILL)
    status = os.waitpid(process, os.WUNTRACED)[1]
    if os.WIFSTOPPED(status):
        if meanwhile is not None:
            meanwhile()
        os.kill(process, signal.SIGCONT)
        status = os.waitpid(process, 0)[1]
    seconds = time.monotonic() - began
    made = (one.partition(" ") for one in calls.read_text(encoding="utf-8").splitlines())
    found = tuple((kind == "w", path) for kind, _, path in made)
    return Ended(os.waitstatus_to_exitcode(status), out.read_text(encoding="utf-8"), found, seconds)


def _child(line: str, folder: Path, out: Path, calls: Path, at: int | None, number: int) -> None:
    """Runs a command line and ends the process. Its calls are listed in a file before they are made."""
    os.chdir(folder)
    for stream in (1, 2):
        os.dup2(
            os.open(out, os.O_CREAT | os.O_WRONLY | os.O_APPEND | (os.O_TRUNC if stream == 1 else 0), 0o600), stream
        )
    sys.stdout, sys.stderr = (os.fdopen(stream, "w", encoding="utf-8", buffering=1) for stream in (1, 2))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    listed = os.open(calls, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
    count, home, own = 0, str(folder) + os.sep, os.getpid()

    def hook(event: str, args: tuple[object, ...]) -> None:
        nonlocal count
        if (event not in CHANGES and event != "open") or os.getpid() != own:
            return
        path = args[1] if event in ("os.rename", "os.link") else args[0]
        if not isinstance(path, str | bytes | os.PathLike):
            return
        path = os.path.abspath(os.fsdecode(path))
        if not path.startswith(home):
            return
        flags = args[2] if event == "open" and isinstance(args[2], int) else 0
        writes = event != "open" or bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
        os.write(listed, f"{'w' if writes else 'r'} {path}\n".encode())
        if count == at:
            os.kill(os.getpid(), number)
        count += 1

    sys.addaudithook(hook)
    status = 99
    try:
        ftk.main(line.split(), prog_name="ftk")
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 1
    finally:
        sys.stdout.flush()
        os._exit(status)


def preload() -> None:
    """Imports what commands need, once for all processes."""
    for where, _ in COMMANDS.values():
        import_module(where.partition(":")[0])
    for one in rulespec.__all__:
        getattr(rulespec, one)


def tree(folder: Path) -> Tree:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def temporary(files: Tree) -> list[str]:
    return [name for name in files if Path(name).name.startswith(".")]


# --- the projects -----------------------------------------------------------------------------------------------------


def _ftk(line: str) -> None:
    here = Path.cwd()
    ended = run(line, here)
    assert ended.status == 0, (line, ended)


def _edit(name: str, before: str, after: str) -> None:
    text = Path(name).read_text(encoding="utf-8")
    assert before in text, (name, before)
    Path(name).write_text(text.replace(before, after), encoding="utf-8")


def river() -> None:
    _ftk("new river --lang en,uk")


def unlaid() -> None:
    river()
    for name in ("river.yaml", "glossaries/river.yaml", "translations/river/en.yaml", "translations/river/uk.yaml"):
        _edit(f"specs/{name}", "\n\n", "\n\n\n")


def fixable() -> None:
    river()
    _edit("specs/river.yaml", "suit: {sun: 18, moon: 18}", "suit: {sun: 18, moon: 17}")


def unconfirmed() -> None:
    river()
    _edit("specs/translations/river/en.yaml", "Shuffle the deck.", "First, shuffle the deck.")
    _edit("specs/river.yaml", "title: Shuffle,", "title: Shuffle all,")


def exchanged() -> None:
    river()
    _ftk("text export river --lang en --output en.po")
    _edit("en.po", 'msgstr "Shuffle the deck."', 'msgstr "First, shuffle the deck."')


def listed() -> None:
    river()
    _ftk("cards river --export cards.csv --write")
    _edit("cards.csv", ",3", ",2")


def reported() -> None:
    river()
    for name in ("report.json", "rules.md", "uk.po", "known.json", "text.md"):
        Path(name).write_text("{}\n", encoding="utf-8")


def older(game: str = "stakes") -> None:
    shutil.copytree(ROOT / "tests" / "formats" / game / "before", ".", dirs_exist_ok=True)


CASES = {
    "fmt": Case("fmt --write", unlaid, "specs/river.yaml"),
    "rename": Case("rename hand cards_held river --write", river, "specs/river.yaml"),
    "upgrade": Case("upgrade . --write", older, "specs/stakes.yaml"),
    "release": Case("release river", river, "specs/history/river/0.1.0.yaml"),
    "new": Case("new lake --lang en,uk", river, "specs/lake.yaml"),
    "new --from": Case("new lake --from river", river, "specs/translations/lake/uk.yaml"),
    "language new": Case("language new nl", river, "specs/languages/nl/language.yaml"),
    "check --fix": Case("check river --fix --unsafe-fixes", fixable, "specs/river.yaml"),
    "text status": Case("text status river --lang en --confirm", unconfirmed, "specs/translations/river/en.yaml"),
    "text import": Case("text import en.po", exchanged, "specs/translations/river/en.yaml"),
    "cards --import": Case("cards river --import cards.csv --write", listed, "specs/river.yaml"),
    "cards --export": Case("cards river --export cards.csv --write", listed, "cards.csv"),
    "cards --sheet": Case("cards river --sheet pictures", river),
    "--write-baseline": Case("check --write-baseline known.json", reported, "known.json"),
    "text render": Case("text render river --lang en --output rules.md", reported, "rules.md"),
    "text export": Case("text export river --lang uk --output uk.po", reported, "uk.po"),
    "check --output": Case("check --format json --output report.json", reported, "report.json"),
    "describe": Case("describe river --output text.md", reported, "text.md"),
}


# --- trials -----------------------------------------------------------------------------------------------------------


class Bench:
    """The project of a case before and after its command, and copies of it for trials."""

    def __init__(self, case: Case, folder: Path) -> None:
        self.case, self.folder, self.number = case, folder, 0
        folder.mkdir(parents=True)
        self.origin = folder / "origin"
        self.origin.mkdir()
        here = Path.cwd()
        os.chdir(self.origin)
        try:
            case.begun()
        finally:
            os.chdir(here)
        self.before = tree(self.origin)
        whole = self.copied()
        self.ended = run(case.line, whole)
        self.after = tree(whole)
        assert self.ended.status in (0, 1) and self.after != self.before, (case.line, self.ended)

    def copied(self) -> Path:
        self.number += 1
        target = self.folder / f"copy{self.number}"
        shutil.copytree(self.origin, target)
        return target

    @property
    def changed(self) -> list[str]:
        names = self.before.keys() | self.after.keys()
        return sorted(name for name in names if self.before.get(name) != self.after.get(name))

    @property
    def writes(self) -> list[int]:
        """The numbers of the calls that write."""
        return [at for at, (writes, _) in enumerate(self.ended.calls) if writes]

    def killed(self, at: int | None, delay: float | None = None) -> Path:
        """A copy of the project in which the command was killed, at a call or after a delay."""
        folder = self.copied()
        run(self.case.line, folder, at, signal.SIGKILL, delay=delay)
        return folder

    def saved(self, at: int) -> Counter[str]:
        """What becomes of a file that another program saves at a call."""
        folder = self.copied()
        file = folder / self.case.saves

        def save() -> None:
            file.parent.mkdir(parents=True, exist_ok=True)
            before = file.read_text(encoding="utf-8") if file.exists() else ""
            file.with_suffix(".tmp").write_text(before + SAVED, encoding="utf-8")
            os.replace(file.with_suffix(".tmp"), file)

        ended = run(self.case.line, folder, at, signal.SIGSTOP, save)
        there = file.read_text(encoding="utf-8")
        now = tree(folder)
        others = {name: one for name, one in now.items() if name != self.case.saves}
        untouched = others == {name: one for name, one in self.before.items() if name != self.case.saves}
        counted = Counter[str](lost=SAVED not in there)
        counted["refused"] += ended.status == 3 and self.case.saves in ended.said and untouched
        shutil.rmtree(folder)
        return counted

    @property
    def between(self) -> range:
        """The calls after the first read of the file that is saved, up to the first that writes."""
        file = str(self.case.saves)
        reads = (at for at, (_, path) in enumerate(self.ended.calls) if path.endswith(os.sep + file))
        first = min((*reads, self.writes[0]))
        return range(min(first + 1, self.writes[0]), self.writes[0] + 1)
