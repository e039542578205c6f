"""The propositions of every rule of a game, and the definitions that a rule depends on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from weakref import WeakKeyDictionary

from rulespec.meaning import definitions
from rulespec.meaning.phrase import Phrase, Proposition
from rulespec.meaning.scene import Scene
from rulespec.meaning.steps import of_body
from rulespec.model.constants import settings
from rulespec.model.spec import Spec

Propositions = Mapping[str, tuple[Proposition, ...]]
_KNOWN: WeakKeyDictionary[Spec, Propositions] = WeakKeyDictionary()
_DEFINED: WeakKeyDictionary[Spec, Propositions] = WeakKeyDictionary()


def propositions(spec: Spec) -> Propositions:
    """What each rule does, in the order of its steps, by rule id; rules without steps have none.

    Propositions with the default answers of all rulings come first, then those that another answer brings in.
    Steps outside all rules have the id "".
    """
    if spec not in _KNOWN:
        _KNOWN[spec] = _by_rule(_all(spec))
    return _KNOWN[spec]


def defined(spec: Spec) -> Propositions:
    """The definition of each value, table and zone, by its name."""
    if spec not in _DEFINED:
        _DEFINED[spec] = dict(definitions.of_spec(spec))
    return _DEFINED[spec]


def related(spec: Spec, stated: Iterable[Proposition]) -> dict[str, tuple[Proposition, ...]]:
    """The definitions of the names in propositions, and of the names in those definitions, by name."""
    known, found = defined(spec), dict[str, tuple[Proposition, ...]]()
    waiting = [name for one in stated for name in names(one)]
    while waiting:
        name = waiting.pop()
        if name in known and name not in found:
            found[name] = known[name]
            waiting += [inner for one in known[name] for inner in names(one)]
    return found


def names(stated: Proposition) -> Iterator[str]:
    """The zones, values, tables and card fields in a proposition."""
    for phrase in stated.phrases():
        if phrase.constructor in _NAMED:
            yield phrase.name


_NAMED = {"zone", "value", "table", "field"}


def _by_rule(every: Iterable[Proposition]) -> Propositions:
    found: dict[str, list[Proposition]] = {}
    for one in every:
        found.setdefault(one.rule, []).append(one)
    return {rule: tuple(stated) for rule, stated in found.items()}


def _all(spec: Spec) -> Iterator[Proposition]:
    by_default = list(_with(spec, {}))
    yield from by_default
    known = {_said(one) for one in by_default}
    for ruling in spec.rulings.values():
        for option in range(1, len(ruling.options)):
            for one in _with(spec, {ruling.id: option}):
                if _said(one) not in known:
                    yield replace(one, ruling=(ruling.id, ruling.options[option]))


def _said(one: Proposition) -> tuple[str, Phrase, tuple[Phrase, ...]]:
    return one.rule, one.act, one.conditions


def _with(spec: Spec, rulings: Mapping[str, int]) -> Iterator[Proposition]:
    """The propositions of all steps, with some answers of rulings."""
    scene = Scene(spec, settings(spec, rulings), of_body)
    yield from definitions.left_out(scene)
    yield from of_body(spec.setup, scene)
    yield from of_body(spec.play, scene)
    for procedure in spec.procedures.values():
        yield from of_body(procedure.body, replace(scene, rule=procedure.rule))
