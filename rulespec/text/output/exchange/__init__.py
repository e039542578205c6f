"""Export to translation tools and import from them: PO (gettext), XLIFF 1.2 and 2.0; terms into a glossary.

po = exchange.to_po(translation, spec, reference)
entries, findings = exchange.from_po(source)
yaml, more = exchange.apply(translation_source, entries, spec, source, kept)
yaml, more = exchange.merge(glossary_source, other_glossary_source)
"""
