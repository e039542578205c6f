"""Agreement of numbers and the nouns that they count: “1 card”, “2 cards”."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import any_of, say
from rulespec.text.checks.counted import inflected, listed
from rulespec.text.checks.counted.lexicon import CountedLexicon, lexicon_of
from rulespec.text.checks.counted.pairs import Mismatch, Pair, pairs_in
from rulespec.text.glossary import Glossary, Mention, finder
from rulespec.text.languages import Language, find, morphology
from rulespec.text.languages.quantity import read
from rulespec.text.reading.prose import Prose

__all__ = ["check"]


def check(prose: Prose, glossary: Glossary | None = None) -> Iterator[Finding]:
    """One finding for each noun, or adjective of it, that does not agree with the number before it.

    Words are compared by a dictionary of forms (`rulespec.text.languages.morphology`), if there is one of the language,
    and terms of the glossary by the forms that it lists.
    """
    language = find(prose.lang)
    lexicon = lexicon_of(language)
    if not language.spaced or (glossary is None and lexicon is None):
        return
    counted = list(pairs_in(prose.text, read(prose.text, language.tag)))
    found = finder(glossary, language.tag).find(prose.text) if counted and glossary is not None else ()
    for pair in counted:
        wrong = _mismatch(pair, language, lexicon, glossary, found)
        if wrong is not None:
            yield _finding(prose, wrong)
    if lexicon is not None and lexicon.is_inflected and morphology.is_available(language.tag):
        morphology.keep(language.tag)


def _mismatch(
    pair: Pair,
    language: Language,
    lexicon: CountedLexicon | None,
    glossary: Glossary | None,
    found: Sequence[Mention],
) -> Mismatch | None:
    """What does not agree with a number, by the best source of knowledge that there is."""
    terms = {one.start: one for one in found if one.status.is_term}
    if lexicon is not None and lexicon.is_inflected and morphology.is_available(language.tag):
        return inflected.mismatch(pair, lexicon, language.tag, pair.words[0].start in terms)
    if glossary is None or language.tag not in glossary.languages():
        return None
    return listed.mismatch(pair, lexicon, language, glossary, terms)


def _finding(prose: Prose, wrong: Mismatch) -> Finding:
    if not wrong.right:
        message = say("“{found}” does not agree with “{number}”.", number=wrong.number, found=wrong.word.text)
        hint = say("Write the form that the number needs.")
        return prose.say("number-agreement", message, wrong.word.start, wrong.word.end, hint)
    right = any_of(tuple(f"“{form}”" for form in wrong.right))
    message = say(
        "With “{number}”, “{found}” should be {right}.", number=wrong.number, found=wrong.word.text, right=right
    )
    hint = say("Write {right}.", right=right)
    return prose.say("number-agreement", message, wrong.word.start, wrong.word.end, hint)
