"""Agreement of numbers and the nouns that they count: “1 card”, “2 cards”.

In a language with a dictionary of pymorphy3, the form of a noun follows from the plural category of its number and from
the case that a preposition or the number word demands. Elsewhere a term has the form that the glossary counts it with,
or in English its singular or plural.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache

import regex

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import any_of, say
from rulespec.text.glossary import tokens
from rulespec.text.glossary.concepts import Glossary
from rulespec.text.glossary.finder import Mention, finder
from rulespec.text.languages import morphology
from rulespec.text.languages.data import mapping, read_data
from rulespec.text.languages.dictionaries import lemma
from rulespec.text.languages.morphology import Parse, category, needed
from rulespec.text.languages.quantity.quantity import Kind, Quantity
from rulespec.text.languages.quantity.reader import read
from rulespec.text.languages.record import PLURALS, Language
from rulespec.text.languages.registry import depends, find
from rulespec.text.reading.prose import Prose

LISTS: tuple[str, ...] = ("alone", "collective", "containers", "genitive", "labels", "mass", "ordinal", "rare")
LISTS += ("after", "articles", "before", "plurals")
TABLES = ("forms", "adjectives", "genders", "prepositions", "like")

_WORD = r"\p{L}+(?:['’ʼ‐‑-]\p{L}+)*"
_NEXT = regex.compile(rf"[*_]{{0,3}}[ \u00a0\u202f\u2009]+[*_«“\"]{{0,3}}({_WORD})(?![\p{{L}}\d'’ʼ])")
_SHORT = regex.compile(r"\p{L}{1,2}(?![\p{L}'’ʼ])|\p{L}{3}\.")
_TOKEN = regex.compile(rf"{_WORD}|\d+|[^\s\p{{L}}\d*_«»“”\"]+")
_SENTENCE = regex.compile(r"[.!?…]+[»”\")*_]*\s|\n")
_CLAUSE = regex.compile(r"[.!?…;,:\n]")
_ITEMS = regex.compile(r"(?<=:)(?:\s*\n\s*[-*•–—][^\n]*)*\s*\n[\s*_•–—-]*$")
"""The items of a list up to one that begins with a number."""
_LABEL = regex.compile(r"[№#§×/=:^\p{L}\d]$|[№#§×]\s$")
_LOOK = 300  # characters that are read before and after a number

_KINDS = (Kind.CARDINAL, Kind.ARTICLE, Kind.SIGNED, Kind.RANGE, Kind.FRACTION)
_CASES = frozenset(("nomn", "accs", "gent", "datv", "ablt", "loct"))
_DIRECT, _PLAIN = frozenset(("nomn", "accs")), _CASES - {"gent", "loct"}
_UNLIKELY = {"Abbr", "Arch", "Fixd", "Name", "Patr", "Pltm", "Surn"}
"""Grammemes of readings that words after numbers hardly have."""


@depends
@lru_cache(maxsize=32)
def lexicon_of(language: Language) -> Mapping[str, Mapping[str, str]]:
    """The tables of `counted.yaml`, and its lists as tables without values. `prepositions` has the cases by word.

    Raises ValueError if the file is invalid.
    """
    data, where = read_data("counted.yaml", language, {*LISTS, *TABLES}), language.file("counted.yaml")
    given = {key: mapping(data.get(key, {}), f"{where}: {key}") for key in TABLES}
    tables = {key: {name: str(value) for name, value in table.items()} for key, table in given.items()}
    cases = {word: cases for cases, words in tables["prepositions"].items() for word in words.split()}
    lists = {key: data[key] if isinstance(data.get(key), list) else [data.get(key, "")] for key in LISTS}
    words = {key: dict.fromkeys(" ".join(map(str, texts)).split(), "") for key, texts in lists.items()}
    return {**tables, **words, "prepositions": cases}


def check(prose: Prose, glossary: Glossary | None = None) -> Iterator[Finding]:
    """One finding for each noun, adjective or number word that does not agree with its number or its noun."""
    language = find(prose.lang)
    has_forms = bool(lexicon_of(language)["forms"]) and morphology.is_available(language.tag)
    if not has_forms and (glossary is None or not language.spaced):
        return
    kind = _Inflected if has_forms else _Listed
    numbers = [one for each in read(prose.text, language.tag) if (one := kind(prose, each, language)).may_count]
    terms = finder(glossary, language.tag).find(prose.text) if numbers and glossary is not None else ()
    by_start = {one.start: one for one in terms if one.status.is_term}
    yield from filter(None, (number.disagreement(by_start, glossary) for number in numbers))


class _Number:
    """A number with the words around it. `word` is its last word if it is in words, else ""."""

    def __init__(self, prose: Prose, quantity: Quantity, language: Language) -> None:
        self.prose, self.language, self.lang, self.lexicon = prose, language, language.tag, lexicon_of(language)
        self.start, self.end, self.kind = quantity.start, quantity.end, quantity.kind
        self.said = prose.text[self.start : self.end]
        self.category = category(abs(quantity.value if quantity.high is None else quantity.high), self.lang) or ""
        self.word = next(iter(regex.findall(rf"{_WORD}$", self.said.lower())), "")
        self.words, at = list[regex.Match[str]](), self.end
        while len(self.words) < 4 and (found := _NEXT.match(prose.text, at)):
            self.words, at = [*self.words, found], found.end()
        is_label = "/" in self.said or _LABEL.search(prose.text[max(0, self.start - 2) : self.start]) is not None
        self.may_count = bool(self.words and self.category) and self.kind in _KINDS and not is_label

    @cached_property
    def before(self) -> list[str]:
        """The words, figures and marks of the sentence before it, from right to left in lower case."""
        head = _ITEMS.sub("", self.prose.text[max(0, self.start - _LOOK) : self.start])
        begin = max((end.end() for end in _SENTENCE.finditer(head)), default=0)
        return _TOKEN.findall(head[begin:].lower().replace("’", "'").replace("ʼ", "'"))[::-1]

    @cached_property
    def after(self) -> list[str]:
        """The words of the clause after it, in lower case."""
        return regex.findall(_WORD, _CLAUSE.split(self.prose.text[self.end : self.end + _LOOK].lower(), 1)[0])

    def finding(self, start: int, end: int, other: str, *right: str) -> Finding:
        """The finding about a word that does not agree with another one, with the forms that do."""
        found = self.prose.text[start:end]
        message = say("“{found}” does not agree with “{number}”.", number=other, found=found)
        hint = say("Write the form that the number needs.")
        if right:
            written = (form[:1].upper() + form[1:] if found[:1].isupper() else form for form in dict.fromkeys(right))
            mark = next((sign for sign in "’ʼ" if sign in found), "'")
            forms = any_of([say("“{form}”", form=form.replace("'", mark)) for form in written])
            message = say("With “{number}”, “{found}” should be {right}.", number=other, found=found, right=forms)
            hint = say("Write {right}.", right=forms)
        return self.prose.say("number-agreement", message, start, end, hint)


class _Inflected(_Number):
    """A number of a language with a dictionary of forms."""

    @cached_property
    def numerals(self) -> list[Parse]:
        """The readings of a number in words."""
        found = [one for one in self._readings(self.word) if one.part == "NUMR"] if self.word else []
        return [one for one in found if not (one.plural and self.category == "one")]  # “одні картки”

    def disagreement(self, terms: Mapping[int, Mention], glossary: Glossary | None) -> Finding | None:
        """The finding about the word that no case of the number allows; None if there is none or it is uncertain."""
        is_heading = not self.before and self.words[0][1][:1].isupper()
        around, is_governed = self._cases()
        own = frozenset(one.case for one in self.numerals)
        cases = (own & around if is_governed else own) or own or around
        parts = self._parts(self.words[0].start(1) in terms) if cases and not is_heading else []
        if not parts or bool(self.word) != bool(self.numerals) or self._may_be_apart(parts, cases, is_governed):
            return None
        for word, readings in reversed(parts):
            if not any(one.form in self._wanted(case, one) for one in readings for case in cases):
                return self.finding(*word.span(1), self.said, *self._right(word[1], readings, cases))
        return self._other_gender(*parts[-1])

    def _known(self, word: str) -> tuple[str, str, str]:
        """A word, or one with the same endings that the dictionary has, and the stems of both."""
        like = self.lexicon["like"].items()
        stem, model = next((pair for pair in like if word.lower().startswith(pair[0])), ("", ""))
        return model + word[len(stem) :], stem, model

    def _readings(self, word: str) -> list[Parse]:
        found = morphology.parses(self._known(word)[0], self.lang)
        return [one for one in found if one.case != "voct" and not one.grammemes >= {"impr", "sing"}]

    def _cases(self) -> tuple[frozenset[str], bool]:
        """The cases that the words around it allow, none after what it names (“фаза 3”), and whether one governs it."""
        governing, stops = self.lexicon["prepositions"], {*self.language.conjunctions, *self.lexicon["genitive"]}
        near = {*self.before[:4], *self.after}
        near |= {one.lemma for word in near for one in self._readings(word)}
        plain = _PLAIN if near.isdisjoint(self.lexicon["genitive"]) else _CASES
        inside = [word for word in self.said.lower().split() if word in governing]  # “від 2 до 5”
        before, is_place = [*inside[-1:], *self.before], False
        for i, word in enumerate(before):
            readings = self._readings(word)
            parts = {one.part for one in readings}
            nouns = [one for one in readings if one.part == "NOUN" and not one.grammemes & _UNLIKELY]
            plural = frozenset(one.case for one in readings if one.plural and "pers" not in one.grammemes)
            if word in governing and not is_place:
                return frozenset(governing[word].split()), True
            if not word[0].isalpha() or word in stops:
                is_open = word.isdecimal() or (word not in "—–=" and any(one in governing for one in before[i:]))
                return _CASES if is_open else plain, False
            if parts & {"VERB", "INFN", "GRND"}:
                return plain - {"nomn"} if all("impr" in one.grammemes for one in readings) else plain, False
            if is_place or parts & {"ADVB", "PRCL"}:
                is_place = False
            elif plural and (not nouns or "NPRO" in parts):
                return plural, False
            elif any(one.lemma in self.lexicon["containers"] for one in nouns):
                is_place = True  # “у колоді 54 картки”
            elif any(one.case in _DIRECT or one.lemma in self.lexicon["labels"] for one in nouns if not one.plural):
                return frozenset(), False
            elif not {one.case for one in nouns} <= {"datv", "loct"}:
                return _CASES, False
        return plain, False

    def _parts(self, is_term: bool) -> list[tuple[regex.Match[str], list[Parse]]]:
        """The adjectives after the number and their noun; nothing if the noun is uncertain."""
        found, after = list[tuple[regex.Match[str], list[Parse]]](), list[Parse]()
        for word in reversed(self.words):
            usual = [one for one in self._readings(word[1]) if not one.grammemes & _UNLIKELY]
            nominal = [one for one in usual if one.part == "NOUN" or (one.part in {"ADJF", "PRTF"} and one.known)]
            if _SHORT.match(self.prose.text, word.start(1)) or not (is_term or len(nominal) == len(usual)):
                nominal = []  # perhaps a word of another class, or an abbreviation
            adjectives = [one for one in nominal if one.part != "NOUN"]
            agrees = not {one.form for one in adjectives}.isdisjoint(one.form for one in after)
            is_noun = len(adjectives) < len(nominal) and not agrees
            found = [(word, nominal)] if is_noun else [(word, adjectives), *found] if adjectives and found else []
            after = nominal
        return found

    def _may_be_apart(
        self, parts: list[tuple[regex.Match[str], list[Parse]]], cases: frozenset[str], is_governed: bool
    ) -> bool:
        """Whether the number may stand for itself, or name a thing, and the noun belong to other words."""
        lists, nouns = self.lexicon, parts[-1][1]
        if self.numerals and all(one.lemma in lists["alone"] for one in self.numerals):  # “обидва карту беруть”
            things = [one for one in nouns if one.case == "accs" and not (one.animate and one.plural)]
            is_other = {one.gender for one in nouns}.isdisjoint(one.gender for one in self.numerals)
            return bool(things) and (self.category != "one" or (is_other and len(things) == len(nouns)))
        if all(
            "sing gent" in [one.form for one in readings] for _, readings in parts
        ):  # “5 золота”, “82 картки: 45 уряду”
            is_part = (
                bool(self.before) and not self.before[0].isalnum() and all(one.form != "plur nomn" for one in nouns)
            )
            if is_part or len(parts) > 1 or any(one.lemma in lists["mass"] for one in nouns):
                return True
        is_ordinal = any(not one.plural and one.case in cases and one.lemma in lists["ordinal"] for one in nouns)
        after = (one for word in self.after[:6] for one in self._readings(word) if "impr" not in one.grammemes)
        is_subject = any(one.case == "nomn" for one in nouns) and any(one.part in {"VERB", "INFN"} for one in after)
        is_value = not self.word or self.kind is Kind.RANGE  # “не більше ніж 6 посада коштує”
        return is_value and (is_ordinal or (is_subject and (is_governed or cases == _CASES)))

    def _wanted(self, case: str, one: Parse) -> Iterator[str]:
        """The forms that go with the number in a case, such as “plur gent”, for a reading of the word."""
        if case not in _DIRECT and self.category != "other":
            yield f"{'sing' if self.category == 'one' else 'plur'} {case}"
        elif any(numeral.lemma in self.lexicon["collective"] for numeral in self.numerals):
            yield "plur gent"
        elif self.category == "few" and self.numerals:
            yield "plur nomn" if any(numeral.case == "nomn" for numeral in self.numerals) else "plur gent"
        else:
            yield self.lexicon["forms"].get(self.category, "").replace("same", case)
        if case in _DIRECT and one.part != "NOUN":
            yield self.lexicon["adjectives"].get(self.category, "")

    def _right(self, word: str, readings: list[Parse], cases: frozenset[str]) -> list[str]:
        """The forms that a word should have; none if they are unknown."""
        known, stem, model = self._known(word)
        for tried in (cases & _DIRECT, cases & {one.case for one in readings}, cases):
            wanted = {form for case in tried for one in readings for form in self._wanted(case, one)}
            forms = (pair for pair in morphology.forms(known, self.lang) if pair[0] in readings)
            forms = (pair for pair in forms if pair[0].part == pair[1].part and pair[1].form in wanted)
            if right := [stem + form[len(model) :] for _, _, form in forms]:
                return [form for form in right if form not in self.lexicon["rare"]] or right
        return []

    def _other_gender(self, word: regex.Match[str], readings: list[Parse]) -> Finding | None:
        """The finding about a number word whose gender is not that of its noun, as in “два картки”."""
        whole = (other for one in readings for other in self._readings(one.lemma) if other.lemma == one.lemma)
        own = {one.gender for one in whole if one.gender and one.part == "NOUN"}
        forms = {form: not own.isdisjoint(genders.split()) for form, genders in self.lexicon["genders"].items()}
        if not own or forms.get(self.word, True):
            return None
        lemmas = {one.lemma for one in self.numerals}
        same = (form for form in forms if not lemmas.isdisjoint(one.lemma for one in self._readings(form)))
        return self.finding(self.end - len(self.word), self.end, word[1], *filter(forms.get, same))


class _Listed(_Number):
    """A number of a language whose terms have the forms of the glossary."""

    def disagreement(self, terms: Mapping[int, Mention], glossary: Glossary | None) -> Finding | None:
        """The finding about a term in the form of another category; None if it is right or uncertain."""
        term, lists, first = terms.get(self.words[0].start(1)), self.lexicon, next(iter(self.before), "")
        is_article, is_usual = self.kind is Kind.ARTICLE, not first.isalnum() or first in lists["before"]
        if glossary is None or term is None or (is_article and self.word not in lists["articles"]):
            return None
        said, counted = self.prose.text[term.start : term.end], glossary.concepts[term.concept].terms[self.lang].counted
        forms = {kind: form.text for kind, form in counted.items()}
        if not forms and is_usual and (self.category != "one" or not self.word or is_article):
            forms = self._forms(said, term.end, glossary.words)
        own = [PLURALS.index(kind) for kind, form in forms.items() if tokens.plain(form) == tokens.plain(said)]
        if not own or self.category not in forms or PLURALS.index(self.category) in own:
            return None
        head = self.prose.text[: self.start].rstrip(" \u00a0\u202f*_")
        is_title = regex.fullmatch(self.language.part_titles, first, regex.IGNORECASE) is not None
        is_name = head[-len(first) :].istitle() and len(self.before) > 1
        is_named = first.isdecimal() or is_title or is_name or any(one.end == len(head) for one in terms.values())
        is_label = is_named and not is_usual and not self.word  # “Phase 1”
        # “Z 2 kart” has the genitive, which looks like the category of higher numbers.
        is_case = (
            bool(first) and not is_article and min(own) > PLURALS.index(self.category) and len(needed(self.lang)) > 2
        )
        is_heading = not first and said[:1].isupper() and not term.term[:1].isupper()
        if is_heading or is_label or (is_case and first not in lists["before"]):
            return None
        return self.finding(term.start, term.end, self.said, forms[self.category])

    def _forms(self, said: str, end: int, known: str) -> dict[str, str]:
        """The singular of a term and its plural in known words or the text; none in a compound, as “3 card hand”."""
        stem, _, head = said.rpartition(" ")
        single, lemmatiser = lemma(head.lower(), self.language.lemmatiser), self.language.lemmatiser
        rest = regex.compile(r"[*_»”\"')]*[^\S\n]*([\p{L}\d]*)").match(self.prose.text, end)
        is_apart = rest is not None and (not rest[1] or rest[1].lower() in self.lexicon["after"])
        if not is_apart or not self.lexicon["after"] or (self.category == "one") == (head.lower() == single):
            return {}
        words = regex.findall(rf"\b{regex.escape(single[:-1])}\p{{L}}*s\b", f"{self.prose.text} {known}".lower())
        plural = [word for word in {*words, *self.lexicon["plurals"]} - {single} if lemma(word, lemmatiser) == single]
        return {"one": f"{stem} {single}".strip(), "other": f"{stem} {plural[0]}".strip()} if len(plural) == 1 else {}
