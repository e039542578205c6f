"""Sides of changes: what one version says of a declaration, a rule or a statement, and where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rulespec.base.diagnostics import Span
from rulespec.language.model.phrase import Proposition
from rulespec.language.model.spec import Spec
from rulespec.proofs.meaning.rules import defined, propositions
from rulespec.versions.changes.both import Both
from rulespec.versions.changes.change import Change, Side
from rulespec.versions.changes.written import Piece, written
from rulespec.versions.changes.written import differing as pieces


class Spanned(Protocol):
    @property
    def span(self) -> Span: ...


def declared(spec: Spec, kind: str, name: str) -> Side:
    """A declaration in one version: what it means in words, or what it lists."""
    span = _span(spec, kind, name)
    if kind == "enum":
        return Side(", ".join(spec.enums[name].members), span)
    if kind == "field":
        return Side(str(spec.deck.per_member.get(name) or spec.deck.declared[name]), span)
    return Side("", span, defined(spec).get(name, ()))


def of_rule(spec: Spec, name: str) -> Side:
    rule = spec.rules.get(name)
    said = propositions(spec).get(name, ())
    return Side("" if said or rule is None else rule.title, rule.span if rule else None, said)


def stated(*statements: Proposition | None) -> Side:
    there = tuple(one for one in statements if one is not None)
    return Side("", there[0].span, there) if there else Side()


def as_written(spec: Spec, part: Spanned | None) -> Side:
    """A declaration as it is written, in one line."""
    return Side() if part is None else Side(written(spec.source, part.span), part.span)


def differing(both: Both, name: str, other: str) -> tuple[Side, Side]:
    """What differs between both versions of a rule, as it is written, at its first place."""
    old, new = both.old.rules.get(name), both.new.rules.get(other)
    if old is None or new is None:
        return as_written(both.old, old), as_written(both.new, new)
    before, after = pieces(both.old.source, old.span, both.new.source, new.span)
    return _of_pieces(before, old.span), _of_pieces(after, new.span)


def _of_pieces(found: Sequence[Piece], rule: Span) -> Side:
    return Side(" · ".join(one.text for one in found), found[0].span if found else rule)


def renamed(both: Both, kind: str, name: str, other: str) -> Change:
    """A part with another name, each name at its place."""
    users = (other,) if kind == "rule" else both.users((kind, other), True)
    before, after = Side(name, _span(both.old, kind, name)), Side(other, _span(both.new, kind, other))
    return Change(f"{kind}-renamed", other, users, before, after)


def _span(spec: Spec, kind: str, name: str) -> Span | None:
    part = getattr(spec, f"{kind}s", {}).get(name)
    return part.span if part is not None else None
