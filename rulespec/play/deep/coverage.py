"""What a search has covered: how much of a game was reached in each setting, and what was not reached in any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulespec.base.diagnostics import Span
from rulespec.base.messages import Message, all_of, counted, player_count, say, sentences
from rulespec.engine.program import ir
from rulespec.language.model import spec as m
from rulespec.language.model.constants import Setting
from rulespec.play.deep import never
from rulespec.play.deep.ground import Ground
from rulespec.play.deep.run import Found
from rulespec.proofs.checks import locations

MOST_MISSED = 20
"""Parts that were not reached which a text lists; JSON has all."""

KINDS = ("rules", "steps", "options", "branches", "values")
"""The kinds of parts that are counted. Branches are both outcomes of each condition of an `if` or a loop, values those
that steps set: one is reached if it has changed."""

Part = tuple[str, Any]
"""A part of a game: its kind and what it is known by, such as the span of a step."""


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
    """A part that no game reached, with its place and the rule around it."""

    what: Message
    path: str
    line: int
    rule: str


@dataclass(frozen=True)
class Coverage:
    """What a search of a game has covered, in `whole` and by setting. `left_out` settings were not searched."""

    game: str
    path: str
    whole: Explored
    settings: tuple[tuple[Setting, Explored], ...]
    left_out: int
    missed: tuple[Missed, ...]

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
            yield f"    {one.path}:{one.line}: " + one.what
        if len(self.missed) > MOST_MISSED:
            yield "    " + counted(
                "and {number:,} more part", "and {number:,} more parts", len(self.missed) - MOST_MISSED
            )

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON."""
        return {
            "game": self.game,
            "path": self.path,
            **self.whole.to_dict(),
            "settings": [
                {"players": setting.players, "rulings": _rulings(setting), **one.to_dict()}
                for setting, one in self.settings
            ],
            "settings_left_out": self.left_out,
            "not_reached": [
                {"what": str(one.what), "path": one.path, "line": one.line, "rule": one.rule} for one in self.missed
            ],
        }


def coverage(found: Found) -> Coverage:
    """What a search has covered."""
    each = [_parts(ground) for ground in found.grounds]
    whole: dict[Part, bool] = {}
    for part, reached in (item for parts in each for item in parts.items()):
        whole[part] = whole.get(part, False) or reached
    settings = [
        (ground.setting, _explored(in_setting(ground.setting), [ground], parts))
        for ground, parts in zip(found.grounds, each, strict=True)
    ]
    number = counted("{number:,} setting", "{number:,} settings", len(settings))
    title = say("{game}, explored in {settings}", game=found.spec.id, settings=number)
    return Coverage(
        found.spec.id,
        found.spec.source.path,
        _explored(title, found.grounds, whole),
        tuple(settings),
        found.settings - len(settings),
        tuple(_missed(found, whole)),
    )


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


def _explored(setting: Message, grounds: Sequence[Ground], parts: Mapping[Part, bool]) -> Explored:
    of = {kind: [reached for (one, _), reached in parts.items() if one == kind] for kind in KINDS}
    games, decisions = (sum(getattr(ground, name) for ground in grounds) for name in ("games", "decisions"))
    enough = all(ground.games >= never.ENOUGH_GAMES for ground in grounds)
    return Explored(setting, games, decisions, enough, {kind: (sum(every), len(every)) for kind, every in of.items()})


def _parts(ground: Ground) -> dict[Part, bool]:
    """The parts of a game in one setting, and whether they were reached."""
    game, ran, covered = ground.game, ground.steps, ground.covered
    found: dict[Part, bool] = {}

    def note(part: Part, reached: bool) -> None:
        found[part] = found.get(part, False) or reached

    for step in game.present:
        # A block and the steps that it is written out as are one.
        note(("options" if isinstance(step, m.Option | m.Place) else "steps", step.span), step in ran)
        if step.rule:
            note(("rules", step.rule), step in ran)
    for place, step, key in never.conditions(ground):
        for way in ("on", "jumps"):
            note(("branches", (step, key, way)), (way, place) in covered)
    for i in game.plain.code:
        if isinstance(i, ir.Let) and i.value:
            note(("values", i.value), ("changes", i.value) in covered)
    return found


def _missed(found: Found, whole: Mapping[Part, bool]) -> Iterator[Missed]:
    """The parts that were not reached, outermost only."""
    spec = found.spec

    def missed(what: Message, span: Span) -> Missed:
        path, start, _ = spec.source.located(span)
        return Missed(what, path, start.line, locations.rule_around(spec, span))

    ran = {step for ground in found.grounds for step in ground.steps}
    known = {step for ground in found.grounds for step in ground.game.present}
    for step in dict.fromkeys(never.outermost(spec, (*spec.setup, *spec.play), known, ran)):
        option = isinstance(step, m.Option | m.Place)
        words = say("this option was not taken") if option else say("this did not happen")
        yield missed(words, locations.at(spec, step.span, "says") if option else locations.of(spec, step))
    for (kind, about), reached in whole.items():
        if kind == "values" and not reached:
            yield missed(say("`{value}` did not change", value=about), locations.at(spec, None, "values", str(about)))
        elif kind == "branches" and not reached and whole[kind, (*about[:2], "on")]:
            step, key, _ = about
            if isinstance(step, m.If) and not step.otherwise:
                yield missed(say("this condition always held"), locations.of(spec, step))
            elif isinstance(step, m.Repeat):
                yield missed(say("this condition did not end its loop"), locations.of(spec, step, "repeat", key))
