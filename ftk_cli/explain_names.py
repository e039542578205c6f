"""What `ftk explain` says of invariants, claims and the other names of a spec."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ftk_cli import inputs
from ftk_cli.language import localized
from rulespec.base.messages import Message, all_of, chained, counted, say

if TYPE_CHECKING:
    from rulespec.base.diagnostics import Span
    from rulespec.editing.renaming.targets import Target
    from rulespec.language.model.spec import Invariant, Spec
    from rulespec.play.held import Held

_MOMENTS = {
    "setup.end": say("tested after the setup:"),
    "end": say("tested at the end of a game:"),
    "always": say("tested at every decision and at the end:"),
}


def lines(model: Spec, name: str) -> list[str]:
    """What is known of a name that is no rule and no ruling: an invariant, a claim, or a name that others refer to."""
    invariant = next((one for one in model.invariants if one.id == name), None)
    if invariant is not None:
        return list(_of_invariant(model, invariant))
    claim = next((one for one in model.claims if one.id == name), None)
    if claim is not None:
        start = _start(model, say("{name}: a claim of {game}", name=name, game=model.title), claim.span)
        proved = say("`ftk check` proves it for every content of `{over}`", over=claim.over)
        return [*start, f"  {localized(proved)}"]
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


def defined_at(model: Spec, span: Span) -> str:
    """That something is declared at a place, in the language of the reader."""
    return localized(say("defined at {place}", place=place(model, span)))


def _start(model: Spec, title: str, span: Span) -> Iterator[str]:
    yield localized(title)
    yield f"  {defined_at(model, span)}"
    yield from (f"    {line.strip()}" for line in model.source.text[span.start : span.end].strip().split("\n"))


def _of_invariant(model: Spec, invariant: Invariant) -> Iterator[str]:
    from rulespec.play.held import held

    yield from _start(model, say("{name}: an invariant of {game}", name=invariant.id, game=model.title), invariant.span)
    yield f"  {localized(_MOMENTS[invariant.at])}"
    yield from (f"    {localized(_held(one, invariant))}" for one in held(model, invariant))


def _held(one: Held, invariant: Invariant) -> Message:
    """`3 players: 72 and 72`, or how often the condition held."""
    result = say("holds")
    if one.broken:
        result = say("broken {broken} times of {times}", broken=one.broken, times=one.times)
    if one.sides:
        result = say("{result} ({sides})", result=result, sides=all_of([_range(*side) for side in one.sides]))
    pairs = zip(one.divided[::2], one.divided[1::2], strict=True)
    rests = [say("the remainder of {number} by {divisor}", number=_range(*n), divisor=_range(*by)) for n, by in pairs]
    result = chained(say("{first}; {second}"), [result, *rests])
    said = counted("with {number} player: {result}", "with {number} players: {result}", one.players, result=result)
    if invariant.at == "setup.end":
        return said
    games = say("{times} times in {games} random games", times=one.times, games=one.games)
    return say("{first}, {second}", first=said, second=games)


def _range(least: int, greatest: int) -> str:
    return str(least) if least == greatest else say("{low} to {high}", low=least, high=greatest)


def _of_name(model: Spec, target: Target) -> Iterator[str]:
    """A declared name with its line, and where it is used."""
    from rulespec.editing.editors.names import Declared, references

    yield localized(say("{name}: {kind} of {game}", name=target.full, kind=target.kind_with_article, game=model.title))
    yield f"  {defined_at(model, target.span)}"
    line = model.source.position(target.span.start).line
    yield f"    {model.source.line(line).strip()}"
    used = Counter(inputs.shown(one.source.path) for one in references(Declared(model.source, target, target.span)))
    yield f"  {localized(say('written in:'))}"
    places = (counted("{path}: {number} place", "{path}: {number} places", n, path=path) for path, n in used.items())
    yield from (f"    {localized(one)}" for one in places)


def _declared(model: Spec) -> list[Target]:
    from rulespec.editing.editors.uses import declarations

    return [one for one in declarations(model.source) if one.kind not in ("rule", "ruling")]
