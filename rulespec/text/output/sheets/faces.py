"""What stands on each card of a sheet, in the terms of a language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from rulespec.base.diagnostics import Span
from rulespec.base.source import Source
from rulespec.language.model import spec as m
from rulespec.language.model.types import MOST_MEMBERS, NONE, Type
from rulespec.text.glossary.concepts import Glossary
from rulespec.text.output.render.blocks import plain_text
from rulespec.text.output.sheets.looks import PLAIN, Look, Looks
from rulespec.text.output.sheets.marks import TICK, look_of, named_fields, suit
from rulespec.text.reading.translation import Translation

NO = "–"


@dataclass(frozen=True)
class Part:
    """The value of one member in a field with values for members: in words, what the member is called, and its look."""

    word: str
    member: str
    look: Look


@dataclass(frozen=True)
class Shown:
    """One field of a card: its name in the spec, its label and its content in words; `number` says whether that is a
    number, `look` how it is drawn, and `evident` whether it needs no label: a tick, a member in the name of the card,
    and one with an icon in the field of its enum. A set, and a field with values for members, has `parts`: those to be
    shown."""

    name: str
    label: str
    word: str
    number: bool
    look: Look = PLAIN
    parts: tuple[Part, ...] = ()
    evident: bool = False

    @property
    def is_letter(self) -> bool:
        """Whether it is a letter in the name of the card."""
        return self.evident and len(self.word) == 1 and self.word != TICK


@dataclass(frozen=True)
class Face:
    """One card: its title, all that it shows, its status, which of how many copies it is, 0 for all together, and the
    text of what it does.

    `named` is the field that the title is the content of, "" if there is none; `kind` is the field with its kind, None
    if that is the title; `suit` is how the card looks as a whole.
    """

    title: str
    named: str
    shown: tuple[Shown, ...]
    status: str
    copy: int
    copies: int
    text: str = ""
    suit: Look = PLAIN
    kind: Shown | None = None

    @property
    def fields(self) -> tuple[Shown, ...]:
        """The fields beside the title."""
        return tuple(field for field in self.shown if field.name != self.named)

    @property
    def index(self) -> str:
        """The letters by which cards of one name differ."""
        return " ".join(field.word for field in self.fields if field.is_letter)

    @property
    def body(self) -> list[Shown]:
        """The fields that need room of their own: neither the kind nor the index, and nothing that is not so."""
        return [one for one in self.fields if one != self.kind and not one.is_letter and one.word != NO]

    @property
    def tint(self) -> Look | None:
        """The look with the colour of the card, None without one."""
        return self.suit if self.suit.colour else None

    @property
    def rank(self) -> str:
        """The sign of a card that says a rank and a suit with a drawing and no more, such as a playing card."""
        ranks = [one.look.symbol for one in self.shown if one.look.symbol and not one.look.colour]
        return ranks[0] if ranks and len(self.shown) == 2 and self.suit.path and not (self.text or self.picture) else ""

    @property
    def picture(self) -> str:
        """The picture of the card as an address with its content, "" if it has none."""
        return next((field.look.picture for field in self.shown if field.look.picture), "")

    @property
    def title_look(self) -> Look:
        """The look of the title."""
        return next((field.look for field in self.shown if field.name == self.named), PLAIN)

    @property
    def values(self) -> Mapping[str, str]:
        """The contents of the fields by their names in the spec."""
        return {field.name: field.word for field in self.fields}

    @property
    def numbers(self) -> list[Shown]:
        return [field for field in self.fields if field.number]


class Words:
    """The words of a language for the names of a spec: for members that do something the titles of their texts in a
    translation, else terms of the glossary, else the names themselves; with the texts and the looks of members."""

    def __init__(
        self,
        spec: m.Spec,
        glossary: Glossary | None,
        lang: str,
        looks: Looks | None = None,
        translation: Translation | None = None,
    ) -> None:
        self._looks = looks
        rules = translation.rules.values() if translation is not None else ()
        self._texts = {one.id: one for one in rules if one.id in spec.member_rules}
        self._spec, self._glossary = spec, glossary
        named = [concept for concept in (glossary.concepts.values() if glossary else ()) if concept.names]
        terms = {concept.names: concept.terms[lang] for concept in named if lang in concept.terms}
        best = {name: one.label or one.preferred for name, one in terms.items()}
        self._terms = {name: term for name, term in best.items() if term is not None}

    def of(self, *names: str) -> str:
        """The title of the text of the first name that has one, else its term, else the last name in words."""
        titles = (self._texts[name].title for name in names if name in self._texts)
        terms = (self._terms[name].text for name in names if name in self._terms)
        return next(chain(filter(None, titles), terms), names[-1].replace("_", " "))

    def text(self, card: Sequence[int]) -> str:
        """The text on a card, given by its values: a line for each paragraph and item of a list, without emphasis."""
        texts = (self._texts.get(rule) for rule in self._spec.rules_on(card))
        return "\n".join(plain_text(one.text.text) for one in texts if one is not None)

    def place(self, text: str) -> tuple[Source, Span]:
        """The term of the glossary that a text is, or the text of a card, else the first cards of the spec."""
        term = next((term for term in self._terms.values() if term.text == text), None)
        if term is not None and self._glossary is not None:
            return self._glossary.source, term.span
        for one in self._texts.values():
            if text in (one.title, plain_text(one.text.text)):
                return one.source, one.heading.span if text == one.title and one.heading else one.text.span
        return self._spec.source, self._spec.deck.rows[0].span

    def content(self, type_: Type, value: int) -> str:
        if value == NONE:
            return ""
        if type_.kind == "int":
            return str(value)
        if type_.kind == "bool":
            return TICK if value else NO
        members = self._spec.member(type_, value).split()
        return ", ".join(self.of(f"{type_.name}.{member}", member) for member in members)

    def look(self, type_: Type, value: int) -> Look:
        """The look of a content; plain for a set, whose members have their own."""
        return look_of(self._spec, self._looks, type_, value)


def faces(spec: m.Spec, words: Words, kept: frozenset[int] | None = None) -> Iterator[Face]:
    """Every card in the order of the manifest; `kept` are the cards in play, None for all."""
    for row in spec.deck.rows:
        cards = [card for card in row.cards if kept is None or card in kept]
        copies, before = Counter(spec.deck.cards[card] for card in cards), Counter[tuple[int, ...]]()
        for card in cards:
            values = spec.deck.cards[card]
            before[values] += 1
            yield _face(spec, words, values, row.status, before[values], copies[values])


def different(cards: Iterable[Face]) -> list[Face]:
    """Each different face once, with how many of the cards have it."""
    numbers = Counter(replace(card, status="", copy=0, copies=0) for card in cards)
    return [replace(face, copies=number) for face, number in numbers.items()]


def _face(spec: m.Spec, words: Words, values: tuple[int, ...], status: str, copy: int, copies: int) -> Face:
    deck = spec.deck
    said = deck.words(values, deck.fields, words.content)
    plain = {name: type_ for name, type_ in deck.declared.items() if name not in deck.per_member}
    labels = {name: words.of(name, plain[name].name or name) if name in plain else words.of(name) for name in said}
    columns = zip(deck.fields.items(), values, strict=True)
    looks = {name: words.look(type_, value) for (name, type_), value in columns if value != NONE}
    inside = named_fields(deck, values)
    shown = [
        Shown(
            name,
            labels[name],
            word,
            name in plain and plain[name].kind == "int",
            looks.get(name, PLAIN),
            tuple(_parts(deck, words, name, values)),
            word == TICK or (name in plain and _is_evident(plain[name], name, name in inside, looks[name])),
        )
        for name, word in said.items()
        if word
    ]
    worded = [field for field in shown if field.name in plain and not (field.number or field.parts)]
    kind = next(iter(worded), None)
    title = next((field for field in worded if field.name in inside and not field.is_letter), kind)
    named = (title.word, title.name) if title else (words.of("card"), "")
    text, look = words.text(values), suit(spec, values, words.look)
    return Face(*named, tuple(shown), status, copy, copies, text, look, kind if kind != title else None)


def _is_evident(type_: Type, field: str, is_in_name: bool, look: Look) -> bool:
    return type_.kind == "enum" and (is_in_name or (type_.name == field and bool(look.path)))


def _parts(deck: m.Deck, words: Words, name: str, card: Sequence[int]) -> Iterator[Part]:
    """What a card has for single members in a field: those of a set, or a value for each."""
    field = deck.per_member.get(name)
    if field is None:
        type_, value = deck.fields[name], card[deck.column(name)]
        members = range(MOST_MEMBERS) if type_.kind == "set" and value != NONE else ()
        by = Type("enum", name=type_.name)
        yield from (Part("", words.content(by, at), words.look(by, at)) for at in members if value >> at & 1)
        return
    by = Type("enum", field.enum)
    for at, column in enumerate(field.columns):
        value = card[deck.column(column)]
        if value not in (NONE, field.unwritten):
            word = "" if field.type.kind == "bool" else words.content(field.type, value)
            yield Part(word, words.content(by, at), words.look(by, at))
