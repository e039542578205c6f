"""Fits the weights with which the evidence about numbers and contrasts of raw texts gives a probability.

    .venv/bin/python benchmarks/raw_weights.py

The texts are those of the set `raw_development`. Right values are the numbers and contrasts of the true texts. Wrong
ones are the same with another value, for the weights, and those that the mistakes of the set plant, for the constant
and the scale: so a probability is the share that is right in texts with as many mistakes as those of the set. The
tables are of a five-fold cross-validation by texts: how many planted mistakes are found with so many false alarms in
all texts together, and how often a probability is right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from raw_unseen_texts import Edit, Summary, game_of, planted, summaries

from rulespec.base.source import Source
from rulespec.games.rulebook import book_of, texts_of
from rulespec.proofs.meaning.constructors import FAMILIES
from rulespec.text.raw import contrasts, numbers
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.check import align_source
from rulespec.text.raw.tables import cells_of_tables

FOLDS, ROUNDS, RIDGE = 5, 60, 1.0

ALARMS = (0, 3, 6, 10, 15, 20)

Row = tuple[float, ...]


@dataclass(frozen=True)
class Kind:
    """A kind of values: the evidence about those of a text, each with its place, and about the same with other values.

    `mistakes` are the kinds of mistakes that plant wrong ones.
    """

    evidence: Callable[[Alignment], Iterator[tuple[int, Row]]]
    changed: Callable[[Alignment], Iterator[Row]]
    mistakes: frozenset[str]


def aligned(summary: Summary, text: str) -> Alignment:
    """The alignment of the text of a summary."""
    spec = game_of(summary)
    book = book_of(spec)
    assert book is not None
    return align_source(Source("text.txt", text), summary.lang, book, texts_of(spec).get(summary.lang))


def _numbers(alignment: Alignment) -> Iterator[tuple[int, Row]]:
    for quantity, evidence, best in numbers.Numbers(alignment, cells_of_tables(alignment)).evidence():
        if best is not None:
            yield quantity.start, tuple(map(float, evidence))


def _changed_numbers(alignment: Alignment) -> Iterator[Row]:
    known = numbers.Numbers(alignment, cells_of_tables(alignment))
    for one, index in known.every:
        for value in (one.value + 1, one.value - 1, one.value * 2, Fraction(one.value // 2)):
            if value > 0 and value != one.value and one.high is None:
                _, evidence, best = known.about(replace(one, value=value), index)
                if best is not None:
                    yield tuple(map(float, evidence))


def _contrasts(alignment: Alignment) -> Iterator[tuple[int, Row]]:
    known = contrasts.Contrasts(alignment)
    for index, one in known.every():
        evidence, claim, best = known.about(one, index)
        if claim is not None or best is not None:
            yield one.start, tuple(map(float, evidence))


def _changed_contrasts(alignment: Alignment) -> Iterator[Row]:
    known = contrasts.Contrasts(alignment)
    for index, one in known.every():
        for value in FAMILIES[one.family]:
            evidence, claim, best = known.about(replace(one, value=value), index)
            if value != one.value and (claim is not None or best is not None):
                yield tuple(map(float, evidence))


KINDS: Mapping[str, Kind] = {
    "numbers": Kind(_numbers, _changed_numbers, frozenset({"number"})),
    "contrasts": Kind(
        _contrasts,
        _changed_contrasts,
        frozenset({"direction", "polarity", "negation", "condition", "modality", "order"}),
    ),
}


@dataclass(frozen=True)
class Samples:
    """The evidence of a summary: about what is right, what is changed, and the most for each planted mistake."""

    right: np.ndarray
    changed: np.ndarray
    planted: Sequence[np.ndarray]


def samples(kind: Kind, summary: Summary) -> Samples:
    true = aligned(summary, summary.text)
    right = [row for _, row in kind.evidence(true)]
    places = [_planted(kind, summary, edit) for edit in summary.mistakes if edit.kind in kind.mistakes]
    return Samples(np.array(right), np.array(list(kind.changed(true))), [np.array(rows) for rows in places if rows])


def _planted(kind: Kind, summary: Summary, edit: Edit) -> list[Row]:
    """The evidence about the values in the words of a planted mistake that differ."""
    text, (place,) = planted(summary, [edit])
    start = summary.place(edit)
    low = max(start, len("\n".join(text.split("\n")[: place.first - 1])) + place.columns.start - 2)
    return [row for at, row in kind.evidence(aligned(summary, text)) if low - 12 <= at < start + len(edit.replace)]


def fitted(rows: np.ndarray, wrong: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """A logistic regression by Newton's method, with a ridge on all but the constant."""
    wide, found = np.c_[rows, np.ones(len(rows))], np.zeros(rows.shape[1] + 1)
    ridge = RIDGE * np.r_[np.ones(rows.shape[1]), 0.0]
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(wide @ found, -30, 30)))
        slope = wide.T @ (weights * (chance - wrong)) + ridge * found
        found = found - np.linalg.solve(
            (wide * (weights * chance * (1 - chance))[:, None]).T @ wide + np.diag(ridge + 1e-9), slope
        )
    return found


def trained(every: Sequence[Samples]) -> np.ndarray:
    """The weights for some samples, scaled so that they give probabilities."""
    right, changed = (
        np.concatenate([getattr(one, name) for one in every if len(getattr(one, name))])
        for name in ("right", "changed")
    )
    rows, wrong = np.concatenate([right, changed]), np.r_[np.zeros(len(right)), np.ones(len(changed))]
    found = fitted(rows, wrong, np.where(wrong == 1, len(right) / len(changed), 1.0))
    mistakes = np.array([max(totals(rows_, found)) for one in every for rows_ in one.planted])
    all_ = np.r_[totals(right, found), mistakes]
    scale, shift = fitted(all_[:, None], np.r_[np.zeros(len(right)), np.ones(len(mistakes))], np.ones(len(all_)))
    return np.r_[found[:-1] * scale, found[-1] * scale + shift]


def totals(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return np.c_[rows, np.ones(len(rows))] @ weights


def main() -> None:
    texts = summaries("development")
    for name, kind in KINDS.items():
        every = [samples(kind, one) for one in texts]
        right, wrong = [], []
        for fold in range(FOLDS):
            weights = trained([one for number, one in enumerate(every) if number % FOLDS != fold])
            mine = [one for number, one in enumerate(every) if number % FOLDS == fold]
            right += [total for one in mine if len(one.right) for total in totals(one.right, weights)]
            wrong += [max(totals(rows, weights)) for one in mine for rows in one.planted]
        planted_ = sum(edit.kind in kind.mistakes for one in texts for edit in one.mistakes)
        print(f"{name}: {len(right)} right, {len(wrong)} of {planted_} planted mistakes are values")
        limits = [sorted(right, reverse=True)[number] for number in ALARMS]
        print("| false alarms | found | probability |\n|---|---|---|")
        for number, limit in zip(ALARMS, limits, strict=True):
            print(f"| {number} | {sum(one > limit for one in wrong)} | {1 / (1 + np.exp(-limit)):.2f} |")
        print("| probability | right |\n|---|---|")
        for low, high in ((0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 0.9), (0.9, 0.95), (0.95, 1.0)):
            hit, missed = (sum(low <= 1 / (1 + np.exp(-one)) < high for one in group) for group in (wrong, right))
            print(f"| {low} to {high} | {hit} of {hit + missed} |")
        print("weights:", ", ".join(f"{one:.2f}" for one in trained(every)), "\n")


if __name__ == "__main__":
    main()
