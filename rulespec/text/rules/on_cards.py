"""The texts of cards that do something: those of the rules of members, with numbers in place of placeholders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rulespec.language.model.spec import Enum, Spec
from rulespec.language.model.types import NONE, Type, enum
from rulespec.text.reading.placeholders import filled
from rulespec.text.reading.translation import Passage, Translation


def filled_translation(translation: Translation, spec: Spec) -> Translation:
    """A translation with the numbers of a spec in place of the placeholders in the texts of cards."""
    rules = {id_: filled_passage(one, spec, translation.lang) for id_, one in translation.rules.items()}
    changed = any(rules[id_] is not one for id_, one in translation.rules.items())
    return replace(translation, rules=rules) if changed else translation


def filled_passage(passage: Passage, spec: Spec, lang: str) -> Passage:
    """The text of a rule in a language (a BCP 47 tag) with numbers in place of its placeholders; that of a rule of no
    card as it is."""
    if "{" not in passage.written.text or passage.id not in spec.member_rules:
        return passage
    return replace(passage, text=filled(passage.written, numbers(spec, passage.id), lang))


def numbers(spec: Spec, rule: str) -> Mapping[str, int]:
    """The numbers of the member whose effects a rule is, by name: its attributes, and the fields of its cards that are
    the same on all of them. Those by another enum have its members in brackets: `cost[red]`."""
    own, member = spec.member_rules[rule]
    return {**dict(_on_cards(spec, enum(own.name), member)), **dict(_attributes(spec, own, member))}


def _attributes(spec: Spec, own: Enum, member: int) -> Iterator[tuple[str, int]]:
    for name, table in spec.tables.items():
        if name.startswith(f"{own.name}.") and table.by[0] == enum(own.name) and table.type.kind == "int":
            for (at, *more), value in table.rows.items():
                if at == member and value != NONE:
                    by = [spec.member(index, one) for index, one in zip(table.by[1:], more, strict=True)]
                    yield name.partition(".")[2] + "".join(f"[{one}]" for one in by), value


def _on_cards(spec: Spec, own: Type, member: int) -> Iterator[tuple[str, int]]:
    fields = spec.deck.fields
    named = [at for at, type_ in enumerate(fields.values()) if (type_.kind, type_.name) == (own.kind, own.name)]
    cards = [card for card in spec.deck.cards if any(card[at] == member for at in named)]
    for at, (name, type_) in enumerate(fields.items()):
        values = {card[at] for card in cards}
        if type_.kind == "int" and len(values) == 1 and NONE not in values:
            yield name, values.pop()
