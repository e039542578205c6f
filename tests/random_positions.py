"""Random values that count repeated positions, and steps that remember and forget these."""

from __future__ import annotations

import random
from typing import Any

PARTS = ("a", "b", "t", "grid", "wish", "trump", "leader", "open", "best", "most", "total")
COUNTERS = ("times", "again")


class PositionMaker:
    """Makes values, numbers and steps with dice of its own, in some of the games that may have any."""

    def __init__(self, seed: int, wanted: bool) -> None:
        self.dice = random.Random(seed)
        self.there = self.dice.random() < 0.3 and wanted

    def declared(self) -> dict[str, Any]:
        parts = {name: self.dice.sample(PARTS, self.dice.randint(1, 3)) for name in COUNTERS if self.there}
        most, title = self.dice.choice((1, 3, 20)), self.dice.choice(({"title": "times"}, {}))
        return {name: {"repeats": part, "most": most, **title} for name, part in parts.items()}

    def amount(self) -> str:
        return self.dice.choice(("times", "(times - again)", "min(again, 3)"))

    def step(self) -> dict[str, str]:
        return {"forget" if self.dice.random() < 0.2 else "remember": self.dice.choice(COUNTERS)}
