"""An option of a choice: what a player may pick, when it is legal, and what happens then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rulespec.base.messages import say
from rulespec.language.document.nodes import Mapping, Node
from rulespec.language.model.infer.advice import Locals
from rulespec.language.model.infer.squares import beside
from rulespec.language.model.narrowing import Facts, after, lasting
from rulespec.language.model.narrowing import known as narrowed
from rulespec.language.model.nodes import entries, items, mapping, text
from rulespec.language.model.phrase import Constructor, Phrase, Proposition, Scene, Wording, constructor, number
from rulespec.language.model.picks import depends_on_cards, depends_on_later, number_of_actions, picked, too_costly
from rulespec.language.model.step import Body, Step
from rulespec.language.model.steps import fields
from rulespec.language.model.steps.reading import Refusal, StepReader, known
from rulespec.language.model.typed import Domain, Op, Sets, TExpr
from rulespec.language.model.types import BOOL, Type

MOST_ACTIONS = 25_000
"""Actions of one option, at most: the legal ones are collected at every decision. Up to three cards of 52 are 23,426
sets. The largest option of the shipped games has 2,568 actions."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Option(Step, key="says", once=False, followed=True):
    """One option of a choice: every combination of picks that meets `condition`. `needs` are the last parts of the
    condition, joined by `and`: that there are enough tokens for the transfers in the body. `seen_by` says whether
    everybody or nobody else sees which action is taken; empty if that follows from where the picks go. `after`, if
    there is one, holds in the state that the body leads to, which is tried."""

    says: str = fields.custom("says", "says", form=(fields.DISPLAYED,))
    picks: tuple[tuple[str, Domain], ...] = fields.variable(
        "pick",
        {
            "type": "object",
            "minProperties": 1,
            "propertyNames": {"$ref": "#/$defs/name"},
            "additionalProperties": {"$ref": "#/$defs/picked"},
        },
        optional=True,
    )
    condition: TExpr | None = fields.condition("if", optional=True)
    after: TExpr | None = fields.condition("if_after", form=(fields.GATE, fields.ADDED), optional=True, default=None)
    weight: ClassVar = fields.key("weight", "expression", optional=True)
    body: Body = fields.body("do")
    needs: tuple[TExpr, ...] = fields.aside(default=())
    seen_by: str = fields.words("seen_by", "everybody nobody", form=(fields.ADDED,), optional=True, default="")
    constructors: ClassVar[tuple[Constructor, ...]] = (
        constructor("must_choose", "by picks*", "modality: must", "duty: binding"),
        constructor("may_choose", "by picks*", "modality: may", implies="duty: optional"),
        constructor("must_choose_such", "by condition picks*", "modality: must", "duty: binding"),
        constructor("may_choose_such", "by condition picks*", "modality: may", implies="duty: optional"),
        constructor("may_take", "by option", "modality: may", implies="duty: optional"),
        constructor("must_take", "by option", "modality: must", "duty: binding"),
        constructor("taken", "option"),
        constructor("choose_one", "by"),
        constructor("choose", "picks*"),
        constructor("choose_such", "condition picks*"),
        constructor("take", "option"),
        constructor("pick", "variable domain"),
        constructor("pick_exactly", "variable domain amount", "comparison: exactly"),
        constructor("pick_up_to", "variable domain amount", "comparison: at_most"),
        constructor("pick_between", "variable domain low high"),
        constructor("chooses_seen", "by"),
        constructor("chooses_unseen", "by", "sight: secret"),
    )

    @property
    def own_condition(self) -> TExpr | None:
        """The condition without what the transfers need."""
        condition = self.condition
        for need in reversed(self.needs):
            condition = condition.arguments[0] if isinstance(condition, Op) and condition != need else None
        return condition

    @classmethod
    def read(cls, steps: StepReader, node: Mapping, scope: Locals, given: tuple[str, ...] = ()) -> Option:
        """The domain of a pick may depend on picks before it, but not on their cards and sets.

        `given` names are picked by the block around it. The number of an action encodes its picks and nothing else, so
        `says` can name only these.
        """
        reader, common = steps.reader, steps.common(node, scope)
        picks: list[tuple[str, Domain]] = []
        inner, actions, lies = scope, 1, dict[TExpr, Type]()
        keys = [key.text for key, _ in entries(node.get("pick"))]
        for number_, (key, value) in enumerate(entries(node.get("pick"))):
            depends_on_later(reader, key.text, keys[number_ + 1 :], value)
            domain = picked(reader, value, inner)
            depends_on_cards(reader, dict(picks), domain, value)
            picks.append((key.text, known(domain)))
            inner, lies = steps.bind(key, value, domain, inner), {**lies, **beside(reader.names, key.text, domain)}
            actions *= max(1, number_of_actions(domain, reader.names)) if domain else 1
        place = node.get("pick") or node
        _check_number(steps, actions, place)
        with reader.given({**reader.facts, **lies}):
            condition = reader.condition(node.get("if"), inner)
        said = steps.says(node, [*given, *(name for name, _ in picks)])
        weight = steps.weight(node.get("weight"), inner, condition)
        with steps.assuming(common, _chosen(steps, condition)):
            body = steps.body(node.get("do"), inner)
            reached = after(reader.facts, body, reader.names)
        with reader.given(reached):
            tried = reader.condition(node.get("if_after"), inner)
        # What these steps of the option need is known when it is chosen, so they make it illegal.
        refusals = [] if steps.in_secret else [one for one in steps.refusals if one.step in body]
        refusals = [
            one for one in refusals if one.step.only_if is None and _lasts(steps, one, body[: body.index(one.step)])
        ]
        steps.refusals = [one for one in steps.refusals if one not in refusals]
        for refusal in refusals:
            steps.require(refusal, common["rule"], body)
            condition = refusal.holds if condition is None else Op(BOOL, "and", (condition, refusal.holds))
        sets = {name: domain for name, domain in picks if isinstance(domain, Sets)}
        too_costly(reader, sets, condition, place)
        needs = tuple(refusal.holds for refusal in refusals)
        common |= {"seen_by": text(node.get("seen_by")) if node.get("seen_by") else "", "after": tried}
        option = cls(says=said, picks=tuple(picks), condition=condition, body=body, needs=needs, **common)
        steps.weigh(option, weight)
        return option

    def binds(self) -> Iterator[tuple[str, Type]]:
        return ((name, domain.type) for name, domain in self.picks)

    def offered(self, by: Phrase, verb: str, scene: Scene) -> Iterator[Proposition]:
        """What a player may or must choose, under which condition, and what happens then."""
        named = scene.option(self).named(self)
        here = named and self._allowed(named)
        if named is None or here is None:
            return
        if self.picks:
            verb = "may" if any(isinstance(of, Sets) and of.type.low == 0 for _, of in self.picks) else verb
            picks = [_pick(name, domain, named.say) for name, domain in self.picks]
            such = here.conditions[len(named.conditions) :]
            yield named.fact(
                self.span, Phrase(f"{verb}_choose_such" if such else f"{verb}_choose", (by, *such, *picks))
            )
        else:
            taken = Phrase("option", name=self.says)
            yield here.fact(self.span, Phrase(f"{verb}_take", (by, taken)))
            named = named.under(Phrase("taken", (taken,)))
        if self.seen_by:
            seen = "chooses_seen" if self.seen_by == "everybody" else "chooses_unseen"
            yield here.fact(self.span, Phrase(seen, (by,)))
        # Not under the condition, which the choice has stated already.
        yield from named.body(self.body)

    def _allowed(self, scene: Scene) -> Scene | None:
        """The scene where the option is allowed: its condition holds, there are enough tokens for its transfers, and
        the condition for what comes of it holds."""
        here = scene.where(self.own_condition)
        further = [Phrase("enough_tokens")] if self.needs else []
        if self.after is not None:
            further.append(Phrase("afterwards", (scene.say(self.after),)))
        if here is None or not further:
            return here
        such = here.conditions[len(scene.conditions) :]
        every = (*(part for one in such for part in (one.parts if one.constructor == "all_of" else (one,))), *further)
        return here.instead(scene, Phrase("all_of", every) if len(every) > 1 else every[0])


def verb_of(options: tuple[Option, ...], scene: Scene) -> str:
    """`must` if there is one option, `may` if a player decides between several."""
    return "must" if sum(scene.named(option) is not None for option in options) == 1 else "may"


def options_of(steps: StepReader, node: Node | None, scope: Locals) -> tuple[Option, ...]:
    """The options of a choice, without the broken ones."""
    found = (steps.reader.attempt(Option.read, steps, mapping(item), scope) for item in items(node))
    return tuple(option for option in found if option is not None)


def _check_number(steps: StepReader, actions: int, place: Node) -> None:
    if actions > MOST_ACTIONS:
        message = say(
            "This option has up to {actions:,} actions, more than {most_actions:,}.",
            actions=actions,
            most_actions=MOST_ACTIONS,
        )
        hint = say("Split it into several choices, one after the other.")
        steps.reader.report("too-many-choices", message, place, hint)


def _chosen(steps: StepReader, condition: TExpr | None) -> Facts:
    """The facts in the steps of an option. Those of a secret choice run after those of other players."""
    holds = narrowed(steps.reader.facts, condition) if condition is not None else steps.reader.facts
    return lasting(holds) if steps.in_secret else holds


def _lasts(steps: StepReader, refusal: Refusal, before: Body) -> bool:
    """Whether steps leave what another one needs: some bring tokens to where it takes them from."""
    taken = _sources(refusal.step)
    for one in before:
        brings = bool(one.tokens()) and not _sources(one) & taken
        asked = dict.fromkeys(refusal.reads if brings else (refusal.holds,), BOOL)
        if len(after(asked, [one], steps.reader.names)) < len(asked):
            return False
    return True


def _sources(step: Step) -> set[str]:
    """The names of the places that a step takes tokens from."""
    return {source.name for source, _ in step.tokens()}


def _pick(name: str, domain: Domain, say: Wording) -> Phrase:
    """One element of a domain, or a set of its elements by the numbers that it may have."""
    if not isinstance(domain, Sets):
        return Phrase("pick", (say.variable(name, domain.type), say.domain(domain)))
    low, high = say(domain.low), say(domain.high)
    named = say.variable(name, domain.type), say.domain(domain.of)
    if low == high:
        return Phrase("pick_exactly", (*named, low))
    return Phrase("pick_up_to", (*named, high)) if low == number(0) else Phrase("pick_between", (*named, low, high))
