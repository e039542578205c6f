"""How many changes of a spec show in its generated description, and are reported against the unchanged spec.

    .venv/bin/python benchmarks/descriptions.py [GAME…] [--number N]

For each game and language it describes a sample of mutants and checks the descriptions against the original spec. It
prints how many descriptions differ, how many have a finding at a rule whose text differs, and what is not reported.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from described import translated  # noqa: E402
from spec_mutations import SpecMutation, sample  # noqa: E402

import rulespec  # noqa: E402
from rulespec import text  # noqa: E402
from rulespec.games.rulebook import book_of, texts_of  # noqa: E402
from rulespec.proofs.meaning import propositions  # noqa: E402
from rulespec.text import Book, Translation  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=["fortheking", "kingme"])
    parser.add_argument("--number", type=int, default=40)
    chosen = parser.parse_args()
    for game in chosen.games:
        spec = rulespec.load(game)
        mutants = list(sample(spec.model.source, chosen.number, seed=1))
        for lang in texts_of(spec):
            print("\n".join(measured(spec, lang, mutants)))


def measured(spec: rulespec.Spec, lang: str, mutants: list[SpecMutation]) -> Iterator[str]:
    """The figures of one game in one language, then the mutants without a finding, by kind of change."""
    book = book_of(spec)
    assert book is not None
    # A rule with steps has no text of a person, which would stand for its description in a mutant without these steps.
    known = {id_: one for id_, one in texts_of(spec)[lang].passages.items() if not propositions(spec.model).get(id_)}
    original = translated(spec.model, lang, book, known)
    outcomes, missed = Counter[str](), []
    for mutant in mutants:
        made = translated(mutant.spec, lang, Book(mutant.spec, book.glossary), known)
        outcome = _outcome(original, made, spec, book)
        outcomes[outcome] += 1
        missed += [] if outcome == "reported" else [f"    {outcome}: {mutant.kind} {mutant.rule}: {mutant.description}"]
    differ = outcomes["reported"] + outcomes["not reported"]
    yield f"{spec.id} {lang}: {len(mutants)} mutants, {differ} descriptions differ, {outcomes['reported']} reported"
    yield from sorted(missed)


def _outcome(original: Translation, made: Translation, spec: rulespec.Spec, book: Book) -> str:
    before = {id_: passage.text.text for id_, passage in original.passages.items()}
    after = {id_: passage.text.text for id_, passage in made.passages.items()}
    changed = {id_ for id_ in before.keys() | after.keys() if before.get(id_) != after.get(id_)}
    if not changed:
        return "same description"
    reported = {found.rule for found in text.check(made, spec.model, book, [])}
    return "reported" if reported & changed else "not reported"


if __name__ == "__main__":
    main()
