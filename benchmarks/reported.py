"""Whether every change of play is reported: edits of specs whose texts are all confirmed.

    .venv/bin/python benchmarks/reported.py [-v] [--every N] [GAME …]
    .venv/bin/python benchmarks/reported.py --random SPECS [--first N] [--edits N]

Each edit of the set `rule_edits` (see `texts/README.md`) is applied in memory, and the texts of its game are checked in
all languages. Printed are, by game,

- the edits that change play by `ftk diff`, those that do not, and those that are refused as unsound,
- the changes of play reported in every language, in some and in none,
- the findings for each change of play in one language, and
- the edits that change nothing for players and have a finding, needless ones.

`--every 5` takes each fifth edit only. With -v, the edits that are not reported or needless are listed.

With `--random`, specs of `tests/random_specs.py` get rules, `tests/spec_mutations.py` makes five edits of each, and it
is printed whether a text would be due: all edits, those that make none due although the program differs (silent), and
those whose due rules have the same seal as before.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

import yaml
from packed import files

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from program_fingerprint import same_play  # found through the line above
from random_specs import Maker, loaded
from spec_mutations import Original

import rulespec
from rulespec.base.source import Source, read
from rulespec.games.api import built
from rulespec.games.rulebook import text_findings, texts_at
from rulespec.language.model.spec import Spec
from rulespec.text.seals.confirmation import confirmation, due
from rulespec.versions.changes.change import Impact
from rulespec.versions.changes.compare import compare

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
        """`refused`, `needless` or `quiet` for what players do not notice, else how far the edit is reported."""
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
    model, report = built(source)
    assert model is not None, report.findings
    return model


def outcome(edit: Edit) -> Outcome:
    """What an edit changes, and what is found in the texts."""
    was = original(edit.file)
    assert was.source.text.count(edit.old) == 1, edit
    now, report = built(Source(was.source.path, was.source.text.replace(edit.old, edit.new)))
    if now is None or report.errors:
        return Outcome(edit, None, {})
    found = {}
    for lang, text in texts_at(was.source.path, was.id).items():
        said = text_findings(text, now, report).findings
        found[lang] = [f"{one.code} {one.rule} {one.message}" for one in said]
    return Outcome(edit, compare(was, now).impact, found)


def edits(games: list[str]) -> Iterator[Edit]:
    rows: list[dict[str, Any]] = yaml.safe_load(files("rule_edits")["edits.yaml"])
    for row in rows:
        edit = Edit(row["id"], row["file"], row["old"], row["new"])
        if not games or edit.game in games:
            yield edit


def ruled(node: Any, chance: Random, numbers: Iterator[int]) -> None:
    """Makes rules of some steps of a spec."""
    for item in node if isinstance(node, list) else node.values() if isinstance(node, dict) else ():
        ruled(item, chance, numbers)
    for key in ("setup", "play", "do", "then", "else") if isinstance(node, dict) else ():
        for step in node[key] if isinstance(node.get(key), list) else ():
            if isinstance(step, dict) and "id" not in step and chance.random() < 0.4:
                number = next(numbers)
                step |= {"id": f"rule{number}", "title": f"Rule {number}"}


def random_edits(seed: int, number: int) -> Iterator[tuple[Spec, Spec, str]]:
    """A random spec with the versions of it that some edits make, and the edits."""
    parts, chance = Maker(seed).spec(), Random(seed)
    ruled(parts, chance, count(1))
    spec = loaded(parts)
    if spec is None or not spec.model.rules:
        return
    original = Original(spec.model.source)
    every = list(original.edits())
    chance.shuffle(every)
    mutants = (mutant for edit in every if (mutant := original.edited(edit)) is not None)
    for mutant in islice(mutants, number):
        yield original.spec, mutant.spec, f"{seed}: {mutant.kind}, line {mutant.line}, {mutant.description}"


def print_random(first: int, specs: int, number: int) -> int:
    """Prints the figures of random specs; 1 if an edit is silent."""
    counts = Counter[str]()
    for seed in range(first, first + specs):
        for old, new, said in random_edits(seed, number):
            counts["edits"] += 1
            due_now = [id_ for group in due(old, new) for id_ in group]
            # A rule that is new or gone has a missing text.
            if not due_now and old.rules.keys() == new.rules.keys() and old.rulings.keys() == new.rulings.keys():
                counts["nothing due"] += 1
                if not same_play(old, new):
                    counts["silent"] += 1
                    print(f"silent: {said}")
            if any(confirmation(old, id_) == confirmation(new, id_) for id_ in due_now):
                counts["same seal"] += 1
                print(f"same seal: {said}")
    print(", ".join(f"{counts[kind]:,} {kind}" for kind in ("edits", "nothing due", "silent", "same seal")))
    return 1 if counts["silent"] or counts["same seal"] else 0


_KINDS = ("every", "some", "none", "words", "quiet", "needless", "refused")


def main() -> int:
    """Prints the figures."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--random", type=int, metavar="SPECS")
    parser.add_argument("--first", type=int, default=0, metavar="N")
    parser.add_argument("--edits", type=int, default=5, metavar="N")
    options = parser.parse_args()
    if options.random is not None:
        return print_random(options.first, options.random, options.edits)
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
