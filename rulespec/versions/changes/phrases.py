"""The words of a language for changes: the sentences of reports (`changes.yaml`), and the kinds and impacts, which the
catalogs have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rulespec.base.findings.catalog import catalog_of
from rulespec.text.languages.data import mapping, read_data
from rulespec.text.languages.han import in_form
from rulespec.text.languages.record import Language
from rulespec.text.languages.registry import LANGUAGE_OF_SPECS, depends, find
from rulespec.versions.changes.kinds import KINDS, Impact
from rulespec.versions.changes.version import LEVELS

PHRASES = (
    *("separator", "same", "variant", "enough", "rise", "line", "at", "before", "now", "game", "cards"),
    "example",
    *("touched", "nothing", "spec", "texts", "scenarios", "logs", "rulings", "because"),
    *("log_start", "log_lost", "log_differs"),
    *("text_added", "text_removed", "text_changed", "text_moved", "text_same", "text_waiting", "text_unasked"),
)
"""The sentences of reports about changes; words in braces are filled in."""

ERRATA = (
    *("title", "breaking", "play", "text", "game", "cards"),
    *("old", "new", "added", "removed", "moved", "none", "history", "version", "unreleased", "first", "reworded"),
)
"""The headings and labels of errata sheets."""

FINDINGS = (
    *("text-missing", "text-extra", "text-stale", "fact-missing", "fact-contradicted", "order-contradicted"),
    *("number-unaccounted", "term-missing", "example-unproved", "wrong-total", "broken-invariant", "other"),
)
"""The findings that follow from changes most often, by name. They have headings in languages other than that of their
messages."""

NOUNS = ("change",)
"""The nouns that are counted, by plural category."""


@dataclass(frozen=True)
class Phrases:
    """The words of a language for changes."""

    lang: str
    kinds: Mapping[str, str]
    impacts: Mapping[str, str]
    levels: Mapping[str, str]
    phrases: Mapping[str, str]
    errata: Mapping[str, str]
    findings: Mapping[str, str]
    nouns: Mapping[str, Mapping[str, str]]

    def impact(self, impact: Impact) -> str:
        return self.impacts[str(impact)]

    def counted(self, number: int, noun: str) -> str:
        """A number with a noun in the right form."""
        return self.nouns[noun][find(self.lang).plural(number)].format(n=number)

    def heading(self, finding: str) -> str:
        """What a finding is in a few words, by its name; "" in the language of its message."""
        return self.findings.get(finding, self.findings.get("other", ""))

    def say(self, phrase: str, **filled: object) -> str:
        return self.phrases[phrase].format_map(filled)


def phrases_of(lang: str) -> Phrases:
    """The words of a language for changes, or those of the language of specs if it has none.

    Raises ValueError with the file and the key if the data is invalid.
    """
    language = find(lang)
    try:
        return phrases_in(language) or phrases_of(LANGUAGE_OF_SPECS)
    except ValueError:
        if not language.digest:
            raise
        return phrases_of(LANGUAGE_OF_SPECS)  # the check of the file of the project says what is wrong with it


@depends
@lru_cache(maxsize=16)
def phrases_in(language: Language) -> Phrases | None:
    """The words that a language itself has for changes; None if it has none. Raises ValueError like `phrases_of`."""
    path = language.file("changes.yaml")
    return _read(path, language) if path is not None else None


def _read(path: Path, language: Language) -> Phrases:
    keys = KEYS if language.tag == LANGUAGE_OF_SPECS else KEYS | {"findings": FINDINGS}
    given = read_data(path.name, language, {*keys, "nouns"})
    translated = _translated(language)
    parts: dict[str, Mapping[str, str]] = {"findings": {}}
    for key, names in keys.items():
        own = mapping(given.get(key, {}), f"{path}: {key}")
        parts[key] = _complete({**translated.get(key, {}), **own}, names, f"{path}: {key}")
    nouns = _complete(given.get("nouns"), NOUNS, f"{path}: nouns")
    return Phrases(language.tag, **parts, nouns={noun: mapping(forms, str(path)) for noun, forms in nouns.items()})


def _translated(language: Language) -> Mapping[str, Mapping[str, str]]:
    """The kinds and impacts in the words of findings, which name them as well, if these are in the language."""
    catalog = catalog_of(language.tag.partition("-")[0])
    if catalog is None:
        return {}
    english = phrases_of(LANGUAGE_OF_SPECS)
    both = {"kinds": english.kinds, "impacts": english.impacts}
    return {
        key: {name: in_form(catalog.template(text), language.han_form) for name, text in words.items()}
        for key, words in both.items()
    }


KEYS = {
    "kinds": tuple(KINDS),
    "impacts": tuple(map(str, Impact)),
    "levels": LEVELS,
    "phrases": PHRASES,
    "errata": ERRATA,
}


def _complete(value: object, names: tuple[str, ...], where: str) -> Mapping[str, str]:
    """A mapping with exactly these keys. Raises ValueError."""
    found = mapping(value, where, set(names))
    for name in names:
        if name not in found:
            raise ValueError(f"{where}: the key `{name}` is missing")
    return found
