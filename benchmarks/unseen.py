"""How the checker judges texts that it was not fitted to: false alarms on true texts, and false texts reported.

    .venv/bin/python benchmarks/unseen.py [-v] [--part development] [GAME.LANG …]

The texts are the sets `unseen_…` of `benchmarks/texts`. A false text is reported if it has a finding that the true one
does not have; it is contradicted if that finding is about its words, not about a missing fact. With -v the findings on
true texts and the false texts that are not reported are listed. Look at the lists of `development` and `sentences`
only.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from mutation_workshop import Mutant, Workshop, workshop  # found through the line above
from unseen_texts import PARTS, Change, Unseen, texts

from rulespec.base.diagnostics import Finding

MISSING = {"fact-missing", "language-lacks"}
"""Findings about what a text does not say."""


def judged(shop: Workshop, one: Unseen, verbose: bool) -> Iterator[tuple[str, str]]:
    """What happens to a true text and to each change of it, as pairs of an outcome and the kind of the change."""
    known = _counted(_findings(shop, one, one.text))
    yield ("alarm" if known else "clean"), ""
    for name, message in known if verbose else ():
        print(f"    {one.rule}: {name}: {message}")
    for change in one.changes:
        new = _counted(_findings(shop, one, one.changed(change))) - known
        if not new and verbose:
            print(f"    {one.rule}: not reported: {_shown(change)}")
        about = {name for name, _ in new} - MISSING
        yield ("contradicted" if about else "reported" if new else "missed"), change.kind


def _findings(shop: Workshop, one: Unseen, text: str) -> Iterable[Finding]:
    found = shop.findings(Mutant(one.lang, one.rule, "unseen", text, ""))
    # A single sentence need not say all that the rule needs.
    return (each for each in found if one.whole or each.name not in MISSING)


def _counted(findings: Iterable[Finding]) -> Counter[tuple[str, str]]:
    return Counter((finding.name, finding.message) for finding in findings)


def _shown(change: Change) -> str:
    return f"{change.kind}: {change.was} → {change.now}".replace("\n", "⏎")


def main() -> None:
    parser = argparse.ArgumentParser(
        description="False alarms and reports on texts that the checker was not fitted to."
    )
    parser.add_argument("names", nargs="*", metavar="GAME.LANG")
    parser.add_argument("--part", default="test", choices=PARTS)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    kinds: Counter[tuple[str, str]] = Counter()
    print("| text | true | without finding | false | reported | contradicted |\n|---|---|---|---|---|---|")
    for (game, lang), group in groupby(texts(options.part), key=lambda one: (one.game, one.lang)):
        if options.names and f"{game}.{lang}" not in options.names:
            continue
        found = [each for one in group for each in judged(workshop(game), one, options.verbose)]
        kinds.update(found)
        print(_row(f"{game} {lang}", Counter(outcome for outcome, _ in found)), flush=True)
    print(_row("all", Counter(outcome for outcome, _ in kinds.elements())))
    print("\n| kind of change | reported | of |\n|---|---|---|")
    for kind in sorted({kind for _, kind in kinds if kind}):
        total = sum(kinds[outcome, kind] for outcome in ("contradicted", "reported", "missed"))
        print(f"| {kind} | {total - kinds['missed', kind]} | {total} |")


def _row(name: str, found: Counter[str]) -> str:
    false = found["contradicted"] + found["reported"] + found["missed"]
    true = found["clean"] + found["alarm"]
    reported = found["contradicted"] + found["reported"]
    shares = [
        f"{part} ({part / of:.0%})" if of else "0"
        for part, of in ((found["clean"], true), (reported, false), (found["contradicted"], false))
    ]
    return f"| {name} | {true} | {shares[0]} | {false} | {shares[1]} | {shares[2]} |"


if __name__ == "__main__":
    main()
