"""What a search has covered: how much of a game was reached in each setting, and what was not reached in any."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulespec.base.diagnostics import Span
from rulespec.base.messages import Message, all_of, counted, player_count, say, sentences
from rulespec.engine.program import ir
from rulespec.language.model import spec as m
from rulespec.language.model.constants import Setting
from rulespec.language.model.step import inside
from rulespec.play.deep.ground import Ground
from rulespec.play.deep.run import Found
from rulespec.proofs.checks import locations

MOST_MISSED = 20
"""Parts that were not reached which a text lists; JSON has all."""

KINDS = ("rules", "steps", "options", "branches", "values")
"""The kinds of parts that are counted. Branches are both outcomes of each condition of an `if` or a loop, values those
that steps set: one is reached if it has changed."""

ENOUGH_GAMES = 50
"""In how many games something must have been possible before it means something that it never happened."""

Part = tuple[str, Any]
"""A part of a game: its kind and what it is known by, such as the span of a step."""

Reached = dict[Part, tuple[int, bool]]
"""In how many games each part was possible, and whether it was reached."""


@dataclass(frozen=True)
class Explored:
    """What was played in a setting, or in all of them. `reached` has, by kind, how many parts were reached and how many
    there are; `enough` says whether so much was played that it means something if nothing was found."""

    setting: Message
    games: int
    decisions: int
    enough: bool
    reached: Mapping[str, tuple[int, int]]

    def said(self) -> Message:
        """All figures."""
        figures = say(
            "{setting}: {games}, {decisions}; reached: rules {rules}, steps {steps}, options {options}, "
            "branches {branches}, changing values {values}.",
            setting=self.setting,
            games=counted("{number:,} game", "{number:,} games", self.games),
            decisions=counted("{number:,} decision", "{number:,} decisions", self.decisions),
            **{kind: say("{reached:,} of {all:,}", reached=n, all=of) for kind, (n, of) in self.reached.items()},
        )
        if self.enough:
            return figures
        return sentences(figures, say("Too little was played: that nothing was found here means nothing."))

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON."""
        reached = {kind: {"reached": n, "of": of} for kind, (n, of) in self.reached.items()}
        return {"games": self.games, "decisions": self.decisions, "enough": self.enough, **reached}


@dataclass(frozen=True)
class Missed:
    """A part that no game reached, although it was possible in so many: that a `step` ran, an `option` was taken, a
    `value` changed, the condition of an `if` failed, a `while` or an `until` ended its loop."""

    kind: str
    about: m.Step | str
    span: Span
    games: int

    def said(self) -> Message:
        """What did not happen."""
        if self.kind == "value":
            return say("`{value}` did not change", value=self.about)
        return {
            "step": say("this did not happen"),
            "option": say("this option was not taken"),
            "if": say("this condition always held"),
        }.get(self.kind) or say("this condition did not end its loop")


@dataclass(frozen=True)
class Coverage:
    """What a search of a game has covered, in `whole` and by setting. `left_out` settings were not searched."""

    spec: m.Spec
    whole: Explored
    settings: tuple[tuple[Setting, Explored], ...]
    left_out: int
    missed: tuple[Missed, ...]

    @property
    def path(self) -> str:
        """The file of the game."""
        return self.spec.source.path

    def place(self, span: Span) -> tuple[str, int]:
        """The file and the line where a span begins."""
        path, start, _ = self.spec.source.located(span)
        return path, start.line

    def lines(self) -> Iterator[Message]:
        """All of it as text."""
        several = len(self.settings) > 1
        yield replace(self.whole, enough=several or self.whole.enough).said()
        yield from ("  " + one.said() for _, one in self.settings if several)
        if self.left_out:
            number = counted("{number:,} more setting", "{number:,} more settings", self.left_out)
            yield "  " + say("Not explored: {settings}.", settings=number)
        if self.left_out or not self.whole.enough:
            yield "  " + say("Search longer with --budget or --games.")
        if self.missed:
            yield "  " + say("Not reached in any game, which does not mean that it cannot happen:")
        for one in self.missed[:MOST_MISSED]:
            yield "    {}:{}: ".format(*self.place(one.span)) + one.said()
        if len(self.missed) > MOST_MISSED:
            yield "    " + counted(
                "and {number:,} more part", "and {number:,} more parts", len(self.missed) - MOST_MISSED
            )

    def to_dict(self, said: Callable[[str], str] = str) -> dict[str, Any]:
        """All of it as JSON, with messages as they are `said`."""
        settings = [
            {"players": setting.players, "rulings": _rulings(setting), **one.to_dict()}
            for setting, one in self.settings
        ]
        places = [(one, *self.place(one.span)) for one in self.missed]
        return {
            "game": self.spec.id,
            "path": self.path,
            **self.whole.to_dict(),
            "settings": settings,
            "settings_left_out": self.left_out,
            "not_reached": [
                {
                    "what": said(one.said()),
                    "path": path,
                    "line": line,
                    "rule": locations.rule_around(self.spec, one.span),
                }
                for one, path, line in places
            ],
        }


def coverage(found: Found) -> Coverage:
    """What a search has covered."""
    settings = [
        (ground.setting, _explored(in_setting(ground.setting), [ground], _reached([ground])))
        for ground in found.grounds
    ]
    number = counted("{number:,} setting", "{number:,} settings", len(settings))
    title = say("{game}, explored in {settings}", game=found.spec.id, settings=number)
    whole = _explored(title, found.grounds, _reached(found.grounds))
    return Coverage(found.spec, whole, tuple(settings), found.settings - len(settings), tuple(missed(found)))


def in_setting(setting: Setting) -> Message:
    """A setting in words: its players, and the options that are not the first ones of their rulings."""
    first = {id_: ruling.options[0] for id_, ruling in setting.spec.rulings.items()}
    others = [
        say("`{ruling}` is {option}", ruling=id_, option=option)
        for id_, option in _rulings(setting).items()
        if option != first[id_]
    ]
    return say("with {things}", things=all_of([player_count(setting.players), *others]))


def _rulings(setting: Setting) -> dict[str, str]:
    return {id_: ruling.options[setting.chosen[id_]] for id_, ruling in setting.spec.rulings.items()}


def _explored(setting: Message, grounds: Sequence[Ground], parts: Reached) -> Explored:
    of = {kind: [reached for (one, _), (_, reached) in parts.items() if one == kind] for kind in KINDS}
    games, decisions = (sum(getattr(ground, name) for ground in grounds) for name in ("games", "decisions"))
    enough = all(ground.games >= ENOUGH_GAMES for ground in grounds)
    return Explored(setting, games, decisions, enough, {kind: (sum(every), len(every)) for kind, every in of.items()})


def _reached(grounds: Sequence[Ground]) -> Reached:
    """The parts of a game in some settings."""
    found: Reached = {}

    def note(kind: str, about: Any, games: int, reached: bool) -> None:
        before, known = found.get((kind, about), (0, False))
        found[kind, about] = before + games, known or reached

    for ground in grounds:
        game, covered = ground.game, ground.covered
        ran = {part for step in ground.steps for part in _parts(step)}
        for kind, about in {part for step in game.present for part in _parts(step)}:
            note(kind, about, ground.games, (kind, about) in ran)
        for place, *condition in conditions(ground):
            for way, other in (("on", "jumps"), ("jumps", "on")):
                note("branches", (*condition, way), covered[other, place], (way, place) in covered)
        for value in {i.value for i in game.plain.code if isinstance(i, ir.Let) and i.value}:
            note("values", value, ground.games, ("changes", value) in covered)
    return found


def _parts(step: m.Step) -> Iterator[Part]:
    """The parts that a step is: a block and the steps that it is written out as are one, since they have one span."""
    yield "options" if isinstance(step, m.Option | m.Place) else "steps", step.span
    if step.rule:
        yield "rules", step.rule


def conditions(ground: Ground) -> Iterator[tuple[int, m.If | m.Repeat, str]]:
    """The places that test the condition of an `if`, and the `while` and the `until` of loops."""
    first = dict[m.Step, int]()
    for place, (step, instruction) in enumerate(zip(ground.game.steps, ground.game.plain.code, strict=True)):
        if isinstance(step, m.If) and isinstance(instruction, ir.Branch):
            yield place, step, "if"
        elif isinstance(step, m.Repeat) and isinstance(instruction, ir.Branch) and place not in ground.game.loops:
            starts = step.while_ is not None and step not in first
            first.setdefault(step, place)
            if starts or step.until is not None:
                yield place, step, "while" if starts else "until"


def missed(found: Found) -> Iterator[Missed]:
    """The parts that no game reached although what is around them was."""
    spec, parts = found.spec, _reached(found.grounds)
    ran, present = found.steps
    for step in dict.fromkeys(_outermost(spec, (*spec.setup, *spec.play), present, ran)):
        kind = "option" if isinstance(step, m.Option | m.Place) else "step"
        span = locations.at(spec, step.span, "says") if kind == "option" else locations.of(spec, step)
        yield Missed(kind, step, span, parts[f"{kind}s", step.span][0])
    for (kind, about), (games, reached) in parts.items():
        if kind == "values" and not reached:
            yield Missed("value", about, locations.at(spec, None, "values", about), games)
        elif kind == "branches" and about[2] == "jumps" and games and not reached:
            step, key, _ = about
            if isinstance(step, m.Repeat):
                yield Missed(key, step, locations.of(spec, step, "repeat", key), games)
            elif not step.otherwise:
                yield Missed(key, step, locations.of(spec, step), games)


def _outermost(
    spec: m.Spec, body: Iterable[m.Step], known: Collection[m.Step], ran: Collection[m.Step]
) -> Iterator[m.Step]:
    for step in body:
        if step in known and step not in ran:
            yield step
        else:
            yield from _outermost(spec, _inside(spec, step), known, ran)


def _inside(spec: m.Spec, step: m.Step) -> Iterator[m.Step]:
    """The steps inside a step, with those of a procedure that it runs. What a loop does at its bound is a safeguard."""
    if isinstance(step, m.Run):
        yield from spec.procedures[step.procedure].body
    beyond = step.then or () if isinstance(step, m.Repeat) else ()
    yield from (one for one in inside(step) if one not in beyond)
