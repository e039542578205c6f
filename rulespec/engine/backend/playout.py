"""Playouts: the program as one function from the deal to the ranking, with uniformly random players built in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from rulespec.engine import ir
from rulespec.engine.backend.aggregates import aggregates
from rulespec.engine.backend.choosing import Choosing, plain_interval
from rulespec.engine.backend.flow import Flow, goes_on
from rulespec.engine.backend.statements import Arm, Statements
from rulespec.engine.closures import SILENT, onward
from rulespec.model.types import NONE


def variables(program: ir.Program) -> frozenset[int]:
    """The registers that are never accessed by an index: they become variables."""
    indexed = {slot for node in _indexed(program) for slot in range(node.base, node.base + node.size)}
    return frozenset(range(len(program.start))) - indexed


def _indexed(program: ir.Program) -> list[ir.Element | ir.Let]:
    found: list[ir.Element | ir.Let] = []
    for instruction in program.code:
        found += [node for node in ir.walk(instruction) if isinstance(node, ir.Element)]
        if isinstance(instruction, ir.Let) and not isinstance(instruction.index, ir.Const):
            found.append(instruction)
    return found


def used(lines: Iterable[str]) -> list[int]:
    """The registers that occur in source as variables, in order."""
    return sorted({int(slot) for line in lines for slot in re.findall(r"\br(\d+)\b", line.partition("#")[0])})


class PlayoutWriter:
    """Writes the body of the function that plays one game, in the dialect of a writer."""

    def __init__(self, writer: Choosing, program: ir.Program, tally: bool = False) -> None:
        self.w, self.program = writer, program
        self.w.aggregates = aggregates(program)
        self.follows = onward(program.code, tuple(kind for kind in SILENT if not (tally and kind is ir.Note)))

    def write(self) -> None:
        flow = Flow([self.follows[0]], self._successors)
        (head,) = flow.heads
        Statements(self.w, self._work, self._ways, _nowhere).write(flow.tree(head))

    def _successors(self, place: int) -> Sequence[int]:
        i, follows = self.program.code[place], self.follows
        if isinstance(i, ir.Choose):
            none = [follows[i.none]] if _may_be_empty(i) else []
            return [*none, *(follows[option.target] for option in i.options)]
        return goes_on(i, place, follows)

    def _ways(self, place: int) -> list[Arm]:
        i = self.program.code[place]
        self.w.under(i.rule)
        if isinstance(i, ir.Branch):
            return [(partial(self._unless, i), None), (None, None)]
        return self._choose(i) if isinstance(i, ir.Choose) else []

    def _unless(self, i: ir.Branch) -> str:
        return f"not {self.w.test(i.condition)}"

    def _work(self, place: int) -> None:
        w, i = self.w, self.program.code[place]
        w.under(i.rule)
        if isinstance(i, ir.Choose):
            self._write_arms(self._choose(i))
        elif isinstance(i, ir.Secret):
            self._secret(i)
        elif isinstance(i, ir.Note):
            w.note(place, i)
        elif isinstance(i, ir.End):
            w.finish()
        else:
            w.instruction(i)
        w.available.happened(i)

    # choices

    def _choose(self, i: ir.Choose) -> list[Arm]:
        """Counts the legal actions of each option; then draws one and takes the arm of its option."""
        w = self.w
        counted = [w.count(option) for option in i.options]
        bounds, bound = [], ""
        for count, _ in counted:
            bound = w.once(f"{bound} + {count}" if bound else count)
            bounds.append(bound)
        index = w.name("k")
        arms: list[Arm] = [(lambda: f"not {bounds[-1]}", None)] if _may_be_empty(i) else []
        for number, option in enumerate(i.options):
            below = bounds[number - 1] if number else ""
            bind = partial(self._bind, option, counted[number][1], index, below)
            begin = partial(self._decide, index, bounds[-1]) if not number else None
            last = number == len(i.options) - 1
            if last:
                arms.append((None, partial(_one_after_the_other, begin, bind)))
            else:
                arms.append((partial(_asked, begin, f"{index} < {bounds[number]}"), bind))
        return arms

    def _write_arms(self, arms: Sequence[Arm]) -> None:
        """Writes a choice after which play goes on at one place, whatever is chosen."""
        (condition, first), *others = arms
        if condition is None:
            if first is not None:
                first()
            return
        with self.w.inside(f"if {condition()}:"):
            if first is not None:
                first()
        with self.w.inside("else:"):
            self._write_arms(others)

    def _decide(self, index: str, bound: str) -> None:
        self.w.draw("policy", bound, index)
        self.w.put("decisions += 1")

    def _bind(self, option: ir.Option, legal: str, index: str, below: str) -> None:
        """Binds the picks of an option for the legal action at an index."""
        w = self.w
        if not option.picks:
            return
        place = f"{index} - {below}" if below else index
        if plain_interval(option) is not None:
            w.available.changed([option.picks[0].slot])
            w.put(f"{w.register(option.picks[0].slot)} = {legal} + {place}")
        else:
            w.bind(option, w.chosen(legal, option.size, w.once(place)))

    def _secret(self, i: ir.Secret) -> None:
        """All players choose before any choice is carried out."""
        w, taken = self.w, []
        for asking in i.askings:
            chosen = w.register(asking.chosen)
            w.put(f"{chosen} = {NONE}")
            with w.inside(f"if {w.test(asking.asked)}:"):
                counted = [w.count(option) for option in asking.options]
                bounds = [" + ".join(count for count, _ in counted[: n + 1]) for n in range(len(counted))]
                total = w.once(bounds[-1])
                with w.inside(f"if {total} > 0:"):
                    index = w.name("k")
                    self._decide(index, total)
                    actions = self._note_choice(asking, counted, bounds, index, chosen)
            taken.append((asking, chosen, actions))
        w.none_taken()
        for asking, chosen, actions in taken:
            for number, (option, action) in enumerate(zip(asking.options, actions, strict=True)):
                if option.picks:
                    with w.inside(f"if {chosen} == {number}:"):
                        w.bind(option, action, secret=True)
                        for pick in option.picks:
                            if pick.type.kind == "card":
                                w.take(w.register(pick.slot))

    def _note_choice(
        self, asking: ir.Asking, counted: list[tuple[str, str]], bounds: list[str], index: str, chosen: str
    ) -> list[str]:
        """Stores the option of the drawn action and the action itself in variables; returns those of the actions."""
        w, actions = self.w, [self.w.name("a") for _ in asking.options]
        for number, (option, (_, legal)) in enumerate(zip(asking.options, counted, strict=True)):
            below = f"({bounds[number - 1]})" if number else "0"
            with w.inside(f"if {below} <= {index} < {bounds[number]}:"):
                w.put(f"{chosen} = {number}")
                place = f"{index} - {below}" if number else index
                if plain_interval(option) is not None:
                    w.put(f"{actions[number]} = {legal} + {place} - {option.picks[0].domain.least}")  # type: ignore[union-attr]
                elif option.picks:
                    w.put(f"{actions[number]} = {w.chosen(legal, option.size, w.once(place))}")
        return actions


def _nowhere(place: int) -> str:
    raise AssertionError(f"a playout never leaves its function (place {place})")


def _asked(begin: Callable[[], None] | None, test: str) -> str:
    _one_after_the_other(begin)
    return test


def _one_after_the_other(*writers: Callable[[], None] | None) -> None:
    for write in writers:
        if write is not None:
            write()


def _may_be_empty(i: ir.Choose) -> bool:
    """Whether the choice may have no legal action."""
    return i.none >= 0 and not any(option.condition is None and not option.picks for option in i.options)
