"""Phrases in fewer words: clauses such as “whose floor is 6” for the conditions on one thing, and short lists.

The constructors that this makes have rows in `WRITTEN`; no proposition has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from rulespec.language.model.phrase import Phrase
from rulespec.proofs.meaning.expressions import opposite, tested

_TESTS = (
    *("more", "less", "at_least", "at_most", "after", "before", "not_before", "not_after", "is", "is_not"),
    *("absent", "present", "empty", "occupied", "contains", "lacks", "holds", "fails"),
)
"""The tests whose first part can be what a thing has."""
_Written = Callable[[Phrase, frozenset[str]], Phrase]
"""Writes a phrase whose parts are written, without clauses about names that can have none."""

_OWNED = ("value", "field", "table", "zone")
"""What belongs to a thing, which is one of its parts."""
_JUNCTIONS = {"all_of": "joined_and", "any_of": "joined_or"}
_SHORT = 3
"""The most conditions that are read with ease in one breath."""


@lru_cache(maxsize=8192)
def plain(phrase: Phrase, fixed: frozenset[str] = frozenset()) -> Phrase:
    """A phrase in fewer words; it says the same. `fixed` are names that no clause has, such as “your bid”."""
    phrase = _merged(phrase)
    made = replace(phrase, parts=tuple(plain(part, fixed) for part in phrase.parts))
    written = _WRITTEN.get(phrase.constructor)
    return written(made, fixed) if written is not None else made


def listed(phrase: Phrase) -> Phrase:
    """A phrase in which short lists of conditions are clauses."""
    made = replace(phrase, parts=tuple(map(listed, phrase.parts)))
    is_short = made.constructor in _JUNCTIONS and len(made.parts) <= _SHORT
    simple = is_short and not any(part.constructor in (*_JUNCTIONS, *_JUNCTIONS.values()) for part in made.parts)
    return replace(made, constructor=_JUNCTIONS[made.constructor]) if simple else made


def table_of(rows: Sequence[Phrase]) -> Phrase:
    """The rows of a table as one sentence."""
    entries = [Phrase("entry", (value, *table.parts)) for table, value in (row.parts for row in rows)]
    table = rows[0].parts[0]
    return Phrase("table_rows", (Phrase("value", (), table.name, kind=table.kind), *entries))


def conditions(phrases: Sequence[Phrase]) -> list[Phrase]:
    """Conditions that must all hold, one by one."""
    return [part for phrase in phrases for part in (phrase.parts if phrase.constructor == "all_of" else (phrase,))]


def is_about(phrase: Phrase, variable: Phrase) -> bool:
    """Whether a phrase mentions a variable."""
    return any(part == variable for part in phrase.walk())


def variable_of(thing: Phrase) -> Phrase:
    """The variable of a thing: a card that is called by its kind has one as well."""
    return thing.parts[0] if thing.constructor == "kind_card" else thing


def _narrowed(
    thing: Phrase, domain: Phrase, given: Sequence[Phrase], fixed: frozenset[str], partly: bool = False
) -> tuple[Phrase, Phrase, list[Phrase]]:
    """A thing and its domain with the conditions that can be said of it in a clause, and the others. If some cannot,
    none is said so, unless they are said apart (`partly`): one clause is enough."""
    variable = variable_of(thing)
    kind = next((one for one in given if one.constructor == "is_kind" and one.parts[0] == thing), None)
    if kind is not None:
        thing = Phrase("kind_card", (variable,), kind.parts[1].name, kind="card")
    given = [one for one in given if one is not kind]
    clauses = {one: clause for one in given if (clause := _clause(one, variable, fixed)) is not None}
    left = [one for one in given if one not in clauses]
    if not clauses or (left and not partly):
        return thing, domain, given
    return thing, Phrase("whose", (domain, *clauses.values()), kind=variable.kind), left


def _clause(test: Phrase, variable: Phrase, fixed: frozenset[str]) -> Phrase | None:
    """What a test says of a thing in a clause; None if it says more than one thing about it."""
    if test.constructor in ("is", "is_not") and not is_about(test.parts[0], variable):
        test = replace(test, parts=test.parts[::-1])
    if test.constructor not in _TESTS or any(is_about(part, variable) for part in test.parts[1:]):
        return None
    own = _own(test.parts[0], variable)
    if own is None or own.name in fixed:
        return None
    return replace(test, parts=(own, *test.parts[1:]))


def _own(phrase: Phrase, variable: Phrase, made: str = "its") -> Phrase | None:
    """What belongs to a thing, without the thing; None for anything else."""
    left = tuple(part for part in phrase.parts if part != variable)
    if phrase.constructor not in _OWNED or len(left) != len(phrase.parts) - 1:
        return None
    return None if any(is_about(part, variable) for part in left) else Phrase(made, left, phrase.name, kind=phrase.kind)


def _over(phrase: Phrase, fixed: frozenset[str]) -> Phrase:
    thing, domain, left = _narrowed(phrase.parts[0], phrase.parts[1], conditions(phrase.parts[2:]), fixed)
    return Phrase("over", (thing, domain, *together(left)))


def together(given: Sequence[Phrase]) -> tuple[Phrase, ...]:
    """Conditions as one, if there are any."""
    return (Phrase("all_of", tuple(given)),) if len(given) > 1 else tuple(given)


def _merged(phrase: Phrase) -> Phrase:
    """A test of whether something exists, with all that it must meet in one place."""
    if phrase.constructor != "exists" or len(phrase.parts) == 1:
        return phrase
    over, test = phrase.parts
    given = together(conditions((*over.parts[2:], test)))
    return Phrase("exists", (replace(over, parts=(*over.parts[:2], *given)),))


def _not(phrase: Phrase, fixed: frozenset[str]) -> Phrase:
    inner = phrase.parts[0]
    return Phrase("none_is", inner.parts) if inner.constructor == "exists" else phrase


def _every(made: str) -> _Written:
    """Cards that meet a condition, as one noun."""

    def write(phrase: Phrase, fixed: frozenset[str]) -> Phrase:
        variable, condition, *others = phrase.parts
        return Phrase(made, (_over(Phrase("over", (variable, Phrase("members"), condition)), fixed), *others))

    return write


def _limited(made: str) -> _Written:
    """The larger or the smaller of something and a number."""

    def write(phrase: Phrase, fixed: frozenset[str]) -> Phrase:
        numbers = [part for part in phrase.parts if part.constructor == "number"]
        others = [part for part in phrase.parts if part.constructor != "number"]
        return Phrase(made, (*others, *numbers)) if len(numbers) == len(others) == 1 else phrase

    return write


def _total(phrase: Phrase, fixed: frozenset[str]) -> Phrase:
    """A sum or an extreme of what things have: “the total of the value for all gold cards”."""
    what, over = phrase.parts
    own = _own(what, variable_of(over.parts[0]), "value")
    return replace(phrase, parts=(own, over)) if own is not None else phrase


def _ranked(phrase: Phrase, fixed: frozenset[str]) -> Phrase:
    """An order by what each of those that are compared has, or by a condition that they meet or do not."""
    order, _, extreme = phrase.constructor.partition("_")
    test = _test_of(phrase.parts[0], extreme)
    if test is not None:
        return Phrase(f"{order}_if", (test,))
    variables = {part for part in phrase.parts[0].walk() if part.constructor == "variable"}
    compared = variables if len(variables) == 1 else {one for one in variables if one.kind == "player"}
    own = _own(phrase.parts[0], compared.pop()) if len(compared) == 1 else None
    return replace(phrase, parts=(own,)) if own is not None and own.name not in fixed else phrase


def _test_of(by: Phrase, extreme: str) -> Phrase | None:
    """The condition that decides between two numbers, one of which comes first; None for anything else."""
    numbers = tested(by)
    if numbers is None or extreme not in ("most", "fewest"):
        return None
    return by.parts[0] if (numbers[0] > numbers[1]) == (extreme == "most") else plain(opposite(by.parts[0]))


def _with_extreme(phrase: Phrase, fixed: frozenset[str]) -> Phrase:
    over, by = phrase.parts
    own = _own(by, variable_of(over.parts[0]))
    return replace(phrase, parts=(over, own)) if own is not None and own.name not in fixed else phrase


def _chosen(phrase: Phrase, fixed: frozenset[str]) -> Phrase:
    """A choice: what is chosen has its conditions with it."""
    at = 0 if phrase.constructor == "choose_such" else 1
    by, given, picks = phrase.parts[:at], conditions(phrase.parts[at : at + 1]), list(phrase.parts[at + 1 :])
    for number, pick in enumerate(picks):
        others = [one.parts[0] for one in picks if one is not pick]
        own = [one for one in given if not any(is_about(one, other) for other in others)]
        if pick.constructor == "pick" and own:
            thing, domain, left = _narrowed(pick.parts[0], pick.parts[1], own, fixed, partly=True)
            given = [one for one in given if one not in own or one in left]
            picks[number] = Phrase("pick", (thing, domain))
    made = phrase.constructor if given else phrase.constructor.removesuffix("_such")
    return Phrase(made, (*by, *together(given), *picks))


def _of_one(test: str) -> _Written:
    """Tests of one thing as one: “the season is spring or summer”."""

    def write(phrase: Phrase, fixed: frozenset[str]) -> Phrase:
        things = {part.parts[0] if part.constructor == test else None for part in phrase.parts}
        if len(things) != 1 or None in things or len(phrase.parts) < 2:
            return phrase
        values = tuple(part.parts[1] for part in phrase.parts)
        return Phrase(test, (phrase.parts[0].parts[0], Phrase("one_of", values)))

    return write


def _rows() -> Iterator[tuple[str, _Written]]:
    yield from {"over": _over, "not": _not, "any_of": _of_one("is"), "all_of": _of_one("is_not")}.items()
    yield from {"move_matching": _every("move_every"), "show_matching": _every("show_every")}.items()
    yield from {"larger": _limited("no_less"), "smaller": _limited("no_more")}.items()
    yield from dict.fromkeys(("sum", "lowest", "highest", "earliest", "latest"), _total).items()
    yield from dict.fromkeys(("with_highest", "with_lowest"), _with_extreme).items()
    yield from dict.fromkeys(("must_choose_such", "may_choose_such", "choose_such"), _chosen).items()
    for kind in ("best", "tie", "order"):
        yield from dict.fromkeys((f"{kind}_{by}" for by in ("most", "fewest", "first", "last")), _ranked).items()


_WRITTEN: Mapping[str, _Written] = dict(_rows())
"""How each constructor that can be said in fewer words is written; others stand as they are."""
