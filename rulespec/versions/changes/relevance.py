"""Which rules the decisions of a game depend on: a backward slice of its program from all decisions."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.engine.program import ir

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
