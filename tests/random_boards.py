"""Random expressions and steps about a board of nine squares, one of lines, and connected squares."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

Step = dict[str, Any]
KINDS = ("orthogonal", "diagonal", "all", "hex")


class BoardMaker:
    """Makes expressions and steps about boards, with dice of its own; `number` and `player` make others."""

    def __init__(self, seed: int, number: Callable[[], str], player: Callable[[], str]) -> None:
        self.dice, self.number, self.player = random.Random(seed), number, player
        self.names = 0

    def declared(self) -> dict[str, Step]:
        """The enums and the values of the boards."""
        near = self.dice.choice(KINDS)
        enums = {
            "spot": {"grid": {"wide": "i..k", "high": "1..3"}, "near": near},
            "way": {"directions": self.dice.choice(("all", near))},
            "leap": {"long": {"east": 2, "north": 1}, "back": {"east": -1, "north": 0}},
            "pair": {"in_a_row": 2, "of": "spot"},
            "node": {"members": ["u1", "u2", "u3", "u4"], "lines": [["u1", "u2", "u3"], ["u2", "u4"]]},
        }
        values = {
            "heap": {"per": "spot", "type": "0..9", "start": 2, "title": "heap"},
            "mine": {"per": "spot", "type": "player?"},
            "met": {"per": ["player", "spot"], "type": "bool", "start": False, "title": "met"},
            "fence": {"per": ["spot", "way"], "type": "bool", "start": False},
            "live": {"per": "node", "type": "bool", "start": True},
            "home": {"type": "spot", "start": "j2"},
            "flow": {"per": {"y": "spot"}, "is": "sum(heap[z] for z in near(y) if z != home)"},
        }
        return {"enums": enums, "values": values}

    def name(self) -> str:
        self.names += 1
        return f"y{self.names}"

    def square(self) -> str:
        known = ("home", "home", "j2", "i1", "k3", "(step(home, long) ?? i2)", f"(step(home, {self.way()}) ?? k1)")
        if self.dice.random() < 0.2:
            return f"(spot({self.number()}, home.high {self.dice.choice('+-')} 1) ?? home)"
        return self.dice.choice(known)

    def way(self) -> str:
        return self.dice.choice(("long", "back"))

    def squares(self) -> str:
        """A list of squares."""
        line = f"spot.high[{self.dice.choice(('home.wide', '2'))}]"
        return self.dice.choice((f"near({self.square()})", f"ray({self.square()}, {self.way()})", line))

    def amount(self) -> str:
        """A number."""
        y, z = self.name(), self.name()
        return self.dice.choice(
            (
                f"heap[{self.square()}]",
                f"sum(heap[{y}] for {y} in {self.squares()} if mine[{y}] == {self.player()})",
                f"(heap[step({self.square()}, {self.way()}, {self.dice.choice('012')})] ?? {self.number()})",
                f"(min(flow[{y}] for {y} in {self.squares()} if heap[{y}] < {self.number()}) ?? 1)",
                f"(flow[first({y} in {self.squares()} if mine[{y}] != none)] ?? 3)",
                f"(heap[highest({y} in {self.squares()} by heap[{y}] if {y} > i2)] ?? 0)",
                f"count({y} in pair if all(heap[{z}] > 1 for {z} in {y}) and has({y}, {self.square()}))",
                f"count({y} in way if any(mine[{z}] == none for {z} in ray({self.square()}, {y})))",
                f"count({y} in spot if met[{self.player()}, {y}] and {y}.wide != {y}.high)",
                f"count({y} in near(u2) if live[{y}])",
                f"count({y} in near(home) if fence[home, way({y}, home)])",
                f"count({y} in way if way(home, {self.square()}) == clockwise(opposite({y}), {self.number()}))",
                f"longest_run({y} in ray(i1, long) if heap[{y}] > 2)",
            )
        )

    def step(self, choice: bool) -> Step:
        """A step about boards; with a choice if it may be one."""
        y, square = self.name(), self.square()
        grown = {"set": {f"heap[{y}]": f"clamp(heap[{y}] + 3 - {self.number()}, 0, 9)"}}
        ways: list[Step] = [
            {"set": {f"heap[{square}]": f"clamp({self.number()}, 0, 9)"}},
            {"set": {f"mine[{square}]": self.dice.choice((self.player(), "none"))}},
            {"set": {"home": square}},
            {"each": {y: "way"}, "do": {
                "set": {f"fence[{square}, clockwise({y}, {self.number()})]": f"ordinal({y}) < 3"}}},
            {"each": {y: self.squares()}, "do": grown},
            {"if": f"mine[step({square}, back)] == none and step({square}, back) != none", "then": {
                "set": {f"mine[step({square}, back)]": self.player()}}},
            self.connect(y),
        ]  # fmt: skip
        return self.choose(y) if choice and self.dice.random() < 0.5 else self.dice.choice(ways)

    def connect(self, y: str) -> Step:
        """A step that connects squares, or points of lines."""
        if self.dice.random() < 0.2:
            into = {"from": f"{y} == u4", "through": f"live[{y}] or {self.number()} > 4", "into": f"live[{y}]"}
            return {"connect": {"squares": {y: "node"}, **into}}
        into = {"from": f"{y} == {self.square()}", "through": f"heap[{y}] > {self.number()}"}
        if self.dice.random() < 0.5:
            z = self.name()
            into["through"] = f"heap[{z}] > {self.number()} and not fence[{y}, way({y}, {z})]"
            into["to"] = {z: f"near({y})"}  # type: ignore[assignment]
        return {"connect": {"squares": {y: "spot"}, **into, "into": f"met[{self.player()}, {y}]"}}

    def choose(self, y: str) -> Step:
        """A choice of squares and a direction."""
        z = self.name()
        pick = self.dice.choice(({y: "near(home)"}, {y: "spot"}, {y: "ray(home, back)"}, {y: "spot", z: f"near({y})"}))
        says = " ".join([f"go{self.names}", *("{" + name + "}" for name in pick)])
        option = {"says": says, "pick": pick, "if": f"mine[{y}] != {self.player()}", "do": {"set": {"home": y}}}
        return {"choose": {"by": self.player(), "options": [option], "none": "skip"}}
