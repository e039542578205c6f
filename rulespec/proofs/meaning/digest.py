"""The digest of a rule: eight hexadecimal digits that change with what the rule does, and not with how it is written.

The digest of a rule covers its own steps; of a rule or procedure inside, only where it applies. It covers everything
that these steps name, directly or through definitions: values, tables, zones, enums, rulings, procedures without a
rule, and what the cards show in the fields that are read.

The digest of a ruling covers its options and the steps, values and zones that depend on it.

What no rule refers to belongs to the remainder (`remainder_rule`), with all that concerns the whole game: the numbers
of players, the order of the rules, and the cards in their order. So every change of a program changes at least one
digest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from rulespec.language.model.spec import Deck, Spec
from rulespec.proofs.meaning.canonical import Form, Name, Parts, parts, reached


def digest(spec: Spec, id_: str) -> str:
    """The digest of a rule or ruling. Raises KeyError for an id that the spec does not have."""
    return digests(spec)[id_]


@lru_cache(maxsize=8)
def digests(spec: Spec) -> Mapping[str, str]:
    """The digest of every rule and ruling, by id."""
    return _Digests(spec).every()


@lru_cache(maxsize=8)
def parts_of(spec: Spec) -> Parts:
    """The parts of a spec that digests are made of."""
    return parts(spec, remainder_rule(spec))


@lru_cache(maxsize=8)
def hashes_of(spec: Spec) -> Mapping[Name, str]:
    """The digest of the form of each part of a spec."""
    return {name: hashed(part.form) for name, part in parts_of(spec).of.items()}


def remainder_rule(spec: Spec) -> str:
    """The rule that stands for all parts of a program that belong to no rule; empty for a spec without rules.

    It is the rule that leaves out cards, because most of the remainder concerns the cards; otherwise the first rule.
    """
    return spec.deck.leave_out_rule or next(iter(spec.rules), "")


class _Digests:
    """The digests of a spec. Declarations are hashed once each, and card fields once for each combination."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.remainder = remainder_rule(spec)
        self.parts = parts_of(spec)
        self.hashes = hashes_of(spec)
        self.faces: dict[tuple[str, ...], str] = {}

    def every(self) -> Mapping[str, str]:
        named = {id_: reached(self.parts.of, self.parts.of["rule", id_]) for id_ in self.spec.rules}
        if self.remainder:
            # Rules are no part of the remainder: each has a digest of its own.
            named[self.remainder] |= self.parts.of.keys() - set().union(*named.values()) - _rules(self.parts)
        found = {id_: self._rule(id_, names) for id_, names in named.items()}
        return found | {id_: self._ruling(id_) for id_ in self.spec.rulings}

    def _rule(self, id_: str, names: set[Name]) -> str:
        named: list[Form] = [f"{kind} {name} {self.hashes[kind, name]}" for kind, name in sorted(names)]
        printed = self._printed(tuple(sorted(name for kind, name in names if kind == "field")))
        whole = game_form(self.spec) if id_ == self.remainder else []
        return hashed([self.hashes["rule", id_], named, printed, *whole])

    def _printed(self, fields: tuple[str, ...]) -> str:
        """The hash of what cards show in some fields, whichever cards show it and however many."""
        if fields not in self.faces:
            columns = tuple(column for name in fields for column in self.spec.deck.columns_of(name))
            self.faces[fields] = hashed(_faces(self.spec.deck, columns))
        return self.faces[fields]

    def _ruling(self, id_: str) -> str:
        # Sorted, because declarations may come in any order.
        depending = sorted(map(hashed, self.parts.depending[id_]))
        return hashed([self.hashes["ruling", id_], *depending])


def game_form(spec: Spec) -> list[Form]:
    """What concerns the whole game: the numbers of players and the cards."""
    deck = spec.deck
    return [
        [spec.players.start, spec.players.stop],
        [deck.start, *deck.face],
        [*sorted(deck.fields)],
        # Fields by name: their order in the file has no effect on play.
        [list(card) for card in _columns(deck, sorted(deck.fields))],
    ]


def _rules(parts: Parts) -> set[Name]:
    return {name for name in parts.of if name[0] == "rule"}


def _columns(deck: Deck, fields: Iterable[str]) -> Iterator[tuple[int, ...]]:
    """Every card as its contents of some fields, in the order of the manifest."""
    columns = [deck.column(name) for name in fields]
    return (tuple(card[i] for i in columns) for card in deck.cards)


def _faces(deck: Deck, fields: tuple[str, ...]) -> list[Form]:
    """The combinations of contents of some fields that at least one card shows."""
    return [list(card) for card in sorted(set(_columns(deck, fields)))] if fields else []


def hashed(form: Form) -> str:
    """The digest of a form, eight hexadecimal digits."""
    return hashlib.sha256(json.dumps(form).encode()).hexdigest()[:8]
