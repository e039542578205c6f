"""Whether every change of play is told: edits of specs whose texts are all confirmed.

    .venv/bin/python benchmarks/told.py [-v] [--every N] [GAME …]

Each edit of the set `rule_edits` (see `texts/README.md`) is applied in memory, and the texts of its game are checked in
all languages. Printed are, by game,

- the edits that change play by `ftk diff`, those that do not, and those that are refused as unsound,
- the changes of play told in every language, in some and in none,
- the findings for each change of play in one language, and
- the edits that change nothing for players and have a finding, needless ones.

`--every 5` takes each fifth edit only. With -v, the edits that are not told or needless are listed.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from packed import files

import rulespec
from rulespec.base.source import Source, read
from rulespec.games.rulebook import text_findings, texts_at
from rulespec.language.model.spec import Spec
from rulespec.text.checks.merged import merged
from rulespec.versions.changes import Impact, compare

SPECS = Path(rulespec.__file__).parents[1] / "specs"


@dataclass(frozen=True)
class Edit:
    """An edit of a spec: its file, and the text that is replaced by another one."""

    id: str
    file: str
    old: str
    new: str

    @property
    def game(self) -> str:
        return Path(self.file).stem


@dataclass(frozen=True)
class Outcome:
    """What an edit changes (None for an unsound spec), and the findings in each language."""

    edit: Edit
    impact: Impact | None
    found: dict[str, list[str]]

    @property
    def kind(self) -> str:
        """What is counted: `refused`, `needless` or `quiet` for what players do not notice, else how far it is told."""
        if self.impact is None:
            return "refused"
        said = [bool(some) for some in self.found.values()]
        if self.impact < Impact.TEXT:
            return "needless" if any(said) else "quiet"
        if self.impact < Impact.PLAY:
            return "words"
        return "every" if all(said) else "some" if any(said) else "none"


@cache
def original(file: str) -> Spec:
    source, _ = read(str(SPECS / file))
    assert source is not None
    model, report = rulespec.built(source)
    assert model is not None, report.findings
    return model


def outcome(edit: Edit) -> Outcome:
    """What an edit changes, and what is found in the texts."""
    was = original(edit.file)
    assert was.source.text.count(edit.old) == 1, edit
    now, report = rulespec.built(Source(was.source.path, was.source.text.replace(edit.old, edit.new)))
    if now is None or report.errors:
        return Outcome(edit, None, {})
    found = {}
    for lang, text in texts_at(was.source.path, was.id).items():
        said = merged(text_findings(text, now, report).findings, text)
        found[lang] = [f"{one.code} {one.rule} {one.message}" for one in said]
    return Outcome(edit, compare(was, now).impact, found)


def edits(games: list[str]) -> Iterator[Edit]:
    rows: list[dict[str, Any]] = yaml.safe_load(files("rule_edits")["edits.yaml"])
    for row in rows:
        edit = Edit(row["id"], row["file"], row["old"], row["new"])
        if not games or edit.game in games:
            yield edit


_KINDS = ("every", "some", "none", "words", "quiet", "needless", "refused")


def main() -> int:
    """Prints the figures."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    counts: dict[str, Counter[str]] = {}
    said: dict[str, list[int]] = {}
    for edit in list(edits(options.games))[:: options.every]:
        one = outcome(edit)
        for name in (edit.game, "all"):
            counts.setdefault(name, Counter())[one.kind] += 1
            if one.kind in ("every", "some", "none"):
                said.setdefault(name, []).extend(map(len, one.found.values()))
        if options.verbose and one.kind in ("some", "none", "needless"):
            silent = [lang for lang, some in one.found.items() if not some]
            print(f"{one.kind}: {edit.id} {edit.game} {one.impact}, silent in {silent}: {edit.old!r} -> {edit.new!r}")
            print("".join(f"    {lang} {line[:150]}\n" for lang, some in one.found.items() for line in some), end="")
    print(f"{'':18}" + "".join(f"{kind:>10}" for kind in _KINDS) + f"{'findings':>12}")
    for name, row in sorted(counts.items(), key=lambda item: item[0] == "all"):
        each = sum(said.get(name, ())) / max(1, len(said.get(name, ())))
        print(f"{name:18}" + "".join(f"{row[kind]:10}" for kind in _KINDS) + f"{each:12.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
