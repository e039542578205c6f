"""The sealed model of a spec."""

from typing import TYPE_CHECKING

from rulespec.base.lazy import importer

if TYPE_CHECKING:
    from rulespec.language.model.constants import Setting
    from rulespec.language.model.spec import Invariant, ManifestRow, Rule, Ruling, Spec, StoredValue
    from rulespec.language.model.types import NONE, Type

__all__ = [
    "NONE",
    "Invariant",
    "ManifestRow",
    "Rule",
    "Ruling",
    "Setting",
    "Spec",
    "StoredValue",
    "Type",
]
__getattr__ = importer(
    __name__,
    {
        "rulespec.language.model.constants": "Setting",
        "rulespec.language.model.spec": "Invariant ManifestRow Rule Ruling Spec StoredValue",
        "rulespec.language.model.types": "NONE Type",
    },
)
