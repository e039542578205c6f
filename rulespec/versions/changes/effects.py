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
from rulespec.versions.changes.change import KINDS, Change, Impact


@dataclass(frozen=True)
class Effects:
    """Judges the changes between two versions."""

    old: Spec
    new: Spec

    def judged(self, change: Change) -> Change:
        """The change with its impact."""
        fixed = KINDS[change.kind]
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
        return any(i.offered for spec in (self.old, self.new) for i in compile_program(settings(spec)[0]).code)

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


Place = tuple[str, int]
"""A register (`r`) or a zone (`z`) with its number."""


def decisive_rules(program: ir.Program) -> frozenset[str]:
    """The rules whose steps can change which decisions come, who makes them, or what is legal there."""
    return frozenset(program.rules[program.code[at].rule] for at in _slice(program) if program.code[at].rule >= 0)


def _slice(program: ir.Program) -> set[int]:
    """The instructions that a decision depends on, by its data or because they lead to it or away from it."""
    code = program.code
    writers: dict[Place, list[int]] = {}
    for at, i in enumerate(code):
        for place in _writes(i, program):
            writers.setdefault(place, []).append(at)
    controls = _controls(code)
    found: set[int] = set()
    waiting = [at for at, i in enumerate(code) if i.offered]
    while waiting:
        at = waiting.pop()
        if at not in found:
            found.add(at)
            waiting += controls[at]
            # Taken out: each place is followed once.
            waiting += (writer for place in _reads(code[at], program) for writer in writers.pop(place, ()))
    return found


def _reads(node: object, program: ir.Program) -> Iterator[Place]:
    """Registers and zones that an instruction or expression reads, without scratch registers."""
    for part in ir.walk(node):
        if isinstance(part, ir.Register) and part.slot >= 0:
            yield "r", part.slot
        elif isinstance(part, ir.Element):
            yield from (("r", part.base + i) for i in range(part.size) if part.base >= 0)
        elif isinstance(part, ir.Size | ir.Card | ir.Cards):
            yield from (("z", zone) for zone in ir.may_name(part.zone, program.zones))
        elif isinstance(part, ir.Instruction):
            for taken in ir.zones_of(part, ir.Role.TAKEN):
                yield from (("z", zone) for zone in ir.may_name(taken, program.zones))


def _writes(i: ir.Instruction, program: ir.Program) -> Iterator[Place]:
    yield from (("r", slot) for slot in ir.sets(i))
    for zone in ir.zones_of(i, ir.Role.CHANGED):
        yield from (("z", number) for number in ir.may_name(zone, program.zones))


def _controls(code: tuple[ir.Instruction, ...]) -> list[list[int]]:
    """For each place the forks that decide whether it comes (control dependence, after Ferrante et al. 1987)."""
    after = [tuple(_follows(code, at)) for at in range(len(code))]
    always = _always_follow(after)
    found: list[list[int]] = [[] for _ in code]
    for fork, ways in enumerate(after):
        if len(set(ways)) > 1:
            passed = 0
            for way in ways:
                passed |= always[way]
            strict = always[fork] & ~(1 << fork)
            for at in _members(passed & ~strict):
                found[at].append(fork)
    return found


def _always_follow(after: list[tuple[int, ...]]) -> list[int]:
    """For each place the set of places that follow on every way to the end, itself among them (bits of a number)."""
    every = (1 << len(after)) - 1
    found = [every] * len(after)
    changed = True
    while changed:
        changed = False
        # Backwards, since what follows a place mostly has a higher number: few rounds are needed.
        for at in range(len(after) - 1, -1, -1):
            shared = every if after[at] else 0
            for way in after[at]:
                shared &= found[way]
            if (new := shared | 1 << at) != found[at]:
                found[at], changed = new, True
    return found


def _members(bits: int) -> Iterator[int]:
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def _follows(code: tuple[ir.Instruction, ...], at: int) -> Iterator[int]:
    """The places that may come next. A game that leaves the bounds of a zone or a value is an error of its spec, so no
    decision depends on the test."""
    i = code[at]
    yield from (i.target,) if isinstance(i, ir.Branch) and _stops(code[at + 1]) else ir.ways(i, at)


def _stops(i: ir.Instruction) -> bool:
    """Whether an instruction reports that a zone or a value would leave its bounds."""
    return isinstance(i, ir.Note) and isinstance(i.report, ir.Bound) and i.report.thing >= 0
