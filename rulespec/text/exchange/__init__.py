"""Rule text out to the tools of translators and back: PO (gettext) and XLIFF 2.0.

    po = exchange.to_po(translation, spec, reference)
    entries, findings = exchange.from_po(source)
    yaml, more = exchange.apply(translation_source, entries, spec)
"""

from rulespec.text.exchange.edit import apply
from rulespec.text.exchange.po import from_po, to_po
from rulespec.text.exchange.units import Entries, Entry, Unit, units
from rulespec.text.exchange.xliff import from_xliff, to_xliff

__all__ = ["Entries", "Entry", "Unit", "apply", "from_po", "from_xliff", "to_po", "to_xliff", "units"]
