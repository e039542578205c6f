"""The surroundings of a step: settings, rule, and conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from rulespec.base.diagnostics import Span
from rulespec.language.model import step as s
from rulespec.language.model import typed as t
from rulespec.language.model.constants import Setting
from rulespec.language.model.spec import Spec
from rulespec.language.model.typed import TExpr
from rulespec.proofs.meaning.expressions import Wording, opposite
from rulespec.proofs.meaning.phrase import Phrase, Proposition, number


@dataclass(frozen=True)
class Scene:
    """Where steps stand: the settings in which they are present, their rule, and the conditions around them.

    `in_secret`: what they lay out is revealed later.
    """

    spec: Spec
    among: Sequence[Setting]
    walk: Callable[[s.Body, Scene], Iterator[Proposition]]
    rule: str = ""
    conditions: tuple[Phrase, ...] = ()
    within: tuple[Phrase, ...] = ()
    in_secret: bool = False

    @property
    def say(self) -> Wording:
        return Wording(self.spec, self.among)

    def under(self, *conditions: Phrase) -> Scene:
        """The scene inside further conditions."""
        return replace(self, conditions=(*self.conditions, *conditions))

    def inside(self, *loops: Phrase) -> Scene:
        """The scene inside further loops."""
        return replace(self, within=(*self.within, *loops))

    def where(self, condition: TExpr | None, wanted: bool = True) -> Scene | None:
        """The scene where a condition has the wanted truth; None if it has it in no setting."""
        if condition is None:
            return self
        if not t.constant(condition):
            phrase = self.say(condition) if wanted else opposite(self.say(condition))
            if phrase.constructor == "false":
                return None
            return self if phrase.constructor == "true" else self.under(phrase)
        left = [one for one in self.among if bool(one.value(condition)) == wanted]
        if not left:
            return None
        here = replace(self, among=left)
        counts = tuple(number(one.players) for one in left)
        return here if len(left) == len(self.among) else here.under(Phrase("with_players", counts))

    def body(self, steps: s.Body) -> Iterator[Proposition]:
        """The propositions of steps inside this scene."""
        return self.walk(steps, self)

    def named(self, step: s.Step) -> Scene | None:
        """The scene of a step that may have a rule of its own; None if it is in no setting."""
        return replace(self, rule=step.rule or self.rule).where(step.only_if)

    def fact(self, span: Span, act: Phrase) -> Proposition:
        """A proposition of this scene."""
        return Proposition(self.rule, act, self.conditions, span, within=self.within)


def verb_of(options: tuple[s.Option, ...], scene: Scene) -> str:
    """`must` if there is one option, `may` if a player decides between several."""
    return "must" if sum(scene.named(option) is not None for option in options) == 1 else "may"


def of_option(option: s.Option, by: Phrase, verb: str, scene: Scene) -> Iterator[Proposition]:
    """What a player may or must choose, under which condition, and what happens then."""
    named = scene.named(option)
    here = named and _allowed(option, named)
    if named is None or here is None:
        return
    if option.picks:
        verb = "may" if any(isinstance(of, t.Sets) and of.type.low == 0 for _, of in option.picks) else verb
        yield named.fact(option.span, _choice(option, by, verb, named, here))
    else:
        taken = Phrase("option", name=option.says)
        yield here.fact(option.span, Phrase(f"{verb}_take", (by, taken)))
        named = named.under(Phrase("taken", (taken,)))
    # Not under the condition, which the choice has stated already.
    yield from named.body(option.body)


def _allowed(option: s.Option, scene: Scene) -> Scene | None:
    """The scene where an option is allowed: its condition holds, there are enough tokens for its transfers, and the
    condition for what comes of it holds."""
    here = scene.where(option.own_condition)
    further = [Phrase("enough_tokens")] if option.needs else []
    if option.after is not None:
        further.append(Phrase("afterwards", (scene.say(option.after),)))
    if here is None or not further:
        return here
    before = len(scene.conditions)
    such = [part for one in here.conditions[before:] for part in (one.parts if one.constructor == "all_of" else (one,))]
    every = (*such, *further)
    return replace(here, conditions=(*scene.conditions, Phrase("all_of", every) if len(every) > 1 else every[0]))


def _choice(option: s.Option, by: Phrase, verb: str, scene: Scene, narrowed: Scene) -> Phrase:
    """What a player chooses, and the condition that it meets: what the narrowed scene has more than the scene."""
    say = scene.say
    picks = [_pick(name, domain, say) for name, domain in option.picks]
    such = narrowed.conditions[len(scene.conditions) :]
    return Phrase(f"{verb}_choose_such" if such else f"{verb}_choose", (by, *such, *picks))


def _pick(name: str, domain: t.Domain, say: Wording) -> Phrase:
    """One element of a domain, or a set of its elements by the numbers that it may have."""
    if not isinstance(domain, t.Sets):
        return Phrase("pick", (say.variable(name, domain.type), say.domain(domain)))
    low, high = say(domain.low), say(domain.high)
    named = say.variable(name, domain.type), say.domain(domain.of)
    if low == high:
        return Phrase("pick_exactly", (*named, low))
    return Phrase("pick_up_to", (*named, high)) if low == number(0) else Phrase("pick_between", (*named, low, high))


def face_of(spec: Spec, zone: str) -> tuple[Phrase, ...]:
    """Face up or face down, as cards lie in a zone; nothing if it depends on the player who looks."""
    ways = spec.zones[zone].sight.ways
    faces = {"everybody": "face_up", "nobody": "face_down"}
    return (Phrase(faces[ways[0].group]),) if len(ways) == 1 and ways[0].group in faces else ()
