"""Numbers of a raw text that no rule of their sentence has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rulespec.text.content import ByKey, ByPlayers, Extent, Fact, Number
from rulespec.text.evidence import judge
from rulespec.text.facts import of_rule
from rulespec.text.once import once
from rulespec.text.quantity import Kind, Quantity
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.columns import columns
from rulespec.text.raw.justifying import is_counted_by, is_known, other_players
from rulespec.text.raw.keyed import keyed_tables
from rulespec.text.raw.segments import Role
from rulespec.text.raw.slots import beside, misfits, ranges
from rulespec.text.reading import Reading


@dataclass(frozen=True)
class Unjustified:
    """A number, the rule that its sentence seems to state, and what that rule has instead; "" if that is not clear."""

    quantity: Quantity
    rule: str
    instead: str


def unjustified(alignment: Alignment) -> Sequence[Unjustified]:
    """The numbers that none of the rules justifies which their sentence may state."""
    return once(alignment.reading, "unjustified", lambda: list(_unjustified(alignment)))


def _unjustified(alignment: Alignment) -> Iterator[Unjustified]:
    in_tables = set(_in_tables(alignment))
    for index in alignment.scores:
        segment = alignment.segments[index]
        rules = _rules(index, alignment)
        if rules and segment.role in (Role.RULE, Role.TABLE, Role.COMPONENT):
            part = alignment.part(segment)
            for quantity in part.quantities:
                if _is_of_others(quantity, rules, part, alignment):
                    yield Unjustified(_last(quantity, part), rules[0], _all_players(alignment))
                elif quantity not in in_tables and not _is_edition(quantity, part, alignment):
                    yield from _judged(quantity, rules, bool(alignment.candidates(index)), part, alignment)


def _is_edition(quantity: Quantity, part: Reading, alignment: Alignment) -> bool:
    """Whether a line has only the number of players that a rulebook is for: “Players: 5”."""
    player = alignment.book.concepts.get("player", "player")
    if len(part.quantities) > 1 or quantity.value not in alignment.book.spec.players or player not in part.places:
        return False
    rest = part.text[part.start : quantity.start] + part.text[quantity.end : part.end]
    return len(rest.split()) <= 1


def _is_of_others(quantity: Quantity, rules: Sequence[str], part: Reading, alignment: Alignment) -> bool:
    """Whether a number of players is none of the game, whatever row it stands in. A rule may count people itself."""
    players, said = alignment.book.spec.players, part.counts.get(quantity.start, ())
    if len(players) == 1 or quantity.value == 1 or all(n in players for n in said):
        return False
    right_start = quantity.high is None or quantity.value in players
    return right_start and not any(is_counted_by(rule, quantity, part, alignment) for rule in rules)


def _all_players(alignment: Alignment) -> str:
    players = alignment.book.spec.players
    return f"{players[0]} to {players[-1]} players"


def _in_tables(alignment: Alignment) -> Iterator[Quantity]:
    """The numbers of the tables that state a fact, and the numbers of players of all tables."""
    for column in columns(alignment):
        for row, cell in column.cells:
            yield from (cell, *row.keys)
    for table in keyed_tables(alignment):
        yield from table.cells


def _rules(index: int, alignment: Alignment) -> Sequence[str]:
    """The rules that a sentence may state; if it fits none, those of the sentences beside it in its section."""
    mine = alignment.candidates(index)
    if mine:
        return mine
    section = alignment.segments[index].section
    near = (i for i in (index - 1, index + 1) if i in alignment.scores and alignment.segments[i].section == section)
    return tuple(dict.fromkeys(rule for i in near for rule in alignment.candidates(i)))


def _judged(
    quantity: Quantity, rules: Sequence[str], own: bool, part: Reading, alignment: Alignment
) -> Iterator[Unjustified]:
    """What is wrong with a number. Where the rules are not the sentence's `own`, they must have another number."""
    if quantity.start in part.counts and (players := other_players(quantity, rules, part, alignment)):
        yield Unjustified(quantity, rules[0], players)
    elif quantity in alignment.row_keys:
        return
    elif not is_known(quantity, rules, part, alignment):
        wrong, instead = _wrong_end(quantity, rules, part, alignment), _instead(quantity, rules, part, alignment)
        if instead or own:
            yield Unjustified(wrong, rules[0], instead)
    elif (better := misfits(alignment).get(quantity)) is not None:
        yield Unjustified(quantity, better.rule, str(better))


def _wrong_end(quantity: Quantity, rules: Sequence[str], part: Reading, alignment: Alignment) -> Quantity:
    """The last number of a range whose first number is right."""
    players = alignment.book.spec.players
    known = {(low, high) for rule in rules for low, high in ranges(rule, alignment)}
    lows = {low for low, _ in known} | ({players[0]} if quantity.start in part.counts else set())
    if quantity.kind != Kind.RANGE or quantity.value not in lows:
        return quantity
    return _last(quantity, part)


def _last(quantity: Quantity, part: Reading) -> Quantity:
    """The second number of a range, else the number itself."""
    ends = list(_NUMBER.finditer(part.text, quantity.start, quantity.end)) if quantity.high is not None else []
    return replace(quantity, start=ends[-1].start()) if ends else quantity


_NUMBER = re.compile(r"\d+|[^\W\d]+")


def _instead(quantity: Quantity, rules: Sequence[str], part: Reading, alignment: Alignment) -> str:
    """The number of a rule that the sentence lacks: of what is named beside the number, else the only one it lacks."""
    spec, concepts = alignment.book.spec, alignment.book.concepts
    if quantity.kind == Kind.RANGE and quantity.start in part.counts:
        return _all_players(alignment)
    facts = [fact for rule in rules for fact in of_rule(spec, rule) if not fact.derived and _has_number(fact)]
    lacking = [fact for fact in facts if not judge(fact, part, concepts).stated]
    near = beside(quantity, part)
    counted = [fact for fact in lacking if _counted(fact) in near]
    return str((counted or lacking)[0].content) if counted or len(lacking) == 1 else ""


def _has_number(fact: Fact) -> bool:
    return isinstance(fact.content, Number | ByPlayers | ByKey | Extent)


def _counted(fact: Fact) -> str:
    return fact.content.of if isinstance(fact.content, Number | ByPlayers | ByKey) else ""
