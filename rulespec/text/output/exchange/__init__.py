"""Export to translation tools and import from them: PO (gettext), XLIFF 1.2 and 2.0; terms into a glossary.

po = exchange.to_po(translation, spec, reference)
entries, findings = exchange.from_po(source)
yaml, more = exchange.apply(translation_source, entries, spec, source, kept)
yaml, more = exchange.merge(glossary_source, other_glossary_source)
"""

from rulespec.text.output.exchange.edit import apply, confirm, replaced, same_language
from rulespec.text.output.exchange.glossary_edit import merge
from rulespec.text.output.exchange.po import from_po, to_po
from rulespec.text.output.exchange.units import Entries, Unit, UnitText, Work, passages, texts, units, work
from rulespec.text.output.exchange.xliff import from_xliff
from rulespec.text.output.exchange.xliff_1 import to_xliff_1
from rulespec.text.output.exchange.xliff_2 import to_xliff_2

__all__ = [
    "Entries",
    "Unit",
    "UnitText",
    "Work",
    "apply",
    "confirm",
    "from_po",
    "from_xliff",
    "merge",
    "passages",
    "replaced",
    "same_language",
    "texts",
    "to_po",
    "to_xliff_1",
    "to_xliff_2",
    "units",
    "work",
]
