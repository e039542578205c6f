"""How long a bot thinks about a move: a number of simulations, a time, or whichever ends first."""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST_SIMULATIONS = 10_000_000
MOST_MILLISECONDS = 600_000


@dataclass(frozen=True)
class Limit:
    """The most simulations and the most milliseconds of a move, 0 where there is no such limit."""

    simulations: int = 0
    milliseconds: int = 0

    def __str__(self) -> str:
        time = f"{self.milliseconds}ms" if self.milliseconds else ""
        return "/".join(filter(None, (str(self.simulations or ""), time)))

    @property
    def most_simulations(self) -> int:
        """The number of simulations to end with if they take less than the time."""
        return self.simulations or MOST_SIMULATIONS


_LIMIT = re.compile(r"([1-9][0-9]{0,8})?(?:(?:^|(?<=[0-9])/)([0-9]{1,6}(?:\.[0-9]{1,3})?)(ms|s))?")


def limit_of(text: str) -> Limit | None:
    """The limit in a text such as `1000`, `200ms`, `0.5s` or `1000/2s`; None if it is none."""
    found = _LIMIT.fullmatch(text)
    if found is None or not text:
        return None
    milliseconds = round(float(found[2]) * (1000 if found[3] == "s" else 1)) if found[2] else 0
    limit = Limit(int(found[1] or 0), milliseconds)
    too_much = limit.simulations > MOST_SIMULATIONS or milliseconds > MOST_MILLISECONDS
    return None if too_much or (found[2] and not milliseconds) else limit
