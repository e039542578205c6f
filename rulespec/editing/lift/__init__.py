"""Files of older formats and versions, lifted to the present ones."""

from rulespec.editing.lift.before import damage, digests_of, head_of, number_of
from rulespec.editing.lift.files import lifted_file
from rulespec.editing.lift.logs import Lifted, NotLifted, kept_version, lifted, lifted_state
from rulespec.play.simulate.former import lifted_run

__all__ = [
    "Lifted",
    "NotLifted",
    "damage",
    "digests_of",
    "head_of",
    "kept_version",
    "lifted",
    "lifted_file",
    "lifted_run",
    "lifted_state",
    "number_of",
]
