"""Precision and recall of the checks on raw rulebooks that the checker was tuned to, as they are and with mistakes.

    .venv/bin/python benchmarks/corpus.py [-v] [LANG/STYLE …]

A mistake counts only at its line. Findings about a text as it is that nobody has judged are listed: each of them must
be. With -v the missed mistakes and the false alarms are listed. Each text of the set `corpus` has a YAML file:

    labels:                                  # all findings for the original text, judged by hand
      - {name: fact-missing, at: words of its line, verdict: right | false, why: …}
    variants:                                # lists of small edits; the words of each occur once
      numbers:
        - {find: eight when four play, replace: nine when four play, expect: [{name: fact-contradicted, at: Shuffle}]}
        - {find: …, replace: …}              # a trap: nothing may be found

`accept` names findings that follow from a mistake; they count neither as hits nor as false alarms.
`at` is a part of the line of the finding, `rule` its rule. Of a list of names any one is accepted.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from packed import files

import rulespec
from rulespec.base.diagnostics import Finding
from rulespec.base.source import Source
from rulespec.games.api import Spec
from rulespec.games.rulebook import check_raw

CORPUS = files("corpus")
TEXTS = [Path(name) for name in sorted(CORPUS) if name.endswith(".txt")]


@dataclass(frozen=True)
class Claim:
    """A judgement by hand: a finding with one of these names is right or false at this place."""

    names: tuple[str, ...]
    at: str
    rule: str
    right: bool = True

    def fits(self, found: Finding, lines: list[str]) -> bool:
        if found.name not in self.names or (self.rule and found.rule != self.rule):
            return False
        return self.at in lines[found.start.line - 1]


@dataclass(frozen=True)
class Tally:
    """Findings of a text by judgement: right ones, false ones, and claims without a finding."""

    right: tuple[str, ...]
    false: tuple[Finding, ...]
    missed: tuple[str, ...]


def claims(items: list[dict[str, Any]]) -> tuple[Claim, ...]:
    assert all(item.keys() <= {"name", "at", "rule", "verdict", "why"} for item in items), items
    return tuple(
        Claim(
            tuple([item["name"]] if isinstance(item["name"], str) else item["name"]),
            item.get("at", ""),
            item.get("rule", ""),
            item.get("verdict", "right") == "right",
        )
        for item in items
    )


@cache
def notes(path: Path) -> dict[str, Any]:
    return dict(yaml.safe_load(CORPUS[str(path.with_suffix(".yaml"))]))


@cache
def game() -> Spec:
    return rulespec.load("fortheking")


@cache
def findings(path: Path, text: str) -> tuple[Finding, ...]:
    return check_raw(Source(str(path), text), path.parent.name, game()).findings


def written(path: Path) -> str:
    return CORPUS[str(path)]


def edited(text: str, edits: list[dict[str, Any]]) -> str:
    for edit in edits:
        assert text.count(edit["find"]) == 1, f"{edit['find']!r} stands {text.count(edit['find'])} times in the text"
        assert edit["find"] != edit["replace"], edit["find"]
        text = text.replace(edit["find"], edit["replace"])
    return text


def without_place(found: Finding) -> tuple[str, str, str]:
    """A finding without its position, which changes with edits before it."""
    return found.name, found.rule, re.sub(r"; also on line.*| \d+ more: line.*", "", found.message)


def sorted_out(found: tuple[Finding, ...], text: str, wanted: tuple[Claim, ...]) -> Tally:
    """The findings of a text by claim. A claim with several findings counts once."""
    lines = text.split("\n")
    met = [any(claim.fits(one, lines) for one in found) for claim in wanted]
    right = tuple(claim.names[0] for claim, yes in zip(wanted, met, strict=True) if yes and claim.right)
    missed = tuple(claim.names[0] for claim, yes in zip(wanted, met, strict=True) if not yes and claim.right)
    accepted = [claim for claim in wanted if claim.right]
    false = tuple(one for one in found if not any(claim.fits(one, lines) for claim in accepted))
    return Tally(right, false, missed)


def of_base(path: Path) -> Tally:
    return sorted_out(findings(path, written(path)), written(path), claims(notes(path).get("labels") or []))


def of_variant(path: Path, edits: list[dict[str, Any]]) -> Tally:
    """The findings of a variant that the original text does not have."""
    base, text = written(path), edited(written(path), edits)
    known = {without_place(one) for one in findings(path, base)}
    labels = list(claims(notes(path).get("labels") or []))
    lines = text.split("\n")
    wanted = tuple(claim for edit in edits for claim in claims(edit.get("expect") or []))
    new = tuple(one for one in findings(path, text) if without_place(one) not in known)
    labels += [claim for edit in edits for claim in claims(edit.get("accept") or [])]
    left = [
        one
        for one in new
        if any(claim.fits(one, lines) for claim in wanted) or not any(claim.fits(one, lines) for claim in labels)
    ]
    return sorted_out(tuple(left), text, wanted)


def tallies(path: Path) -> Iterator[tuple[str, Tally]]:
    """The findings of a text as it is and of each variant."""
    yield "as it is", of_base(path)
    for name, edits in notes(path)["variants"].items():
        yield name, of_variant(path, edits)


def unjudged(path: Path) -> Iterator[str]:
    """The findings about a text as it is that have no label."""
    lines, labels = written(path).split("\n"), claims(notes(path).get("labels") or [])
    for found in findings(path, written(path)):
        if not any(claim.fits(found, lines) for claim in labels):
            yield f"not judged: {_shown(found)}"


def _shown(found: Finding) -> str:
    return f"{found.start.line}:{found.start.column} {found.name} [{found.rule}] {found.message}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Precision and recall on raw rulebooks that the checker was tuned to.")
    parser.add_argument("names", nargs="*", metavar="LANG/STYLE")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    right, false, missed = Count(), Count(), Count()
    for path in TEXTS:
        name = str(path.with_suffix(""))
        if options.names and name not in options.names:
            continue
        print(*(f"{name}: {one}\n" for one in unjudged(path)), sep="", end="", flush=True)
        for variant, tally in tallies(path):
            right.update((path.parent.name, one) for one in tally.right)
            false.update((path.parent.name, found.name) for found in tally.false)
            missed.update((path.parent.name, one) for one in tally.missed)
            if options.verbose:
                print(f"{name} {variant}: {len(tally.right)} right, missed {list(tally.missed)}")
                print(*(f"    {_shown(one)}\n" for one in tally.false), sep="", end="")
    print("\n".join(_table(right, false, missed)))


Count = Counter[tuple[str, str]]


def _table(right: Count, false: Count, missed: Count) -> Iterator[str]:
    yield f"{'':8} {'finding':22} right false missed precision recall"
    for lang in sorted({lang for lang, _ in right | false | missed}):
        names = sorted({name for one, name in right | false | missed if one == lang})
        for name in names:
            yield _row(lang, name, right[lang, name], false[lang, name], missed[lang, name])
        yield _row(lang, "ALL", *(sum(n for (one, _), n in c.items() if one == lang) for c in (right, false, missed)))
    yield _row("ALL", "", *(sum(c.values()) for c in (right, false, missed)))


def _row(lang: str, name: str, right: int, false: int, missed: int) -> str:
    precision = f"{right / (right + false):.2f}" if right + false else "-"
    recall = f"{right / (right + missed):.2f}" if right + missed else "-"
    return f"{lang:8} {name:22} {right:5} {false:5} {missed:6} {precision:>9} {recall:>6}"


if __name__ == "__main__":
    main()
