"""Numbers of a raw text that no rule of their sentence has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice

from rulespec.text.languages.quantity import Kind, Quantity
from rulespec.text.raw.alignment import Alignment
from rulespec.text.raw.columns import columns
from rulespec.text.raw.justifying import is_counted_by, is_counted_somewhere, is_known, other_players
from rulespec.text.raw.keyed import keyed_tables
from rulespec.text.raw.marks import denies
from rulespec.text.raw.near import near
from rulespec.text.raw.segments import Role
from rulespec.text.raw.slots import FEW, beside, in_figures, misfits, ranges
from rulespec.text.reading.mentions import Reading
from rulespec.text.reading.once import once
from rulespec.text.rules.content import ByKey, ByPlayers, Extent, Fact, Number, with_players
from rulespec.text.rules.evidence import judge, same
from rulespec.text.rules.facts import of_rule

SERIES = 3
"""The least length of a list of numbers that counts on."""

STEPS, WITHIN = 2, Fraction(3, 2)
"""The most by which two numbers differ that a writer takes for each other, or else by what factor. Of 85 changed
numbers in the summaries for development every one is so near; of 14 numbers taken for another one by mistake, 3."""


CLEAR = 1.0
"""The score (0 to 2) from which it is clear what a sentence states. By the unseen texts: of the numbers that no rule
has, 8 of 11 are wrong from here on, and below it 4 of 12."""


COMMON = 0.6
"""The score from which a sentence has enough in common with a rule that a number which no rule has is wrong."""


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
    opening = list(_of_opening(alignment))
    known = {one.quantity.start for one in opening}
    yield from opening
    yield from (one for one in _of_rules(alignment) if one.quantity.start not in known)


OPENING = 3
"""In how many segments at its start a text says for how many players the game is."""


def _of_opening(alignment: Alignment) -> Iterator[Unjustified]:
    """The first range of players of a text, if one end is wrong, and if the text has the range of the game nowhere."""
    reading, players = alignment.reading, alignment.book.spec.players
    ranges_ = [one for one in reading.quantities if one.high is not None]
    if len(players) == 1 or any(one.value == players[0] and one.high == players[-1] for one in ranges_):
        return
    title, opening = alignment.segments[0].end, alignment.segments[:OPENING][-1].end
    counting = (one for one in ranges_ if one.start < title or (one.start in reading.counts and one.start < opening))
    for one in islice(counting, 1):
        if (one.value == players[0]) != (one.high == players[-1]) and one not in alignment.row_keys:
            wrong = _last(one, reading) if one.value == players[0] else one
            yield Unjustified(wrong, alignment.statements.rules[0], _all_players(alignment))


def _of_rules(alignment: Alignment) -> Iterator[Unjustified]:
    in_tables = {*_in_tables(alignment), *_in_series(alignment.reading), *_of_nothing(alignment)}
    for index in alignment.scores:
        segment = alignment.segments[index]
        rules = _rules(index, alignment)
        if rules and segment.role in (Role.RULE, Role.TABLE, Role.COMPONENT) and _is_worded(index, alignment):
            part = alignment.part(segment)
            found: list[Unjustified] = []
            for quantity in part.quantities:
                if _is_of_others(quantity, rules, part, alignment):
                    found.append(Unjustified(_last(quantity, part), rules[0], _all_players(alignment)))
                elif not (
                    quantity in in_tables or _is_in_title(quantity, part.text) or _is_edition(quantity, part, alignment)
                ):
                    found += _judged(quantity, rules, _is_clear(index, alignment), part, alignment)
            yield from _credible(found, part)


def _credible(found: Sequence[Unjustified], part: Reading) -> Iterator[Unjustified]:
    """Without the numbers that no rule has if most numbers of a sentence are such: then it is about something else, as
    a writer slips once."""
    unknown = sum(not one.instead for one in found)
    amounts = sum(one.start not in part.counts for one in part.quantities)
    strange = unknown >= SERIES and 2 * unknown > amounts
    yield from (one for one in found if one.instead or not strange)


def _is_in_title(quantity: Quantity, text: str) -> bool:
    """Whether a number is in the first line of a text, and that is no sentence: table 14. `_of_opening` reads what it
    says of players."""
    line, more, _ = text.partition("\n")
    return bool(more) and quantity.end <= len(line) <= TITLE and line.rstrip()[-1].isalnum()


TITLE = 60
"""The longest first line that may be a title."""


def _is_worded(index: int, alignment: Alignment) -> bool:
    """Whether the paragraph of a segment has words. Bare numbers, as from a picture, do not say what they count."""
    mine, text = alignment.segments[index], alignment.reading.text
    around = (one for one in alignment.segments[max(0, index - ROWS) : index + ROWS] if one.paragraph == mine.paragraph)
    return any(char.isalpha() and char not in "x×" for one in around for char in text[one.start : one.end])


ROWS = 12
"""How many rows before and after one are looked through for words."""


def _is_edition(quantity: Quantity, part: Reading, alignment: Alignment) -> bool:
    """Whether a line has only the number of players that a rulebook is for: “Players: 5”."""
    player = alignment.book.concepts.get("player", "player")
    if len(part.quantities) > 1 or quantity.value not in alignment.game.players or player not in part.places:
        return False
    rest = part.text[part.start : quantity.start] + part.text[quantity.end : part.end]
    return len(rest.split()) <= 1


def _is_of_others(quantity: Quantity, rules: Sequence[str], part: Reading, alignment: Alignment) -> bool:
    """Whether a number of players is none of the game, whatever row it stands in. A rule may count people itself."""
    players, said = alignment.book.spec.players, part.counts.get(quantity.start, ())
    if len(players) == 1 or quantity.value == 1 or all(n in players for n in said):
        return False
    named = alignment.book.concepts.get("player", "player") in beside(quantity, part)
    if not named and not any(is_slip(quantity, end) for end in (players[0], players[-1])):
        return False  # thirteen people are no players
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


def _in_series(reading: Reading) -> Iterator[Quantity]:
    """The numbers of a list that counts on: values of 1, 2 and 3. Together they are a range."""
    run: list[Quantity] = []
    for one in reading.quantities:
        if run and not _counts_on(run[-1], one, reading):
            run = []
        run.append(one)
        if len(run) >= SERIES:
            yield from run


def _counts_on(one: Quantity, other: Quantity, reading: Reading) -> bool:
    amounts = one.kind == other.kind == Kind.CARDINAL and other.value == one.value + 1
    return amounts and bool(reading.language.joint.fullmatch(reading.text, one.end, other.start))


def _of_nothing(alignment: Alignment) -> Iterator[Quantity]:
    """The zeros of sentences that say what there is not: if it is 0, there is no tile."""
    for index in alignment.scores:
        sentence = alignment.sentence(index)
        if any(map(denies, sentence.contrasts)):
            yield from (one for one in sentence.quantities if not one.value)


def _rules(index: int, alignment: Alignment) -> Sequence[str]:
    """The rules that a sentence may state; if it fits none, those of the sentences beside it in its section."""
    mine = alignment.candidates(index)
    if mine:
        return mine
    section = alignment.segments[index].section
    near = (i for i in (index - 1, index + 1) if i in alignment.scores and alignment.segments[i].section == section)
    return tuple(dict.fromkeys(rule for i in near for rule in alignment.candidates(i)))


def _is_clear(index: int, alignment: Alignment) -> bool:
    """Whether it is clear which rules a sentence states, so that a number that they do not have is wrong."""
    return bool(alignment.candidates(index)) and max(alignment.scores[index].values()) >= CLEAR


def _judged(
    quantity: Quantity, rules: Sequence[str], clear: bool, part: Reading, alignment: Alignment
) -> Iterator[Unjustified]:
    """What is wrong with a number. Where it is not `clear` which rules its sentence states, they must have another
    number."""
    if clear and quantity.start in part.counts and (players := other_players(quantity, rules, part, alignment)):
        yield Unjustified(quantity, rules[0], players)
    elif quantity in alignment.row_keys or (not quantity.value and quantity in alignment.reading.row_of):
        return  # a table has 0 for the players with whom a rule has no effect
    elif not is_known(quantity, rules, part, alignment):
        wrong = _wrong_end(quantity, part, alignment)
        instead = _for_others(quantity, rules, alignment) or _instead(quantity, rules, part, alignment)
        sure = (clear or _is_foreign(quantity, part, alignment)) and not _is_in_passing(quantity, part)
        if sure or (instead and (clear or not is_counted_somewhere(quantity, part, alignment))):
            yield Unjustified(wrong, rules[0], instead)
    elif (better := misfits(alignment).get(quantity)) is not None and is_slip(quantity, better.value[0]):
        yield Unjustified(quantity, better.rule, str(better))


def _wrong_end(quantity: Quantity, part: Reading, alignment: Alignment) -> Quantity:
    """The last number of a range whose first number is that of a range of the game."""
    players = alignment.book.spec.players
    lows = _lows(alignment) | ({players[0]} if quantity.start in part.counts else set())
    if quantity.kind != Kind.RANGE or quantity.value not in lows:
        return quantity
    return _last(quantity, part)


def _lows(alignment: Alignment) -> frozenset[Fraction]:
    """The first numbers of all ranges of the game."""
    rules = alignment.statements.rules
    return once(
        alignment.statements, "lows", lambda: frozenset(low for rule in rules for low, _ in ranges(rule, alignment))
    )


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
    facts = [fact for rule in rules for fact in of_rule(spec, rule) if not fact.derived]
    others = (fact for fact in facts if quantity.value not in set(_numbers(fact)))
    near_facts = [fact for fact in others if any(is_slip(quantity, value) for value in _numbers(fact))]
    lacking = [fact for fact in near_facts if not judge(fact, part, concepts).stated]
    things = beside(quantity, part)
    counted = [fact for fact in lacking if _counted(fact) in things]
    return str((counted or lacking)[0].content) if counted or len(lacking) == 1 else ""


def _for_others(quantity: Quantity, rules: Sequence[str], alignment: Alignment) -> str:
    """What a rule has instead of a number that it has for other numbers of players than the one in question."""
    mine = alignment.book.spec.players
    for rule in rules if mine != alignment.game.players else ():
        for content in (fact.content for fact in of_rule(alignment.game, rule)):
            if isinstance(content, ByPlayers):
                others = {n: value for n, value in content.rows.items() if same(quantity, value)}
                if others and mine[0] in content.rows and not _has(content.rows[mine[0]], rule, alignment):
                    return with_players({mine[0]: content.rows[mine[0]]} | others)
    return ""


def _has(value: int, rule: str, alignment: Alignment) -> bool:
    """Whether the text has a number near a rule, as one that states it for all numbers of players in other words."""
    return any(same(q, value) for part in near(alignment, rule) for q in part.quantities if q.start not in part.counts)


def _is_in_passing(quantity: Quantity, part: Reading) -> bool:
    """Whether a number is small and in words: any two of them."""
    return quantity.value <= FEW and not in_figures(quantity, part)


def _is_foreign(quantity: Quantity, part: Reading, alignment: Alignment) -> bool:
    """Whether no rule has a number of a sentence about the rules that compares something."""
    if not any(one.family == "comparison" for one in part.contrasts):
        return False
    row = alignment.scores[alignment.index_at(part.start)]
    known = once(alignment.statements, "values", lambda: frozenset(_all_values(alignment)))
    return max(row.values()) >= COMMON and quantity.value not in known


def _all_values(alignment: Alignment) -> Iterator[Fraction]:
    """The numbers of all statements and facts."""
    for one in alignment.statements.every:
        sentence = one.part or one.described
        yield from (abs(end) for q in (sentence.quantities if sentence else ()) for end in (q.value, q.high) if end)
    spec = alignment.book.spec
    yield from map(Fraction, spec.players)
    for rule in spec.rules:
        yield from (Fraction(n) for fact in of_rule(spec, rule) for n in _numbers(fact))


def is_slip(said: Quantity, meant: Fraction | int) -> bool:
    """Whether a number may stand for another by mistake: a writer mistakes 36 for 30, not for two."""
    ends = (Fraction(abs(value)) for value in (said.value, said.high) if value is not None)
    return any(abs(end - meant) <= STEPS or max(end, meant) < WITHIN * min(end, meant) for end in ends)


def _numbers(fact: Fact) -> Iterator[int]:
    """The numbers of a fact of which it must state each."""
    match fact.content:
        case Number(value=value):
            yield value
        case ByPlayers(rows=rows) | ByKey(rows=rows):
            yield from (value for value in rows.values() if isinstance(value, int))
        case Extent(low=low, high=high):
            yield from (int(end) for end in (low, high) if end.isdecimal())


def _counted(fact: Fact) -> str:
    return fact.content.of if isinstance(fact.content, Number | ByPlayers | ByKey) else ""
