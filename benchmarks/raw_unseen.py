"""How the checker judges raw summaries that it was not fitted to: mistakes found at their line, and false alarms.

    .venv/bin/python benchmarks/raw_unseen.py [--part PART] [-v] [LANG/GAME-STYLE …]

The summaries are the sets `raw_…` of `benchmarks/texts`. Each is checked as it is: a finding there is a false alarm, or
says that something is left out, which is right for the rules in its list `unsaid_rules`. Then its mistakes are planted,
those that lie apart together. A mistake is hit if there is a new finding at its line; for an omission, within three
lines of the place where a reader expects it. `right` is the share of findings that are hits, of all but the rightly
reported left-outs of the true text. Findings about letters and marks of the true text are counted apart: nobody noted
which of them are faulty, and what they say of a scan or a chat is mostly so. With -v, which works for `development`
only, the findings on true texts, the missed mistakes and the findings at other places are listed.

The other tables say of each kind of mistake by which findings it is found, and of each kind of finding how often it is
right and where it is false; and which rules the table of what a text states shows as not found, partly or stated, of
those in `unsaid_rules` and of the others.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator

from raw_unseen_texts import (
    KINDS,
    LEFT_OUT,
    PARTS,
    Edit,
    Outcome,
    Summary,
    covered,
    findings,
    groups,
    outcome,
    summaries,
)

from rulespec.base.diagnostics import Finding

COLUMNS = (
    "summary",
    "rightly left out",
    "wrongly left out",
    "false alarms",
    "typography",
    "at traps",
    "planted",
    "hit",
    "elsewhere",
    "right",
    "numbers exact",
)

TYPOGRAPHY = ("RS950", "RS979")
"""The first and the last code of findings about letters and marks."""

Count = Counter[tuple[str, str]]
"""How often an outcome was seen for a kind of mistake, or for all."""


def judged(summary: Summary, verbose: bool) -> Count:
    """The outcomes of a summary: as it is, with its traps, and with its mistakes."""
    count: Count = Counter(("said" if said else "left out of it", state) for said, state in covered(summary))
    for found in findings(summary, summary.text):
        what = "unsaid" if summary.leaves_out(found) else _wrongly(found)
        count[what, ""] += 1
        count[what, found.name] += 1
        _print(verbose, f"true text ({what})", found)
    for seen in _outcomes(summary, summary.traps):
        found_new = [*seen.elsewhere, *(one for each in seen.hits.values() for one in each)]
        count["traps", ""] += len(found_new)
        for found in found_new:
            count["traps", found.name] += 1
            _print(verbose, "trap", found)
    for seen in _outcomes(summary, summary.mistakes):
        count.update(_of_mistakes(seen, verbose))
    return count


def _wrongly(found: Finding) -> str:
    """What a finding of a true text is that does not say rightly that something is left out."""
    if found.name in LEFT_OUT:
        return "left out"
    return "typography" if TYPOGRAPHY[0] <= found.code <= TYPOGRAPHY[1] else "alarms"


def _outcomes(summary: Summary, edits: Iterable[Edit]) -> Iterator[Outcome]:
    for group in groups(summary, edits):
        yield outcome(summary, group)


def _of_mistakes(seen: Outcome, verbose: bool) -> Iterator[tuple[str, str]]:
    for planted, found in seen.hits.items():
        kind = planted.edit.kind
        yield "planted", kind
        yield from [("hit", kind)] if found else []
        yield from (("right", name) for one in found for name in ("", one.name))
        yield from ((f"{kind} by", name) for name in sorted({one.name for one in found}))
        yield from [("exact", kind)] if any(planted.is_exact(one) for one in found) else []
        if verbose and not found:
            print(f"    missed {kind}: {planted.edit.find} → {planted.edit.replace}".replace("\n", "⏎"))
    for one in seen.elsewhere:
        yield from (("elsewhere", name) for name in ("", one.name))
        _print(verbose, "elsewhere", one)


def _print(verbose: bool, what: str, found: Finding) -> None:
    if verbose:
        print(f"    {what}: {found.start.line}:{found.start.column} {found.name} [{found.rule}] {found.message}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Mistakes found, and false alarms, in raw summaries of rules.")
    parser.add_argument("names", nargs="*", metavar="LANG/GAME-STYLE")
    parser.add_argument("--part", default="test", choices=PARTS)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    if options.verbose and options.part != "development":
        parser.error(
            "-v lists texts of `development` only; a checker that was tuned to the others could not be measured on them"
        )
    print(f"| {' | '.join(COLUMNS)} |\n|{len(COLUMNS) * '---|'}")
    by_lang: dict[str, Count] = {}
    for summary in summaries(options.part):
        if options.names and summary.name not in options.names:
            continue
        count = judged(summary, options.verbose)
        by_lang.setdefault(summary.lang, Counter()).update(count)
        print(_row(summary.name, count), flush=True)
    total = sum(by_lang.values(), Counter())
    for lang, count in by_lang.items():
        print(_row(lang, count))
    print(_row("all", total))
    print("\n| kind of mistake | hit | of | by |\n|---|---|---|---|")
    for kind in KINDS:
        by = ", ".join(f"{name} {n}" for (one, name), n in sorted(total.items()) if one == f"{kind} by")
        print(f"| {kind} | {total['hit', kind]} | {total['planted', kind]} | {by} |")
    print(f"\n| kind of finding | right | {' | '.join(_FALSE)} |\n|---|---|{len(_FALSE) * '---|'}")
    for name in sorted({name for outcome_, name in total if outcome_ in (*_FALSE, "right") and name}):
        print(f"| {name} | {total['right', name]} | {' | '.join(str(total[one, name]) for one in _FALSE)} |")
    print("\n| rules that a text | not found or partly | stated or partly |\n|---|---|---|")
    for name, of in (("leaves out", "left out of it"), ("states", "said")):
        found, partly, stated = (total[of, state] for state in ("not found", "partly", "stated"))
        every = found + partly + stated
        print(f"| {name} | {_share(found + partly, every)} | {_share(partly + stated, every)} |")


_FALSE = ("left out", "alarms", "traps", "elsewhere")
"""The outcomes of findings that are not right."""


def _row(name: str, count: Count) -> str:
    planted, hit = (sum(n for (outcome_, _), n in count.items() if outcome_ == one) for one in ("planted", "hit"))
    right, left_out, alarms, traps, elsewhere = (
        count[one, ""] for one in ("right", "left out", "alarms", "traps", "elsewhere")
    )
    cells = (
        str(count["unsaid", ""]),
        str(left_out),
        str(alarms),
        str(count["typography", ""]),
        str(traps),
        str(planted),
        _share(hit, planted),
        str(elsewhere),
        _share(right, right + left_out + alarms + traps + elsewhere),
        _share(count["exact", "number"], count["planted", "number"]),
    )
    return f"| {name} | {' | '.join(cells)} |"


def _share(part: int, of: int) -> str:
    return f"{part} of {of} ({part / of:.0%})" if of else "0"


if __name__ == "__main__":
    main()
