"""The fenced blocks of the documentation, and its games: whole ones in the text, and those that it shows parts of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rulespec.base.source import Source
from rulespec.language.formats.table import FORMATS

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples" / "games"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# file: (\S+)\n")


@dataclass(frozen=True)
class Block:
    """A fenced block; `file` is the name in its first line, empty where there is none."""

    page: Path
    line: int
    language: str
    text: str

    @property
    def file(self) -> str:
        found = _FILE.match(self.text)
        return found[1] if found else ""

    @property
    def is_game(self) -> bool:
        """Whether it is a spec of the present format."""
        return bool(self.file) and re.search(rf"^{FORMATS['spec'].first_line}\b", self.text, re.MULTILINE) is not None

    @property
    def source(self) -> Source:
        return Source(self.file, self.text)

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}" + (f":{self.file}" if self.file else "")


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page."""
    text = page.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        yield Block(page, text.count("\n", 0, found.start()) + 1, found[1], found[2])


def example(path: Path) -> Block:
    """A game of `examples/games` as a block."""
    return Block(path, 1, "yaml", f"# file: {path.name}\n{path.read_text(encoding='utf-8')}")


ALL = [block for page in PAGES for block in blocks(page)]
GAMES = [block for block in ALL if block.is_game] + [example(path) for path in sorted(EXAMPLES.glob("*.yaml"))]
