"""Rule texts in words of their own, and mistakes in them: what the checker finds in a file, and false alarms.

    .venv/bin/python benchmarks/retold.py [GAME.LANG …]

The texts are the set `retold`. Those of a game in a language replace the texts of the same rules in our translation,
without confirmations. A finding there is a false alarm. Each mistake is then made alone; it is found if its rule has a
finding that it does not have without it, and found at the word if that finding is in a line of the mistake, or if the
mistake leaves something out. Only the figures are looked at.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from packed import files
from planted import text_of
from unseen_texts import Change, Unseen, texts_in

from rulespec.base.diagnostics import Finding
from rulespec.base.source import Source
from rulespec.base.worklist import SINCE
from rulespec.games.rulebook import check_translation

OF_TEXTS = ("fact-missing", "language-lacks")
"""Findings about a whole text."""

_CONFIRMED = re.compile(r"^    confirmed:[^\n]*\n", re.MULTILINE)


@dataclass(frozen=True)
class Result:
    """The findings that a mistake adds, those of its rule, and those of these at its words."""

    rule: str
    change: Change
    every: tuple[Finding, ...]
    right: tuple[Finding, ...]
    at_word: tuple[Finding, ...]

    @property
    def kind(self) -> str:
        """The kind of the mistake; apart for the texts of cards."""
        return f"card {self.change.kind}" if self.rule.startswith("name.") else self.change.kind


@dataclass(frozen=True)
class File:
    """A translation with the texts of a set in place of its own."""

    path: str
    text: str
    retold: tuple[Unseen, ...]

    def findings(self, text: str) -> tuple[Finding, ...]:
        """The findings for the file with another text, but for those of confirmations."""
        return tuple(one for one in check_translation(Source(self.path, text)).findings if one.name not in SINCE)

    def alarms(self) -> tuple[Finding, ...]:
        """The findings for the true texts."""
        rules = {one.rule for one in self.retold}
        return tuple(one for one in self.findings(self.text) if one.rule in rules)

    def results(self) -> Iterator[Result]:
        """What each mistake adds."""
        known = {_key(one) for one in self.findings(self.text)}
        for text in self.retold:
            for change in text.changes:
                wrong = replaced(self.text, text.rule, text.changed(change))
                at = next(at for at, (a, b) in enumerate(zip(self.text, wrong, strict=False)) if a != b)
                first, lines = wrong[:at].count("\n") + 1, change.now.count("\n") + 1
                new = tuple(one for one in self.findings(wrong) if _key(one) not in known)
                right = tuple(one for one in new if one.rule == text.rule)
                near = tuple(one for one in right if one.name not in OF_TEXTS and abs(one.start.line - first) <= lines)
                yield Result(text.rule, change, new, right, right if change.kind == "omission" else near)


def _key(one: Finding) -> tuple[str, str, str]:
    return one.name, one.rule, one.message


def replaced(file: str, rule: str, text: str) -> str:
    """A file of rule texts with another text of a rule."""
    body = "\n".join(f"      {line}".rstrip() for line in text.split("\n"))
    entry = re.compile(
        rf"^  {re.escape(rule)}:\n(    title:[^\n]*\n(?:      [^\n]*\n)*?)?    text:[^\n]*\n(?:(?:      [^\n]*)?\n)*",
        re.MULTILINE,
    )
    return entry.sub(lambda found: f"  {rule}:\n{found[1] or ''}    text: |-\n{body}\n", file, count=1)


def read() -> Iterator[tuple[str, File]]:
    """The files of the set, by game and language."""
    for name, content in sorted(files("retold").items()):
        game, lang = name.removesuffix(".txt").split(".", 1)
        retold = tuple(texts_in(content, game, lang))
        path = text_of(game, lang)
        text = _CONFIRMED.sub("", path.read_text(encoding="utf-8"))
        for one in retold:
            text = replaced(text, one.rule, one.text)
        yield f"{game}.{lang}", File(str(path), text, retold)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GAME.LANG")
    names = parser.parse_args().names
    of, found = Counter[str](), Counter[str]()
    head = ("texts", "true", "with findings", "mistakes", "found", "at the word", "findings right")
    print(f"| {' | '.join(head)} |\n|{len(head) * '---|'}")
    for name, file in read():
        if not names or name in names:
            alarmed, results = {one.rule for one in file.alarms()}, list(file.results())
            of.update(one.kind for one in results)
            found.update(one.kind for one in results if one.right)
            every, right = (
                sum(len(some) for some in sums) for sums in zip(*((r.every, r.right) for r in results), strict=True)
            )
            hit, at_word = sum(bool(one.right) for one in results), sum(bool(one.at_word) for one in results)
            cells = (name, len(file.retold), len(alarmed), len(results), hit, at_word, f"{right} of {every}")
            print(f"| {' | '.join(map(str, cells))} |", flush=True)
    for group, kinds in (
        ("rules", [k for k in of if not k.startswith("card")]),
        ("cards", [k for k in of if k.startswith("card")]),
    ):
        print(f"\n{group}: {sum(found[kind] for kind in kinds)} of {sum(of[kind] for kind in kinds)}")
        print(", ".join(f"{kind} {found[kind]}/{of[kind]}" for kind in sorted(kinds)))


if __name__ == "__main__":
    main()
