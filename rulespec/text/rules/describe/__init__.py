"""Generated descriptions: what the rules of a spec do, as sentences in a language."""

from rulespec.text.rules.describe.description import Described, Description
from rulespec.text.rules.describe.document import as_json, body, items, markdown, plain
from rulespec.text.rules.describe.facts import required_sentences
from rulespec.text.rules.describe.grammar import grammar_of, languages
from rulespec.text.rules.describe.translation import as_translation

__all__ = [
    "Described",
    "Description",
    "as_json",
    "as_translation",
    "body",
    "grammar_of",
    "items",
    "languages",
    "markdown",
    "plain",
    "required_sentences",
]
