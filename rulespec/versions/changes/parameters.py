"""The new version of a spec with the old names of parameters, which no player and no text sees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.substitution import substitute
from rulespec.language.model.types import Type
from rulespec.versions.changes.renames import Renames

_Renamed = Mapping[str, Mapping[str, str]]
"""The old name of each parameter by its new one, for each procedure."""


def with_old_parameters(old: m.Spec, new: m.Spec, names: Renames) -> m.Spec:
    """The new version, in which parameters that only have another name have their old one."""
    renamed = {name: found for name, one in new.procedures.items() if (found := _renamed(old, one, names))}
    if not renamed:
        return new
    bodies = {name: _rebuilt(getattr(new, name), {}, renamed) for name in ("setup", "play")}
    procedures = {name: _procedure(one, renamed) for name, one in new.procedures.items()}
    return replace(new, procedures=procedures, **bodies)


def _renamed(old: m.Spec, now: m.Procedure, names: Renames) -> Mapping[str, str]:
    """The old names of the parameters of a procedure: of those in one version only, the first of the same type."""
    was = next((one for one in old.procedures.values() if _is(one, now, names)), None)
    if was is None:
        return {}
    gone, added = _but(was.parameters, now.parameters), _but(now.parameters, was.parameters)
    found: dict[str, str] = {}
    for one in gone:
        same = (other.name for other in added if other.type == _type(one, names) and other.name not in found)
        found |= {name: one.name for name in [next(same, "")]}
    whole = len(gone) == len(added) == len(found) and "" not in found
    return found if whole and not set(_bound(now.body)) & {*found, *found.values()} else {}


def _type(one: m.Index, names: Renames) -> Type:
    """The type of a parameter of the old version in the new one."""
    return replace(one.type, name=names.of(("enum", one.type.name))[1])


def _is(was: m.Procedure, now: m.Procedure, names: Renames) -> bool:
    if was.rule or now.rule:
        return bool(was.rule and names.of(("rule", was.rule))[1] == now.rule)
    return names.of(("procedure", was.name))[1] == now.name


def _but(some: tuple[m.Index, ...], others: tuple[m.Index, ...]) -> list[m.Index]:
    known = {one.name for one in others}
    return [one for one in some if one.name not in known]


def _bound(body: m.Body) -> Iterator[str]:
    """The variables that steps and expressions bind."""
    for step in (inner for one in body for inner in m.nested(one)):
        yield from (name for name, _ in step.binds())
        yield from _in_expressions([value for _, value in m.own_fields(step)])


def _in_expressions(value: Any) -> Iterator[str]:
    """The variables that expressions bind, in a value of a step."""
    for one in value if isinstance(value, tuple | list) else (value,):
        if isinstance(one, tuple):
            yield from _in_expressions(one)
        elif isinstance(one, t.Part):
            yield from (part.variable for part in t.walk(one) if isinstance(part, t.Fold | t.Let))  # type: ignore[arg-type]


def _procedure(one: m.Procedure, renamed: _Renamed) -> m.Procedure:
    known = renamed.get(one.name, {})
    types = {index.name: index.type for index in one.parameters}
    scope = {new: t.Local(types[new], was) for new, was in known.items()}
    parameters = tuple(replace(index, name=known.get(index.name, index.name)) for index in one.parameters)
    return replace(one, parameters=parameters, body=_rebuilt(one.body, scope, renamed))


def _rebuilt(value: Any, scope: Mapping[str, t.TExpr], renamed: _Renamed) -> Any:
    """A step, or a field of one, with the old names."""
    if isinstance(value, tuple):
        return tuple(_rebuilt(item, scope, renamed) for item in value)
    if isinstance(value, m.Step):
        changed = {name: _rebuilt(part, scope, renamed) for name, part in m.own_fields(value)}
        if isinstance(value, m.Run):
            known = renamed.get(value.procedure, {})
            changed["arguments"] = tuple((known.get(name, name), given) for name, given in changed["arguments"])
        return replace(value, **changed)
    return substitute(value, scope) if isinstance(value, t.Part) else value  # type: ignore[type-var]
