"""Phrases as text: every part of a phrase is written where the template of its constructor places it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, groupby
from operator import itemgetter

import regex

from rulespec.base.messages import Message, say, spaced
from rulespec.language.model.phrase import Phrase
from rulespec.proofs.meaning.constructors import CONSTRUCTORS
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS
from rulespec.text.rules.describe.faces import face, only_member
from rulespec.text.rules.describe.grammar import Grammar, Slot, Template, Words, of_noun
from rulespec.text.rules.describe.terms import Names, Unnamed

Parts = dict[str, tuple[Phrase, ...]]


@dataclass(frozen=True)
class Linearizer:
    """Writes the phrases of a spec in a language. `message` translates messages among them.

    A sentence for which the language lacks a name is written by `instead`, in whole.
    """

    names: Names
    grammar: Grammar
    message: Callable[[str], str] = str
    instead: Linearizer | None = None

    def written(self, write: Callable[[Linearizer], str]) -> str:
        """What is written with this, or with `instead` if the language lacks a name in it."""
        try:
            return self.grammar.finished(write(self))
        except Unnamed:
            if self.instead is None:
                raise
            return self.instead.written(write)

    def __call__(self, phrase: Phrase, case: str = "") -> str:
        """The text of a phrase in a grammatical case ("" for the one that stands alone). Raises Unnamed if the language
        lacks a name in it."""
        return self.grammar.finished(self._text(phrase, case))

    @cached_property
    def _leaves(self) -> dict[tuple[Phrase, str], str]:
        """The texts of phrases without parts: players, cards and members, which many options name."""
        return {}

    def _text(self, phrase: Phrase, case: str = "") -> str:
        if phrase.parts or phrase.constructor == "message":
            return self._made(phrase, case)
        if (phrase, case) not in self._leaves:
            self._leaves[phrase, case] = self._made(phrase, case)
        return self._leaves[phrase, case]

    def _made(self, phrase: Phrase, case: str) -> str:
        # A case that a noun lacks is left out where no template goes around it.
        text = self._said(phrase, case)
        text = self._said(phrase, "") if text is None else text
        assert text is not None, f"the template of `{phrase.constructor}` shows a part that {phrase} does not have"
        return text

    def _said(self, phrase: Phrase, case: str) -> str | None:
        """The text of a phrase in a case; None if no template can be filled."""
        filled = (self._filled(phrase, template) for template in self._templates(phrase, case))
        return next((text for text in filled if text is not None), None)

    def _filled(self, phrase: Phrase, template: Template) -> str | None:
        # What the noun itself says stands nowhere else: “points for the third round” has its index.
        said = {slot.part for slot in self._noun_slots(phrase, template)}
        parts = {
            name: tuple(one for one in some if _kind_of_index(one) not in said)
            for name, some in parts_of(phrase).items()
        }

        def show(slot: Slot) -> str | None:
            if slot.part in self.grammar.agreeing:
                gender = self.names.gender(self._noun_of(phrase))
                return self.grammar.agreeing[slot.part].get(f"{gender}.{slot.case}" if slot.case else gender)
            if slot.part in LEAVES:
                return self._leaf(phrase, slot)
            return self._part(parts.get(slot.part, ()), slot)

        return template.fill(show)

    def _noun_slots(self, phrase: Phrase, template: Template) -> Iterator[Slot]:
        """The indices in the form of the noun that a template shows."""
        for slot in template.slots():
            if slot.part == "noun" and (noun := self._noun(phrase, slot)) is not None:
                yield from noun.slots()

    def _templates(self, phrase: Phrase, case: str) -> tuple[Template, ...]:
        # The noun of copies follows the plural category of their number.
        kind = self.grammar.plural(phrase.parts[0].number or 0) if phrase.constructor == "copies" else phrase.kind
        return self._words(phrase).of(kind or _kind_of_first(phrase), case)

    def _words(self, phrase: Phrase) -> Words:
        """The templates of a phrase; variables of blocks have words of their own."""
        if phrase.constructor != "variable":
            return self.grammar.templates[phrase.constructor]
        return self.grammar.variables.get(phrase.name, self.grammar.templates["variable"])

    def _leaf(self, phrase: Phrase, slot: Slot) -> str | None:
        if slot.part == "digits":
            return self._number(phrase, "")
        if slot.part == "definite":
            # A name with the article of the language, unless it has a determiner of its own.
            name = self._bare(phrase)
            if name is None:
                return self.names.of(phrase)
            frame = self.grammar.frames["definite" if self.names.is_worded(phrase.name) else "definite_raw"]
            return frame.fill(lambda slot: name) or ""
        if slot.part == "message":
            return self._message(phrase, slot.case)
        if slot.part == "card_face":
            # The grammar may derive a case of a card from its words alone; with a word for cards, if it has one.
            words = face(self.names, self.grammar, int(phrase.name), slot.case)
            return self.grammar.derived(words, f"card_{slot.case}" if slot.case else "card") or words
        if slot.part == "bare":
            name = self._bare(phrase)
            if not name or not slot.case:
                return name
            # Of the glossary, else as the grammar derives it, else as it is.
            return self.names.own_form(phrase.name, slot.case) or self.grammar.derived(name, slot.case) or name
        if slot.part == "noun":
            return self._with_indices(self._noun(phrase, slot), phrase.parts)
        if slot.part == "becomes":
            value, to = phrase.parts
            sentence = self.names.sentence(value.name)
            return self._with_indices(of_noun(sentence) if sentence else None, value.parts, value=to)
        return self.names.word(phrase.kind) if slot.part == "kind" else self.names.of(phrase)

    def _message(self, phrase: Phrase, case: str) -> str | None:
        """A message; of an option, with its picks in the cases of its label. In a case, what the grammar derives."""
        if self.names.whole and not self.names.nouns:
            raise Unnamed(phrase.name)  # the words of an option name things of the game
        words = self._with_picks(phrase) if phrase.parts else None
        words = self.message(phrase.name) if words is None else words
        return self.grammar.derived(words, case) if case else words

    def _with_picks(self, phrase: Phrase) -> str | None:
        """The words of an option with its picks; None without a template."""
        assert isinstance(phrase.name, Message)
        template, picks = self.template(phrase.name.template), phrase.name.values
        if not template:
            return None
        said = dict(zip(picks, map(partial(self.picked, template), picks, phrase.parts), strict=True))
        text, *others = _PICK.split(template)
        parts = [text, *chain(*((said[name], after) for name, after in zip(others[::3], others[2::3], strict=True)))]
        return spaced(part.replace("{{", "{").replace("}}", "}") for part in parts)

    def template(self, says: str) -> str:
        """What an option says, with the cases of its picks: in the language of specs its own words, if it has no label;
        "" in others."""
        return self.names.label(says) or (says if self.names.lang == LANGUAGE_OF_SPECS else "")

    def picked(self, template: str, name: str, pick: Phrase) -> str:
        """What stands in a template for a pick: the elements of a set as a list."""
        case = next((case for one, case in _PICK.findall(template) if one == name), "")
        if pick.constructor != "picked":
            return self._text(pick, case or "picked")
        return self.message(say("{text}", text=[self._several(one, case) for one in pick.parts]))

    def _several(self, element: Phrase, case: str) -> str:
        if element.constructor != "copies":
            return self._text(element, case)
        times, one = element.parts
        return say("{name} x{number}", name=self._text(one, case), number=times.number)

    def _noun_of(self, phrase: Phrase) -> str:
        """The name whose noun a phrase has: for a variable that of its kind, for a card the only word on it."""
        if phrase.constructor == "face":
            return only_member(self.names.spec, int(phrase.name))
        return phrase.kind if phrase.constructor in ("variable", "whose", "over") else phrase.name

    def _noun(self, phrase: Phrase, slot: Slot) -> Template | None:
        """The noun of a phrase in the case of a slot. One of a glossary has indices; a title may have any brackets."""
        form = self._form(phrase, slot)
        if form is None:
            return None
        return of_noun(form) if self._noun_of(phrase) in self.names.nouns else Template((form,))

    def _form(self, phrase: Phrase, slot: Slot) -> str | None:
        """The noun of a phrase in the case of a slot: of the glossary, else as the grammar derives it from the noun."""
        name = self._noun_of(phrase)
        if slot.optional:
            return self.names.own_form(name, slot.case)
        found = self.names.form(name, slot.case)
        noun = self.names.form(name, "") if found is None and name in self.names.nouns else None
        return found if noun is None else self.grammar.derived(noun, slot.case)

    def _with_indices(self, form: Template | None, indices: tuple[Phrase, ...], **others: Phrase) -> str | None:
        """A form of a noun, with the indices in it, which it has by their kinds, and with other parts."""
        by_kind = {_kind_of_index(one): (one,) for one in indices} | {name: (one,) for name, one in others.items()}
        return None if form is None else form.fill(lambda slot: self._part(by_kind.get(slot.part, ()), slot))

    def is_determined(self, name: str) -> bool:
        """Whether the term for a name of the spec has a determiner of its own, as “your bid” has."""
        own = self.grammar.labels["determiners"]
        return bool(own and regex.search(own, self.names.term(name)))

    def _bare(self, phrase: Phrase) -> str | None:
        """A name that can have a determiner; None for one that has its own."""
        return None if self.is_determined(phrase.name) else self.names.of(phrase)

    def _is_plural(self, phrase: Phrase) -> bool:
        """Whether verbs take the plural with a phrase: with a name whose head is one. Amounts and names in quotation
        marks are singular."""
        if self.names.gender(phrase.name) == "plural":
            return True
        labels = self.grammar.labels
        templates = self._templates(phrase, "")
        shown = {slot.part for template in templates for slot in template.slots()}
        worded = "bare" in shown or ("definite" in shown and self.names.is_worded(phrase.name))
        if not labels["plural"] or not worded:
            return False
        head = regex.search(labels["head"], self.names.of(phrase))
        return head is not None and regex.search(labels["plural"], head[0]) is not None

    def _part(self, found: tuple[Phrase, ...], slot: Slot) -> str | None:
        # A clause such as “whose total” needs what it is about without its owner.
        if not found or (slot.case == "its" and found[0].constructor != "its"):
            return None
        if slot.forms:
            return slot.forms[self._is_plural(found[0])]
        if slot.optional:
            if len(found) > 1:  # “the player’s influence” would lose the office that it is in
                return None
            known = self._words(found[0]).has(found[0].kind or _kind_of_first(found[0]), slot.case)
            return self._said(found[0], slot.case) if known else None
        if slot.style in self.grammar.nouns:
            return self._number(found[0], slot.style)
        texts = [self._text(one, slot.case) for one in found]
        return self.grammar.joined(texts, slot.style) if slot.style else texts[0]

    def _number(self, phrase: Phrase, noun: str) -> str:
        """A number, or a list of numbers by players; with a noun in the form that each number asks for."""
        if not phrase.amount:
            return self.grammar.nouns[noun]["amount"].format(n=self._text(phrase))
        if phrase.number is not None:
            return self._counted(phrase.number, noun)
        rows = [(value, [players for players, _ in some]) for value, some in groupby(phrase.amount, itemgetter(1))]
        first, *others = rows
        next_ = [self._row("by_players_next", self._again(value, noun), some) for value, some in others]
        return self.grammar.joined(
            [self._row("by_players", self._counted(first[0], noun), first[1]), *next_], "by_players"
        )

    def _row(self, frame: str, number: str, players: Sequence[int]) -> str:
        """A number with the numbers of players that it is for."""
        *others, last = players
        with_noun = self.grammar.counted(last, "player") if frame == "by_players" else self._again(last, "player")
        listed = self.grammar.joined([*map(self.grammar.number, others), with_noun], "or")
        shown = {"number": number, "players": listed}
        return self.grammar.frames[frame].fill(lambda slot: shown[slot.part]) or ""

    def _counted(self, value: int, noun: str) -> str:
        return self.grammar.counted(value, noun) if noun else self.grammar.number(value)

    def _again(self, value: int, noun: str) -> str:
        """A number of what has been named before."""
        number = self.grammar.number(value)
        return self.grammar.nouns[noun]["again"].format(n=number) if noun else number


def _kind_of_first(phrase: Phrase) -> str:
    """The kind of the first part: a player becomes the adviser, while another value becomes a number."""
    return phrase.parts[0].kind if phrase.parts else ""


_PICK = regex.compile(r"{(\w+)(?:\.(\w+))?}(?!})")

LEAVES = ("name", "definite", "bare", "digits", "kind", "noun", "card_face", "message", "becomes")
"""The slots for what a phrase has beside parts."""


def _kind_of_index(phrase: Phrase) -> str:
    """What a noun calls an index: its kind, for a member its enum."""
    if phrase.constructor == "or_else":
        return _kind_of_index(phrase.parts[0])
    return phrase.kind or (phrase.name.partition(".")[0] if phrase.constructor == "member" else "")


def parts_of(phrase: Phrase) -> Parts:
    """The parts of a phrase by the names in the table of constructors."""
    left, found = list(phrase.parts), Parts()
    for name in CONSTRUCTORS[phrase.constructor].parts:
        number = len(left) if name.endswith("*") else 1
        found[name.rstrip("*?")] = tuple(left[:number])
        left = left[number:]
    return found
