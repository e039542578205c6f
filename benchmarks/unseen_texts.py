"""Reads the texts of the sets `unseen_…`: true texts of rules, and changes that make them false."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from packed import files

SENTENCES = ("sentences", "sentences_test")
PARTS = ("development", "test", *SENTENCES)
"""The parts: whole texts, and single sentences with a false one beside each. Nobody looks at the results of those
named `test` one by one."""


@dataclass(frozen=True)
class Change:
    """A change that makes a text false: its kind, the words as they were, and the words in their place."""

    kind: str
    was: str
    now: str


@dataclass(frozen=True)
class Unseen:
    """A true text of a rule or ruling, and the changes to it; or a sentence of such a text, not `whole`."""

    game: str
    lang: str
    rule: str
    text: str
    changes: tuple[Change, ...]
    whole: bool

    def changed(self, change: Change) -> str:
        """The false text."""
        return self.text.replace(change.was, change.now, 1)


def texts(part: str) -> Iterator[Unseen]:
    """The texts of a part."""
    for path, content in sorted(files(f"unseen_{part}").items()):
        game, lang = Path(path).stem.split(".", 1)
        yield from texts_in(content, game, lang, part not in SENTENCES)


def texts_in(content: str, game: str, lang: str, whole: bool = True) -> Iterator[Unseen]:
    """The texts of a file of a set."""
    for entry in f"\n{content}".split("\n## ")[1:]:
        yield _text(game, lang, entry, whole)


def _text(game: str, lang: str, entry: str, whole: bool) -> Unseen:
    head, *lines = entry.splitlines()
    written = [line for line in lines if not line.startswith(("!!", "#!"))]
    changes = tuple(_change(line) for line in lines if line.startswith("!!"))
    return Unseen(game, lang, head.partition("|")[0].strip(), "\n".join(written).strip(), changes, whole)


def _change(line: str) -> Change:
    kind, _, words = line[2:].partition("|")
    was, _, now = (part.strip().replace("⏎", "\n") for part in words.partition("=>"))
    return Change(kind.strip(), was, now)
