"""The sealed model of a spec."""

from typing import TYPE_CHECKING

from rulespec.lazy import importer

if TYPE_CHECKING:
    from rulespec.model.constants import Setting
    from rulespec.model.decks import Deck, read_deck
    from rulespec.model.spec import Invariant, ManifestRow, Rule, Ruling, Spec, StoredValue
    from rulespec.model.types import NONE, Type

__all__ = [
    "NONE",
    "Deck",
    "Invariant",
    "ManifestRow",
    "Rule",
    "Ruling",
    "Setting",
    "Spec",
    "StoredValue",
    "Type",
    "read_deck",
]
__getattr__ = importer(
    __name__,
    {
        "rulespec.model.constants": "Setting",
        "rulespec.model.decks": "Deck read_deck",
        "rulespec.model.spec": "Invariant ManifestRow Rule Ruling Spec StoredValue",
        "rulespec.model.types": "NONE Type",
    },
)
