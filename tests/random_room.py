"""Random zones that hold only so many cards, with expressions and steps that rely on it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

Step = dict[str, Any]
MOST = 9


class RoomMaker:
    """Makes expressions and steps about the room in zones, with dice of its own; `suit` and `player` make others."""

    def __init__(self, seed: int, suit: Callable[[], str], player: Callable[[], str]) -> None:
        self.dice, self.suit, self.player = random.Random(seed), suit, player
        names = self.dice.sample(("row", "pile", "box", "hand", "cell"), self.dice.choice((0, 0, 1, 2)))
        self.holds = {name: self.dice.randint(4, MOST) for name in names}

    def declared(self, zones: dict[str, Step]) -> dict[str, Step]:
        """The zones, some of them with `holds`."""
        return {name: {**zone, **self._room(name)} for name, zone in zones.items()}

    def _room(self, name: str) -> Step:
        """The room of a zone, sometimes more of it for more players."""
        if name not in self.holds:
            return {}
        more = self.holds[name] < MOST and self.dice.random() < 0.4
        return {"holds": f"{self.holds[name]} + players - 2" if more else self.holds[name]}

    def amount(self) -> str:
        """A number that fits only because of `holds`."""
        zone, _ = self._zone()
        return self.dice.choice((f"spare[size({zone})]", f"(size({zone}) > 0 ? 60 // size({zone}) : 1)"))

    def step(self) -> Step:
        """A step that fills a zone, or adds a card if there is room."""
        zone, most = self._zone()
        ways: tuple[Step, ...] = (
            {"move": {"top": f"max({most} - size({zone}), 0)", "from": "deck", "to": zone}},
            {"if": f"size({zone}) < {most}", "then": {"move": {"random": 1, "from": "deck", "to": zone}}},
            {"if": f"size({zone}) < {most - 1}", "then": {"move": {"bottom": "min(a, 2)", "from": "deck", "to": zone}}},
        )
        return self.dice.choice(ways)

    def _zone(self) -> tuple[str, int]:
        name = self.dice.choice(list(self.holds))
        index = {"box": self.suit, "hand": self.player, "cell": lambda: f"{self.player()}, 0"}.get(name)
        return (f"{name}[{index()}]" if index else name), self.holds[name]
