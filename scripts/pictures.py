"""Makes the pictures of the documentation, `docs/pictures/`, from what the commands print: `make pictures`.

Each is made in a copy of the project. Terminal pictures are SVG, pages are photographed in Chromium (`chromium`).
"""

from __future__ import annotations

import io
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
COLUMNS = 110

_SVG = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg"><style>
.{unique_id}-matrix {{font-family: ui-monospace, Menlo, Consolas, monospace; font-size: {char_height}px}}
.{unique_id}-title {{font: bold 15px sans-serif}}
{styles}</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}</defs>{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g></g></svg>
"""
"""A picture that uses the fonts of the reader's system."""


@dataclass(frozen=True)
class Picture:
    """What a command shows after edits of files: the first lines of its output, or the page that it writes."""

    name: str
    command: str
    typed: str = ""
    edits: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    shown: int = 1000
    size: tuple[int, int] = (0, 0)
    """Of a page, in pixels; (0, 0) for a terminal picture."""


_REMOVED = {"specs/fortheking.yaml": ("{by: players, 2: 22, 3: 13,", "{by: players, 2: 22, 3: 12,")}

EVERY = (
    Picture("check", "ftk check fortheking -q", edits=_REMOVED),
    Picture("play", "ftk play fortheking --players 3 --seed 5 --bot random", typed="why 2\n"),
    Picture(
        "balance",
        "ftk balance kingme --players 4 --games 400 --seed 1 -q --format html --output page.html",
        size=(1100, 900),
    ),
    Picture(
        "rulebook",
        "ftk text render fortheking --lang uk --players 3 --format html --output page.html",
        size=(1100, 900),
    ),
    Picture(
        "changes",
        "ftk diff HEAD:specs/fortheking.yaml fortheking --format html --output page.html",
        edits=_REMOVED,
        size=(1100, 560),
    ),
)


def main(names: list[str]) -> None:
    PICTURES.mkdir(exist_ok=True)
    for picture in EVERY:
        if not names or picture.name in names:
            with tempfile.TemporaryDirectory() as folder:
                _make(picture, Path(folder))


def _make(picture: Picture, folder: Path) -> None:
    project = folder / "project"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(project)], check=True)
    for path, (old, new) in picture.edits.items():
        text = (project / path).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{picture.name}: {old}"
        (project / path).write_text(text.replace(old, new), encoding="utf-8")
    printed = _output(picture, project)
    if picture.size == (0, 0):
        _draw(picture, printed)
    else:
        _photograph(project / "page.html", picture, folder)


def _output(picture: Picture, project: Path) -> str:
    """What a command prints on a terminal."""
    ours, theirs = pty.openpty()
    environment = os.environ | {"COLUMNS": str(COLUMNS), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    environment["PATH"] = f"{ROOT / '.venv/bin'}{os.pathsep}{environment['PATH']}"
    with subprocess.Popen(
        picture.command, shell=True, cwd=project, env=environment, stdin=subprocess.PIPE, stdout=theirs, stderr=theirs
    ) as running:
        os.close(theirs)
        assert running.stdin is not None
        running.stdin.write(picture.typed.encode())
        running.stdin.close()
        printed = b""
        while part := _read(ours):
            printed += part
    return printed.decode("utf-8").replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # Linux reports the end of a terminal in this way
        return b""


def _draw(picture: Picture, printed: str) -> None:
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    lines = [line for line in Text.from_ansi(_PROGRESS.sub("", printed)).split("\n")][: picture.shown]
    console.print(Text.from_ansi(f"\x1b[1m$ {picture.command}\x1b[0m"), Text(""), *lines, sep="\n")
    svg = console.export_svg(title="ftk", code_format=_SVG, unique_id=picture.name)
    (PICTURES / f"{picture.name}.svg").write_text(_LENGTH.sub(_with_wide_characters, svg), encoding="utf-8")


_PROGRESS = re.compile(r"^.*\[#*-*\].*\n", re.MULTILINE)
_LENGTH = re.compile(r'textLength="([\d.]+)"([^>]*)>([^<]*)<')


def _with_wide_characters(found: re.Match[str]) -> str:
    """A text with its length: Chinese characters take two columns, and the exported length has one for each."""
    words = unescape(found[3])
    length = float(found[1]) * cell_len(words) / max(1, len(words))
    return f'textLength="{length:.1f}"{found[2]}>{found[3]}<'


def _photograph(page: Path, picture: Picture, folder: Path) -> None:
    chromium = shutil.which("chromium") or sys.exit("Chromium is not installed.")
    width, height = picture.size
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/chromium"]
    image = PICTURES / f"{picture.name}.png"
    command = [chromium, *flags, f"--window-size={width},{height}", f"--screenshot={image}", page.as_uri()]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main(sys.argv[1:])
