"""Numbers and terms of the glossary whose forms by plural category are known: listed there, or plurals of a lemma."""

from __future__ import annotations

from collections.abc import Mapping

import regex

from rulespec.text.checks.counted.lexicon import CountedLexicon
from rulespec.text.checks.counted.pairs import BREAKS, LINE, NUMBER, Mismatch, Pair, Word
from rulespec.text.glossary import Glossary, Mention, tokens
from rulespec.text.languages import Language
from rulespec.text.languages.dictionaries import is_listed, lemma
from rulespec.text.languages.plurals import categories, category, needed
from rulespec.text.languages.quantity import Kind
from rulespec.text.languages.record import PLURALS

_ONE, _OTHER = "one", "other"
_THINGS = ("card", "player")
"""What every spec may count, by its names there."""
_CASELESS = 2
"""In a language with more categories than these, nouns have cases that may look like other categories."""


def mismatch(
    pair: Pair,
    lexicon: CountedLexicon | None,
    language: Language,
    glossary: Glossary,
    mentions: Mapping[int, Mention],
) -> Mismatch | None:
    """The term after a number in the form of another plural category; None if there is none or it is uncertain.

    `mentions` are the terms of the text by their start.
    """
    mention = mentions.get(pair.words[0].start)
    kind = category(pair.value, language.tag)
    if mention is None or kind is None or pair.kind is Kind.ARTICLE or pair.value == 0:
        return None
    if pair.listed or _may_be_label(pair, language, mentions) or len(needed(language.tag)) < _CASELESS:
        return None
    word = Word(mention.start, mention.end, pair.text[mention.start : mention.end])
    terms = glossary.concepts[mention.concept].terms[language.tag]
    if pair.is_heading and not mention.term[:1].isupper():
        return None
    listed = {one: term.text for one, term in terms.counted.items()}
    if listed:
        return _by_list(pair, kind, word, listed, language.tag)
    found = _by_lemma(pair, kind, word, lexicon, language)
    if found is None or (kind == _ONE and not pair.word):
        return found
    plural = word.text if kind == _ONE else found.right[0]
    text = None if pair.word else pair.text  # “whoever gets one reveals it”
    return found if _is_countable(plural, text, glossary, language.tag) else None


def _by_list(pair: Pair, kind: str, word: Word, listed: Mapping[str, str], lang: str) -> Mismatch | None:
    """By the forms that the glossary lists."""
    wanted, form = listed.get(kind), tokens.plain(word.text)
    own = [one for one, text in listed.items() if tokens.plain(text) == form]
    if wanted is None or not own or kind in own:
        return None
    # “Z 2 kart” has the genitive, which looks like the category of higher numbers.
    is_earlier = min(map(PLURALS.index, own)) < PLURALS.index(kind)
    is_certain = len(needed(lang)) <= _CASELESS or is_earlier or pair.before() in ([], [LINE])
    return Mismatch(word, pair.said, (_as_written(wanted, word.text),)) if is_certain else None


def _by_lemma(pair: Pair, kind: str, word: Word, lexicon: CountedLexicon | None, language: Language) -> Mismatch | None:
    """By the lemma of the last word, in a language whose nouns have two forms."""
    if lexicon is None or lexicon.is_inflected or categories(language.tag) != (_ONE, _OTHER):
        return None
    first = next(iter(pair.before()), LINE)
    if first not in BREAKS and first not in lexicon.words["before"]:
        return None
    head = regex.search(r"\p{L}+$", word.text)
    if head is None:
        return None
    own, lemmatiser = head[0].lower(), language.lemmatiser
    single = lemma(own, lemmatiser)
    if kind == _ONE and own != single and own in _plurals(single) and is_listed(own, lemmatiser):
        right = single
    elif kind == _OTHER and own == single and _follows(pair, word, lexicon):
        plural = [one for one in _plurals(own) if is_listed(one, lemmatiser) and lemma(one, lemmatiser) == own]
        if len(plural) != 1:
            return None
        right = plural[0]
    else:
        return None
    return Mismatch(word, pair.said, (word.text[: head.start()] + _as_written(right, head[0]),))


def _is_countable(plural: str, text: str | None, glossary: Glossary, lang: str) -> bool:
    """Whether a term is a thing that is counted: gold or red are not. Cards and players are, and so is what the text or
    the glossary has in the plural, unless `text` is None."""
    head = plural.split()[-1].lower()
    things = (concept.terms.get(lang) for concept in glossary.concepts.values() if concept.names in _THINGS)
    if any(one is not None and one.preferred is not None and head in _plurals(one.preferred.text) for one in things):
        return True
    if text is None:
        return False
    word = regex.compile(rf"\b{regex.escape(plural)}\b", regex.IGNORECASE)
    return word.search(text) is not None or word.search(glossary.words) is not None


def _plurals(word: str) -> tuple[str, ...]:
    """The regular plurals that a word may have."""
    if word.endswith("y") and word[-2:-1] not in tuple("aeiou"):
        return (f"{word[:-1]}ies",)
    return (f"{word}es",) if word.endswith(("s", "x", "z", "ch", "sh")) else (f"{word}s",)


def _follows(pair: Pair, word: Word, lexicon: CountedLexicon) -> bool:
    """Whether the term is no part of a compound such as “3 card hand”: nothing follows, or a word that no noun is."""
    after = regex.match(r"[*_»”\"')]*\s*(?P<next>[\p{L}\d]+)?", pair.text[word.end :])
    following = after["next"] if after is not None else None
    between = pair.text[word.end : word.end + 1]
    return following is None or between == "\n" or following.lower() in lexicon.words["after"]


def _may_be_label(pair: Pair, language: Language, mentions: Mapping[int, Mention]) -> bool:
    """Whether a number may name what stands before it: “Phase 1”."""
    before = pair.before()
    if not before or before[0] in BREAKS | {NUMBER}:
        return bool(before) and before[0] == NUMBER
    head = pair.text[: pair.start].rstrip(" \u00a0\u202f*_")
    word = regex.search(r"[\p{L}'’ʼ]+$", head)
    if word is None or any(one.end == len(head) for one in mentions.values()):
        return True
    if language.part_titles and regex.fullmatch(language.part_titles, word[0], regex.IGNORECASE):
        return True
    return word[0][:1].isupper() and len(before) > 1


def _as_written(form: str, word: str) -> str:
    """A form with the capital letter of a word."""
    return form[:1].upper() + form[1:] if word[:1].isupper() else form
