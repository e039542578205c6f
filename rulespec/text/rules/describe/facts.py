"""The facts that `states:` of a spec requires, as sentences: what no step does, such as the number of tiles."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rulespec.base.characters import capital
from rulespec.base.source import Source
from rulespec.language.formats.table import FORMATS
from rulespec.text.glossary.concepts import Status
from rulespec.text.reading.translation import Passage
from rulespec.text.rules.book import Book
from rulespec.text.rules.content import (
    ByKey,
    ByPlayers,
    Choices,
    Content,
    Extent,
    Fact,
    Names,
    Number,
    Said,
    Sequence,
    Words,
)
from rulespec.text.rules.describe.description import Described, Description, items
from rulespec.text.rules.describe.linearise import Linearizer
from rulespec.text.rules.evidence import judge
from rulespec.text.rules.facts import listed, of_rule


def unstated(text: str, rule: str, say: Linearizer, book: Book) -> Iterator[str]:
    """A sentence for each required fact of a rule that a text does not state. Steps have sentences of their own."""
    reading = book.read(text, say.names.lang)
    introduced = Fact(Words(book.introduced(rule)), derived=True)
    for fact in (*of_rule(book.spec, rule), introduced):
        if not fact.optional and not isinstance(fact.content, Said) and not judge(fact, reading, book.concepts).stated:
            yield capital(_Facts(say, book).sentence(fact.content))


def required_sentences(rule: str, say: Linearizer, book: Book) -> Iterator[str]:
    """A sentence for each fact that `states:` lists for a rule, and that its text must state."""
    for fact in listed(book.spec, rule):
        if not fact.optional and not isinstance(fact.content, Names | Said):
            yield capital(_Facts(say, book).sentence(fact.content))


@dataclass(frozen=True)
class _Facts:
    say: Linearizer
    book: Book

    def sentence(self, content: Content) -> str:
        """A fact as a sentence."""
        if isinstance(content, Words):
            return self._frame("fact_terms", items=self._list(map(self._term, content.concepts)))
        if isinstance(content, Sequence):
            return self._frame("fact_order", items=self._list(map(self._name, content.names)))
        if isinstance(content, Extent):
            return self._frame("fact", value=self._frame("fact_range", low=content.low, high=content.high))
        value = str(content.value) if isinstance(content, Number) else self._rows(content)
        of = getattr(content, "of", "")
        return self._frame("fact_of", what=self._term(of), value=value) if of else self._frame("fact", value=value)

    def _rows(self, content: Content) -> str:
        """Numbers by players or by another key; the signs of card faces as the spec writes them."""
        if isinstance(content, ByPlayers):
            rows = [(self._players(key), str(value)) for key, value in content.rows.items()]
        elif isinstance(content, ByKey):
            rows = [(self.say.names.term(str(key)), str(value)) for key, value in content.rows.items()]
        elif isinstance(content, Choices):
            some = {players: sorted(map(str, numbers)) for players, numbers in content.rows.items() if numbers}
            rows = [(self._players(key), self._list(numbers)) for key, numbers in some.items()]
        else:
            return str(content)
        return self.say.grammar.joined([self._frame("fact_row", key=key, value=value) for key, value in rows], "rows")

    def _players(self, players: int) -> str:
        return self.say.grammar.counted(players, "player")

    def _term(self, concept: str) -> str:
        """The best phrase for a concept, or for one of the concepts that it stands for."""
        known = self.book.glossary.concepts.get(concept)
        if known is None:
            return concept.replace("_", " ")
        terms = known.terms.get(self.say.names.lang)
        every = terms.each() if terms is not None else iter(())
        left_out = (Status.FORBIDDEN, Status.VAGUE, Status.LABEL)
        right = (term.text for status, term in every if status not in left_out)
        instead = self._term(known.any_of[0]) if known.any_of else concept.replace("_", " ")
        return next(right, instead).replace(" … ", " ")

    def _name(self, name: str) -> str:
        concept = self.book.concepts.get(name)
        return self.say.names.term(name) if concept is None else self._term(concept)

    def _list(self, items: Iterable[str]) -> str:
        return self.say.grammar.joined(list(items), "and")

    def _frame(self, name: str, **shown: str) -> str:
        return self.say.grammar.frames[name].fill(lambda slot: shown[slot.part]) or ""


def as_translation(description: Description, known: Mapping[str, Passage] | None = None) -> Source:
    """The source of a translation whose texts are the descriptions of the rules, with the facts that they do not state.

    Rules without propositions, and rulings, have the texts in `known`. Without one, a rule has the facts that `states:`
    requires, and a ruling its chosen option.
    """
    spec, known = description.spec, known or {}
    described = {rule.rule: rule for rule in description.rules() if rule.stated}
    lines = [
        FORMATS["translation"].first_line,
        f"game: {spec.id}",
        f"lang: {description.lang}",
        f"title: {_quoted(spec.title)}",
    ]
    lines += ["rules:"]
    for rule in spec.rules.values():
        passage = known.get(rule.id)
        text = _draft(description, described.get(rule.id), rule.id, passage)
        title = passage.title if passage is not None else rule.title or rule.id
        lines += [f"  {rule.id}:", f"    title: {_quoted(title)}", f"    text: {_quoted(text)}"]
    lines += ["rulings:"] if spec.rulings else []
    for ruling in spec.rulings.values():
        text = known[ruling.id].text.text if ruling.id in known else f"`{ruling.id} = {ruling.options[0]}`"
        lines += [f"  {ruling.id}:", f"    text: {_quoted(text)}"]
    return Source(f"{description.lang}.yaml", "\n".join(lines) + "\n")


def _draft(description: Description, described: Described | None, rule: str, passage: Passage | None) -> str:
    if described is None and passage is not None:
        return passage.text.text
    lines = [] if described is None else [items((*described.own, *described.definitions))]
    if description.glossary is not None:
        book = Book(description.spec, description.glossary)
        lines += [f"- {sentence}" for sentence in unstated("\n".join(lines), rule, description.say, book)]
    return "\n".join(lines) or description.say.names.title(rule)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
