"""The rulebook that plays: its examples and the set-up step by step, with other choices played from each decision."""

from typing import TYPE_CHECKING

from rulespec.base.lazy import importer

if TYPE_CHECKING:
    from rulespec.play.living.host import Host, host_of
    from rulespec.play.living.illustrated import illustrations
    from rulespec.play.living.page import living, parts

__all__ = ["Host", "host_of", "illustrations", "living", "parts"]
__getattr__ = importer(
    __name__,
    {
        "rulespec.play.living.host": "Host host_of",
        "rulespec.play.living.illustrated": "illustrations",
        "rulespec.play.living.page": "living parts",
    },
)
