"""Rules that apply only if something hidden is so: their headings would say it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from rulespec.language.model import spec as m
from rulespec.language.model.hiding import decisive, hidden_picks, reads, stored
from rulespec.language.model.step import within
from rulespec.language.model.typed import Cards, Domain, Local, Sets, TExpr, Typed
from rulespec.proofs.checks.viewers import looked, sight_of

Names = frozenset[str]
_ASKING = (m.Choose, m.Secret, m.Draft, m.Auction, m.Option)
"""Steps at which all see that something is decided."""


def hidden_rules(spec: m.Spec) -> Names:
    """The rules inside conditions that read what not everybody sees."""
    found, before = _Found(), None
    while before != (before := found.known()):
        for body in (spec.setup, spec.play):
            _walk(spec, body, frozenset(), False, found)
        for one in spec.procedures.values():
            decided = one.name in found.called
            found.rules |= {one.rule} if decided and one.rule else set()
            _walk(spec, one.body, found.given[one.name], decided, found)
    return frozenset(found.rules)


def rules_inside(spec: m.Spec) -> Mapping[str, Names]:
    """By rule, itself and the rules that apply inside it, those of procedures included."""
    parts = [(step.rule, (step,)) for step in spec.steps() if step.rule]
    parts += [(one.rule, one.body) for one in spec.procedures.values() if one.rule]
    return {rule: frozenset((rule, *_rules(spec, body, set()))) for rule, body in parts}


def _rules(spec: m.Spec, body: Iterable[m.Step], called: set[str]) -> Iterator[str]:
    for step in body:
        yield step.rule
        yield from _rules(spec, m.inside(step), called)
        if isinstance(step, m.Run) and step.procedure not in called:
            called.add(step.procedure)
            yield spec.procedures[step.procedure].rule
            yield from _rules(spec, spec.procedures[step.procedure].body, called)


class _Found:
    """What is known of a spec so far: its hidden rules, the untitled values that hidden things decide, the parameters
    of procedures that they do, and the procedures that only run if something hidden is so."""

    def __init__(self) -> None:
        self.rules, self.values, self.called = set[str](), set[str](), set[str]()
        self.given = defaultdict[str, Names](frozenset)

    def known(self) -> tuple[object, ...]:
        return {*self.rules}, {*self.values}, {*self.called}, {**self.given}


def _walk(spec: m.Spec, body: Iterable[m.Step], names: Names, decided: bool, found: _Found) -> None:
    """Goes through steps in which `names` stand for what is hidden; `decided` if something hidden decides on them."""
    for step in body:
        if decided and step.rule:
            found.rules.add(step.rule)
        carried = names | found.values
        if isinstance(step, m.Run):
            found.given[step.procedure] |= {name for name, value in step.arguments if _hidden(spec, value, carried)}
            found.called |= {step.procedure} if decided else set()
        if isinstance(step, m.Set | m.Connect) and not spec.values[step.target.name].title:
            if decided or any(_hidden(spec, part, carried) for part in (*stored(step), *step.target.arguments)):
                found.values.add(step.target.name)
        follows = _follows(spec, step, carried)
        depends = (follows and not isinstance(step, m.Let | m.Random)) or _left(spec, step, carried)
        _walk(spec, m.inside(step), names | {*_bound(spec, step, follows)}, decided or depends, found)


def _follows(spec: m.Spec, step: m.Step, names: Names) -> bool:
    """Whether something hidden decides on the variables of a step, or on the steps inside it."""
    return not isinstance(step, _ASKING) and any(_hidden(spec, part, names) for part in decisive(step))


def _left(spec: m.Spec, step: m.Step, names: Names) -> bool:
    """Whether something hidden decides when a loop is left."""
    leaves = isinstance(step, m.Each | m.Repeat) and any(isinstance(one, m.Leave) for one in m.nested(step))
    return leaves and any(_follows(spec, one, names) for one in m.nested(step) if not isinstance(one, m.Let))


def _bound(spec: m.Spec, step: m.Step, follows: bool) -> Iterator[str]:
    """The variables of a step that stand for what is hidden from some players."""
    if isinstance(step, m.Let | m.Random | m.Each):
        unseen = isinstance(step, m.Random) and step.seen_where is not None
        if follows or unseen or (isinstance(step, m.Each) and _closed(spec, step.domain)):
            yield step.variable
    elif isinstance(step, m.Option) and step.seen_by != "everybody":
        closed = any(_closed(spec, domain) for _, domain in step.picks)
        if closed or step.seen_by or hidden_picks(spec, step):
            opened = frozenset(_opened(spec, step.body))
            yield from (name for name, _ in step.picks if name not in opened)


def _opened(spec: m.Spec, body: m.Body) -> Iterator[str]:
    """The picked cards that certainly go where all see them."""
    for step in body:
        if isinstance(step, m.Do | m.Let):
            yield from _opened(spec, step.body)
        elif isinstance(step, m.Move) and isinstance(step.amount, Local) and not step.only_if:
            yield from (step.amount.name,) if spec.zones[step.target.name].sight.public else ()


def _closed(spec: m.Spec, domain: Domain) -> bool:
    """Whether not everybody sees the elements of a domain, which are cards."""
    of = domain.of if isinstance(domain, Sets) else domain
    return isinstance(of, Cards) and not spec.zones[of.zone.name].sight.public


def _hidden(spec: m.Spec, part: TExpr | Domain | m.Step | None, names: Names) -> bool:
    """Whether something reads what not everybody sees: what is named, or hidden zones and values."""
    if part is None:
        return False
    parts = [part] if isinstance(part, Typed) else [one for one in within(part, own=True) if isinstance(one, Typed)]
    read = (thing for one in parts for thing in looked(spec, one))
    return reads(spec, part, names) or any(not sight_of(spec, thing).public for thing in read)
