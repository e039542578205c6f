"""Rule text: held against the spec, the glossary and the other languages; and a publisher's raw text likewise.

translation, findings = text.read(source)
findings += text.check(translation, spec, Book(spec, glossary), others)
"""

from typing import TYPE_CHECKING

from rulespec.text.languages.registry import validated

if TYPE_CHECKING:
    from rulespec.text.languages.record import Language


@validated
def _read_all(language: "Language") -> None:
    """Raises an exception if data of a language cannot be read. Patterns of wordings are compiled only when used."""
    from rulespec.text.checks.counted import lexicon_of as counted_of
    from rulespec.text.languages.quantity.patterns import numerals_of
    from rulespec.text.reading.contrasts.lexicon import lexicon_of
    from rulespec.text.rules.describe.grammar import grammar_in

    numerals_of(language)
    for reader in (counted_of, grammar_in):
        reader(language)
    known = lexicon_of(language)
    for each in known.wordings.patterns if known is not None else ():
        _ = each.compiled
