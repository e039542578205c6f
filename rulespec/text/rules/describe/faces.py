"""The faces of cards in the words of a language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import regex

from rulespec.language.model.spec import Spec
from rulespec.language.model.types import NONE, Type
from rulespec.text.rules.describe.grammar import Grammar
from rulespec.text.rules.describe.terms import Names, Unnamed

_FIELD = regex.compile(r"{(\w+)}")


def face(names: Names, grammar: Grammar, number: int, case: str = "") -> str:
    """A card as its face shows it, field by field; the first of them is in the case.

    Raises Unnamed for a name that the spec puts together with words of its own, in any language but that of specs.
    """
    deck = names.spec.deck
    card = deck.cards[deck.first_of_face[number]]
    pattern = deck.names.get(card[deck.column(deck.face[0])]) if deck.face else None
    if pattern is None:
        shown = [_labelled(names, grammar, card, name, case) for name in _label(names.spec)]
        name = _joined(grammar, shown)
        return grammar.derived(name, "face") or name
    words = {name: _field(names, grammar, card, name, case) for name in _FIELD.findall(pattern)}
    if not regex.search(r"\w", _FIELD.sub("", pattern)):
        return _joined(grammar, list(words.values()))
    if names.whole:
        raise Unnamed(pattern)
    return " ".join(_FIELD.sub(lambda found: words[found[1]], pattern).split())


@lru_cache(maxsize=64)
def _label(spec: Spec) -> Sequence[str]:
    """The first fields of faces that no two faces share: what else stands on an ornament with a name is not said."""
    deck = spec.deck
    fields = [name for name, _ in deck.together(deck.face)]
    is_enum = [deck.declared[name].kind == "enum" for name in fields]
    for number in range(1, len(fields)):
        columns = [deck.column(one) for name in fields[:number] for one in deck.columns_of(name)]
        distinct = {tuple(deck.cards[card][one] for one in columns) for card in deck.first_of_face}
        if is_enum[0] and len(distinct) == len(deck.first_of_face):
            return fields[:number]
    return fields


def _columns(spec: Spec) -> list[str]:
    return [column for name in _label(spec) for column in spec.deck.columns_of(name)]


def only_member(spec: Spec, number: int) -> str:
    """The member of an enum that is all that a face shows; "" for any other face."""
    deck = spec.deck
    card = deck.cards[deck.first_of_face[number]]
    pattern = deck.names.get(card[deck.column(deck.face[0])], "") if deck.face else ""
    columns = [column for name in _FIELD.findall(pattern) for column in deck.columns_of(name)] or _columns(spec)
    shown = [(deck.fields[one], card[deck.column(one)]) for one in columns if card[deck.column(one)] != NONE]
    is_member = len(shown) == 1 and shown[0][0].kind == "enum"
    return f"{shown[0][0].name}.{spec.member(*shown[0])}" if is_member else ""


def _labelled(names: Names, grammar: Grammar, card: Sequence[int], name: str, case: str) -> str:
    """A field with its name, if it has a value for each member: these say nothing without it."""
    words = _field(names, grammar, card, name, case)
    return f"{names.word(name)} {words}" if words and name in names.spec.deck.per_member else words


def _field(names: Names, grammar: Grammar, card: Sequence[int], name: str, case: str) -> str:
    deck = names.spec.deck
    return deck.words(card, deck.columns_of(name), lambda type_, value: _content(names, grammar, type_, value, case))[
        name
    ]


def _content(names: Names, grammar: Grammar, type_: Type, value: int, case: str) -> str:
    if value == NONE:
        return ""
    if type_.kind == "bool":
        return grammar.labels["yes" if value else "no"]
    if type_.kind not in ("enum", "set"):
        return grammar.number(value)
    members = (f"{type_.name}.{member}" for member in names.spec.member(type_, value).split())
    return " ".join(names.form(member, case) or _uninflected(names, grammar, member, case) for member in members)


def _uninflected(names: Names, grammar: Grammar, member: str, case: str) -> str:
    """A member without a form in a case: where it is the title of a card, it can stand behind a word for cards."""
    words = names.word(member)
    is_title = member not in names.nouns and member in names.titles
    return (grammar.derived(words, f"title_{case}") if is_title else None) or words


def _joined(grammar: Grammar, words: Sequence[str]) -> str:
    """The fields of a face: a letter alone distinguishes a card from others with the same words and numbers."""
    separator, _ = grammar.lists["face"]
    first, *rest = [word for word in words if word] or [""]
    return first + "".join(_letter(grammar, word) if _LETTER.fullmatch(word) else separator + word for word in rest)


def _letter(grammar: Grammar, word: str) -> str:
    return grammar.frames["face_letter"].fill(lambda slot: word) or ""


_LETTER = regex.compile(r"[A-Z]")
