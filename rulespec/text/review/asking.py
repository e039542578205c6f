"""Asking a reviewer about the passages that are due; every answer is kept as it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulespec.base.characters import one_line
from rulespec.base.diagnostics import Finding
from rulespec.language.model.spec import Spec
from rulespec.text.reading.translation import Translation
from rulespec.text.review import answer
from rulespec.text.review.kept import Reading, Review
from rulespec.text.review.question import LIMIT, VERSION, questions
from rulespec.text.review.states import Compared, arranged, changed_only, with_comparison, with_reading
from rulespec.text.rules.book import Book

Ask = Callable[[Sequence[dict[str, Any]]], Iterable[tuple[int, Any]]]
"""Answers questions, in any order: the index of each question with its answer, as they come."""


def nowhere(review: Review) -> None:
    """Keeps nothing."""


@dataclass(frozen=True)
class Asking:
    """A reviewer: how questions of at most `limit` tokens are answered, the name that is kept if an answer has none,
    the date as `YYYY-MM-DD`, and what is done with the review after every answer. One that is `named` has this name
    whatever its answers say, and also reads what only others have read."""

    ask: Ask
    by: str = ""
    date: str = ""
    keep: Callable[[Review], None] = field(default=nowhere)
    limit: float = LIMIT
    named: bool = False


def asked(
    asking: Asking,
    review: Review,
    compared: Sequence[Compared],
    book: Book,
    own: Translation | None,
    players: int | None = None,
) -> tuple[Review, list[Finding]]:
    """The review with the answers about all passages that the reviewer must read, and findings about what is unusable.

    `own` and `players` are as in `questions`. What `asking.ask` raises is passed on; the answers before are kept.
    """
    present, spec, by = [one.present for one in compared], book.spec, one_line(asking.by)
    due = {one.present.number: one for one in compared if one.is_due or (asking.named and not one.is_read_by(by))}
    every = list(questions(map(changed_only, due.values()), book, review.lang, own, players, asking.limit))
    found: list[Finding] = []
    for index, data in asking.ask(every) if every else ():
        passages = {one["passage"]: one["rules"] for one in every[index]["passages"]}
        said = answer.read(data, {number: due[number].present for number in passages}, spec)
        found += said.findings(present[0].source, review.lang)
        for number, remarks in said.remarks.items():
            rules = dict.fromkeys((*passages[number], *said.rules.get(number, ())))
            reading = Reading(by if asking.named else said.by or by, asking.date, VERSION, tuple(remarks))
            review = _with(review, due[number], reading, spec, rules)
        if said.remarks:
            asking.keep(arranged(review, present, spec))
    return review, found


def _with(review: Review, one: Compared, reading: Reading, spec: Spec, rules: Mapping[str, None]) -> Review:
    # It is another object only if the reviewer was asked about the rules that changed, and no others.
    if changed_only(one) is not one.present and rules.keys() >= {*one.changed}:
        return with_comparison(review, one, reading, spec, rules)
    return with_reading(review, one.present, reading, spec, rules)
