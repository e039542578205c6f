"""Random values that count repeated positions, and steps that remember and forget these."""

from __future__ import annotations

import random
from typing import Any

Step = dict[str, Any]
PARTS = ("a", "b", "t", "grid", "wish", "trump", "leader", "open", "best", "most", "total")


class PositionMaker:
    """Makes values, numbers and steps about repeated positions, with dice of its own; none unless they are `wanted`."""

    def __init__(self, seed: int, wanted: bool) -> None:
        self.dice = random.Random(seed)
        self.there = self.dice.random() < 0.3 and wanted

    def declared(self) -> dict[str, Step]:
        """The values of a game that has some."""
        if not self.there:
            return {}
        parts = [self.dice.sample(PARTS, self.dice.randint(1, 3)) for _ in range(2)]
        titles: tuple[Step, ...] = ({"title": "times"}, {})
        return {
            name: {"repeats": part, "most": self.dice.choice((1, 3, 20)), **self.dice.choice(titles)}
            for name, part in zip(("times", "again"), parts, strict=True)
        }

    def amount(self) -> str:
        """A number that depends on the count."""
        return self.dice.choice(("times", "(times - again)", "min(again, 3)"))

    def step(self) -> Step:
        """A step that remembers or forgets."""
        name = self.dice.choice(("times", "again"))
        return {"forget": name} if self.dice.random() < 0.2 else {"remember": name}
