"""What `ftk explain` says of invariants, claims and the other names of a spec."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ftk_cli import inputs

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Span
    from rulespec.editing.renaming.targets import Target
    from rulespec.language.model.spec import Invariant, Spec
    from rulespec.play.held import Held

_MOMENTS = {"setup.end": "after the setup", "end": "at the end of a game", "always": "at every decision and at the end"}


def lines(model: Spec, name: str) -> list[str]:
    """What is known of a name that is no rule and no ruling: an invariant, a claim, or a name that others refer to."""
    invariant = next((one for one in model.invariants if one.id == name), None)
    if invariant is not None:
        return list(_of_invariant(model, invariant))
    claim = next((one for one in model.claims if one.id == name), None)
    if claim is not None:
        start = _start(model, f"{name}: a claim of {model.title}", claim.span)
        return [*start, f"  `ftk check` proves it for every content of `{claim.over}`"]
    known = _declared(model)
    found = [one for one in known if name == one.full] or [one for one in known if name == one.name]
    return [line for one in found for line in _of_name(model, one)]


def names(model: Spec) -> Iterator[str]:
    """All names that `lines` knows."""
    yield from (one.id for one in model.invariants)
    yield from (one.id for one in model.claims)
    yield from (one.full for one in _declared(model))


def place(model: Spec, span: Span) -> str:
    """Where something is declared: path, line and column."""
    path, start, _ = model.source.located(span)
    return f"{inputs.shown(path)}:{start.line}:{start.column}"


def _start(model: Spec, title: str, span: Span) -> Iterator[str]:
    yield title
    yield f"  defined at {place(model, span)}"
    yield from (f"    {line.strip()}" for line in model.source.text[span.start : span.end].strip().split("\n"))


def _of_invariant(model: Spec, invariant: Invariant) -> Iterator[str]:
    from rulespec.play.held import held

    yield from _start(model, f"{invariant.id}: an invariant of {model.title}", invariant.span)
    yield f"  tested {_MOMENTS[invariant.at]}:"
    yield from (f"    {_held(one, invariant)}" for one in held(model, invariant))


def _held(one: Held, invariant: Invariant) -> str:
    """`3 players: 72 and 72`, or how often the condition held."""
    who = f"{one.players} player{'s' * (one.players > 1)}"
    games = "" if invariant.at == "setup.end" else f", {one.times} times in {one.games} random games"
    result = f"broken {one.broken} times of {one.times}" if one.broken else "holds"
    sides = f" ({' and '.join(_range(*side) for side in one.sides)})" if one.sides else ""
    pairs = zip(one.divided[::2], one.divided[1::2], strict=True)
    divided = "".join(f"; the remainder of {_range(*number)} by {_range(*by)}" for number, by in pairs)
    return f"with {who}: {result}{sides}{divided}{games}"


def _range(least: int, greatest: int) -> str:
    return str(least) if least == greatest else f"{least} to {greatest}"


def _of_name(model: Spec, target: Target) -> Iterator[str]:
    """A declared name with its line, and where it is used."""
    from rulespec.editing.editors.names import Declared, references

    yield f"{target.full}: {target.kind_with_article} of {model.title}"
    yield f"  defined at {place(model, target.span)}"
    line = model.source.position(target.span.start).line
    yield f"    {model.source.line(line).strip()}"
    used = Counter(inputs.shown(one.source.path) for one in references(Declared(model.source, target, target.span)))
    yield "  written in:"
    yield from (f"    {path}: {times} place{'s' * (times > 1)}" for path, times in used.items())


def _declared(model: Spec) -> list[Target]:
    from rulespec.editing.editors.uses import declarations

    return [one for one in declarations(model.source) if one.kind not in ("rule", "ruling")]
