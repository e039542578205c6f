"""Rule text: held against the spec, the glossary and the other languages; and a publisher's raw text likewise.

translation, findings = text.read(source)
findings += text.check(translation, spec, Book(spec, glossary), others)
"""

from typing import TYPE_CHECKING

from rulespec.base.lazy import importer
from rulespec.text.languages import validated

if TYPE_CHECKING:
    from rulespec.text.checks.check import CONTRADICTIONS, check, check_text, contradicted
    from rulespec.text.glossary import Glossary
    from rulespec.text.languages import LANGUAGE_OF_SPECS, LANGUAGES, Language, labels_of, writing_of
    from rulespec.text.languages import find as find_language
    from rulespec.text.languages import use as use_languages
    from rulespec.text.languages.tags import similar as similar_tag
    from rulespec.text.output.begun import begun, in_words, nearest_of
    from rulespec.text.output.render import Rulebook, markdown
    from rulespec.text.reading.ignores import not_ignored, without_ignored
    from rulespec.text.reading.translation import Passage, Translation, read, source_of, translations
    from rulespec.text.rules.book import Book, unknown_concepts
    from rulespec.text.rules.facts import of_rule as facts_of_rule
    from rulespec.text.rules.on_cards import filled_translation
    from rulespec.text.seals.confirmation import confirmation, is_stale, renewed
    from rulespec.text.seals.edits import source_among
    from rulespec.text.seals.since import since
    from rulespec.text.seals.untranslated import is_same_language, is_untranslated, translated, untranslated_ids

__all__ = [
    "CONTRADICTIONS",
    "LANGUAGES",
    "LANGUAGE_OF_SPECS",
    "Book",
    "Glossary",
    "Language",
    "Passage",
    "Rulebook",
    "Translation",
    "begun",
    "check",
    "check_text",
    "confirmation",
    "contradicted",
    "facts_of_rule",
    "filled_translation",
    "find_language",
    "in_words",
    "is_same_language",
    "is_stale",
    "is_untranslated",
    "labels_of",
    "markdown",
    "nearest_of",
    "not_ignored",
    "read",
    "renewed",
    "similar_tag",
    "since",
    "source_among",
    "source_of",
    "translated",
    "translations",
    "unknown_concepts",
    "untranslated_ids",
    "use_languages",
    "without_ignored",
    "writing_of",
]

__getattr__ = importer(
    __name__,
    {
        "rulespec.text.checks.check": "CONTRADICTIONS check check_text contradicted",
        "rulespec.text.glossary": "Glossary",
        "rulespec.text.languages": (
            "LANGUAGE_OF_SPECS LANGUAGES Language labels_of writing_of find=find_language use=use_languages"
        ),
        "rulespec.text.languages.tags": "similar=similar_tag",
        "rulespec.text.output.begun": "begun in_words nearest_of",
        "rulespec.text.output.render": "Rulebook markdown",
        "rulespec.text.reading.ignores": "not_ignored without_ignored",
        "rulespec.text.reading.translation": "Passage Translation read source_of translations",
        "rulespec.text.rules.book": "Book unknown_concepts",
        "rulespec.text.rules.facts": "of_rule=facts_of_rule",
        "rulespec.text.rules.on_cards": "filled_translation",
        "rulespec.text.seals.confirmation": "confirmation is_stale renewed",
        "rulespec.text.seals.edits": "source_among",
        "rulespec.text.seals.since": "since",
        "rulespec.text.seals.untranslated": "is_same_language is_untranslated translated untranslated_ids",
    },
)


@validated
def _read_all(language: "Language") -> None:
    """Raises an exception if data of a language cannot be read. Patterns of wordings are compiled only when used."""
    from rulespec.text.checks.counted import lexicon_of as counted_of
    from rulespec.text.languages.quantity.patterns import numerals_of
    from rulespec.text.reading.contrasts import lexicon_of
    from rulespec.text.rules.describe.grammar import grammar_in

    numerals_of(language)
    for reader in (counted_of, grammar_in):
        reader(language)
    known = lexicon_of(language)
    for each in known.wordings.patterns if known is not None else ():
        _ = each.compiled
