"""How balanced a game is and what each part of it is worth, in random play.

result = balance(game, games=2000, seed=0)
result.to_dict()
"""

from rulespec.balance.result import Balance
from rulespec.balance.run import balance, settings

__all__ = ["Balance", "balance", "settings"]
