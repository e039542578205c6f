"""How many changes of play are noticed: mutants of specs by game and kind of change.

    .venv/bin/python benchmarks/spec_mutations.py [-v] [--texts] [--sample N] [--seed S] [--part I/N] [--seconds S] […]

A mutant is a sound spec with one change, whose program differs for some number of players and ruling. It is noticed if
at least one digest changes, so that a confirmed text becomes stale (column `digest`), and best if that is the digest of
the rule around the change (column `rule`). Without a game, the shipped games and those of the documentation are taken.
With --sample, N mutants of each game are made, spread over all kinds. With --part 2/4, every fourth edit is tried, from
the second on. With --seconds, each game takes no longer. With -v, every mutant that is not noticed is listed.

With --texts, a column `contradicted LANG` for each language of a shipped game counts the mutants whose check of the
game's texts, which were confirmed with the original, gives a finding that the original does not give; that a text is
stale does not count. The texts are those of rules whose confirmation changes. The text of a rule that is gone counts.
It takes some seconds for each mutant.
`tests/spec_mutations.py` makes the mutants.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, takewhile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from doc_games import GAMES, ROOT  # found through the line above
from mutation_workshop import Workshop, workshop
from spec_mutations import Original, SpecMutation, sample

from rulespec.base.source import Source, read
from rulespec.proofs.meaning.digest import digests
from rulespec.text.checks.detectors import STATEMENTS, detected
from rulespec.text.checks.page import Page
from rulespec.text.rules.book import Book
from rulespec.text.seals.confirmation import confirmation

SHIPPED = ("fortheking", "kingme", "keyflower_king")

Noticed = Callable[[Original, SpecMutation], bool]


def digest_changed(original: Original, mutant: SpecMutation) -> bool:
    """Whether the digest of a rule or ruling changes."""
    return digests(original.spec) != digests(mutant.spec)


def rule_changed(original: Original, mutant: SpecMutation) -> bool:
    """Whether the digest of the rule around the change changes; of any rule for a change outside all rules."""
    before, after = digests(original.spec), digests(mutant.spec)
    return before.get(mutant.rule) != after.get(mutant.rule) if mutant.rule else before != after


COLUMNS: Mapping[str, Noticed] = {"digest": digest_changed, "rule": rule_changed}
"""The columns for all games: what notices a mutant. A further one is a row here."""


@dataclass(frozen=True)
class Texts:
    """The texts of a shipped game in one language, checked against mutants."""

    shop: Workshop
    lang: str
    _true: dict[str, Counter[tuple[str, str]]] = field(default_factory=dict)

    def contradicted(self, original: Original, mutant: SpecMutation) -> bool:
        """Whether the check of a text that may be concerned gives a finding that it does not give for the original."""
        ids = affected(original, mutant)
        for id_ in ids - self._true.keys():
            book = Book(original.spec, self.shop.book.glossary)
            self._true[id_] = self._findings(id_, book)
        book = Book(mutant.spec, self.shop.book.glossary)
        return any(self._findings(id_, book) - self._true[id_] for id_ in ids)

    def _findings(self, id_: str, book: Book) -> Counter[tuple[str, str]]:
        passage = self.shop.texts[self.lang].passages.get(id_)
        if passage is None:
            return Counter()
        if id_ not in (*book.spec.rules, *book.spec.rulings):
            return Counter([("text-extra", id_)])
        return Counter(
            (each.name, each.message) for _, each in detected(Page(passage, self.lang, book.spec, book), STATEMENTS)
        )


@lru_cache(maxsize=4)
def confirmations(original: Original) -> Mapping[str, str]:
    """The confirmations of all rules and rulings of a spec."""
    return {id_: confirmation(original.spec, id_) for id_ in (*original.spec.rules, *original.spec.rulings)}


def affected(original: Original, mutant: SpecMutation) -> set[str]:
    """The rules and rulings that are gone, or whose confirmation changes."""
    spec, known = mutant.spec, confirmations(original)
    return {id_ for id_ in known if id_ not in (*spec.rules, *spec.rulings) or confirmation(spec, id_) != known[id_]}


def columns(game: str) -> Mapping[str, Noticed]:
    """The columns of a game, with its languages if its texts are checked too."""
    if game not in SHIPPED:
        return COLUMNS
    shop = workshop(game)
    return COLUMNS | {f"contradicted {lang}": Texts(shop, lang).contradicted for lang in shop.texts}


def sources(names: list[str]) -> Iterator[tuple[str, Source]]:
    """The specs of these games: shipped ones by id, those of the documentation by file, other files by path."""
    documented = {block.file: block.source for block in GAMES}
    for name in names or [*SHIPPED, *documented]:
        path = ROOT / "specs" / f"{name}.yaml"
        source = documented.get(name) or read(str(path) if path.exists() else name)[0]
        if source is None:
            raise SystemExit(f"There is no spec {name}.")
        yield name, source


def mutants(original: Original, source: Source, options: argparse.Namespace) -> Iterator[SpecMutation]:
    if options.sample:
        yield from sample(source, options.sample, options.seed)
        return
    part, parts = map(int, options.part.split("/"))
    for edit in islice(original.edits(), part - 1, None, parts):
        mutant = original.mutant(edit)
        if mutant is not None:
            yield mutant


def measure(
    source: Source, noticed_by: Mapping[str, Noticed], options: argparse.Namespace
) -> tuple[Counter[tuple[str, str]], list[str]]:
    """How many mutants of each kind each column notices, "" for all of them; and those that one column misses."""
    original = Original(source)
    counts: Counter[tuple[str, str]] = Counter()
    missed: list[str] = []
    until = time.monotonic() + options.seconds
    for mutant in takewhile(lambda _: time.monotonic() < until, mutants(original, source, options)):
        counts[mutant.kind, ""] += 1
        for name, noticed in noticed_by.items():
            found = noticed(original, mutant)
            counts[mutant.kind, name] += found
            if not found:
                missed.append(f"{name}: line {mutant.line} {mutant.rule} {mutant.kind}: {mutant.description}")
    return counts, missed


def main() -> None:
    parser = argparse.ArgumentParser(description="How many changes of play are noticed.")
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("-v", "--verbose", action="store_true", help="list what is not noticed")
    parser.add_argument("--sample", type=int, metavar="N", help="N mutants of each game, spread over all kinds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", default="1/1", metavar="I/N", help="only every Nth edit, from the Ith on")
    parser.add_argument("--seconds", type=float, default=float("inf"), metavar="S", help="at most S for each game")
    parser.add_argument("--texts", action="store_true", help="check the texts of shipped games against each mutant")
    options = parser.parse_args()
    began, total = time.perf_counter(), Counter[str]()
    games = [(game, source, columns(game) if options.texts else COLUMNS) for game, source in sources(options.games)]
    heads = list(dict.fromkeys(name for _, _, noticed_by in games for name in noticed_by))
    print(f"| game | change | mutants | {' | '.join(heads)} |\n|---|---|---|{'---|' * len(heads)}")
    for game, source, noticed_by in games:
        counts, missed = measure(source, noticed_by, options)
        for kind in dict.fromkeys(kind for kind, _ in counts):
            numbers = {name: counts[kind, name] for name in ("", *noticed_by)}
            total.update(numbers)
            cells = (str(numbers.get(name, "–")) for name in ("", *heads))
            print(f"| {game} | {kind} | {' | '.join(cells)} |", flush=True)
        for line in missed if options.verbose else ():
            print(f"    {line}")
    seconds = time.perf_counter() - began
    print(f"| all | | {' | '.join(str(total[name]) for name in ('', *heads))} |")
    print(f"\n{seconds:.0f} s, {total[''] / seconds:.1f} mutants per second")


if __name__ == "__main__":
    main()
