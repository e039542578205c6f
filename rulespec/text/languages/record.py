"""The record of a language, and how it is read from `language.yaml`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache, cached_property
from gettext import c2py
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import regex
import yaml

from rulespec.language.document.loader import LOADER

Pattern = regex.Pattern[str]

PLURALS = ("zero", "one", "two", "few", "many", "other")
"""The plural categories of CLDR, in its order."""

# Marks before the first word of a paragraph: Markdown, list marks and tags.
_MARKS = r"(?:[-#*>_\s]|</?\w{1,10}[^<>]{0,40}>)*+"


@dataclass(frozen=True)
class SentenceEnd:
    """The end of a sentence: a mark, then closing marks, before a space (`before_space`) and not after one of the
    `abbreviations`. `also` is another pattern for it."""

    marks: str = ".!?…"
    closers: str = '"»”’)*_'
    abbreviations: tuple[str, ...] = ()
    before_space: bool = True
    also: str = ""

    @cached_property
    def pattern(self) -> Pattern:
        marks, closers = regex.escape(self.marks), regex.escape(self.closers)
        before = "".join(rf"(?<!\b{abbreviation})" for abbreviation in self.abbreviations)
        after = r"(?=\s|$)" if self.before_space else ""
        # Not within a run of marks: a run that fails at its start fails everywhere, and is read once.
        end = f"{before}(?<![{marks}])[{marks}]++[{closers}]*+{after}"
        return regex.compile(f"{end}|{self.also}" if self.also else end)


@dataclass(frozen=True)
class Quotes:
    """Quotation marks, by their names in `typography/styles.py`: wrong styles, outer styles of which a text uses one,
    and styles of quotations inside a quotation. `show` is what to write."""

    forbidden: tuple[str, ...] = ()
    outer: tuple[str, ...] = ()
    inner: tuple[str, ...] = ()
    show: str = ""


@dataclass(frozen=True)
class Spelling:
    """Data that distinguishes misspellings from correct words that no dictionary lists.

    `files` are names of hunspell dictionaries, best first. `complete`: the dictionary of the lemmatiser has nearly all
    forms, so any word one letter away is a suggestion. `compounds`: two words may be written as one. `prefix` and
    `ending` may be cut from a word if `shortest_rest` letters are left. `confused` are pairs of letters that scanning
    or typing confuses.
    """

    files: tuple[str, ...] = ()
    complete: bool = False
    compounds: bool = False
    prefix: Pattern | None = None
    ending: Pattern | None = None
    shortest_rest: int = 1
    confused: tuple[str, ...] = ()

    @cached_property
    def slips(self) -> frozenset[str]:
        """The pairs of confused letters in both orders."""
        return frozenset((*self.confused, *(pair[::-1] for pair in self.confused)))


@dataclass(frozen=True)
class Figures:
    """How numbers in figures are written: the mark between groups of three (`group`), that before decimals (`decimal`),
    and what stands right behind an ordinal number (`ordinals`, as in 3rd and 3.) and one that counts (`counters`).
    """

    group: str = ","
    decimal: str = "."
    ordinals: tuple[str, ...] = ()
    counters: tuple[str, ...] = ()


@dataclass(frozen=True)
class ClauseStarts:
    """Words at which a clause begins, after a comma or a conjunction.

    `joins` are the conjunctions. A clause begins at any of the `openers`; at a verb, which has a lemma in `verbs` or
    one that `verb` matches, unless the word matches `participle`; and at an article of `articles` with a verb in the
    next words. With `every_comma` a clause begins after each comma. `condition` matches the start of a condition at the
    start of a sentence, which ends at a comma; where it matches the group `whole`, that is the condition.
    """

    joins: tuple[str, ...] = ()
    openers: tuple[str, ...] = ()
    articles: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    verb: Pattern | None = None
    participle: Pattern | None = None
    every_comma: bool = False
    condition: Pattern | None = None


@dataclass(frozen=True)
class Language:
    """A language by its BCP 47 tag. A check whose pattern is None is skipped.

    docs/text.md lists every key with an example.
    """

    tag: str
    name: str = ""
    extends: str = ""
    aliases: tuple[str, ...] = ()
    script: str = "Latin"
    direction: str = "ltr"
    """`rtl` for a language that is written from right to left."""
    spaced: bool = True
    """Whether there are spaces between words. Without spaces each character is a word."""
    alphabet: str = ""
    lemmatiser: str = ""
    """The name of the language in simplemma, "" for none: words then match only as written."""
    possessive: str = ""
    endings: tuple[str, ...] = ()
    alternating: tuple[str, ...] = ()
    plurals: tuple[str, ...] = ()
    """The plural categories of cardinal numbers in CLDR: `one`, `few`, `many`, `other` …"""
    plural_rule: str = "0"
    """The index in `plurals` for a whole number `n`, as an expression of gettext."""

    sentence_end: SentenceEnd = field(default_factory=SentenceEnd)
    conjunctions: tuple[str, ...] = ()
    clause_words: tuple[str, ...] = ()
    clauses: ClauseStarts = field(default_factory=ClauseStarts)
    until: tuple[str, ...] = ()
    either: Pattern | None = None
    both: Pattern | None = None
    variant: Pattern | None = None
    example: str = ""

    players: Pattern | None = None
    fewer: Pattern | None = None
    more: Pattern | None = None
    aside: Pattern | None = None
    counts_people: Pattern | None = None

    credits: str = ""
    credit_headings: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    figures: Figures = field(default_factory=Figures)
    dash: str = "–"
    before_colon: str = ""
    """The space that is written before a colon, and then before a question mark and the like as well."""
    quotes: Quotes = field(default_factory=Quotes)
    page_reference: Pattern | None = None
    page_mark: str = ""
    table_reference: Pattern | None = None
    picture_reference: Pattern | None = None
    recurring_headings: str = ""
    part_titles: str = ""
    lost_word: str = ""
    letter_words: str = ""
    before_letter: str = ""
    letter_names: str = ""
    repeated_words: tuple[str, ...] = ()
    repeated_characters: Pattern | None = None
    one_letter_words: str = ""
    latin_words: str = ""
    han_form: str = ""
    spelling: Spelling = field(default_factory=Spelling)
    variants: tuple[tuple[str, ...], ...] = ()

    folders: tuple[Path, ...] = ()
    """The folders with its data: its own, then those of the records it extends."""
    digest: str = ""
    """A digest of its data in a project, "" for data of this package: with other data it is another language."""

    # Of the tag alone: mappings among the fields have no hash, and many caches ask for one at every call.
    def __hash__(self) -> int:
        return hash(self.tag)

    @property
    def is_known(self) -> bool:
        """Whether this is the record of a language, not one that only others extend."""
        return bool(self.name)

    @property
    def level(self) -> int:
        """How much of a text is checked: 1 what follows from CLDR and dictionaries, 2 contrasts as well, 3 descriptions
        of rules as well; 0 for a language that CLDR does not know."""
        if not self.is_known:
            return 0
        return 3 if self.file("describe.yaml") else 2 if self.file("contrasts.yaml") else 1

    def file(self, name: str) -> Path | None:
        """A data file from the first folder that has it, with more than comments; None if none has it."""
        return next(iter(self.files(name)), None)

    def files(self, name: str) -> tuple[Path, ...]:
        """The data files of this name: its own, then those of the records it extends."""
        return paths_of(self.folders, name)

    def plural(self, number: int) -> str:
        """The plural category of a whole number, whatever its sign; `other` in a language without a rule."""
        return self.plurals[_plural_rule(self.plural_rule)(abs(number))] if self.plurals else "other"

    @cached_property
    def stop(self) -> Pattern:
        """Matches the end of a sentence with its closing marks."""
        return self.sentence_end.pattern

    @cached_property
    def joint(self) -> Pattern:
        """Matches the text between numbers of one list."""
        return regex.compile(rf"\s*+[,、，/]?\s*+(?:{_any(self.conjunctions)})?\s*+")

    @cached_property
    def enumeration(self) -> Pattern:
        """Matches the text between two things of one list."""
        space = r"\s+" if self.spaced else ""
        return regex.compile(rf"\s*+、\s*+|{space}(?:{_any(self.conjunctions)}){space}")

    @cached_property
    def clause(self) -> Pattern:
        """Matches the boundary between clauses of a sentence."""
        space = r"\s" if self.spaced else ""
        return regex.compile(rf"[,，、;；:：(（]|{space}(?:{_any(self.clause_words)}){space}")

    @cached_property
    def between_letters(self) -> Pattern:
        """Matches the text between the first and the last letter of a range."""
        return regex.compile(rf"[\s–—\-~]*+(?:{_any(self.until)})?[\s–—\-~]*+", regex.IGNORECASE)

    @cached_property
    def example_start(self) -> Pattern:
        """Matches the first words of an example with the marks before them."""
        return regex.compile(f"{_MARKS}(?:{self.example or '(?!)'})", regex.IGNORECASE)


@cache
def paths_of(folders: tuple[Path, ...], name: str) -> tuple[Path, ...]:
    """The files of a name in folders, in their order, without those of comments alone."""
    return tuple(folder / name for folder in folders if has_content(folder / name))


def has_content(path: Path) -> bool:
    """Whether there is a file with content: see `is_content`."""
    return path.is_file() and is_content(path.read_bytes().decode("utf-8", "replace"))


_NO_CONTENT = regex.compile(r"(?:\uFEFF|\s|#[^\n]*+|language:[ \t]*\d++(?=\s|\Z)|---(?=\s))*+")


def is_content(text: str) -> bool:
    """Whether a text has more than comments and the number of a format, which is all that a new lexicon has."""
    return _NO_CONTENT.fullmatch(text) is None


@cache
def _plural_rule(expression: str) -> Callable[[int], int]:
    return c2py(expression)


LONGEST = 80
"""The most characters that a pattern of a language matches at an offset."""


def match_end(pattern: Pattern | None, text: str, at: int) -> int | None:
    """The end of what a pattern matches at an offset; None if it does not match or the language has no such pattern."""
    # With an end: else the engine looks for the letters that a match needs in all the text that is left.
    found = pattern.match(text, at, min(len(text), at + LONGEST)) if pattern is not None else None
    return found.end() if found is not None else None


def matches(pattern: Pattern | None, text: str, at: int) -> bool:
    """Whether a pattern matches at an offset; False if the language has no such pattern."""
    return match_end(pattern, text, at) is not None


def _any(words: tuple[str, ...]) -> str:
    """A pattern for any of the words, longest first. It never matches if there are none."""
    return "|".join(sorted(map(regex.escape, words), key=len, reverse=True)) or "(?!)"


def read(folder: Path, known: Callable[[str], Language | None], below: Callable[[str], Language | None]) -> Language:
    """The language of a folder. Keys that it leaves out are those of the language that it `extends`, which is `known`,
    or else of the one `below` its tag.

    Raises ValueError with the file and the key if the record is invalid.
    """
    path = folder / "language.yaml"
    data = {key: value for key, value in _yaml(path).items() if key != FORMAT_KEY}
    own = {name: value for name, value in _fields(Language, data, str(path)) if name not in ("folders", "digest")}
    if "tag" not in own:
        raise ValueError(f"{path}: the key `tag` is missing")
    parent, same = own.get("extends", ""), below(own["tag"])
    base = (known(parent) or below(parent)) if parent else same
    if parent and base is None:
        raise ValueError(f"{path}: extends: there is no language {parent!r}")
    if base is None:
        return Language(**own, folders=(folder,))
    inherited = {each.name: getattr(base, each.name) for each in fields(base)}
    # A name and aliases are those of one tag; a record that adds to its own tag keeps them.
    if base.tag != own["tag"]:
        inherited |= {"name": same.name if same is not None else "", "aliases": ()}
    return Language(**{**inherited, **own, "folders": (folder, *base.folders)})


FORMAT_KEY = "language"
"""The key under which a record of a project states the number of its format."""


def _yaml(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
        refuse_aliases(text)
        data = yaml.load(text, LOADER)
    except (OSError, UnicodeDecodeError, RecursionError, yaml.YAMLError) as error:
        raise ValueError(f"{path}: {error}") from None
    if not isinstance(data, dict):
        raise ValueError(f"{path}: a record is a mapping")
    return data


_ALIAS = regex.compile(r"(?:^|[\s\[{,:-])\*\w", regex.MULTILINE)


def refuse_aliases(text: str) -> None:
    """Raises ValueError for a YAML text with aliases: a short one can stand for more than fits into memory."""
    # The fast test first: it finds no sign of an alias in most files, and those need not be parsed once more.
    if _ALIAS.search(text) and any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, LOADER)):
        raise ValueError("aliases are not allowed")


def _fields(kind: type, data: Mapping[str, Any], where: str) -> Iterator[tuple[str, Any]]:
    """The field values of a dataclass from a mapping. Raises ValueError for unknown keys."""
    hints = get_type_hints(kind)
    known = {each.name for each in fields(kind) if each.default is not MISSING or each.default_factory is not MISSING}
    # The only field of a record without a default.
    known |= {"tag"} & hints.keys()
    for key, value in data.items():
        if key not in known:
            raise ValueError(f"{where}: there is no key `{key}`; the keys are {', '.join(sorted(known))}")
        try:
            yield key, _value(hints[key], value, f"{where}: {key}")
        except (TypeError, regex.error) as error:
            raise ValueError(f"{where}: {key}: {error}") from None


def _value(hint: Any, value: Any, where: str) -> Any:
    # Only patterns may be absent, as `Pattern | None`.
    if type(None) in get_args(hint):
        return regex.compile(_text(value), regex.IGNORECASE)
    if get_origin(hint) is tuple:
        items = value.split() if isinstance(value, str) else value
        if not isinstance(items, list):
            raise TypeError(f"{value!r} is not a list")
        item = get_args(hint)[0]
        return tuple(_value(item, each, where) if get_origin(item) else _text(each) for each in items)
    if hint in _PARTS:
        return _PARTS[hint](**dict(_fields(hint, _mapping(value), where)))
    convert: Callable[[Any], Any] = _SIMPLE.get(hint, _texts)
    return convert(value)


def _mapping(value: Any) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"{value!r} is not a mapping")
    return value


def _texts(value: Any) -> dict[str, str]:
    return {_text(key): _text(each) for key, each in _mapping(value).items()}


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r} is not true or false")
    return value


def _number(value: Any) -> int:
    # `yes` is no number, but True is an int to Python.
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is not a whole number")
    return value


_PARTS: Mapping[Any, Callable[..., Any]] = {
    part: part for part in (SentenceEnd, Quotes, Spelling, Figures, ClauseStarts)
}
_SIMPLE: Mapping[Any, Callable[[Any], Any]] = {str: _text, bool: _flag, int: _number}
