"""The command line of a checkout, as a program in a language, and the sentences on what it prints."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ANSWERS = 80
SECONDS = 120
PROMPT = "> "
OPTION = re.compile(r"(?:^| {2,})([\w–, ]{1,12})[:：] ?(\S.*?)(?= {2,}\w{1,3}[:：] | {2,}\(|$)")


@dataclass(frozen=True)
class Commands:
    """Runs `ftk` with the code of a checkout, in a folder and a language."""

    checkout: Path
    folder: Path
    lang: str

    def run(self, *arguments: object, typed: str = "") -> subprocess.CompletedProcess[str]:
        """A command that takes too long is stopped, and printed nothing."""
        command = self._command(*arguments)
        try:
            return subprocess.run(
                command, input=typed, timeout=SECONDS, capture_output=True, encoding="utf-8", **self._where()
            )
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, 1, "", "")

    def output(self, *arguments: object) -> str:
        return self.run(*arguments).stdout

    def findings(self, *arguments: object) -> list[dict[str, Any]]:
        text = self.output(*arguments, "--format", "json")
        return list(json.loads(text)["findings"]) if text.startswith("{") else []

    def watched(self, spec: Path, seed: int) -> str:
        """A game that bots alone play. A game without words in the language is played as the program has it then."""
        arguments = ("play", spec, "--people", "none", "--seed", seed)
        return self.output(*arguments, "--lang", self.lang) or self.output(*arguments)

    def played(self, spec: Path, seed: int) -> str:
        """A game in which a person types numbers at random, mostly small ones, until they run out. Many are invalid."""
        dice, arguments = random.Random(seed), ("play", spec, "--people", 1, "--seed", seed)
        typed = "".join(f"{dice.randint(1, dice.choice((2, 4, 60)))}\n" for _ in range(ANSWERS))
        shown = self.run(*arguments, "--lang", self.lang, typed=typed).stdout
        return shown or self.run(*arguments, typed=typed).stdout

    def _command(self, *arguments: object) -> list[str]:
        return [sys.executable, "-m", "ftk_cli", *map(str, arguments)]

    def _where(self) -> dict[str, Any]:
        at = {"PYTHONPATH": str(self.checkout), "FTK_LANG": self.lang, "COLUMNS": "1000", "PYTHONIOENCODING": "utf-8"}
        return {"cwd": self.folder, "env": {**os.environ, **at}}


def _blocks(shown: str) -> list[list[str]]:
    return [block.split("\n") for block in re.split(r"\n\s*\n", shown.rstrip("\n"))]


def options(shown: str) -> list[str]:
    """The options of every menu, which stands above an answer."""
    lines = [line for block in _blocks(shown) for line in _before_answer(block)[1:] if "·" not in line]
    return [found[2] for line in lines for found in OPTION.finditer(line)]


def _before_answer(block: list[str]) -> list[str]:
    answer = next((number for number, line in enumerate(block) if line.startswith(PROMPT)), 0)
    return block[:answer]


def events(shown: str) -> list[str]:
    """What happened, as it is reported: before the first menu, after each answer, and after the game. No headings."""
    blocks = _blocks(shown)
    first = next((number for number, line in enumerate(blocks[0]) if line.startswith(("—", "  "))), 0)
    happened = blocks[0][first:] + [line for block in blocks[1:] for line in _after_answer(block)]
    left = any(line.rstrip() == PROMPT.rstrip() for line in shown.splitlines())
    ended = [] if left or len(blocks) == 1 else blocks[-1]
    return [line.strip() for line in happened + ended if line.strip() and not line.startswith("—")]


def _after_answer(block: list[str]) -> list[str]:
    """The events after the last answer in a block; before it are invalid ones."""
    answers = [number for number, line in enumerate(block) if line.startswith(PROMPT)]
    return block[answers[-1] + 1 :] if answers else []


def sentences_of_sheet(text: str) -> Iterator[str]:
    """The sentences of a description, a report of differences or errata, without headings, places and fingerprints."""
    for line in text.splitlines():
        words = re.sub(r"\s*\[[0-9a-f]{12}\]$", "", re.sub(r"^\s*[-+] ", "", line).replace("**", "")).strip()
        heading = line.startswith("#") or re.fullmatch(r"\s*- \*\*.*\*\*|[a-z_.0-9]+[:：].*", line)
        if words and not heading and not words.startswith("{") and ".yaml" not in line:
            yield words
