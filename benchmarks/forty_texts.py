"""The rule texts of one small game in forty languages, with their numbers in digits or in words, right or changed.

`<tag>.yaml` in a part of the set `forty` has a text for every rule, with a slot for every number: `{24}`; `{24:f}` with
another set of rules for spelling, by its name in `spell`; `{6=sześciu}` with its word in this place; `{1!}` in digits
only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from packed import files

from rulespec.base.diagnostics import Finding
from rulespec.base.source import Source
from rulespec.games.rulebook import check_translation
from rulespec.text.glossary.matcher import Matcher, Word, apart
from rulespec.text.glossary.tokens import read

SPEC = "beacons"
PARTS = ("development", "unseen")
TAGS: Mapping[str, list[str]] = {part: sorted(Path(path).stem for path in files("forty", part)) for part in PARTS}
"""The tags by part."""

_SLOT = re.compile(r"\{(\d+)(?::(\w+)|=([^}]*)|(!))?\}")
_OPEN, _CLOSE = "\ue100", "\ue101"
"""Marks around a changed number while the file is put together."""


@dataclass(frozen=True)
class Slot:
    """The number at an index of the slots of a rule. `word` is its word there, `rules` names how it is spelled."""

    rule: str
    index: int
    value: int
    rules: str
    word: str
    figures: bool


@dataclass(frozen=True)
class Change:
    """A mistake: another number in a slot, a text without something, or with two things exchanged."""

    what: str
    rule: str
    slot: Slot | None = None
    value: int = 0
    words: bool = False


@dataclass(frozen=True)
class Sheet:
    """The texts of a language as its file has them."""

    tag: str
    data: Mapping[str, Any]

    @property
    def slots(self) -> list[Slot]:
        return [
            Slot(rule, index, int(found[1]), found[2] or "", found[3] or "", bool(found[4]))
            for rule, entry in self.data["rules"].items()
            for index, found in enumerate(_SLOT.finditer(entry["text"]))
        ]

    def spelled(self, value: int, rules: str = "") -> str:
        """A number in words: by the rules that the file names, else by num2words, else by CLDR."""
        return spelled(self.tag, value, self.data.get("spell", {}).get(rules, ""))

    def written(self, value: int) -> str:
        """A number in the digits of the file."""
        return str(value).translate(str.maketrans("0123456789", self.data.get("digits", "0123456789")))

    def translation(self, words: bool, change: Change | None = None) -> tuple[str, tuple[int, int]]:
        """The translation with its numbers in words or in digits, and where the changed number is."""
        rules = {id_: self._rule(id_, words, change) for id_ in self.data["rules"]}
        if change is not None and change.what == "entry":
            del rules[change.rule]
        lines = ["translation: 3", f"game: {SPEC}", f"lang: {self.tag}", f"title: {self.data['title']}", "rules:"]
        for id_, text in rules.items():
            lines += [f"  {id_}:", f"    title: {self.data['rules'][id_]['title']}", "    text: |-"]
            lines += [f"      {line}" if line else "" for line in text.split("\n")]
        text = "\n".join(lines) + "\n"
        start = text.find(_OPEN)
        end = text.find(_CLOSE) - 1
        return text.replace(_OPEN, "").replace(_CLOSE, ""), (start, end)

    def _rule(self, id_: str, words: bool, change: Change | None) -> str:
        at = iter(range(1000))
        text: str = self.data["rules"][id_]["text"]
        here = change if change is not None and change.rule == id_ else None
        if here is not None and here.what in _EDITS:
            text = _EDITS[here.what](text, self)

        def filled(found: re.Match[str]) -> str:
            index, value = next(at), int(found[1])
            if here is not None and here.slot is not None and here.slot.index == index:
                new = self.spelled(here.value, found[2] or "") if words else self.written(here.value)
                return f"{_OPEN}{new}{_CLOSE}"
            if not words or found[4]:
                return self.written(value)
            return found[3] or self.spelled(value, found[2] or "")

        return _SLOT.sub(filled, text)


def _without_item(text: str, sheet: Sheet) -> str:
    """A list without its second item."""
    items = [line for line in text.split("\n") if line.startswith("- ")]
    return "\n".join(line for line in text.split("\n") if line != items[1])


def _exchanged_rows(text: str, sheet: Sheet) -> str:
    """A table in which the first and the last number are exchanged."""
    slots = [found[0] for found in _SLOT.finditer(text)]
    turned = iter([slots[-1], *slots[1:-1], slots[0]])
    return _SLOT.sub(lambda _: next(turned), text)


def _exchanged_terms(text: str, sheet: Sheet) -> str:
    """Stones where coins are meant, and coins where stones are."""
    return _with_terms(text, sheet, {"stone": "coin", "coin": "stone"})


def _other_term(text: str, sheet: Sheet) -> str:
    """The hand where the deck is meant."""
    return _with_terms(text, sheet, {"deck": "hand"})


def _with_terms(text: str, sheet: Sheet, others: Mapping[str, str]) -> str:
    """A text with the preferred term of another concept in the place of each term."""
    terms = sheet.data["terms"]
    phrases = [
        (kind, (tuple(Word(token.raw, frozenset(token.keys)) for token in read(form, sheet.tag)),))
        for kind in others
        for form in terms[kind]
    ]
    hits = sorted(Matcher(phrases).hits(read(text, sheet.tag)), key=lambda hit: -hit.length)
    for hit in sorted((group[0] for group in apart(hits)), key=lambda hit: -hit.start):
        text = text[: hit.start] + terms[others[hit.of]][0] + text[hit.end :]
    return text


_EDITS = {
    "item": _without_item,
    "row": _without_item,
    "rows": _exchanged_rows,
    "order": _exchanged_terms,
    "term": _other_term,
}
LEFT_OUT = (Change("entry", "draw"), Change("item", "box"), Change("row", "deal"))
EXCHANGED = (Change("rows", "deal"), Change("order", "win"), Change("term", "shuffle"))


def changes(sheet: Sheet, count: int, seed: str = "") -> Iterator[Change]:
    """So many changed numbers, half of them in digits and half in words, each unlike all numbers of the game."""
    chance = Random(f"{sheet.tag} {seed}")
    known = {slot.value for slot in sheet.slots}
    for words in (False, True):
        slots = [slot for slot in sheet.slots if not (words and slot.figures)]
        chance.shuffle(slots)
        for at in range(count // 2):
            slot = slots[at % len(slots)]
            near = [slot.value - 1, slot.value + 1, slot.value * 2, slot.value + 10, chance.randint(2, 60)]
            new = [value for value in near if value > 1 and value not in known]
            yield Change("number", slot.rule, slot, chance.choice(new), words)


@cache
def sheet(tag: str) -> Sheet:
    part = next(part for part, tags in TAGS.items() if tag in tags)
    return Sheet(tag, yaml.safe_load(files("forty")[f"{part}/{tag}.yaml"]))


@contextmanager
def folder() -> Iterator[Path]:
    """A folder with the spec and a glossary of all languages."""
    with TemporaryDirectory() as made:
        place = Path(made)
        (place / f"{SPEC}.yaml").write_text(files("forty")[f"{SPEC}.yaml"], encoding="utf-8")
        (place / "glossaries").mkdir()
        text = yaml.safe_dump(_glossary(), allow_unicode=True, sort_keys=False)
        (place / "glossaries" / f"{SPEC}.yaml").write_text(text, encoding="utf-8")
        (place / "translations" / SPEC).mkdir(parents=True)
        yield place


def _glossary() -> dict[str, Any]:
    concepts: dict[str, Any] = {kind: {"names": kind} for kind in ("stone", "coin", "card", "deck", "hand")}
    for tag in (tag for part in TAGS.values() for tag in part):
        for kind, (preferred, *forms) in sheet(tag).data["terms"].items():
            concepts[kind][tag] = {"preferred": preferred, **({"forms": forms} if forms else {})}
    concepts |= {"purse": {"names": "purse", "any_of": ["coin"]}, "tower": {"names": "tower", "any_of": ["stone"]}}
    return {"glossary": 1, "game": SPEC, "concepts": concepts}


def findings(place: Path, tag: str, text: str) -> tuple[Finding, ...]:
    """The findings for a translation in a folder of `folder`."""
    return check_translation(Source(str(place / "translations" / SPEC / f"{tag}.yaml"), text)).findings


# --- number words ----------------------------------------------------------------------------------------------------


@cache
def spelled(tag: str, value: int, rules: str = "") -> str:
    """A cardinal in words: by a set of rules of CLDR, or by num2words, or by the plain rules of CLDR."""
    from num2words import CONVERTER_CLASSES, num2words

    name = next((one for one in _names(tag) if one in CONVERTER_CLASSES), None)
    if not rules and name is not None:
        return str(num2words(value, lang=name))
    return by_cldr(tag, value)[rules or "spellout-cardinal"]


def by_cldr(tag: str, value: int) -> Mapping[str, str]:
    """The cardinal by each set of rules for words of CLDR; empty if it has none for the language."""
    from unicode_rbnf import FormatPurpose, RbnfEngine

    name = next((one for one in _names(tag) if one in RbnfEngine.get_supported_languages()), None)
    if name is None:
        return {}
    found = RbnfEngine.for_language(name).format_number(value, FormatPurpose.CARDINAL).text_by_ruleset
    return {
        rules: text.replace("\u00ad", "").replace("\u200b", "")
        for rules, text in found.items()
        if rules.startswith("spellout")
    }


def _names(tag: str) -> tuple[str, ...]:
    """The names of a tag in the packages, the nearest first: of a language, also that of its macrolanguage."""
    from babel.core import get_global

    parts = tag.split("-")
    wider = get_global("parent_exceptions").get(parts[0])
    return (*("_".join(parts[:count]) for count in range(len(parts), 0, -1)), *((wider,) if wider else ()))
