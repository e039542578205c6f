"""The sealed model of a spec."""

from typing import TYPE_CHECKING

from rulespec.base.lazy import importer

if TYPE_CHECKING:
    from rulespec.language.model.constants import Setting
    from rulespec.language.model.decks import Deck, read_deck
    from rulespec.language.model.spec import Invariant, ManifestRow, Rule, Ruling, Spec, StoredValue
    from rulespec.language.model.types import NONE, Type

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
        "rulespec.language.model.constants": "Setting",
        "rulespec.language.model.decks": "Deck read_deck",
        "rulespec.language.model.spec": "Invariant ManifestRow Rule Ruling Spec StoredValue",
        "rulespec.language.model.types": "NONE Type",
    },
)
