"""The balance of a game and the worth of its parts, to bots or random players.

result = balance(game, games=2000, seed=0)
result.to_dict()
"""

from typing import TYPE_CHECKING

from rulespec.base.lazy import importer

if TYPE_CHECKING:
    from rulespec.play.balance.estimate import Estimate
    from rulespec.play.balance.levels import LEVELS, Rung, ladder
    from rulespec.play.balance.page import html
    from rulespec.play.balance.result import Balance
    from rulespec.play.balance.run import balance, settings
    from rulespec.play.balance.sentences import NOTHING, caveat, headline
    from rulespec.play.balance.view import Axis, Section, Table, sections

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
        "rulespec.play.balance.estimate": "Estimate",
        "rulespec.play.balance.levels": "LEVELS Rung ladder",
        "rulespec.play.balance.page": "html",
        "rulespec.play.balance.result": "Balance",
        "rulespec.play.balance.run": "balance settings",
        "rulespec.play.balance.sentences": "NOTHING caveat headline",
        "rulespec.play.balance.view": "Axis Section Table sections",
    },
)
