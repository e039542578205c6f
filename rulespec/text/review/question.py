"""What a reviewer is asked: the passages of a text that are due, with the rules that they may concern, as JSON data.

Passages are put together, in the order of the text, to questions of limited length. Each question has all that its
passages need, so that questions can be asked side by side.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import regex

from rulespec.base.characters import one_line
from rulespec.base.diagnostics import Finding
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.rules import propositions
from rulespec.text.glossary.concepts import Concept, Status
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS
from rulespec.text.reading.translation import Translation
from rulespec.text.review import answer
from rulespec.text.review.kept import Reading, Review
from rulespec.text.review.states import Compared, Present, arranged, changed_only, with_comparison, with_reading
from rulespec.text.rules.book import Book
from rulespec.text.rules.describe.description import Description
from rulespec.text.rules.describe.facts import required_sentences
from rulespec.text.rules.describe.grammar import languages
from rulespec.text.rules.subjects import concerned

VERSION = 2
"""The version of the task."""

LIMIT = 8000
"""How many tokens a question has at most, if its first passage alone is not longer."""

_WIDE = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\u3000-\u303F\uFF00-\uFF65]")
_CYRILLIC = regex.compile(r"\p{Cyrillic}")
_CYRILLIC_PER_TOKEN, _OTHERS_PER_TOKEN = 2.5, 4.0


def tokens(text: str) -> float:
    """About how many tokens a language model reads a text as: one for each Chinese, Japanese or Korean character, one
    for 2.5 Cyrillic letters, and one for 4 other characters. Models differ by a third or so."""
    wide, cyrillic = len(_WIDE.findall(text)), len(_CYRILLIC.findall(text))
    return wide + cyrillic / _CYRILLIC_PER_TOKEN + (len(text) - wide - cyrillic) / _OTHERS_PER_TOKEN


def questions(
    due: Iterable[Present],
    book: Book,
    lang: str,
    own: Translation | None,
    players: int | None = None,
    limit: float = LIMIT,
) -> Iterator[dict[str, Any]]:
    """The questions about passages of a text in a language (a BCP 47 tag), each as data for JSON.

    `own` is our text of the game in that language, if any; `players` limits the rules to one number of players. A
    question has at most `limit` tokens. A passage that may concern more rules than fit is asked with the likeliest
    ones; a longer passage is asked alone. The caller may change `answer_in`, the language of the remarks. Raises
    ValueError if the game is not for that number.
    """
    asking = _Asking(replace(book, spec=book.spec.edition(players)) if players is not None else book, lang, own)
    begun = asking.begin()
    for one in due:
        if begun.passages and begun.size_with(one) > limit:
            yield begun.question()
            begun = asking.begin()
        begun.add(one, limit)
    if begun.passages:
        yield begun.question()


@cache
def _task() -> str:
    return (Path(__file__).parent / "task.txt").read_text(encoding="utf-8")


def _size(value: Any) -> float:
    return tokens(json.dumps(value, ensure_ascii=False))


class _Asking:
    """The rules and terms of a game as a reviewer reads them."""

    def __init__(self, book: Book, lang: str, own: Translation | None) -> None:
        self.book, self.lang = book, lang
        self._description = Description(book.spec, lang if lang in languages() else LANGUAGE_OF_SPECS, book.glossary)
        self._texts = {id_: one.text.text for id_, one in own.passages.items()} if own is not None else {}
        self._rules: dict[str, _Rule] = {}

    def begin(self) -> _Question:
        # A copy, because callers may change `answer_in` of a question.
        return _Question(self, dict(self.head))

    @cached_property
    def head(self) -> Mapping[str, Any]:
        """What every question begins with."""
        spec = self.book.spec
        return {
            "reviewer": VERSION,
            "task": _task(),
            "game": spec.title,
            "players": list(spec.players),
            "lang": self.lang,
            "answer_in": LANGUAGE_OF_SPECS,
            "index": {id_: rule.title for id_, rule in spec.rules.items()},
        }

    def rule(self, id_: str) -> _Rule:
        if id_ not in self._rules:
            self._rules[id_] = self._read(id_)
        return self._rules[id_]

    def _read(self, id_: str) -> _Rule:
        spec = self.book.spec
        if id_ not in spec.rules:
            return _Rule((), (), self._texts.get(id_, ""))
        described = self._description.rule(id_) if id_ in propositions(spec) else None
        definitions = [line.text for line in described.definitions] if described is not None else []
        does = described.sentences if described is not None else []
        required = required_sentences(id_, self._description.say, self.book)
        return _Rule(tuple(definitions), tuple(dict.fromkeys((*does, *required))), self._texts.get(id_, ""))

    def open(self, rules: Iterable[str]) -> Iterator[dict[str, Any]]:
        """The questions that rulebooks leave open and that concern these rules, or no rule."""
        spec, among = self.book.spec, set(rules)
        for id_, one in spec.rulings.items():
            about = concerned(spec).get(id_, frozenset()) & spec.rules.keys()
            if id_ in among or not about or about & among:
                yield {"question": one.question, "answers": list(one.options), "ours": one.options[0]}

    def concepts(self, text: str) -> frozenset[str]:
        """The concepts that a text mentions, also with wrong terms."""
        return frozenset(one.concept for one in self.book.read(text, self.lang).mentions)

    def terms(self, concepts: Iterable[str]) -> Iterator[tuple[str, dict[str, list[str]]]]:
        """The terms of concepts: the right ones, and those that mean something else."""
        every: Mapping[str, Concept] = self.book.glossary.concepts
        for id_ in sorted(concepts, key=list(every).index):
            terms = every[id_].terms.get(self.lang)
            said: dict[str, list[str]] = {}
            for status, term in terms.each() if terms is not None else ():
                if status in _KEPT:
                    said.setdefault(_KEPT[status], []).append(term.text)
            if said:
                yield id_, said


_KEPT = {Status.PREFERRED: "right", Status.ALLOWED: "right", Status.FORBIDDEN: "wrong"}


@dataclass(frozen=True)
class _Rule:
    """What a rule does: the definitions that it needs, its sentences, and our text of it."""

    definitions: Sequence[str]
    does: Sequence[str]
    text: str


class _Question:
    """A question that passages are added to."""

    def __init__(self, asking: _Asking, head: dict[str, Any]) -> None:
        self._asking, self._head = asking, head
        self._base = _size(head)
        self._rules: dict[str, None] = {}
        self.passages: list[dict[str, Any]] = []
        self._heading = ""

    def size_with(self, one: Present) -> float:
        """The tokens of the question with one more passage."""
        return self._measured([*self._rules, *one.rules], [*self.passages, self._passage(one, one.rules)])

    def add(self, one: Present, limit: float) -> None:
        """Adds a passage. The first one leaves out its least likely rules if it does not fit with them."""
        rules = list(one.rules)
        while not self.passages and len(rules) > 1 and self._measured(rules, [self._passage(one, rules)]) > limit:
            rules.pop()
        self._rules |= dict.fromkeys(rules)
        self.passages.append(self._passage(one, rules))
        self._heading = one.heading

    def _passage(self, one: Present, rules: Iterable[str]) -> dict[str, Any]:
        found: dict[str, Any] = {"passage": one.number, "line": one.line, "rules": list(rules)}
        found |= {"under": one.heading} if one.heading and one.heading != self._heading else {}
        return found | {"text": one.text}

    def _measured(self, rules: Iterable[str], passages: Sequence[Mapping[str, Any]]) -> float:
        return self._base + _size(self._with(dict.fromkeys(rules), passages))

    def question(self) -> dict[str, Any]:
        return self._head | self._with(self._rules, self.passages)

    def _with(self, rules: Mapping[str, None], passages: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        asking = self._asking
        said = list(self._said(rules))
        words = (*(one["text"] for one in passages), *(one.get("text", "") for one in said))
        concepts = frozenset[str]().union(*map(asking.concepts, words))
        return {
            "rules": said,
            "open": list(asking.open(rules)),
            "terms": dict(asking.terms(concepts)),
            "passages": list(passages),
        }

    def _said(self, rules: Mapping[str, None]) -> Iterator[dict[str, Any]]:
        """The rules in the order of the spec. A definition stands with the first rule that needs it."""
        spec: Spec = self._asking.book.spec
        known: set[str] = set()
        for id_ in sorted(rules, key=[*spec.rules, *spec.rulings].index):
            rule = self._asking.rule(id_)
            does = [one for one in dict.fromkeys((*rule.definitions, *rule.does)) if one not in known]
            known |= set(rule.definitions)
            said: dict[str, Any] = {"id": id_}
            if id_ in spec.rulings:
                ruling = spec.rulings[id_]
                said |= {"question": ruling.question, "answers": list(ruling.options)}
            else:
                said |= {"title": spec.rules[id_].title, "does": does}
                said |= {} if spec.rules[id_].in_rulebook else {"rulebook": False}
            yield said | ({"text": rule.text} if rule.text else {})


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
