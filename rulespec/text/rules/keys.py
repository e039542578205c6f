"""The values whose numbers are the keys of a table: the floor of a character, for what floors are worth."""

from __future__ import annotations

from rulespec.language.model.spec import Spec
from rulespec.language.model.typed import Table, TExpr, Value, walk
from rulespec.proofs.meaning.rules import propositions


def of_table(spec: Spec, looked_up: TExpr) -> str:
    """The value whose numbers are the keys of the only table in an expression, "" if it is not known."""
    names = {node.name for node in walk(looked_up) if isinstance(node, Table)}
    return of_name(spec, names.pop()) if len(names) == 1 else ""


def of_name(spec: Spec, table: str) -> str:
    """The value whose numbers are the keys of a table, "" if it is not known."""
    found = {*_in_definitions(spec, table), *_in_rules(spec, table)}
    return found.pop() if len(found) == 1 else ""


def _in_definitions(spec: Spec, table: str) -> set[str]:
    definitions = (value.definition for value in spec.values.values() if value.definition is not None)
    tables = (node for one in definitions for node in walk(one) if isinstance(node, Table) and node.name == table)
    indices = (node for one in tables for index in one.indices for node in walk(index))
    return {node.name for node in indices if isinstance(node, Value)}


def _in_rules(spec: Spec, table: str) -> set[str]:
    phrases = (one for stated in propositions(spec).values() for each in stated for one in each.act.walk())
    tables = (one for one in phrases if one.constructor == "table" and one.name == table)
    return {one.name for each in tables for part in each.parts for one in part.walk() if one.constructor == "value"}
