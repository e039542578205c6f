"""Facts derived from what a rule does: the numbers and names that its text may state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache

from rulespec.language.model import spec as m
from rulespec.language.model.constants import settings
from rulespec.language.model.phrase import Phrase, Proposition
from rulespec.language.model.spec import Spec
from rulespec.language.model.types import NONE
from rulespec.proofs.meaning.rules import answering, defined, propositions
from rulespec.proofs.meaning.rules import names as names_in
from rulespec.text.rules import keys
from rulespec.text.rules.content import ByKey, ByPlayers, Content, Counts, Extent, Names, Number, Share, by_players
from rulespec.text.rules.subjects import around, concerned, within
from rulespec.text.rules.worked import LONGEST, tables

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
        yield ByKey(rows, by=keys.of_name(spec, name))
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
            yield from _of_field(spec, name)
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


def _of_field(spec: Spec, name: str) -> Iterator[Content]:
    """The contents of a field of the cards."""
    columns, type_ = [*map(spec.deck.column, spec.deck.columns_of(name))], spec.deck.declared[name]
    held = frozenset(card[column] for card in spec.deck.cards for column in columns) - {NONE}
    if type_.kind == "int" and held:
        yield Extent(str(min(held)), str(max(held)))


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
    procedures = [name for one in own for name in _procedures(one)]
    within_them = {rule for name in procedures for rule in (name, *within(spec, name))}
    return frozenset({*named, *behind, *inside, *within_them}) - {""}


def _procedures(one: Proposition) -> Iterator[str]:
    return (phrase.name for phrase in one.phrases() if phrase.constructor == "procedure")


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
