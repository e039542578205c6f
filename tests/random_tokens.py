"""Random stocks of tokens, and steps that move them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

Step = dict[str, Any]
SHORT = ("as_many", "as_many", "error")


class TokenMaker:
    """Makes stocks and transfers, with dice of its own; `suit`, `player` and `number` make expressions."""

    def __init__(
        self, seed: int, suit: Callable[[], str], player: Callable[[], str], number: Callable[[], str]
    ) -> None:
        self.dice, self.suit, self.player, self.number = random.Random(seed), suit, player, number
        self.there = self.dice.random() < 0.4
        self.made = 0

    def declared(self) -> dict[str, Step]:
        """The stocks of a game, if it has some: gems by suit, and jokers."""
        if not self.there:
            return {}
        gems = {"bank": {"start": "s == red ? 2 : players", "title": "bank"}, "pouch": {"per": "player", "start": 1}}
        jokers = {"vault": {"start": self.dice.randint(0, 2)}, "gold": {"per": "player", "start": 1, "title": "gold"}}
        return {"stocks": {"gems": {"of": {"s": "suit"}, "places": gems}, "jokers": {"places": jokers}}}

    def step(self, choice: bool) -> Step:
        """A transfer; if it may ask a player, sometimes an option that is illegal if there are too few tokens."""
        if not choice or self.dice.random() < 0.4:
            return self._guarded() if self.dice.random() < 0.3 else {"transfer": self._transfer(self._short())}
        self.made += 1
        name = f"kind{self.made}"
        do = [{"transfer": self._transfer("illegal", name)}]
        if self.dice.random() < 0.3:
            do.append({"transfer": self._transfer("as_many", name)})
        option = {"says": f"tokens{self.made} {{{name}}}", "pick": {name: "suit"}, "do": do}
        return {"choose": {"by": self.player(), "options": [option], "none": "skip"}}

    def _short(self) -> str:
        return self.dice.choice(SHORT)

    def _guarded(self) -> Step:
        """A transfer that is possible because of the condition around it."""
        place, suit, least = f"pouch[{self.player()}]", self.suit(), self.dice.randint(1, 2)
        cell = f"{place[:-1]}, {suit}]"
        move = {"tokens": least, "of": suit, "from": place, "to": "bank"}
        return {"if": f"{cell} >= {least}", "then": {"transfer": move}}

    def _transfer(self, short: str, kind: str = "") -> Step:
        pouch = f"pouch[{self.player()}]"
        ends = self.dice.choice([("bank", pouch), (pouch, "bank"), (pouch, "pouch[seat(2)]")])
        if ends[0] == ends[1]:
            ends = (pouch, "bank")
        amount = self.dice.choice(["1", "2", f"clamp({self.number()}, 0, 2)"])
        found: Step = {"tokens": amount, "from": ends[0], "to": ends[1], "short": short}
        if self.dice.random() < 0.4:
            self.made += 1
            each = f"gem{self.made}"
            amount = self.dice.choice([amount, f"{each}.rank // 2", f"min(bank[{each}], 1)"])
            found |= {"each": {each: "suit"}, "tokens": amount}
        else:
            found["of"] = kind or self.suit()
        if self.dice.random() < 0.4:
            found["jokers"] = {"from": f"gold[{self.player()}]", "to": "vault"}
        return found
