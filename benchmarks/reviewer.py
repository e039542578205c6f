"""What a reviewer finds in raw summaries: a program that reads as people do, asked by `ftk text check --reviewer`.

    .venv/bin/python benchmarks/reviewer.py questions DIR [--part PART]
    .venv/bin/python benchmarks/reviewer.py score DIR [--part PART] [-v]

`questions` writes the questions about two texts for each summary of a set `raw_…`: about the text as it is, and
about the text with all of its mistakes at once. The reviewer answers each `NAME.N.question.json` in
`NAME.N.answer.json`; it must not see questions about both texts. An answer to version 1 of the task is about a whole
text: `NAME.answer.json`. `score` counts the mistakes that have a remark of their own, those that the checks find
without a reviewer, and the remarks that are right.

A remark is right if its words are in the sentence of a mistake, or, for an omission, within three lines of the place
where a reader expects it; each mistake counts once. Remarks that something is missing in a text as it is are counted
apart: many are right, as every summary leaves out something on purpose.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from raw_unseen_texts import KINDS, PARTS, Planted, Summary, game_of, planted, summaries

from rulespec.base.diagnostics import Finding
from rulespec.base.source import Source
from rulespec.games.rulebook import check_raw
from rulespec.text.languages.registry import LANGUAGES
from rulespec.text.raw.segments import segments
from rulespec.text.review.answer import CONTRADICTIONS
from rulespec.text.review.question import Asking

TRUE, FALSE = "as-it-is", "with-mistakes"


def texts(summary: Summary) -> Iterator[tuple[str, str, list[Planted]]]:
    """Both texts of a summary, each with its name and its mistakes."""
    yield TRUE, summary.text, []
    edits = sorted(summary.mistakes, key=summary.place)
    ends = [0, *(summary.place(one) + len(one.find) for one in edits)]
    yield FALSE, *planted(summary, [one for one, end in zip(edits, ends, strict=False) if summary.place(one) >= end])


def write_questions(folder: Path, part: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for summary in summaries(part):
        for name, text, _ in texts(summary):
            number = itertools.count(1)

            def kept(question: object, stem: str = _stem(summary, name), number: Iterator[int] = number) -> object:
                path = folder / f"{stem}.{next(number)}.question.json"
                path.write_text(json.dumps(question, ensure_ascii=False, indent=1), encoding="utf-8")
                return {"remarks": []}

            check_raw(Source(str(summary.path), text), summary.lang, game_of(summary), reviewer=kept)
    print(f"{len(list(folder.glob('*.question.json')))} questions in {folder}")


def answers(folder: Path, stem: str) -> Asking:
    """The answers about a text: one about the whole, or one for each question."""
    whole = folder / f"{stem}.answer.json"
    if whole.exists():
        return Asking(lambda questions: [(0, _json(whole))], limit=math.inf)
    return Asking(
        lambda questions: [(at, _json(folder / f"{stem}.{at + 1}.answer.json")) for at, _ in enumerate(questions)]
    )


def _json(path: Path) -> object:
    return json.loads(path.read_text(encoding="utf-8"))


def _stem(summary: Summary, name: str) -> str:
    return f"{summary.name.replace('/', '.')}.{name}"


def scored(summary: Summary, folder: Path, verbose: bool) -> Counter[str]:
    """What became of the mistakes and the remarks of a summary."""
    count: Counter[str] = Counter()
    for name, text, mistakes in texts(summary):
        source = Source(str(summary.path), text)
        asking = answers(folder, _stem(summary, name))
        found = check_raw(source, summary.lang, game_of(summary), reviewer=asking).findings
        count["unusable"] += sum(one.name == "remark-unusable" for one in found)
        remarks = [one for one in found if one.name == "reviewer-remark"]
        if mistakes:
            proved = [one for one in found if one.name in CONTRADICTIONS]
            count.update(_of_mistakes(source, summary, mistakes, remarks, proved, verbose))
        else:
            missing = [one for one in remarks if "something is missing" in one.message]
            count["said missing"] += len(missing)
            count["false alarms"] += len(remarks) - len(missing)
            _print(verbose, remarks, f"{summary.name}: in the true text")
    return count


def _of_mistakes(
    source: Source,
    summary: Summary,
    mistakes: list[Planted],
    remarks: list[Finding],
    proved: list[Finding],
    verbose: bool,
) -> Iterator[str]:
    left = list(remarks)
    for one in sorted(mistakes, key=lambda one: one.edit.kind == "omission"):  # their places are the least exact
        yield from ("planted", f"planted {one.edit.kind}")
        mine = next((remark for remark in left if _is_at(one, remark, source, summary)), None)
        if mine is not None:
            left.remove(mine)
            yield "right"
        if mine is not None or any(_is_at(one, other, source, summary) for other in proved):
            yield from ("hit", f"hit {one.edit.kind}")
            yield from ["exact"] if any(_has_value(one, other) for other in (*remarks, *proved)) else []
        elif verbose:
            missed = f"{one.edit.find} → {one.edit.replace}".replace("\n", "⏎")
            print(f"    {summary.name}: missed {one.edit.kind}: {missed}")
    _print(verbose, left, f"{summary.name}: elsewhere")
    yield from ("remarks" for _ in remarks)


def _is_at(one: Planted, remark: Finding, source: Source, summary: Summary) -> bool:
    if one.edit.kind == "omission":
        return one.is_hit(remark, source.text.split("\n"))
    start = source.line_start(one.first) + one.columns.start - 1
    end = start + len(one.columns)
    at = source.line_start(remark.start.line) + remark.start.column - 1
    inside = [s for s in segments(source.text, LANGUAGES[summary.lang]) if s.start < end and start < s.end]
    first, last = min([s.start for s in inside], default=start), max([s.end for s in inside], default=end)
    return first <= at < last


def _has_value(one: Planted, found: Finding) -> bool:
    """Whether the words of a finding have the number that was changed."""
    number = one.edit.kind == "number" and found.start.line == one.first
    return number and found.start.column < one.columns.stop and one.columns.start < found.end.column


def _print(verbose: bool, remarks: list[Finding], what: str) -> None:
    for one in remarks if verbose else ():
        print(f"    {what}: {one.start.line}:{one.start.column} [{one.rule}] {one.message}")


def main() -> None:
    parser = argparse.ArgumentParser(description="What a reviewer finds in raw summaries of rules.")
    parser.add_argument("job", choices=("questions", "score"))
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--part", default="sealed", choices=PARTS)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    if options.job == "questions":
        write_questions(options.folder, options.part)
        return
    print("| summary | mistakes found | remarks right | true text: false alarms | said missing | not usable |")
    print("|---|---|---|---|---|---|")
    total: Counter[str] = Counter()
    for summary in summaries(options.part):
        count = scored(summary, options.folder, options.verbose)
        total += count
        print(_row(summary.name, count), flush=True)
    print(_row("all", total))
    for kind in KINDS:
        print(f"{kind}: {total[f'hit {kind}']} of {total[f'planted {kind}']}")
    print(f"words with the changed number: {total['exact']} of {total['planted number']}")


def _row(name: str, count: Counter[str]) -> str:
    found = f"{count['hit']} of {count['planted']}"
    right = f"{count['right']} of {count['remarks']}"
    return f"| {name} | {found} | {right} | {count['false alarms']} | {count['said missing']} | {count['unusable']} |"


if __name__ == "__main__":
    main()
