"""The registered languages, by tag."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import _lru_cache_wrapper, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from rulespec.base import store
from rulespec.base.diagnostics import Finding, finding
from rulespec.base.messages import say
from rulespec.base.source import Source
from rulespec.language.document.nodes import Scalar
from rulespec.text.languages.derived import derived
from rulespec.text.languages.record import Language, paths_of, read
from rulespec.text.languages.tags import LANGUAGE_OF_SPECS as LANGUAGE_OF_SPECS
from rulespec.text.languages.tags import Tag, parents, similar, tag_of
from rulespec.text.languages.valid import problems

PACKAGE = _HERE = Path(__file__).parent
"""The folder with the languages of this package."""
_SHIPPED: dict[str, Language] = {}
_ADDED: dict[str, Language] = {}
_RECORDS: dict[str, Language] = {}
"""The records in use: those of this package, those that a program added, and over them those of a project."""
_KNOWN: dict[str, Language] = {}

LANGUAGES: Mapping[str, Language] = _KNOWN
"""Every language with a record, by its BCP 47 tag. `find` knows every other tag of CLDR as well."""


def add(folder: Path) -> Language:
    """Reads the language of a folder and registers it.

    Raises ValueError if the record is invalid or its tag is already registered.
    """
    made = read(folder, _RECORDS.get, find_in_cldr)
    if made.tag in _RECORDS:
        raise ValueError(f"{folder}: there is already a language {made.tag!r}")
    if folder.parent != _HERE:
        made = _ADDED[made.tag] = replace(made, digest=_digest(folder))
    _register(made)
    return made


def _register(made: Language) -> None:
    _RECORDS[made.tag] = made
    if made.is_known:
        _KNOWN[made.tag] = made
    # Tags that were looked up before may mean this record, or get something from it.
    find.cache_clear()


@contextmanager
def added(folder: Path) -> Iterator[Language]:
    """Registers the language of a folder within a `with` block."""
    made = add(folder)
    try:
        yield made
    finally:
        del _ADDED[made.tag]
        _put(_IN_USE[0])


# --- languages of a project ------------------------------------------------------------------------------------------


def use(folder: Path) -> None:
    """Lets the languages of a project, each in a folder of `folder`, take the place of those of this package until
    `use` is called for another project.

    A record with data that cannot be read is left out: the check of its file reports what is wrong with it.
    """
    _use(_own(folder, _stamps(folder)))


def _use(own: Mapping[str, Language]) -> None:
    # By identity: `_own` returns the same mapping as long as no file changes.
    if own is not _IN_USE[0]:
        _IN_USE[0] = own
        _put(own)
        # After all are registered: what validators call looks up the language by its tag.
        sound = {tag: made for tag, made in own.items() if _is_sound(made)}
        if len(sound) < len(own):
            _put(sound)


@contextmanager
def still_in_use() -> Iterator[None]:
    """Brings the languages that are in use back at the end of a `with` block: files of another project may be read in
    it."""
    before = _IN_USE[0]
    try:
        yield
    finally:
        _use(before)


def _put(own: Mapping[str, Language]) -> None:
    # Emptied, not replaced: other modules hold `LANGUAGES`, which is this same mapping.
    _RECORDS.clear()
    _KNOWN.clear()
    for made in (*_SHIPPED.values(), *_ADDED.values(), *own.values()):
        _register(made)
    for cached in _DEPENDENT:
        cached.cache_clear()


READERS = (
    "rulespec.text.languages.quantity.patterns:numerals_of",
    "rulespec.text.checks.counted:lexicon_of",
    "rulespec.text.rules.describe.grammar:grammar_in",
    "rulespec.text.reading.contrasts.lexicon:compiled_lexicon_of",
)
"""What reads the data of a language, in modules above this one. Each raises an exception for what it cannot read."""


def _is_sound(made: Language) -> bool:
    try:
        for reader in READERS:
            module, _, function = reader.partition(":")
            getattr(import_module(module), function)(made)
    except Exception:  # data of a project may be anything: the check of its file says what is wrong
        return False
    return True


C = TypeVar("C", bound="_lru_cache_wrapper[Any]")


def depends(cached: C) -> C:
    """Registers a cache that depends on the data of languages: it is cleared when these change."""
    _DEPENDENT.append(cached)
    return cached


_DEPENDENT: list[_lru_cache_wrapper[Any]] = [paths_of]
"""`paths_of` is here at once, because its module cannot import this one."""
_NONE: Mapping[str, Language] = {}
_IN_USE: list[Mapping[str, Language]] = [_NONE]


def _stamps(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """The files of the languages of a project, with their sizes and times."""
    records = [path.parent for path in folder.glob("*/language.yaml")] if folder.is_dir() else []
    files = sorted(path for record in records for path in record.iterdir() if path.is_file())
    return tuple((str(path), found.st_size, found.st_mtime_ns) for path in files for found in [path.stat()])


@lru_cache(maxsize=8)
def _own(folder: Path, stamps: tuple[tuple[str, int, int], ...]) -> Mapping[str, Language]:
    """The languages of a project by tag, as its files were at these times."""
    if not stamps:
        return _NONE
    records = _Records(folder)
    found: dict[str, Language] = {}
    for tag in sorted({Path(name).parent.name for name, *_ in stamps}):
        with suppress(ValueError):
            found[tag] = records.read(tag)
    return found


def read_in(folder: Path, tag: str) -> Language:
    """The record of a project in `folder/tag`, whether the languages of this project are in use or not.

    Raises ValueError with the file and the key if the record, or one that it extends, is invalid.
    """
    return _Records(folder).read(tag)


def read_unproved(folder: Path, tag: str) -> Language:
    """Like `read_in`, but the record may have values that texts cannot be checked with (`valid.problems`)."""
    return _Records(folder).unproved(tag)


class _Records:
    """The records of a project: each is read after those that it adds to."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, Language] = {}
        self._open: list[str] = []

    def read(self, tag: str) -> Language:
        """The record of a tag. Raises ValueError if it is invalid."""
        if tag not in self._read:
            self._read[tag] = self._made(tag)
        return self._read[tag]

    def _made(self, tag: str) -> Language:
        made, folder = self.unproved(tag), self._folder / tag
        if made.tag != tag:
            raise ValueError(f"{folder}: the tag of this folder is {made.tag!r}")
        if (wrong := next(problems(made), None)) is not None:
            raise ValueError(f"{folder}: {'.'.join(map(str, wrong.path))}: {wrong.message}")
        return replace(made, digest=store.key(made.digest, _digest(folder), code=()))

    def unproved(self, tag: str) -> Language:
        """The record of a tag, whose values may be unusable."""
        folder = self._folder / tag
        if tag in self._open:
            raise ValueError(f"{folder}: extends: the languages {', '.join(self._open)} extend each other")
        self._open.append(tag)
        try:
            return read(folder, self._known, self._below)
        finally:
            self._open.pop()

    def _known(self, tag: str) -> Language | None:
        """The record that one extends: that of the project, else that of this package."""
        # `extends` may be any text, and must not lead out of the folder as `../x` would.
        is_own = tag.replace("-", "").isalnum() and (self._folder / tag / "language.yaml").is_file()
        return self.read(tag) if is_own else _SHIPPED.get(tag)

    def _below(self, tag: str) -> Language | None:
        """What a record adds to: that of this package, that of a tag above it in a region, or that of CLDR."""
        if tag in _SHIPPED:
            return _SHIPPED[tag]
        known = tag_of(tag)
        for above in parents(tag) if known is not None else ():
            with suppress(ValueError):
                if (record := self._known(above)) is not None and known is not None:
                    return _regional(record, known)
        return find_in_cldr(tag)


def _digest(folder: Path) -> str:
    files = sorted(path for path in folder.iterdir() if path.is_file())
    data = (text for path in files for text in (path.name, path.read_bytes().decode("utf-8", "replace")))
    return store.key(*data, code=())


# --- tags ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def find(tag: str) -> Language:
    """The language of a BCP 47 tag: its record, that of a tag above it with what its region changes (`de-AT`), or what
    CLDR has for it; a language without data if CLDR does not know it."""
    own = _record(tag)
    if own is not None and tag in (own.tag, *own.aliases):
        return own
    known = tag_of(tag)
    if known is None:
        return Language(tag)
    return _regional(own, known) if own is not None else derived(known)


def nearest(tag: str) -> str:
    """The tag of the record that a tag such as `uk-UA` or `zh-TW` means, else the tag as BCP 47 writes it; "" if CLDR
    does not know it."""
    own = _record(tag)
    if own is not None:
        return own.tag if own.is_known else ""
    known = tag_of(tag)
    return known.text if known is not None else ""


def _record(tag: str) -> Language | None:
    """The record of a tag, or of the nearest tag above it. An alias is a name of a record."""
    whole = tag.strip().lower().replace("_", "-")
    parts = whole.split("-")
    names = {name.lower(): each for each in _RECORDS.values() for name in (*each.aliases, each.tag)}
    found = next((names[name] for name in (whole, "-".join(parts[:2]), parts[0]) if name in names), None)
    return None if found is not None and _in_other_script(found, parts) else found


def _in_other_script(record: Language, parts: Sequence[str]) -> bool:
    """Whether a tag names a script that a record of the language alone is not about: `sr-Latn` and a record of `sr`."""
    if record.tag.lower() != parts[0] or len(parts) == 1 or len(parts[1]) != 4:
        return False
    tag, own = tag_of("-".join(parts)), tag_of(parts[0])
    return tag is not None and own is not None and tag.written != own.written


def _regional(own: Language, tag: Tag) -> Language:
    """The record of a language as a region writes it: with the letters and quotation marks that CLDR has for it."""
    here, there = derived(tag), find_in_cldr(own.tag)
    changed = {
        name: getattr(here, name)
        for name in ("alphabet", "quotes")
        if there is not None and getattr(here, name) != getattr(there, name)
    }
    return replace(own, tag=tag.text, name=here.name, aliases=(), **changed)


def find_in_cldr(tag: str) -> Language | None:
    """What CLDR has for a tag, whether there is a record or not; None if it does not know it."""
    known = tag_of(tag)
    return derived(known) if known is not None else None


def unknown(tag: Scalar, source: Source) -> Finding:
    """The finding for a tag that CLDR does not know."""
    near = similar(tag.text)
    message = say("There is no language with the tag `{tag}`.", tag=tag.text)
    hint = say("Write a tag of BCP 47, such as `de`, `pt-BR` or `zh-Hant`.")
    if near:
        hint = say("Did you mean `{name}`?", name=near)
    return finding("language-unknown", message, source, tag.span, hint)


def outdated(tag: Scalar, source: Source) -> Iterator[Finding]:
    """The finding for a tag that is written otherwise than in BCP 47 today, such as `iw` for `he`."""
    own = _record(tag.text)
    known = tag_of(tag.text) if own is None or own.tag != tag.text else None
    if known is not None and known.text != tag.text:
        message = say("The tag `{tag}` is written `{now}` today.", tag=tag.text, now=known.text)
        hint = say("Write `{now}`.", now=known.text)
        yield finding("language-tag", message, source, tag.span, hint)


def _load() -> None:
    """Registers the folders next to this file. Their records are kept on disk: compiling the patterns takes most of the
    time that importing this package takes."""
    # With the folder, because records have the paths of their data.
    key = store.key(str(_HERE), code=("text/languages",))
    kept: list[Language] | None = store.get("languages", key)
    if kept is None:
        store.put("languages", key, [add(folder) for folder in _folders()])
    # Those that were not kept have been registered by `add`.
    for made in kept or ():
        _register(made)
    _SHIPPED.update(_RECORDS)


def _folders() -> list[Path]:
    """The folders next to this file. Tags with subtags come last, because they extend shorter ones."""
    waiting = sorted(path.parent for path in _HERE.glob("*/language.yaml"))
    return sorted(waiting, key=lambda folder: (folder.name.count("-"), folder.name))


_load()


def labels_of(tag: str) -> Mapping[str, str]:
    """The words that a rendered rulebook itself uses in a language, else those of the language of specs."""
    return {**LANGUAGES[LANGUAGE_OF_SPECS].labels, **find(tag).labels}
