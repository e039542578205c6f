"""Findings about words for what a rule did when its text was confirmed, and does no more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import say
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning import Proposition
from rulespec.text.reading.translation import Passage
from rulespec.text.rules import describe
from rulespec.text.rules.book import Book
from rulespec.text.seals.confirmation import confirmation, version_of
from rulespec.text.seals.outdated.differing import Outdated, outdated


def check(passage: Passage, lang: str, book: Book, versions: Iterable[Spec]) -> Iterator[Finding]:
    """The findings for a text whose rule or ruling has changed since it was confirmed with one of the versions."""
    id_, known = passage.id, (*book.spec.rules, *book.spec.rulings)
    if id_ not in known or confirmation(book.spec, id_) == passage.confirmed:
        return
    old = version_of(passage.confirmed, id_, versions)
    if old is None:
        return
    before, prose = Book(old, book.glossary), passage.prose(lang)
    for found in outdated(before.read(prose.text, lang), passage.id, before, book):
        start, end = found.words.start, found.words.end
        since = _since(found, passage.id, before, book, lang)
        message = say("The text says “{said}”{since}", said=prose.text[start:end], since=since)
        hint = say("Correct the text, or the spec at `{rule}`.", rule=passage.id)
        yield prose.say("fact-contradicted", message, start, end, hint)


def _since(found: Outdated, id_: str, old: Book, new: Book, lang: str) -> str:
    """What has changed since the text was confirmed: what the rule did, and what it does."""
    one = found.difference
    if one is None:
        was, now = (book.spec.rulings[id_].options[0] for book in (old, new))
        return say("; the answer was `{was}` when the text was confirmed, and is `{now}` now.", was=was, now=now)
    if lang not in describe.languages():
        return say("; the rule has changed since the text was confirmed.")
    was = _sentence(one.old, old, lang)
    if one.new is None:
        return say("; the rule does this no more: {was}", was=was)
    now = _sentence(one.new, new, lang)
    if now == was:
        return say("; only another answer to a ruling does this now: {was}", was=was)
    return say(", from before the rule changed: {was} By the spec now: {now}", was=was, now=now)


def _sentence(one: Proposition, book: Book, lang: str) -> str:
    return describe.Description(book.spec, lang, book.glossary).sentence(one)
