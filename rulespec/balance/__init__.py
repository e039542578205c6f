"""The balance of a game and the worth of its parts, to bots or random players.

result = balance(game, games=2000, seed=0)
result.to_dict()
"""

from typing import TYPE_CHECKING

from rulespec.lazy import importer

if TYPE_CHECKING:
    from rulespec.balance.estimate import Estimate
    from rulespec.balance.levels import LEVELS, Rung, ladder
    from rulespec.balance.page import html
    from rulespec.balance.result import Balance
    from rulespec.balance.run import balance, settings
    from rulespec.balance.sentences import NOTHING, caveat, headline
    from rulespec.balance.view import Axis, Section, Table, sections

__all__ = [
    "LEVELS",
    "NOTHING",
    "Axis",
    "Balance",
    "Estimate",
    "Rung",
    "Section",
    "Table",
    "balance",
    "caveat",
    "headline",
    "html",
    "ladder",
    "sections",
    "settings",
]
__getattr__ = importer(
    __name__,
    {
        "rulespec.balance.estimate": "Estimate",
        "rulespec.balance.levels": "LEVELS Rung ladder",
        "rulespec.balance.page": "html",
        "rulespec.balance.result": "Balance",
        "rulespec.balance.run": "balance settings",
        "rulespec.balance.sentences": "NOTHING caveat headline",
        "rulespec.balance.view": "Axis Section Table sections",
    },
)
