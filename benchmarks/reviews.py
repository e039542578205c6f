"""What kept reviews of raw texts cost and save: the time of a check with one, and what a changed rule makes due.

    .venv/bin/python benchmarks/reviews.py [--rules N] [--times N] [-v]

The texts are the summaries of King Me! in the set `raw_development` that `tests/review_places.yaml` says where
they state each rule. A stand-in reviewer reads each and remarks on every seventh passage. Then:

- the text is checked without and with the review, several times in turn;
- the spec is changed in one rule, N times (seeded mutants, one for each kind of change in turn): counted are the
  passages and calls that are due, and the changes after which a passage that states the rule is among them.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Any

import yaml

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from packed import files
from spec_mutations import SpecMutation, sample  # found through the line above

import rulespec
from rulespec.base.source import Source
from rulespec.games.api import Spec
from rulespec.games.rulebook import book_of, review_raw, texts_of
from rulespec.language.model.spec import Spec as Model
from rulespec.text.raw.check import align_source
from rulespec.text.review import kept
from rulespec.text.review.question import Asking, questions
from rulespec.text.review.states import Compared, changed_only, compare, passages_of
from rulespec.text.rules.book import Book

PLACES = Path(__file__).parents[1] / "tests" / "review_places.yaml"
GAME, SEED = "kingme", 42


def stand_in(asked: Sequence[dict[str, Any]]) -> Iterator[tuple[int, Any]]:
    """Reads every passage, and says of every seventh that its first word is wrong."""
    for at, question in enumerate(asked):
        yield at, {"read": [_entry(one) for one in question["passages"]]}


def _entry(passage: dict[str, Any]) -> dict[str, Any]:
    rules = passage["rules"]
    remark = {
        "words": passage["text"].split()[0],
        "rule": rules[0] if rules else "round",
        "kind": "wrong",
        "why": "No.",
    }
    return {"passage": passage["passage"], "remarks": [remark] if passage["passage"] % 7 == 0 else []}


@dataclass
class Reviewed:
    """A text that was reviewed: its file in a folder, what it was asked, and the words that state each rule."""

    name: str
    source: Source
    lang: str
    spec: Spec
    places: dict[str, str]
    calls: int = 0

    @property
    def path(self) -> Path:
        """The file of its review."""
        return kept.path_of(self.source.path)

    @property
    def review(self) -> kept.Review:
        review, found = kept.read(Source(str(self.path), self.path.read_text(encoding="utf-8")))
        assert review is not None, found
        return review

    def read(self) -> None:
        """Has the whole text read."""

        def ask(asked: Sequence[dict[str, Any]]) -> Iterator[tuple[int, Any]]:
            self.calls += len(asked)
            return stand_in(asked)

        keep = Asking(ask, "stand-in", "2026-11-27", lambda review: self.keep(kept.write(review)))
        review_raw(self.source, self.lang, self.spec, reviewer=keep)

    def keep(self, text: str) -> None:
        self.path.write_text(text, encoding="utf-8")

    def compared(self, model: Model) -> tuple[Book, list[Compared]]:
        """The passages beside the review, for another version of the spec."""
        book = book_of(self.spec)
        assert book is not None
        book = Book(model, book.glossary)
        aligned = align_source(self.source, self.lang, book, texts_of(self.spec).get(self.lang))
        return book, compare(self.review, passages_of(self.source, self.lang, aligned, model), model)


def reviewed(folder: Path) -> Iterator[Reviewed]:
    """The texts, each read once."""
    for name, places in yaml.safe_load(PLACES.read_text(encoding="utf-8")).items():
        lang, _, stem = name.partition("/")
        path = folder / lang / f"{stem}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(files("raw_development", lang)[f"{stem}.txt"].encode())
        one = Reviewed(name, Source(str(path), path.read_text(encoding="utf-8")), lang, rulespec.load(GAME), places)
        one.read()
        yield one


def seconds(one: Reviewed, times: int) -> tuple[float, float]:
    """The median times of a check without and with the review."""
    text = one.path.read_text(encoding="utf-8")
    plain, with_review = [], []
    for _ in range(times):
        one.path.unlink()
        plain.append(_timed(one))
        one.keep(text)
        with_review.append(_timed(one))
    return median(plain), median(with_review)


def _timed(one: Reviewed) -> float:
    begun = time.perf_counter()
    review_raw(one.source, one.lang, one.spec)
    return time.perf_counter() - begun


@dataclass(frozen=True)
class Due:
    """What a changed rule makes due: passages, calls, and whether the rule is stated by one of them; None if the text
    does not state it."""

    passages: int
    calls: int
    right: bool | None


def due(one: Reviewed, mutant: SpecMutation) -> Due:
    book, compared = one.compared(mutant.spec)
    passages = [changed_only(each) for each in compared if each.is_due]
    asked = list(questions(passages, book, one.lang, texts_of(one.spec).get(one.lang)))
    words = one.places.get(mutant.rule)
    right = any(_flat(words) in _flat(each.text) for each in passages) if words is not None else None
    return Due(len(passages), len(asked), right)


def _flat(text: str) -> str:
    return " ".join(text.split()).replace(",", "，") if not text.isascii() else " ".join(text.split())


def changed_rules(number: int) -> list[SpecMutation]:
    """Changes of the spec inside a rule."""
    source = rulespec.load(GAME).model.source
    return [one for one in sample(source, 4 * number, SEED) if one.rule][:number]


def main() -> None:
    parser = argparse.ArgumentParser(description="What kept reviews cost and save.")
    parser.add_argument("--rules", type=int, default=30, help="changed rules (default: 30)")
    parser.add_argument("--times", type=int, default=11, help="checks of each kind (default: 11)")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    mutants = changed_rules(options.rules)
    print("| text | passages | calls | plain | with review | ratio | due passages | calls | any due | right due |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for one in reviewed(Path(folder)):
            plain, with_review = seconds(one, options.times)
            every = {mutant: due(one, mutant) for mutant in mutants}
            found, total = list(every.values()), len(one.compared(one.spec.model)[1])
            stated = [each for each in found if each.right is not None]
            print(
                f"| {one.name} | {total} | {one.calls} | {plain * 1000:.0f} ms | {with_review * 1000:.0f} ms "
                f"| {with_review / plain:.2f} | {mean(each.passages for each in found):.1f} "
                f"| {mean(each.calls for each in found):.2f} "
                f"| {sum(each.passages > 0 for each in found)} of {len(found)} "
                f"| {sum(bool(each.right) for each in stated)} of {len(stated)} |",
                flush=True,
            )
            for mutant, each in every.items() if options.verbose else ():
                print(f"    {mutant.rule}: {mutant.description}: {each.passages} due, right: {each.right}")


if __name__ == "__main__":
    main()
