"""Numbers and nouns in a language whose numbers decide the case of the noun, by a dictionary of word forms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import regex

from rulespec.text.checks.counted.context import CASES, DIRECT, GENITIVE, Context, context_of
from rulespec.text.checks.counted.lexicon import SAME, CountedLexicon
from rulespec.text.checks.counted.pairs import Mismatch, Pair, Word
from rulespec.text.languages import morphology
from rulespec.text.languages.morphology import Parse
from rulespec.text.languages.plurals import category
from rulespec.text.languages.quantity import Kind

_ADJECTIVES = frozenset(("ADJF", "PRTF"))
_PRONOUN = "NPRO"
_NEAR = 6
"""Words after a noun among which its verb is looked for."""
_IMPERATIVE = frozenset(("impr", "sing"))
_UNCHANGED = frozenset(("Fixd", "Pltm"))
_ONE = "one"
_FEW = "few"
_LETTERS = 3
"""A shorter word may be an abbreviation."""


class _Part(NamedTuple):
    """A noun, or an adjective before it, with its analyses."""

    word: Word
    found: tuple[Parse, ...]


def mismatch(pair: Pair, lexicon: CountedLexicon, lang: str, is_term: bool) -> Mismatch | None:
    """The word after a number whose form no case of the number allows; None if there is none or it is uncertain.

    `is_term`: a term of the glossary stands there, so the word is a noun even if it may be of another word class.
    """
    numeral = _numeral(pair, lexicon, lang)
    context = _context(pair, numeral, lexicon, lang) if numeral is not None else None
    if numeral is None or context is None or (context.is_label and not pair.word) or pair.is_heading:
        return None
    parts = _phrase(pair, numeral, context, is_term)
    if not parts or _may_be_uncounted(pair, parts, numeral, context):
        return None
    noun = parts[-1]
    wrong = next((part for part in reversed(parts) if not numeral.fitting(part, context.cases, part is noun)), None)
    if wrong is None:
        return numeral.other_gender(pair, noun, context)
    if _is_ordinal(noun, pair, context, lexicon) or (
        pair.listed and context.is_after_noun and _fits_listed(pair, parts, context, lexicon, lang)
    ):
        return None
    right = numeral.right(wrong, noun, context, is_noun=wrong is noun)
    return Mismatch(wrong.word, pair.said, right)


# --- the words after the number --------------------------------------------------------------------------------------


def _phrase(pair: Pair, numeral: _Numeral, context: Context, is_term: bool) -> list[_Part]:
    """The adjectives after a number and their noun; nothing if the noun is uncertain."""
    found: list[_Part] = []
    for i, word in enumerate(pair.words):
        parses = _nominal(word, numeral.lexicon, numeral.lang, is_term)
        if not parses or (pair.text[word.end : word.end + 1] == "." and len(word.text) <= _LETTERS):
            return []
        nouns = tuple(one for one in parses if one.part == "NOUN")
        adjectives = tuple(one for one in parses if one.part != "NOUN")
        follows = i + 1 < len(pair.words) and _agrees(adjectives, pair.words[i + 1], numeral.lang)
        if nouns and (not follows or numeral.fitting(_Part(word, nouns), context.cases, is_noun=True)):
            return [*found, _Part(word, parses)]
        if not adjectives:
            return []
        found.append(_Part(word, adjectives))
    return []


def _nominal(word: Word, lexicon: CountedLexicon, lang: str, is_term: bool) -> tuple[Parse, ...]:
    """The analyses of a word as a noun, an adjective or a pronoun; none if it may be of another word class."""
    if len(word.text) < _LETTERS:
        return ()
    parses = [one for one in morphology.parses(_known(word.text, lexicon), lang) if one.case != "voct"]
    parses = [one for one in parses if not one.grammemes >= _IMPERATIVE]  # rules address readers in the plural
    usual = _likely([one for one in parses if one.part in ("NOUN", *_ADJECTIVES, _PRONOUN) and one.case])
    others = [one for one in parses if one.part not in ("NOUN", *_ADJECTIVES, _PRONOUN)]
    is_unclear = (others and not is_term) or any(_UNCHANGED & one.grammemes for one in usual if one.part == "NOUN")
    return () if is_unclear else tuple(usual)


def _likely(parses: list[Parse]) -> list[Parse]:
    """The analyses without those that are unlikely beside others: nouns without a singular or without cases, adjectives
    that are guessed, and the animate one of two things of a name, such as a marker."""
    things = {one.lemma for one in parses if one.part == "NOUN" and not one.animate}
    regular = [one for one in parses if not _UNCHANGED & one.grammemes]
    regular = [one for one in regular if not (one.animate and one.lemma in things)]
    guessed = [one for one in regular if one.known or one.part == "NOUN"]
    return guessed or regular or parses


def _agrees(adjectives: Sequence[Parse], word: Word, lang: str) -> bool:
    """Whether a word is a noun or an adjective that a word before it may belong to."""
    after = [one for one in morphology.parses(word.text, lang) if one.part in ("NOUN", *_ADJECTIVES)]
    return any(
        one.case == other.case and one.plural == other.plural and (one.plural or one.gender == other.gender)
        for one in adjectives
        for other in after
    )


def _is_ordinal(noun: _Part, pair: Pair, context: Context, lexicon: CountedLexicon) -> bool:
    """Whether digits may be an ordinal, as in “у 3 раунді”."""
    singular = (one.lemma for one in noun.found if not one.plural and one.case in context.cases)
    return not pair.word and not lexicon.words["ordinal"].isdisjoint(singular)


def _fits_listed(pair: Pair, parts: Sequence[_Part], context: Context, lexicon: CountedLexicon, lang: str) -> bool:
    """Whether the noun agrees with the last figure of a decimal fraction, which may be a list: “2,3 гравці”."""
    last = _Numeral(category(pair.listed, lang) or "", lexicon, lang)
    return all(last.fitting(part, context.cases, is_noun=part is parts[-1]) for part in parts)


def _may_be_uncounted(pair: Pair, parts: Sequence[_Part], numeral: _Numeral, context: Context) -> bool:
    """Whether the number may count something else, or stand for itself, and the noun belong to what follows."""
    noun = parts[-1]
    pronouns = [part for part in parts[:-1] if any(one.part == _PRONOUN for one in part.found)]
    if any(not numeral.fitting(part, context.cases, is_noun=False) for part in pronouns):
        return True  # “по одній кожного кольору”
    if (pair.word and _stands_alone(noun, numeral)) or _is_amount(pair, parts, numeral.lexicon):
        return True
    is_subject = any(one.case == "nomn" for one in noun.found)
    is_value = not pair.word or pair.kind is Kind.RANGE or context.is_compared
    is_apart = is_value and (context.is_governed or context.is_compared)
    return is_apart and is_subject and _has_verb(pair, numeral.lang)


def _stands_alone(noun: _Part, numeral: _Numeral) -> bool:
    """Whether a number such as “both” may be the subject, and the noun the object: “обидва карту скидають”."""
    can_be_object = any(one.case == "accs" and not (one.animate and one.plural) for one in noun.found)
    if numeral.is_one:
        return {one.case for one in noun.found} == {"accs"} and numeral.genders.isdisjoint(
            one.gender for one in noun.found
        )
    return numeral.lemmas <= numeral.lexicon.words["alone"] and can_be_object


def _is_amount(pair: Pair, parts: Sequence[_Part], lexicon: CountedLexicon) -> bool:
    """Whether the noun may be an attribute or a part in the genitive: “82 картки: 45 уряду”, “5 золота”."""
    if not all(any(not one.plural and one.case == GENITIVE for one in part.found) for part in parts):
        return False
    noun = parts[-1].found
    if len(parts) > 1 or any(one.lemma in lexicon.words["mass"] for one in noun):
        return True
    return pair.is_in_list and not any(one.case == "nomn" and one.plural for one in noun)


def _has_verb(pair: Pair, lang: str) -> bool:
    """Whether the noun may be the subject of a verb after it."""
    found = (one for word in pair.after()[:_NEAR] for one in morphology.parses(word, lang))
    return any(one.part in ("VERB", "INFN") and "impr" not in one.grammemes for one in found)


# --- the number ------------------------------------------------------------------------------------------------------


class _Numeral(NamedTuple):
    """A number: its plural category, and of a number in words its cases, genders and lemmas."""

    category: str
    lexicon: CountedLexicon
    lang: str
    cases: frozenset[str] = frozenset()
    genders: frozenset[str] = frozenset()
    lemmas: frozenset[str] = frozenset()
    is_part: bool = False
    """Whether it is no whole number."""

    @property
    def is_one(self) -> bool:
        return self.category == _ONE

    @property
    def is_collective(self) -> bool:
        return bool(self.lemmas) and self.lemmas <= self.lexicon.words["collective"]

    def fitting(self, part: _Part, cases: frozenset[str], is_noun: bool) -> bool:
        """Whether a form of the noun, or of an adjective of it, goes with the number in one of these cases."""
        return any(self._fits(one, case, is_noun) for one in part.found for case in cases)

    def _fits(self, one: Parse, case: str, is_noun: bool) -> bool:
        return any((one.plural, one.case) == form for form in self._wanted(case, is_noun, one.animate))

    def _wanted(self, case: str, is_noun: bool, animate: bool) -> Iterator[tuple[bool, str]]:
        """The forms that go with the number in a case: whether plural, and the case."""
        if case not in DIRECT:
            yield (not self.is_one, case) if not self.is_part else self.lexicon.forms[self.category]
        elif self.is_collective:
            yield True, GENITIVE
        else:
            yield from self._direct(case, is_noun, animate)

    def _direct(self, case: str, is_noun: bool, animate: bool) -> Iterator[tuple[bool, str]]:
        plural, own = self.lexicon.forms[self.category]
        if case == "accs" and self.category == _FEW and self.cases:
            if "nomn" in self.cases:
                case = "nomn"  # дві: the accusative of things, which is the nominative
            else:
                if animate:
                    yield True, GENITIVE  # двох: the accusative of people, which is the genitive
                return
        yield plural, case if own == SAME else own
        if not is_noun and self.category in self.lexicon.adjectives:
            yield self.lexicon.adjectives[self.category]

    def other_gender(self, pair: Pair, noun: _Part, context: Context) -> Mismatch | None:
        """The number in words whose gender is not that of its noun, such as “два картки”."""
        own = {gender for one in noun.found for gender in _genders(one, self.lang)}
        if not self.genders or not own or own & self.genders:
            return None
        word = Word(pair.end - len(pair.word), pair.end, pair.word)
        if self.is_one:
            fits = {one.case for one in noun.found if not one.plural} & context.cases
            right = dict.fromkeys(
                form
                for _, other, form in morphology.forms(pair.word, self.lang)
                if other.part == "NUMR" and not other.plural and other.case in fits and other.gender in own
            )
        else:
            right = dict.fromkeys(form for form, genders in self.lexicon.genders.items() if genders & own)
        found = tuple(_as_written(form, pair.word) for form in right)
        return Mismatch(word, noun.word.text, found) if found else None

    def right(self, part: _Part, noun: _Part, context: Context, is_noun: bool) -> tuple[str, ...]:
        """The forms that the word should have, most likely first; none if they are unknown."""
        shared = frozenset(one.case for one in part.found) & context.cases
        if not context.is_certain:
            shared |= context.cases & DIRECT
        tried = (shared, context.cases & DIRECT, context.cases)
        for cases in tried:
            found = self._forms(part, noun, cases, is_noun) if cases else ()
            if found:
                return tuple(_as_written(form, part.word.text) for form in found)
        return ()

    def _forms(self, part: _Part, noun: _Part, cases: frozenset[str], is_noun: bool) -> tuple[str, ...]:
        animate = any(one.animate for one in noun.found)
        wanted = [form for case in CASES if case in cases for form in self._wanted(case, is_noun, animate)]
        if not is_noun:
            wanted = wanted[:1] if len(cases) == 1 else wanted
        rare, genders = self.lexicon.words["rare"], {one.gender for one in noun.found if one.gender}
        found: list[str] = []
        for plural, case in dict.fromkeys(wanted):
            word = part.word.text
            for own, other, form in morphology.forms(_known(word, self.lexicon), self.lang):
                is_own = own in part.found and own.part == other.part and not (is_noun and own.part != "NOUN")
                if is_own and (other.plural, other.case) == (plural, case):
                    is_gender = is_noun or plural or other.gender in genders
                    if is_gender and (real := _restored(form, word, self.lexicon)) not in found:
                        found.append(real)
        return tuple(form for form in found if form not in rare) or tuple(found)


def _genders(one: Parse, lang: str) -> Iterator[str]:
    """The gender of a noun, which its plural forms do not show."""
    if one.gender:
        yield one.gender
    else:
        basic = (other for other in morphology.parses(one.lemma, lang) if other.part == one.part and not other.plural)
        yield from (other.gender for other in basic if other.gender and other.lemma == one.lemma)


def _numeral(pair: Pair, lexicon: CountedLexicon, lang: str) -> _Numeral | None:
    """The number of a pair; None if its form is unknown."""
    is_part = pair.value != int(pair.value)
    kind = category(pair.value, lang)
    if kind is None or kind not in lexicon.forms:
        return None
    if not pair.word:
        if regex.search(r"\p{L}$", pair.said) or pair.kind is Kind.ARTICLE:
            return None
        return _Numeral(kind, lexicon, lang, is_part=is_part)
    found = [one for one in morphology.parses(pair.word, lang) if one.part == "NUMR" and one.case]
    if not found or any("Fixd" in one.grammemes for one in found):
        return None
    genders = lexicon.genders.get(pair.word.lower(), frozenset(one.gender for one in found if one.gender))
    if kind == _ONE and any(one.plural for one in found):
        return None
    cases, lemmas = frozenset(one.case for one in found), frozenset(one.lemma for one in found)
    return _Numeral(kind, lexicon, lang, cases, genders, lemmas, is_part)


def _context(pair: Pair, numeral: _Numeral, lexicon: CountedLexicon, lang: str) -> Context:
    """The cases that the number may be in, by its own form and the words around it."""
    around = context_of(pair, lexicon, lang)
    if not numeral.cases:
        return around
    both = numeral.cases & around.cases if around.is_governed else numeral.cases
    return around._replace(cases=both or numeral.cases, is_certain=True)


def _known(word: str, lexicon: CountedLexicon) -> str:
    """The word, or one with the same endings that the dictionary has."""
    return next((model + word[len(stem) :] for stem, model in _models(word, lexicon)), word)


def _restored(form: str, word: str, lexicon: CountedLexicon) -> str:
    """The form of a word, from that of the one with the same endings."""
    return next((stem + form[len(model) :] for stem, model in _models(word, lexicon)), form)


def _models(word: str, lexicon: CountedLexicon) -> Iterator[tuple[str, str]]:
    return ((stem, model) for stem, model in lexicon.like.items() if word.lower().startswith(stem))


def _as_written(form: str, word: str) -> str:
    """A form with the capital letters and apostrophes of a word."""
    mark = next((sign for sign in "’ʼ" if sign in word), "'")
    form = form.replace("'", mark)
    return form.upper() if word.isupper() else form[:1].upper() + form[1:] if word[:1].isupper() else form
