"""The impact of a change that depends on the program: whether a decision depends on what has changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from itertools import count, islice
from weakref import WeakKeyDictionary

from rulespec.engine.program import ir
from rulespec.engine.program.compile import compile_program
from rulespec.language.model.constants import Setting, settings
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.digest import remainder_rule
from rulespec.proofs.meaning.rules import propositions
from rulespec.versions.changes.change import Change
from rulespec.versions.changes.kinds import Impact
from rulespec.versions.changes.relevance import decisive_rules


@dataclass(frozen=True)
class Effects:
    """Judges the changes between two versions."""

    old: Spec
    new: Spec

    def judged(self, change: Change) -> Change:
        """The change with its impact."""
        fixed = change.of.impact
        return replace(change, impact=self._by_effect(change) if fixed is None else fixed)

    def _by_effect(self, change: Change) -> Impact:
        """Breaking if a decision depends on a rule that the change concerns.

        What no rule does anything with concerns texts if a rule or a fact mentions it, else data only.
        """
        if change.kind == "field-changed" and self._only_wider(change.name):
            return Impact.DATA
        concerned = set(change.rules)
        if change.kind == "cards-changed" or concerned & {self.old.deck.leave_out_rule, self.new.deck.leave_out_rule}:
            return Impact.BREAKING if self._decides else Impact.PLAY
        if concerned & self._acting:
            return Impact.BREAKING if any(concerned & rules for rules in self._decisive) else Impact.PLAY
        if change.kind == "answer-changed":  # of a ruling about who sees a zone
            return Impact.PLAY
        return Impact.TEXT if concerned or change.name in self._mentioned else Impact.DATA

    def _only_wider(self, field: str) -> bool:
        """Whether a field may hold other numbers now, which no card shows: a card that does is a change of its own.

        A number that players choose may have the range of a field, so there must be as many actions as before.
        """
        types = [spec.deck.declared.get(field) for spec in (self.old, self.new)]
        numbers = all(one is not None and one.kind == "int" for one in types)
        return numbers and all(
            _same_actions(*both) for both in zip(settings(self.old), settings(self.new), strict=False)
        )

    @cached_property
    def _mentioned(self) -> frozenset[str]:
        """The names in the facts that texts must state, in either version."""
        return frozenset(_names((self.old.states, self.new.states)))

    @cached_property
    def _acting(self) -> frozenset[str]:
        """The rules that do something, in either version."""
        stated = (propositions(spec) for spec in (self.old, self.new))
        return frozenset(rule for one in stated for rule, said in one.items() if said) | {
            remainder_rule(self.old),
            remainder_rule(self.new),
        }

    @cached_property
    def _decides(self) -> bool:
        return any(i.offered for spec in (self.old, self.new) for i in _first(spec).code)

    @property
    def _decisive(self) -> Iterator[frozenset[str]]:
        """The rules that a decision depends on, in each setting of either version.

        Programs are made when they are asked for: most changes are seen in the first.
        """
        for number in count():
            found = [one for spec in (self.old, self.new) if (one := _in_setting(spec, number)) is not None]
            if not found:
                return
            yield from found


_KNOWN: WeakKeyDictionary[Spec, dict[int, frozenset[str] | None]] = WeakKeyDictionary()


def _in_setting(spec: Spec, number: int) -> frozenset[str] | None:
    """The rules that a decision depends on in one setting of a spec; None if it has no more settings."""
    known = _KNOWN.setdefault(spec, {})
    if number not in known:
        setting = next(islice(_every(spec), number, None), None)
        known[number] = None if setting is None else decisive_rules(compile_program(setting))
    return known[number]


def _same_actions(old: Setting, new: Setting) -> bool:
    """Whether both versions have the same number of actions for every option in a setting."""
    was, now = ([option.size for option in compile_program(one).options] for one in (old, new))
    return was == now


def _first(spec: Spec) -> ir.Program:
    return compile_program(settings(spec)[0])


def _every(spec: Spec) -> Iterator[Setting]:
    """The settings of all numbers of players, with each other answer to a ruling once."""
    yield from settings(spec)
    for ruling in spec.rulings.values():
        for option in range(1, len(ruling.options)):
            yield from settings(spec, {ruling.id: option})


def _names(node: object) -> Iterator[str]:
    """All texts in a value of the model: names of declarations are among them."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, Mapping):
        yield from _names(tuple(node.values()))
    elif isinstance(node, tuple):
        for item in node:
            yield from _names(item)
    elif is_dataclass(node):
        yield from _names(tuple(getattr(node, part.name) for part in fields(node)))
