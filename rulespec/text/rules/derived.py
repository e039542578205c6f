"""Facts derived from what a rule does: the numbers and names that its text may state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache

from rulespec.language.model import spec as m
from rulespec.language.model.constants import settings
from rulespec.language.model.phrase import Phrase, Proposition
from rulespec.language.model.spec import Spec
from rulespec.language.model.typed import Table, TExpr, Value, walk
from rulespec.language.model.types import NONE
from rulespec.proofs.meaning.rules import answering, defined, propositions
from rulespec.proofs.meaning.rules import names as names_in
from rulespec.text.rules.content import ByKey, ByPlayers, Content, Counts, Extent, Names, Number, Share, by_players
from rulespec.text.rules.subjects import around, concerned, within

Stated = tuple[Proposition, ...]


def of_rule(spec: Spec, id_: str) -> Iterator[Content]:
    """What the text of a rule or ruling may state, without repetition."""
    names = about(spec, id_)
    own = (*propositions(spec).get(id_, ()), *described(spec, names))
    inner = tuple(one for other in within(spec, id_) for one in propositions(spec).get(other, ()))
    yield from dict.fromkeys((*_counts(spec, id_), *_of_names(spec, names), *_of_all(spec, own, inner)))
    yield Names(tuple(sorted(_permitted(spec, own, inner) | set(names))))


def about(spec: Spec, id_: str) -> tuple[str, ...]:
    """The names that `states:` lists for a rule under `about`, and those that a ruling concerns."""
    asked = sorted(concerned(spec)[id_]) if id_ in spec.rulings else []
    return tuple(dict.fromkeys((*listed(spec, id_), *asked)))


def listed(spec: Spec, id_: str) -> Iterator[str]:
    """The names that `states:` lists for a rule under `about`."""
    return (name for one in spec.states.get(id_, ()) if isinstance(one, m.About) for name in one.names)


def described(spec: Spec, names: Iterable[str]) -> Stated:
    """The propositions of names: what values, tables and zones are, what rules do, and what other answers bring in."""
    return tuple(one for name in names for one in _meant(spec, name))


def _meant(spec: Spec, name: str) -> Iterator[Proposition]:
    if name in defined(spec):  # a rule may have the name of a value
        yield from defined(spec)[name]
    elif name in spec.rulings:
        yield from answering(spec, name)
    else:
        yield from (one for rule in (name, *within(spec, name)) for one in propositions(spec).get(rule, ()))


def _of_all(spec: Spec, own: Stated, inner: Stated) -> Iterator[Content]:
    """The numbers of the propositions of a rule, of those around it, and of the definitions of their names."""
    for one in (*own, *inner):
        yield from numbers(spec, one)
    known = defined(spec)
    for name in dict.fromkeys(name for one in (*own, *inner) for name in names_in(one)):
        yield from (content for one in known.get(name, ()) for content in numbers(spec, one))
        yield from tables(spec, name)


def numbers(spec: Spec, one: Proposition) -> Iterator[Content]:
    """The numbers in a proposition."""
    for phrase in (*one.conditions, one.act):
        yield from _numbers(spec, phrase)


def _numbers(spec: Spec, phrase: Phrase) -> Iterator[Content]:
    """The numbers in a phrase; those of a range or of the players are not numbers by themselves."""
    read = _CONTENTS.get(phrase.constructor)
    found = list(read(spec, phrase)) if read is not None else []
    yield from found
    if not any(isinstance(content, Extent | Counts) for content in found):
        for part in phrase.parts:
            yield from _numbers(spec, part)


def _number(spec: Spec, phrase: Phrase) -> Iterator[Content]:
    if phrase.number is not None:
        yield Number(phrase.number)
    else:
        yield ByPlayers(dict(phrase.amount))


def _one(spec: Spec, phrase: Phrase) -> Iterator[Content]:
    yield Number(1)


def _bounds(spec: Spec, phrase: Phrase) -> Iterator[Content]:
    low, high = (part.number for part in phrase.parts[-2:])
    if low is not None and high is not None:
        yield Extent(str(low), str(high))


def _table(spec: Spec, phrase: Phrase) -> Iterator[Content]:
    yield from _of_table(spec, phrase.name)


def _of_table(spec: Spec, name: str) -> Iterator[Content]:
    table = spec.tables[name]
    if table.type.kind != "int" or len(table.rows) > LONGEST:
        return
    if table.by_players:
        yield by_players({players: table.rows[players,] for players in spec.players})
    elif len(table.by) == 1:
        by = table.by[0]
        rows = {
            f"{by.name}.{spec.member(by, key)}" if by.kind == "enum" else key: value
            for (key,), value in table.rows.items()
        }
        yield ByKey(rows, by=key_of_name(spec, name))
    yield from (Number(value) for value in dict.fromkeys(table.rows.values()))


def _members(spec: Spec, phrase: Phrase) -> Iterator[Content]:
    yield from _of_enum(spec, phrase.name)


def _of_enum(spec: Spec, name: str) -> Iterator[Content]:
    """How many members are in play, and the first and the last of an enum of letters."""
    rows = {one.players: len(one.in_play(name)) for one in settings(spec)}
    yield by_players(rows)
    declared = spec.enums[name]
    if declared.in_play is not None:
        whole = len(declared.members)
        inside = frozenset(players for players, number in rows.items() if number == whole)
        yield Counts(inside, frozenset(rows) - inside)
    if all(len(member) == 1 for member in declared.members):
        yield Extent(declared.members[0], declared.members[-1])


def _share(value: Fraction) -> Callable[[Spec, Phrase], Iterator[Content]]:
    def share(spec: Spec, phrase: Phrase) -> Iterator[Content]:
        yield Share(value)

    return share


def _with_players(spec: Spec, phrase: Phrase) -> Iterator[Content]:
    inside = frozenset(part.number for part in phrase.parts if part.number is not None)
    yield Counts(inside, frozenset(spec.players) - inside)


def _compared(spec: Spec, phrase: Phrase) -> Iterator[Content]:
    """The numbers of players that a comparison with the number of players singles out."""
    what, than = phrase.parts
    if what.constructor == "player_count" and than.number is not None:
        inside = frozenset(n for n in spec.players if _COMPARISONS[phrase.constructor](n, than.number))
        yield Counts(inside, frozenset(spec.players) - inside)


def _players(spec: Spec, phrase: Phrase) -> Iterator[Content]:
    yield by_players({players: players for players in spec.players})


_COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    "is": int.__eq__,
    "is_not": int.__ne__,
    "more": int.__gt__,
    "less": int.__lt__,
    "at_least": int.__ge__,
    "at_most": int.__le__,
}

_CONTENTS: Mapping[str, Callable[[Spec, Phrase], Iterator[Content]]] = {
    "number": _number,
    **dict.fromkeys(("move_card", "must_choose", "may_choose", "top_card", "bottom_card", "card_in", "pick"), _one),
    **dict.fromkeys(("count", "size"), _one),  # “1 coin for each boat”
    **dict.fromkeys(("limits", "ranges", "bounded", "numbers"), _bounds),
    **dict.fromkeys(_COMPARISONS, _compared),
    "table": _table,
    "members": _members,
    "half": _share(Fraction(1, 2)),
    "third": _share(Fraction(1, 3)),
    "with_players": _with_players,
    "removed_cards": lambda spec, phrase: _cards(spec, lambda card: True),
    "player_count": _players,
}
"""The contents that a phrase states, by its constructor."""


def _counts(spec: Spec, id_: str) -> Iterator[Content]:
    """The numbers of players with which a rule is in the game, if not with all."""
    conditions = [spec.rules[other].only_if for other in around(spec, id_)] if id_ in spec.rules else []
    inside = frozenset(one.players for one in settings(spec) if all(map(one.present, conditions)))
    outside = frozenset(spec.players) - inside
    if inside and outside:
        yield Counts(inside, outside)


def _of_names(spec: Spec, names: Iterable[str]) -> Iterator[Content]:
    """The numbers of names that are neither rules nor values: what cards show and how many there are."""
    for name in names:
        if name in spec.deck.declared:
            # The contents of a field of the cards.
            columns, type_ = [*map(spec.deck.column, spec.deck.columns_of(name))], spec.deck.declared[name]
            held = frozenset(card[column] for card in spec.deck.cards for column in columns) - {NONE}
            if type_.kind == "int" and held:
                yield Extent(str(min(held)), str(max(held)))
        if name in spec.enums:
            yield from (*_of_enum(spec, name), *_of_cards(spec, name))
        elif name in spec.tables:
            yield from _of_table(spec, name)
        else:
            yield from stock(spec, name)


def stock(spec: Spec, name: str) -> Iterator[Content]:
    """How many there are of a component, or of the cards that show a member of an enum."""
    enum, _, member = name.rpartition(".")
    if name in spec.components:
        yield Number(spec.components[name])
    elif enum in spec.enums:
        yield from _of_cards(spec, enum, member)


def _of_cards(spec: Spec, enum: str, only: str = "") -> Iterator[Content]:
    """How many cards show the members of an enum, printed and in play, and all cards together."""
    for name, type_ in spec.deck.fields.items():
        if type_.kind == "enum" and type_.name == enum:
            column = spec.deck.column(name)
            for index, member in enumerate(spec.enums[enum].members):
                if only in ("", member):
                    yield from _cards(spec, lambda card: card[column] == index)  # noqa: B023  # called at once


def _cards(spec: Spec, wanted: Callable[[tuple[int, ...]], bool]) -> Iterator[Content]:
    cards = spec.deck.cards
    yield Number(sum(map(wanted, cards)))
    rows = {one.players: sum(wanted(cards[card]) for card in one.cards) for one in settings(spec)}
    yield by_players(rows)


# --- names -----------------------------------------------------------------------------------------------------------


def _permitted(spec: Spec, own: Stated, inner: Stated) -> frozenset[str]:
    """The names that the text of a rule may mention: those of the rule, of the rules inside it, and of the definitions
    behind its own."""
    named = {name for one in own for name in all_names(spec, one)}
    behind = {other for name in named for one in defined(spec).get(name, ()) for other in own_names(one)}
    inside = {name for one in inner for name in all_names(spec, one)}
    procedures = [phrase.name for one in own for phrase in one.phrases() if phrase.constructor == "procedure"]
    within_them = {rule for name in procedures for rule in (name, *within(spec, name))}
    return frozenset({*named, *behind, *inside, *within_them}) - {""}


@lru_cache(maxsize=1 << 16)
def all_names(spec: Spec, one: Proposition) -> frozenset[str]:
    """Every name in a proposition, with the enums of members and the members of enums."""
    found = set(own_names(one))
    for phrase in one.phrases():
        if phrase.constructor == "member":
            found.add(phrase.name.rpartition(".")[0])
        if phrase.constructor == "members":
            found |= {f"{phrase.name}.{member}" for member in spec.enums[phrase.name].members}
        if phrase.constructor == "variable" and phrase.kind in spec.enums:
            found.add(phrase.kind)
    return frozenset(found)


def own_names(one: Proposition) -> Iterator[str]:
    """The zones, values, tables, fields, members, enums and procedures that a proposition names."""
    return (phrase.name for phrase in one.phrases() if phrase.constructor in _NAMED)


_NAMED = {"zone", "value", "table", "field", "member", "members", "procedure"}


LONGEST = 12
"""The most rows of a table that a text would list."""


def tables(spec: Spec, name: str) -> Iterator[Content]:
    """What a derived value is for each content of the one stored number in its definition."""
    for one in defined(spec).get(name, ()):
        if one.act.constructor == "defined":
            meaning = one.act.parts[1]
            stored = {phrase.name for phrase in meaning.walk() if phrase.constructor == "value"}
            if len(stored) == 1:
                yield from _worked_table(spec, meaning, stored.pop())


def _worked_table(spec: Spec, meaning: Phrase, name: str) -> Iterator[Content]:
    value = spec.values.get(name)
    if value is None or value.type.kind != "int" or value.type.high - value.type.low >= LONGEST:
        return
    contents = range(value.type.low, value.type.high + 1)
    rows: dict[int | str, int] = {
        content: result for content in contents if (result := _worked(meaning, content, spec)) is not None
    }
    if len(rows) == len(contents):
        yield ByKey(rows, by=name)


def _worked(phrase: Phrase, given: int, spec: Spec) -> int | None:
    """The number of a phrase where every value in it is `given`, with the most players; None if it is not known."""
    if phrase.constructor == "number":
        return phrase.amount[-1][1]
    if phrase.constructor == "value":
        return given
    if phrase.constructor == "player_count":
        return spec.players[-1]
    if phrase.constructor == "conditional":
        condition = _worked(phrase.parts[0], given, spec)
        return None if condition is None else _worked(phrase.parts[1 if condition else 2], given, spec)
    parts = [_worked(part, given, spec) for part in phrase.parts]
    if phrase.constructor not in _ARITHMETIC or None in parts:
        return None
    return _ARITHMETIC[phrase.constructor](*(part for part in parts if part is not None))


_ARITHMETIC: Mapping[str, Callable[..., int]] = {
    "plus": lambda *items: sum(items),
    "minus": lambda one, other: one - other,
    "half": lambda what: what // 2,
    "third": lambda what: what // 3,
    "smaller": min,
    "larger": max,
    "bounded": lambda what, low, high: max(low, min(what, high)),
    "is": lambda one, other: int(one == other),
    "is_not": lambda one, other: int(one != other),
    "more": lambda one, other: int(one > other),
    "less": lambda one, other: int(one < other),
    "at_least": lambda one, other: int(one >= other),
    "at_most": lambda one, other: int(one <= other),
}


def key_of_table(spec: Spec, looked_up: TExpr) -> str:
    """The value whose numbers are the keys of the only table in an expression, "" if it is not known."""
    names = {node.name for node in walk(looked_up) if isinstance(node, Table)}
    return key_of_name(spec, names.pop()) if len(names) == 1 else ""


def key_of_name(spec: Spec, table: str) -> str:
    """The value whose numbers are the keys of a table, "" if it is not known."""
    definitions = (value.definition for value in spec.values.values() if value.definition is not None)
    tables = (node for one in definitions for node in walk(one) if isinstance(node, Table) and node.name == table)
    indices = (node for one in tables for index in one.indices for node in walk(index))
    found = {*{node.name for node in indices if isinstance(node, Value)}, *_in_rules(spec, table)}
    return found.pop() if len(found) == 1 else ""


def _in_rules(spec: Spec, table: str) -> set[str]:
    phrases = (one for stated in propositions(spec).values() for each in stated for one in each.act.walk())
    tables = (one for one in phrases if one.constructor == "table" and one.name == table)
    return {one.name for each in tables for part in each.parts for one in part.walk() if one.constructor == "value"}
