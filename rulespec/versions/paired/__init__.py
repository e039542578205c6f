"""Two versions of a game in the same seeded games: the first difference, and the change in the figures.

pair = paired(old, new, players=4)
result = play(pair, games=10_000, seed=1)
result.to_dict()
"""

from typing import TYPE_CHECKING

from rulespec.base.lazy import importer

if TYPE_CHECKING:
    from rulespec.versions.paired.data import to_dict
    from rulespec.versions.paired.difference import Difference, first_difference
    from rulespec.versions.paired.pair import Pair, PairError, paired
    from rulespec.versions.paired.players import BOTS, player_named
    from rulespec.versions.paired.run import Result, play, results
    from rulespec.versions.paired.view import CAVEAT, headline, html, markdown, sections

__all__ = [
    "BOTS",
    "CAVEAT",
    "Difference",
    "Pair",
    "PairError",
    "Result",
    "first_difference",
    "headline",
    "html",
    "markdown",
    "paired",
    "play",
    "player_named",
    "results",
    "sections",
    "to_dict",
]
__getattr__ = importer(
    __name__,
    {
        "rulespec.versions.paired.data": "to_dict",
        "rulespec.versions.paired.difference": "Difference first_difference",
        "rulespec.versions.paired.pair": "Pair PairError paired",
        "rulespec.versions.paired.players": "BOTS player_named",
        "rulespec.versions.paired.run": "Result play results",
        "rulespec.versions.paired.view": "CAVEAT headline html markdown sections",
    },
)
