"""How many changed numbers of raw texts are reported at the number, whatever text it is.

    .venv/bin/python benchmarks/raw_numbers.py [--part PART] [-v] [--text LANG GAME FILE] [LANG/GAME-STYLE …]

Every number of the summaries in `tests/raw_unseen`, or of a file, is replaced by the next one, in digits or words as
it is written. Numbers that state no rule stay: those of lists, headings, rows, pages and years, in examples, and `one`
in words. With -v, which works for `development` and files only, the missed
ones are listed.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from mutation_numerals import series, written  # found through the line above
from raw_unseen_texts import PARTS, Edit, Outcome, Summary, groups, outcome, summaries

from rulespec.text.languages import LANGUAGES, matches
from rulespec.text.quantity import Kind, Quantity
from rulespec.text.quantity import read as read_quantities
from rulespec.text.raw.segments import Role, segments

CHANGED = (Kind.CARDINAL, Kind.SIGNED, Kind.RANGE, Kind.ORDINAL)


def edits(summary: Summary) -> tuple[Edit, ...]:
    """An edit for every number of a text that can be replaced."""
    text = summary.text
    ignored = [one for one in segments(text, LANGUAGES[summary.lang]) if one.role in _NO_RULES]
    places = (one for one in _numbers(text, summary.lang) if not any(s.start <= one[0] < s.end for s in ignored))
    places = (one for one in places if not _COUNTING.fullmatch(text, text.rfind("\n", 0, one[0]) + 1, one[1] + 2))
    return tuple(_edit(text, *place) for place in places)


_COUNTING = re.compile(r"[ \t]*(?:#+ |§ ?|\| )[*]{0,2}\d+(?:\.[^\d]| \|)")
"""The number of a heading or of a row of a table, with the mark after it."""

_NO_RULES = (Role.EXAMPLE, Role.FLAVOUR, Role.CREDITS, Role.NOISE)


def _numbers(text: str, lang: str) -> Iterator[tuple[int, int, str]]:
    for quantity in read_quantities(text, lang):
        aside = matches(LANGUAGES[lang].aside, text, quantity.end)
        if quantity.kind in CHANGED and not aside:
            yield from _changes(text, quantity, lang)


def _changes(text: str, quantity: Quantity, lang: str) -> Iterator[tuple[int, int, str]]:
    """The figures of a quantity, or its numeral in words, with the next number instead."""
    start, end = quantity.start, quantity.end
    figures = [at for at in range(start, end) if text[at].isdecimal()]
    if figures:
        last = max(figures)
        first = last
        while first > start and text[first - 1].isdecimal():
            first -= 1
        yield first, last + 1, str(int(text[first : last + 1]) + 1)
    elif quantity.value > 1 and (found := series(text[start:end], lang)) is not None:
        row, index = found
        if index + 2 <= len(row):
            yield start, end, written(index + 2, text[start:end], row)


def _edit(text: str, start: int, end: int, new: str) -> Edit:
    """The edit with as much of the text around it as makes its words unique."""
    left, right = start, end
    while text.count(text[left:right]) > 1:
        left, right = max(0, left - 1), min(len(text), right + 1)
    return Edit("number", text[left:right], text[left:start] + new + text[end:right])


def measured(summary: Summary, verbose: bool) -> Counter[str]:
    """How many numbers are changed, reported at the number, at its line, and how many findings stand elsewhere."""
    count: Counter[str] = Counter()
    for group in groups(summary, edits(summary)):
        seen = outcome(summary, group)
        count.update(_of(seen))
        for line in _missed(seen) if verbose else ():
            print(f"    {line}")
    return count


def _of(seen: Outcome) -> Iterator[str]:
    for planted, found in seen.hits.items():
        yield "changed"
        yield from ["line"] if found else []
        yield from ["exact"] if any(planted.is_exact(one) for one in found) else []
    yield from ("elsewhere" for _ in seen.elsewhere)


def _missed(seen: Outcome) -> Iterator[str]:
    for planted, found in seen.hits.items():
        edit = f"{planted.edit.find} → {planted.edit.replace}".replace("\n", "⏎")
        if not any(planted.is_exact(one) for one in found):
            yield f"missed {planted.first}: {edit}" + "".join(f" | {one.name} {one.message}" for one in found)
    for one in seen.elsewhere:
        yield f"elsewhere: {one.start.line}:{one.start.column} {one.name} [{one.rule}] {one.message}"


def main() -> None:
    parser = argparse.ArgumentParser(description="How many changed numbers of raw texts are reported at the number.")
    parser.add_argument("names", nargs="*", metavar="LANG/GAME-STYLE")
    parser.add_argument("--part", default="test", choices=PARTS)
    parser.add_argument("--text", nargs=3, metavar=("LANG", "GAME", "FILE"))
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    if options.verbose and options.part != "development" and not options.text:
        parser.error("-v lists texts of `development` only; a checker tuned to the others has no measure")
    chosen = [_file(*options.text)] if options.text else summaries(options.part)
    print("| text | numbers | at the number | at the line | findings elsewhere |\n|---|---|---|---|---|")
    total: Counter[str] = Counter()
    for summary in chosen:
        if not options.names or summary.name in options.names:
            count = measured(summary, options.verbose)
            total += count
            print(_row(summary.name, count), flush=True)
    print(_row("all", total))


def _file(lang: str, game: str, path: str) -> Summary:
    text = Path(path).read_text(encoding="utf-8")
    return Summary(Path(lang) / Path(path).name, game, "all", text, (), (), (), ())


def _row(name: str, count: Counter[str]) -> str:
    of = count["changed"]
    shares = (f"{count[one]} ({count[one] / of:.0%})" if of else "0" for one in ("exact", "line"))
    return f"| {name} | {of} | {' | '.join(shares)} | {count['elsewhere']} |"


if __name__ == "__main__":
    main()
