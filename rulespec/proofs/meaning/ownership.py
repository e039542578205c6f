"""What a rule itself does otherwise than in another version, and the declarations that belong to it.

The digest of a rule changes with everything that its steps name. A start value, an order of names or a definition
belongs to fewer rules: to those that are `about` it, or the first that has a fact of it; a definition, and what no rule
states, to the first that names it. Cards and numbers of players belong to the rules that have facts of them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.canonical import Form, Name
from rulespec.proofs.meaning.differences import without
from rulespec.proofs.meaning.digest import parts_of, remainder_rule
from rulespec.proofs.meaning.normal import normal
from rulespec.proofs.meaning.phrase import Proposition
from rulespec.proofs.meaning.rules import by_default, defined, propositions


def changed(old: Spec, new: Spec, id_: str) -> bool:
    """Whether a rule or ruling that two versions have does something else in them, or a declaration that belongs to a
    rule means something else."""
    if id_ in new.rulings:
        return _answer(old, id_) != _answer(new, id_)
    found = _changed(old, new)
    return any(name in found for name in (("rule", id_), *_owned(new).get(id_, ())))


@lru_cache(maxsize=8)
def redefined(old: Spec, new: Spec) -> tuple[Proposition, ...]:
    """What the definitions, start values and ranges of declarations of both versions state in the old one alone."""
    was, now = defined(old), defined(new)
    return tuple(one for name, stated in was.items() if name in now for one in without(stated, now[name]))


def _answer(spec: Spec, ruling: str) -> tuple[object, ...]:
    """The answer to a ruling, and what it brings in."""
    return spec.rulings[ruling].options[0], [normal(one) for one in by_default(spec, ruling)]


@lru_cache(maxsize=8)
def _changed(old: Spec, new: Spec) -> frozenset[Name]:
    """The rules and declarations of both versions that mean something else, by their statements.

    A rule states what its own steps or those around it say, and which answer brings it in: that a zone is open, or a
    table has other numbers, is stated elsewhere. Steps count by their form if no statement shows the change, neither
    one of their own nor one of the rules inside: a condition around a rule belongs to that rule.
    """
    forms = _differing(old, new)
    meant, worded = set[Name](), set[Name]()
    for name in {*forms, *(("rule", id_) for id_ in old.rules.keys() & new.rules.keys())}:
        was, now = _statements(old, new, name), _statements(new, old, name)
        if list(map(_worded, was)) != list(map(_worded, now)):
            worded.add(name)
            written = name in forms or any(outer in forms for outer in _around(new, name))
            read = _meant if written else _answered
            if list(map(read, was)) != list(map(read, now)):
                meant.add(name)
    unsaid = {name for name in forms if name not in worded and not any(name in _around(new, one) for one in worded)}
    top = ("rule", remainder_rule(new))
    return frozenset(meant | (unsaid - {top}) | (_moved(old, new) if top in unsaid else set()))


def _moved(old: Spec, new: Spec) -> set[Name]:
    """The rules that stand at another place among the rules of both versions."""
    was, now = ([id_ for id_ in _ordered(one) if id_ in other.rules] for one, other in ((old, new), (new, old)))
    matches = SequenceMatcher(None, was, now, autojunk=False).get_matching_blocks()
    return {("rule", id_) for id_ in set(now).difference(*(now[at.b : at.b + at.size] for at in matches))}


def _differing(old: Spec, new: Spec) -> set[Name]:
    """The parts of both versions with another form. Steps that stand for a rule of one version are left out: its text
    is missing, or has to go. Rulings are compared by their answers."""
    gone = old.rules.keys() ^ new.rules.keys() | _without_steps(old) & _without_steps(new)
    was, now = ({name: _without(part.form, gone) for name, part in parts_of(one).of.items()} for one in (old, new))
    return {name for name, form in was.items() if name in now and now[name] != form and name[0] != "ruling"}


def _without_steps(spec: Spec) -> set[str]:
    """The rules that only say something."""
    forms = {id_: parts_of(spec).of["rule", id_].form for id_ in spec.rules}
    return {id_ for id_, form in forms.items() if all(isinstance(one, list) and one[:1] == ["Note"] for one in form)}


def _without(form: Form, gone: Container[str]) -> Form:
    """A form without the steps that stand for some rules."""
    if not isinstance(form, list):
        return form
    return [
        _without(one, gone) for one in form if not (isinstance(one, list) and one[:1] == ["rule"] and one[1] in gone)
    ]


def _statements(spec: Spec, other: Spec, name: Name) -> Sequence[Proposition]:
    """What a part states, without what the answer to a ruling of one version alone brings in."""
    stated = (propositions if name[0] == "rule" else defined)(spec).get(name[1], ())
    return [one for one in stated if one.ruling is None or one.ruling[0] in other.rulings]


def _meant(one: Proposition) -> object:
    act, conditions, _, ruling = normal(one)
    return act, conditions, ruling


def _worded(one: Proposition) -> object:
    return one.act, one.conditions, one.ruling


def _answered(one: Proposition) -> object:
    return one.ruling


def _around(spec: Spec, name: Name) -> Iterator[Name]:
    """The rules around a rule, and the one that the steps outside all rules belong to."""
    if name[0] == "rule":
        span = spec.rules[name[1]].span
        for one in spec.rules.values():
            if one.span.start < span.start and span.end <= one.span.end:
                yield "rule", one.id
        yield "rule", remainder_rule(spec)


@lru_cache(maxsize=8)
def _owned(spec: Spec) -> Mapping[str, tuple[Name, ...]]:
    """The declarations that belong to each rule."""
    found: dict[str, list[Name]] = {}
    about, stating = _by_name(spec, _about), _by_name(spec, _stated)
    using, reaching = _by_use(spec, direct=True), _by_use(spec, direct=False)
    for name in parts_of(spec).of:
        if name[0] in ("rule", "ruling"):
            continue
        # Who sees a zone is stated where cards go there, or nowhere.
        user = (*using.get(name, ()), *reaching.get(name, ()), remainder_rule(spec))[: name[0] != "zone"]
        rules = about.get(name[1]) or stating.get(name[1], ())[:1] or user
        derived = name[0] == "value" and spec.values[name[1]].definition is not None
        for rule in dict.fromkeys((*rules, *(user if derived else ()))):
            found.setdefault(rule, []).append(name)
    return {rule: tuple(names) for rule, names in found.items()}


def _by_name(spec: Spec, names: Callable[[Spec, str], Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """The rules by the names that something of theirs has."""
    found: dict[str, tuple[str, ...]] = {}
    for id_ in _ordered(spec):
        for name in dict.fromkeys(names(spec, id_)):
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


def _by_use(spec: Spec, direct: bool) -> dict[Name, tuple[str, ...]]:
    """The rules whose steps name a part, directly or through others, in the order of the spec."""
    found: dict[Name, tuple[str, ...]] = {}
    parts = parts_of(spec).of
    for id_ in _ordered(spec):
        known, new = set[Name](), set(parts["rule", id_].uses)
        while new:
            known |= new
            new = set() if direct else {name for one in new for name in parts[one].uses} - known
        for name in known:
            found[name] = (*found.get(name, ()), id_)
    return found


def _ordered(spec: Spec) -> list[str]:
    return sorted(spec.rules, key=lambda id_: spec.rules[id_].span.start)
