"""Deep search: games of a spec explored for what no proof can show.

`search` plays the settings of a spec in many ways; `findings` says what that has shown, each with the shortest log.
"""

from rulespec.play.deep.report import DeepFinding, findings
from rulespec.play.deep.run import PARTS, SECONDS, Found, search

__all__ = ["PARTS", "SECONDS", "DeepFinding", "Found", "findings", "search"]
