"""Reads what an option picks: one element of a domain, or a set of its elements."""

from __future__ import annotations

from math import comb

from rulespec.base.messages import NOTHING, say
from rulespec.language.document.nodes import Mapping as MapNode
from rulespec.language.document.nodes import Node
from rulespec.language.expr.parser import ExpressionError, parse_domain
from rulespec.language.expr.tree import free_names
from rulespec.language.model.combinations import number_of_sets
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.measure import COSTLIEST, measure
from rulespec.language.model.names import Names
from rulespec.language.model.nodes import Broken, scalar
from rulespec.language.model.reader import Reader
from rulespec.language.model.typed import Cards, Chosen, Domain, Listed, Local, Op, Sets, TExpr, children, walk
from rulespec.language.model.types import MOST_PICKED, several


def picked(reader: Reader, node: Node, scope: Locals) -> Domain | None:
    """The domain of a pick: of single elements, or `{set_of: DOMAIN, count: LOW..HIGH}`; None after a finding."""
    of = reader.domain(node.get("set_of") if isinstance(node, MapNode) else node, scope)
    if isinstance(of, Chosen):
        hint = say("Pick from a zone: move the cards of the set there first.") if of.type.kind == "card" else NOTHING
        reader.report("wrong-domain", say("An option cannot pick from a picked set."), node, hint)
        reader.names.broken = True
        return None
    if isinstance(of, Listed) and isinstance(node, MapNode):
        hint = say("Pick from all, `set_of: {type}`, with an `if` on each: `all(t in s if …)`.", type=of.type)
        reader.report("wrong-domain", say("A set cannot be picked from a list of squares."), node, hint)
        reader.names.broken = True
        return None
    if not isinstance(node, MapNode):
        return of
    bounds = _count(reader, scalar(node.get("count")), scope)
    if of is None or bounds is None or isinstance(of, Sets | Listed):
        return None
    low, high = bounds
    return Sets(several(of.type, low.type.low, high.type.high), of, low, high)


def _count(reader: Reader, node: Node, scope: Locals) -> tuple[TExpr, TExpr] | None:
    """The lowest and the highest number of elements; None after a finding."""
    bounds = reader.amounts(scalar(node), scope)
    if bounds is None:
        return None
    low, high = bounds
    for wrong, one, limit in (
        (low.type.low < 0, low.type.low, say("at least {number}", number=0)),
        (high.type.high < 1, high.type.high, say("at least {number}", number=1)),
        (high.type.high > MOST_PICKED, high.type.high, say("at most {number}", number=MOST_PICKED)),
    ):
        if wrong:
            hint = say("Limit it: `clamp(…, 0, {most_picked})`.", most_picked=MOST_PICKED)
            message = say(
                "This can be {one}, but the number of elements in a picked set must be {limit}.", one=one, limit=limit
            )
            reader.report("out-of-range", message, node, hint)
            reader.names.broken = True
            return None
    return low, high


def depends_on_later(reader: Reader, name: str, later: list[str], node: Node) -> None:
    """Reports a domain that depends on what is picked after it. Raises Broken, as it has no type yet."""
    written = scalar(node.get("set_of") if isinstance(node, MapNode) else node).text
    try:
        named = {used.name for used in free_names(parse_domain(written))}
    except ExpressionError:
        return  # reported where the domain is read
    for other in (one for one in later if one in named):
        message = say(
            "What `{name}` is picked from depends on `{other}`, which is picked after it.", name=name, other=other
        )
        reader.report("wrong-domain", message, node, say("Write `{other}:` before `{name}:`.", other=other, name=name))
        reader.names.broken = True
        raise Broken


def depends_on_cards(reader: Reader, before: dict[str, Domain], domain: Domain | None, node: Node) -> None:
    """Reports a domain that depends on a card or a set picked before it: of equal cards one stands for all, so what
    depends on it would have no number of its own."""
    read = (part for child in children(domain) for part in walk(child)) if domain is not None else ()
    named = (part.name for part in read if isinstance(part, Local))
    for name in named:
        if isinstance(before.get(name), Cards | Sets):
            message = say(
                "What can be picked may depend on players, numbers and members, but not on `{name}`.", name=name
            )
            hint = say("Pick from all, and compare with `{name}` in `if`.", name=name)
            reader.report("wrong-domain", message, node, hint)
            reader.names.broken = True
            return


def number_of_actions(domain: Domain, names: Names) -> int:
    """The actions that a pick from a domain stands for: equal cards, and equal sets of cards, are one."""
    if isinstance(domain, Sets):
        copies = _copies(domain.of, names)
        sizes = range(domain.type.low, min(domain.type.high, sum(copies)) + 1)
        return sum(number_of_sets(copies, size) for size in sizes)
    return len(_copies(domain, names))


def _copies(domain: Domain, names: Names) -> tuple[int, ...]:
    if isinstance(domain, Cards):
        return names.copies
    if isinstance(domain, Listed):
        return (1,) * names.extent(domain.type)
    return (1,) * names.most(domain)


def too_costly(reader: Reader, sets: dict[str, Sets], condition: TExpr | None, node: Node) -> None:
    """Reports an option for whose sets the condition must be evaluated too often."""
    for name, domain in sets.items():
        most = reader.names.most(domain.of)
        tried = sum(comb(most, size) for size in range(domain.type.low, domain.type.high + 1))
        # Engines test each part as soon as its picks are bound (decision 026), so parts without this set add nothing.
        cost = sum(measure(part, reader.names).cost for part in _conjuncts(condition) if _reads(part, name))
        if tried * max(1, cost) > COSTLIEST:
            low, high = domain.type.low, domain.type.high
            sizes = str(high) if low == high else say("{low} to {high}", low=low, high=high)
            said = say("There can be {tried:,} sets `{name}` of {sizes} elements", tried=tried, name=name, sizes=sizes)
            if cost:
                said = say("{sets}, and the condition takes up to {cost:,} steps for each", sets=said, cost=cost)
            message = say("{sets}: more than {costliest:,} steps for one choice.", sets=said, costliest=COSTLIEST)
            hint = say(
                "Pick fewer elements, or a shorter condition: each of its parts that are joined by `and` counts."
            )
            reader.report("too-costly", message, node, hint)
            reader.names.broken = True


def _conjuncts(condition: TExpr | None) -> list[TExpr]:
    if isinstance(condition, Op) and condition.operator == "and":
        return [part for argument in condition.arguments for part in _conjuncts(argument)]
    return [condition] if condition is not None else []


def _reads(part: TExpr, name: str) -> bool:
    return any(isinstance(node, Local) and node.name == name for node in walk(part))
