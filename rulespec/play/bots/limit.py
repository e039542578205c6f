"""How long a bot thinks about a move: a number of simulations, or a time."""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST_SIMULATIONS = 10_000_000
MOST_MILLISECONDS = 600_000


@dataclass(frozen=True)
class Limit:
    """Simulations, or milliseconds if there are any. Only a number of simulations makes a bot reproducible."""

    simulations: int = 0
    milliseconds: int = 0

    def __str__(self) -> str:
        return f"{self.milliseconds}ms" if self.milliseconds else str(self.simulations)


def limit_of(text: str) -> Limit | None:
    """The limit in a text such as `1000` or `200ms`; None if it is none."""
    found = re.fullmatch(r"([1-9][0-9]{0,8})(ms|s)?", text)
    if found is None:
        return None
    number, unit = int(found[1]), found[2]
    if unit is None:
        return Limit(number) if number <= MOST_SIMULATIONS else None
    number *= 1000 if unit == "s" else 1
    return Limit(milliseconds=number) if number <= MOST_MILLISECONDS else None
