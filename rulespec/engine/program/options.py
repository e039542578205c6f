"""Lowers options with their picks, and numbers their actions."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from rulespec.engine.program import ir
from rulespec.engine.program.expressions import ExpressionLowering
from rulespec.engine.program.operations import Scope, operation
from rulespec.engine.program.sets import falling, in_scope
from rulespec.language.model import spec as m
from rulespec.language.model import typed as t
from rulespec.language.model.combinations import number_of_sets, ranks
from rulespec.language.model.constants import Setting
from rulespec.language.model.hiding import hidden_picks, shown
from rulespec.language.model.types import CARD, PLAYER, Type

NO_ELEMENTS = "nothing"
"""An empty set in the words of an action."""


NEVER = -1
"""In place of the sizes of sets, for an option that is never legal."""


@dataclass(frozen=True)
class Single:
    """A pick of one element, which must meet the condition `among`."""

    pick: ir.Pick
    among: ir.Expr | None = None


@dataclass(frozen=True)
class Several:
    """A pick of a set: `slots` are the registers of its elements, and `length` is that of their number if it varies."""

    name: str
    of: t.Range | t.Members | t.Cards
    domain: ir.Domain
    slots: tuple[int, ...]
    length: int | None
    sizes: range
    low: ir.Expr
    high: ir.Expr


Pick: TypeAlias = "Single | Several"


@dataclass(frozen=True)
class Offer:
    """An option of the spec: one option of the program for every combination of sizes of its sets.

    `lengths` holds, for each, the registers that the numbers of elements must be written to; `scope` is that of its
    steps.
    """

    options: tuple[ir.Option, ...]
    lengths: tuple[tuple[tuple[int, int], ...], ...]
    scope: Scope


class OptionLowering(ExpressionLowering):
    """Lowers options. `options` holds them by span and sizes of sets, `actions` counts their actions."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.rules = ("", *self.spec.rules)
        self.rule = -1
        self.options: dict[object, ir.Option] = {}
        self.actions = 0
        asking = (step for step in self.spec.steps() if isinstance(step, m.Choose | m.Secret))
        self._asked = {option: step for step in asking for option in step.options}

    def offer(self, option: m.Option, scope: Scope, extra: ir.Expr | None = None) -> Offer:
        """The options that an option of the spec stands for; `extra` is an additional condition."""
        picks, among = list[Pick](), dict(scope)
        for name, domain in option.picks:
            picks.append(self._pick(name, domain, among))
            among |= _in_steps(picks[-1])
        several = [pick for pick in picks if isinstance(pick, Several)]
        options, lengths = [], []
        for sizes in product(*(pick.sizes for pick in several)):
            sized = {pick.name: size for pick, size in zip(several, sizes, strict=True)}
            lowered = self._sized(option, scope, picks, sized, extra)
            if lowered is not None:
                options.append(lowered)
                lengths.append(tuple((pick.length, sized[pick.name]) for pick in several if pick.length is not None))
        if not options:  # no set of these sizes exists in this setting
            options.append(self.numbered(option, option.says, (), ir.Const(0), (NEVER,)))
            lengths.append(())
        return Offer(tuple(options), tuple(lengths), among)

    def _sized(
        self, option: m.Option, scope: Scope, picks: list[Pick], sizes: dict[str, int], extra: ir.Expr | None
    ) -> ir.Option | None:
        """The option for sets of these sizes; None if these never occur."""
        found, inner, says = list[ir.Pick](), dict(scope), option.says
        conditions = [extra] if extra is not None else []
        for pick in picks:
            if isinstance(pick, Single):
                found.append(pick.pick)
                inner[pick.pick.name] = ir.Register(pick.pick.slot)
                conditions += [pick.among] if pick.among is not None else []
                continue
            size = sizes[pick.name]
            slots = pick.slots[:size]
            inner |= in_scope(pick.name, slots, ir.Const(size))
            number = ir.Const(size)
            tests = (operation("<=", pick.low, number), operation("<=", number, pick.high))
            conditions += [test for test in tests if test != ir.Const(1)]
            if size > 1:
                conditions.append(falling(slots, self._order if pick.of.type.kind == "card" else None))
            found += self._elements(pick, slots)
            says = says if size else says.replace("{" + pick.name + "}", NO_ELEMENTS)
        if any(pick.ranks and not pick.size for pick in found):
            return None
        conditions += [self.expr(option.condition, inner)] if option.condition is not None else []
        conditions += [tried] if (tried := self.tried(option, inner)) is not None else []
        weight = self.weight(option, inner)
        return self._numbered_if(option, says, tuple(found), conditions, tuple(sizes.values()), weight)

    def _numbered_if(
        self,
        option: m.Option,
        says: str,
        picks: tuple[ir.Pick, ...],
        conditions: list[ir.Expr],
        sizes: tuple[int, ...],
        weight: ir.Expr | None,
    ) -> ir.Option | None:
        """The option if all conditions hold; None for sizes that never occur."""
        condition: ir.Expr | None = None
        for one in conditions:
            condition = operation("and", condition, one) if condition is not None else one
        if isinstance(condition, ir.Const) and condition.value:
            condition = None
        if sizes and isinstance(condition, ir.Const):
            return None
        return self.numbered(option, says, picks, condition, sizes, weight)

    @abstractmethod
    def tried(self, option: m.Option, scope: Scope) -> ir.Expr | None:
        """Whether the condition holds that an option has for the state after its steps; None if it has none."""

    def weight(self, option: m.Option | m.Place, scope: Scope) -> ir.Expr | None:
        """The weight that the spec gives to the actions of an option."""
        given, before = self.spec.weights.get(option), len(self.scratch)
        found = self.expr(given, scope) if given is not None else None
        del self.scratch[before:]  # weights are evaluated apart from the program, which is the same without them
        return found

    def numbered(
        self,
        key: m.Step,
        says: str,
        picks: tuple[ir.Pick, ...],
        condition: ir.Expr | None,
        sizes: tuple[int, ...] = (),
        weight: ir.Expr | None = None,
    ) -> ir.Option:
        """An option with its action numbers. An option of the spec has the same numbers wherever it is inlined."""
        size = 1
        for pick in picks:
            size *= pick.size
        rule = self.rules.index(key.rule) if key.rule else self.rule
        # By span: a procedure that runs in several places is lowered in each.
        known = self.options.get((key.span, sizes))
        first = known.first if known is not None else self.actions
        asked = self._asked.get(key) if isinstance(key, m.Option) else None
        option = ir.Option(
            rule=rule,
            says=says,
            picks=picks,
            condition=condition,
            first=first,
            size=size,
            seen=self._seen(key, picks, asked),
            noticed=not _is_unnoticed(asked),
            weight=weight,
        )
        if known is None:
            self.options[key.span, sizes] = option
            self.actions += size
        return option

    # picks

    def _seen(self, key: m.Step, picks: tuple[ir.Pick, ...], asked: m.Choose | m.Secret | None) -> tuple[int, ...]:
        """Who sees the picks (see `ir.Option`): not everybody if one is a card, or goes where not everybody sees it."""
        own = tuple(1 << seat for seat in range(self.setting.players))
        if not isinstance(key, m.Option) or asked is None:
            return own if any(pick.type.kind == "card" for pick in picks) else ()
        if key.seen_by == "everybody":
            return ()
        if key.seen_by or _is_unnoticed(asked) or any(pick.type.kind == "card" for pick in picks):
            return own
        hidden = hidden_picks(self.spec, key)
        if not hidden:
            return ()
        by = asked.by if isinstance(asked, m.Choose) else t.Local(PLAYER, asked.player)
        return tuple(mine | self._told(key.body, hidden, by, seat) for seat, mine in enumerate(own))

    def _told(self, body: m.Body, hidden: frozenset[str], by: t.TExpr, chooser: int) -> int:
        """A bit for each player whom the steps of an option certainly show what is hidden from others."""
        learned = dict.fromkeys(range(self.setting.players), frozenset[str]())
        for target, names in shown(self.spec, body):
            for player in self._viewers_of(target, by, chooser):
                learned[player] |= names
        return sum(1 << player for player, names in learned.items() if hidden <= names)

    def _viewers_of(self, target: t.Value, by: t.TExpr, chooser: int) -> Iterable[int]:
        """The players who always see a value; its owner, if that follows from who chooses."""
        declared, named = self.spec.values[target.name], by.name if isinstance(by, t.Local) else ""
        group, players = declared.sight.under(self.setting).group, range(self.setting.players)
        owner = m.owner_among([index.type for index in declared.per])
        if group == "everybody":
            return players
        if group not in ("owner", "others") or owner is None or not t.constant(target.arguments[owner], (named,)):
            return ()
        whose = self.setting.value(target.arguments[owner], {named: chooser})
        return [player for player in players if (player == whose) == (group == "owner")]

    def _pick(self, name: str, domain: t.Domain, scope: Scope) -> Pick:
        if isinstance(domain, t.Listed):
            # A pick from a list of squares is one of all squares, of those that the list contains
            number, slot = self.temporary(), self.allocate()
            same = operation("==", self.item(domain, ir.Register(number), scope), ir.Register(slot))
            among = ir.Fold("any", number, self.domain(domain, scope), same, None)
            every = ir.Items(self.elements(domain.type))
            return Single(ir.Pick(name, slot, every, self.setting.extent(domain.type), domain.type), among)
        if not isinstance(domain, t.Sets):
            lowered, slot = self.domain(domain, scope), self.allocate()
            return Single(ir.Pick(name, slot, lowered, self._values(lowered, domain), self._type(domain)))
        lowered, type_ = self.domain(domain.of, scope), domain.type
        slots = tuple(self.allocate() for _ in range(type_.high))
        sizes = range(type_.low, type_.high + 1)
        length = self.allocate() if len(sizes) > 1 else None
        low, high = self.expr(domain.low, scope), self.expr(domain.high, scope)
        return Several(name, domain.of, lowered, slots, length, sizes, low, high)

    def _values(self, lowered: ir.Domain, domain: t.Domain) -> int:
        """The number of values that an element of a domain may have in the number of an action."""
        if isinstance(lowered, ir.Cards):
            return len(self.spec.deck.first_of_face)
        if isinstance(lowered, ir.Span):
            return max(0, lowered.most - lowered.least + 1)
        return self.setting.extent(domain.type)

    def _type(self, domain: t.Domain) -> Type:
        return CARD if isinstance(domain, t.Cards) else domain.type

    def _elements(self, pick: Several, slots: tuple[int, ...]) -> Iterator[ir.Pick]:
        """The picks of the elements of a set."""
        if len(slots) == 1:
            yield ir.Pick(pick.name, slots[0], pick.domain, self._values(pick.domain, pick.of), self._type(pick.of))
            return
        # How often each value may be in a set: once, or as often as cards with the face are in play
        if isinstance(pick.domain, ir.Cards):
            faces = Counter(self.spec.deck.faces[card] for card in self.setting.cards)
            copies = [faces[face] for face in range(len(self.spec.deck.first_of_face))]
        else:
            in_play = set(pick.domain.values) if isinstance(pick.domain, ir.Items | ir.Ring) else None
            copies = [int(in_play is None or value in in_play) for value in range(self._values(pick.domain, pick.of))]
        every = number_of_sets(copies, len(slots))
        for at, (slot, added) in enumerate(zip(slots, ranks(copies, len(slots)), strict=True)):
            yield ir.Pick(pick.name, slot, pick.domain, 1 if at else every, self._type(pick.of), added)

    @property
    def _order(self) -> tuple[int, ...]:
        """The place of every card in the order of faces, and of numbers within a face."""
        faces = self.spec.deck.faces
        ordered = sorted(range(len(faces)), key=lambda card: (faces[card], card))
        # To sort by a permutation inverts it: from the card at each place to the place of each card.
        return tuple(sorted(range(len(faces)), key=ordered.__getitem__))


def _is_unnoticed(asked: m.Choose | m.Secret | None) -> bool:
    """Whether only the player who decides sees that."""
    return isinstance(asked, m.Choose) and asked.seen_by == "nobody"


def _in_steps(pick: Pick) -> Scope:
    """What a pick binds in the steps of its option."""
    if isinstance(pick, Single):
        return {pick.pick.name: ir.Register(pick.pick.slot)}
    length = ir.Register(pick.length) if pick.length is not None else ir.Const(pick.sizes[0])
    return in_scope(pick.name, pick.slots, length)
