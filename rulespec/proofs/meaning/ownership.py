"""Which rules two versions of a game do otherwise, and which rule each declaration belongs to.

Every part of a spec belongs to a rule, so that no change of play is without a text that it makes due:

- a step, and a condition or loop around rules, to the rules that state something else because of it, else to the rule
  that it stands in;
- a declaration to the first rule that states something else because of it and to the rules that are `about` it, or else
  the first with a fact of it; without any of these to the first that names it;
- the cards and the numbers of players to the remainder rule.

A rule that moves all cards that are left in a zone during the set-up moves another number of them if other moves of
that zone change: it is due with the rules that those belong to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from enum import Enum, auto
from functools import lru_cache
from itertools import pairwise

from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.phrase import Proposition
from rulespec.language.model.spec import Spec
from rulespec.language.model.step import nested
from rulespec.proofs.meaning.canonical import Form, Name, is_note, is_step, reached, rules_in, without_rules
from rulespec.proofs.meaning.differences import is_same, normal, normal_form, without
from rulespec.proofs.meaning.digest import game_form, hashed, hashes_of, parts_of, remainder_rule
from rulespec.proofs.meaning.rules import by_default, defined, propositions

Group = tuple[str, ...]
"""Rules and rulings that are due for the same reason, the nearest one first."""


GAME: Name = ("game", "")
"""The part for what concerns the whole game: the numbers of players and the cards."""


@lru_cache(maxsize=8)
def due(old: Spec, new: Spec) -> Mapping[Name, Group]:
    """The rules and rulings of both versions whose texts are due, by the part of the game that has changed.

    Rules that only one version has are left out: their texts are missing, or have to go.
    """
    comparison = _Comparison(old, new)
    groups = {name: list(comparison.due(name)) for name in comparison.differing}
    for group in groups.values():
        group += comparison.rests(group)
    for ruling in (id_ for id_ in new.rulings if id_ in old.rulings and _answer(old, id_) != _answer(new, id_)):
        stating = {one.rule for one in (*by_default(old, ruling), *by_default(new, ruling))}
        near = next((name for name, group in groups.items() if stating.intersection(group)), ("ruling", ruling))
        groups.setdefault(near, []).append(ruling)
    return {name: tuple(dict.fromkeys(group)) for name, group in groups.items() if group}


@lru_cache(maxsize=8)
def redefined(old: Spec, new: Spec) -> tuple[tuple[str, Proposition], ...]:
    """What the definitions, start values and ranges of declarations of both versions state in the old one alone, each
    with the name of the declaration."""
    was, now = defined(old), defined(new)
    return tuple((name, one) for name, stated in was.items() if name in now for one in without(stated, now[name]))


def _answer(spec: Spec, ruling: str) -> tuple[object, ...]:
    """The answers to a ruling, and what the default one brings in, without the loops around it: they are of rules."""
    brought = [normal(one) for one in by_default(spec, ruling)]
    return spec.rulings[ruling].options, [(act, conditions) for act, conditions, *_ in brought]


class _Comparison:
    """Both versions, and the rules that state something else in the new one."""

    def __init__(self, old: Spec, new: Spec) -> None:
        self.old, self.new = old, new
        self.top = remainder_rule(new)
        self.order = {id_: at for at, id_ in enumerate(_ordered(new)) if id_ in old.rules}
        self.stated = {id_: _compared(*self._statements("rule", id_)) for id_ in self.order}
        self.differing = self._differing()
        self.rewritten = {name[1] for name in self.differing if name[0] == "rule"}

    def _differing(self) -> list[Name]:
        """The parts of both versions with another form, rules first. Steps that stand for a rule of one version are
        left out, and so are rulings, which are compared by their answers."""
        gone = self.old.rules.keys() ^ self.new.rules.keys() | _notes(self.old) & _notes(self.new)
        was, now = (
            {name: without_rules(part.form, gone) for name, part in parts_of(one).of.items()}
            for one in (self.old, self.new)
        )
        both = [name for name in was if name in now and name[0] != "ruling"]
        found = [name for name in both if was[name] != now[name] and normal_form(was[name]) != normal_form(now[name])]
        found.sort(key=lambda name: (name[0] != "rule", self.order.get(name[1], 0)))
        return found + [GAME] * (game_form(self.old) != game_form(self.new))

    def due(self, name: Name) -> Iterable[str]:
        """The rules that a part with another form belongs to; none if it says the same in other words."""
        if name == GAME:
            other = [id_ for id_ in self.order if self.stated[id_] is _Stated.OTHER]
            # Beside other changes, rules may state something else for another reason.
            return other if other and self.differing == [GAME] else [self.top]
        if name[0] == "rule":
            return self._of_steps(name[1])
        if _compared(*self._statements(*name)) is _Stated.SAME:
            return []
        users = [id_ for id_ in users_of(self.new, name) if id_ in self.order]
        stating = [id_ for id_ in users if self.stated[id_] is _Stated.OTHER]
        owners = [id_ for id_ in owners_of(self.new, name) if id_ in self.order]
        return [*stating[:1], *owners] or users[:1] or [self.top]

    def _of_steps(self, id_: str) -> Iterable[str]:
        """The rules for a change of the steps of a rule, its conditions and loops around other rules among them."""
        # A rule inside with other steps of its own is a change of its own.
        near = [one for one in self.order if one == id_ or (self._is_inside(one, id_) and one not in self.rewritten)]
        other = [one for one in near if self.stated[one] is _Stated.OTHER]
        moved = self._moved(id_)
        if other or moved or any(self.stated[one] is _Stated.SAME for one in near):
            return [*other, *moved]
        return [id_]

    def _moved(self, id_: str) -> list[str]:
        """The rules inside a rule that stand at another place there, of several in a row the first."""
        # The rule for the steps outside all rules may be another one.
        names = (remainder_rule(self.old) if id_ == self.top else id_), id_
        was, now = (
            [inner for inner in rules_in(parts_of(spec).of["rule", name].form) if inner in self.order]
            for spec, name in zip((self.old, self.new), names, strict=True)
        )
        matches = SequenceMatcher(None, was, now, autojunk=False).get_matching_blocks()
        kept = {inner for at in matches for inner in now[at.b : at.b + at.size]}
        rows = set(pairwise(("", *was)))
        return [inner for last, inner in pairwise(("", *now)) if inner not in kept and (last, inner) not in rows]

    def _is_inside(self, id_: str, outer: str) -> bool:
        span, around = self.new.rules[id_].span, self.new.rules[outer].span
        return outer == self.top or (around.start < span.start and span.end <= around.end)

    def _statements(self, kind: str, name: str) -> tuple[list[Proposition], list[Proposition]]:
        """What a part states in both versions, without what the answer to a ruling of one version alone brings in."""
        of = propositions if kind == "rule" else defined
        return (
            [one for one in of(self.old).get(name, ()) if one.ruling is None or one.ruling[0] in self.new.rulings],
            [one for one in of(self.new).get(name, ()) if one.ruling is None or one.ruling[0] in self.old.rulings],
        )

    def rests(self, group: Sequence[str]) -> Iterator[str]:
        """The rules that move what is left in a zone during the set-up, of whose other moves one in the group has
        changed."""
        changed = {
            zone
            for id_ in _set_up(self.new).intersection(group)
            for was, now in (self._statements("rule", id_),)
            for one in (*without(was, now), *without(now, was))
            if one.act.constructor.startswith("move_")
            for zone in _zones(one)
        }
        for id_, zones in rests_of(self.new).items():
            if id_ in self.order and changed & zones:
                yield id_


class _Stated(Enum):
    """What has become of the statements of a part."""

    UNCHANGED = auto()
    SAME = auto()
    """Other words for the same."""
    OTHER = auto()


def _compared(was: Sequence[Proposition], now: Sequence[Proposition]) -> _Stated:
    if [(one.act, one.conditions, one.ruling) for one in was] == [(one.act, one.conditions, one.ruling) for one in now]:
        return _Stated.UNCHANGED
    return _Stated.SAME if is_same(was, now) else _Stated.OTHER


def _notes(spec: Spec) -> set[str]:
    """The rules that only say something."""
    return {id_ for id_ in spec.rules if is_note(parts_of(spec).of["rule", id_])}


# --- what belongs to a rule -------------------------------------------------------------------------------------------


def belonging(spec: Spec, id_: str) -> str:
    """A digest of what belongs to a rule besides its own steps and what they name, eight hexadecimal digits: the rule
    before it, conditions and loops around it, declarations that it owns, and the moves of zones of which it moves the
    rest; of a ruling, what its default answer brings in."""
    if id_ in spec.rulings:
        return hashed([str(one) for one in by_default(spec, id_)])
    return _belonging(spec)[id_]


@lru_cache(maxsize=8)
def _belonging(spec: Spec) -> Mapping[str, str]:
    parts, hashes = parts_of(spec).of, hashes_of(spec)
    around = _gates(spec)
    owned: dict[str, list[Form]] = {}
    for name in parts:
        if name[0] not in ("rule", "ruling"):
            for rule in owners_of(spec, name):
                owned.setdefault(rule, []).append(hashes[name])
    found = {}
    for id_ in spec.rules:
        flows: list[Form] = [
            [hashes[used] for used in (("rule", other), *sorted(parts["rule", other].uses))]
            for zone in sorted(rests_of(spec).get(id_, ()))
            for other in users_of(spec, ("zone", zone))
            if other in _set_up(spec)
        ]
        found[id_] = hashed([around[id_], [*owned.get(id_, ())], flows])
    return found


def _gates(spec: Spec) -> Mapping[str, Form]:
    """For each rule the rule before it and the conditions, loops and choices around it, up to the whole game or the
    procedure around it."""
    direct: dict[str, tuple[str, list[Form]]] = {}
    for (kind, outer), part in parts_of(spec).of.items():
        if kind == "rule":
            inner = list(_paths(part.form))
            for (before, _), (id_, gates) in pairwise([("", []), *inner]):
                direct[id_] = outer, [before, gates]
    found: dict[str, Form] = {}
    for id_ in spec.rules:
        path: list[Form] = []
        around, seen = id_, set[str]()
        while around in direct and around not in seen:
            seen.add(around)
            around, here = direct[around]
            path.append(here)
        found[id_] = path
    return found


def _paths(form: Form) -> Iterator[tuple[str, list[Form]]]:
    """The rules inside a form, each with what stands beside it on the way there and is no step."""
    if not isinstance(form, list):
        return
    if len(form) == 2 and form[0] == "rule" and isinstance(form[1], str):
        yield form[1], []
        return
    for at, item in enumerate(form):
        for id_, path in _paths(item):
            beside: list[Form] = [other for other in form if not _has_steps(other)]
            here: list[Form] = [beside, at] if beside else []
            yield id_, here + path


def _has_steps(form: Form) -> bool:
    return is_step(form) or (isinstance(form, list) and any(map(_has_steps, form)))


@lru_cache(maxsize=8)
def rests_of(spec: Spec) -> Mapping[str, frozenset[str]]:
    """The rules of the set-up that move all cards left in some zones, with these zones."""
    found: dict[str, set[str]] = {}
    for id_ in _set_up(spec):
        for one in propositions(spec).get(id_, ()):
            if one.act.constructor in ("move_all", "move_matching"):
                found.setdefault(id_, set()).update(_zones(one)[:1])
    return {id_: frozenset(zones) for id_, zones in found.items()}


def _zones(one: Proposition) -> list[str]:
    return [part.name for part in one.act.parts if part.constructor == "zone"]


@lru_cache(maxsize=8)
def _set_up(spec: Spec) -> frozenset[str]:
    """The rules of the set-up, in which all numbers are known before the first decision."""
    return frozenset(step.rule for top in spec.setup for step in nested(top) if step.rule)


@lru_cache(maxsize=4096)
def owners_of(spec: Spec, name: Name) -> tuple[str, ...]:
    """The rules that a declaration belongs to because they are about it or have a fact of it; none if no rule is."""
    about, stating = _named(spec)
    rules = about.get(name[1]) or stating.get(name[1], ())[:1]
    derived = name[0] == "value" and spec.values[name[1]].definition is not None
    return tuple(dict.fromkeys((*rules, *(users_of(spec, name)[:1] if rules and derived else ()))))


@lru_cache(maxsize=8)
def _named(spec: Spec) -> tuple[Mapping[str, tuple[str, ...]], Mapping[str, tuple[str, ...]]]:
    """The rules by the names that they are about, and by those that their facts come from."""
    return _by_name(spec, _about), _by_name(spec, _stated)


def _by_name(spec: Spec, of: Callable[[Spec, str], Iterable[str]]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for id_ in _ordered(spec):
        for name in dict.fromkeys(of(spec, id_)):
            found[name] = (*found.get(name, ()), id_)
    return found


def _about(spec: Spec, id_: str) -> Iterator[str]:
    return (name for one in spec.states.get(id_, ()) if isinstance(one, m.About) for name in one.names)


def _stated(spec: Spec, id_: str) -> Iterator[str]:
    """The names of the declarations that the facts of a rule come from."""
    for one in spec.states.get(id_, ()):
        if isinstance(one, m.Amount | m.Bounds) and one.declared:
            yield one.declared
        elif isinstance(one, m.Amount):
            yield from (part.name for part in t.walk(one.value) if isinstance(part, t.Table | t.Value))
        elif isinstance(one, m.MemberCount):
            yield one.enum
        elif isinstance(one, m.Order):
            yield from (name.partition(".")[0] for name in one.names)
        elif isinstance(one, m.Which):
            yield one.field


def users_of(spec: Spec, name: Name) -> tuple[str, ...]:
    """The rules whose steps name a part, those that name it directly first, then in the order of the spec."""
    return _users(spec).get(name, ())


@lru_cache(maxsize=8)
def _users(spec: Spec) -> Mapping[Name, tuple[str, ...]]:
    parts = parts_of(spec).of
    direct: dict[Name, list[str]] = {}
    through: dict[Name, list[str]] = {}
    for id_ in _ordered(spec):
        part = parts["rule", id_]
        for name in reached(parts, part):
            (direct if name in part.uses else through).setdefault(name, []).append(id_)
    return {name: (*direct.get(name, ()), *through.get(name, ())) for name in direct.keys() | through.keys()}


def _ordered(spec: Spec) -> list[str]:
    return sorted(spec.rules, key=lambda id_: spec.rules[id_].span.start)
