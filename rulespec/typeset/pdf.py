"""Compiles a template of typst with data to PDF/UA-1.

The template reads the data as JSON from `sys.inputs.words`, so that no word of them is read as markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

import yaml

from rulespec.characters import visible
from rulespec.messages import say


class TypesetError(ValueError):
    """Raised for words that cannot be printed, such as letters that no installed font has."""


def missing() -> str:
    """What must be installed for PDF, with the command; empty if nothing."""
    return "" if find_spec("typst") else "PDF needs typst: pip install 'ftk[pdf]'"


def pdf(template: bytes, words: Mapping[str, Any], lang: str, aliases: Iterable[str] = ()) -> bytes:
    """The PDF of a template and its words in a language, a BCP 47 tag with its other tags.

    Besides the words the template gets `lang`, `region` and `fonts` (`body` and `display`, lists of families). Raises
    TypesetError if no font has some letter of the words.
    """
    import typst

    families = _families(lang)
    given = {**words, "lang": lang.split("-")[0], "region": _region((lang, *aliases)), "fonts": families}
    try:
        made = typst.compile(template, sys_inputs={"words": json.dumps(_shown(given))}, pdf_standards="ua-1")
    except typst.TypstError as error:
        raise _explained(str(error), families["install"]) from None
    return bytes(made)


def _families(lang: str) -> Mapping[str, Any]:
    known = yaml.safe_load(files(__package__).joinpath("fonts.yaml").read_text(encoding="utf-8"))
    return next((known[part] for part in lang.split("-")[1:] if part in known), known["other"])


def _region(tags: Iterable[str]) -> str | None:
    """The region of the first tag that has one. PDF names languages by region, where we name their script."""
    parts = (part for tag in tags for part in tag.split("-")[1:])
    return next((part for part in parts if len(part) == 2), None)


def _shown(value: Any) -> Any:
    """Data with invisible characters as escapes."""
    if isinstance(value, Mapping):
        return {key: _shown(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_shown(one) for one in value]
    return visible(value) if isinstance(value, str) else value


_NO_LETTER = re.compile(r"text `\"(.+?)\"` could not be displayed")


def _explained(error: str, install: str) -> TypesetError:
    """What a reader can do about an error of typst."""
    found = _NO_LETTER.search(error)
    if found is None:
        return TypesetError(say("The PDF cannot be made: {reason}.", reason=error.rstrip(".")))
    what = say("No installed font has “{letters}”. Install {font}.", letters=found[1], font=install)
    return TypesetError(what)
