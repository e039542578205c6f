"""Random small games, generated to find differences between engines.

    .venv/bin/python tests/random_specs.py [COUNT] [FIRST]

makes COUNT specs (default 100) and plays each on every engine, decision by decision and as playouts. If engines differ,
it removes parts of the spec as long as they still do, and prints the rest. It skips the few specs that the checks
refuse.
"""

from __future__ import annotations

import copy
import json
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from agreement import HERE, shortest
from random_boards import BoardMaker
from random_positions import PositionMaker
from random_room import MOST, RoomMaker
from random_tokens import TokenMaker

import rulespec
from rulespec.engine.states.log import lines
from rulespec.engine.states.playout import playouts

Step = dict[str, Any]
SUITS = ("red", "green", "blue")
PRICES = {
    "cost": {"per": "suit", "type": "0..3"},
    "needs": {"per": "suit", "type": "bool"},
    "gain": {"per": "suit", "type": "1..4?"},
}
"""The fields of cards with values for members."""
MOMENTS = ("found", "lost")
ZONES = ("deck", "row", "pile")
ORDERED = ("deck", "pile")


class Maker:
    """Makes steps and expressions; `players`, `cards`, `numbers` and `suits` are the variables in scope, `sets` the
    picked sets by what their elements are. Without `priced`, no
    card has values for members, as in the games that seeds made before there were any."""

    def __init__(self, seed: int, priced: bool = True) -> None:
        self.has_costs = priced
        self.dice, self.sights, self.places, self.lets, self.seen = (random.Random(seed) for _ in range(5))
        self.frame, self.costs, self.deeds, self.orders, self.trials = (random.Random(seed) for _ in range(5))
        self.boards = BoardMaker(seed, lambda: self.on_boards(self.number, 0), lambda: self.on_boards(self.player))
        self.room = RoomMaker(seed, lambda: self.in_rooms(self.suit), lambda: self.in_rooms(self.player))
        self.tokens = TokenMaker(
            seed,
            lambda: self.in_tokens(self.suit),
            lambda: self.in_tokens(self.player),
            lambda: self.in_tokens(lambda: self.number(0)),
        )
        self.positions = PositionMaker(seed, priced)
        self.names = self.named = 0
        self.players: list[str] = []
        self.cards: list[str] = []
        self.numbers: list[str] = []
        self.suits: list[str] = []
        self.sets: list[tuple[str, str]] = []
        self.procedures: list[tuple[str, dict[str, str]]] = []
        self.loops = 0
        self.secret = 0
        self.around: list[str] = []

    def one(self, *ways: Callable[[], Any]) -> Any:
        return self.dice.choice(ways)()

    def word(self, *words: str) -> str:
        return self.dice.choice(words)

    def name(self, letter: str) -> str:
        self.names += 1
        return f"{letter}{self.names}"

    # expressions

    def player(self) -> str:
        known = self.word(*self.players) if self.players else "seat(1)"
        return self.word(known, known, f"left_of({known})", "(leader ?? seat(2))")

    def suit(self) -> str:
        return self.word(*SUITS, *self.suits)

    def zone(self) -> str:
        cell = f"cell[{self.player()}, {self.place()}]"
        return self.word(*ZONES, f"hand[{self.player()}]", f"hand[{self.player()}]", f"box[{self.suit()}]", cell)

    def place(self) -> str:
        """An index of -1..1."""
        return self.word("-1", "0", "1", *(f"clamp({number}, -1, 1)" for number in self.numbers))

    def number(self, deep: int = 2) -> str:
        grid = f"grid[{self.place()}, {self.suit()}]"
        known = ("a", f"b[{self.player()}]", f"t[{self.suit()}]", grid, *self.numbers)
        simple = self.word(*known, str(self.dice.randint(0, 6)))
        if not deep:
            return simple
        zone, card = self.zone(), self.name("c")
        return self.let_in(
            self.one(
                lambda: simple,
                lambda: f"size({zone})",
                lambda: f"sum({card}.value for {card} in {zone}{self.given(card, deep)})",
                lambda: f"count({card} in {zone}{self.given(card, deep)})",
                lambda: f"(min({card}.value for {card} in {zone}{self.given(card, deep)}) ?? {self.number(0)})",
                lambda: f"(max({card}.mark for {card} in {zone}{self.given(card, deep)}) ?? 1)",
                lambda: f"({zone}.{self.word('value', 'mark')} ?? {self.number(0)})",
                lambda: f"(wish ?? {self.number(0)})",
                lambda: f"({self.number(deep - 1)} {self.word('+', '-')} {self.number(deep - 1)})",
                lambda: f"{self.word('min', 'max')}({self.number(deep - 1)}, {self.number(deep - 1)})",
                lambda: f"({self.number(deep - 1)} {self.word('//', '%')} {self.dice.randint(2, 4)})",
                lambda: f"{self.word('weight', 'most')}[{self.suit()}] + square[clamp({self.number(deep - 1)}, 0, 3)]",
                lambda: f"total[{self.player()}]",
                lambda: f"pay[{self.suit()}, {self.place()}]",
                lambda: f"({self.suit()}.rank + ordinal({self.suit()}))",
                lambda: f"({self.word('trump', self.suit())}.lead ?? {self.number(0)})",
                lambda: self.chosen(zone) or f"({self.at(zone)}.suit.rank ?? {self.number(0)})",
                lambda: f"sum(chip[{card}] for {card} in {zone}{self.given(card, deep)})",
                lambda: f"({self.truth(deep - 1)} ? {self.number(deep - 1)} : {self.number(deep - 1)})",
                lambda: f"count({(p := self.name('p'))} in player if b[{p}] > {self.number(0)})",
                lambda: f"sum(t[{(s := self.name('s'))}] for {s} in suit from {self.suit()} if t[{s}] != a)",
            )
        )

    def at(self, zone: str) -> str:
        """The top card of a zone, or one at another place."""
        return self.places.choice((zone, f"bottom({zone})", f"top({zone}, 2)", f"bottom({zone}, max(a, 1))"))

    def let_in(self, number: str) -> str:
        """A number, sometimes under a name that is used twice."""
        if self.boards.dice.random() < 0.05:
            return self.boards.amount()
        if self.room.holds and self.room.dice.random() < 0.1:
            return self.room.amount()
        if self.positions.there and self.positions.dice.random() < 0.1:
            return self.positions.amount()
        if self.has_costs and self.costs.random() < 0.1:
            return self.cost()
        if self.orders.random() < 0.04:
            return self.lying()
        if self.lets.random() > 0.1:
            return number
        self.named += 1
        name = f"w{self.named}"
        uses = (
            f"{name} + {name} * 2",
            f"({name} > 3 ? {name} : max({name}, 2))",
            f"({name} >= 0 and {name} < 4 ? square[{name}] : {name})",
            f"({name} > 0 ? 60 // {name} : 1)",
            f"sum({name} + c{name}.value for c{name} in row)",
        )
        return f"(let {name} = {number} in {self.lets.choice(uses)})"

    def lying(self) -> str:
        """A number that depends on where a card lies."""
        with self.drawn_by(self.orders):
            zone, card = self.zone(), self.word("row", "bottom(deck)", *self.cards)
            other = f"first(l in {zone} if l.value > 2)"
            return self.word(
                f"(has({zone}, {card}) ? 3 : 0)",
                f"seat_of(where({card}, hand) ?? seat(2))",
                f"(where({other}, box).rank ?? 0)",
                f"count(m in {zone} if where(m, hand) == none or has({self.zone()}, {card}))",
            )

    def cost(self) -> str:
        """A number that depends on what cards or members have for members of an enum."""
        with self.drawn_by(self.costs):
            zone, suit = self.zone(), self.suit()
            return self.word(
                f"({zone}.cost[{suit}] ?? {self.number(0)})",
                f"({self.at(zone)}.gain[{suit}] ?? 1)",
                f"sum(x.cost[{suit}] for x in {zone} if x.needs[{self.suit()}])",
                f"sum(sum(x.gain[y] for y in suit if x.needs[y] or x.cost[y] > 1) for x in {zone})",
                f"(max(x.gain[{suit}] for x in {zone}) ?? 0)",
                f"(highest(y in suit by {suit}.swap[y]).rank ?? 0)",
                f"({zone}.suit.swap[{suit}] ?? {self.number(0)})",
                f"count(y in suit if any(x in {zone} if x.cost[y] > y.swap[{suit}] ?? 0))",
            )

    def priced(self, row: Step) -> Step:
        """A row of the manifest with values for members."""
        if not self.has_costs:
            return row
        some = self.costs.sample(SUITS, self.costs.randint(0, 3))
        cost: Step = {suit: self.costs.randint(1, 3) for suit in some}
        gain = {suit: self.costs.randint(1, 3) for suit in some}
        if some and self.costs.random() < 0.3:
            cost[some[0]] = "1..2"
        return {**row, "cost": cost, "needs": dict.fromkeys(some[:1], True), "gain": gain}

    def chosen(self, zone: str) -> str:
        """Perhaps a number that depends on the card or member that comes first in some order."""
        return self.places.choice(
            (
                *("", "", "", f"(highest(h in {zone} by h.mark if h.value > a).value ?? 0)"),
                f"(lowest(h in {zone} by h.suit).value ?? 1)",
                f"longest_run(h in suit from {self.suit()} if any(i in {zone} if i.suit == h))",
                f"longest_run(h in -1..min(a, 7) if all(i.value != h for i in {zone}))",
                "seat_of(lowest(h in player by b[h]))",
            )
        )

    def given(self, card: str, deep: int) -> str:
        """Perhaps a condition on a card that a fold goes through."""
        if self.dice.random() < 0.3:
            return ""
        self.cards.append(card)
        condition = self.truth(deep - 1)
        self.cards.pop()
        return f" if {condition}"

    def truth(self, deep: int = 2) -> str:
        ways = [
            lambda: f"{self.number(deep)} {self.word('<', '<=', '>', '==', '!=')} {self.number(deep)}",
            lambda: "open",
            lambda: f"leader == {self.player()}",
            lambda: f"wish {self.word('==', '!=')} {self.word('none', self.number(0))}",
            lambda: f"trump {self.word('==', '!=')} {self.word('none', self.suit())}",
        ]
        if self.cards:
            card = self.word(*self.cards)
            mine = [
                lambda: f"{card}.suit == {self.word('trump', self.suit())}",
                lambda: f"{card}.mark {self.word('==', '!=')} {self.word('none', 'wish', '2')}",
                lambda: f"{card}.value {self.word('<', '>', '==', '!=')} {self.number(0)}",
                lambda: f"{card}.value % 2 == {self.dice.randint(0, 1)}",
                lambda: f"has({card}.signs, {self.suit()})",
                lambda: f"chip[{card}] {self.word('<', '>', '==')} {self.number(0)}",
            ]
            ways += mine * 2
        if self.sets and deep:
            ways += [self.of_set] * 4
        if deep:
            other, zone = self.name("d"), self.zone()
            ways += [
                lambda: f"({self.truth(deep - 1)} {self.word('and', 'or')} {self.truth(deep - 1)})",
                lambda: f"not ({self.truth(deep - 1)})",
                lambda: f"{self.word('any', 'all')}({other} in {zone} if {other}.value > {self.number(0)})",
            ]
        return self.guarding(self.one(*ways))

    def guarding(self, truth: str) -> str:
        """A condition, sometimes with others before it, one of which relies on another one."""
        ways = (
            f"(wish != none and wish < 4 and square[wish] > 1 or {truth})",
            f"(leader != none and size(hand[leader]) > 2 and {truth})",
            f"(trump == none or weight[trump] > 1 or {truth})",
            f"(row.suit != none and t[row.suit] > 1 ? {truth} : open)",
        )
        return truth if self.lets.random() > 0.1 else self.lets.choice(ways)

    def of_set(self) -> str:
        """A condition on a picked set."""
        named, kind = self.dice.choice(self.sets)
        one, scope = self.name("x"), self.scope_of(kind)
        scope.append(one)
        test, number = self.truth(0), self.number(0)
        scope.pop()
        return self.word(
            f"{self.word('any', 'all')}({test} for {one} in {named})",
            f"count({one} in {named} if {test}) {self.word('<', '==', '>')} {self.number(0)}",
            f"sum({number} for {one} in {named}) {self.word('<', '!=', '>')} {self.number(0)}",
            f"({self.word('min', 'max')}({number} for {one} in {named} if {test}) ?? {self.number(0)}) < 3",
            f"first({one} in {named} if {test}) {self.word('==', '!=')} none",
            f"size({named}) < {self.number(0)} + 2",
        )

    def scope_of(self, kind: str) -> list[str]:
        return {"cards": self.cards, "players": self.players, "suits": self.suits, "numbers": self.numbers}[kind]

    # steps

    def steps(self, deep: int) -> list[Step]:
        found = [self.step(deep) for _ in range(self.dice.randint(1, 3))]
        if self.boards.dice.random() < 0.12:
            found.append(self.boards.step(choice=not self.secret))
        if self.room.holds and self.room.dice.random() < 0.15:
            found.append(self.room.step())
        if self.tokens.there and self.tokens.dice.random() < 0.2:
            found.append(self.tokens.step(choice=not self.secret))
        if self.positions.there and self.positions.dice.random() < 0.3:
            found.append(self.positions.step())
        return found if self.frame.random() > 0.1 else [*found, self.frame.choice((self.run, self.ruled))()]

    def on_boards(self, make: Callable[..., str], *arguments: int) -> str:
        """An expression inside one about boards, drawn with their dice."""
        with self.drawn_by(self.boards.dice):
            return make(*arguments)

    def in_rooms(self, make: Callable[[], str]) -> str:
        """An expression inside one about the room in zones, drawn with their dice."""
        with self.drawn_by(self.room.dice):
            return make()

    def in_tokens(self, make: Callable[[], str]) -> str:
        """An expression inside one about tokens, drawn with their dice."""
        with self.drawn_by(self.tokens.dice):
            return make()

    def run(self) -> Step:
        """A step that runs a procedure, or a number for what a procedure would be given inside one."""
        if not self.procedures:
            return {"set": {"a": "min(a + 1, 9)"}}
        given = {"player": self.player, "suit": self.suit, "0..4": lambda: f"clamp({self.number()}, 0, 4)"}
        name, signature = self.frame.choice(self.procedures)
        with self.drawn_by(self.frame):
            arguments = {parameter: given[kind]() for parameter, kind in signature.items()}
        return {"run": name, **({"with": arguments} if arguments else {})}

    def ruled(self) -> Step:
        """A rule that some answers to a ruling leave out."""
        named = self.name("ruled")
        with self.drawn_by(self.frame):
            asked = self.word("pace == quick", "pace != slow", "reach == near or players > 2")
            spent = {"set": {"purse": f"purse + ({self.number(1)}) - 2"}}
            return {"id": named, "title": "Ruled", "only_if": asked, "do": [self.set(), spent, self.move()]}

    @contextmanager
    def drawn_by(self, dice: random.Random) -> Iterator[None]:
        """Draws from other dice, so that seeds go on to make the games they made."""
        before, self.dice = self.dice, dice
        yield
        self.dice = before

    def step(self, deep: int) -> Step:
        simple = (self.set, self.move, self.move, self.move, self.shuffle)
        nested = [self.condition, self.each_player, self.each_suit, self.each_card, self.draw, self.repeat, self.leave]
        nested += [self.each_of_set] * (3 * bool(self.sets))
        nested += [self.let, self.end, self.decide, self.award, self.auction, self.draft, *[self.choose] * 7]
        return dict(
            self.one(*simple, *((lambda way=way: way(deep - 1)) for way in (*nested, *[self.choose] * 5) if deep))
        )

    def set(self) -> Step:
        if self.cards and self.dice.random() < 0.3:
            return {"set": {f"chip[{self.word(*self.cards)}]": f"clamp({self.number()}, 0, 5)"}}
        if self.dice.random() < 0.3:
            return self.guarded()
        target, value = self.one(
            lambda: ("a", f"clamp({self.number()}, 0, 9)"),
            lambda: (f"b[{self.player()}]", f"clamp({self.number()}, 0, 9)"),
            lambda: (f"t[{self.suit()}]", f"clamp({self.number()}, 0, 9)"),
            lambda: (f"grid[{self.place()}, {self.suit()}]", f"clamp({self.number()}, 0, 9)"),
            lambda: ("wish", self.word("none", f"clamp({self.number()}, 0, 9)", f"{self.zone()}.mark")),
            lambda: ("trump", self.word("none", self.suit(), f"{self.zone()}.suit")),
            lambda: ("leader", self.word("none", self.player())),
            lambda: ("open", self.truth()),
        )
        return {"set": {target: value}}

    def guarded(self) -> Step:
        """An assignment that fits only because of the condition around it."""
        player, zone = self.player(), self.zone()
        if self.orders.random() < 0.15:
            test, fold = f"o in {zone} if o.value > {self.orders.randint(1, 3)}", self.orders.choice(("first", "max"))
            value = f"the first({test}).value" if fold == "first" else f"the max(o.value for {test})"
            return {
                "if": f"{self.orders.choice(('any({})', 'count({}) > 0')).format(test)}",
                "then": {"set": {"a": value}},
            }
        found: Step = self.one(
            lambda: {"if": "a < 9", "then": {"set": {"a": "a + 1"}}, "else": {"set": {"a": "a - 4"}}},
            lambda: {"if": "wish != none", "then": {"set": {f"b[{player}]": "wish"}}},
            lambda: {"if": f"size({zone}) > 0", "then": {"set": {"a": f"{zone}.value"}}},
            lambda: {"if": f"b[{player}] <= 3", "then": {"set": {"a": f"square[b[{player}]]"}}},
            lambda: {"if": "a >= 2", "then": [{"set": {"a": "9 // a"}}, {"set": {"wish": "a"}}]},
            lambda: {"if": "not (trump == none or a > 8)", "then": {"set": {"a": "a + trump.rank // 3"}}},
        )
        return self.narrowed() if self.room.dice.random() < 0.3 else found

    def narrowed(self) -> Step:
        """An assignment in a rule, a row or a `let` that fits only because of the condition around it."""
        name = self.name("n")
        with self.drawn_by(self.room.dice):
            move = self.move()
        rule = {"id": name, "title": "Narrowed"}
        row = {**rule, "when": "a > 3", "do": {"set": {"a": "60 // a % 10"}}}
        ways: tuple[Step, ...] = (
            {"if": "a < 9", "then": {**rule, "do": [move, {"set": {"a": "a + 1"}}]}},
            {"decide": {"hit": "first", "rows": [row], "otherwise": {"set": {"a": "square[a]"}}}},
            {"let": {name: "a + 1"}, "do": {"if": f"{name} > 4", "then": {"set": {"a": f"9 // ({name} - 4)"}}}},
        )
        return self.room.dice.choice(ways)

    def move(self, card: str = "") -> Step:
        source, target = self.zone(), self.zone()
        how: dict[str, Any] = self.one(
            lambda: {"top": self.word("1", "2", f"clamp({self.number()}, 0, 3)")},
            lambda: {"top": "1"},
            lambda: {"random": self.word("1", "2")},
            lambda: {"every": (every := self.name("c")), "where": self.about(every)},
            lambda: {"every": self.name("c")},
        )
        moved = {**self.placed(how, source), "from": source, "to": target}
        if "every" not in moved and target in ORDERED and self.orders.random() < 0.3:
            at = self.orders.choice(("1", "2", "max(a, 1)"))
            moved["at"] = {self.orders.choice(("top", "bottom")): at}
        return {"move": moved}

    def placed(self, how: Step, zone: str) -> Step:
        """A way to move cards, or for one in five another one, with dice of its own: by place or computed."""
        if self.places.random() > 0.2:
            return how
        near = f"{self.places.choice(('top', 'bottom'))}({zone}, {self.places.choice(('1', '2', 'max(a, 1)'))})"
        ways: list[Step] = [{"bottom": how["top"]}] if "top" in how else [{"bottom": "a // 2"}]
        ways += [{"card": near}, {"card": f"first(f in {zone} if f.value > a)"}]
        return self.places.choice(ways)

    def about(self, card: str) -> str:
        self.cards.append(card)
        condition = self.truth(1)
        self.cards.pop()
        return condition

    def shuffle(self) -> Step:
        zone, to = self.zone(), self.sights.choice(("everybody", "seat(1)", "left_of(seat(1))"))
        way: Step = self.sights.choice(({"top": "2"}, {"every": self.name("c")}, {}))
        way = {"bottom": "a // 2"} if "top" in way and zone in ORDERED and self.room.dice.random() < 0.5 else way
        return {"do": [{"show": {**way, "from": zone, "to": to}}, {"shuffle": zone}]} if way else {"shuffle": zone}

    def condition(self, deep: int) -> Step:
        found: Step = {"if": self.truth(), "then": self.steps(deep)}
        return {**found, "else": self.steps(deep)} if self.dice.random() < 0.5 else found

    def inside(self, scope: list[str], name: str, deep: int) -> list[Step]:
        scope.append(name)
        found = self.steps(deep)
        scope.pop()
        return found

    def each_player(self, deep: int) -> Step:
        name, known = self.name("p"), self.players[-1] if self.players else "seat(1)"
        rings: tuple[Step, ...] = ({}, {}, {"from": "leader ?? seat(2)"}, {"from": f"right_of({known})", "but": known})
        ring = self.in_order(self.frame.choice(rings), f"b[{name}]", f"size(hand[{name}])", f"hand[{name}].mark")
        return self.loop({"each": {name: "player"}, **ring}, lambda: {"do": self.inside(self.players, name, deep)})

    def each_suit(self, deep: int) -> Step:
        name, ring = self.name("s"), self.frame.choice(({}, {"from": "trump ?? green"}))
        ring = self.in_order(ring, f"t[{name}]", f"{name}.lead", "trump")
        return self.loop({"each": {name: "suit"}, **ring}, lambda: {"do": self.inside(self.suits, name, deep)})

    def in_order(self, ring: Step, *values: str) -> Step:
        """The keys beside `each`, sometimes with an order of values."""
        ends = [{self.orders.choice(("high", "low")): value} for value in values]
        chain = self.orders.sample(ends, self.orders.randint(1, len(ends)))
        return {**ring, "by": chain} if self.orders.random() < 0.2 else ring

    def loop(self, head: Step, body: Callable[[], Step]) -> Step:
        """A loop with an id, which steps inside may leave."""
        named = self.name("loop")
        self.around.append(named)
        found = {"id": named, "title": "Loop", **head, **body()}
        self.around.pop()
        return found

    def each_card(self, deep: int) -> Step:
        name, zone, target = self.name("c"), self.zone(), self.zone()
        self.cards.append(name)
        step: Step = {"if": self.truth(1), "then": {"move": {"card": name, "from": zone, "to": target}}}
        self.cards.pop()
        return {"each": {name: zone}, "do": step}

    def each_of_set(self, deep: int) -> Step:
        """A loop over the elements of a picked set, or a move of its cards."""
        named, kind = self.dice.choice(self.sets)
        if kind == "cards" and self.dice.random() < 0.5:
            return {"move": {"cards": named, "from": self.zone(), "to": self.zone()}}
        name = self.name("x")
        return {"each": {name: named}, "do": self.inside(self.scope_of(kind), name, deep)}

    def draw(self, deep: int) -> Step:
        """A draw that everybody sees, nobody, or those for whom a condition holds."""
        name, viewer = self.name("n"), self.name("v")
        who = self.players[-1] if self.players else "leader"
        some = {"viewer": viewer, "where": f"{viewer} == {who} or a > 3"}
        # Dice of their own, so that seeds go on to make the games they made.
        seen: Step = self.sights.choice(({}, {"seen_by": "nobody"}, {"seen_by": some}))
        return {"random": {name: "0..4"}, **seen, "do": self.inside(self.numbers, name, deep)}

    def let(self, deep: int) -> Step:
        kinds = (("n", self.number, self.numbers), ("p", self.player, self.players), ("s", self.suit, self.suits))
        letter, value, scope = self.dice.choice(kinds)
        name = self.name(letter)
        return {"let": {name: value()}, "do": self.inside(scope, name, deep)}

    def repeat(self, deep: int) -> Step:
        if self.loops > 1:
            return self.set()
        self.loops += 1
        found = {"do": self.steps(deep), "at_most": self.dice.randint(2, 4), "then": self.bound()}
        self.loops -= 1
        return {"repeat": {**found, "until": self.truth()} if self.dice.random() < 0.5 else found}

    def bound(self) -> Any:
        return "error" if self.dice.random() < 0.1 else self.steps(0)

    def leave(self, deep: int) -> Step:
        loops = [*(["repeat"] if self.loops else []), *self.around]
        return {"if": self.truth(), "then": {"leave": self.word(*loops)}} if loops else self.set()

    def end(self, deep: int) -> Step:
        return {"if": f"{self.truth()} and size(deck) < 4", "then": {"end": "play"}} if not self.secret else self.set()

    def decide(self, deep: int) -> Step:
        rows = [{"when": self.truth(1), "do": self.steps(deep)} for _ in range(self.dice.randint(1, 3))]
        return {"decide": {"hit": "first", "rows": rows, "otherwise": self.steps(0)}}

    def award(self, deep: int) -> Step:
        player, suit = self.name("p"), self.name("s")
        self.suits.append(suit)
        self.players.append(player)
        links = [
            {self.word("high", "low"): self.number(), "title": f"link {n}"} for n in range(self.dice.randint(1, 3))
        ]
        found = {"each": {suit: "suit"}, "among": {player: "player"}, "if": self.truth(1), "by": links}
        self.players.pop()
        places = [{"gives": f"best[{suit}]", "title": "first", "worth": f"t[{suit}]"}]
        places += [{"gives": f"next[{suit}]", "title": "second", "worth": self.number(0)}]
        self.suits.pop()
        left = self.word("nobody", "seat")
        if self.orders.random() < 0.3:
            crowned = {"gives": f"crown[{suit}, {player}]", "title": "first", "worth": f"t[{suit}]"}
            left, places = "share", [crowned]
        return {"award": {**found, "left": left, "places": places}}

    def auction(self, deep: int) -> Step:
        bidder, name = self.name("p"), self.name("sale")
        self.players.append(bidder)
        means, limit, eligible = self.number(), self.number(1), self.truth(1)
        self.players.pop()
        self.players.append("winner")
        self.numbers.append("price")
        pays, cannot = self.steps(0), self.steps(0)
        self.numbers.pop()
        self.players.pop()
        auction = {
            "auction": {
                "lot": "pile",
                "bidders": {bidder: "player"},
                "if": f"({eligible}) and b[{bidder}] > 0",
                "from": "leader ?? seat(1)",
                "opening": 1,
                "raise": 1,
                "cap": 9,
                "limit": f"min({limit}, 9)",
                "means": means,
                "before": self.steps(0),
                "bid": {"id": f"{name}.bid", "title": "Bid", "says": "bid {amount}"},
                "pass": {"id": f"{name}.pass", "title": "Pass", "says": "pass", "means": "out_for_the_round"},
                "pays": pays,
                "takes": {"move": {"every": self.name("c"), "from": "pile", "to": "hand[winner]"}},
                "cannot_pay": {
                    "id": f"{name}.broke",
                    "title": "Broke",
                    "do": cannot,
                    "then": "again_without_winner",
                    "from": "winner",
                },
                "nobody": self.steps(0),
            }
        }
        return {"if": "size(deck) > 0", "then": [{"move": {"top": 1, "from": "deck", "to": "pile"}}, auction]}

    def draft(self, deep: int) -> Step:
        if "p" not in self.players:
            return self.move()
        name = self.name("draft")
        self.cards.append("card")
        then = self.steps(0)
        self.cards.pop()
        down = {"id": f"{name}.keep", "title": "Keep", "says": "keep it", "to": "hand[p]", "face": "down", "limit": 2}
        up = {"id": f"{name}.show", "title": "Show", "says": "show it", "to": "row", "face": "up", "limit": 1}
        about = {"by": "p", "from": "deck", "look": "fork[p]", "draws": 3, "full": "closed"}
        return {"draft": {**about, "places": [{**down, "then": then}, up]}}

    def choose(self, deep: int) -> Step:
        if self.dice.random() < 0.2:
            name = self.name("p")
            self.players.append(name)
            self.secret, self.around, around = self.secret + 1, [], self.around
            options = [self.option(deep) for _ in range(self.dice.randint(1, 3))]
            self.secret, self.around = self.secret - 1, around
            self.players.pop()
            found = {"who": {name: "player"}, "options": options, "none": "skip", "revealed": "together"}
            return {"secret": {**found, "then": {"note": "Seen."}}}
        options = [self.option(deep) for _ in range(self.dice.randint(1, 4))]
        if self.trials.random() < 0.2:
            options.append(self.tried())
        seen: Step = {"seen_by": "nobody"} if self.seen.random() < 0.2 else {}
        return {"choose": {"by": self.player(), **seen, "options": options, "none": "skip"}}

    def tried(self) -> Step:
        """An option that is tried, with dice of its own for everything in it."""
        before = dict(vars(self))
        vars(self).update(dict.fromkeys(("dice", "sights", "places", "lets", "frame"), self.trials))
        number, player = self.name("n"), self.name("p")
        self.numbers, self.players = [*self.numbers, number], [*self.players, player]
        found = {"says": f"try {{{number}}} {{{player}}}", "pick": {number: "0..3", player: "player"}}
        if self.dice.random() < 0.5:
            found["if"] = self.truth()
        around, steps = self.name("p"), [self.kept(), self.kept()]
        ends: list[Step] = [{"end": "play"}, *([{"leave": "repeat"}] if self.loops else [])]
        steps.append({"if": self.truth(1), "then": self.word(*ends), "else": self.kept()})  # type: ignore[arg-type]
        if self.dice.random() < 0.5:
            self.players = [*self.players, around]
            steps.append({"each": {around: "player"}, "do": [self.kept(), {"if": self.truth(1), "then": self.kept()}]})
            self.players = self.players[:-1]
        found |= {"if_after": self.truth(), "do": self.dice.sample(steps, len(steps))}
        vars(self).update(before)
        return found

    def kept(self) -> Step:
        """A step that sets something and moves nothing."""
        return next(step for _ in range(99) if "'move'" not in repr(step := self.set()))

    def option(self, deep: int) -> Step:
        if self.dice.random() < 0.25:
            return self.option_of_set(deep)
        picks: dict[str, str] = {}
        zone, scopes = self.zone(), []
        for _ in range(self.dice.choice((0, 1, 1, 1, 2))):
            letter, domain, scope = self.one(
                lambda: ("c", zone, self.cards),
                lambda: ("c", zone, self.cards),
                lambda: ("n", f"0..{self.word('3', 'a')}", self.numbers),
                lambda: ("q", "player", self.players),
                lambda: ("s", "suit", self.suits),
            )
            name = self.name(letter)
            picks[name] = self.narrower(domain, picks)
            scope.append(name)
            scopes.append(scope)
        says = " ".join([self.name("option"), *("{" + name + "}" for name in picks)])
        seen: Step = self.seen.choice(({}, {}, {"seen_by": "nobody"}, {"seen_by": "everybody"}))
        found: Step = {"says": says, **({"pick": picks} if picks else {}), **seen}
        if self.dice.random() < 0.5:
            found["if"] = self.truth()
        moves = [{"move": {"card": n, "from": z, "to": self.zone()}} for n, z in picks.items() if n.startswith("c")]
        steps = [*moves, *self.steps(min(deep, 1))] if self.dice.random() < 0.8 else self.steps(0)
        if self.dice.random() < 0.2:
            self.dice.shuffle(steps)
        for scope in scopes:
            scope.pop()
        return {**found, "do": steps}

    def narrower(self, domain: str, picks: dict[str, str]) -> str:
        """A domain that sometimes depends on what has been picked before."""
        ways = {"player": "hand[{}]", "suit": "box[{}]"} if domain not in ("player", "suit") else {}
        ways = {f"0..{end}": "0..{}" for end in ("3", "a")} if domain[0] == "0" else ways
        found = [ways[of].format(name) for name, of in picks.items() if of in ways]
        return self.frame.choice(found) if found and self.frame.random() < 0.6 else domain

    def option_of_set(self, deep: int) -> Step:
        """An option that picks a set, and sometimes a number."""
        kind, domain = self.dice.choice(
            [
                ("cards", self.zone()),
                ("cards", self.zone()),
                ("suits", "suit"),
                ("players", "player"),
                ("numbers", "1..4"),
            ]
        )
        named, number = self.name("m"), self.name("n") if self.dice.random() < 0.3 else ""
        count = self.word("1", "2", "2", "0..1", "0..2", "1..2", "0..min(a, 2)", "min(a, 2)")
        picks: Step = {named: {"set_of": domain, "count": count}, **({number: "0..2"} if number else {})}
        self.sets.append((named, kind))
        if number:
            self.numbers.append(number)
        found: Step = {"says": " ".join([self.name("option"), *("{" + name + "}" for name in picks)]), "pick": picks}
        if self.dice.random() < 0.7:
            found["if"] = self.truth()
        moved = [{"move": {"cards": named, "from": domain, "to": self.zone()}}] if kind == "cards" else []
        steps = [*moved, *self.steps(min(deep, 1))]
        self.sets.pop()
        if number:
            self.numbers.pop()
        return {**found, "do": steps}

    # a game

    def spec(self) -> Step:
        rows: list[Step] = [{"value": "1..6", "suit": list(SUITS)}]
        if self.dice.random() < 0.7:
            rows.append({"value": self.dice.randint(1, 6), "mark": self.dice.randint(1, 3), "copies": 2})
        if self.dice.random() < 0.5:
            rows.append({"suit": self.word(*SUITS), "value": "2..4", "mark": [1, 2], "copies": self.dice.randint(1, 3)})
        if self.dice.random() < 0.5:
            rows.append({"value": [5, 6], "mark": 3, "signs": [self.word("red", "green"), "blue"]})
        rows = [self.priced({"suit": "red", **row}) for row in rows]
        hidden = {"order": "stack", "seen_by": "nobody"}
        with self.drawn_by(self.frame):
            procedures = {name: self.procedure(name) for name in ("first_act", "second_act")}
        body, boards = self.inside_rounds(), self.boards.declared()
        found: Step = {
            "procedures": procedures,
            "rulings": {
                "pace": {"question": "How fast is it?", "answer": "quick", "or": ["slow", "steady"]},
                "reach": {"question": "How far does it go?", "answer": "near", "or": ["far"]},
            },
            "rulespec": 2,
            "game": {"id": "chance", "version": "1.0.0", "title": "Chance", "players": "2..3"},
            "enums": {
                **boards["enums"],
            },
            "cards": {
                "fields": {
                    **{"value": "1..6", "suit": "suit", "mark": "1..3?", "signs": "set of suit?"},
                    **(PRICES if self.has_costs else {}),
                },
                "manifest": rows,
                "start": "deck",
            },
            "zones": self.room.declared(
                {
                    "deck": hidden,
                    "row": {"seen_by": "everybody"},
                    "pile": {"order": "stack", "seen_by": "everybody"},
                    "hand": {"per": "player", "seen_by": "owner"},
                    "fork": {"per": "player", "seen_by": "owner"},
                    "box": {"per": "suit", "seen_by": "everybody"},
                    "cell": {"per": ["player", "-1..1"], "seen_by": "others"},
                }
            ),
            "values": {
                "a": {"type": "0..9", "start": 3},
                "b": {"per": "player", "type": "0..9", "start": 1},
                "t": {"per": "suit", "type": "0..9", "start": 2},
                "grid": {"per": ["-1..1", "suit"], "type": "0..9", "start": 1, "title": "grid"},
                "wish": {"type": "0..9?"},
                "purse": {"type": "0..9", "start": 4, "beyond": "error", "title": "purse"},
                "trump": {"type": "suit?"},
                "leader": {"type": "player?"},
                "open": {"type": "bool", "start": "false", "title": "open", "seen_by": "nobody"},
                "best": {"per": "suit", "type": "player?"},
                "next": {"per": "suit", "type": "player?"},
                "crown": {"per": ["suit", "player"], "type": "bool", "start": "false", "title": "crown"},
                "chip": {"per": "card", "type": "0..5", "start": 0},
                "total": {"per": {"p": "player"}, "is": "sum(c.value for c in hand[p]) + b[p]"},
                "most": {"per": {"s": "suit"}, "is": "max(b[p] for p in player if best[s] == p) ?? 0"},
                **boards["values"],
                **self.positions.declared(),
            },
            **self.tokens.declared(),
            "tables": {
                "weight": {"by": "suit", "red": 3, "green": 5, "blue": 8},
                "square": {"by": "0..3", "0": 0, "1": 1, "2": 4, "3": 9},
                "spare": {"by": f"0..{MOST}", **{str(n): (MOST - n) // 2 for n in range(MOST + 1)}},
                "pay": {
                    "by": ["suit", "-1..1"],
                    "red": [3, 0, 1],
                    "green": {"-1": 2, "0": 5, "1": 0},
                    "blue": [1, 1, 4],
                },
            },
            "setup": [
                {"id": "setup.shuffle", "title": "Shuffle", "shuffle": "deck"},
                {"each": {"p": "player"}, "do": {"move": {"top": 4, "from": "deck", "to": "hand[p]"}}},
                {"move": {"top": 4, "from": "deck", "to": "row"}},
            ],
            "play": [
                {"id": "rounds", "title": "Rounds", "repeat": {"at_most": 3, "then": self.steps(0), "do": body}},
                {"id": "end", "title": "The end", "rank": self.rank()},
            ],
        }
        with self.drawn_by(self.deeds):
            found["enums"]["suit"] = self.effects()  # after all else, which other dice have their part in
        return found

    def procedure(self, name: str) -> Step:
        """A procedure, which may run those made before it."""
        kinds = {"player": (self.players, "q"), "suit": (self.suits, "s"), "0..4": (self.numbers, "n")}
        signature = {self.name(kinds[kind][1]): kind for kind in self.dice.sample(list(kinds), self.dice.randint(0, 3))}
        for parameter, kind in signature.items():
            kinds[kind][0].append(parameter)
        self.secret += 1  # secret choices may run it, too
        body = self.steps(1)
        self.secret -= 1
        for kind in signature.values():
            kinds[kind][0].pop()
        self.procedures.append((name, signature))
        return {"id": name, "title": "Act", **({"with": signature} if signature else {}), "do": body}

    def effects(self) -> Step:
        """The suits, which have effects at two moments."""
        self.secret, self.loops = self.secret + 1, 0
        self.players.append("doer")
        members: Step = {
            "red": {"rank": 1, "lead": 4, "swap": {"green": 2}},
            "green": {"rank": 3},
            "blue": {"rank": 2, "lead": 0, "swap": {"red": 1, "blue": 3}},
        }
        few, many, none = lambda: self.steps(0), lambda: self.steps(1), lambda: "none"
        for member in members.values():
            member["effect"] = {moment: self.one(few, few, many, none) for moment in MOMENTS}
        self.players.pop()
        self.secret -= 1
        return {"effect": {"when": list(MOMENTS), "with": {"doer": "player"}}, "members": members}

    def carried_out(self) -> list[Step]:
        """Steps that carry out the effects of suits and of cards."""
        with self.drawn_by(self.deeds):
            given = {"when": self.word(*MOMENTS), "with": {"doer": self.player()}}
            other = {"when": self.word(*MOMENTS), "with": {"doer": self.player()}}
            top = {"if": "row != none", "then": {"effect": {"of": "row", **other}}}
            return [{"effect": {"of": self.suit(), **given}}, top]

    def inside_rounds(self) -> list[Step]:
        self.loops += 1
        turns = self.loop({"each": {"p": "player"}}, lambda: {"do": self.inside(self.players, "p", 2)})
        return [*self.steps(1), turns, *self.steps(1), self.run(), *self.carried_out()]

    def rank(self) -> Step:
        self.players.append("p")
        links = [
            {self.word("high", "low"): self.number(), "title": f"link {n}"} for n in range(self.dice.randint(1, 3))
        ]
        self.players.pop()
        returns = self.sights.choice([{}, {"returns": "b[p]"}, {"returns": "a - sum(b[q] for q in player)"}])
        by = [{"high": "b[p]", "title": "points"}, *links]
        return {"among": {"p": "player"}, "by": by, "left": "share", **returns}


def loaded(parts: Step) -> rulespec.Spec | None:
    """The spec; None where the checker refuses it."""
    try:
        return rulespec.loads(json.dumps(parts, indent=1))
    except rulespec.SpecError:
        return None


def answers(spec: rulespec.Spec, players: int) -> dict[str, str]:
    """The answers to rulings with which a spec is played: the default ones in games of two, the last ones in others."""
    return {} if players == 2 else {id_: ruling.options[-1] for id_, ruling in spec.model.rulings.items()}


def difference(spec: rulespec.Spec, players: int, engines: tuple[str, ...] = HERE, games: int = 4) -> str:
    """What engines do differently in a few games, in words; empty where they agree."""
    all_ = [spec.game(players, answers(spec, players), engine=engine) for engine in engines]
    try:
        if (found := shortest(all_, range(games))) is not None:
            return "\n".join([found[0], *lines(found[1])])
        blocks = [playouts(of, 1, range(10 * games)) for of in all_]
    except Exception as error:  # a sealed spec never raises in play
        return f"{type(error).__name__}: {error}"
    return "" if blocks == blocks[:1] * len(blocks) else "playouts differ"


# Shrinking


def shrunk(parts: Step, differ: Callable[[Step], bool]) -> Step:
    """Takes away whatever may be gone while engines still differ."""
    before = None
    while before != parts:
        before = parts
        for path in sorted(_spare(parts, ()), key=len):
            less = copy.deepcopy(parts)
            if _taken_away(less, path) and differ(less):
                parts = less
    return parts


def _spare(node: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    """Where something stands that may be gone: an item of a list, the last ones first, or an optional key."""
    if isinstance(node, list):
        for number in reversed(range(len(node))):
            yield (*path, number)
            yield from _spare(node[number], (*path, number))
    elif isinstance(node, dict):
        for key, part in node.items():
            optional = ("where", "else", "until", "mark", "signs", "copies", "if_after")
            if key in optional or (key == "if" and "then" not in node):
                yield (*path, key)
            yield from _spare(part, (*path, key))


def _taken_away(node: Any, path: tuple[str | int, ...]) -> bool:
    try:
        for step in path[:-1]:
            node = node[step]
        del node[path[-1]]
    except (KeyError, IndexError, TypeError):
        return False
    return True


def main(count: int, first: int) -> int:
    played = wrong = 0
    for seed in range(first, first + count):
        parts = Maker(seed).spec()
        if (spec := loaded(parts)) is None:
            continue
        played += 1
        for players in spec.players:
            if found := difference(spec, players):
                wrong += 1
                print(f"seed {seed}, {players} players: {found}", flush=True)
                print(json.dumps(shrunk(parts, lambda less, players=players: _differ(less, players)), indent=1))
                break
    print(f"{played} of {count} specs were played on {', '.join(HERE)}; {wrong} differ")
    return 1 if wrong else 0


def _differ(parts: Step, players: int) -> bool:
    spec = loaded(parts)
    return spec is not None and difference(spec, players) != ""


if __name__ == "__main__":
    words = [int(word) for word in sys.argv[1:]]
    sys.exit(main(words[0] if words else 100, words[1] if len(words) > 1 else 0))
