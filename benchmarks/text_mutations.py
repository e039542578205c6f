"""How many mistakes put into our rule texts on purpose are found: by game, language and kind of mistake.

    .venv/bin/python benchmarks/text_mutations.py [-v] [--only OPERATOR] [GAME …]

With -v every mistake that is not found is listed. `mutations.py` makes the mistakes.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from mutation_workshop import Mutant, Workshop, workshop  # found through the line above
from mutations import OPERATORS, mutants

GAMES = ("fortheking", "kingme", "keyflower_king")


def measure(shop: Workshop, lang: str, operator: str) -> tuple[int, list[Mutant]]:
    """How many mutants there are, and those that are not found."""
    every = list(mutants(shop, lang, operator))
    return len(every), [mutant for mutant in every if not shop.finds(mutant)]


def report(game: str, operators: list[str]) -> Iterator[tuple[str, str, int, list[Mutant]]]:
    """A row per language and kind of mistake: both, how many, those that are not found."""
    shop = workshop(game)
    for lang in shop.texts:
        for operator in operators:
            yield lang, operator, *measure(shop, lang, operator)


def main() -> None:
    parser = argparse.ArgumentParser(description="How many mistakes put into our rule texts are found.")
    parser.add_argument("games", nargs="*", metavar="GAME", default=GAMES)
    parser.add_argument("-v", "--verbose", action="store_true", help="list what is not found")
    parser.add_argument("--only", choices=list(OPERATORS), action="append", metavar="OPERATOR")
    options = parser.parse_args()
    began = time.perf_counter()
    print("| game | language | mistake | found | of | share |\n|---|---|---|---|---|---|")
    for game in options.games:
        for lang, operator, total, missed in report(game, options.only or list(OPERATORS)):
            share = f"{(total - len(missed)) / total:.3f}" if total else "–"
            print(f"| {game} | {lang} | {operator} | {total - len(missed)} | {total} | {share} |", flush=True)
            for mutant in missed if options.verbose else ():
                print(f"    {mutant.passage}: {mutant.change}")
    print(f"\n{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
