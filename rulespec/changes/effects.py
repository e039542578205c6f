"""The impact of a change that depends on the program: whether a decision can come after what has changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count, islice

from rulespec.changes.change import Change
from rulespec.changes.kinds import Impact
from rulespec.engine import ir
from rulespec.engine.program import compile_program
from rulespec.meaning import propositions, remainder_rule
from rulespec.model.constants import Setting, settings
from rulespec.model.spec import Spec


@dataclass(frozen=True)
class Effects:
    """Judges the changes between two versions."""

    old: Spec
    new: Spec
    _known: dict[tuple[Spec, int], frozenset[str] | None] = field(default_factory=dict, repr=False)

    def judged(self, change: Change) -> Change:
        """The change with its impact."""
        fixed = change.of.impact
        return replace(change, impact=self._by_effect(change) if fixed is None else fixed)

    def _by_effect(self, change: Change) -> Impact:
        """Breaking if a decision can follow a rule that the change concerns; text if no rule does anything with it."""
        concerned = set(change.rules)
        if change.kind == "cards-changed":
            concerned |= {remainder_rule(self.new), remainder_rule(self.old)}
            if self._decides:
                return Impact.BREAKING
        if any(concerned & before for before in self._before_decisions):
            return Impact.BREAKING
        return Impact.PLAY if concerned & self._acting else Impact.TEXT

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
        return any(isinstance(i, _DECISIONS) for spec in (self.old, self.new) for i in _first(spec).code)

    @property
    def _before_decisions(self) -> Iterator[frozenset[str]]:
        """The rules after which a player may decide something, in each setting of either version.

        Programs are made when they are asked for: most changes are seen in the first.
        """
        for number in count():
            found = [one for spec in (self.old, self.new) if (one := self._in_setting(spec, number)) is not None]
            if not found:
                return
            yield from found

    def _in_setting(self, spec: Spec, number: int) -> frozenset[str] | None:
        if (spec, number) not in self._known:
            setting = next(islice(_every(spec), number, None), None)
            self._known[spec, number] = None if setting is None else _before_decisions(setting)
        return self._known[spec, number]


_DECISIONS = (ir.Choose, ir.Secret)


def _first(spec: Spec) -> ir.Program:
    return compile_program(settings(spec)[0])


def _before_decisions(setting: Setting) -> frozenset[str]:
    program = compile_program(setting)
    reaching = _reaching(program)
    return frozenset(program.rules[i.rule] for at, i in enumerate(program.code) if at in reaching and i.rule >= 0)


def _every(spec: Spec) -> Iterator[Setting]:
    """The settings of all numbers of players, with each other answer to a ruling once."""
    yield from settings(spec)
    for ruling in spec.rulings.values():
        for option in range(1, len(ruling.options)):
            yield from settings(spec, {ruling.id: option})


def _reaching(program: ir.Program) -> set[int]:
    """The places from which a decision can be reached."""
    code = program.code
    back: Mapping[int, list[int]] = {place: [] for place in range(len(code) + 1)}
    for place, i in enumerate(code):
        for after in _follows(i, place):
            back[after].append(place)
    waiting = [place for place, i in enumerate(code) if isinstance(i, _DECISIONS)]
    found = set(waiting)
    while waiting:
        more = [before for before in back[waiting.pop()] if before not in found]
        found.update(more)
        waiting += more
    return found


def _follows(i: ir.Instruction, place: int) -> Iterator[int]:
    """The places that may come next."""
    if isinstance(i, ir.Choose):
        yield from (place for place in (i.none, *(option.target for option in i.options)) if place >= 0)
    elif isinstance(i, ir.Branch):
        yield from (i.target, place + 1)
    elif isinstance(i, ir.Jump):
        yield i.target
    elif not isinstance(i, ir.End):
        yield place + 1
