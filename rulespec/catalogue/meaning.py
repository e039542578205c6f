"""RS3xx to RS5xx: what a spec says has no meaning, or not one that could be played."""

from rulespec.catalogue.cards import CARDS
from rulespec.catalogue.expressions import EXPRESSIONS
from rulespec.catalogue.names import NAMES
from rulespec.catalogue.steps import STEPS

MEANING = (
    *NAMES,  # RS301 to RS320
    *EXPRESSIONS,  # RS321 to RS399
    *CARDS,  # RS4xx
    *STEPS,  # RS5xx
)
