"""Phrases as text: every part of a phrase is written where the template of its constructor places it."""

from __future__ import annotations

from dataclasses import dataclass

import regex

from rulespec.language.model.phrase import Phrase
from rulespec.proofs.meaning.constructors import CONSTRUCTORS
from rulespec.text.rules.describe.grammar import Grammar, Slot, Template, Words
from rulespec.text.rules.describe.terms import Names

Parts = dict[str, tuple[Phrase, ...]]


@dataclass(frozen=True)
class Linearizer:
    """Writes the phrases of a spec in a language."""

    names: Names
    grammar: Grammar

    def __call__(self, phrase: Phrase, case: str = "") -> str:
        """The text of a phrase in a grammatical case ("" for the one that stands alone)."""
        template, parts = self._template(phrase, case), parts_of(phrase)

        def show(slot: Slot) -> str | None:
            if slot.part in LEAVES:
                return self._leaf(phrase, slot.part)
            return self._part(parts.get(slot.part, ()), slot)

        text = template.fill(show)
        assert text is not None, f"the template of `{phrase.constructor}` shows a part that {phrase} does not have"
        return text

    def _template(self, phrase: Phrase, case: str) -> Template:
        return self._words(phrase).of(phrase.kind or _kind_of_first(phrase), case)

    def _words(self, phrase: Phrase) -> Words:
        """The templates of a phrase; variables of blocks have words of their own."""
        if phrase.constructor != "variable":
            return self.grammar.templates[phrase.constructor]
        # A zone for each member of an enum has no owner.
        unowned = phrase.name == "owner" and phrase.kind != "player"
        name = "named_as_kind" if phrase.name == phrase.kind or unowned else phrase.name
        return self.grammar.variables.get(name, self.grammar.templates["variable"])

    def _leaf(self, phrase: Phrase, what: str) -> str:
        if what == "digits":
            return self._number(phrase, "")
        if what == "definite":
            return self._definite(phrase)
        return self.names.term(phrase.kind) if what == "kind" else self.names.of(phrase)

    def _definite(self, phrase: Phrase) -> str:
        """A name with the article of the language, unless it has a determiner of its own."""
        name, own = self.names.of(phrase), self.grammar.labels["determiners"]
        if own and regex.search(own, name):
            return name
        frame = self.grammar.frames["definite" if self.names.is_worded(phrase.name) else "definite_raw"]
        return frame.fill(lambda slot: name) or ""

    def _is_plural(self, phrase: Phrase) -> bool:
        """Whether verbs take the plural with a phrase: with a name whose head is one. Amounts and names in quotation
        marks are singular."""
        labels = self.grammar.labels
        shown = any(slot.part == "definite" for slot in self._template(phrase, "").slots())
        if not labels["plural"] or not shown or not self.names.is_worded(phrase.name):
            return False
        head = regex.search(labels["head"], self.names.of(phrase))
        return head is not None and regex.search(labels["plural"], head[0]) is not None

    def _part(self, found: tuple[Phrase, ...], slot: Slot) -> str | None:
        if not found:
            return None
        if slot.forms:
            return slot.forms[self._is_plural(found[0])]
        if slot.style in self.grammar.nouns:
            return self._number(found[0], slot.style)
        texts = [self(one, slot.case) for one in found]
        return self.grammar.joined(texts, slot.style) if slot.style else texts[0]

    def _number(self, phrase: Phrase, noun: str) -> str:
        """A number, or a list of numbers by players; with a noun in the form that each number asks for."""
        if not phrase.amount:
            return self.grammar.nouns[noun]["amount"].format(n=self(phrase))
        if phrase.number is not None:
            return self._counted(phrase.number, noun)
        rows = [self._row(self._counted(value, noun), players) for players, value in phrase.amount]
        return self.grammar.joined(rows, "by_players")

    def _row(self, number: str, players: int) -> str:
        """A number with the number of players that it is for."""
        shown = {"number": number, "players": self._counted(players, "player")}
        return self.grammar.frames["by_players"].fill(lambda slot: shown[slot.part]) or ""

    def _counted(self, value: int, noun: str) -> str:
        return self.grammar.counted(value, noun) if noun else self.grammar.number(value)


def _kind_of_first(phrase: Phrase) -> str:
    """The kind of the first part: a player becomes the adviser, while another value becomes a number."""
    return phrase.parts[0].kind if phrase.parts else ""


LEAVES = ("name", "definite", "digits", "kind")
"""The slots for what a phrase has beside parts."""


def parts_of(phrase: Phrase) -> Parts:
    """The parts of a phrase by the names in the table of constructors."""
    left, found = list(phrase.parts), Parts()
    for name in CONSTRUCTORS[phrase.constructor].parts:
        number = len(left) if name.endswith("*") else 1
        found[name.rstrip("*?")] = tuple(left[:number])
        left = left[number:]
    return found
