"""The registered languages, by tag."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import yaml

from rulespec.diagnostics import Finding, finding
from rulespec.document import Scalar
from rulespec.messages import say
from rulespec.source import Source
from rulespec.store import Store, digest_of_code, key_of, libraries
from rulespec.text.languages.record import Language, read

_HERE = Path(__file__).parent
_RECORDS: dict[str, Language] = {}
_KNOWN: dict[str, Language] = {}

LANGUAGES: Mapping[str, Language] = _KNOWN
"""Every language a rule text may be in, by its BCP 47 tag."""


def add(folder: Path) -> Language:
    """Reads the language of a folder and registers it.

    Raises ValueError if the record is invalid or its tag is already registered.
    """
    made = read(folder, _RECORDS)
    if made.tag in _RECORDS:
        raise ValueError(f"{folder}: there is already a language {made.tag!r}")
    _register(made)
    return made


def _register(made: Language) -> None:
    _RECORDS[made.tag] = made
    if made.is_known:
        _KNOWN[made.tag] = made
    find.cache_clear()


@contextmanager
def added(folder: Path) -> Iterator[Language]:
    """Registers the language of a folder within a `with` block."""
    made = add(folder)
    try:
        yield made
    finally:
        del _RECORDS[made.tag]
        _KNOWN.pop(made.tag, None)
        find.cache_clear()


@lru_cache(maxsize=256)
def find(tag: str) -> Language:
    """The language of a BCP 47 tag such as `uk-UA` or `zh-TW`; a language without data if no record matches."""
    whole = tag.strip().lower().replace("_", "-")
    parts = whole.split("-")
    names = {name.lower(): each for each in _RECORDS.values() for name in (*each.aliases, each.tag)}
    tries = (whole, "-".join(parts[:2]), parts[0])
    return next((names[name] for name in tries if name in names), Language(tag))


def unknown(tag: Scalar, source: Source) -> Finding:
    """The finding for a tag without a language record."""
    message = say(
        "There is no language record for `{tag}`. Known languages: {languages}.",
        tag=tag.text,
        languages=list(LANGUAGES),
    )
    hint = say("Correct the tag, or add a folder `rulespec/text/languages/<tag>/`.")
    return finding("language-unknown", message, source, tag.span, hint)


_READ = Store("languages", most_entries=4)
"""An entry has all records of this package, with their patterns compiled: 0.1 MB."""


def _load() -> None:
    """Registers the folders next to this file. Their records are kept on disk: compiling the patterns takes most of the
    time that importing this package takes."""
    key = key_of((digest_of_code("text/languages"), *libraries(), str(_HERE)))
    kept: list[Language] | None = _READ.read_object(key)
    if kept is None:
        _READ.write_object(key, [add(folder) for folder in _folders()])
    for made in kept or ():
        _register(made)


def _folders() -> list[Path]:
    """The folders next to this file. Tags with subtags come last, because they extend shorter ones."""
    waiting = sorted(path.parent for path in _HERE.glob("*/language.yaml"))
    return sorted(waiting, key=lambda folder: (folder.name.count("-"), folder.name))


_load()

SHIPPED: frozenset[str] = frozenset(_RECORDS)
"""The tags whose records belong to this package."""

LANGUAGE_OF_SPECS: str = yaml.safe_load((_HERE / "specs.yaml").read_text(encoding="utf-8"))["language"]
"""The language in which specs give their titles and questions."""


def labels_of(tag: str) -> Mapping[str, str]:
    """The words that a rendered rulebook itself uses in a language, else those of the language of specs."""
    return {**LANGUAGES[LANGUAGE_OF_SPECS].labels, **find(tag).labels}
