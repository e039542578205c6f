"""What a reviewer is asked: the rules of a game, its terms, and the lines of a raw text, as JSON data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from rulespec.source import Source
from rulespec.text.book import Book
from rulespec.text.describe import Description, languages, required_sentences
from rulespec.text.glossary import Status
from rulespec.text.languages import LANGUAGE_OF_SPECS
from rulespec.text.translation import Translation

VERSION = 1


def question(
    source: Source, lang: str, book: Book, own: Translation | None, players: int | None = None
) -> dict[str, Any]:
    """The question about a raw text in a language (a BCP 47 tag), as data for JSON.

    `own` is our text of the game in that language, if any; `players` limits the rules to one number of players. The
    caller may change `answer_in`, the language of the remarks. Raises ValueError if the game is not for that number.
    """
    book = replace(book, spec=book.spec.edition(players)) if players is not None else book
    spec = book.spec
    rules = _Rules(Description(spec, lang if lang in languages() else LANGUAGE_OF_SPECS, book.glossary), book, own)
    return {
        "reviewer": VERSION,
        "task": _task(),
        "game": spec.title,
        "players": list(spec.players),
        "lang": lang,
        "answer_in": LANGUAGE_OF_SPECS,
        "rules": list(rules.every()),
        "open": [
            {"question": one.question, "answers": list(one.options), "ours": one.options[0]}
            for one in spec.rulings.values()
        ],
        "terms": dict(_terms(book, lang)),
        "lines": [{"line": at, "text": line} for at, line in _lines(source)],
    }


@cache
def _task() -> str:
    return (Path(__file__).parent / "task.txt").read_text(encoding="utf-8")


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    """The lines of a text that are not blank, with their numbers from 1."""
    every = ((at, source.line(at)) for at in range(1, source.line_count + 1))
    yield from ((at, line) for at, line in every if line.strip())


class _Rules:
    """The rules of a game as a reviewer reads them."""

    def __init__(self, description: Description, book: Book, own: Translation | None) -> None:
        self._say, self._book = description.say, book
        self._described = {one.rule: one for one in description.rules()}
        self._texts = {id_: one.text.text for id_, one in own.rules.items()} if own is not None else {}

    def every(self) -> Iterator[dict[str, Any]]:
        for id_, rule in self._book.spec.rules.items():
            does = list(dict.fromkeys(self._does(id_)))
            if does or id_ in self._texts:
                said: dict[str, Any] = {"id": id_, "title": rule.title, "does": does}
                said |= {"text": self._texts[id_]} if id_ in self._texts else {}
                said |= {} if rule.in_rulebook else {"rulebook": False}
                yield said

    def _does(self, rule: str) -> Iterator[str]:
        one = self._described.get(rule)
        if one is not None:
            yield from (line.text for line in one.definitions)
            yield from one.sentences
        yield from required_sentences(rule, self._say, self._book)


def _terms(book: Book, lang: str) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """The terms of each concept in a language: the right ones, and those that mean something else."""
    for id_, concept in book.glossary.concepts.items():
        terms = concept.terms.get(lang)
        said: dict[str, list[str]] = {}
        for status, term in terms.each() if terms is not None else ():
            if status in _KEPT:
                said.setdefault(_KEPT[status], []).append(term.text)
        if said:
            yield id_, said


_KEPT = {Status.PREFERRED: "right", Status.ALLOWED: "right", Status.FORBIDDEN: "wrong"}
