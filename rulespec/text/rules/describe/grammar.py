"""The grammar of descriptions in one language, as read from `describe.yaml`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import regex
import yaml

from rulespec.language.document.loader import BASE_LOADER
from rulespec.proofs.meaning.constructors import CONSTRUCTORS, UNWRITTEN
from rulespec.text.languages.han import in_form
from rulespec.text.languages.record import Language
from rulespec.text.languages.registry import LANGUAGES, depends, find


@dataclass(frozen=True)
class Slot:
    """A place in a template for a part: `{part}`, `{part.case}`, `{part:style}`. A style is a noun or a list.

    `{part|is|are}` agrees with a part: `forms` are the words for a singular and for a plural. `{part.case?}` is
    `optional`: it has nothing to show where there is no form in that case.
    """

    part: str
    case: str = ""
    style: str = ""
    forms: tuple[str, ...] = ()
    optional: bool = False


@dataclass(frozen=True)
class Template:
    """A text with slots. An optional piece `[…]` is left out if one of its slots has nothing to show."""

    pieces: tuple[str | Slot | Template, ...]

    def fill(self, show: Callable[[Slot], str | None]) -> str | None:
        """The text, with every slot as `show` gives it; None if a slot outside optional pieces has nothing to show."""
        shown = ""
        for piece in self.pieces:
            text = show(piece) if isinstance(piece, Slot) else piece
            text = text.fill(show) or "" if isinstance(text, Template) else text
            if text is None:
                return None
            shown += text
        return shown

    def slots(self) -> Iterator[Slot]:
        """All slots, those in optional pieces included."""
        for piece in self.pieces:
            if isinstance(piece, Template):
                yield from piece.slots()
            elif isinstance(piece, Slot):
                yield piece


@dataclass(frozen=True)
class Words:
    """A phrase's templates by the kind and the case of what it or its first part names; `other` is any kind.

    Of several templates, the first that can be filled is used.
    """

    by_kind: Mapping[str, tuple[Template, ...]]

    def of(self, kind: str, case: str) -> tuple[Template, ...]:
        """The templates for a kind in a case; without one in that case those without a case."""
        keys = (f"{kind}.{case}", f"other.{case}", kind, "other") if case else (kind, "other")
        return next(self.by_kind[key] for key in keys if key in self.by_kind)

    def has(self, kind: str, case: str) -> bool:
        """Whether there is a template for a kind in a case."""
        return not self.by_kind.keys().isdisjoint((f"{kind}.{case}", f"other.{case}"))

    def slots(self) -> frozenset[str]:
        """The parts that any of the templates shows."""
        every = (template for templates in self.by_kind.values() for template in templates)
        return frozenset(slot.part for template in every for slot in template.slots())


@dataclass(frozen=True)
class Grammar:
    """The templates of a language.

    `plural` gives the category of a number, `nouns` has the counted nouns by category; their form `amount` counts by an
    expression, and `again` what has just been named. `lists` are the separators of each kind of list. `frames` are the
    templates of sentences, `variables` words for the variables that blocks bind. `agreeing` are words that take the
    gender and the case of a noun, such as articles, by gender or by gender and case. `euphony` are patterns, each with
    what stands for it in a finished sentence: “im” for “in dem”.
    """

    templates: Mapping[str, Words]
    frames: Mapping[str, Template]
    lists: Mapping[str, tuple[str, str]]
    nouns: Mapping[str, Mapping[str, str]]
    plural: Callable[[int], str]
    variables: Mapping[str, Words]
    labels: Mapping[str, str]
    agreeing: Mapping[str, Mapping[str, str]]
    derivations: Mapping[str, tuple[str, Sequence[tuple[str, str]]]]
    euphony: Sequence[tuple[regex.Pattern[str], str]]

    def derived(self, noun: str, case: str) -> str | None:
        """A noun in a case, as it follows from its letters, or from those of the case that it is derived from; None if
        it does not."""
        base, rows = self.derivations.get(case, ("", ()))
        word = self.derived(noun, base) if base else noun
        found = next((pair for pair in rows if regex.search(pair[0], word or "")), None)
        return regex.sub(found[0], found[1], word, count=1) if word is not None and found is not None else None

    def finished(self, sentence: str) -> str:
        """A sentence in which words that stand together have the form that they take there."""
        for pattern, form in self.euphony:
            sentence = pattern.sub(form, sentence)
        return sentence

    def joined(self, items: Sequence[str], style: str) -> str:
        """The items as a list."""
        separator, last = self.lists[style]
        return last.join((separator.join(items[:-1]), items[-1])) if len(items) > 1 else items[0]

    def counted(self, number: int, noun: str) -> str:
        """A number with a noun in the right form."""
        return self.nouns[noun][self.plural(number)].format(n=self.number(number))

    def number(self, value: int) -> str:
        """A number in digits, with the minus sign of the language."""
        return str(value) if value >= 0 else f"{self.labels['minus']}{-value}"


FRAMES: Mapping[str, frozenset[str]] = {
    "sentence": frozenset({"act"}),
    "conditional": frozenset({"conditions", "act"}),
    "condition_head": frozenset({"conditions"}),
    "otherwise": frozenset({"act"}),
    "otherwise_head": frozenset(),
    "ruling_head": frozenset({"question", "answer", "id", "option"}),
    "ruling": frozenset({"question", "answer", "id", "option"}),
    "ruling_text": frozenset({"id", "text"}),
    "ruling_chosen": frozenset({"id", "option"}),
    "by_players": frozenset({"number", "players"}),
    "by_players_next": frozenset({"number", "players"}),
    "aim": frozenset({"best", "rule", "last"}),
    "definite": frozenset({"name"}),
    "definite_raw": frozenset({"name"}),
    "face_letter": frozenset({"name"}),
    "fact": frozenset({"value"}),
    "fact_of": frozenset({"what", "value"}),
    "fact_range": frozenset({"low", "high"}),
    "fact_row": frozenset({"key", "value"}),
    "fact_order": frozenset({"items"}),
    "fact_terms": frozenset({"items"}),
}
"""The frames of every grammar, with the slots that each may use."""
LABELS = (
    *("determiners", "head", "plural", "minus", "yes", "no", "definitions", "outside", "rulings"),
    *(
        "rule_of",
        "defined_at",
        "origin_base_game",
        "origin_component",
        "origin_ours",
        "only_if",
        "inside",
        "depends",
        "does",
        "weight",
        "must_state",
        "text_in",
    ),
)
"""The labels of every grammar. The second row is for `ftk explain`; words in braces are filled in."""


def languages() -> list[str]:
    """The languages in which rules can be described."""
    return [tag for tag, one in LANGUAGES.items() if one.file("describe.yaml") is not None]


def grammar_of(lang: str) -> Grammar:
    """The grammar of a language. Raises ValueError if the language has none, or an invalid one."""
    found = grammar_in(find(lang))
    if found is None:
        raise ValueError(f"there are no descriptions in `{lang}`, only in {', '.join(languages())}")
    return found


def grammar_in(language: Language) -> Grammar | None:
    """The grammar of a language; None if it has none. Raises ValueError if it is invalid."""
    paths = language.files("describe.yaml")
    return _read(paths, language) if paths else None


def _loaded(paths: tuple[Path, ...], form: str) -> dict[str, Any]:
    """What the files of a language say together, in its form of characters: the first of them counts most."""
    merged: dict[str, Any] = {}
    for path in reversed(paths):
        data = yaml.load(in_form(path.read_text(encoding="utf-8"), form), BASE_LOADER)  # `true` and `number` are names
        merged = _over(data, merged)
    return merged


def _over(first: Any, below: Any) -> Any:
    """Mappings of two files, joined; anything else as the first file has it."""
    if not (isinstance(first, dict) and isinstance(below, dict)):
        return first
    return below | {key: _over(value, below.get(key)) for key, value in first.items()}


@depends
@lru_cache(maxsize=16)
def _read(paths: tuple[Path, ...], language: Language) -> Grammar:
    path, data = paths[0], _loaded(paths, language.han_form)
    try:
        if lacking := sorted(CONSTRUCTORS.keys() - UNWRITTEN - data["templates"].keys()):
            raise ValueError(f"templates: the key `{lacking[0]}` is missing")
        return Grammar(
            templates={name: _words(value) for name, value in data["templates"].items()},
            frames={name: parse(value) for name, value in data["frames"].items()},
            lists={name: (separator, last) for name, (separator, last) in data["lists"].items()},
            nouns=data["nouns"],
            plural=language.plural,
            variables={name: _words(value) for name, value in data["variables"].items()},
            labels=data["labels"],
            agreeing=data.get("agreeing", {}),
            derivations={
                case: (base, [(one, to) for one, to in pairs])
                for key, pairs in data.get("derivations", {}).items()
                for base, _, case in [key.rpartition(".")]
            },
            euphony=[(regex.compile(pattern), form) for pattern, form in data.get("euphony", ())],
        )
    except (KeyError, TypeError, ValueError, regex.error) as error:
        raise ValueError(f"{path}: {error}") from None


def _words(value: Any) -> Words:
    by_kind = value if isinstance(value, dict) else {"other": value}
    several = {kind: text if isinstance(text, list) else [text] for kind, text in by_kind.items()}
    return Words({kind: tuple(map(parse, texts)) for kind, texts in several.items()})


_TOKEN = regex.compile(
    r"\{(?P<part>\w+)(?:\.(?P<case>\w+)(?P<optional>\?)?)?(?::(?P<style>\w+))?(?:\|(?P<one>[^{}|]*)\|(?P<many>[^{}|]*))?\}"
    r"|(?P<open>\[)|(?P<close>\])"
)


@lru_cache(maxsize=4096)
def parse(text: str) -> Template:
    """The template of a text with slots and optional pieces. Raises ValueError for brackets that do not match."""
    stack: list[list[str | Slot | Template]] = [[]]
    at = 0
    for found in _TOKEN.finditer(text):
        stack[-1] += [text[at : found.start()]] if at < found.start() else []
        at = found.end()
        if found["open"]:
            stack.append([])
        elif found["close"] and len(stack) > 1:
            inner = Template(tuple(stack.pop()))
            stack[-1].append(inner)
        elif found["close"]:
            raise ValueError(f"`{text}` closes a bracket that it does not open")
        else:
            forms = () if found["many"] is None else (found["one"], found["many"])
            stack[-1].append(
                Slot(found["part"], found["case"] or "", found["style"] or "", forms, bool(found["optional"]))
            )
    if len(stack) > 1:
        raise ValueError(f"`{text}` leaves a bracket open")
    return Template((*stack[0], text[at:]))


def of_noun(form: str) -> Template:
    """The template of a form of a noun; one whose brackets do not match, such as a title of a spec, is plain text."""
    try:
        return parse(form)
    except ValueError:
        return Template((form,))
