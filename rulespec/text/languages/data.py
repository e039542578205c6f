"""Reads the YAML data files of a language: macros, lists of wordings, and patterns over words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import regex
import yaml

from rulespec.language.document.loader import BASE_LOADER
from rulespec.text.languages.han import in_form
from rulespec.text.languages.record import FORMAT_KEY, Language, Pattern, refuse_aliases

FORMER: Mapping[str, frozenset[str]] = {
    "counted.yaml": frozenset({"particles", "pronouns", "conjunctions", "comparative"}),
}
"""The keys of files of a language that earlier versions read. A language of a project may still have them: they are
put aside."""


def read_data(name: str, language: Language, keys: set[str]) -> Mapping[str, Any]:
    """The data of a language in files of this name, with macros replaced. `keys` are those that it may have, beside
    those of earlier versions, which are left out.

    The file of a project merges over that of this package: lists and mappings are joined. Raises ValueError with the
    file if one is invalid.
    """
    merged: Any = {}
    former = FORMER.get(name, frozenset())
    for path in language.files(name):
        given = mapping(_loaded(path, language), str(path), {*keys, *former, "macros", FORMAT_KEY})
        # Macros are replaced before the files are merged: each file has its own.
        merged = _over(merged, _expanded({key: given[key] for key in given if key not in former}, str(path)))
    return merged  # type: ignore[no-any-return]


def _loaded(path: Path, language: Language) -> Any:
    try:
        text = in_form(path.read_text(encoding="utf-8"), language.han_form)
        refuse_aliases(text)
        # The base loader reads every scalar as text: `no` is a negator, not a truth value.
        return yaml.load(text, BASE_LOADER)
    except (OSError, UnicodeDecodeError, RecursionError, yaml.YAMLError) as error:
        raise ValueError(f"{path}: {error}") from None


def _over(first: Any, below: Any) -> Any:
    """What the files of a language say together; `first` is of the file that counts more."""
    if isinstance(first, dict) and isinstance(below, dict):
        return {**below, **{key: _over(value, below[key]) if key in below else value for key, value in first.items()}}
    if isinstance(first, list) and isinstance(below, list):
        return [*first, *below]
    return first


MACRO = regex.compile(r"\{([a-z]\w*)\}")
"""A macro in a wording."""


def _expanded(data: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    """The data with the macros replaced. A macro is a pattern or a list of alternatives; it may use those before it."""
    macros: dict[str, str] = {}
    for name, given in mapping(data.get("macros", {}), f"{where}: macros").items():
        text = _replaced(given, macros)
        macros[name] = f"(?:{'|'.join(text) if isinstance(text, list) else text})"
    return {key: _replaced(value, macros) for key, value in data.items() if key not in ("macros", FORMAT_KEY)}


def _replaced(value: Any, macros: Mapping[str, str]) -> Any:
    """A value in which every `{name}` of a macro is its text."""
    if isinstance(value, dict):
        return {key: _replaced(each, macros) for key, each in value.items()}
    if isinstance(value, list):
        return [_replaced(each, macros) for each in value]
    return MACRO.sub(lambda found: macros.get(found[1], found[0]), value)


def mapping(value: Any, where: str, keys: set[str] | None = None) -> Mapping[str, Any]:
    """A value that is a mapping with these keys only. Raises ValueError otherwise."""
    if not isinstance(value, dict):
        raise ValueError(f"{where}: {value!r} is not a mapping")
    for key in value:
        if keys is not None and key not in keys:
            raise ValueError(f"{where}: there is no key `{key}`; the keys are {', '.join(sorted(keys))}")
    return value


def listed(within: Mapping[str, Any], key: str, where: str) -> list[Any]:
    """The list under a key, empty if there is none. Raises ValueError if it is no list."""
    value = within.get(key) or []
    if not isinstance(value, list):
        raise ValueError(f"{where}: {key}: {value!r} is not a list")
    return value


def is_pattern(text: str) -> bool:
    """Whether a wording is a regular expression, `/…/`."""
    return len(text) > 2 and text[0] == text[-1] == "/"


# Escapes and classes are matched only to step over them: a space in them is meant as such.
_SPACE_OR_CLASS = regex.compile(r"\\.|\[(?:\\.|[^\]\\])*+\]| ")
_BETWEEN_WORDS = r"(?:[\s*_]++)"
# Not `\b`, which fails beside a sign such as `+`: a wording may begin or end with one.
_NOT_IN_WORD = r"(?!(?<=\w)\w)"


def pattern(text: str, spaced: bool, where: str) -> Pattern:
    """The compiled pattern. A space matches any space between words with emphasis marks; words match as a whole.

    Raises ValueError if it is no regular expression.
    """
    inner = _SPACE_OR_CLASS.sub(lambda found: _BETWEEN_WORDS if found[0] == " " else found[0], text.strip("/"))
    try:
        return _compiled(f"{_NOT_IN_WORD}(?:{inner}){_NOT_IN_WORD}" if spaced else inner)
    except regex.error as error:
        raise ValueError(f"{where}: {text}: {error}") from None


@lru_cache(maxsize=16_384)  # lexicons share patterns, and the cache of `regex` holds 500
def _compiled(text: str) -> Pattern:
    return regex.compile(text, regex.IGNORECASE)
