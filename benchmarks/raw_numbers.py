"""How many changed numbers of raw texts are reported at the number, whatever text it is.

    .venv/bin/python benchmarks/raw_numbers.py [--part PART] [--change CHANGE …] [--every N] [-v]
        [--text LANG GAME FILE] [LANG/GAME-STYLE …]

Every number of the summaries of a set `raw_…`, or of a file, is replaced by another one, in digits or words as it
is written: by the next or the previous number, by its double, or by the number of the same text that follows it there
and differs. Without `--change`, by each of these in turn. `--every N` takes each N-th change only. Numbers that state
no rule stay: those of lists, headings, rows, pages and years, in examples, and `one` in words. `false alarms` are the
findings about numbers in the text as it is. With -v, which works for `development` and files only, the missed changes
are listed.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from mutation_numerals import series, written
from raw_unseen_texts import PARTS, Edit, Outcome, Summary, findings, groups, outcome, summaries

from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.languages.quantity.reader import read as read_quantities
from rulespec.text.languages.record import matches
from rulespec.text.languages.registry import LANGUAGES
from rulespec.text.raw.segments import Role, segments

CHANGED = (Kind.CARDINAL, Kind.SIGNED, Kind.RANGE, Kind.ORDINAL)


Change = Callable[[int, Sequence[int]], int]
"""The number that replaces one, given the numbers of the text that follow it, from the end around to itself."""

CHANGES: Mapping[str, Change] = {
    "next": lambda number, _: number + 1,
    "previous": lambda number, _: number - 1,
    "double": lambda number, _: number * 2,
    "other": lambda number, others: next((one for one in others if one != number), number + 1),
}


def edits(summary: Summary, change: str = "next") -> tuple[Edit, ...]:
    """An edit for every number of a text that can be replaced."""
    text = summary.text
    ignored = [one for one in segments(text, LANGUAGES[summary.lang]) if one.role in _NO_RULES]
    places = [one for one in _numbers(text, summary.lang) if not any(s.start <= one.start < s.end for s in ignored)]
    places = [one for one in places if not _COUNTING.fullmatch(text, text.rfind("\n", 0, one.start) + 1, one.end + 2)]
    values = [one.value for one in places]
    new = [CHANGES[change](value, values[i + 1 :] + values[:i]) for i, value in enumerate(values)]
    made = (_edit(text, place, number, summary.lang) for place, number in zip(places, new, strict=True))
    return tuple(one for one in made if one is not None)


_COUNTING = re.compile(r"[ \t]*(?:#+ |§ ?|\| )[*]{0,2}\d+(?:\.[^\d]| \|)")
"""The number of a heading or of a row of a table, with the mark after it."""

_NO_RULES = (Role.EXAMPLE, Role.CREDITS, Role.NOISE)


@dataclass(frozen=True)
class _Place:
    """A number at `text[start:end]`, in figures or in words."""

    start: int
    end: int
    value: int
    figures: bool


def _numbers(text: str, lang: str) -> Iterator[_Place]:
    for quantity in read_quantities(text, lang):
        aside = matches(LANGUAGES[lang].aside, text, quantity.end)
        if quantity.kind in CHANGED and not aside:
            yield from _places(text, quantity)


def _places(text: str, quantity: Quantity) -> Iterator[_Place]:
    """The last figures of a quantity, or its numeral in words."""
    figures = list(re.finditer(r"\d+", text[quantity.start : quantity.end]))
    if figures:
        start, end = (quantity.start + at for at in figures[-1].span())
        yield _Place(start, end, int(figures[-1][0]), figures=True)
    elif quantity.value > 1 and quantity.value.denominator == 1:
        yield _Place(quantity.start, quantity.end, int(quantity.value), figures=False)


def _edit(text: str, place: _Place, number: int, lang: str) -> Edit | None:
    """The edit with as much of the text around it as makes its words unique; None if the number has no words."""
    new = str(number) if place.figures else _in_words(text[place.start : place.end], number, lang)
    if number < 0 or not new:
        return None
    left, right = place.start, place.end
    while text.count(text[left:right]) > 1:
        left, right = max(0, left - 1), min(len(text), right + 1)
    return Edit("number", text[left:right], text[left : place.start] + new + text[place.end : right])


def _in_words(numeral: str, number: int, lang: str) -> str:
    """A number in the form of a numeral; "" if the table of numerals has no such form."""
    found = series(numeral, lang)
    has = found is not None and 1 < number <= len(found[0])
    return written(number, numeral, found[0]) if found is not None and has else ""


def measured(summary: Summary, changed: Sequence[Edit], verbose: bool) -> Counter[str]:
    """How many numbers are changed, reported at the number, at its line, and how many findings stand elsewhere."""
    count: Counter[str] = Counter()
    for group in groups(summary, changed):
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


def false_alarms(summary: Summary) -> int:
    """How many findings there are about numbers of the text as it is."""
    lines = summary.text.split("\n")
    read = read_quantities(summary.text, summary.lang)
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    found = (one for one in findings(summary, summary.text) if one.name in ABOUT_NUMBERS)
    places = {starts[one.start.line - 1] + one.start.column - 1 for one in found}
    return sum(any(q.start <= at < q.end for q in read) for at in places)


ABOUT_NUMBERS = ("fact-contradicted", "number-unaccounted")


def main() -> None:
    parser = argparse.ArgumentParser(description="How many changed numbers of raw texts are reported at the number.")
    parser.add_argument("names", nargs="*", metavar="LANG/GAME-STYLE")
    parser.add_argument("--part", default="test", choices=PARTS)
    parser.add_argument("--change", nargs="+", default=list(CHANGES), choices=list(CHANGES))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--text", nargs=3, metavar=("LANG", "GAME", "FILE"))
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    if options.verbose and options.part != "development" and not options.text:
        parser.error("-v lists texts of `development` only; a checker tuned to the others has no measure")
    every = [_file(*options.text)] if options.text else summaries(options.part)
    chosen = [one for one in every if not options.names or one.name in options.names]
    print(f"| {' | '.join(COLUMNS)} |\n|{len(COLUMNS) * '---|'}")
    by_change: dict[str, Counter[str]] = {}
    for summary in chosen:
        count = Counter({"alarms": false_alarms(summary)})
        for change in options.change:
            one = measured(summary, edits(summary, change)[:: options.every], options.verbose)
            by_change.setdefault(change, Counter()).update(one)
            count += one
        by_change.setdefault("all", Counter()).update(count)
        print(_row(summary.name, count), flush=True)
    for change, count in by_change.items():
        print(_row(change, count))


COLUMNS = ("text", "numbers", "at the number", "at the line", "findings elsewhere", "false alarms")


def _file(lang: str, game: str, path: str) -> Summary:
    text = Path(path).read_text(encoding="utf-8")
    return Summary(Path(lang) / Path(path).name, game, "all", text, (), (), (), ())


def _row(name: str, count: Counter[str]) -> str:
    of = count["changed"]
    shares = (f"{count[one]} ({count[one] / of:.0%})" if of else "0" for one in ("exact", "line"))
    return f"| {name} | {of} | {' | '.join(shares)} | {count['elsewhere']} | {count['alarms']} |"


if __name__ == "__main__":
    main()
