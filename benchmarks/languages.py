"""What is found at level 1, which every language of CLDR has: in forty languages, and for every spelled number.

    .venv/bin/python benchmarks/languages.py [-v] [--part development|unseen] [--seed SEED] [TAG …]
    .venv/bin/python benchmarks/languages.py --numbers [-v] [TAG …]

The first prints a row per language for the texts of the set `forty`: of 20 changed numbers, half of them in digits and
half in words, those with a finding at the number; the findings for the true text, in digits and in words; of three
texts that leave something out and three in which two things are exchanged, those with a finding.

The second prints how many numbers are read back as their value: cardinals from 0 to 1000 and ordinals from 1 to 100, as
num2words spells them and as each set of rules of CLDR does.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from forty_texts import (
    EXCHANGED,
    LEFT_OUT,
    TAGS,
    Change,
    changes,
    findings,
    folder,
    sheet,
)
from spelled_numbers import Spelling, read_back, spellings

from rulespec.base.diagnostics import Finding
from rulespec.text.languages.registry import find as find_language

NUMBERS = 20


@dataclass(frozen=True)
class Row:
    """What is found in the texts of one language. The lists describe what is missed, and what is reported wrongly."""

    tag: str
    false: list[str]
    missed: list[str]
    lacking: list[str]
    exchanged: list[str]


def row(place: Path, tag: str, seed: str) -> Row:
    true = {words: findings(place, tag, sheet(tag).translation(words)[0]) for words in (False, True)}
    false = [_shown(found) for words in (False, True) for found in true[words]]
    missed = [_change(tag, one) for one in changes(sheet(tag), NUMBERS, seed) if not _at_number(place, tag, one)]
    lacking, exchanged = (
        [f"{one.what} in {one.rule}" for one in some if not _is_found(place, tag, one, true[True])]
        for some in (LEFT_OUT, EXCHANGED)
    )
    return Row(tag, false, missed, lacking, exchanged)


def _at_number(place: Path, tag: str, change: Change) -> bool:
    """Whether a finding is at a changed number."""
    text, (start, end) = sheet(tag).translation(change.words, change)
    line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
    return any(
        found.start.line == line and found.start.column < column + end - start and column < found.end.column
        for found in findings(place, tag, text)
    )


def _is_found(place: Path, tag: str, change: Change, true: Sequence[Finding]) -> bool:
    """Whether a text with a mistake has a finding that the true text does not have."""
    known = {(found.name, found.message) for found in true}
    found = findings(place, tag, sheet(tag).translation(True, change)[0])
    return any((one.name, one.message) not in known for one in found)


def _shown(found: Finding) -> str:
    return f"{found.start.line}:{found.start.column} {found.name}: {found.message}"


def _change(tag: str, change: Change) -> str:
    assert change.slot is not None
    new = sheet(tag).spelled(change.value, change.slot.rules) if change.words else sheet(tag).written(change.value)
    return f"{change.rule}: {change.slot.value} → {new}"


def texts(tags: Sequence[str], seed: str, verbose: bool) -> None:
    print(
        "| tag | level | numbers found | left out | exchanged | findings in the true text |\n|---|---|---|---|---|---|"
    )
    rows = []
    with folder() as place:
        for tag in tags:
            rows.append(one := row(place, tag, seed))
            print(
                f"| {tag} | {find_language(tag).level} | {NUMBERS - len(one.missed)} of {NUMBERS}"
                f" | {len(LEFT_OUT) - len(one.lacking)} of {len(LEFT_OUT)}"
                f" | {len(EXCHANGED) - len(one.exchanged)} of {len(EXCHANGED)} | {len(one.false)} |",
                flush=True,
            )
            for what in (*one.false, *one.missed, *one.lacking, *one.exchanged) if verbose else ():
                print(f"    {what}")
    print()
    _total("changed numbers", NUMBERS, [one.missed for one in rows])
    _total("left out", len(LEFT_OUT), [one.lacking for one in rows])
    _total("exchanged", len(EXCHANGED), [one.exchanged for one in rows])
    false = [one for one in rows if one.false]
    print(f"findings in true texts: {sum(len(one.false) for one in false)}, in {len(false)} of {len(rows)} languages")


def _total(what: str, each: int, missed: Sequence[list[str]]) -> None:
    total = each * len(missed)
    found = total - sum(map(len, missed))
    print(f"{what}: {found} of {total} found ({found / total:.1%})")


def numbers(tags: Sequence[str], verbose: bool) -> None:
    print("| tag | source | kind | read | of | share |\n|---|---|---|---|---|---|")
    right = total = 0
    for one in spellings(tags):
        wrong, count = list(_unread(one)), len(one.words)
        right, total = right + count - len(wrong), total + count
        share = f"{1 - len(wrong) / count:.1%}"
        print(f"| {one.tag} | {one.source} | {one.kind} | {count - len(wrong)} | {count} | {share} |", flush=True)
        for text in wrong[:8] if verbose else ():
            print(f"    {text}")
    print(f"\n{right} of {total} read ({right / total:.2%})")


def _unread(spelling: Spelling) -> Iterator[str]:
    for value, text in spelling.words:
        got = read_back(text, spelling.tag, spelling.kind)
        if got != value:
            yield f"{text}: {value} is read as {got}"


def main() -> None:
    parser = argparse.ArgumentParser(description="What is found in every language of CLDR.")
    parser.add_argument("tags", nargs="*", metavar="TAG")
    parser.add_argument("-v", "--verbose", action="store_true", help="list what is missed and what is wrong")
    parser.add_argument("--part", choices=list(TAGS), help="the tags of a part only")
    parser.add_argument("--seed", default="", help="another choice of changed numbers")
    parser.add_argument("--numbers", action="store_true", help="read spelled numbers back instead")
    options = parser.parse_args()
    began = time.perf_counter()
    if options.numbers:
        numbers(options.tags, options.verbose)
    else:
        parts = [options.part] if options.part else list(TAGS)
        texts(options.tags or [tag for part in parts for tag in TAGS[part]], options.seed, options.verbose)
    print(f"\n{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
