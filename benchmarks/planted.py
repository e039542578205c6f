"""Mistakes planted in true texts, by a reader who saw only the texts: what is found at each level of a language.

    python benchmarks/planted.py [LANG…] [--part development] [--level 1|2] [--missed]

The mistakes are the set `planted`, or with `--part development` the set `planted_development`. A mistake is found if
its text has a finding that the true text lacks, in the same rule. A finding is right if it is in the rule of the
mistake, in a line that the mistake has changed or beside it.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from packed import files

from rulespec.base import project
from rulespec.base.diagnostics import Finding
from rulespec.base.source import Source, read
from rulespec.base.worklist import SINCE
from rulespec.games.rulebook import check_translation
from rulespec.text.languages import registry

PARTS = {"test": "planted", "development": "planted_development"}


@dataclass(frozen=True)
class Mistake:
    """A true text with one mistake: the words `old` of a rule are replaced by `new`."""

    game: str
    rule: str
    kind: str
    old: str
    new: str

    def path(self, lang: str) -> Path:
        """The true text."""
        return text_of(self.game, lang)


def text_of(game: str, lang: str) -> Path:
    """The file of the texts of a shipped game in a language."""
    return project.of(project.find(game)).texts(game) / f"{lang}.yaml"


@dataclass(frozen=True)
class Result:
    """The findings that a mistake adds; `right` are those about it."""

    mistake: Mistake
    findings: tuple[Finding, ...]
    right: tuple[Finding, ...]


def mistakes(part: str, lang: str) -> list[Mistake]:
    """The planted mistakes of a part in a language."""
    rows = yaml.safe_load(files(PARTS[part])[f"{lang}.yaml"])
    return [Mistake(row["game"], row["rule"], row["kind"], row["old"], row["new"]) for row in rows]


def results(part: str, lang: str) -> Iterator[Result]:
    """What each mistake adds to the findings of its text."""
    for one in mistakes(part, lang):
        source, _ = read(str(one.path(lang)))
        assert source is not None and source.text.count(one.old) == 1, f"{lang}: {one.old}"
        at = source.text.index(one.old)
        line = source.position(at).line
        before = {(each.name, each.rule, each.message) for each in check_translation(source).findings}
        wrong = Source(source.path, source.text.replace(one.old, one.new))
        after = check_translation(wrong).findings
        known = {*before, *((each.name, each.rule, each.message) for each in after if each.name in SINCE)}  # seals
        new = tuple(each for each in after if (each.name, each.rule, each.message) not in known)
        right = tuple(each for each in new if each.rule == one.rule and abs(each.start.line - line) <= NEAR)
        yield Result(one, new, right)


NEAR = 12
"""How many lines a finding may be from its mistake in the text of a rule: a missing fact is reported at its start."""


def at_level_1(lang: str) -> None:
    """Takes the record of a language away, and the folder of what was read with it."""
    os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp()
    registry._SHIPPED.pop(lang, None)
    registry._put({})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lang", nargs="*")
    parser.add_argument("--part", choices=PARTS, default="test")
    parser.add_argument("--level", type=int, choices=(1, 2), default=2)
    parser.add_argument("--missed", action="store_true", help="list what was not found, and what is wrong")
    given = parser.parse_args()
    for lang in given.lang or [name.removesuffix(".yaml") for name in files(PARTS[given.part])]:
        if given.level == 1:
            at_level_1(lang)
        found = list(results(given.part, lang))
        all_of, hit = (
            Counter(one.mistake.kind for one in found),
            Counter(one.mistake.kind for one in found if one.right),
        )
        every, right = sum(len(one.findings) for one in found), sum(len(one.right) for one in found)
        kinds = ", ".join(f"{kind} {hit[kind]}/{all_of[kind]}" for kind in all_of)
        print(f"{lang}, level {given.level}: {sum(hit.values())}/{len(found)} found ({kinds}); {right}/{every} right")
        for one in found if given.missed else ():
            wrong = [f"{each.rule}: {each.message}" for each in one.findings if each not in one.right]
            if not one.right or wrong:
                print(
                    f"  {one.mistake.kind} {one.mistake.rule}: {one.mistake.old} -> {one.mistake.new}",
                    *wrong,
                    sep="\n    ",
                )


if __name__ == "__main__":
    main()
