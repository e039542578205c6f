"""Which cases a number may be in, by the words around it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from rulespec.text.checks.counted.lexicon import CountedLexicon
from rulespec.text.checks.counted.pairs import BREAKS, DASH, NUMBER, Pair
from rulespec.text.languages import morphology
from rulespec.text.languages.morphology import Parse

CASES = ("nomn", "accs", "gent", "datv", "ablt", "loct")
DIRECT = frozenset(("nomn", "accs"))
GENITIVE, LOCATIVE = "gent", "loct"

_VERBS = frozenset(("VERB", "INFN", "GRND"))
_NEAR = 3
_NO_WORDS = BREAKS | {NUMBER}


class Context(NamedTuple):
    """The cases that a number may be in.

    `is_certain`: no others are possible. `is_label`: the number may name the noun before it, so that it counts nothing.
    `is_governed`: a preposition decides the case. `is_compared`: a comparison, a negation or a verb with the genitive
    stands before it. `is_after_noun`: a noun does.
    """

    cases: frozenset[str]
    is_certain: bool = False
    is_label: bool = False
    is_governed: bool = False
    is_compared: bool = False
    is_after_noun: bool = False


ANY = Context(frozenset(CASES))
AFTER_NOUN = ANY._replace(is_after_noun=True)
COMPARED = ANY._replace(is_compared=True)
LABEL = ANY._replace(is_label=True, is_after_noun=True)
PLAIN = Context(frozenset(("nomn", "accs", "datv", "ablt")), is_certain=True)
"""Where no word governs another case. Verbs may govern the dative and the instrumental."""


def context_of(pair: Pair, lexicon: CountedLexicon, lang: str) -> Context:
    """The cases that a number may be in."""
    inner = _governed_inside(pair, lexicon)
    if inner is not None:
        return inner
    reader = _Reader(lexicon, lang, pair.before())
    found = reader.read(0)
    if found == PLAIN and any(map(reader.allows_genitive, pair.after())):
        return ANY
    return found


def _governed_inside(pair: Pair, lexicon: CountedLexicon) -> Context | None:
    """The case that a preposition of a range governs: “від 2 до 5”."""
    for word in reversed(pair.said.lower().split()):
        if word in lexicon.prepositions:
            return Context(lexicon.prepositions[word], is_certain=True, is_governed=True)
    return None


class _Reader:
    """Reads the words before a number from right to left."""

    def __init__(self, lexicon: CountedLexicon, lang: str, words: Sequence[str]) -> None:
        self._lexicon = lexicon
        self._lang = lang
        self._words = words

    def read(self, at: int) -> Context:
        """The context by the word at a place and those before it."""
        lists = self._lexicon.words
        if at >= len(self._words):
            return PLAIN
        word = self._words[at]
        if word in BREAKS or word in lists["conjunctions"]:
            return self._joined(at)
        if word == NUMBER:
            return ANY
        if word in self._lexicon.prepositions:
            if self._is_comparison(at):
                return COMPARED
            return Context(self._lexicon.prepositions[word], is_certain=True, is_governed=True)
        if self.allows_genitive(word):
            return COMPARED
        if word in lists["particles"]:
            return self.read(at + 1)
        return self._inflected(at)

    def allows_genitive(self, word: str) -> bool:
        """Whether the number after a word may be in the genitive."""
        lists = self._lexicon.words
        if word in _NO_WORDS:
            return False
        if word in lists["genitive"]:
            return True
        if word in self._lexicon.prepositions or word in lists["conjunctions"] or word in lists["particles"]:
            return False
        parts = (*_VERBS, "ADJF", "NOUN")
        return any(one.lemma in lists["genitive"] for one in self._parses(word) if one.part in parts)

    def _is_comparison(self, at: int) -> bool:
        """Whether a preposition is that of a comparison, as in “більше за 3 картки”."""
        pattern, listed = self._lexicon.comparative, self._lexicon.words["genitive"]
        near = self._words[at : at + _NEAR]
        if any(word in listed for word in near):
            return True
        return pattern is not None and any(pattern.search(word) is not None for word in near[1:2])

    def _joined(self, at: int) -> Context:
        """After a mark or a conjunction the number may have the case of what stands before."""
        if self._words[at] == DASH:
            return PLAIN
        rest = self._words[at + 1 :]
        may_be_governed = any(
            word in self._lexicon.prepositions or self.allows_genitive(word) for word in rest if word not in _NO_WORDS
        )
        return ANY if may_be_governed else PLAIN

    def _inflected(self, at: int) -> Context:
        """The context by an inflected word."""
        found = _not_vocative(morphology.parses(self._words[at], self._lang))
        lists, parts = self._lexicon.words, {one.part for one in found}
        if parts & _VERBS:
            return self._by_verb(at, found)
        if any(one.lemma in lists["pronouns"] for one in found):
            plural = frozenset(one.case for one in found if one.plural and "pers" not in one.grammemes)
            return Context(plural) if plural else self.read(at + 1)
        if parts <= {"ADVB", "PRCL"} and parts:
            return self.read(at + 1)
        if parts == {"ADJF"}:
            return Context(frozenset(one.case for one in found if one.plural)) if at == 0 else ANY
        if parts <= {"NOUN", "NPRO", "ADJF"} and "NOUN" in parts:
            return self._by_noun(at, [one for one in found if one.part == "NOUN"])
        return ANY

    def _by_verb(self, at: int, found: Sequence[Parse]) -> Context:
        """The context after a verb, which may be negated."""
        if any(self.allows_genitive(word) for word in self._words[at + 1 : at + 1 + _NEAR]):
            return ANY
        verbs = [one for one in found if one.part in _VERBS]
        if len(verbs) == len(found) and all("impr" in one.grammemes for one in verbs):
            return PLAIN._replace(cases=PLAIN.cases - {"nomn"})
        return PLAIN

    def _by_noun(self, at: int, found: Sequence[Parse]) -> Context:
        """The context after a noun: the number may name it, belong to it, or be apart from it."""
        before = self._word(at + 1)
        lists = self._lexicon.words
        if any(one.lemma in lists["pronouns"] for one in self._parses(before)):
            return self.read(at + 2)  # after “each” a noun has no label
        singular = [one for one in found if not one.plural]
        if any(one.lemma in lists["labels"] for one in singular):
            return AFTER_NOUN if self._is_of(before, {"ADJF"}) else LABEL
        if before in self._lexicon.prepositions:
            return self._by_place(at + 1, found)
        if any(one.case in DIRECT for one in singular):
            return AFTER_NOUN if self._is_of(before, _VERBS) else LABEL
        return self.read(at + 1) if {one.case for one in found} <= {"datv", "loct"} else AFTER_NOUN

    def _by_place(self, at: int, found: Sequence[Parse]) -> Context:
        """The context after a noun with a preposition: “у колоді 54 картки”, “візьміть із колоди 3 картки”."""
        if not any(one.lemma in self._lexicon.words["containers"] for one in found):
            return AFTER_NOUN
        if LOCATIVE in self._lexicon.prepositions[self._words[at]]:
            return PLAIN
        before = at + 1
        while before < len(self._words) and self._words[before] in self._lexicon.words["particles"]:
            before += 1
        verbs = _not_vocative(self._parses(self._word(before)))
        is_verb = any(one.part in _VERBS for one in verbs) and not any("Refl" in one.grammemes for one in verbs)
        return self._by_verb(before, verbs) if is_verb else AFTER_NOUN

    def _word(self, at: int) -> str:
        return self._words[at] if at < len(self._words) else ""

    def _parses(self, word: str) -> Sequence[Parse]:
        """The analyses of a word, none of a mark."""
        return morphology.parses(word, self._lang) if word and word not in _NO_WORDS else ()

    def _is_of(self, word: str, parts: Collection[str]) -> bool:
        """Whether a word may be of one of these word classes."""
        return any(one.part in parts for one in self._parses(word))


def _not_vocative(found: Sequence[Parse]) -> list[Parse]:
    return [one for one in found if one.case != "voct"]
